//! Running the program in a folder of its own.

use std::{
    path::PathBuf,
    process::{Command, Output},
};

use tempfile::TempDir;

/// A folder in which the program runs, away from the surroundings of the tests.
pub(crate) struct Place(TempDir);

/// What the program did.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.database(
            "pets.db",
            "CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
             CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, weight REAL,
                               owner_id INTEGER REFERENCES owner(id));
             INSERT INTO owner VALUES (1, 'Ada', 'Paris'), (2, 'Ben', 'Rome'), (3, 'Cy', 'Paris');
             INSERT INTO pet VALUES (1, 'Rex', 'dog', 20.5, 1), (2, 'Tom', 'cat', 4.0, 1), (3, 'Kit', 'cat', 3.5, 2);",
        );
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn database(&self, name: &str, sql: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let connection = rusqlite::Connection::open(path).unwrap();
        connection.execute_batch(sql).unwrap();
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_querent"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env_clear()
            .env("HOME", self.0.path());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        ran(&self.command(arguments).output().unwrap())
    }
}

pub(crate) fn ran(output: &Output) -> Ran {
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs the program and expects this exit code and these words on stderr, with nothing on stdout.
pub(crate) fn refuses(place: &Place, arguments: &[&str], code: i32, expected: &[&str]) {
    let ran = place.run(arguments);
    assert_eq!(ran.code, code, "{arguments:?}: {}", ran.err);
    assert_eq!(ran.out, "", "{arguments:?}");
    for words in expected {
        assert!(
            ran.err.contains(words),
            "{arguments:?}: no {words:?} in: {}",
            ran.err
        );
    }
    assert!(!ran.err.contains("panicked"), "{arguments:?}: {}", ran.err);
}

/// The day on which the sample's history ends in tests.
pub(crate) fn sample_day() -> jiff::civil::Date {
    jiff::civil::date(2025, 12, 31)
}
