//! Values that clients bind in both formats: what PostgreSQL makes of them, and what a SQLite file does.

use super::{
    differential::Pair,
    server::raw::{Client, frame, string},
};

/// Binds one value and gives what comes back: the value, or the code of an error.
fn bound(
    client: &mut Client,
    ty: u32,
    name: &str,
    (binary, value): (bool, &[u8]),
    as_binary: bool,
) -> String {
    let mut parse = [string(""), string(&format!("SELECT $1::{name}"))].concat();
    parse.extend([0, 1]);
    parse.extend(ty.to_be_bytes());
    let mut bind = vec![0, 0, 0, 1, 0, binary.into(), 0, 1];
    bind.extend((value.len() as u32).to_be_bytes());
    bind.extend(value);
    bind.extend([0, 1, 0, as_binary.into()]);
    let execute = [0, 0, 0, 0, 0];
    let messages = [
        frame(b'P', &parse),
        frame(b'B', &bind),
        frame(b'E', &execute),
        frame(b'S', b""),
    ];
    client.send(&messages.concat());
    let mut found = String::new();
    loop {
        let (tag, body) = client.message().unwrap();
        match tag {
            b'D' if as_binary => found = format!("{:02x?}", &body[6..]),
            b'D' => found = String::from_utf8_lossy(&body[6..]).into_owned(),
            b'E' => {
                let code = body
                    .split(|byte| *byte == 0)
                    .find(|field| field.starts_with(b"C"));
                found = String::from_utf8_lossy(&code.unwrap()[1..]).into_owned();
            }
            b'Z' => return found,
            _ => {}
        }
    }
}

fn hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u8> = digits.bytes().filter(|byte| *byte != b' ').collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

/// Types by number and name, with values in hexadecimal digits.
const BINARY: &[(u32, &str, &[&str])] = &[
    (
        1184,
        "timestamptz",
        &[
            "8000000d65a6b900",
            "8000000000000000",
            "7fffffffffffffff",
            "7ffffffffffffffe",
            "fd0f7cc141200000",
            "fd0f7cc1411f9fff",
            "7fffff5bb3b29fff",
            "7fffff5bb3b2a000",
        ],
    ),
    (
        1114,
        "timestamp",
        &["8000000d65a6b900", "7fffff5bb3b29fff", "7fffff5bb3b2a000", "00"],
    ),
    (
        1082,
        "date",
        &[
            "ffda97a7", "ffda97a6", "7fda970c", "7fda970d", "7fffffff", "80000000", "fff4dbf8",
        ],
    ),
    (
        1083,
        "time",
        &["000000141dd76000", "000000141dd76001", "ffffffffffffffff"],
    ),
    (
        1266,
        "timetz",
        &[
            "000000141dd760000000e0ff",
            "00000000000000000000e100",
            "000000000000000580000000",
        ],
    ),
    (
        1186,
        "interval",
        &[
            "80000000000000000000000000000000",
            "7fffffffffffffff8000000080000000",
            "ffffffffffffffff00000001ffffffff",
        ],
    ),
    (700, "float4", &["3dcccccd", "7f800000", "00000001", "3f80"]),
    (
        701,
        "float8",
        &["3ff8000000000000", "fff0000000000000", "8000000000000000"],
    ),
    (
        1700,
        "numeric",
        &[
            "00000000c0000000",
            "00000000d0000000",
            "00000000f0000000",
            "0000000040000000",
            "0001ffff00000002007b",
            "00010000000000002710",
            "00000000c000ffff",
            "0001000000000000",
        ],
    ),
    (790, "money", &["7fffffffffffffff", "8000000000000000"]),
    (
        869,
        "inet",
        &["020800040a000000", "0221000401020304", "0920000401020304"],
    ),
    (650, "cidr", &["020801040a000000", "0208010401020304"]),
    (1560, "bit", &["0000000180", "ffffffff"]),
    (
        1007,
        "int4[]",
        &[
            "00000000 00000000 00000017",
            "00000001 00000001 00000017 00000002 00000001 ffffffff 00000004 00000008",
            "00000002 00000000 00000017 00000001 00000001 00000002 00000001 00000004 00000007 00000004 00000008",
            "00000001 00000000 00000019 00000001 00000001 00000004 00000007",
            "00000001 00000002 00000017 00000001 00000001 00000004 00000007",
            "00000007 00000000 00000017",
            "ffffffff 00000000 00000017",
            "00000001 00000000 00000017 08000000 00000001",
            "00000001 00000000 00000017 00000001 7fffffff 00000004 00000007",
            "00000001 00000000 00000017 00000002 00000001 00000004 00000007",
            "00000001 00000000 00000017 00000001 00000001 fffffffe",
        ],
    ),
    (
        1182,
        "date[]",
        &["00000001 00000000 0000043a 00000001 00000001 00000004 ffda97a6"],
    ),
];

