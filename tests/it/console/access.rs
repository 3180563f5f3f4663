//! Who may ask the console: Host, Origin and the token.

use super::{
    pages::{Browser, post},
    served::Served,
};
use crate::program::{Place, refuses};

fn check(served: &Served, path: &str, headers: &[(&str, &str)], code: u16) {
    let reply = served.ask(path, headers);
    assert_eq!(reply.code, code, "{path} {headers:?}: {}", reply.body);
}

#[test]
fn the_console_answers_to_its_own_names_only() {
    let served = Served::start("console_hosts = [\"metrics.example.org\"]\n");
    for path in ["/", "/healthz", "/metrics", "/nothing"] {
        let good = match path {
            "/nothing" => 404,
            // To where one signs in.
            "/" => 303,
            _ => 200,
        };
        for host in [
            "127.0.0.1:7433",
            "127.0.0.1",
            "localhost:1",
            "LOCALHOST",
            "[::1]:7433",
            "10.1.2.3",
            "metrics.example.org",
            "Metrics.Example.Org:7433",
        ] {
            check(&served, path, &[("Host", host)], good);
        }
        for host in [
            "evil.example.org",
            "localhost.evil.example.org",
            "127.0.0.1.evil.example.org",
            "example.org",
        ] {
            check(&served, path, &[("Host", host)], 403);
        }
        for host in ["", "a b", "127.0.0.1:x", "user@127.0.0.1"] {
            check(&served, path, &[("Host", host)], 400);
        }
        check(
            &served,
            path,
            &[("Host", "127.0.0.1"), ("Host", "evil.example.org")],
            400,
        );
    }
}

#[test]
fn other_sites_in_a_browser_are_refused() {
    let served = Served::start("");
    let own = format!("http://127.0.0.1:{}", served.console);
    for path in ["/healthz", "/metrics"] {
        check(&served, path, &[("Origin", &own)], 200);
        for origin in [
            "null",
            "http://evil.example.org",
            "http://127.0.0.1",
            "http://127.0.0.1:1",
            "nonsense",
            "",
        ] {
            check(&served, path, &[("Origin", origin)], 403);
        }
    }
}

#[test]
fn a_token_guards_all_but_health() {
    let served = Served::start("console_token = \"a long secret\"\n");
    check(&served, "/healthz", &[], 200);
    // The page to sign in on tells a stranger no more than that.
    let told = served.get("/sign-in").body;
    assert!(
        told.contains("health") && !told.contains("psql") && !told.contains("pets"),
        "{told}"
    );
    check(&served, "/metrics", &[], 401);
    assert!(served.get("/metrics").head.contains("www-authenticate: bearer"));
    for wrong in [
        "Bearer a long secre",
        "Bearer a long secrets",
        "Bearer",
        "Bearer ",
        "Basic a long secret",
        "a long secret",
    ] {
        check(&served, "/metrics", &[("Authorization", wrong)], 401);
    }
    check(
        &served,
        "/metrics",
        &[("Authorization", "Bearer a long secret")],
        200,
    );
    check(
        &served,
        "/metrics",
        &[("Authorization", "bearer a long secret")],
        200,
    );
    // The name is checked before the token.
    let stranger = [
        ("Authorization", "Bearer a long secret"),
        ("Host", "evil.example.org"),
    ];
    check(&served, "/metrics", &stranger, 403);
    // A new token counts after a reload.
    served
        .place
        .write("querent.toml", "console_token = \"another\"\n");
    served.signal("-HUP");
    served.line(|line| line.contains("settings reloaded"));
    check(
        &served,
        "/metrics",
        &[("Authorization", "Bearer a long secret")],
        401,
    );
    check(&served, "/metrics", &[("Authorization", "Bearer another")], 200);
    assert!(!served.lines().join("\n").contains("secret"));
}

#[test]
fn other_machines_need_a_token() {
    let place = Place::new();
    let serve = [
        "serve",
        "sqlite:pets.db",
        "--listen",
        "127.0.0.1:0",
        "--console",
        "0.0.0.0:0",
    ];
    refuses(&place, &serve, 1, &["console", "console_token"]);
    let served = Served::start_in(
        place,
        "console_token = \"t\"\n",
        &["sqlite:pets.db", "--console", "0.0.0.0:0"],
    );
    check(&served, "/healthz", &[], 200);
    check(&served, "/metrics", &[], 401);
    check(&served, "/metrics", &[("Authorization", "Bearer t")], 200);
    // A configuration that would do on another address does not open this one.
    served.place.write("querent.toml", "");
    served.signal("-HUP");
    served.line(|line| line.contains("settings not reloaded"));
    check(&served, "/metrics", &[], 401);
}

#[test]
fn nonsense_harms_nobody() {
    use std::io::{Read, Write};
    let served = Served::start("");
    for bytes in [
        &b"\0\0\0\x08\x04\xd2\x16\x2f"[..],
        b"GET",
        b"GET / HTTP/9.9\r\n\r\n",
        &b"A".repeat(600_000),
    ] {
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", served.console)).unwrap();
        // It may close before it has read all of it.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.read_to_end(&mut vec![]);
    }
    check(&served, "/healthz", &[], 200);
}

#[test]
fn only_a_page_of_the_console_signs_one_out() {
    let served = Served::start("[audit]\nenabled = false\n");
    let browser = Browser::open(&served);
    let cookie = ("Cookie", browser.cookie.as_str());
    for content in ["", "csrf=guessed"] {
        assert_eq!(post(&served, "/sign-out", &[cookie], content).code, 403);
    }
    let page = browser.get("/ask");
    let form = format!("name=\"csrf\" value=\"{}\"", browser.csrf);
    assert!(page.code == 200 && page.body.contains(&form), "{}", page.body);
    let content = format!("csrf={}", browser.csrf);
    assert_eq!(post(&served, "/sign-out", &[cookie], &content).code, 303);
    assert_eq!(browser.get("/ask").code, 303);
}
