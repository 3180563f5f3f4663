//! How PostgreSQL orders the values of a type whose text SQLite would order otherwise: by the type's name, and as
//! collations that are called after it.
#![expect(clippy::unnecessary_wraps, reason = "the functions of a table have one type")]

use std::{cmp::Ordering, net::IpAddr};

use rusqlite::{Connection, Result};

use super::{
    Nature::{Lenient, Strict},
    Out, Scalar, V, allowance, array, array_out, datetime,
    decimal::{self, Decimal},
    interval::Interval,
    json_value::{self, Json, Key},
    record,
};
use crate::pgtypes::{float, money};

/// The types that have a collation of their own.
const TYPES: [&str; 6] = ["numeric", "interval", "jsonb", "inet", "money", "timetz"];
/// What the elements of an array are, where the array has a collation: all other texts are in the order of their bytes.
const ELEMENTS: [&str; 9] = [
    "text", "bpchar", "float8", "numeric", "interval", "jsonb", "inet", "money", "timetz",
];

/// Adds the collations.
pub(super) fn add(connection: &Connection) -> Result<()> {
    for ty in TYPES {
        connection.create_collation(format!("pg_{ty}").as_str(), move |one, other| {
            unless_given_up((one, other), || texts(ty, one, other))
        })?;
    }
    for of in ELEMENTS {
        let name = format!("pg_array_{of}");
        connection.create_collation(name.as_str(), move |one, other| {
            unless_given_up((one, other), || arrays(of, one, other))
        })?;
    }
    connection.collation_needed(|connection, name| {
        // Of rows there is one for all types that their fields may have.
        let Some(types) = name.strip_prefix("pg_row").and_then(types_of_row) else {
            return Ok(());
        };
        let types: Vec<String> = types.into_iter().map(str::to_owned).collect();
        connection.create_collation(name, move |one, other| {
            unless_given_up((one, other), || rows(&types, one, other))
        })
    })
}

/// A comparison, unless its statement is to stop.
fn unless_given_up((one, other): (&str, &str), compare: impl FnOnce() -> Ordering) -> Ordering {
    if allowance::gives_up(one.len() + other.len()) {
        Ordering::Equal
    } else {
        compare()
    }
}

/// The types of a row's fields out of `(int4,numeric,(text,date))`.
fn types_of_row(list: &str) -> Option<Vec<&str>> {
    let inner = list.strip_prefix('(')?.strip_suffix(')')?;
    let (mut types, mut depth, mut start) = (vec![], 0_usize, 0);
    for (at, character) in inner.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                types.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    types.push(&inner[start..]);
    Some(types)
}

/// Rows field by field (`record_cmp`).
fn rows(types: &[impl AsRef<str>], one: &str, other: &str) -> Ordering {
    let (Ok(Some(ones)), Ok(Some(others))) = (record::fields(one), record::fields(other)) else {
        return one.cmp(other);
    };
    let pairs = types.iter().zip(ones.iter().zip(&others));
    pairs
        .map(|(ty, (one, other))| match (one, other) {
            (Some(one), Some(other)) => texts(ty.as_ref(), one, other),
            _ => one.is_none().cmp(&other.is_none()),
        })
        .find(|order| order.is_ne())
        .unwrap_or_else(|| ones.len().cmp(&others.len()))
}

/// Two values of a type, of which NULL is behind all others.
pub(super) fn values(ty: &str, one: &V, other: &V) -> Ordering {
    match (one, other) {
        (V::Null, _) | (_, V::Null) => one.is_null().cmp(&other.is_null()),
        (V::Int(one), V::Int(other)) => one.cmp(other),
        (V::Blob(one), V::Blob(other)) => one.cmp(other),
        (V::Int(_) | V::Real(_), V::Int(_) | V::Real(_)) => float::order(one.real(), other.real()),
        _ => {
            allowance::has_taken(one.length() + other.length());
            texts(ty, &one.text(), &other.text())
        }
    }
}

/// Two values of a type as they are kept. What is no value of it comes behind.
fn texts(ty: &str, one: &str, other: &str) -> Ordering {
    if let Some(of) = ty.strip_prefix('_') {
        return arrays(of, one, other);
    }
    if let Some(types) = types_of_row(ty) {
        return rows(&types, one, other);
    }
    match ty {
        "int2" | "int4" | "int8" | "oid" | "numeric" => decimal::collate(one, other),
        "float4" | "float8" => match (one.parse::<f64>(), other.parse()) {
            (Ok(one), Ok(other)) => float::order(one, other),
            _ => one.cmp(other),
        },
        "bpchar" => one.trim_end_matches(' ').cmp(other.trim_end_matches(' ')),
        "interval" => by(one, other, |text| Interval::read(text).ok().map(Interval::key)),
        "inet" | "cidr" => by(one, other, network),
        "money" => by(one, other, |text| money::read(text).ok()),
        "timetz" => by(one, other, moment),
        "jsonb" => match (json_value::read(one), json_value::read(other)) {
            (Ok(one), Ok(other)) => whole_documents(&one, &other),
            _ => one.cmp(other),
        },
        _ => one.cmp(other),
    }
}

