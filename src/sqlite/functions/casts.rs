//! Text read as a value of a type, and what casts need beside it.

use super::{
    Nature::{Lenient, Strict},
    Out, Scalar, V, advance, allowance, array, bytea, datetime, digits, fail, json,
};
use crate::{
    error,
    pgtypes::{self, SqlType, bits, float::float8_text},
};

/// Bytes that tell whether a text is a value of a type whose values are short, or what is wrong with it.
const TELLING: usize = 4 << 10;

/// A text as a value of a type, by the type's internal name. Who asks for a type that is none of ours gets the text.
pub(super) fn read(text: &str, ty: &str) -> Out {
    match SqlType::named(ty) {
        Some(ty) => of_type(text, ty),
        None => Ok(text.into()),
    }
}

/// A text as a value of a type.
pub(super) fn of_type(text: &str, ty: SqlType) -> Out {
    match ty {
        SqlType::Json => json::check(text),
        SqlType::Jsonb => json::normal(text),
        SqlType::Array(of) => array::read(text, *of),
        SqlType::Bytea => bytea::read(text),
        SqlType::Bit | SqlType::Varbit => bits_of(text),
        SqlType::Numeric => plain(&digits::short(text)?, ty),
        SqlType::Int2vector | SqlType::Oidvector => plain(text, ty),
        _ if ty.takes_any_text() => plain(text, ty),
        _ => short(text, ty),
    }
}

/// A value that another program stored, in the spelling of the type; what is none of that type stays as it is.
fn canonical(value: &V, ty: &V, scale: Option<&V>) -> V {
    let ty = ty.as_text();
    let Some(ty) = SqlType::named(&ty).filter(|_| value.length() <= TELLING) else {
        return value.clone();
    };
    let scale = scale.and_then(|scale| scale.int().try_into().ok());
    let canonical = pgtypes::canonical(&value.clone().into(), ty, scale);
    canonical.map_or_else(|| value.clone(), V::from)
}

fn plain(text: &str, ty: SqlType) -> Out {
    datetime::around(|around| Ok(pgtypes::read(text, ty, around)?.into()))
}

/// Of a type whose values are short: a long text is none, for what is wrong with its beginning.
fn short(text: &str, ty: SqlType) -> Out {
    if text.len() <= TELLING {
        return plain(text, ty);
    }
    let text = allowance::trimmed(text)?;
    let beginning = error::beginning(text, TELLING);
    let found = plain(beginning, ty)?;
    if beginning.len() < text.len() {
        return fail(
            "22P02",
            format!("invalid input syntax for type {}: \"{beginning}\"", ty.name()),
        );
    }
    Ok(found)
}

/// Piece by piece, each of which is of the same digits as the first.
fn bits_of(text: &str) -> Out {
    let (prefix, rest) = match text.as_bytes().first() {
        Some(b'b' | b'B' | b'x' | b'X') => text.split_at(1),
        _ => ("b", text),
    };
    let mut all = String::with_capacity(rest.len());
    for piece in allowance::wanted_texts(rest) {
        all.push_str(&bits::read(&[prefix, piece].concat())?);
    }
    Ok(all.into())
}

/// Any value as clients are shown it who are told of text.
fn as_text(value: &V) -> String {
    match value {
        V::Blob(bytes) => bytea::text(bytes),
        other => other.text(),
    }
}

/// The number that is shown as this text; the text where there is none.
fn shown_so(text: &str) -> V {
    number_of(text)
        .filter(|number| number.text() == text)
        .unwrap_or_else(|| text.into())
}

fn number_of(text: &str) -> Option<V> {
    let whole = text.parse().ok().map(V::Int);
    whole.or_else(|| text.parse().ok().map(V::Real))
}

/// A value of a column of any type that is to be a number.
fn any_number(value: &V) -> Out {
    match value {
        V::Int(_) | V::Real(_) => Ok(value.clone()),
        other => {
            let digits = short(&as_text(other), SqlType::Numeric)?;
            Ok(number_of(&digits.text()).unwrap_or(digits))
        }
    }
}

/// The same, as it is kept.
fn no_word(value: &V) -> Out {
    any_number(value).map(|_| value.clone())
}

/// What stands for a NULL that a key does not take where its row is told; of a number no spelling is such.
pub(in crate::sqlite) const REFUSED_NULL: &str = "null";

/// A value for a column of a table in whose place SQLite would put a number of its own. The error is told as SQLite tells
/// it of other columns.
fn no_null(value: &V, column: &V, table: &V) -> Out {
    match value {
        V::Null if advance::is_again() => Ok(REFUSED_NULL.into()),
        V::Null => fail(
            "23502",
            format!("NOT NULL constraint failed: {}.{}", table.text(), column.text()),
        ),
        value => Ok(value.clone()),
    }
}

