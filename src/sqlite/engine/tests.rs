//! Every function that a client can call, with arguments that nobody would give it.

use std::{
    fmt::Write as _,
    sync::Arc,
    time::{Duration, Instant},
};

use rusqlite::{Error, types::Value};

use super::{
    Options,
    open::{self, Purpose},
    watch::{Control, Watch},
};
use crate::sqlite::{catalog::Client, functions::allowance::Allowance};

/// What waits, or ends what it is called by.
const LEFT_OUT: [&str; 3] = ["pg_sleep", "pg_terminate_backend", "pg_cancel_backend"];

/// Time for one function: those that reckon with many digits get no further.
const LONG: Duration = Duration::from_secs(1);

/// Beyond this many, arguments are drawn.
const ALL_OF: usize = 2;

fn odd() -> Vec<Value> {
    let text = |text: &str| Value::Text(text.to_owned());
    let mut all = vec![
        Value::Null,
        Value::Blob(vec![0, 255]),
        Value::Real(1e300),
        Value::Real(-1e300),
        Value::Real(f64::INFINITY),
        Value::Real(0.5),
    ];
    let numbers = [
        0,
        1,
        -1,
        7,
        i64::MAX,
        i64::MIN,
        i64::MIN + 1,
        2_147_483_647,
        -2_147_483_648,
    ];
    all.extend(numbers.map(Value::Integer));
    all.extend(
        [
            "",
            "a",
            "-",
            "é\u{301}",
            "%",
            "(",
            "infinity",
            "NaN",
            "9223372036854775807",
            "1e400",
            "-170141183460469231731687303715884105728.5",
            "178000000 years",
            "-9223372036854775808 us",
            "2147483647 days",
            "9223372036854775807:59:59",
            "9223372036854775807 months",
            "P9223372036854775807Y",
            "1e308 hours",
            "1 us",
            "294000-01-01",
            "2024-02-29",
            "4713-01-01 BC",
            "5874897-12-31",
            "2024-02-29 23:59:59.999999+00",
            "23:59:59+15:59",
            "epoch",
            "millennium",
            "week",
            "YYYY-MM-DD HH24:MI:SS.US TZ",
            "9G999D99EEEE",
            "Europe/Berlin",
            "[]",
            "[1,null,\"a\"]",
            "{\"a\":[1,{\"b\":null}]}",
            "$.a[last]",
            "[-9223372036854775808:9223372036854775807]={}",
            "{1,NULL,\"b\"}",
            "int4",
            "_interval",
            "::ffff:1.2.3.4/128",
            "101",
        ]
        .map(text),
    );
    all
}

/// A sequence of numbers that is the same every time.
fn drawn(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*state >> 33).unwrap_or_default()
}

/// The arguments with which a function of so many is called.
fn calls(values: &[Value], count: usize) -> Vec<Vec<Value>> {
    if count <= ALL_OF {
        let mut all = vec![vec![]];
        for _ in 0..count {
            let longer = |given: &Vec<Value>| {
                let given = given.clone();
                values
                    .iter()
                    .map(move |value| [given.clone(), vec![value.clone()]].concat())
            };
            all = all.iter().flat_map(longer).collect();
        }
        return all;
    }
    let mut state = 7;
    let one = |state: &mut u64| {
        (0..count)
            .map(|_| values[drawn(state) % values.len()].clone())
            .collect()
    };
    (0..1500).map(|_| one(&mut state)).collect()
}

#[test]
fn no_function_panics() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.db");
    rusqlite::Connection::open(&file)
        .unwrap()
        .execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT)")
        .unwrap();
    let watch = Watch::new(Arc::new(Control::default()), Duration::from_secs(1));
    let client = Client {
        user: "somebody".into(),
        process_id: 1,
    };
    let purpose = Purpose::Session(&client);
    let guarded = open::connect(&file, &Options::default(), &watch, purpose).unwrap();
    // What could go on for ever ends where a value gets too long.
    let _allowance = Allowance::new(watch, 1 << 16);
    let connection = &guarded.connection;
    let functions: Vec<(String, i64)> = connection
        .prepare(
            "SELECT DISTINCT name, narg FROM pg_catalog.pragma_function_list WHERE NOT builtin ORDER BY 1, 2",
        )
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert!(functions.len() > 300, "{}", functions.len());
    let values = odd();
    let mut panicked = String::new();
    for (name, arguments) in functions {
        let began = Instant::now();
        if LEFT_OUT.contains(&name.as_str()) {
            continue;
        }
        let counts = match usize::try_from(arguments) {
            Ok(count) => count..=count,
            Err(_) => 0..=4,
        };
        for given in counts.flat_map(|count| calls(&values, count)) {
            if began.elapsed() > LONG {
                break;
            }
            let places = vec!["?"; given.len()].join(", ");
            let Ok(mut statement) = connection.prepare_cached(&format!("SELECT {name}({places})")) else {
                continue;
            };
            let result =
                statement.query_row(rusqlite::params_from_iter(&given), |row| row.get::<_, Value>(0));
            if let Err(Error::SqliteFailure(_, Some(words))) = result
                && words.contains("unwinding panic")
            {
                writeln!(panicked, "{name}{given:?}").unwrap();
                break;
            }
        }
    }
    assert!(panicked.is_empty(), "{panicked}");
}
