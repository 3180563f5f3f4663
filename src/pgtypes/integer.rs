//! Whole numbers: `smallint`, `integer`, `bigint` and `oid`.

use super::ValueError;

/// A text as a `smallint`.
pub(crate) fn read_int2(text: &str) -> Result<i64, ValueError> {
    read(text, i16::MIN.into(), i16::MAX.into(), "smallint")
}

/// A text as an `integer`.
pub(crate) fn read_int4(text: &str) -> Result<i64, ValueError> {
    read(text, i32::MIN.into(), i32::MAX.into(), "integer")
}

/// A text as a `bigint`.
pub(crate) fn read_int8(text: &str) -> Result<i64, ValueError> {
    read(text, i64::MIN, i64::MAX, "bigint")
}

/// A text as an `oid`. A negative number counts from the end, as C's `strtoul` has it.
pub(crate) fn read_oid(text: &str) -> Result<i64, ValueError> {
    let number = read(text, i32::MIN.into(), u32::MAX.into(), "oid")?;
    Ok(i64::from(number as u32))
}

fn read(text: &str, min: i64, max: i64, name: &str) -> Result<i64, ValueError> {
    let trimmed = text.trim_ascii();
    match trimmed.parse::<i64>() {
        Ok(number) if (min..=max).contains(&number) => Ok(number),
        Ok(_) => Err(ValueError::range(name, text)),
        Err(_) => {
            let digits = trimmed.strip_prefix(['-', '+']).unwrap_or(trimmed);
            // More digits than 64 bits have room for.
            if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(ValueError::range(name, text));
            }
            Err(ValueError::syntax(name, text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As PostgreSQL 15 answers.
    #[test]
    fn numbers_are_held_against_their_type() {
        type Read = fn(&str) -> Result<i64, ValueError>;
        for (read, text, expected) in [
            (read_int4 as Read, " +7 ", Ok(7)),
            (read_int4, "2147483648", Err("22003")),
            (
                read_int4,
                "99999999999999999999999999999999999999999",
                Err("22003"),
            ),
            (read_int4, "1.5", Err("22P02")),
            (read_int4, "", Err("22P02")),
            (read_int2, "-32769", Err("22003")),
            (read_int8, "-9223372036854775808", Ok(i64::MIN)),
            (read_oid, "-1", Ok(4_294_967_295)),
            (read_oid, "-2147483649", Err("22003")),
            (read_oid, "4294967296", Err("22003")),
        ] {
            assert_eq!(read(text).map_err(|error| error.sqlstate), expected, "{text}");
        }
    }
}
