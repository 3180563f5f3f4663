//! Other programs that have the file open: what Querent has locked stays locked for them, whoever comes and goes.

use super::signals::Served;

fn rows(messages: &[String]) -> Vec<&String> {
    messages
        .iter()
        .filter(|message| message.starts_with("D "))
        .collect()
}

#[test]
fn a_login_gives_up_no_lock() {
    for journal in ["delete", "wal"] {
        let served = Served::start("");
        let path = served.path("pets.db");
        let other = || {
            let other = rusqlite::Connection::open(&path).unwrap();
            other.busy_timeout(std::time::Duration::ZERO).unwrap();
            other
        };
        let mode = format!("PRAGMA journal_mode = {journal}");
        other().query_row(&mode, [], |_| Ok(())).unwrap();
        let mut writer = served.client();
        writer.query("BEGIN");
        writer.query("INSERT INTO owner VALUES (50, 'Dee', 'Oslo')");
        // One that logs in and reads, and one that asks.
        assert_eq!(
            rows(&served.client().query("SELECT count(*) FROM owner")),
            ["D 3"]
        );
        assert_eq!(
            rows(&served.client().query("-- nl: how many owners are there?")),
            ["D 3"]
        );
        let written = other().execute("INSERT INTO owner VALUES (60, 'Eli', 'Bern')", []);
        let code = written.unwrap_err().sqlite_error_code();
        assert_eq!(code, Some(rusqlite::ErrorCode::DatabaseBusy), "{journal}");
        // A reader that closes the file does not take itself for the last one.
        assert!(other().query_row("SELECT 1 FROM owner", [], |_| Ok(())).is_ok() || journal == "delete");
        assert!(
            writer
                .query("COMMIT")
                .iter()
                .all(|message| !message.starts_with("E "))
        );
        other()
            .execute("INSERT INTO owner VALUES (60, 'Eli', 'Bern')", [])
            .unwrap();
        for client in [&mut writer, &mut served.client()] {
            assert_eq!(
                rows(&client.query("SELECT count(*) FROM owner")),
                ["D 5"],
                "{journal}"
            );
        }
        let kept: i64 = other()
            .query_row("SELECT count(*) FROM owner WHERE id IN (50, 60)", [], |row| {
                row.get(0)
            })
            .unwrap();
        assert_eq!(kept, 2, "{journal}");
    }
}
