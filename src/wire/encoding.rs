//! The client's encoding (`client_encoding`): text from and to UTF-8.

use std::borrow::Cow;

/// How a client writes text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, or `SQL_ASCII`, of which nothing is known.
    #[default]
    Utf8,
    /// Another one that is known.
    Other(&'static encoding_rs::Encoding),
    /// One of which nothing is known: only ASCII is read.
    Unknown,
}

impl Encoding {
    /// By PostgreSQL's name (documentation, chapter "Character Set Support").
    pub fn named(name: &[u8]) -> Self {
        let name = String::from_utf8_lossy(name).to_uppercase();
        let label = match name.as_str() {
            "UTF8" | "UNICODE" | "SQL_ASCII" => return Self::Utf8,
            "LATIN1" => "iso-8859-1",
            "LATIN2" => "iso-8859-2",
            "LATIN3" => "iso-8859-3",
            "LATIN4" => "iso-8859-4",
            "LATIN5" => "iso-8859-9",
            "LATIN6" => "iso-8859-10",
            "LATIN7" => "iso-8859-13",
            "LATIN8" => "iso-8859-14",
            "LATIN9" => "iso-8859-15",
            "LATIN10" => "iso-8859-16",
            "ISO_8859_5" => "iso-8859-5",
            "ISO_8859_6" => "iso-8859-6",
            "ISO_8859_7" => "iso-8859-7",
            "ISO_8859_8" => "iso-8859-8",
            "WIN866" => "ibm866",
            "WIN874" => "windows-874",
            "WIN1250" => "windows-1250",
            "WIN1251" | "WIN" => "windows-1251",
            "WIN1252" => "windows-1252",
            "WIN1253" => "windows-1253",
            "WIN1254" => "windows-1254",
            "WIN1255" => "windows-1255",
            "WIN1256" => "windows-1256",
            "WIN1257" => "windows-1257",
            "WIN1258" => "windows-1258",
            "KOI8R" | "KOI8" => "koi8-r",
            "KOI8U" => "koi8-u",
            "EUC_JP" => "euc-jp",
            "EUC_KR" | "UHC" => "euc-kr",
            "EUC_CN" | "GBK" => "gbk",
            "GB18030" => "gb18030",
            "BIG5" => "big5",
            "SJIS" => "shift_jis",
            _ => return Self::Unknown,
        };
        encoding_rs::Encoding::for_label(label.as_bytes()).map_or(Self::Unknown, Self::Other)
    }

    /// True if text needs no change.
    pub fn is_utf8(self) -> bool {
        self == Self::Utf8
    }

    /// The text, if it can be read and written back without a difference.
    pub fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        match self {
            Self::Utf8 => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
            Self::Unknown => std::str::from_utf8(bytes)
                .ok()
                .filter(|text| text.is_ascii())
                .map(Cow::Borrowed),
            Self::Other(encoding) => {
                let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
                (encoding.encode(&text).0.as_ref() == bytes).then_some(text)
            }
        }
    }

    /// The bytes, if every character can be written and is read back as itself: Shift JIS would make a backslash of `¥`.
    pub fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::Utf8 => Some(Cow::Borrowed(text.as_bytes())),
            Self::Unknown => text.is_ascii().then_some(Cow::Borrowed(text.as_bytes())),
            Self::Other(encoding) => {
                let (bytes, _, lossy) = encoding.encode(text);
                let read = encoding.decode_without_bom_handling_and_without_replacement(&bytes);
                let same = !lossy && read.is_some_and(|read| read == text);
                same.then_some(bytes)
            }
        }
    }

    /// The bytes, with `?` for what cannot be written.
    pub fn encode_lossy(self, text: &str) -> Cow<'_, [u8]> {
        if let Some(bytes) = self.encode(text) {
            return bytes;
        }
        let mut bytes = Vec::with_capacity(text.len());
        let mut buffer = [0; 4];
        for character in text.chars() {
            let one = self.encode(character.encode_utf8(&mut buffer));
            bytes.extend_from_slice(one.as_deref().unwrap_or(b"?"));
        }
        Cow::Owned(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_back_as_it_was() {
        let check = |name: &str, text: &str, bytes: &[u8]| {
            let encoding = Encoding::named(name.as_bytes());
            assert_eq!(encoding.encode(text).as_deref(), Some(bytes), "{name}");
            assert_eq!(encoding.decode(bytes).as_deref(), Some(text), "{name}");
        };
        check("UTF8", "Zoë", "Zoë".as_bytes());
        check("LATIN1", "Zoë", b"Zo\xeb");
        check("SJIS", "表", b"\x95\x5c");
        check("KOI8R", "да", b"\xc4\xc1");
        check("MULE_INTERNAL", "plain", b"plain");
    }

    #[test]
    fn what_cannot_be_written_is_told_apart() {
        let latin1 = Encoding::named(b"LATIN1");
        assert_eq!(latin1.encode("表"), None);
        assert_eq!(&*latin1.encode_lossy("a表b"), b"a?b");
        for name in ["SJIS", "EUC_JP"] {
            let japanese = Encoding::named(name.as_bytes());
            assert_eq!(japanese.encode("E'¥'"), None, "{name}");
            assert_eq!(&*japanese.encode_lossy("E'¥‾'"), b"E'??'", "{name}");
        }
        assert_eq!(Encoding::Unknown.decode(b"\xff"), None);
        assert_eq!(Encoding::named(b"SJIS").decode(b"\x95"), None);
    }
}