/// Types by number and name, with values as text.
const TEXT: &[(u32, &str, &[&str])] = &[
    (
        1186,
        "interval",
        &["-9223372036854775808 us", "178956970 years 8 months"],
    ),
    (700, "float4", &["1e39", "1e-46", "0.1"]),
    (1700, "numeric", &["Infinity", "-inf", "1e131072", "-0.00"]),
    (
        790,
        "money",
        &["92233720368547758.07", "92233720368547758.08", "5-", "1e3"],
    ),
    (869, "inet", &["10/8", "10.1/16", "1.2.3.4/", "::1.2.3.4"]),
    (650, "cidr", &["10", "192.168", "224", "10.1.2.3/8"]),
    (26, "oid", &["-1", "4294967296"]),
    (
        1007,
        "int4[]",
        &["{{1,2},{3,4}}", "{{1,2},{3}}", "[1:2]={1,2}", "{1,}"],
    ),
    (1009, "text[]", &["{{a,b},{c,NULL}}", "{\"{\"}", "{a\"b}"]),
    (
        1184,
        "timestamptz",
        &["294277-01-01+00", "2024-01-01 00:00:00+16"],
    ),
    (
        2950,
        "uuid",
        &[
            "{00010203-0405-0607-0809-0a0b0c0d0e0f}",
            "00010203-0405-0607-0809-0a0b0c0d0e0f}",
        ],
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn bound_values_are_what_they_are_on_postgresql() {
    let Some(pair) = Pair::start().await else {
        return;
    };
    let mut theirs = Client::connect(pair.postgres.port);
    theirs.log_in();
    let mut ours = pair.sqlite.client();
    for client in [&mut theirs, &mut ours] {
        client.query("SET TimeZone = 'UTC'");
    }
    let binary = BINARY
        .iter()
        .flat_map(|(ty, name, values)| values.iter().map(move |value| (*ty, *name, true, hex(value))));
    let text = TEXT.iter().flat_map(|(ty, name, values)| {
        values
            .iter()
            .map(move |value| (*ty, *name, false, value.as_bytes().to_vec()))
    });
    for (ty, name, is_binary, value) in binary.chain(text) {
        for as_binary in [false, true] {
            let bytes = (is_binary, value.as_slice());
            assert_eq!(
                bound(&mut ours, ty, name, bytes, as_binary),
                bound(&mut theirs, ty, name, bytes, as_binary),
                "{name} {value:02x?}"
            );
        }
    }
}

/// What PostgreSQL takes and SQLite has nothing for is refused, and not kept as something else; what is no number is kept.
#[test]
fn what_sqlite_has_nothing_for_is_refused() {
    let server = super::server::harness::TestServer::start();
    let mut client = server.client();
    let value = "00000001 00000000 00000017 00000001 00000000 00000004 00000007";
    let found = bound(&mut client, 1007, "int4[]", (true, &hex(value)), false);
    assert_eq!(found, "0A000", "bounds that do not begin at 1");
    for (ty, name, value) in [(700, "float4", "7fc00000"), (701, "float8", "7ff8000000000000")] {
        let found = bound(&mut client, ty, name, (true, &hex(value)), false);
        assert_eq!(found, "NaN", "{name}");
    }
}
