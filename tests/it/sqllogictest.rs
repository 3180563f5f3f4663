//! Files of sqllogictest, each run twice through the wire: on a real PostgreSQL, whose answers they hold, and on a
//! SQLite file. `tests/sqllogictest/README.md` says how they are written.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use ::sqllogictest::{
    Condition, DB, DBOutput, ExpectedError, QueryExpect, Record, RecordOutput, Runner, StatementExpect,
    parse_file, strict_column_validator, update_record_with_output,
};

use super::{
    differential::Pair,
    server::raw::{Client, frame, string},
};

/// The label of what PostgreSQL alone does: `skipif querent`.
const LABEL: &str = "querent";
/// How many files and records there are at least, so that a test that finds none fails.
const LEAST_FILES: usize = 12;
const LEAST_RECORDS: usize = 600;

/// Which messages carry a statement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Protocol {
    Simple,
    Extended,
}

/// A session that runs records.
pub(super) struct Session {
    client: Client,
    protocol: Protocol,
}

/// What a server refuses a statement with.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(super) struct Refusal {
    pub(super) code: String,
    message: String,
}

/// The letter of a column's type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Letter(char);

impl ::sqllogictest::ColumnType for Letter {
    fn from_char(letter: char) -> Option<Self> {
        "ABDIJPRT?".contains(letter).then_some(Self(letter))
    }

    fn to_char(&self) -> char {
        self.0
    }
}

impl Letter {
    /// Of a type's number in `pg_type`.
    fn of(oid: u32) -> Self {
        Self(match oid {
            16 => 'B',
            20 | 21 | 23 => 'I',
            700 | 701 | 1700 => 'R',
            18 | 19 | 25 | 1042 | 1043 => 'T',
            1082 => 'D',
            1114 | 1184 => 'P',
            114 | 3802 => 'J',
            1000 | 1005 | 1007 | 1009 | 1014..=1016 | 1021 | 1022 | 1115 | 1182 | 1185 | 1231 => 'A',
            _ => '?',
        })
    }
}

impl Session {
    /// Logs in.
    pub(super) fn start(port: u16, protocol: Protocol) -> Self {
        let mut client = Client::connect(port);
        client.log_in();
        Self { client, protocol }
    }
}

impl DB for Session {
    type Error = Refusal;
    type ColumnType = Letter;

    fn run(&mut self, sql: &str) -> Result<DBOutput<Letter>, Refusal> {
        self.client.send(&match self.protocol {
            Protocol::Simple => frame(b'Q', &string(sql)),
            Protocol::Extended => [
                frame(b'P', &[&[0], string(sql).as_slice(), &[0, 0]].concat()),
                frame(b'B', &[0; 8]),
                frame(b'D', b"P\0"),
                frame(b'E', &[0; 5]),
                frame(b'S', b""),
            ]
            .concat(),
        });
        let mut types = None;
        let mut rows = vec![];
        let mut count = 0;
        let mut refusal = None;
        loop {
            let (tag, body) = self.client.message().expect("the server stays");
            match tag {
                b'T' => types = Some(columns(&body)),
                b'D' => rows.push(values(&body)),
                b'C' => count = affected(&body),
                b'E' => refusal = Some(refused(&body)),
                b'Z' => break,
                _ => {}
            }
        }
        match (refusal, types) {
            (Some(refusal), _) => Err(refusal),
            (None, Some(types)) => Ok(DBOutput::Rows { types, rows }),
            (None, None) => Ok(DBOutput::StatementComplete(count)),
        }
    }

    fn error_sql_state(refusal: &Refusal) -> Option<String> {
        Some(refusal.code.clone())
    }
}

/// The types of a `RowDescription`.
fn columns(body: &[u8]) -> Vec<Letter> {
    let mut rest = &body[2..];
    let mut columns = vec![];
    while let Some(end) = rest.iter().position(|byte| *byte == 0) {
        let oid = rest[end + 7..end + 11].try_into().unwrap();
        columns.push(Letter::of(u32::from_be_bytes(oid)));
        rest = &rest[end + 19..];
    }
    columns
}

/// The values of a `DataRow`, as the format writes them.
fn values(body: &[u8]) -> Vec<String> {
    let mut rest = &body[2..];
    let mut values = vec![];
    while !rest.is_empty() {
        let length = i32::from_be_bytes(rest[..4].try_into().unwrap());
        rest = &rest[4..];
        let Ok(length) = usize::try_from(length) else {
            values.push("NULL".to_owned());
            continue;
        };
        let value = String::from_utf8_lossy(&rest[..length]).into_owned();
        rest = &rest[length..];
        values.push(if value.is_empty() {
            "(empty)".to_owned()
        } else {
            value
        });
    }
    values
}

/// The number of rows in a command's tag.
fn affected(body: &[u8]) -> u64 {
    let tag = String::from_utf8_lossy(body);
    let last = tag.trim_end_matches('\0').rsplit(' ').next();
    last.and_then(|count| count.parse().ok()).unwrap_or(0)
}