/// Casts.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_any_number", 1, Strict, |v| any_number(&v[0])),
    ("pg_no_null", 3, Lenient, |v| no_null(&v[0], &v[1], &v[2])),
    ("pg_no_word", 1, Strict, |v| no_word(&v[0])),
    ("pg_canonical", 2, Strict, |v| Ok(canonical(&v[0], &v[1], None))),
    ("pg_canonical", 3, Strict, |v| {
        Ok(canonical(&v[0], &v[1], Some(&v[2])))
    }),
    ("pg_in_int2", 1, Strict, |v| of_type(&v[0].text(), SqlType::Int2)),
    ("pg_in_int4", 1, Strict, |v| of_type(&v[0].text(), SqlType::Int4)),
    ("pg_in_int8", 1, Strict, |v| of_type(&v[0].text(), SqlType::Int8)),
    ("pg_in_oid", 1, Strict, |v| of_type(&v[0].text(), SqlType::Oid)),
    ("pg_in_float4", 1, Strict, |v| {
        of_type(&v[0].text(), SqlType::Float4)
    }),
    ("pg_in_float8", 1, Strict, |v| {
        of_type(&v[0].text(), SqlType::Float8)
    }),
    // Of a decimal number, whose digits may be too many for one with a floating point.
    ("pg_num_float4", 1, Strict, |v| {
        of_type(&v[0].text(), SqlType::Float4)
    }),
    ("pg_num_float8", 1, Strict, |v| match &v[0] {
        V::Text(text) => of_type(text, SqlType::Float8),
        other => Ok(V::Real(other.real())),
    }),
    ("pg_in_numeric", 1, Strict, |v| {
        of_type(&v[0].text(), SqlType::Numeric)
    }),
    ("pg_in_bool", 1, Strict, |v| of_type(&v[0].text(), SqlType::Bool)),
    ("pg_in_uuid", 1, Strict, |v| of_type(&v[0].text(), SqlType::Uuid)),
    ("pg_in_json", 1, Strict, |v| of_type(&v[0].text(), SqlType::Json)),
    ("pg_in_jsonb", 1, Strict, |v| {
        of_type(&v[0].text(), SqlType::Jsonb)
    }),
    ("pg_in_timetz", 1, Strict, |v| {
        of_type(&v[0].text(), SqlType::Timetz)
    }),
    ("pg_in_bit", 1, Strict, |v| of_type(&v[0].text(), SqlType::Bit)),
    ("pg_in_varbit", 1, Strict, |v| {
        of_type(&v[0].text(), SqlType::Varbit)
    }),
    ("pg_in_inet", 1, Strict, |v| of_type(&v[0].text(), SqlType::Inet)),
    ("pg_in_cidr", 1, Strict, |v| of_type(&v[0].text(), SqlType::Cidr)),
    ("pg_in_macaddr", 1, Strict, |v| {
        of_type(&v[0].text(), SqlType::Macaddr)
    }),
    ("pg_in_money", 1, Strict, |v| {
        of_type(&v[0].text(), SqlType::Money)
    }),
    ("pg_in_char", 1, Strict, |v| of_type(&v[0].text(), SqlType::Char)),
    ("pg_in_date", 1, Strict, |v| of_type(&v[0].text(), SqlType::Date)),
    ("pg_in_time", 1, Strict, |v| of_type(&v[0].text(), SqlType::Time)),
    ("pg_in_timestamp", 1, Strict, |v| {
        of_type(&v[0].text(), SqlType::Timestamp)
    }),
    ("pg_in_timestamptz", 1, Strict, |v| {
        of_type(&v[0].text(), SqlType::Timestamptz)
    }),
    ("pg_in_interval", 1, Strict, |v| {
        of_type(&v[0].text(), SqlType::Interval)
    }),
    ("pg_in_bytea", 1, Strict, |v| {
        of_type(&v[0].text(), SqlType::Bytea)
    }),
    ("pg_in_xml", 1, Strict, |v| Ok(v[0].clone())),
    ("pg_text_bool", 1, Strict, |v| {
        Ok(if v[0].int() == 0 { "false" } else { "true" }.into())
    }),
    ("pg_tag_bool", 1, Strict, |v| {
        Ok(if v[0].int() == 0 { "f" } else { "t" }.into())
    }),
    ("pg_text_any", 1, Strict, |v| Ok(float8_text(v[0].real()).into())),
    ("pg_as_text", 1, Strict, |v| Ok(as_text(&v[0]).into())),
    ("pg_shown_so", 1, Strict, |v| Ok(shown_so(&v[0].text()))),
];
