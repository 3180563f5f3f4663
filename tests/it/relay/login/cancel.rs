//! Cancel requests: they reach the server over a connection of their own, whoever the session belongs to.

use std::time::{Duration, Instant};

use super::{
    driver::{Encryption, connect},
    users::{KEEPER, PASSWORD, server},
};
use crate::relay::front::Front;

/// Far longer than a request takes, far shorter than the statement that it is for.
const SOON: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_request_stops_the_servers_work() {
    let Some(server) = server().await else {
        return;
    };
    let toml = "[tls]\nself_signed = true\n[auth]\nmode = \"scram\"\n[auth.users]\nscram = \"pass wörd\"\n";
    let address = |query: &str| format!("{}?{query}", server.address(KEEPER, "postgres"));
    for (address, client) in [
        (address("sslmode=disable"), Encryption::Plain),
        (address("sslmode=require"), Encryption::Tls),
        (address("sslmode=require"), Encryption::Direct),
        (server.socket_address(KEEPER, "postgres"), Encryption::Plain),
    ] {
        let one = Front::start(&address, toml);
        // Another one in front of the same server knows nothing of the session.
        let other = Front::start(&address, toml);
        for through in [&one, &other] {
            let session = connect(one.port, client, ("scram", PASSWORD)).await.unwrap();
            let statement = session.query_one("SELECT 1 FROM pg_sleep(600)", &[]);
            let cancel = async {
                // Once it sleeps, it can be cancelled.
                let watcher = server.client("postgres", "postgres").await;
                let sql = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)' AND wait_event = 'PgSleep'";
                let begun = Instant::now();
                while watcher.query_one(sql, &[]).await.unwrap().get::<_, i64>(0) == 0 {
                    assert!(begun.elapsed() < SOON, "it does not sleep");
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                session.cancel(through.port, client).await.unwrap();
            };
            let (outcome, ()) = tokio::time::timeout(SOON, async { tokio::join!(statement, cancel) })
                .await
                .unwrap();
            let error = outcome.unwrap_err();
            assert_eq!(
                error.code().map(|code| code.code().to_owned()),
                Some("57014".into()),
                "{error:?}"
            );
            // And the session goes on.
            let row = session.query_one("SELECT 42", &[]).await.unwrap();
            assert_eq!(row.get::<_, i32>(0), 42);
        }
    }
}

#[tokio::test]
async fn requests_of_nobody_do_no_harm() {
    use std::io::{Read, Write};
    let Some(server) = server().await else {
        return;
    };
    let front = Front::start(&server.address(KEEPER, "postgres"), "");
    let packets: [&[u8]; 4] = [
        // No such session; a long secret, which this server does not know; none at all; too long a one.
        &[&[0, 0, 0, 16][..], &80_877_102_u32.to_be_bytes(), &[0; 8]].concat(),
        &[&[0, 0, 1, 12][..], &80_877_102_u32.to_be_bytes(), &[1; 260]].concat(),
        &[&[0, 0, 0, 8][..], &80_877_102_u32.to_be_bytes()].concat(),
        &[&[0, 0, 1, 13][..], &80_877_102_u32.to_be_bytes(), &[1; 261]].concat(),
    ];
    for packet in packets {
        let address = ("127.0.0.1", front.port);
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(SOON)).unwrap();
        stream.write_all(packet).unwrap();
        // Closed, after the server has closed its end; those that are not of the protocol are told so.
        let mut rest = vec![];
        stream.read_to_end(&mut rest).unwrap();
        let sound = packet.len() == 16 || packet.len() == 268;
        assert_eq!(rest.is_empty(), sound, "{:?}", String::from_utf8_lossy(&rest));
    }
    let session = connect(front.port, Encryption::Plain, ("trust", ""))
        .await
        .unwrap();
    session.query_one("SELECT 1", &[]).await.unwrap();
}
