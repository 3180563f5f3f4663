//! `inet` and `cidr`, which are kept as their text. What may be left out of an address follows PostgreSQL's
//! `inet_net_pton` and `inet_cidr_pton`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use bytes::{BufMut, BytesMut};

use super::{ValueError, receive::ByteReader};

/// `PGSQL_AF_INET` and the one behind it.
const FAMILIES: [u8; 2] = [2, 3];

/// An address and the bits of its network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Address {
    address: IpAddr,
    bits: u32,
}

impl Address {
    fn most(self) -> u32 {
        if self.address.is_ipv4() { 32 } else { 128 }
    }

    /// True where no bit is set behind those of the network.
    fn is_network(self) -> bool {
        let number = match self.address {
            IpAddr::V4(address) => u128::from(u32::from(address)),
            IpAddr::V6(address) => u128::from(address),
        };
        let behind = 1_u128
            .checked_shl(self.most() - self.bits)
            .map_or(u128::MAX, |bit| bit - 1);
        number & behind == 0
    }

    /// As PostgreSQL prints it; a `cidr` shows its bits always.
    pub(crate) fn text(self, is_cidr: bool) -> String {
        let address = match self.address {
            IpAddr::V6(address) if matches!(address.segments(), [0, 0, 0, 0, 0, 0, next, _] if next != 0) => {
                let [.., a, b, c, d] = address.octets();
                format!("::{}", Ipv4Addr::new(a, b, c, d))
            }
            address => address.to_string(),
        };
        if is_cidr || self.bits < self.most() {
            format!("{address}/{}", self.bits)
        } else {
            address
        }
    }
}

/// A text as an address, or as a network.
pub(crate) fn read(text: &str, is_cidr: bool) -> Result<Address, ValueError> {
    let found = if text.contains(':') {
        version_6(text)
    } else if is_cidr {
        network_4(text)
    } else {
        address_4(text)
    };
    let name = if is_cidr { "cidr" } else { "inet" };
    let found = found.ok_or_else(|| ValueError::syntax(name, text))?;
    if is_cidr && !found.is_network() {
        return Err(ValueError::new(
            "22P02",
            format!("invalid cidr value: \"{text}\""),
        ));
    }
    Ok(found)
}

fn version_6(text: &str) -> Option<Address> {
    let (address, bits) = match text.split_once('/') {
        Some((address, bits)) => {
            let has_zero = bits.len() > 1 && bits.starts_with('0');
            (address, number(bits).filter(|bits| *bits <= 128 && !has_zero)?)
        }
        None => (text, 128),
    };
    let address = address.parse::<Ipv6Addr>().ok()?.into();
    Some(Address { address, bits })
}

fn number(digits: &str) -> Option<u32> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

/// The bytes of `10.1.2`, and the bits behind a slash.
fn parts_4(text: &str) -> Option<(Vec<u8>, Option<u32>)> {
    let (address, bits) = match text.split_once('/') {
        Some((address, bits)) => (address, Some(number(bits).filter(|bits| *bits <= 32)?)),
        None => (text, None),
    };
    let octets: Option<Vec<u8>> = address
        .split('.')
        .map(|part| number(part).and_then(|part| u8::try_from(part).ok()))
        .collect();
    Some((octets.filter(|octets| octets.len() <= 4)?, bits))
}

fn of_octets(octets: &[u8], bits: u32) -> Address {
    let mut all = [0; 4];
    all[..octets.len()].copy_from_slice(octets);
    Address {
        address: all.into(),
        bits,
    }
}

/// Numbers may be left out at the end where the bits of the network are told, and do not reach them.
fn address_4(text: &str) -> Option<Address> {
    let (octets, bits) = parts_4(text)?;
    let bits = bits.or_else(|| (octets.len() == 4).then_some(32))?;
    (bits / 8 <= octets.len() as u32).then(|| of_octets(&octets, bits))
}

