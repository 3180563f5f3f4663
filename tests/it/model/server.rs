//! A model server on a port of its own whose replies and faults are a list that has to be used up.
//! It runs on a thread of its own, so that tests with and without a runtime can use it.

use std::{
    net::SocketAddr,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use serde_json::Value;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::oneshot,
};
use tokio_rustls::TlsAcceptor;

use super::turn::{Act, Piece, Turn, tokens};

/// How long a test waits for something that must come.
const PATIENCE: Duration = Duration::from_secs(30);

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    /// With its query.
    pub(crate) path: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    /// Its JSON; `null` where it is none.
    pub(crate) body: Value,
    /// Which connection it came over, from 0.
    pub(crate) connection: usize,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        found.next().map(|(_, value)| value.as_str())
    }

    /// Tokens of its texts, about.
    pub(super) fn tokens(&self) -> u64 {
        tokens(&self.body.to_string())
    }
}

/// What to do with a request.
enum Script {
    List(Mutex<Vec<Turn>>),
    Answer(Box<dyn Fn(&Seen) -> Turn + Send + Sync>),
}

struct Shared {
    script: Script,
    seen: Mutex<Vec<Seen>>,
    /// Requests that no turn was left for.
    unexpected: AtomicUsize,
    connections: AtomicUsize,
    in_flight: AtomicUsize,
    most_in_flight: AtomicUsize,
    /// Answers that the client left before they ended.
    left: AtomicUsize,
    /// Held turns that may begin.
    released: AtomicUsize,
}

/// The server. It ends when it is dropped.
pub(crate) struct ScriptedModel {
    address: SocketAddr,
    shared: Arc<Shared>,
    scheme: &'static str,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ScriptedModel {
    /// Answers with these turns, in the order of the requests.
    pub(crate) fn start(turns: Vec<Turn>) -> Self {
        Self::run(Script::List(Mutex::new(turns)), None)
    }

    /// Answers any number of requests with what this makes of each.
    pub(crate) fn answering(answer: impl Fn(&Seen) -> Turn + Send + Sync + 'static) -> Self {
        Self::run(Script::Answer(Box::new(answer)), None)
    }

    /// As `start`, with TLS and this certificate and key (PEM files).
    pub(crate) fn start_tls(turns: Vec<Turn>, certificate: &Path, key: &Path) -> Self {
        let chain = CertificateDer::pem_file_iter(certificate).unwrap();
        let chain: Vec<_> = chain.map(Result::unwrap).collect();
        let key = PrivateKeyDer::from_pem_file(key).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .unwrap();
        Self::run(Script::List(Mutex::new(turns)), Some(Arc::new(config).into()))
    }

