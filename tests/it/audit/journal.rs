//! The journal in both stores: it grows at its end, holds together, and shows what was done to it.

use std::{
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    time::{Duration, SystemTime},
};

use querent::service::store::{PRUNED, Record, SkillRow, StoreAddress, Tail};

use super::book::{all, chain};
use crate::postgres::server::{PostgresServer, SUPERUSER};

/// A store, and a way around it.
struct Store {
    name: &'static str,
    place: StoreAddress,
    behind: Behind,
}

enum Behind {
    File(PathBuf),
    Server(Box<PostgresServer>),
}

impl Store {
    /// What an intruder does with plain SQL; the error, if there is one.
    async fn tamper(&self, sql: &str) -> Option<String> {
        match &self.behind {
            Behind::File(path) => {
                let sql = sql.replace("querent.audit", "audit");
                let done = rusqlite::Connection::open(path).unwrap().execute_batch(&sql);
                done.err().map(|error| error.to_string())
            }
            Behind::Server(server) => {
                let client = server.client(SUPERUSER, "postgres").await;
                let done = client.batch_execute(sql).await;
                done.err()
                    .map(|error| error.as_db_error().unwrap().message().to_owned())
            }
        }
    }

    /// Takes the triggers away, as somebody may who owns the store.
    async fn unlock(&self) {
        let sql = match &self.behind {
            Behind::File(_) => "DROP TRIGGER audit_no_update; DROP TRIGGER audit_no_delete",
            Behind::Server(_) => "ALTER TABLE querent.audit DISABLE TRIGGER USER",
        };
        assert_eq!(self.tamper(sql).await, None);
    }
}

/// Runs a test on a file and on a server.
fn each(test: &impl AsyncFn(&Store)) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("of/its/own/querent.db");
    let file = Store {
        name: "SQLite",
        place: StoreAddress::File(path.clone()),
        behind: Behind::File(path),
    };
    runtime.block_on(test(&file));
    if let Some(server) = PostgresServer::start() {
        let store = Store {
            name: "PostgreSQL",
            place: StoreAddress::Server(Box::new(server.address(SUPERUSER, "postgres").parse().unwrap())),
            behind: Behind::Server(Box::new(server)),
        };
        runtime.block_on(test(&store));
    }
}

/// The end of a run, long ago.
fn record(number: u64) -> Record {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000 + number);
    let id = format!("q{number}");
    Record {
        time,
        kind: "ended",
        body: format!(
            "{{\"time\":\"{}\",\"id\":\"{id}\",\"kind\":\"ended\",\"outcome\":\"ok\",\"rows\":1,\"run_ms\":0.5}}",
            querent::service::audit::shown(time)
        ),
        question: Some(id),
        user: None,
        through: None,
    }
}

fn stand_in(last: Tail, events: u64) -> Record {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(5_000);
    let hash = last
        .hash
        .iter()
        .fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    Record {
        time,
        kind: PRUNED,
        body: format!(
            "{{\"time\":\"{}\",\"kind\":\"pruned\",\"through\":{},\"hash\":\"{hash}\",\"events\":{events}}}",
            querent::service::audit::shown(time),
            last.seq
        ),
        question: None,
        user: None,
        through: Some(last.seq),
    }
}

async fn append(place: &StoreAddress, numbers: std::ops::Range<u64>) {
    let records: Vec<Record> = numbers.map(record).collect();
    place.journal().await.unwrap().append(&records).await.unwrap();
}

#[test]
fn nothing_is_changed_or_removed() {
    each(&async |store| {
        append(&store.place, 0..10).await;
        for sql in [
            "UPDATE querent.audit SET body = '{}' WHERE seq = 3",
            "UPDATE querent.audit SET user_name = 'eve'",
            "DELETE FROM querent.audit WHERE seq = 10",
            "DELETE FROM querent.audit",
        ] {
            let refused = store
                .tamper(sql)
                .await
                .unwrap_or_else(|| panic!("{}: {sql}", store.name));
            assert!(
                refused.contains("the audit is append-only"),
                "{}: {refused}",
                store.name
            );
        }
        let own = match store.behind {
            Behind::File(_) => {
                "INSERT OR REPLACE INTO audit SELECT 3, time, kind, question, user_name, through, '{}', hash FROM audit WHERE seq = 3"
            }
            Behind::Server(_) => "TRUNCATE querent.audit",
        };
        let refused = store.tamper(own).await.unwrap_or_else(|| panic!("{own}"));
        assert!(refused.contains("the audit is append-only"), "{refused}");
        let verdict = chain(&store.place).await;
        assert_eq!(
            (verdict.events, verdict.first, verdict.tail.seq, verdict.broken),
            (10, 1, 10, None)
        );
    });
}

#[test]
fn what_is_changed_around_the_triggers_is_seen() {
    for (sql, at) in [
        (
            "UPDATE querent.audit SET body = replace(body, '\"rows\":1', '\"rows\":2') WHERE seq = 4",
            4,
        ),
        ("UPDATE querent.audit SET kind = 'lost' WHERE seq = 5", 5),
        ("UPDATE querent.audit SET question = NULL WHERE seq = 5", 5),
        ("UPDATE querent.audit SET user_name = 'eve' WHERE seq = 5", 5),
        ("DELETE FROM querent.audit WHERE seq = 6", 7),
        ("DELETE FROM querent.audit WHERE seq <= 2", 3),
        (
            "UPDATE querent.audit SET hash = (SELECT hash FROM querent.audit WHERE seq = 8) WHERE seq = 7",
            7,
        ),
    ] {
        each(&async |store| {
            append(&store.place, 0..10).await;
            store.unlock().await;
            assert_eq!(store.tamper(sql).await, None, "{}: {sql}", store.name);
            let broken = chain(&store.place).await.broken;
            assert_eq!(
                broken.as_ref().map(|(at, _)| *at),
                Some(at),
                "{}: {sql}: {broken:?}",
                store.name
            );
        });
    }
}

