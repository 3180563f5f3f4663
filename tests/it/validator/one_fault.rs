//! Statements with one fault each, as a model writes them: `tests/sql/one_fault.txt`. A correction gives the rows of what was obviously
//! meant, or there is none.

use std::{fmt::Write, sync::OnceLock};

use querent::{
    question::{
        schema::{Dialect, Snapshot},
        validator::{Asked, Code, Finding, repair, repair_only, validate},
    },
    sqlite::engine::{Database, Options},
};

const STATEMENTS: &str = include_str!("../../sql/one_fault.txt");

/// Tables whose names are near each other, with rows that tell them apart.
const SHOP: &str = "
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER, city TEXT, weight REAL,
        boss_id INTEGER REFERENCES people (id), deleted_at TEXT);
    CREATE TABLE people_banned (id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES people (id), reason TEXT);
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id), total REAL,
        status TEXT, placed_at DATE);
    CREATE TABLE order_items (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id), product TEXT);
    CREATE TABLE pay (id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES people (id), amount REAL);
    CREATE TABLE pay_eu (id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES people (id), amount REAL);
    CREATE TABLE active (id INTEGER PRIMARY KEY, person_id INTEGER, since DATE);
    CREATE TABLE inactive (id INTEGER PRIMARY KEY, person_id INTEGER, since DATE);
    CREATE TABLE transfers (id INTEGER PRIMARY KEY, payer_id INTEGER NOT NULL REFERENCES people (id),
        payee_id INTEGER NOT NULL REFERENCES people (id), amount REAL);
    CREATE TABLE readings (id INTEGER PRIMARY KEY, minimum_c REAL);
    CREATE TABLE events (id INTEGER PRIMARY KEY, title TEXT, start_date DATE, stop_date DATE, end_date DATE, net REAL,
        gross REAL, shipper TEXT);
    INSERT INTO events VALUES (1, 'fair', '2024-01-01', '2024-01-02', '2024-01-03', 1, 2, 'Ann');
    INSERT INTO people VALUES (1, 'Ann', 40, 'Berlin', 60, NULL, NULL), (2, 'Bob', 30, 'Rome', 80, 1, '2024-01-01'),
        (3, 'Cid', 35, 'Berlin', 70, 1, NULL), (4, 'Dee', 20, 'Oslo', 55, 3, NULL), (5, 'Eve', 50, 'Rome', 65, 4, NULL);
    INSERT INTO people_banned VALUES (1, 2, 'spam'), (7, 3, 'rude');
    INSERT INTO customers VALUES (1, 'Ann', 'DE'), (2, 'Zoe', 'IT'), (3, 'Bob', 'DE');
    INSERT INTO orders VALUES (1, 1, 10, 'paid', '2024-01-01'), (2, 1, 30, 'open', '2024-02-01'),
        (3, 2, 25, 'open', '2024-01-15'), (4, 2, 50, 'paid', '2023-12-01');
    INSERT INTO order_items VALUES (1, 1, 'pen'), (2, 2, 'ink'), (3, 3, 'pen');
    INSERT INTO pay VALUES (1, 1, 100), (2, 3, 200);
    INSERT INTO pay_eu VALUES (1, 2, 310);
    INSERT INTO active VALUES (1, 1, '2020-01-01'), (2, 2, '2020-01-01');
    INSERT INTO inactive VALUES (1, 3, '2020-01-01');
    INSERT INTO transfers VALUES (1, 1, 2, 10), (2, 3, 1, 40);
    INSERT INTO readings VALUES (1, -3.5), (2, 4);
";

fn shop() -> &'static Snapshot {
    static SNAPSHOT: OnceLock<Snapshot> = OnceLock::new();
    SNAPSHOT.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shop.sqlite");
        rusqlite::Connection::open(&path)
            .unwrap()
            .execute_batch(SHOP)
            .unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let snapshot = runtime.block_on(Database::open(&path, Options::default()).unwrap().snapshot());
        snapshot.unwrap()
    })
}

