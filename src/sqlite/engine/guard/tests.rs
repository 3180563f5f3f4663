//! The authorizer alone, without the validator, `query_only` or a read-only file, against the hostile corpus.

use std::{path::Path, sync::Arc, time::Duration};

use super::{
    super::{
        Options, bounds,
        open::{self, Guarded, Purpose},
        watch::{Control, Watch},
    },
    Mode,
};
use crate::sqlite::catalog::Client;

#[allow(dead_code, reason = "what is for other databases is not used here")]
#[path = "../../../../tests/hostile/corpus.rs"]
mod corpus;
use corpus::{Places, Tongue};

const SHOP: &str = include_str!("../../../../tests/hostile/sqlite.sql");

/// A connection that writes, under guard.
fn connect(file: &Path) -> Guarded {
    let watch = Watch::new(Arc::new(Control::default()), Duration::from_secs(1));
    let client = Client {
        user: "somebody".into(),
        process_id: 1,
    };
    let guarded = open::connect(file, &Options::default(), &watch, Purpose::Session(&client)).unwrap();
    guarded
        .add_catalog("SELECT 1 FROM pg_catalog.pg_class, pg_roles, information_schema.tables")
        .unwrap();
    guarded
}

/// Everything that could have changed.
fn state(file: &Path) -> String {
    let connection = rusqlite::Connection::open(file).unwrap();
    let mut told = String::new();
    for query in corpus::SQLITE_STATE {
        let line: Option<String> = connection.query_row(query, [], |row| row.get(0)).unwrap();
        told.extend([format!("{line:?}"), "\n".to_owned()]);
    }
    told
}

/// Memory that any query may take, in bytes.
const SMALL: i64 = 32 << 20;

/// The most memory that SQLite has used since the last call.
fn memory_used() -> i64 {
    #[allow(unsafe_code, reason = "SQLite's own count has no other way in")]
    // SAFETY: it takes no pointer.
    unsafe {
        rusqlite::ffi::sqlite3_memory_highwater(1)
    }
}

/// Runs one text to its end, as a question.
fn run(guarded: &Guarded, sql: &str) -> rusqlite::Result<()> {
    let before = bounds::exchange(&guarded.connection, bounds::of_questions(&Options::default()))?;
    super::check_names(sql).map_err(|denied| rusqlite::Error::InvalidParameterName(denied.message))?;
    let outcome = guarded.guard.during(Mode::Question, || {
        guarded.watch.restart(Duration::from_secs(5));
        let mut statement = guarded.connection.prepare(sql)?;
        let mut rows = statement.raw_query();
        while rows.next()?.is_some() {}
        Ok(())
    });
    bounds::exchange(&guarded.connection, before)?;
    outcome
}

#[test]
fn the_authorizer_alone_stops_the_whole_corpus() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.sqlite");
    rusqlite::Connection::open(&file)
        .unwrap()
        .execute_batch(SHOP)
        .unwrap();
    let canary = folder.path().join("canary");
    std::fs::write(&canary, "nobody reads this").unwrap();
    let places = Places {
        file: canary.display().to_string(),
        out: folder.path().join("made").display().to_string(),
        port: 1,
    };
    let texts = corpus::texts(Tongue::Sqlite, &places);
    assert!(texts.len() >= 1_000, "{}", texts.len());
    assert!(super::check_names("SELECT a FROM t JOIN 'sqlite_master' USING (name)").is_err());
    assert!(super::check_names("SELECT completion FROM t WHERE a = 'sqlite' -- sqlite_master").is_ok());
    let before = state(&file);
    let guarded = connect(&file);
    let mut passed = vec![];
    for text in &texts {
        memory_used();
        // What SQLite finds that it does not need, it does not do: a huge value that nobody sees is never made.
        if run(&guarded, &text.sql).is_ok() && (text.group != "memory" || memory_used() > SMALL) {
            passed.push(format!("{}: {}", text.group, text.sql));
        }
    }
    drop(guarded);
    // A comment that is all that is hostile hides nothing.
    passed.retain(|text| !corpus::is_defused(text.split_once(": ").map_or("", |(_, sql)| sql)));
    assert!(
        passed.is_empty(),
        "{} of {}: {passed:#?}",
        passed.len(),
        texts.len()
    );
    assert_eq!(state(&file), before);
    assert!(!folder.path().join("made").exists());
    assert_eq!(std::fs::read_to_string(&canary).unwrap(), "nobody reads this");
    assert!(corpus::counts(&corpus::sample(&texts, 1_000)).len() > 8);
}

#[test]
fn a_question_reads_no_attached_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["own", "other"] {
        let connection = rusqlite::Connection::open(path(name)).unwrap();
        connection
            .execute_batch(&format!("CREATE TABLE {name}_table (a)"))
            .unwrap();
    }
    let options = Options {
        attached: [("archive".to_owned(), path("other"))].into(),
        ..Options::default()
    };
    let watch = Watch::new(Arc::new(Control::default()), Duration::from_secs(1));
    let guarded = open::connect(&path("own"), &options, &watch, Purpose::Reading).unwrap();
    for (sql, is_allowed) in [
        ("SELECT a FROM own_table", true),
        ("WITH x AS (SELECT a FROM main.own_table) SELECT a FROM x", true),
        ("SELECT a FROM archive.other_table", false),
        ("SELECT a FROM other_table", false),
        ("SELECT count(*) FROM archive.other_table", false),
        ("SELECT name FROM archive.sqlite_schema", false),
    ] {
        let prepare = || guarded.connection.prepare(sql).is_ok();
        assert_eq!(guarded.guard.during(Mode::Question, prepare), is_allowed, "{sql}");
        assert!(guarded.guard.during(Mode::Client, prepare), "{sql}");
    }
}