    fn run(script: Script, tls: Option<TlsAcceptor>) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            script,
            seen: Mutex::default(),
            unexpected: AtomicUsize::new(0),
            connections: AtomicUsize::new(0),
            in_flight: AtomicUsize::new(0),
            most_in_flight: AtomicUsize::new(0),
            left: AtomicUsize::new(0),
            released: AtomicUsize::new(0),
        });
        let (stop, stopped) = oneshot::channel();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let serving = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async {
                let listener = TcpListener::from_std(listener).unwrap();
                tokio::select! {
                    () = serve(listener, serving, tls) => {}
                    _ = stopped => {}
                }
            });
        });
        Self {
            address,
            shared,
            scheme,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Where it is, as a base URL without a path.
    pub(crate) fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// The requests so far, in the order in which they came.
    pub(crate) fn requests(&self) -> Vec<Seen> {
        self.shared.seen.lock().unwrap().clone()
    }

    /// How many requests were worked on at once at most.
    pub(crate) fn most_at_once(&self) -> usize {
        self.shared.most_in_flight.load(Ordering::SeqCst)
    }

    /// Waits until so many requests have come.
    pub(crate) fn wait_for_requests(&self, count: usize) {
        self.wait(&format!("{count} requests"), |shared| {
            shared.seen.lock().unwrap().len() >= count
        });
    }

    /// Lets a turn that is held begin.
    pub(crate) fn release(&self) {
        self.shared.released.fetch_add(1, Ordering::SeqCst);
    }

    /// Waits until the client has left so many answers before their end.
    pub(crate) fn wait_for_leaving(&self, count: usize) {
        self.wait(&format!("{count} broken answers"), |shared| {
            shared.left.load(Ordering::SeqCst) >= count
        });
    }

    fn wait(&self, what: &str, reached: impl Fn(&Shared) -> bool) {
        let begun = Instant::now();
        while !reached(&self.shared) {
            assert!(begun.elapsed() < PATIENCE, "no {what} within {PATIENCE:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Ends it. Every turn must have been used, and no request may have been without one.
    pub(crate) fn finish(self) -> Vec<Seen> {
        if let Script::List(turns) = &self.shared.script {
            let left = turns.lock().unwrap();
            assert!(left.is_empty(), "turns that nobody asked for: {left:?}");
        }
        let unexpected = self.shared.unexpected.load(Ordering::SeqCst);
        let seen = self.requests();
        assert_eq!(unexpected, 0, "requests without a turn, of {seen:#?}");
        seen
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It panics only where an assertion of the script has failed, which the test sees by its own.
            let _ = thread.join();
        }
    }
}

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {
    fn tcp(&self) -> &TcpStream;
}

impl Stream for TcpStream {
    fn tcp(&self) -> &TcpStream {
        self
    }
}

impl Stream for tokio_rustls::server::TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>, tls: Option<TlsAcceptor>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            continue;
        };
        let (shared, tls) = (Arc::clone(&shared), tls.clone());
        tokio::spawn(async move {
            let mut stream: Box<dyn Stream> = match tls {
                None => Box::new(stream),
                Some(tls) => match tls.accept(stream).await {
                    Ok(stream) => Box::new(stream),
                    Err(_) => return,
                },
            };
            let connection = shared.connections.fetch_add(1, Ordering::SeqCst);
            let mut buffer = vec![];
            while let Some(seen) = request(&mut stream, &mut buffer, connection).await {
                let turn = shared.turn(seen.clone());
                let count = shared.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
                shared.most_in_flight.fetch_max(count, Ordering::SeqCst);
                let done = act(&mut stream, (&turn, &shared), &seen).await;
                shared.in_flight.fetch_sub(1, Ordering::SeqCst);
                match done {
                    Done::Well => {}
                    Done::Closed => return,
                    Done::Left => {
                        shared.left.fetch_add(1, Ordering::SeqCst);
                        return;
                    }
                }
            }
        });
    }
}

impl Shared {
    /// The turn of a request, which is noted.
    fn turn(&self, seen: Seen) -> Turn {
        let turn = match &self.script {
            Script::Answer(answer) => Some(answer(&seen)),
            Script::List(turns) => {
                let mut turns = turns.lock().unwrap();
                let body = seen.body.to_string();
                let fits = |turn: &Turn| turn.when.as_ref().is_none_or(|text| body.contains(text));
                turns.iter().position(fits).map(|at| turns.remove(at))
            }
        };
        self.seen.lock().unwrap().push(seen);
        turn.unwrap_or_else(|| {
            self.unexpected.fetch_add(1, Ordering::SeqCst);
            // Nobody tries again after this one.
            Turn::status(418)
        })
    }
}

/// The next request of a connection; `None` at its end.
async fn request(stream: &mut Box<dyn Stream>, buffer: &mut Vec<u8>, connection: usize) -> Option<Seen> {
    let head = loop {
        if let Some(end) = buffer.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            break buffer.drain(..end + 4).collect::<Vec<_>>();
        }
        more(stream, buffer).await?;
    };
    let head = String::from_utf8(head).unwrap();
    let mut lines = head.trim_end().lines();
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers: Vec<_> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let mut seen = Seen {
        path,
        headers,
        body: Value::Null,
        connection,
    };
    let length = seen
        .header("content-length")
        .map_or(0, |text| text.parse().unwrap());
    while buffer.len() < length {
        more(stream, buffer).await?;
    }
    let body: Vec<_> = buffer.drain(..length).collect();
    seen.body = serde_json::from_slice(&body).unwrap_or_default();
    Some(seen)
}