/// The rows of a statement, in their order where it asks for one.
fn rows(connection: &rusqlite::Connection, sql: &str) -> Vec<String> {
    let mut statement = connection
        .prepare(sql)
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    let columns = statement.column_count();
    let told = |row: &rusqlite::Row<'_>| {
        let values = (0..columns).map(|at| format!("{:?}", row.get_ref_unwrap(at)));
        Ok(values.collect::<Vec<_>>().join("|"))
    };
    let mut rows: Vec<String> = statement
        .query_map([], told)
        .unwrap()
        .map(Result::unwrap)
        .collect();
    if !sql.contains("ORDER BY") {
        rows.sort_unstable();
    }
    rows
}

#[test]
fn a_corrected_statement_says_what_was_meant_or_stays() {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    connection.execute_batch(SHOP).unwrap();
    let blocks: Vec<Vec<&str>> = STATEMENTS
        .split("\n\n")
        .map(|block| block.lines().filter(|line| !line.starts_with('#')).collect())
        .filter(|lines: &Vec<&str>| !lines.is_empty())
        .collect();
    assert!(blocks.len() > 60);
    let mut wrong = String::new();
    for block in blocks {
        let [question, written, meant] = block[..] else {
            panic!("three lines are wanted: {block:?}");
        };
        for question in [
            question,
            "",
            "people in Berlin, how many of the 3 oldest, and not deleted",
        ] {
            let asked = Asked::now(question, shop());
            let all = repair(written, &asked);
            let alone = repair_only(written, &asked);
            // Where nothing but names was wrong, both say the same.
            if all.as_ref().is_some_and(|all| all.fixed.iter().all(is_of_a_name)) {
                assert_eq!(all, alone, "{question}: {written}");
            }
            for (who, repaired) in [("repair", all), ("repair_only", alone)] {
                let repaired = repaired
                    .map(|repaired| repaired.sql)
                    .filter(|sql| validate(sql, &shop().schema, Dialect::Sqlite).is_ok());
                let told = match (repaired, meant) {
                    (None, "left") => continue,
                    (None, _) if who == "repair_only" => continue,
                    (Some(sql), "left") => format!("became {sql}"),
                    (None, _) => "was left".to_owned(),
                    (Some(sql), meant) if rows(&connection, &sql) != rows(&connection, meant) => {
                        format!("became {sql}")
                    }
                    (Some(_), _) => continue,
                };
                writeln!(wrong, "{who}, {question}\n    {written}\n    {told}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// True for a wrong name of which the finding itself tells what it should be; `ROWNUM` is none.
fn is_of_a_name(finding: &Finding) -> bool {
    let of_a_name = matches!(
        finding.code,
        Code::ColMissing | Code::TableMissing | Code::InvalidAlias | Code::AmbiguousCol
    );
    of_a_name && finding.repair.is_some()
}

/// What is answered without anybody's having read the new text: nothing but names is corrected in it.
#[test]
fn on_the_way_to_an_answer_nothing_but_names_is_corrected() {
    let asked = Asked::now("", shop());
    for written in [
        "SELECT sum(total + 5 FROM orders",
        "SELECT (max(total) - min(total) / 2 FROM orders",
        "SELECT total + 1) * 2 FROM orders",
        "SELECT id FROM orders WHERE total > 5 OR total < 2) AND status = 'paid'",
        "SELECT id FROM orders WHERE status = 'paid AND total > 5",
        "SELECT id FROM orders WHERE total > 5 AND AND status = 'paid'",
        "SELECT TOP 1 id FROM orders ORDER BY total DESC",
        "SELECT id FROM orders WHERE rownum <= 3",
        "SELECT sum(total)::numeric / count(*) FROM orders",
        "SELECT (total + 0.7)::int FROM orders",
        "SELECT to_char(total, '999.99') FROM orders",
        "SELECT to_date('2024-05-01', 'YYYY-DD-MM')",
        "SELECT now() - interval '2 hours'",
        "SELECT greatest(total, NULL) FROM orders",
        "SELECT left(status, -1) FROM orders",
        "SELECT id FROM orders WHERE total > ALL (SELECT total FROM orders WHERE status = 'none')",
        "SELECT status, id, count(*) FROM orders LIMIT 1 UNION ALL SELECT status, id, 1 FROM orders LIMIT 1",
    ] {
        assert_eq!(repair_only(written, &asked), None, "{written}");
    }
    let fenced = "Here it is:\n```sql\nSELECT `status` FROM Orders\n```";
    let repaired = repair_only(fenced, &asked).map(|repaired| repaired.sql);
    assert!(
        repaired.is_some_and(|sql| sql.starts_with("SELECT")),
        "a fence says nothing"
    );
}

/// The words of a statement that are names, by where they begin and end; not those in quotes.
fn names(sql: &str) -> Vec<(usize, usize)> {
    let mut names = vec![];
    let (mut quoted, mut begun) = (false, None);
    for (at, character) in sql.char_indices().chain([(sql.len(), ' ')]) {
        let is_part = !quoted && (character.is_ascii_alphanumeric() || character == '_');
        match begun {
            None if is_part => begun = Some(at),
            Some(from) if !is_part => {
                names.push((from, at));
                begun = None;
            }
            _ => {}
        }
        quoted ^= character == '\'';
    }
    names.retain(|(from, to)| sql[*from..*to].contains(|letter: char| letter.is_ascii_lowercase()));
    names
}

/// Every way in which a name is broken here: slips of the pen, and other names of the same database.
fn broken(name: &str, others: &[&str]) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut broken = vec![format!("{name}s"), format!("{name}_id"), format!("un{name}")];
    for at in 0..letters.len() {
        let mut shorter = letters.clone();
        shorter.remove(at);
        let mut longer = letters.clone();
        longer.insert(at, letters[at]);
        let mut other = letters.clone();
        other[at] = 'e';
        let mut turned = letters.clone();
        turned.swap(at, (at + 1) % letters.len());
        broken.extend([shorter, longer, other, turned].map(String::from_iter));
    }
    broken.extend(others.iter().map(|other| (*other).to_owned()));
    broken.retain(|other| other != name && !other.is_empty());
    broken
}

/// Whatever name of a right statement is written otherwise: a repair gives the rows of that statement, or there is none.
#[test]
fn a_name_that_is_broken_comes_back_or_stays_broken() {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    connection.execute_batch(SHOP).unwrap();
    let asked = Asked::now("", shop());
    let right: Vec<&str> = STATEMENTS
        .lines()
        .filter(|line| line.starts_with("SELECT") || line.starts_with("WITH"))
        .filter(|line| validate(line, &shop().schema, Dialect::Sqlite).is_ok())
        .collect();
    let mut all: Vec<&str> = right
        .iter()
        .flat_map(|sql| names(sql).into_iter().map(|(from, to)| &sql[from..to]))
        .collect();
    all.sort_unstable();
    all.dedup();
    let (mut number, mut came_back, mut wrong) = (0_usize, 0, String::new());
    for sql in right {
        let meant = rows(&connection, sql);
        for (from, to) in names(sql) {
            for name in broken(&sql[from..to], &all) {
                // Every one of some, whatever they are.
                number += 1;
                let text = format!("{}{name}{}", &sql[..from], &sql[to..]);
                if number % 7 != 0 || validate(&text, &shop().schema, Dialect::Sqlite).is_ok() {
                    continue;
                }
                let repaired = repair_only(&text, &asked).map(|repaired| repaired.sql);
                let Some(repaired) =
                    repaired.filter(|sql| validate(sql, &shop().schema, Dialect::Sqlite).is_ok())
                else {
                    continue;
                };
                if rows(&connection, &repaired) == meant {
                    came_back += 1;
                } else {
                    writeln!(wrong, "{sql}\n    {text}\n    {repaired}").unwrap();
                }
            }
        }
    }
    assert!(came_back > 100, "{came_back}");
    assert!(wrong.is_empty(), "{came_back} came back, but\n{wrong}");
}

#[test]
fn the_tables_tell_each_other_apart() {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    connection.execute_batch(SHOP).unwrap();
    for (one, other) in [
        ("SELECT count(*) FROM active", "SELECT count(*) FROM inactive"),
        ("SELECT sum(amount) FROM pay", "SELECT sum(amount) FROM pay_eu"),
        ("SELECT id FROM people", "SELECT person_id FROM people_banned"),
    ] {
        assert_ne!(rows(&connection, one), rows(&connection, other));
    }
}
