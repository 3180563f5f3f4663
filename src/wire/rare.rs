//! The binary formats of rarer types, which are kept as PostgreSQL's text: `timetz`, `money`, bit strings, network addresses.

use std::net::IpAddr;

use bytes::{Buf, BufMut, BytesMut};

use super::datetime;
use crate::backend::SqlType;

/// `PGSQL_AF_INET` and the one behind it.
const FAMILIES: [u8; 2] = [2, 3];

/// Appends a value; `None` where the text is none of the type.
pub(super) fn put(text: &str, ty: SqlType, out: &mut BytesMut) -> Option<()> {
    let text = text.trim();
    match ty {
        SqlType::Timetz => {
            let (time, offset) = datetime::parse_timetz(text)?;
            out.put_i64(time);
            out.put_i32(-offset);
        }
        SqlType::Money => out.put_i64(cents(text)?),
        SqlType::Bit | SqlType::Varbit => put_bits(text, out)?,
        SqlType::Inet | SqlType::Cidr => put_address(text, ty == SqlType::Cidr, out)?,
        SqlType::Macaddr => {
            let bytes: Option<Vec<u8>> = text
                .split(':')
                .map(|byte| u8::from_str_radix(byte, 16).ok())
                .collect();
            out.put_slice(&bytes.filter(|bytes| bytes.len() == 6)?);
        }
        _ => return None,
    }
    Some(())
}

/// The text of a value; `None` where the bytes are none of the type.
pub(super) fn read(mut bytes: &[u8], ty: SqlType) -> Option<String> {
    match ty {
        SqlType::Timetz if bytes.len() == 12 => {
            let time = bytes.get_i64();
            let offset = bytes.get_i32().checked_neg()?;
            (0..=86_400_000_000)
                .contains(&time)
                .then(|| datetime::format_timetz(time, offset))
        }
        SqlType::Money if bytes.len() == 8 => Some(money(bytes.get_i64())),
        SqlType::Bit | SqlType::Varbit if bytes.len() >= 4 => {
            let count = usize::try_from(bytes.get_i32()).ok()?;
            (bytes.len() == count.div_ceil(8)).then(|| {
                (0..count)
                    .map(|at| char::from(b'0' + (bytes[at / 8] >> (7 - at % 8) & 1)))
                    .collect()
            })
        }
        SqlType::Inet | SqlType::Cidr if bytes.len() >= 4 => read_address(bytes, ty == SqlType::Cidr),
        SqlType::Macaddr if bytes.len() == 6 => {
            let parts: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            Some(parts.join(":"))
        }
        _ => None,
    }
}

fn put_bits(text: &str, out: &mut BytesMut) -> Option<()> {
    if !text.bytes().all(|digit| matches!(digit, b'0' | b'1')) {
        return None;
    }
    out.put_i32(i32::try_from(text.len()).ok()?);
    for group in text.as_bytes().chunks(8) {
        let byte = group
            .iter()
            .enumerate()
            .fold(0, |byte, (at, digit)| byte | (digit - b'0') << (7 - at));
        out.put_u8(byte);
    }
    Some(())
}

fn put_address(text: &str, network: bool, out: &mut BytesMut) -> Option<()> {
    let (address, bits) = text.split_once('/').unwrap_or((text, ""));
    let address: IpAddr = address.parse().ok()?;
    let (family, bytes) = match address {
        IpAddr::V4(address) => (FAMILIES[0], address.octets().to_vec()),
        IpAddr::V6(address) => (FAMILIES[1], address.octets().to_vec()),
    };
    let most = bytes.len() * 8;
    let bits = if bits.is_empty() { most } else { bits.parse().ok()? };
    if bits > most {
        return None;
    }
    out.put_slice(&[family, bits as u8, network.into(), bytes.len() as u8]);
    out.put_slice(&bytes);
    Some(())
}

fn read_address(bytes: &[u8], network: bool) -> Option<String> {
    let (head, rest) = bytes.split_at(4);
    let address = match (head[0], rest.len()) {
        (2, 4) => IpAddr::from(<[u8; 4]>::try_from(rest).ok()?),
        (3, 16) => IpAddr::from(<[u8; 16]>::try_from(rest).ok()?),
        _ => return None,
    };
    let bits = usize::from(head[1]);
    if bits > rest.len() * 8 || usize::from(head[3]) != rest.len() {
        return None;
    }
    Some(if network || bits < rest.len() * 8 {
        format!("{address}/{bits}")
    } else {
        address.to_string()
    })
}

/// `-$1,234.50` in cents.
fn cents(text: &str) -> Option<i64> {
    let plain: String = text.chars().filter(|c| !matches!(c, '$' | ',')).collect();
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let negative = whole.starts_with('-');
    let fraction: String = fraction.chars().chain("00".chars()).take(2).collect();
    let whole: i64 = whole.parse().ok()?;
    let fraction: i64 = fraction.parse().ok()?;
    whole
        .checked_mul(100)?
        .checked_add(if negative { -fraction } else { fraction })
}

/// Cents as PostgreSQL prints them in the C locale.
fn money(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let digits = (cents.unsigned_abs() / 100).to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}${grouped}.{:02}", cents.unsigned_abs() % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for (ty, text, length) in [
            (SqlType::Timetz, "12:00:00+03", Some(12)),
            (SqlType::Timetz, "23:59:59.5-05:30", Some(12)),
            (SqlType::Money, "-$1,234.50", Some(8)),
            (SqlType::Money, "-$0.50", Some(8)),
            (SqlType::Bit, "1011000001", Some(6)),
            (SqlType::Varbit, "", Some(4)),
            (SqlType::Inet, "127.0.0.1", Some(8)),
            (SqlType::Inet, "10.1.2.3/8", Some(8)),
            (SqlType::Inet, "::1", Some(20)),
            (SqlType::Cidr, "10.0.0.0/8", Some(8)),
            (SqlType::Macaddr, "08:00:2b:01:02:03", Some(6)),
            (SqlType::Bit, "102", None),
            (SqlType::Inet, "10.0.0.0/33", None),
            (SqlType::Macaddr, "08:00", None),
        ] {
            let mut out = BytesMut::new();
            let written = put(text, ty, &mut out).map(|()| out.len());
            assert_eq!(written, length, "{text}");
            if written.is_some() {
                assert_eq!(read(&out, ty).as_deref(), Some(text));
            }
        }
        assert_eq!(read(&[9, 0, 0, 4, 1, 2, 3, 4], SqlType::Inet), None);
        assert_eq!(read(&[0, 0, 0, 9, 0], SqlType::Bit), None);
    }
}
