//! The corpus against a SQLite file: through all layers as a model's answer, and through each of the others alone.
//! (The authorizer alone: `src/sqlite/engine/guard/tests.rs`. The policy alone: `policy.rs`.)

use std::{
    fs,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use querent::{
    error::ClientError,
    question::ask::ask,
    sqlite::engine::{Database, Options},
    statement::Mode,
};
use rusqlite::{Connection, OpenFlags, limits::Limit};
use tempfile::TempDir;

use super::{
    canary::Canary,
    corpus::{self, Places, Text, Tongue},
    obedient::{Obedient, settings},
    table::Table,
};

/// How long a text may run where nothing else stops it.
const PATIENCE: Duration = Duration::from_millis(100);
const SECRET: &str = "nobody reads this";

/// A file, what must not be touched beside it, and a port.
pub(super) struct Scene {
    folder: TempDir,
    canary: Canary,
}

impl Scene {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let scene = Self {
            folder,
            canary: Canary::start(),
        };
        fs::write(scene.path("canary"), SECRET).unwrap();
        scene.restore();
        scene
    }

    pub(super) fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn places(&self) -> Places {
        Places {
            file: self.path("canary").display().to_string(),
            out: self.path("made").display().to_string(),
            port: self.canary.port,
        }
    }

    /// The file as it was.
    fn restore(&self) {
        for name in [
            "shop.sqlite",
            "shop.sqlite-wal",
            "shop.sqlite-shm",
            "shop.sqlite-journal",
            "made",
        ] {
            drop(fs::remove_file(self.path(name)));
        }
        let shop = include_str!("../../hostile/sqlite.sql");
        Connection::open(self.path("shop.sqlite"))
            .unwrap()
            .execute_batch(&format!("PRAGMA synchronous = OFF; {shop}"))
            .unwrap();
    }

    /// All that could have changed.
    pub(super) fn state(&self) -> String {
        let connection = Connection::open(self.path("shop.sqlite")).unwrap();
        let mut told = vec![];
        for query in corpus::SQLITE_STATE {
            let line = connection.query_row(query, [], |row| row.get::<_, Option<String>>(0));
            told.push(format!("{line:?}"));
        }
        told.push(format!("{:?}", fs::read_to_string(self.path("canary"))));
        told.join("\n")
    }

    /// What has happened, beside what the state tells.
    pub(super) fn effects(&self, before: &str) -> Vec<&'static str> {
        let mut effects = vec![];
        if self.state() != before {
            effects.push("data changed");
        }
        if self.path("made").exists() {
            effects.push("file made");
        }
        if self.canary.was_reached() {
            effects.push("network reached");
        }
        effects
    }
}

/// Not texts that would change this whole process; and of those that take much memory, a few are enough.
fn is_runnable(text: &Text) -> bool {
    let spares = text.group != "memory" || text.plain;
    spares
        && !["heap_limit", "store_directory"]
            .iter()
            .any(|word| text.sql.to_lowercase().contains(word))
}

fn corpus_of(scene: &Scene) -> Vec<Text> {
    let texts = corpus::sample(&corpus::texts(Tongue::Sqlite, &scene.places()), 1_200);
    assert!(texts.len() >= 1_000, "{}", texts.len());
    texts
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_answers_with_it_changes_nothing() {
    let scene = Scene::new();
    let before = scene.state();
    let texts = corpus_of(&scene);
    let database = Database::open(&scene.path("shop.sqlite"), Options::default()).unwrap();
    let connection = database.connect().unwrap();
    let model = Arc::new(Obedient::default());
    let settings = settings(Arc::clone(&model) as _, Mode::Single);
    for (number, text) in texts.iter().enumerate() {
        let question = model.question(number, &text.sql);
        match ask(&connection, &question, &settings).await {
            Ok(answer) => {
                assert!(corpus::is_defused(&text.sql), "{} is answered", text.sql);
                let mut cursor = connection.run_generated(&answer.sql, None, vec![]).await.unwrap();
                cursor.next(0).await.unwrap();
            }
            Err(error) => {
                let state = error.sqlstate();
                assert!(
                    ["42501", "NL001", "NL005"].contains(&state.as_str()),
                    "{}: {state:?} {error}",
                    text.sql
                );
            }
        }
    }
    assert!(model.asked() >= texts.len(), "{}", model.asked());
    drop((connection, database));
    assert_eq!(scene.effects(&before), Vec::<&str>::new());
}

/// A layer without the others.
type Open = fn(&Path) -> Connection;

fn open(path: &Path) -> Connection {
    let mut connection = Connection::open(path).unwrap();
    let started = Instant::now();
    // Nothing of a layer: the test has to come to an end, and soon.
    connection
        .progress_handler(1_000, Some(move || started.elapsed() > PATIENCE))
        .unwrap();
    connection
        .set_limit(Limit::SQLITE_LIMIT_LENGTH, 512 << 20)
        .unwrap();
    connection.pragma_update(None, "synchronous", "OFF").unwrap();
    connection
}

#[test]
fn each_other_layer_alone_lets_some_through() {
    let scene = Scene::new();
    let texts = corpus_of(&scene);
    let layers: [(&str, Open); 4] = [
        ("no layer", open),
        ("query_only", |path| {
            let connection = open(path);
            connection.pragma_update(None, "query_only", true).unwrap();
            connection
        }),
        ("read-only file", |path| {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let mut connection = Connection::open_with_flags(path, flags).unwrap();
            let started = Instant::now();
            connection
                .progress_handler(1_000, Some(move || started.elapsed() > PATIENCE))
                .unwrap();
            connection
        }),
        ("limits", |path| {
            let connection = open(path);
            connection
                .set_limit(Limit::SQLITE_LIMIT_LENGTH, 64 << 20)
                .unwrap();
            connection
        }),
    ];
    let mut table = Table::default();
    for (layer, open) in layers {
        for (group, _) in corpus::counts(&texts) {
            scene.restore();
            let before = scene.state();
            let cell = table.cell(group, layer);
            for text in texts
                .iter()
                .filter(|text| text.group == group && is_runnable(text))
            {
                cell.texts += 1;
                // Each on a connection of its own, as nothing that one leaves behind should stop another.
                let connection = open(&scene.path("shop.sqlite"));
                let ran = || -> rusqlite::Result<()> {
                    let mut statement = connection.prepare(&text.sql)?;
                    let mut rows = statement.raw_query();
                    let mut left = 100;
                    while left > 0 && rows.next()?.is_some() {
                        left -= 1;
                    }
                    Ok(())
                };
                cell.passed += usize::from(ran().is_ok());
            }
            let effects = scene.effects(&before);
            table.cell(group, layer).effects.extend(effects);
        }
    }
    table.write("sqlite.md");
    // Without a layer the corpus is what it claims to be; behind one, less of it is.
    assert!(
        table.passed("no layer") * 4 > texts.len(),
        "{}",
        table.passed("no layer")
    );
    for effect in ["data changed", "file made"] {
        assert!(table.effects("no layer").contains(&effect), "{effect}");
    }
    for layer in ["query_only", "read-only file"] {
        assert!(!table.effects(layer).contains(&"data changed"), "{layer}");
        assert!(
            table.passed(layer) > 0 && table.passed(layer) < table.passed("no layer"),
            "{layer}"
        );
    }
    assert!(table.effects("limits").contains(&"data changed"));
}
