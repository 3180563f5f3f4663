//! `convert`, `convert_from` and `convert_to`: texts in the encodings whose characters have one byte. Those of more are refused,
//! since PostgreSQL has maps of its own for them.

use std::collections::HashMap;

use encoding_rs as rs;

use super::{Failure, Nature::Strict, Out, Scalar, V, allowance, fail};

/// What the bytes of an encoding mean.
#[derive(Clone, Copy)]
enum Conversion {
    Utf8,
    /// Bytes of any encoding.
    Any,
    /// A byte is the character of the same number.
    Latin1,
    /// As the other crate has it; of `ISO 8859` the controls from 0x80 are themselves, and of others there are none.
    Iso(&'static rs::Encoding),
    Other(&'static rs::Encoding),
    /// Refused by its name.
    Unknown,
}

struct Encoding {
    name: &'static str,
    kind: Conversion,
}

/// The encodings by their names, in small letters and digits alone, as PostgreSQL reads them.
fn named(name: &str) -> Option<Encoding> {
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let (name, kind) = match plain.as_str() {
        "utf8" | "unicode" => ("UTF8", Conversion::Utf8),
        "sqlascii" => ("SQL_ASCII", Conversion::Any),
        "latin1" | "iso88591" => ("LATIN1", Conversion::Latin1),
        "latin2" | "iso88592" => ("LATIN2", Conversion::Iso(rs::ISO_8859_2)),
        "latin3" | "iso88593" => ("LATIN3", Conversion::Iso(rs::ISO_8859_3)),
        "latin4" | "iso88594" => ("LATIN4", Conversion::Iso(rs::ISO_8859_4)),
        "latin5" | "iso88599" => ("LATIN5", Conversion::Iso(rs::WINDOWS_1254)),
        "latin6" | "iso885910" => ("LATIN6", Conversion::Iso(rs::ISO_8859_10)),
        "latin7" | "iso885913" => ("LATIN7", Conversion::Iso(rs::ISO_8859_13)),
        "latin8" | "iso885914" => ("LATIN8", Conversion::Iso(rs::ISO_8859_14)),
        "latin9" | "iso885915" => ("LATIN9", Conversion::Iso(rs::ISO_8859_15)),
        "latin10" | "iso885916" => ("LATIN10", Conversion::Iso(rs::ISO_8859_16)),
        "iso88595" => ("ISO_8859_5", Conversion::Iso(rs::ISO_8859_5)),
        "iso88596" => ("ISO_8859_6", Conversion::Iso(rs::ISO_8859_6)),
        "iso88597" => ("ISO_8859_7", Conversion::Iso(rs::ISO_8859_7)),
        "iso88598" => ("ISO_8859_8", Conversion::Iso(rs::ISO_8859_8)),
        "koi8" | "koi8r" => ("KOI8R", Conversion::Other(rs::KOI8_R)),
        "win866" | "alt" | "windows866" => ("WIN866", Conversion::Other(rs::IBM866)),
        "win874" | "windows874" => ("WIN874", Conversion::Other(rs::WINDOWS_874)),
        "win1250" | "windows1250" => ("WIN1250", Conversion::Other(rs::WINDOWS_1250)),
        "win" | "win1251" | "windows1251" => ("WIN1251", Conversion::Other(rs::WINDOWS_1251)),
        "win1252" | "windows1252" => ("WIN1252", Conversion::Other(rs::WINDOWS_1252)),
        "win1253" | "windows1253" => ("WIN1253", Conversion::Other(rs::WINDOWS_1253)),
        "win1254" | "windows1254" => ("WIN1254", Conversion::Other(rs::WINDOWS_1254)),
        "win1255" | "windows1255" => ("WIN1255", Conversion::Other(rs::WINDOWS_1255)),
        "win1256" | "windows1256" => ("WIN1256", Conversion::Other(rs::WINDOWS_1256)),
        "win1257" | "windows1257" => ("WIN1257", Conversion::Other(rs::WINDOWS_1257)),
        "win1258" | "windows1258" | "abc" | "tcvn" | "tcvn5712" | "vscii" => ("WIN1258", Conversion::Unknown),
        "koi8u" => ("KOI8U", Conversion::Unknown),
        "big5" | "win950" | "windows950" => ("BIG5", Conversion::Unknown),
        "euccn" => ("EUC_CN", Conversion::Unknown),
        "eucjp" => ("EUC_JP", Conversion::Unknown),
        "eucjis2004" => ("EUC_JIS_2004", Conversion::Unknown),
        "euckr" => ("EUC_KR", Conversion::Unknown),
        "euctw" => ("EUC_TW", Conversion::Unknown),
        "gb18030" => ("GB18030", Conversion::Unknown),
        "gbk" | "win936" | "windows936" => ("GBK", Conversion::Unknown),
        "johab" => ("JOHAB", Conversion::Unknown),
        "muleinternal" => ("MULE_INTERNAL", Conversion::Unknown),
        "sjis" | "mskanji" | "shiftjis" | "win932" | "windows932" => ("SJIS", Conversion::Unknown),
        "shiftjis2004" => ("SHIFT_JIS_2004", Conversion::Unknown),
        "uhc" | "win949" | "windows949" => ("UHC", Conversion::Unknown),
        _ => return None,
    };
    Some(Encoding { name, kind })
}

fn encoding(name: &V, role: &str) -> Result<Encoding, Failure> {
    let name = name.text();
    let Some(found) = named(&name) else {
        return fail("22023", format!("invalid {role} encoding name \"{name}\""));
    };
    if matches!(found.kind, Conversion::Unknown) {
        let message = format!("conversion between {} and UTF8 is not supported", found.name);
        return fail("0A000", message);
    }
    Ok(found)
}

impl Encoding {
    /// The character of a byte.
    fn character(&self, byte: u8) -> Option<char> {
        let decoded = |encoding: &'static rs::Encoding| {
            let bytes = [byte];
            let found = encoding.decode_without_bom_handling_and_without_replacement(&bytes)?;
            found.chars().next()
        };
        let is_control = |character: &char| ('\u{80}'..='\u{9f}').contains(character);
        match self.kind {
            _ if byte < 0x80 => Some(byte.into()),
            Conversion::Latin1 => Some(byte.into()),
            Conversion::Iso(_) if byte < 0xA0 => Some(byte.into()),
            Conversion::Iso(encoding) => decoded(encoding),
            // There is no point of this kind in PostgreSQL's map.
            Conversion::Other(encoding) => {
                decoded(encoding).filter(|character| !is_control(character) && *character != '\u{5ba}')
            }
            Conversion::Utf8 | Conversion::Any | Conversion::Unknown => None,
        }
    }

    fn is_plain(&self) -> bool {
        matches!(self.kind, Conversion::Utf8 | Conversion::Any)
    }
}

/// `0xe2 0x82 0xac`
fn shown(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
    bytes.join(" ")
}

fn untranslatable<T>(bytes: &[u8], from: &str, to: &str) -> Result<T, Failure> {
    let bytes = shown(bytes);
    let message = format!(
        "character with byte sequence {bytes} in encoding \"{from}\" has no equivalent in encoding \"{to}\""
    );
    fail("22P05", message)
}

/// As PostgreSQL tells it: with the bytes of the character that begins there.
fn malformed<T>(bytes: &[u8], name: &str) -> Result<T, Failure> {
    let length = match bytes.first() {
        Some(0xC0..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xF7) => 4,
        _ => 1,
    };
    let bytes = shown(&bytes[..length.min(bytes.len())]);
    fail(
        "22021",
        format!("invalid byte sequence for encoding \"{name}\": {bytes}"),
    )
}

fn utf8(bytes: Vec<u8>) -> Result<String, Failure> {
    let nul = allowance::position(&bytes, |byte| byte == 0)?;
    match String::from_utf8(bytes) {
        Ok(text) if nul.is_none() => Ok(text),
        Ok(_) => malformed(&[0], "UTF8"),
        Err(error) => {
            let wrong = error.utf8_error().valid_up_to();
            match nul {
                Some(nul) if nul < wrong => malformed(&[0], "UTF8"),
                _ => malformed(&error.as_bytes()[wrong..], "UTF8"),
            }
        }
    }
}

/// Bytes of an encoding as a text.
fn text_of(bytes: Vec<u8>, from: &Encoding) -> Result<String, Failure> {
    if from.is_plain() {
        if matches!(from.kind, Conversion::Any) && bytes.contains(&0) {
            return malformed(&[0], from.name);
        }
        return utf8(bytes);
    }
    let table: Vec<Option<char>> = (0..=u8::MAX).map(|byte| from.character(byte)).collect();
    let mut text = String::with_capacity(bytes.len());
    for byte in bytes {
        allowance::turn()?;
        match table[usize::from(byte)] {
            Some('\0') => return malformed(&[0], from.name),
            Some(character) => text.push(character),
            None => return untranslatable(&[byte], from.name, "UTF8"),
        }
    }
    allowance::value_of(text.len())?;
    Ok(text)
}

/// A text as bytes of an encoding.
fn bytes_of(text: &str, to: &Encoding) -> Result<Vec<u8>, Failure> {
    if to.is_plain() {
        return Ok(text.as_bytes().to_vec());
    }
    let table: HashMap<char, u8> = (0..=u8::MAX)
        .filter_map(|byte| Some((to.character(byte)?, byte)))
        .collect();
    let mut bytes = Vec::with_capacity(text.len());
    for character in text.chars() {
        allowance::turn()?;
        let Some(byte) = table.get(&character) else {
            let mut parts = [0; 4];
            let parts = character.encode_utf8(&mut parts).as_bytes();
            return untranslatable(parts, "UTF8", to.name);
        };
        bytes.push(*byte);
    }
    Ok(bytes)
}

fn convert(values: &[V]) -> Out {
    let (from, to) = (
        encoding(&values[1], "source")?,
        encoding(&values[2], "destination")?,
    );
    let bytes = values[0].bytes();
    if !from.is_plain() && !to.is_plain() && from.name != to.name {
        let (from, to) = (from.name, to.name);
        let message = format!("conversion between {from} and {to} is not supported");
        return fail("0A000", message);
    }
    let as_is = from.name == to.name || matches!(to.kind, Conversion::Any);
    if as_is || (matches!(from.kind, Conversion::Any) && !matches!(to.kind, Conversion::Utf8)) {
        if matches!(from.kind, Conversion::Utf8) {
            utf8(bytes.clone())?;
        } else if bytes.contains(&0) {
            return malformed(&[0], from.name);
        }
        return Ok(V::Blob(bytes));
    }
    Ok(V::Blob(bytes_of(&text_of(bytes, &from)?, &to)?))
}

/// Encodings.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_convert", 3, Strict, convert),
    ("pg_convert_from", 2, Strict, |v| {
        Ok(text_of(v[0].bytes(), &encoding(&v[1], "source")?)?.into())
    }),
    ("pg_convert_to", 2, Strict, |v| {
        Ok(V::Blob(bytes_of(&v[0].text(), &encoding(&v[1], "destination")?)?))
    }),
];
