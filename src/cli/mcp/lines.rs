//! Lines of an agent that are no JSON. The protocol's library passes over them without a word, and whoever sent one would wait
//! for ever: JSON-RPC has an error for it.

use serde::de::IgnoredAny;
use tokio::{
    io::{
        AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
        DuplexStream,
    },
    sync::mpsc,
    task::JoinHandle,
};

/// What is read at once; of a longer line only the library says what becomes of it.
const LONGEST: u64 = 16 << 20;
/// Room for what is on its way to the library, and from it.
const ROOM: usize = 64 << 10;
/// Errors that may wait to be written.
const WAITING: usize = 16;

/// What JSON-RPC has for a line that cannot be read.
const PARSE_ERROR: &[u8] =
    b"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"Parse error\"}}\n";

/// Both ends for the library, and the task that ends when all that it said is written.
pub(super) fn answered(
    input: impl AsyncRead + Unpin + Send + 'static,
    output: impl AsyncWrite + Unpin + Send + 'static,
) -> (DuplexStream, DuplexStream, JoinHandle<()>) {
    let (read, passed) = tokio::io::duplex(ROOM);
    let (write, said) = tokio::io::duplex(ROOM);
    let (errors, waiting) = mpsc::channel(WAITING);
    tokio::spawn(pass(input, passed, errors));
    (read, write, tokio::spawn(say(said, waiting, output)))
}

/// True for a line that the library has an answer to.
fn is_json(line: &[u8]) -> bool {
    line.trim_ascii().is_empty() || serde_json::from_slice::<IgnoredAny>(line).is_ok()
}

/// The library's own error for what is no request has no id, where JSON-RPC wants one that is null.
const WITHOUT_ID: &[u8] = b"{\"jsonrpc\":\"2.0\",\"error\":";
const WITH_ID: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":";

async fn pass(input: impl AsyncRead + Unpin, mut passed: DuplexStream, errors: mpsc::Sender<()>) {
    let mut input = BufReader::new(input);
    let (mut line, mut is_rest) = (vec![], false);
    loop {
        line.clear();
        let mut bounded = (&mut input).take(LONGEST);
        match bounded.read_until(b'\n', &mut line).await {
            Ok(length) if length > 0 => {}
            _ => return,
        }
        let is_whole = line.ends_with(b"\n") || (line.len() as u64) < LONGEST;
        let done = if is_rest || !is_whole || is_json(&line) {
            passed.write_all(&line).await.is_ok()
        } else {
            errors.send(()).await.is_ok()
        };
        is_rest = !is_whole;
        if !done {
            return;
        }
    }
}

async fn say(said: DuplexStream, mut errors: mpsc::Receiver<()>, mut output: impl AsyncWrite + Unpin) {
    let mut said = BufReader::new(said);
    let (mut line, mut is_open) = (vec![], true);
    loop {
        // What was read of a line when an error comes between stays in `line`.
        let written = tokio::select! {
            error = errors.recv(), if is_open => {
                is_open = error.is_some();
                if is_open { output.write_all(PARSE_ERROR).await } else { Ok(()) }
            }
            read = said.read_until(b'\n', &mut line) => {
                if !read.is_ok_and(|length| length > 0) {
                    break;
                }
                if line.starts_with(WITHOUT_ID) {
                    drop(line.splice(..WITHOUT_ID.len(), WITH_ID.iter().copied()));
                }
                let written = output.write_all(&line).await;
                line.clear();
                written
            }
        };
        if written.is_err() || output.flush().await.is_err() {
            return;
        }
    }
    while errors.try_recv().is_ok() {
        if output.write_all(PARSE_ERROR).await.is_err() {
            return;
        }
    }
    // Nobody reads any more, where it fails.
    let _ = output.flush().await;
}
