//! Floating point numbers as PostgreSQL reads and prints them: the shortest digits that give the number back, and no other
//! whichever way ties are rounded.

use std::cmp::Ordering;

use super::{Value, ValueError};

/// What SQLite keeps of the one value that is no number, for which it has NULL otherwise: this text is behind all numbers there,
/// and equal to itself, as PostgreSQL has it.
pub(crate) const NAN: &str = "NaN";

/// A number as it is kept.
pub(crate) fn kept(number: f64) -> Value {
    if number.is_nan() {
        Value::Text(NAN.into())
    } else {
        Value::Real(number)
    }
}

/// The order of numbers: there is one zero, and what is no number is equal to itself and behind all others.
pub(crate) fn order(one: f64, other: f64) -> Ordering {
    one.partial_cmp(&other)
        .unwrap_or_else(|| one.is_nan().cmp(&other.is_nan()))
}

/// A text as a `double precision`.
pub(crate) fn read_float8(text: &str) -> Result<f64, ValueError> {
    read(text, "double precision", |text| text.parse().ok())
}

/// A text as a `real`.
pub(crate) fn read_float4(text: &str) -> Result<f64, ValueError> {
    let narrow = |text: &str| text.parse::<f32>().ok();
    read(text, "real", |text| narrow(text).map(f64::from))?;
    Ok(kept_float4(narrow(text.trim_ascii()).unwrap_or_default()))
}

/// A `real` as it is kept: the shortest digits, as a literal would be.
pub(crate) fn kept_float4(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| number.into())
}

/// The kept `real` that another one compares with as it does with a `double precision`, by this operator; `None` where
/// none is equal to it.
pub(crate) fn bound_of_float4(number: f64, operator: &str) -> Option<f64> {
    let nearest = number as f32;
    if nearest.is_nan() {
        return Some(number);
    }
    let back = f64::from(nearest);
    let bound = match operator {
        "<" | ">=" if back < number => nearest.next_up(),
        ">" | "<=" if back > number => nearest.next_down(),
        "=" | "<>" if back.partial_cmp(&number) != Some(std::cmp::Ordering::Equal) => return None,
        _ => nearest,
    };
    Some(kept_float4(bound))
}

fn read(text: &str, name: &str, parse: impl Fn(&str) -> Option<f64>) -> Result<f64, ValueError> {
    let trimmed = text.trim_ascii();
    let number = parse(trimmed).ok_or_else(|| ValueError::syntax(name, text))?;
    let has_letters = trimmed.contains(['n', 'N']);
    // Its digits were too many, or nothing was left of them.
    let mantissa = trimmed.split(['e', 'E']).next().unwrap_or_default();
    let is_lost = number == 0.0 && mantissa.contains(|digit| matches!(digit, '1'..='9'));
    if is_lost || number.is_infinite() && !has_letters {
        return Err(ValueError::new(
            "22003",
            format!("\"{text}\" is out of range for type {name}"),
        ));
    }
    Ok(number)
}

/// A `double precision`.
pub(crate) fn float8_text(number: f64) -> String {
    let shortest = format!("{number:e}");
    let around = [number.next_down(), number, number.next_up()];
    let digits = inside(shortest, around, |places| {
        let text = format!("{number:.places$e}");
        (text.parse() == Ok(number)).then_some(text)
    });
    shown(number, &digits, 15)
}

/// A `real`.
pub(crate) fn float4_text(number: f32) -> String {
    let shortest = format!("{number:e}");
    let around = [number.next_down(), number, number.next_up()].map(f64::from);
    let digits = inside(shortest, around, |places| {
        let text = format!("{number:.places$e}");
        (text.parse() == Ok(number)).then_some(text)
    });
    shown(number.into(), &digits, 6)
}

/// The shortest digits that do not lie halfway to a neighbour: who rounds such a tie the other way reads another number.
fn inside(
    shortest: String,
    [below, number, above]: [f64; 3],
    digits: impl Fn(usize) -> Option<String>,
) -> String {
    // Halfway between smaller ones there is a fraction, whose digits are never the shortest.
    if !above.is_finite() || !below.is_finite() || above - below < 4.0 {
        return shortest;
    }
    let is_halfway = |text: &str| {
        let sum = |neighbour: f64| (number.abs() as u128).saturating_add(neighbour.abs() as u128);
        whole(text).is_some_and(|whole| [sum(below), sum(above)].contains(&(2 * whole)))
    };
    if !is_halfway(&shortest) {
        return shortest;
    }
    let longer = (1..17).filter_map(digits).find(|text| !is_halfway(text));
    longer.unwrap_or(shortest)
}

/// The whole number, without its sign, that digits with an exponent are.
fn whole(scientific: &str) -> Option<u128> {
    let (mantissa, exponent) = scientific.trim_start_matches('-').split_once('e')?;
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let zeros = exponent.parse::<u32>().ok()?.checked_sub(after.len() as u32)?;
    let digits: u128 = format!("{before}{after}").parse().ok()?;
    // Half of what there is room for, since it is doubled.
    digits
        .checked_mul(10_u128.checked_pow(zeros)?)
        .filter(|whole| *whole < u128::MAX / 2)
}

