//! Values in the binary format, as a type's receive function reads them.

use bytes::Buf;

use super::{
    SqlType, Value, ValueError, array_binary, bits, bytea,
    calendar::{DAY, check_day, check_timestamp, kept_date},
    float,
    interval::Interval,
    kept, macaddr, money, network, numeric, utf8, uuid,
};

/// Seconds from Greenwich that the offset of a `timetz` may not reach (`TZDISP_LIMIT`).
const FARTHEST_OFFSET: i32 = 16 * 3_600;

/// Bytes that are read one after the other.
pub(super) struct ByteReader<'b>(&'b [u8]);

impl<'b> ByteReader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn take(&mut self, length: usize) -> Result<&'b [u8], ValueError> {
        let (taken, rest) = self
            .0
            .split_at_checked(length)
            .ok_or_else(|| ValueError::new("08P01", "insufficient data left in message"))?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn array<const LENGTH: usize>(&mut self) -> Result<[u8; LENGTH], ValueError> {
        let mut bytes = [0; LENGTH];
        bytes.copy_from_slice(self.take(LENGTH)?);
        Ok(bytes)
    }

    pub(super) fn u8(&mut self) -> Result<u8, ValueError> {
        Ok(self.take(1)?.get_u8())
    }

    pub(super) fn u16(&mut self) -> Result<u16, ValueError> {
        Ok(self.take(2)?.get_u16())
    }

    pub(super) fn i16(&mut self) -> Result<i16, ValueError> {
        Ok(self.take(2)?.get_i16())
    }

    pub(super) fn i32(&mut self) -> Result<i32, ValueError> {
        Ok(self.take(4)?.get_i32())
    }

    pub(super) fn i64(&mut self) -> Result<i64, ValueError> {
        Ok(self.take(8)?.get_i64())
    }

    fn rest(&mut self) -> &'b [u8] {
        std::mem::take(&mut self.0)
    }
}

/// Reads a value of the type with this OID, as it is kept. What of it is a client's own text is not looked into.
pub fn receive(oid: u32, bytes: &[u8]) -> Result<Value, ValueError> {
    let Some(ty) = SqlType::from_oid(oid) else {
        return Err(ValueError {
            hint: Some("Send the parameter as text.".into()),
            ..ValueError::new(
                "0A000",
                format!("a binary parameter of the type with OID {oid} is not supported"),
            )
        });
    };
    let mut source = ByteReader::new(bytes);
    let value = one(ty, &mut source)?;
    if source.is_empty() {
        return Ok(value);
    }
    Err(wrong(ty))
}

fn wrong(ty: SqlType) -> ValueError {
    let name = ty.sql_name();
    ValueError::new("22P03", format!("incorrect binary data format for type {name}"))
}

fn one(ty: SqlType, source: &mut ByteReader<'_>) -> Result<Value, ValueError> {
    Ok(match ty {
        SqlType::Bool => Value::Integer((source.u8()? != 0).into()),
        SqlType::Int2 => Value::Integer(source.i16()?.into()),
        SqlType::Int4 => Value::Integer(source.i32()?.into()),
        SqlType::Oid => Value::Integer((source.i32()? as u32).into()),
        SqlType::Int8 => Value::Integer(source.i64()?),
        SqlType::Float4 => {
            let number = f32::from_bits(source.i32()? as u32);
            float::kept(float::kept_float4(number))
        }
        SqlType::Float8 => float::kept(f64::from_bits(source.i64()? as u64)),
        SqlType::Numeric => text(numeric::receive(source)?),
        SqlType::Date => text(kept_date(date(source)?)),
        SqlType::Time => text(kept::time_text(time(source)?)),
        SqlType::Timetz => {
            let (time, west) = (time(source)?, source.i32()?);
            if west <= -FARTHEST_OFFSET || west >= FARTHEST_OFFSET {
                return Err(ValueError::new("22009", "time zone displacement out of range"));
            }
            text(kept::timetz_text(time, -i64::from(west)))
        }
        SqlType::Timestamp => text(kept::keep_timestamp(timestamp(source)?, "")),
        SqlType::Timestamptz => text(kept::keep_timestamp(timestamp(source)?, "+00")),
        SqlType::Interval => {
            let (micros, days, months) = (source.i64()?, source.i32()?, source.i32()?);
            let span = Interval {
                months: months.into(),
                days: days.into(),
                micros,
            };
            text(span.text())
        }
        SqlType::Uuid => text(uuid::text(source.array()?)),
        SqlType::Money => text(money::text(source.i64()?)),
        SqlType::Bit | SqlType::Varbit => text(bits::receive(source)?),
        SqlType::Inet => text(network::receive(source, false)?.text(false)),
        SqlType::Cidr => text(network::receive(source, true)?.text(true)),
        SqlType::Macaddr => text(macaddr::text(source.array()?)),
        SqlType::Bytea => Value::Blob(source.rest().to_vec()),
        SqlType::Jsonb => {
            // The format's version.
            if source.u8()? != 1 {
                return Err(wrong(ty));
            }
            text(utf8(source.rest())?.to_owned())
        }
        SqlType::Text
        | SqlType::Varchar
        | SqlType::Bpchar
        | SqlType::Name
        | SqlType::Char
        | SqlType::Xml
        | SqlType::Json => text(utf8(source.rest())?.to_owned()),
        SqlType::Int2vector => text(array_binary::receive_vector(source, SqlType::Int2, |source| {
            element(SqlType::Int2, source)
        })?),
        SqlType::Oidvector => text(array_binary::receive_vector(source, SqlType::Oid, |source| {
            element(SqlType::Oid, source)
        })?),
        SqlType::Array(of) => text(array_binary::receive(source, *of, |source| element(*of, source))?.text()),
        SqlType::Void => return Err(wrong(ty)),
    })
}

