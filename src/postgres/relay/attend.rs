//! A client while a question of it is worked on: what it says is read ahead, and it is noticed if it leaves. One that says no
//! more may still read, as PostgreSQL lets it: whether it does is found out by telling it what it knows.

use std::{
    future::poll_fn,
    io,
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::{BufMut, BytesMut};
use tokio::time::timeout;

use super::{end::End, exchange::Exchange, session::READ_AHEAD, side_query::put};

/// How long it takes until a client that says no more is told something for the second time. Each time it takes twice as long.
const FIRST_PROBE: Duration = Duration::from_millis(200);
/// The longest time between two.
const LAST_PROBE: Duration = Duration::from_secs(10);

/// A message that tells a client what it has been told before.
pub(super) fn probe(exchange: &Exchange) -> BytesMut {
    let mut probe = BytesMut::new();
    put(&mut probe, b'S', |body| {
        body.put_slice(b"standard_conforming_strings\0");
        body.put_slice(if exchange.standard_conforming_strings {
            b"on\0"
        } else {
            b"off\0"
        });
    });
    probe
}

/// Resolves once the client has gone; tells it what is to be told, and reads ahead as far as it may. `probe` is a message that
/// changes nothing for it. Cancel safe.
pub(super) async fn attend(
    client: &mut End,
    (told, probe): (&mut BytesMut, &[u8]),
    ahead: &mut BytesMut,
) -> io::Error {
    if let Some(error) = poll_fn(|task| poll_ahead(client, task, told, ahead)).await {
        return error;
    }
    let mut pause = FIRST_PROBE;
    loop {
        // Who does not read is told no more than once.
        if told.is_empty() {
            told.extend_from_slice(probe);
        }
        let failed = poll_fn(|task| match client.poll_write(task, told) {
            Poll::Ready(Err(error)) => Poll::Ready(error),
            _ => Poll::Pending,
        });
        if let Ok(error) = timeout(pause, failed).await {
            return error;
        }
        pause = (2 * pause).min(LAST_PROBE);
    }
}

/// Ready once the client says no more: with an error where it has gone.
fn poll_ahead(
    client: &mut End,
    task: &mut Context<'_>,
    told: &mut BytesMut,
    ahead: &mut BytesMut,
) -> Poll<Option<io::Error>> {
    if let Poll::Ready(Err(error)) = client.poll_write(task, told) {
        return Poll::Ready(Some(error));
    }
    // Beyond that, whether it has gone is seen when the answer is sent.
    while ahead.len() < READ_AHEAD {
        let read = client.poll_read(task, |bytes| {
            ahead.extend_from_slice(bytes);
            bytes.len()
        });
        match ready!(read) {
            Ok(0) => return Poll::Ready(None),
            Ok(_) => {}
            Err(error) => return Poll::Ready(Some(error)),
        }
    }
    Poll::Pending
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, duplex},
        time::sleep,
    };

    use super::*;

    const PROBE: &[u8] = b"probe";

    #[tokio::test]
    async fn a_client_that_does_not_read_its_progress_is_not_waited_for() {
        let (stream, mut other) = duplex(64);
        let mut client = End::new(Box::new(stream));
        let (mut told, mut ahead) = (BytesMut::from(&[b'N'; 1_000][..]), BytesMut::new());
        tokio::select! {
            error = attend(&mut client, (&mut told, PROBE), &mut ahead) => panic!("{error}"),
            () = sleep(Duration::from_millis(20)) => {}
        }
        assert_eq!(told.len(), 1_000 - 64);
        // It reads after all, and gets the rest.
        let reading = async {
            let mut read = vec![0; 1_000];
            other.read_exact(&mut read).await.unwrap();
            drop(other);
        };
        let (error, ()) = tokio::join!(attend(&mut client, (&mut told, PROBE), &mut ahead), reading);
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        // Who leaves without reading is noticed.
        let (stream, other) = duplex(64);
        let mut client = End::new(Box::new(stream));
        told.extend_from_slice(&[b'N'; 1_000]);
        drop(other);
        let gone = attend(&mut client, (&mut told, PROBE), &mut ahead);
        timeout(Duration::from_secs(20), gone).await.unwrap();
    }

    #[tokio::test]
    async fn a_client_that_says_no_more_is_worked_for_as_long_as_it_reads() {
        let (stream, mut other) = duplex(64);
        let mut client = End::new(Box::new(stream));
        let (mut told, mut ahead) = (BytesMut::new(), BytesMut::new());
        other.write_all(b"last").await.unwrap();
        other.shutdown().await.unwrap();
        tokio::select! {
            error = attend(&mut client, (&mut told, PROBE), &mut ahead) => panic!("{error}"),
            () = sleep(FIRST_PROBE / 4) => {}
        }
        assert_eq!(&ahead[..], b"last");
        let mut read = [0; PROBE.len()];
        other.read_exact(&mut read).await.unwrap();
        assert_eq!(read, PROBE);
        drop(other);
        let gone = attend(&mut client, (&mut told, PROBE), &mut ahead);
        timeout(Duration::from_secs(20), gone).await.unwrap();
    }
}
