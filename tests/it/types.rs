//! A column's type is one thing: what results say of it, what the catalogue says, and what PostgreSQL says of the same table.

use super::{
    differential::Pair,
    server::raw::{Client, frame, string},
};

/// Types with a value of each.
const TYPES: &[(&str, &str)] = &[
    ("boolean", "true"),
    ("smallint", "1"),
    ("integer", "1"),
    ("bigint", "1"),
    ("real", "1.5"),
    ("double precision", "1.5"),
    ("float(10)", "1.5"),
    ("float(40)", "1.5"),
    ("numeric", "1.5"),
    ("numeric(10,2)", "1.5"),
    ("numeric(5)", "15"),
    ("numeric(30,10)", "1.5"),
    ("money", "1.50"),
    ("text", "a"),
    ("varchar", "a"),
    ("varchar(3)", "abc"),
    ("character varying(300)", "2024-01-01"),
    ("char", "a"),
    ("char(3)", "ab"),
    ("bpchar", "a"),
    ("\"char\"", "a"),
    ("name", "a"),
    ("bytea", "\\x00ff"),
    ("date", "2024-01-02"),
    ("date", "0044-03-15 BC"),
    ("date", "infinity"),
    ("time", "01:02:03"),
    ("time(0)", "01:02:03.6"),
    ("timetz", "01:02:03+02"),
    ("time(2) with time zone", "01:02:03.456+02"),
    ("timestamp", "2024-01-02 03:04:05.678"),
    ("timestamp", "12345-06-07 08:09:10"),
    ("timestamp(3)", "2024-01-02 03:04:05.6789"),
    ("timestamptz", "2024-01-02 03:04:05+00"),
    ("timestamptz", "-infinity"),
    ("timestamp(0) with time zone", "2024-01-02 03:04:05.6+00"),
    ("interval", "1 day 02:03:04.5678"),
    ("interval(2)", "1 day 02:03:04.5678"),
    ("interval year", "2 years 3 months"),
    ("interval month", "2 years 3 months 4 days"),
    ("interval day", "4 days 5 hours"),
    ("interval hour to minute", "4 days 05:06:07"),
    ("interval day to second(1)", "4 days 05:06:07.89"),
    ("json", "{\"a\": 1}"),
    ("jsonb", "{\"a\": 1}"),
    ("uuid", "00000000-0000-0000-0000-000000000001"),
    ("oid", "1"),
    ("bit", "1"),
    ("bit(3)", "101"),
    ("varbit", "10101"),
    ("bit varying(5)", "101"),
    ("inet", "10.0.0.1"),
    ("cidr", "10.0.0.0/8"),
    ("macaddr", "08:00:2b:01:02:03"),
    ("xml", "<a/>"),
    ("boolean[]", "{t,f}"),
    ("smallint[]", "{1,2}"),
    ("integer[]", "{1,2}"),
    ("integer[]", "{{1,2},{3,4}}"),
    ("bigint[]", "{1,2}"),
    ("real[]", "{1.5}"),
    ("double precision[]", "{1.5}"),
    ("numeric[]", "{1.5}"),
    ("numeric(10,2)[]", "{1.555}"),
    ("text[]", "{a,NULL}"),
    ("varchar(3)[]", "{abc}"),
    ("char(3)[]", "{abc}"),
    ("\"char\"[]", "{a}"),
    ("date[]", "{2024-01-02,10000-01-01}"),
    ("time(0)[]", "{01:02:03.6}"),
    ("timestamp(3)[]", "{\"2024-01-02 03:04:05.6789\"}"),
    ("timestamptz[]", "{\"2024-01-02 03:04:05+00\"}"),
    ("interval[]", "{\"1 day\"}"),
    ("interval day to second(1)[]", "{\"1 day 00:00:01.23\"}"),
    ("uuid[]", "{00000000-0000-0000-0000-000000000001}"),
    ("bit(3)[]", "{101}"),
    ("varbit[]", "{101}"),
    ("jsonb[]", r#"{"{\"a\": 1}"}"#),
    ("inet[]", "{10.0.0.1}"),
    ("bytea[]", r#"{"\\x00"}"#),
];

/// The first columns of a row description: table, place, type, size and modifier of each.
fn described(client: &mut Client, messages: &[u8]) -> Vec<(u32, u16, u32, i16, i32)> {
    client.send(messages);
    let mut found = vec![];
    loop {
        let (tag, body) = client.message().unwrap();
        match tag {
            b'T' => {
                let mut rest = &body[2..];
                while let Some(end) = rest.iter().position(|byte| *byte == 0) {
                    let fields = &rest[end + 1..];
                    let two = |at: usize| [fields[at], fields[at + 1]];
                    let four = |at: usize| [fields[at], fields[at + 1], fields[at + 2], fields[at + 3]];
                    found.push((
                        u32::from_be_bytes(four(0)),
                        u16::from_be_bytes(two(4)),
                        u32::from_be_bytes(four(6)),
                        i16::from_be_bytes(two(10)),
                        i32::from_be_bytes(four(12)),
                    ));
                    rest = &fields[18..];
                }
            }
            b'Z' => return found,
            _ => {}
        }
    }
}

/// As a simple query and as a statement that is described tell it.
fn both_ways(client: &mut Client, sql: &str) -> Vec<(u32, u16, u32, i16, i32)> {
    let simple = described(client, &frame(b'Q', &string(sql)));
    let mut parse = [string(""), string(sql)].concat();
    parse.extend([0, 0]);
    let messages = [frame(b'P', &parse), frame(b'D', b"S\0"), frame(b'S', b"")];
    let extended = described(client, &messages.concat());
    assert_eq!(simple, extended, "{sql}");
    simple
}

fn rows(client: &mut Client, sql: &str) -> Vec<String> {
    let messages = client.query(sql);
    let mut rows: Vec<String> = messages
        .into_iter()
        .filter(|message| message.starts_with("D ") || message.starts_with("E "))
        .collect();
    rows.sort();
    rows
}

const CATALOGUE: &str = "SELECT a.attnum, a.atttypid, a.atttypmod, format_type(a.atttypid, a.atttypmod), a.attlen, a.attndims > 0 \
     FROM pg_attribute a WHERE a.attrelid = 'kinds'::regclass AND a.attnum > 0 ORDER BY a.attnum";

const INFORMATION: &str = "SELECT ordinal_position, data_type, character_maximum_length, character_octet_length, \
     numeric_precision, numeric_precision_radix, numeric_scale, datetime_precision, interval_type, udt_name, dtd_identifier \
     FROM information_schema.columns WHERE table_name = 'kinds' ORDER BY ordinal_position";

#[tokio::test(flavor = "multi_thread")]
async fn a_column_has_one_type_and_it_is_that_of_postgresql() {
    let Some(pair) = Pair::start().await else {
        return;
    };
    let mut theirs = Client::connect(pair.postgres.port);
    theirs.log_in();
    let mut ours = pair.sqlite.client();
    let columns: Vec<String> = (0..)
        .zip(TYPES)
        .map(|(at, (ty, _))| format!("c{at} {ty}"))
        .collect();
    let values: Vec<String> = TYPES.iter().map(|(_, value)| format!("'{value}'")).collect();
    let create = format!("CREATE TABLE kinds ({})", columns.join(", "));
    let insert = format!("INSERT INTO kinds VALUES ({})", values.join(", "));
    for state in [
        create.as_str(),
        insert.as_str(),
        "CREATE VIEW seen AS SELECT * FROM kinds",
    ] {
        for client in [&mut theirs, &mut ours] {
            let said = client.query(state);
            assert!(
                !said.iter().any(|line| line.starts_with("E ")),
                "{state}: {said:?}"
            );
        }
        for sql in [CATALOGUE, INFORMATION, "SELECT * FROM kinds"] {
            assert_eq!(
                rows(&mut theirs, sql),
                rows(&mut ours, sql),
                "{sql} after {state}"
            );
        }
        let without_table = |found: Vec<(u32, u16, u32, i16, i32)>| -> Vec<_> {
            found
                .into_iter()
                .map(|(_, place, ty, size, modifier)| (place, ty, size, modifier))
                .collect()
        };
        for sql in [
            "SELECT * FROM kinds",
            "SELECT k.c1, c2 AS other, c1 + 1, (SELECT c2), q.c3 FROM kinds k, (SELECT c3 FROM kinds) q",
            "WITH w AS (SELECT c1, c19 FROM kinds) SELECT c19, c1 FROM w UNION ALL SELECT c19, c1 FROM w",
            "WITH w AS (SELECT c1, c19 FROM kinds) SELECT c19, c1 FROM w",
            "SELECT c2, count(*) FROM kinds GROUP BY c2",
            "SELECT l.c2, r.c2, c1 FROM kinds l LEFT JOIN kinds r USING (c1)",
            "SELECT c52::varchar(2), c15::bpchar, c37::interval(1), c57::numeric(4,1)[], c2::int FROM kinds",
            "SELECT oid, relname FROM pg_class LIMIT 0",
        ] {
            let (expected, found) = (both_ways(&mut theirs, sql), both_ways(&mut ours, sql));
            assert_eq!(
                without_table(expected.clone()),
                without_table(found.clone()),
                "{sql} after {state}"
            );
            // Where they have a table, so have we, and it is the one that the catalogue knows.
            let number = rows(&mut ours, "SELECT 'kinds'::regclass::oid");
            for (expected, found) in expected.iter().zip(&found) {
                assert_eq!(expected.0 == 0, found.0 == 0, "{sql} after {state}");
                if found.0 >= 16_384 {
                    assert!(
                        number[0].contains(&found.0.to_string()),
                        "{sql}: {number:?} {found:?}"
                    );
                } else {
                    assert_eq!(expected.0, found.0, "{sql}");
                }
            }
        }
    }
    // A view's columns are its own.
    let (expected, found) = (
        both_ways(&mut theirs, "SELECT * FROM seen"),
        both_ways(&mut ours, "SELECT * FROM seen"),
    );
    for (expected, found) in expected.iter().zip(&found) {
        assert_eq!((expected.1, expected.2, expected.4), (found.1, found.2, found.4));
    }
    let number = rows(&mut ours, "SELECT 'seen'::regclass::oid");
    assert!(
        found
            .iter()
            .all(|column| number[0].contains(&column.0.to_string()))
    );
    let changed = "INSERT INTO kinds (c1) VALUES (2) RETURNING c1, c2 + 1";
    let (expected, found) = (both_ways(&mut theirs, changed), both_ways(&mut ours, changed));
    assert_eq!(expected[0].1, found[0].1);
    assert!(found[0].0 > 0 && found[1].0 == 0, "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_others_declared_is_told_in_one_way() {
    const COLUMNS: &str = "a INTEGER, b INT, c VARCHAR(20), d CHAR(3), e DATETIME, f DECIMAL(10,2), g REAL, h, i DATE, \
         j TIMESTAMP, k BOOLEAN, l point, m INTERVAL, n \"DOUBLE\", o whatever, p NUMBER(5), q BLOB, r, s BIT";
    const VALUES: &str = "1, 'x', 'y', 'z', '2024-01-01 10:00:00', 1.5, 2.5, 3, 20240101, 1700000000, 1, 'p', 'soon', 1.5, 'w', 5, \
         x'00', 'text', 1";
    let server = super::server::harness::TestServer::start();
    let mut client = server.client();
    for (table, filled) in [("empty", false), ("filled", true)] {
        client.query("SET querent.dialect = sqlite");
        client.query(&format!("CREATE TABLE {table} ({COLUMNS})"));
        if filled {
            client.query(&format!("INSERT INTO {table} VALUES ({VALUES})"));
        }
        client.query("SET querent.dialect = postgresql");
        let told = both_ways(&mut client, &format!("SELECT * FROM {table}"));
        assert_eq!(told.len(), 19);
        let listed = rows(
            &mut client,
            &format!(
                "SELECT a.attnum, a.atttypid, a.atttypmod FROM pg_attribute a WHERE a.attrelid = '{table}'::regclass \
                 AND a.attnum > 0"
            ),
        );
        for (_, place, ty, _, modifier) in told {
            let expected = format!("D {place} | {ty} | {modifier}");
            assert!(listed.contains(&expected), "{table}: {expected} {listed:?}");
        }
    }
}
