//! Texts in all the spellings that PostgreSQL's input functions take, as values as they are kept.

use super::{
    SqlType, Value, ValueError, bits, boolean, bytea,
    calendar::kept_date,
    datetime::{self, Surroundings},
    float, integer,
    interval::Interval,
    kept, macaddr, money, network, numeric, uuid,
};

/// A text as a value of a type. Documents of `json` and `jsonb`, and arrays of any type, are for the caller to read: nothing
/// here asks how long it may take.
pub(crate) fn read(text: &str, ty: SqlType, around: &Surroundings<'_>) -> Result<Value, ValueError> {
    Ok(match ty {
        SqlType::Date => of_text(kept_date(datetime::read_date(text, around)?)),
        SqlType::Time => of_text(kept::time_text(datetime::read_time(text, around)?)),
        SqlType::Timetz => {
            let (time, offset) = datetime::read_timetz(text, around)?;
            of_text(kept::timetz_text(time, offset))
        }
        SqlType::Timestamp => of_text(kept::keep_timestamp(datetime::read_timestamp(text, around)?, "")),
        SqlType::Timestamptz => of_text(kept::keep_timestamp(
            datetime::read_timestamptz(text, around)?,
            "+00",
        )),
        _ => return read_timeless(text, ty),
    })
}

/// The same of a type whose texts mean the same at all times and in all zones.
pub(super) fn read_timeless(text: &str, ty: SqlType) -> Result<Value, ValueError> {
    Ok(match ty {
        SqlType::Bool => Value::Integer(boolean::read(text)?.into()),
        SqlType::Int2 => Value::Integer(integer::read_int2(text)?),
        SqlType::Int4 => Value::Integer(integer::read_int4(text)?),
        SqlType::Int8 => Value::Integer(integer::read_int8(text)?),
        SqlType::Oid => Value::Integer(integer::read_oid(text)?),
        SqlType::Float4 => float::kept(float::read_float4(text)?),
        SqlType::Float8 => float::kept(float::read_float8(text)?),
        SqlType::Numeric => of_text(numeric::read(text)?),
        SqlType::Bytea => Value::Blob(bytea::of(text)?),
        SqlType::Uuid => of_text(uuid::text(uuid::read(text)?)),
        SqlType::Interval => of_text(Interval::read(text)?.text()),
        SqlType::Bit | SqlType::Varbit => of_text(bits::read(text)?),
        SqlType::Inet => of_text(network::read(text, false)?.text(false)),
        SqlType::Cidr => of_text(network::read(text, true)?.text(true)),
        SqlType::Macaddr => of_text(macaddr::text(macaddr::read(text)?)),
        SqlType::Money => of_text(money::text(money::read(text)?)),
        SqlType::Char => of_text(text.chars().take(1).collect()),
        _ => of_text(text.to_owned()),
    })
}

pub(super) fn of_text(text: String) -> Value {
    Value::Text(text.into_bytes())
}