fn by<K: Ord>(one: &str, other: &str, key: fn(&str) -> Option<K>) -> Ordering {
    match (key(one), key(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => one.cmp(other),
    }
}

/// Arrays element by element, then by their length (`array_cmp`).
fn arrays(of: &str, one: &str, other: &str) -> Ordering {
    let (Ok(ones), Ok(others)) = (array::leaves(one), array::leaves(other)) else {
        return one.cmp(other);
    };
    let pairs = ones.iter().zip(&others).map(|(one, other)| match (one, other) {
        (Some(one), Some(other)) => texts(of, one, other),
        _ => one.is_none().cmp(&other.is_none()),
    });
    let dimensions = |text: &str| text.chars().take_while(|character| *character == '{').count();
    pairs
        .into_iter()
        .find(|order| order.is_ne())
        .unwrap_or_else(|| ones.len().cmp(&others.len()))
        .then_with(|| dimensions(one).cmp(&dimensions(other)))
}

/// Networks by their common bits, then by how many there are, then by the rest (`network_cmp`).
fn network(text: &str) -> Option<(bool, Shared, u32, u128)> {
    let (host, bits) = text.split_once('/').unwrap_or((text, ""));
    let address: IpAddr = host.parse().ok()?;
    let (number, most) = match address {
        IpAddr::V4(address) => (u128::from(u32::from(address)), 32),
        IpAddr::V6(address) => (u128::from(address), 128),
    };
    let bits = if bits.is_empty() { most } else { bits.parse().ok()? };
    let shared = Shared { number, bits, most };
    Some((address.is_ipv6(), shared, bits, number))
}

/// An address of which only the bits count that the other one's network has too.
struct Shared {
    number: u128,
    bits: u32,
    most: u32,
}

impl Ord for Shared {
    fn cmp(&self, other: &Self) -> Ordering {
        let bits = self.bits.min(other.bits);
        let first = |shared: &Self| {
            let behind = shared.most.saturating_sub(bits);
            shared.number.checked_shr(behind).unwrap_or(0)
        };
        first(self).cmp(&first(other))
    }
}

impl PartialOrd for Shared {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Shared {}

/// A `timetz` by its moment in UTC, and of the same moment the one farther to the east first (`timetz_cmp`).
fn moment(text: &str) -> Option<(i64, i64)> {
    let read = datetime::read(text, "time with time zone").ok()?;
    let east = read.offset.unwrap_or(0);
    Some((read.time? - east, -east))
}

/// Whole documents of `jsonb`: one that is no array or object is compared as the one element of an array, so that an array
/// without elements is before it.
fn whole_documents(one: &Json, other: &Json) -> Ordering {
    let is_empty = |document: &Json| matches!(document, Json::Array(values) if values.is_empty());
    let is_scalar = |document: &Json| !matches!(document, Json::Array(_) | Json::Object(_));
    match (is_empty(one), is_empty(other)) {
        (true, _) if is_scalar(other) => Ordering::Less,
        (_, true) if is_scalar(one) => Ordering::Greater,
        _ => documents(one, other),
    }
}

/// Documents of `jsonb` and what is within them (`compareJsonbContainers`).
fn documents(one: &Json, other: &Json) -> Ordering {
    match (one, other) {
        (Json::String(one), Json::String(other)) => one.cmp(other),
        (Json::Bool(one), Json::Bool(other)) => one.cmp(other),
        (Json::Number(one), Json::Number(other)) => numbers(one, other),
        (Json::Array(ones), Json::Array(others)) => {
            let parts = ones.iter().zip(others);
            let first = parts
                .map(|(one, other)| documents(one, other))
                .find(|order| order.is_ne());
            (ones.len().cmp(&others.len())).then(first.unwrap_or(Ordering::Equal))
        }
        (Json::Object(ones), Json::Object(others)) => {
            let parts = ones.iter().zip(others);
            let first = parts
                .map(|((Key(key), one), (Key(name), other))| {
                    key.cmp(name).then_with(|| documents(one, other))
                })
                .find(|order| order.is_ne());
            (ones.len().cmp(&others.len())).then(first.unwrap_or(Ordering::Equal))
        }
        _ => rank(one).cmp(&rank(other)),
    }
}

fn numbers(one: &str, other: &str) -> Ordering {
    if let Some(order) = decimal::compared(one, other) {
        return order;
    }
    let real = |text: &str| text.parse::<f64>().unwrap_or(0.0);
    float::order(real(one), real(other))
}

fn rank(document: &Json) -> u8 {
    match document {
        Json::Null => 0,
        Json::String(_) => 1,
        Json::Number(_) => 2,
        Json::Bool(_) => 3,
        Json::Array(_) => 4,
        Json::Object(_) => 5,
    }
}

/// A text that all equal values of a type have.
fn plain(ty: &str, text: &str) -> String {
    let found = match ty {
        "numeric" => Decimal::parse(text).map(|number| number.trimmed().to_string()),
        "interval" => Interval::read(text).ok().map(|span| span.key().to_string()),
        _ => None,
    };
    found.unwrap_or_else(|| text.to_owned())
}

/// The first of several values of a type, or the last; NULL is none of them.
fn extreme(all: &[V], wanted: Ordering) -> Out {
    let Some((ty, all)) = all.split_first() else {
        return Ok(V::Null);
    };
    let ty = ty.text();
    let known = all.iter().filter(|value| !value.is_null());
    let best = known.reduce(|best, value| {
        if values(&ty, value, best) == wanted {
            value
        } else {
            best
        }
    });
    Ok(best.cloned().unwrap_or(V::Null))
}

/// GREATEST and LEAST of a type, whose name comes first; values and arrays in the form in which equal ones are the same text.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_plain", 2, Strict, |v| {
        Ok(plain(&v[1].text(), &v[0].text()).into())
    }),
    ("pg_array_plain", 2, Strict, |v| {
        let ty = v[1].text();
        let all = array::leaves(&v[0].text())?.into_iter();
        let all: Vec<array::Element> = all.map(|element| element.map(|text| plain(&ty, &text))).collect();
        Ok(array_out::array_text(&all)?.into())
    }),
    ("pg_greatest_of", -1, Lenient, |v| extreme(v, Ordering::Greater)),
    ("pg_least_of", -1, Lenient, |v| extreme(v, Ordering::Less)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_in_the_order_of_their_type() {
        // Each list is in PostgreSQL's order, and no two of it are equal.
        for (ty, list) in [
            ("numeric", &["-2", "1.5", "9", "10.00"] as &[&str]),
            ("interval", &["-1 days", "23:00:00", "1 day", "1 mon", "1 year"]),
            ("money", &["-$5.00", "$9.00", "$1,000.00"]),
            (
                "inet",
                &["9.0.0.0/8", "10.0.0.0/8", "10.0.0.0/16", "10.0.0.1", "::1"],
            ),
            ("timetz", &["10:00:00+02", "09:00:00+00", "08:00:00-02"]),
            (
                "jsonb",
                &[
                    "[]", "null", "\"a\"", "\"b\"", "2", "10", "false", "true", "[1]", "[2]", "[1, 1]", "{}",
                ],
            ),
            ("_int4", &["{}", "{2}", "{2,1}", "{10}", "{NULL}"]),
            ("_text", &["{10}", "{2}", "{a,b}"]),
            ("_interval", &["{23:00:00}", "{\"1 day\"}"]),
            (
                "(int4,numeric,(text,interval))",
                &[
                    "(1,1.5,)",
                    "(2,1.0,\"(a,1 day)\")",
                    "(2,1.00,\"(a,25:00:00)\")",
                    "(10,,)",
                ],
            ),
        ] {
            for (at, one) in list.iter().enumerate() {
                for (place, other) in list.iter().enumerate() {
                    assert_eq!(texts(ty, one, other), at.cmp(&place), "{ty}: {one} and {other}");
                }
            }
        }
        for (ty, one, other) in [
            ("numeric", "1.0", "1.00"),
            ("interval", "1 day", "24:00:00"),
            ("bpchar", "a", "a  "),
            ("jsonb", "1.0", "1"),
            ("(int4,numeric)", "(1,1.0)", "(1,1.00)"),
            (
                "(_numeric,(interval))",
                "({1.0},\"(1 mon)\")",
                "({1.00},\"(30 days)\")",
            ),
        ] {
            assert_eq!(texts(ty, one, other), Ordering::Equal, "{ty}: {one} and {other}");
        }
    }
}
