//! Records that others wrote for other databases: those that PostgreSQL takes are run on a SQLite file too.
//! `scripts/try-sqllogictest` fetches the files, which are no part of this repository.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use ::sqllogictest::{DB as _, DBOutput, Record, parse_file};

use super::{
    differential::Pair,
    sqllogictest::{Letter, Protocol, Refusal, Session},
};

/// What a statement gave, with rows in any order unless it says which.
type Given = Result<(Vec<Letter>, Vec<Vec<String>>, u64), Refusal>;

fn given(session: &mut Session, sql: &str) -> Given {
    let (types, mut rows, count) = match session.run(sql)? {
        DBOutput::Rows { types, rows } => (types, rows, 0),
        DBOutput::StatementComplete(count) => (vec![], vec![], count),
        _ => return Ok((vec![], vec![], 0)),
    };
    let words = sql.to_lowercase();
    if words.starts_with("explain") {
        // Plans are a database's own.
        rows.clear();
    }
    if !words.contains("order by") {
        rows.sort();
    }
    Ok((types, rows, count))
}

/// In which way two answers differ.
fn difference(theirs: &(Vec<Letter>, Vec<Vec<String>>, u64), ours: &Given) -> Option<String> {
    match ours {
        Err(refusal) => Some(format!("refused: {} {refusal}", refusal.code)),
        Ok(ours) if ours == theirs => None,
        Ok((types, ..)) if *types != theirs.0 => Some(format!("types: {types:?} for {:?}", theirs.0)),
        Ok((_, rows, count)) => {
            let at = rows.iter().zip(&theirs.1).find(|(ours, theirs)| ours != theirs);
            Some(format!("rows: {at:?}, {count} for {}", theirs.2))
        }
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = vec![];
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else if path.extension().is_some_and(|kind| kind == "slt") {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "its files are fetched by scripts/try-sqllogictest"]
async fn others_records_are_tried() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/sqllogictest");
    let Some(mut pair) = Pair::start().await else {
        return;
    };
    let (mut total, mut agree) = (0, 0);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut log = String::new();
    for file in files(&folder) {
        let name = file.strip_prefix(&folder).unwrap().display().to_string();
        let Ok(records) = parse_file::<Letter>(&file) else {
            eprintln!("{name}: cannot be read");
            continue;
        };
        pair.empty().await;
        let [mut theirs, mut ours] =
            [pair.postgres.port, pair.sqlite.port].map(|port| Session::start(port, Protocol::Simple));
        for session in [&mut theirs, &mut ours] {
            session.run("SET statement_timeout = '10s'").unwrap();
        }
        let mut here = (0, 0);
        for record in records {
            let (Record::Statement { sql, .. } | Record::Query { sql, .. }) = record else {
                continue;
            };
            let sql = sql.trim().trim_end_matches(';');
            // What PostgreSQL refuses is of another dialect.
            let Ok(expected) = given(&mut theirs, sql) else {
                continue;
            };
            here.1 += 1;
            let Some(difference) = difference(&expected, &given(&mut ours, sql)) else {
                here.0 += 1;
                continue;
            };
            let kind = difference
                .split_whitespace()
                .take(2)
                .collect::<Vec<_>>()
                .join(" ");
            let kind = if difference.starts_with("refused") {
                kind
            } else {
                kind.split(' ').next().unwrap_or_default().to_owned()
            };
            *reasons.entry(kind).or_default() += 1;
            log.push_str(&["-- ", &name, "\n", sql, "\n-- ", &difference, "\n\n"].concat());
        }
        if here.1 > 0 {
            eprintln!("{name}: {} of {}", here.0, here.1);
        }
        total += here.1;
        agree += here.0;
    }
    fs::write(folder.join("differences.sql"), log).unwrap();
    eprintln!("{agree} of {total} records that PostgreSQL takes agree; the others: {reasons:?}");
    assert!(total > 0, "run scripts/try-sqllogictest");
}
