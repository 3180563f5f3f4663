//! Text read as a value of a rarer type: `timetz`, bit strings, network addresses, `money`, `xml`, `"char"`.

use std::{fmt::Write as _, net::IpAddr};

use super::{Nature::Strict, Out, Scalar, V, allowance, datetime, decimal::Decimal, fail, text, zone};

fn wrong(ty: &str, text: &str) -> Out {
    fail("22P02", format!("invalid input syntax for type {ty}: \"{text}\""))
}

fn timetz(text: &str) -> Out {
    let moment = datetime::read(text, "time with time zone")?;
    let here = || zone::east(datetime::now());
    let offset = moment.offset.unwrap_or_else(here) / datetime::SECOND;
    let mut shown = datetime::time_text(moment.time.unwrap_or(0));
    let seconds = offset.unsigned_abs();
    let sign = if offset < 0 { '-' } else { '+' };
    let _ = write!(shown, "{sign}{:02}", seconds / 3600);
    if !seconds.is_multiple_of(3600) {
        let _ = write!(shown, ":{:02}", seconds / 60 % 60);
    }
    if !seconds.is_multiple_of(60) {
        let _ = write!(shown, ":{:02}", seconds % 60);
    }
    Ok(shown.into())
}

fn bits(text: &str) -> Out {
    let digits = text.strip_prefix(['b', 'B']).unwrap_or(text);
    match digits.chars().find(|digit| !matches!(digit, '0' | '1')) {
        Some(other) => fail("22P02", format!("\"{other}\" is not a valid binary digit")),
        None => Ok(digits.into()),
    }
}

/// A network of `cidr` shows its bits always, and has none set behind them.
fn address(text: &str, ty: &str) -> Out {
    let (host, bits) = text.trim().split_once('/').unwrap_or((text.trim(), ""));
    let Ok(address) = host.parse::<IpAddr>() else {
        return wrong(ty, text);
    };
    let most = if address.is_ipv4() { 32 } else { 128 };
    let bits = match bits {
        "" => most,
        bits => match bits.parse::<u32>() {
            Ok(bits) if bits <= most => bits,
            _ => return wrong(ty, text),
        },
    };
    if ty == "cidr" {
        let behind = match address {
            IpAddr::V4(address) => u128::from(u32::from(address)),
            IpAddr::V6(address) => u128::from(address),
        };
        let mask = 1_u128.checked_shl(most - bits).map_or(u128::MAX, |bit| bit - 1);
        if behind & mask != 0 {
            return fail("22P02", format!("invalid cidr value: \"{text}\""));
        }
    }
    Ok(if ty == "cidr" || bits < most {
        format!("{address}/{bits}")
    } else {
        address.to_string()
    }
    .into())
}

fn macaddr(text: &str) -> Out {
    let digits: String = text.chars().filter(char::is_ascii_hexdigit).collect();
    let rest = text
        .trim()
        .chars()
        .all(|c| c.is_ascii_hexdigit() || matches!(c, ':' | '-' | '.'));
    if digits.len() != 12 || !rest {
        return wrong("macaddr", text);
    }
    let lower = digits.to_ascii_lowercase();
    let parts: Vec<&str> = (0..6).map(|at| &lower[2 * at..2 * at + 2]).collect();
    Ok(parts.join(":").into())
}

fn money(text: &str) -> Out {
    let plain: String = text
        .trim()
        .chars()
        .filter(|c| !matches!(c, '$' | ',' | '(' | ')'))
        .collect();
    let Some(amount) = Decimal::parse(&plain) else {
        return wrong("money", text);
    };
    let negative = text.contains('(') || plain.starts_with('-');
    let digits = amount.round(2).with_scale(2).magnitude().to_string();
    let digits = format!("{digits:0>3}");
    let (whole, cents) = digits.split_at(digits.len() - 2);
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let sign = if negative { "-" } else { "" };
    Ok(format!("{sign}${grouped}.{cents}").into())
}

/// A text as a value of one of these types, by the type's internal name; `None` for another type.
pub(super) fn read(text: &str, ty: &str) -> Option<Out> {
    Some(match ty {
        "timetz" => timetz(text),
        "bit" | "varbit" => bits(text),
        "inet" | "cidr" => address(text, ty),
        "macaddr" => macaddr(text),
        "money" => money(text),
        "char" => Ok(text.chars().next().map_or(V::from(""), |c| c.to_string().into())),
        _ => return None,
    })
}

fn known(text: &V, ty: &str) -> Out {
    read(&text.text(), ty).unwrap_or_else(|| Ok(text.clone()))
}

/// The lowest bits of a number; further ones on the left repeat its sign.
fn int_bits(number: i64, width: i64) -> Out {
    allowance::value_of(width.max(0) as usize)?;
    let bit = |at: i64| if number >> at.min(63) & 1 == 1 { '1' } else { '0' };
    Ok((0..width).rev().map(bit).collect::<String>().into())
}