/// The text that an array has of an element.
fn element(ty: SqlType, source: &mut ByteReader<'_>) -> Result<String, ValueError> {
    Ok(match one(ty, source)? {
        Value::Integer(truth) if ty == SqlType::Bool => if truth == 0 { "f" } else { "t" }.to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) if ty == SqlType::Float4 => float::float4_text(number as f32),
        Value::Real(number) => float::float8_text(number),
        Value::Text(text) => utf8(&text)?.to_owned(),
        Value::Blob(bytes) => bytea::text(&bytes),
        Value::Null => return Err(wrong(ty)),
    })
}

fn date(source: &mut ByteReader<'_>) -> Result<i64, ValueError> {
    let days = match source.i32()? {
        i32::MIN => i64::MIN,
        i32::MAX => i64::MAX,
        days => days.into(),
    };
    check_day(days, || "date out of range".to_owned())
}

fn time(source: &mut ByteReader<'_>) -> Result<i64, ValueError> {
    let micros = source.i64()?;
    if !(0..=DAY).contains(&micros) {
        return Err(ValueError::new("22008", "time out of range"));
    }
    Ok(micros)
}

fn timestamp(source: &mut ByteReader<'_>) -> Result<i64, ValueError> {
    check_timestamp(source.i64()?, || "timestamp out of range".to_owned())
}