fn refused(body: &[u8]) -> Refusal {
    let field = |wanted: u8| {
        body.split(|byte| *byte == 0)
            .find_map(|field| field.strip_prefix(&[wanted]))
            .map(|text| String::from_utf8_lossy(text).into_owned())
            .unwrap_or_default()
    };
    Refusal {
        code: field(b'C'),
        message: field(b'M'),
    }
}

/// The files, in order.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sqllogictest");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|kind| kind == "slt"))
        .collect();
    files.sort();
    files
}

/// Takes the label off a record, and says whether it was there.
fn unmark(record: &mut Record<Letter>) -> bool {
    let (Record::Statement { conditions, .. } | Record::Query { conditions, .. }) = record else {
        return false;
    };
    let before = conditions.len();
    conditions.retain(|condition| !matches!(condition, Condition::SkipIf { label } if label == LABEL));
    conditions.len() < before
}

/// Runs a file with a session; what differs, and how many records there were and how many agreed.
async fn run(file: &Path, port: u16, protocol: Protocol, label: &str) -> (Vec<String>, usize, usize) {
    let mut runner = Runner::new(|| async { Ok(Session::start(port, protocol)) });
    runner.add_label(label);
    runner.with_column_validator(strict_column_validator);
    let (mut news, mut total, mut agree) = (vec![], 0, 0);
    for mut record in parse_file::<Letter>(file).unwrap() {
        let counts = matches!(record, Record::Statement { .. } | Record::Query { .. });
        // What is known to differ runs too: a mark that is not needed any more is an error.
        let known = label == LABEL && unmark(&mut record);
        let said = format!("{record}");
        let answer = runner.run_async(record).await;
        if !counts {
            continue;
        }
        total += 1;
        agree += usize::from(answer.is_ok());
        match answer {
            Err(error) if !known => news.push(format!("{label}, {protocol:?}: {error}")),
            Ok(_) if known => news.push(format!(
                "{label}, {protocol:?}: agrees now, so it needs no mark:\n{said}"
            )),
            _ => {}
        }
    }
    runner.shutdown_async().await;
    (news, total, agree)
}

#[tokio::test(flavor = "multi_thread")]
async fn files_say_what_both_servers_answer() {
    let Some(mut pair) = Pair::start().await else {
        return;
    };
    let mut news = vec![];
    let (mut records, mut agreed) = (0, 0);
    let files = files();
    for file in &files {
        for protocol in [Protocol::Simple, Protocol::Extended] {
            pair.empty().await;
            let (theirs, ..) = run(file, pair.postgres.port, protocol, "postgresql").await;
            let (ours, total, agree) = run(file, pair.sqlite.port, protocol, LABEL).await;
            news.extend(theirs);
            news.extend(ours);
            if protocol == Protocol::Simple {
                let name = file.file_name().unwrap_or_default().display();
                eprintln!("{name}: {agree} of {total}");
                records += total;
                agreed += agree;
            }
        }
    }
    eprintln!("{agreed} of {records} records agree");
    let unlike: BTreeSet<String> = news.into_iter().collect();
    assert!(
        unlike.is_empty(),
        "{} differences:\n{}",
        unlike.len(),
        unlike.into_iter().collect::<Vec<_>>().join("\n")
    );
    assert!(files.len() >= LEAST_FILES && records >= LEAST_RECORDS);
}

/// Writes what PostgreSQL answers into the files.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "changes the files; for whoever writes them"]
async fn expectations_are_written() {
    let Some(mut pair) = Pair::start().await else {
        return;
    };
    let port = pair.postgres.port;
    for file in files() {
        pair.empty().await;
        let mut runner = Runner::new(|| async { Ok(Session::start(port, Protocol::Simple)) });
        let mut text = String::new();
        for record in parse_file::<Letter>(&file).unwrap() {
            let output = runner.apply_record(record.clone()).await;
            let updated = update_record_with_output(
                &record,
                &output,
                "  ",
                ::sqllogictest::default_validator,
                ::sqllogictest::default_normalizer,
                strict_column_validator,
            );
            let mut record = updated.unwrap_or(record);
            if let Some(code) = code(&output) {
                expect(&mut record, code);
            }
            writeln!(text, "{record}").unwrap();
        }
        fs::write(&file, format!("{}\n", text.trim_end())).unwrap();
        runner.shutdown_async().await;
    }
}

/// The code a record was refused with.
fn code(output: &RecordOutput<Letter>) -> Option<String> {
    let (RecordOutput::Query { error, .. } | RecordOutput::Statement { error, .. }) = output else {
        return None;
    };
    Some(error.as_ref()?.downcast_ref::<Refusal>()?.code.clone())
}

/// Makes a record expect a code.
fn expect(record: &mut Record<Letter>, code: String) {
    let error = ExpectedError::SqlState(code);
    match record {
        Record::Statement { expected, .. } => *expected = StatementExpect::Error(error),
        Record::Query { expected, .. } => *expected = QueryExpect::Error(error),
        _ => {}
    }
}