/// A bit string as a number of so many bits.
fn bits_int(bits: &str, most: usize) -> Out {
    if bits.len() > most {
        let ty = if most == 32 { "integer" } else { "bigint" };
        return fail("22003", format!("{ty} out of range"));
    }
    let number = bits
        .bytes()
        .fold(0_u64, |number, bit| number << 1 | u64::from(bit == b'1'));
    Ok(V::Int(if most == 32 {
        (number as u32 as i32).into()
    } else {
        number as i64
    }))
}

/// A bit string of this length; one of another is cut or filled on the right where that is asked for.
fn bits_of(bits: &str, width: i64, cuts: bool) -> Out {
    let length = bits.len();
    if usize::try_from(width) != Ok(length) && !cuts {
        return fail(
            "22026",
            format!("bit string length {length} does not match type bit({width})"),
        );
    }
    Ok(text::filled(bits, width, '0')?.into())
}

fn both(v: &[V], word: &str, of: fn(bool, bool) -> bool) -> Out {
    let (one, other) = (v[0].text(), v[1].text());
    if one.len() != other.len() {
        return fail("22026", format!("cannot {word} bit strings of different sizes"));
    }
    let pairs = one.bytes().zip(other.bytes());
    let bits = pairs.map(|(one, other)| if of(one == b'1', other == b'1') { '1' } else { '0' });
    Ok(bits.collect::<String>().into())
}

/// `parse_ident`: the parts of a qualified name. What follows them is an error where that is `strict`.
fn identifiers(text: &str, strict: bool) -> Out {
    let wrong = || fail("22023", format!("string is not a valid identifier: \"{text}\""));
    let mut parts = vec![];
    let mut rest = text.trim_start();
    loop {
        let length = if let Some(quoted) = rest.strip_prefix('"') {
            let mut name = String::new();
            let mut inside = quoted.char_indices().peekable();
            let end = loop {
                match inside.next() {
                    Some((_, '"')) if inside.next_if(|(_, next)| *next == '"').is_some() => name.push('"'),
                    Some((at, '"')) => break at,
                    Some((_, other)) => name.push(other),
                    None => return wrong(),
                }
            };
            if name.is_empty() {
                return wrong();
            }
            parts.push(name);
            end + 2
        } else {
            let is_first = |first: char| first.is_alphabetic() || first == '_' || !first.is_ascii();
            if !rest.starts_with(is_first) {
                return wrong();
            }
            let is_more = |next: char| is_first(next) || next.is_ascii_digit() || next == '$';
            let end = rest.find(|next| !is_more(next)).unwrap_or(rest.len());
            parts.push(rest[..end].to_lowercase());
            end
        };
        rest = rest[length..].trim_start();
        match rest.strip_prefix('.') {
            Some(next) => rest = next.trim_start(),
            None if rest.is_empty() || !strict => break,
            None => return wrong(),
        }
    }
    let elements = parts.into_iter().map(Some).collect::<Vec<_>>();
    Ok(super::array_out::array_text(&elements)?.into())
}

/// `pg_in_…`.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_in_timetz", 1, Strict, |v| known(&v[0], "timetz")),
    ("pg_in_bit", 1, Strict, |v| known(&v[0], "bit")),
    ("pg_in_varbit", 1, Strict, |v| known(&v[0], "varbit")),
    ("pg_in_inet", 1, Strict, |v| known(&v[0], "inet")),
    ("pg_in_cidr", 1, Strict, |v| known(&v[0], "cidr")),
    ("pg_in_macaddr", 1, Strict, |v| known(&v[0], "macaddr")),
    ("pg_in_money", 1, Strict, |v| known(&v[0], "money")),
    ("pg_text_inet", 1, Strict, |v| {
        let text = v[0].text();
        let bits = if text.contains(':') { 128 } else { 32 };
        Ok(if text.contains('/') {
            text
        } else {
            format!("{text}/{bits}")
        }
        .into())
    }),
    ("pg_in_xml", 1, Strict, |v| Ok(v[0].clone())),
    ("pg_in_char", 1, Strict, |v| known(&v[0], "char")),
    ("pg_int_bit", 2, Strict, |v| int_bits(v[0].int(), v[1].int())),
    ("pg_bit_int4", 1, Strict, |v| bits_int(&v[0].text(), 32)),
    ("pg_bit_int8", 1, Strict, |v| bits_int(&v[0].text(), 64)),
    ("pg_bit_fit", 3, Strict, |v| {
        bits_of(&v[0].text(), v[1].int(), v[2].int() != 0)
    }),
    ("pg_bit_and_bit", 2, Strict, |v| {
        both(v, "AND", |one, other| one && other)
    }),
    ("pg_bit_or_bit", 2, Strict, |v| {
        both(v, "OR", |one, other| one || other)
    }),
    ("pg_bit_xor_bit", 2, Strict, |v| {
        both(v, "XOR", |one, other| one != other)
    }),
    ("pg_bit_not", 1, Strict, |v| {
        let other = |bit| if bit == '1' { '0' } else { '1' };
        Ok(v[0].text().chars().map(other).collect::<String>().into())
    }),
    ("pg_parse_ident", 1, Strict, |v| identifiers(&v[0].text(), true)),
    ("pg_parse_ident", 2, Strict, |v| {
        identifiers(&v[0].text(), v[1].int() != 0)
    }),
];
