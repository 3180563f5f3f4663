//! What SQLite gives a loop in one process: the measure of `scripts/bench-sqlite`.
//!
//! `sqlite FILE points simple|prepared` looks rows up by their key for a second, each by a new text or all by one
//! statement; `sqlite FILE rows all` reads every row. Prints `{"per_second": n}`.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark tells its result and may panic"
)]

use std::{
    env,
    hint::black_box,
    time::{Duration, Instant},
};

use rusqlite::{Connection, OpenFlags, Statement, types::Value};

const TIME: Duration = Duration::from_secs(1);

fn main() {
    let arguments: Vec<String> = env::args().filter(|argument| argument != "--bench").collect();
    let [_, file, what, mode] = arguments.as_slice() else {
        // `cargo bench` without arguments comes here too.
        println!("sqlite FILE points|rows simple|prepared|all");
        return;
    };
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let rows: u64 = connection
        .query_row("SELECT max(id) FROM items", [], |row| row.get(0))
        .unwrap();
    let begun = Instant::now();
    let mut done = 0_u64;
    if what == "rows" {
        let mut statement = connection.prepare("SELECT * FROM items").unwrap();
        done = read(&mut statement, None);
    } else {
        let mut prepared = connection
            .prepare("SELECT name FROM items WHERE id = ?1")
            .unwrap();
        let mut random = 88_172_645_463_325_252_u64;
        while begun.elapsed() < TIME {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let id = random % rows + 1;
            done += if mode == "prepared" {
                read(&mut prepared, Some(id))
            } else {
                let sql = format!("SELECT name FROM items WHERE id = {id}");
                read(&mut connection.prepare(&sql).unwrap(), None)
            };
        }
    }
    let rate = done as f64 / begun.elapsed().as_secs_f64();
    println!("{{\"per_second\": {rate:.0}}}");
}

/// Reads all rows with all their values; how many there were.
fn read(statement: &mut Statement<'_>, key: Option<u64>) -> u64 {
    let columns = statement.column_count();
    if let Some(key) = key {
        statement.raw_bind_parameter(1, key as i64).unwrap();
    }
    let mut rows = statement.raw_query();
    let mut count = 0;
    while let Some(row) = rows.next().unwrap() {
        for column in 0..columns {
            black_box(row.get::<_, Value>(column).unwrap());
        }
        count += 1;
    }
    count
}