fn text(text: String) -> Value {
    Value::Text(text.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgtypes::{Format, encode_value, styles::Styles};
    use bytes::BytesMut;

    #[test]
    fn what_is_sent_in_binary_is_read_back() {
        let float8s = SqlType::Float8.array();
        for (ty, value) in [
            (SqlType::Bool, Value::Integer(1)),
            (SqlType::Int2, Value::Integer(-3)),
            (SqlType::Int8, Value::Integer(i64::MIN)),
            (SqlType::Float4, Value::Real(0.1)),
            (SqlType::Float8, Value::Real(2.5)),
            (SqlType::Float4, text("NaN".into())),
            (SqlType::Float8, text("NaN".into())),
            (SqlType::Numeric, text("12.25".into())),
            (SqlType::Numeric, text("0.1234567890123456789".into())),
            (SqlType::Numeric, text("NaN".into())),
            (SqlType::Date, text("2024-03-04".into())),
            (SqlType::Date, text("/9999956-03-15".into())),
            (SqlType::Date, text("-infinity".into())),
            (SqlType::Time, text("01:02:03.5".into())),
            (SqlType::Timetz, text("24:00:00-15:59:59".into())),
            (SqlType::Timestamp, text("2024-03-04 05:06:07".into())),
            (
                SqlType::Timestamptz,
                text(":0294276-12-31 23:59:59.999999+00".into()),
            ),
            (SqlType::Interval, text("-2562047788:00:54.775808".into())),
            (SqlType::Uuid, text("00010203-0405-0607-0809-0a0b0c0d0e0f".into())),
            (SqlType::Jsonb, text("[1]".into())),
            (SqlType::Bytea, Value::Blob(vec![0, 255])),
            (SqlType::Text, text("é".into())),
            (SqlType::Money, text("-$0.50".into())),
            (SqlType::Bit, text("1011000001".into())),
            (SqlType::Varbit, text(String::new())),
            (SqlType::Inet, text("10.1.2.3/8".into())),
            (SqlType::Inet, text("::1".into())),
            (SqlType::Cidr, text("10.0.0.0/8".into())),
            (SqlType::Macaddr, text("08:00:2b:01:02:03".into())),
            (SqlType::Int2vector, text("2 -13".into())),
            (SqlType::Oidvector, text("4294967295".into())),
            (
                SqlType::Text.array(),
                text("{{a,NULL},{\"{b}\",\",\\\"\"}}".into()),
            ),
            (SqlType::Bool.array(), text("{t,f,NULL}".into())),
            (SqlType::Bytea.array(), text("{\"\\\\x00ff\"}".into())),
            (float8s, text("{1.5,1e+20}".into())),
        ] {
            let mut bytes = BytesMut::new();
            encode_value(&value, ty, Format::Binary, &Styles::default(), &mut bytes).unwrap();
            assert_eq!(receive(ty.oid(), &bytes[4..]).unwrap(), value, "{ty:?}");
        }
    }

    /// As PostgreSQL 15 answers, but for bounds.
    #[test]
    fn wrong_bytes_are_errors() {
        let words = |numbers: &[i32]| -> Vec<u8> { numbers.iter().flat_map(|n| n.to_be_bytes()).collect() };
        let int4s = SqlType::Int4.array();
        for (ty, bytes, expected) in [
            (SqlType::Int4, vec![1], "08P01"),
            (SqlType::Int4, vec![0; 5], "22P03"),
            (SqlType::Numeric, vec![0; 3], "08P01"),
            (SqlType::Date, words(&[-2_451_546]), "22008"),
            (SqlType::Date, words(&[2_145_031_949]), "22008"),
            (SqlType::Time, 86_400_000_001_i64.to_be_bytes().to_vec(), "22008"),
            (SqlType::Timetz, words(&[0, 0, 57_600]), "22009"),
            (SqlType::Timetz, words(&[0, 0, i32::MIN]), "22009"),
            (
                SqlType::Timestamptz,
                0x8000_000d_65a6_b900_u64.to_be_bytes().to_vec(),
                "22008",
            ),
            (
                SqlType::Timestamp,
                9_223_371_331_200_000_000_i64.to_be_bytes().to_vec(),
                "22008",
            ),
            (
                SqlType::Timestamp,
                (-211_813_488_000_000_001_i64).to_be_bytes().to_vec(),
                "22008",
            ),
            (SqlType::Inet, vec![9, 32, 0, 4, 1, 2, 3, 4], "22P03"),
            (SqlType::Inet, vec![2, 33, 0, 4, 1, 2, 3, 4], "22P03"),
            (SqlType::Cidr, vec![2, 8, 1, 4, 1, 2, 3, 4], "22P03"),
            (SqlType::Bit, words(&[-1]), "22P03"),
            (SqlType::Bit, words(&[9]), "08P01"),
            (SqlType::Text, vec![0xc3], "22021"),
            (int4s, words(&[0, 0]), "08P01"),
            (int4s, words(&[-1, 0, 23]), "22P03"),
            (int4s, words(&[7, 0, 23]), "54000"),
            (int4s, words(&[1, 2, 23, 1, 1, 4, 7]), "22P03"),
            (int4s, words(&[1, 0, 25, 1, 1, 4, 7]), "42804"),
            (int4s, words(&[1, 0, 23, -1, 1]), "54000"),
            (int4s, words(&[1, 0, 23, 134_217_728, 1]), "54000"),
            (int4s, words(&[2, 0, 23, 65_536, 1, 65_536, 1]), "54000"),
            (int4s, words(&[1, 0, 23, 1, i32::MAX, 4, 7]), "54000"),
            (int4s, words(&[1, 0, 23, 2, 1, 4, 7]), "08P01"),
            (int4s, words(&[1, 0, 23, 1, 1, -2]), "22P03"),
            (int4s, words(&[1, 0, 23, 1, 1, 8, 7, 7]), "22P03"),
            (int4s, words(&[1, 0, 23, 1, 1, 4, 7, 7]), "22P03"),
            (int4s, words(&[1, 0, 23, 2, 0, 4, 7, 4, 8]), "0A000"),
        ] {
            let error = receive(ty.oid(), &bytes).unwrap_err();
            assert_eq!(error.sqlstate, expected, "{ty:?} {bytes:?}");
        }
        let error = receive(600, &[0; 16]).unwrap_err();
        assert_eq!(
            error.message,
            "a binary parameter of the type with OID 600 is not supported"
        );
    }
}