async fn more(stream: &mut Box<dyn Stream>, buffer: &mut Vec<u8>) -> Option<()> {
    let count = stream.read_buf(buffer).await.ok()?;
    (count > 0).then_some(())
}

/// How a turn ended.
enum Done {
    /// The connection serves again.
    Well,
    /// The turn wanted it closed.
    Closed,
    /// The client closed it.
    Left,
}

async fn act(stream: &mut Box<dyn Stream>, (turn, shared): (&Turn, &Shared), seen: &Seen) -> Done {
    let take = |released: usize| released.checked_sub(1);
    while turn.held
        && shared
            .released
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, take)
            .is_err()
    {
        if pause(stream, Duration::from_millis(5)).await.is_err() {
            return Done::Left;
        }
    }
    if pause(stream, turn.after).await.is_err() {
        return Done::Left;
    }
    match &turn.act {
        Act::Says(said) => {
            let (kind, pieces) = said.render(seen);
            let whole = kind == "application/json";
            let turn = turn.clone().header("content-type", kind);
            match pieces.as_slice() {
                [Piece::Bytes(body)] if whole => respond(stream, &turn, body).await,
                pieces => pour(stream, &turn, pieces).await,
            }
        }
        Act::Body(body) => respond(stream, turn, body.as_bytes()).await,
        Act::Pieces(pieces) => pour(stream, turn, pieces).await,
        Act::Endless(piece) => {
            let mut sent = head(stream, turn, "transfer-encoding: chunked").await;
            while sent.is_ok() {
                sent = chunk(stream, piece.as_bytes()).await;
            }
            Done::Left
        }
        Act::Hangs => hang(stream).await,
        Act::Resets => {
            let socket = socket2::SockRef::from(stream.tcp());
            socket.set_linger(Some(Duration::ZERO)).unwrap();
            Done::Closed
        }
    }
}

async fn respond(stream: &mut Box<dyn Stream>, turn: &Turn, body: &[u8]) -> Done {
    let length = format!("content-length: {}", body.len());
    let sent = match head(stream, turn, &length).await {
        Ok(()) => stream.write_all(body).await,
        error => error,
    };
    match sent {
        Ok(()) => Done::Well,
        Err(_) => Done::Left,
    }
}

async fn pour(stream: &mut Box<dyn Stream>, turn: &Turn, pieces: &[Piece]) -> Done {
    if head(stream, turn, "transfer-encoding: chunked").await.is_err() {
        return Done::Left;
    }
    for piece in pieces {
        let sent = match piece {
            Piece::Bytes(bytes) => chunk(stream, bytes).await,
            Piece::Pause(time) => pause(stream, *time).await,
            Piece::Cut => return Done::Closed,
            Piece::Hang => return hang(stream).await,
        };
        if sent.is_err() {
            return Done::Left;
        }
    }
    match stream.write_all(b"0\r\n\r\n").await {
        Ok(()) => Done::Well,
        Err(_) => Done::Left,
    }
}

async fn head(stream: &mut Box<dyn Stream>, turn: &Turn, framing: &str) -> std::io::Result<()> {
    let headers = turn
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"));
    let headers: String = headers.collect();
    let head = format!("HTTP/1.1 {} scripted\r\n{headers}{framing}\r\n\r\n", turn.status);
    stream.write_all(head.as_bytes()).await
}

async fn chunk(stream: &mut Box<dyn Stream>, bytes: &[u8]) -> std::io::Result<()> {
    let mut framed = format!("{:x}\r\n", bytes.len()).into_bytes();
    framed.extend_from_slice(bytes);
    framed.extend_from_slice(b"\r\n");
    stream.write_all(&framed).await?;
    stream.flush().await
}

/// Waits, and fails if the client leaves meanwhile.
async fn pause(stream: &mut Box<dyn Stream>, time: Duration) -> std::io::Result<()> {
    tokio::select! {
        _ = hang(stream) => Err(std::io::ErrorKind::ConnectionAborted.into()),
        () = tokio::time::sleep(time) => Ok(()),
    }
}

/// Waits until the client leaves.
async fn hang(stream: &mut Box<dyn Stream>) -> Done {
    // Nobody sends a second request before the first is answered.
    let _ = stream.read(&mut [0; 64]).await;
    Done::Left
}