#[test]
fn what_is_old_goes_and_the_chain_holds() {
    each(&async |store| {
        append(&store.place, 0..10).await;
        let mut journal = store.place.journal().await.unwrap();
        let at = |seconds: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let mut prune =
            async |before: u64, most: u64| journal.prune(at(before), most, stand_in).await.unwrap();
        assert_eq!(prune(1_000, 100).await, 0, "nothing is that old");
        assert_eq!(prune(1_004, 100).await, 4);
        assert_eq!(prune(1_006, 1).await, 1, "no more at a time");
        assert_eq!(prune(1_006, 100).await, 1);
        assert_eq!(prune(1_006, 100).await, 0, "it is done");
        let verdict = chain(&store.place).await;
        assert_eq!(
            (verdict.first, verdict.tail.seq, verdict.broken),
            (7, 13, None),
            "{}",
            store.name
        );
        // What stands for them may not go by itself, and what it does not stand for neither.
        let refused = store
            .tamper("DELETE FROM querent.audit WHERE seq = 7")
            .await
            .unwrap();
        assert!(refused.contains("append-only"), "{refused}");
        // All of it, and then on.
        assert!(prune(9_000, 100).await > 0);
        assert_eq!(prune(9_000, 100).await, 0, "what stands for others stays");
        append(&store.place, 20..25).await;
        let verdict = chain(&store.place).await;
        assert_eq!(
            (verdict.events, verdict.first, verdict.broken),
            (6, 14, None),
            "{}",
            store.name
        );
        store.unlock().await;
        assert_eq!(
            store.tamper("DELETE FROM querent.audit WHERE seq <= 15").await,
            None
        );
        assert!(chain(&store.place).await.broken.is_some(), "{}", store.name);
    });
}

#[test]
fn two_may_write_at_once() {
    each(&async |store| {
        let writing = (0..4_u64).map(|writer| {
            let place = store.place.clone();
            tokio::spawn(async move {
                let mut journal = place.journal().await.unwrap();
                for number in 0..50 {
                    journal.append(&[record(100 * writer + number)]).await.unwrap();
                }
            })
        });
        let writing: Vec<_> = writing.collect();
        for writer in writing {
            writer.await.unwrap();
        }
        let verdict = chain(&store.place).await;
        assert_eq!(
            (verdict.events, verdict.tail.seq, verdict.broken),
            (200, 200, None),
            "{}",
            store.name
        );
    });
}

#[test]
fn the_file_is_its_owners() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state/querent.db");
    let place = StoreAddress::File(file.clone());
    runtime.block_on(append(&place, 0..3));
    let mode = |path: PathBuf| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        (mode(file.clone()), mode(folder.path().join("state"))),
        (0o600, 0o700)
    );
    assert_eq!(runtime.block_on(all(&place)), [], "ends alone are no questions");
    // What is no store is left as it is.
    let other = folder.path().join("notes.txt");
    std::fs::write(&other, "a text that is long enough to be looked at as a database").unwrap();
    let refused = runtime
        .block_on(StoreAddress::File(other.clone()).journal())
        .err()
        .unwrap();
    assert!(refused.message.contains("is not a database"), "{refused}");
    assert!(std::fs::read_to_string(&other).unwrap().starts_with("a text"));
    let refused = runtime
        .block_on(StoreAddress::File(file.join("below")).journal())
        .err()
        .unwrap();
    assert!(
        refused.message.contains("cannot be used") && refused.hint.is_some(),
        "{refused:?}"
    );
}

#[test]
fn skill_is_added_up_and_fades() {
    each(&async |store| {
        let row = |database: &str, noted: f64, right: f64| SkillRow {
            database: database.into(),
            author: "mini".into(),
            kind: "lookup".into(),
            source: "people".into(),
            noted,
            right,
            claimed: noted * 0.8,
            most: 20.0,
        };
        let mut skills = store.place.skills().await.unwrap();
        assert_eq!(skills.load().await.unwrap(), [], "{}", store.name);
        skills
            .add(&[row("shop", 4.0, 1.0), row("bank", 1.0, 1.0)])
            .await
            .unwrap();
        // Another process adds to the same, beside the audit.
        let mut journal = store.place.journal().await.unwrap();
        journal.append(&[record(1)]).await.unwrap();
        let mut other = store.place.skills().await.unwrap();
        other.add(&[row("shop", 36.0, 3.0)]).await.unwrap();
        let mut kept = skills.load().await.unwrap();
        kept.sort_by(|one, other| one.database.cmp(&other.database));
        let sums: Vec<(&str, f64, f64)> = kept
            .iter()
            .map(|row| (row.database.as_str(), row.noted, row.right))
            .collect();
        assert_eq!(sums, [("bank", 1.0, 1.0), ("shop", 20.0, 2.0)], "{}", store.name);
        assert!((kept[1].claimed - 16.0).abs() < 1e-9, "{}", store.name);
    });
}
