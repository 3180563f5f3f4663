//! `querent serve` with a console, and a plain HTTP client.

use std::{
    fmt::Write as _,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    process::{Child, Command, Stdio},
    sync::{Arc, Condvar, Mutex},
    time::{Duration, Instant},
};

use socket2::{Domain, Socket, Type};

use crate::program::Place;

/// How long something may take that a busy machine does at once when it is idle.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running program; it is ended with this.
pub(crate) struct Served {
    pub(crate) place: Place,
    child: Child,
    told: Arc<(Mutex<Vec<String>>, Condvar)>,
    pub(crate) port: u16,
    pub(crate) console: u16,
}

/// What the console answered.
pub(crate) struct Reply {
    pub(crate) code: u16,
    pub(crate) head: String,
    pub(crate) body: String,
    /// The cookie that was set, with its name.
    cookie: Option<String>,
}

impl Reply {
    /// Of all that came.
    pub(crate) fn read(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let cookie = head.split("set-cookie: ").nth(1);
        Self {
            code: head.split(' ').nth(1).unwrap().parse().unwrap(),
            cookie: cookie.map(|cookie| cookie.split(';').next().unwrap().to_owned()),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    pub(crate) fn cookie(&self) -> Option<String> {
        self.cookie.clone()
    }
}

impl Served {
    /// With these lines of configuration, on free ports of its own.
    pub(crate) fn start(toml: &str) -> Self {
        Self::start_in(
            Place::new(),
            toml,
            &["sqlite:pets.db", "--console", "127.0.0.1:0"],
        )
    }

    /// In this folder with these arguments.
    pub(crate) fn start_in(place: Place, toml: &str, arguments: &[&str]) -> Self {
        place.write("querent.toml", toml);
        let mut child = place
            .command(&["serve", "--listen", "127.0.0.1:0"])
            .args(arguments)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let told = Arc::new((Mutex::new(vec![]), Condvar::new()));
        let teller = Arc::clone(&told);
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                teller.0.lock().unwrap().push(line);
                teller.1.notify_all();
            }
        });
        let mut served = Self {
            place,
            child,
            told,
            port: 0,
            console: 0,
        };
        let port = |line: &str| line.rsplit(':').next().unwrap().parse().unwrap();
        served.port = port(&served.line(|line| line.starts_with("listening on ")));
        let console = served
            .lines()
            .into_iter()
            .find(|line| line.starts_with("console on http://"));
        served.console = console.map_or(0, |line| port(&line));
        served
    }

    /// All that was told so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.told.0.lock().unwrap().clone()
    }

    /// Waits for a line.
    pub(crate) fn line(&self, is_it: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        let mut lines = self.told.0.lock().unwrap();
        loop {
            if let Some(line) = lines.iter().find(|line| is_it(line)) {
                return line.clone();
            }
            let left = PATIENCE.saturating_sub(begun.elapsed());
            assert!(!left.is_zero(), "no such line in {lines:#?}");
            lines = self.told.1.wait_timeout(lines, left).unwrap().0;
        }
    }

    /// A connection of the driver.
    pub(crate) async fn client(&self) -> tokio_postgres::Client {
        let config = format!("host=127.0.0.1 port={} user=ada dbname=pets", self.port);
        let (client, connection) = tokio_postgres::connect(&config, tokio_postgres::NoTls)
            .await
            .unwrap();
        tokio::spawn(connection);
        client
    }

    /// Asks the console as a well-behaved caller.
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask(path, &[])
    }

    /// Asks the console with these headers; `Host` among them takes the place of the usual one.
    pub(crate) fn ask(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        self.ask_from([127, 0, 0, 1], path, headers)
    }

    /// The same from an address of this machine.
    pub(crate) fn ask_from(&self, address: [u8; 4], path: &str, headers: &[(&str, &str)]) -> Reply {
        let mut request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            write!(request, "Host: 127.0.0.1:{}\r\n", self.console).unwrap();
        }
        for (name, value) in headers {
            write!(request, "{name}: {value}\r\n").unwrap();
        }
        request += "\r\n";
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.bind(&SocketAddr::from((address, 0)).into()).unwrap();
        socket
            .connect(&SocketAddr::from(([127, 0, 0, 1], self.console)).into())
            .unwrap();
        let mut stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        Reply::read(&text)
    }

    /// The value of a series now; 0 where it is not there.
    pub(crate) fn value(&self, series: &str) -> f64 {
        let text = self.get("/metrics").body;
        let value = |line: &str| line.strip_prefix(series)?.strip_prefix(' ')?.parse().ok();
        text.lines().find_map(value).unwrap_or(0.0)
    }

    /// Waits until a series has this value: a session's end is counted a moment after its client has gone.
    pub(crate) fn wait_for(&self, series: &str, expected: f64) {
        let begun = Instant::now();
        loop {
            let value = self.value(series);
            if (value - expected).abs() < 1e-9 {
                return;
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "{series} is {value}, not {expected}: {}",
                self.get("/metrics").body
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the server's health has this status.
    pub(crate) fn becomes(&self, status: &str) {
        let begun = Instant::now();
        loop {
            let reply = self.get("/healthz").body;
            if reply.contains(&format!("\"status\":\"{status}\"")) {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "never {status}: {reply}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    pub(crate) fn exit_code(&mut self) -> Option<i32> {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It has ended already where the test went well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