fn shown(number: f64, scientific: &str, digits: i32) -> String {
    if number.is_nan() {
        return NAN.into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    if number == 0.0 {
        return if number.is_sign_negative() { "-0" } else { "0" }.into();
    }
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // C's `%g` form.
    if (-4..digits).contains(&exponent) {
        return plain(mantissa, exponent);
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// Digits without an exponent.
pub(crate) fn plain(mantissa: &str, exponent: i32) -> String {
    let (sign, mantissa) = mantissa
        .strip_prefix('-')
        .map_or(("", mantissa), |rest| ("-", rest));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let point = whole.len() as i32 + exponent;
    if point <= 0 {
        format!("{sign}0.{}{digits}", "0".repeat(point.unsigned_abs() as usize))
    } else if point as usize >= digits.len() {
        format!("{sign}{digits}{}", "0".repeat(point as usize - digits.len()))
    } else {
        format!(
            "{sign}{}.{}",
            &digits[..point as usize],
            &digits[point as usize..]
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As PostgreSQL 15 answers.
    #[test]
    fn numbers_are_held_against_their_type() {
        type Read = fn(&str) -> Result<f64, ValueError>;
        for (read, text, expected) in [
            (read_float4 as Read, "1e39", Err("22003")),
            (read_float4, "-1e39", Err("22003")),
            (read_float4, "1e-46", Err("22003")),
            (read_float4, "3.4028236e38", Err("22003")),
            (read_float4, " 1.5 ", Ok(1.5)),
            (read_float4, "0.1", Ok(0.1)),
            (read_float4, "-Infinity", Ok(f64::NEG_INFINITY)),
            (read_float4, "infinit", Err("22P02")),
            (read_float4, "", Err("22P02")),
            (read_float8, "1e309", Err("22003")),
            (read_float8, "2e-324", Err("22003")),
            (read_float8, "1e39", Ok(1e39)),
            (read_float8, "inf", Ok(f64::INFINITY)),
            (read_float8, "0e5", Ok(0.0)),
        ] {
            assert_eq!(read(text).map_err(|error| error.sqlstate), expected, "{text}");
        }
        for read in [read_float4 as Read, read_float8] {
            assert!(read(" nan ").unwrap().is_nan());
        }
    }

    type Compare = fn(&f64, &f64) -> bool;

    #[test]
    fn a_bound_compares_as_the_number_does() {
        let numbers = [0.1, 0.1_f32.into(), 0.5, -0.3, 1e300, -1e300, 16_777_217.0, 0.0];
        let singles = [
            0.1_f32,
            0.099_999_994,
            0.100_000_01,
            0.5,
            -0.3,
            f32::MAX,
            f32::MIN,
            16_777_216.0,
            0.0,
        ];
        let operators: [(&str, Compare); 6] = [
            ("<", f64::lt),
            ("<=", f64::le),
            (">", f64::gt),
            (">=", f64::ge),
            ("=", f64::eq),
            ("<>", f64::ne),
        ];
        for (operator, compare) in operators {
            for (number, single) in numbers
                .iter()
                .flat_map(|number| singles.map(|single| (number, single)))
            {
                let expected = compare(&single.into(), number);
                let found = match bound_of_float4(*number, operator) {
                    Some(bound) => compare(&kept_float4(single), &bound),
                    None => operator == "<>",
                };
                assert_eq!(found, expected, "{single} {operator} {number}");
            }
        }
    }

    /// What PostgreSQL 15 prints.
    #[test]
    fn numbers_are_shown_as_postgresql_shows_them() {
        for (number, real, double) in [
            (1.5e10, "1.5000001e+10", "15000000000"),
            (9e9, "8.999999e+09", "9000000000"),
            (8.5e9, "8.4999997e+09", "8500000000"),
            (1e10, "1e+10", "10000000000"),
            (16_777_217.0, "1.6777216e+07", "16777217"),
            (-1.5e10, "-1.5000001e+10", "-15000000000"),
            (0.1, "0.1", "0.1"),
            (-0.0, "-0", "-0"),
            (1e-5, "1e-05", "1e-05"),
            (123_456.0, "123456", "123456"),
            (1_234_567.0, "1.234567e+06", "1234567"),
            (f64::NAN, "NaN", "NaN"),
            (f64::NEG_INFINITY, "-Infinity", "-Infinity"),
        ] {
            assert_eq!(float4_text(number as f32), real);
            assert_eq!(float8_text(number), double);
        }
        for (number, double) in [
            (1e23, "9.999999999999999e+22"),
            (5e22, "4.9999999999999996e+22"),
            (2e22, "2e+22"),
            (1e15, "1e+15"),
            (9_007_199_254_740_993.0, "9.007199254740992e+15"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
        ] {
            assert_eq!(float8_text(number), double);
        }
    }
}
