//! The program itself, told by signals what to do.

use std::{
    io::{BufRead, BufReader},
    process::{Child, ChildStderr, Command, Stdio},
    time::{Duration, Instant},
};

use super::raw::{Client, frame, string};
use crate::program::Place;

const SERVE: [&str; 6] = [
    "--config",
    "querent.toml",
    "serve",
    "sqlite:pets.db",
    "--listen",
    "127.0.0.1:0",
];
const SHUT: &str = "E FATAL 57P01 terminating connection due to administrator command";

/// `querent serve` in a folder with a configuration file.
pub(super) struct Served {
    place: Place,
    child: Child,
    stderr: BufReader<ChildStderr>,
    port: u16,
}

impl Served {
    pub(super) fn start(toml: &str) -> Self {
        let place = Place::new();
        place.write("querent.toml", toml);
        Self::at(place)
    }

    fn at(place: Place) -> Self {
        let mut child = place.command(&SERVE).stderr(Stdio::piped()).spawn().unwrap();
        let mut served = Self {
            stderr: BufReader::new(child.stderr.take().unwrap()),
            place,
            child,
            port: 0,
        };
        let line = served.line_with("listening on ");
        served.port = line.trim().rsplit(':').next().unwrap().parse().unwrap();
        served
    }

    /// Ends it, and starts it again in the same folder.
    pub(super) fn again(mut self) -> Self {
        self.signal("-TERM");
        assert_eq!(self.exit_code(), Some(0));
        Self::at(std::mem::replace(&mut self.place, Place::new()))
    }

    /// The next line on stderr that has these words.
    fn line_with(&mut self, words: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(
                self.stderr.read_line(&mut line).unwrap() > 0,
                "it ended without {words:?}"
            );
            if line.contains(words) {
                return line;
            }
        }
    }

    pub(super) fn path(&self, name: &str) -> std::path::PathBuf {
        self.place.path(name)
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn client(&self) -> Client {
        let mut client = Client::connect(self.port);
        client.log_in();
        client
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    fn exit_code(&mut self) -> Option<i32> {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(15) {
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

#[test]
fn sigterm_lets_statements_end() {
    let mut served = Served::start("");
    let mut idle = served.client();
    let mut busy = served.client();
    let some = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000) \
                SELECT count(*) AS n FROM n";
    busy.send(&frame(b'Q', &string(some)));
    std::thread::sleep(Duration::from_millis(100));
    served.signal("-TERM");
    assert_eq!(idle.next(), SHUT);
    assert_eq!(busy.until_ready()[1], "D 400000");
    assert_eq!(busy.next(), SHUT);
    assert_eq!(served.exit_code(), Some(0));
    assert!(std::net::TcpStream::connect(("127.0.0.1", served.port)).is_err());
}

#[test]
fn sigint_ends_an_endless_statement_after_some_time() {
    let mut served = Served::start("");
    let mut endless = served.client();
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    endless.send(&frame(b'Q', &string(sql)));
    std::thread::sleep(Duration::from_millis(100));
    served.signal("-INT");
    assert_eq!(served.exit_code(), Some(0));
}

#[test]
fn sighup_reads_the_settings_again() {
    let mut served = Served::start("questions = true\n");
    let mut client = served.client();
    let question = "-- nl: how many owners are there?";
    assert!(client.query(question).contains(&"D 3".to_owned()));
    served.place.write("querent.toml", "questions = false\n");
    served.signal("-HUP");
    served.line_with("settings reloaded");
    assert!(client.query(question)[0].starts_with("E ERROR 42501"));
    // Nonsense is told of, and changes nothing.
    served.place.write("querent.toml", "questoins = true\n");
    served.signal("-HUP");
    served.line_with("settings not reloaded");
    assert!(client.query(question)[0].starts_with("E ERROR 42501"));
    // So is a file that is empty, or gone.
    served.place.write("querent.toml", "");
    served.signal("-HUP");
    served.line_with("settings not reloaded");
    assert!(client.query(question)[0].starts_with("E ERROR 42501"));
    std::fs::remove_file(served.place.path("querent.toml")).unwrap();
    served.signal("-HUP");
    served.line_with("settings not reloaded");
    assert!(client.query(question)[0].starts_with("E ERROR 42501"));
    served.place.write("querent.toml", "questions = true\n");
    served.signal("-HUP");
    served.line_with("settings reloaded");
    assert!(client.query(question).contains(&"D 3".to_owned()));
    served.signal("-TERM");
    assert_eq!(served.exit_code(), Some(0));
}

#[test]
fn a_rule_that_denies_nothing_is_told_of() {
    let rule = |name: &str| format!("[[policy.rule]]\ndeny = [\"{name}\"]\n");
    let mut served = Served::start(&rule("pet.wait"));
    let words = "the access policy does not fit the database";
    let told = served.line_with(words);
    assert!(
        told.contains("WARN") && told.contains("pet.wait is no table or column here"),
        "{told}"
    );
    served.place.write("querent.toml", &rule("pte"));
    served.signal("-HUP");
    let told = served.line_with(words);
    assert!(told.contains("pte is no table or column here"), "{told}");
    served.signal("-TERM");
    assert_eq!(served.exit_code(), Some(0));
}

#[test]
fn settings_that_cannot_be_read_are_not_waited_for() {
    let mut served = Served::start("questions = true\n");
    let pipe = |path: &std::path::Path| {
        let _ = std::fs::remove_file(path);
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    // A pipe in the place of the file, to which nobody writes.
    pipe(&served.place.path("querent.toml"));
    served.signal("-HUP");
    let told = served.line_with("settings not reloaded");
    assert!(told.contains("it is no regular file"), "{told}");
    // And one in the place of a file that it names.
    std::fs::remove_file(served.place.path("querent.toml")).unwrap();
    pipe(&served.place.path("cert.pem"));
    let (cert, key) = (served.place.path("cert.pem"), served.place.path("key.pem"));
    served.place.write(
        "querent.toml",
        &format!("questions = true\n[tls]\ncert = {cert:?}\nkey = {key:?}\n"),
    );
    served.signal("-HUP");
    let told = served.line_with("settings not reloaded");
    assert!(told.contains("cannot be read in 5s"), "{told}");
    let mut client = served.client();
    assert_eq!(client.query("SELECT 1 AS a")[1], "D 1");
    drop(client);
    served.signal("-TERM");
    assert_eq!(served.exit_code(), Some(0));
}

#[test]
fn a_slow_semantic_model_is_not_told_as_settings_that_are_not_there() {
    let mut served = Served::start("questions = true\n");
    // A pipe in the place of the model, to which nobody writes.
    let model = served.place.path("m.yaml");
    assert!(Command::new("mkfifo").arg(&model).status().unwrap().success());
    served.place.write(
        "querent.toml",
        &format!("questions = false\n[semantic]\nfile = {model:?}\n"),
    );
    served.signal("-HUP");
    served.line_with("settings reloaded");
    let told = served.line_with("not reloaded");
    assert!(
        told.contains("semantic models not reloaded") && told.contains("5s"),
        "{told}"
    );
    // What was sent meanwhile is not lost.
    served.place.write("querent.toml", "questions = true\n");
    served.signal("-HUP");
    std::fs::write(&model, "version: 0.2.0.dev0\nsemantic_model: []\n").unwrap();
    served.line_with("settings reloaded");
    served.signal("-TERM");
    assert_eq!(served.exit_code(), Some(0));
}
