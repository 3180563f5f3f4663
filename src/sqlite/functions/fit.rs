//! Values cut to what stands in the parentheses of their type: lengths of bit strings, digits of times, fields of spans.

use super::{Nature::Strict, Out, Scalar, V, array_text, fail, interval::Interval, numeric, text, time};
use crate::pgtypes::{calendar::SECOND, interval_fields as fields_of, kept::time_text};

/// `bit(n)`: a cast cuts or fills, an assignment takes the length alone.
fn bit(value: &V, length: i64, is_cast: bool) -> Out {
    let bits = value.text();
    if is_cast {
        return Ok(text::filled(&bits, length, '0')?.into());
    }
    let length = length.max(0) as usize;
    if bits.len() != length {
        let found = bits.len();
        return fail(
            "22026",
            format!("bit string length {found} does not match type bit({length})"),
        );
    }
    Ok(bits.into())
}

fn varbit(value: &V, length: i64, is_cast: bool) -> Out {
    let bits = value.text();
    let length = length.max(0) as usize;
    if bits.len() > length && !is_cast {
        return fail(
            "22001",
            format!("bit string too long for type bit varying({length})"),
        );
    }
    Ok(bits.chars().take(length).collect::<String>().into())
}

/// Rounds to a number of digits behind the point of seconds.
pub(super) fn rounded(micros: i64, digits: i64) -> i64 {
    let unit = 10_i64.pow((6 - digits.clamp(0, 6)) as u32);
    // Halves go away from zero.
    let half = unit / 2 * micros.signum();
    micros.saturating_add(half) / unit * unit
}

fn timetz(value: &V, digits: i64) -> Out {
    let text = value.text();
    let at = text.rfind(['+', '-']).unwrap_or(text.len());
    let (clock, offset) = text.split_at(at);
    let micros = rounded(time::time_of(&clock.into())?, digits);
    Ok(format!("{}{offset}", time_text(micros)).into())
}

/// What is smaller than the smallest field goes.
fn interval(value: &V, digits: i64, fields: i64) -> Out {
    let mut span = Interval::of(value)?;
    let has = |field: i64| fields & field != 0;
    let kept = |micros: i64, unit: i64| micros / unit * unit;
    if has(fields_of::SECOND) {
        if digits >= 0 {
            span.micros = rounded(span.micros, digits);
        }
    } else if has(fields_of::MINUTE) {
        span.micros = kept(span.micros, 60 * SECOND);
    } else if has(fields_of::HOUR) {
        span.micros = kept(span.micros, 3600 * SECOND);
    } else if has(fields_of::DAY) {
        span.micros = 0;
    } else {
        (span.days, span.micros) = (0, 0);
        if !has(fields_of::MONTH) && has(fields_of::YEAR) {
            span.months = span.months / 12 * 12;
        }
    }
    Ok(span.into())
}

/// A value of a type, by the type's internal name.
fn value(ty: &str, value: &V, (one, two): (i64, i64), is_cast: bool) -> Out {
    match ty {
        "varchar" if is_cast => Ok(value
            .text()
            .chars()
            .take(one.max(0) as usize)
            .collect::<String>()
            .into()),
        "varchar" => text::fit(value, one, "character varying"),
        "bpchar" if is_cast => text::padded(value, one),
        "bpchar" => text::padded(&text::fit(value, one, "character")?, one),
        "numeric" => numeric::fit(&[value.clone(), V::Int(one), V::Int(two)]),
        "bit" => bit(value, one, is_cast),
        "varbit" => varbit(value, one, is_cast),
        "time" => Ok(time_text(rounded(time::time_of(value)?, one)).into()),
        "timetz" => timetz(value, one),
        "timestamp" | "timestamptz" => moment(value, one),
        "interval" => interval(value, one, two),
        _ => Ok(value.clone()),
    }
}

fn moment(value: &V, digits: i64) -> Out {
    if let Some(endless) = time::endless(value) {
        return Ok(endless);
    }
    let zone = if value.text().ends_with("+00") { "+00" } else { "" };
    time::stamp(rounded(time::micros(value)?, digits), zone)
}

/// `pg_…_fit`; the last argument is 1 in a cast.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_bit_fit", 3, Strict, |v| {
        bit(&v[0], v[1].int(), v[2].int() == 1)
    }),
    ("pg_varbit_fit", 3, Strict, |v| {
        varbit(&v[0], v[1].int(), v[2].int() == 1)
    }),
    ("pg_time_fit", 2, Strict, |v| moment(&v[0], v[1].int())),
    ("pg_clock_fit", 2, Strict, |v| {
        value("time", &v[0], (v[1].int(), 0), false)
    }),
    ("pg_timetz_fit", 2, Strict, |v| timetz(&v[0], v[1].int())),
    ("pg_interval_fit", 3, Strict, |v| {
        interval(&v[0], v[1].int(), v[2].int())
    }),
    ("pg_array_fit", 5, Strict, |v| {
        let ty = v[1].text();
        let (told, is_cast) = ((v[2].int(), v[3].int()), v[4].int() == 1);
        array_text::mapped(&v[0].text(), &|element| value(&ty, element, told, is_cast))
    }),
];