/// The bits that are not told follow from the class of the network and from how many numbers there are.
fn network_4(text: &str) -> Option<Address> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let (digits, bits) = match digits.split_once('/') {
            Some((digits, bits)) => (digits, Some(number(bits).filter(|bits| *bits <= 32)?)),
            None => (digits, None),
        };
        let even = format!("{digits}{}", if digits.len() % 2 == 1 { "0" } else { "" });
        let octets = super::bytea::unhex::<ValueError>(&even, || Ok(())).ok()?;
        let is_short = (1..=4).contains(&octets.len()) && !digits.contains(char::is_whitespace);
        return is_short.then(|| of_octets(&octets, bits.unwrap_or_else(|| of_class(&octets))));
    }
    let (octets, bits) = parts_4(text)?;
    Some(of_octets(&octets, bits.unwrap_or_else(|| of_class(&octets))))
}

fn of_class(octets: &[u8]) -> u32 {
    let of_class = match octets[0] {
        240.. => 32,
        224.. => 8,
        192.. => 24,
        128.. => 16,
        _ => 8,
    };
    match of_class.max(octets.len() as u32 * 8) {
        8 if octets[0] == 224 => 4,
        bits => bits,
    }
}

/// Writes an address.
pub(super) fn send(found: Address, is_cidr: bool, out: &mut BytesMut) {
    let (family, bytes) = match found.address {
        IpAddr::V4(address) => (FAMILIES[0], address.octets().to_vec()),
        IpAddr::V6(address) => (FAMILIES[1], address.octets().to_vec()),
    };
    out.put_slice(&[family, found.bits as u8, is_cidr.into(), bytes.len() as u8]);
    out.put_slice(&bytes);
}

/// Reads what [`send`] writes.
pub(super) fn receive(source: &mut ByteReader<'_>, is_cidr: bool) -> Result<Address, ValueError> {
    let name = if is_cidr { "cidr" } else { "inet" };
    let wrong = |what: &str| ValueError::new("22P03", format!("invalid {what} in external \"{name}\" value"));
    let family = source.u8()?;
    let length = match family {
        _ if family == FAMILIES[0] => 4,
        _ if family == FAMILIES[1] => 16,
        _ => return Err(wrong("address family")),
    };
    let bits = u32::from(source.u8()?);
    if bits > length * 8 {
        return Err(wrong("bits"));
    }
    // Which of the two types it is, is known.
    source.u8()?;
    if u32::from(source.u8()?) != length {
        return Err(wrong("length"));
    }
    let address = if length == 4 {
        IpAddr::from(source.array::<4>()?)
    } else {
        IpAddr::from(source.array::<16>()?)
    };
    let found = Address { address, bits };
    if is_cidr && !found.is_network() {
        return Err(ValueError::new("22P03", "invalid external \"cidr\" value"));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As PostgreSQL 15 answers.
    #[test]
    fn addresses_are_read_as_postgresql_reads_them() {
        for (text, inet, cidr) in [
            ("10/8", Some("10.0.0.0/8"), Some("10.0.0.0/8")),
            ("10.1/16", Some("10.1.0.0/16"), Some("10.1.0.0/16")),
            ("10", None, Some("10.0.0.0/8")),
            ("10.1.2.3", Some("10.1.2.3"), Some("10.1.2.3/32")),
            ("10.1.2.3/8", Some("10.1.2.3/8"), None),
            ("10/16", None, Some("10.0.0.0/16")),
            ("192.168", None, Some("192.168.0.0/24")),
            ("224", None, Some("224.0.0.0/4")),
            ("225.1", None, Some("225.1.0.0/16")),
            ("0x0a010203", None, Some("10.1.2.3/32")),
            ("01.2.3.4", Some("1.2.3.4"), Some("1.2.3.4/32")),
            ("1.2.3.4/", None, None),
            (" 1.2.3.4", None, None),
            ("1.2.3.4.5", None, None),
            ("256.1.1.1", None, None),
            ("1.2.3.4/33", None, None),
            ("::1", Some("::1"), Some("::1/128")),
            ("::1.2.3.4", Some("::1.2.3.4"), Some("::1.2.3.4/128")),
            (
                "::ffff:1.2.3.4",
                Some("::ffff:1.2.3.4"),
                Some("::ffff:1.2.3.4/128"),
            ),
            ("2001:db8::/32", Some("2001:db8::/32"), Some("2001:db8::/32")),
            ("::1/64", Some("::1/64"), None),
            ("", None, None),
        ] {
            let read = |is_cidr| read(text, is_cidr).ok().map(|found| found.text(is_cidr));
            assert_eq!(
                (read(false).as_deref(), read(true).as_deref()),
                (inet, cidr),
                "{text}"
            );
        }
    }
}
