//! What the type of a field says of its key: what it may hold, whether it is a secret, and how it is read.

use std::{collections::BTreeMap, net::IpAddr, path::PathBuf, time::Duration};

use super::{
    AuthMode, ConsoleAuth, ListenAddress, LogFormat, ModelApi, NamePattern, Secret, StructuredOutput, Terse,
    TlsMode,
    value::{KeyType, Setting},
};
use crate::statement::{Dialect, Mode, Notices};

/// Why a value cannot be taken that fits its kind.
pub(super) struct Unfit {
    /// Goes on after the key's name.
    pub(super) reason: String,
    pub(super) hint: &'static str,
}

/// A type that settings may have.
pub(super) trait Typed: Sized {
    /// What its key may hold.
    const KIND: KeyType;
    /// True if what it holds must not be shown.
    const SECRET: bool = false;

    /// Reads what fits the kind.
    fn typed(setting: &Setting) -> Result<Self, Unfit>;
}

/// A type that stands in lists and tables of texts.
pub(super) trait Item: Sized {
    /// True if it must not be shown.
    const SECRET: bool = false;

    /// Reads one text.
    fn item(text: &str) -> Result<Self, Unfit>;
}

/// What is nothing, zero or blank means that there is none.
impl<T: Typed> Typed for Option<T> {
    const KIND: KeyType = T::KIND;
    const SECRET: bool = T::SECRET;

    fn typed(setting: &Setting) -> Result<Self, Unfit> {
        (!setting.is_nothing()).then(|| T::typed(setting)).transpose()
    }
}

impl<T: Item> Typed for Vec<T> {
    const KIND: KeyType = KeyType::List;
    const SECRET: bool = T::SECRET;

    fn typed(setting: &Setting) -> Result<Self, Unfit> {
        match setting {
            Setting::List(items) => items.iter().map(|text| T::item(text)).collect(),
            _ => Ok(Self::new()),
        }
    }
}

impl<T: Item> Typed for BTreeMap<String, T> {
    const KIND: KeyType = KeyType::Map;
    const SECRET: bool = T::SECRET;

    fn typed(setting: &Setting) -> Result<Self, Unfit> {
        let Setting::Map(entries) = setting else {
            return Ok(Self::new());
        };
        let entries = entries.iter();
        entries
            .map(|(name, text)| Ok((name.clone(), T::item(text)?)))
            .collect()
    }
}

/// A setting of one value, read by a pattern or its type's default: what fits the kind fits the pattern.
macro_rules! plain {
    ($($type:ty, $kind:expr, $pattern:pat => $value:expr;)*) => {$(
        impl Typed for $type {
            const KIND: KeyType = $kind;

            fn typed(setting: &Setting) -> Result<Self, Unfit> {
                Ok(match setting {
                    $pattern => $value,
                    _ => Self::default(),
                })
            }
        }
    )*};
}

plain! {
    bool, KeyType::Bool, Setting::Bool(flag) => *flag;
    u64, KeyType::Count, Setting::Count(number) | Setting::Bytes(number) => *number;
    u32, KeyType::Count, Setting::Count(number) => u32::try_from(*number).unwrap_or(u32::MAX);
    usize, KeyType::Count, Setting::Count(number) => usize::try_from(*number).unwrap_or(usize::MAX);
    f64, KeyType::Fraction, Setting::Fraction(number) | Setting::Money(number) => *number;
    Duration, KeyType::Duration, Setting::Duration(time) => *time;
    String, KeyType::Text, Setting::Text(text) => text.clone();
    PathBuf, KeyType::Text, Setting::Text(text) => text.into();
    BTreeMap<String, Vec<String>>, KeyType::Groups, Setting::Groups(groups) => groups.clone();
}

impl Typed for Secret {
    const KIND: KeyType = KeyType::Text;
    const SECRET: bool = true;

    fn typed(setting: &Setting) -> Result<Self, Unfit> {
        match setting {
            Setting::Text(text) => Self::item(text),
            _ => Self::item(""),
        }
    }
}

/// An enum of words: what fits the kind is one of them.
macro_rules! words_of {
    ($($type:ty: $words:expr;)*) => {$(
        impl Typed for $type {
            const KIND: KeyType = KeyType::Choice($words);

            fn typed(setting: &Setting) -> Result<Self, Unfit> {
                let Setting::Text(word) = setting else {
                    return Ok(Self::ALL[0]);
                };
                let words: &[&str] = $words;
                let at = words.iter().position(|known| known == word);
                Ok(at.map_or(Self::ALL[0], |at| Self::ALL[at]))
            }
        }
    )*};
}

words_of! {
    Mode: Self::WORDS;
    Notices: Self::WORDS;
    // A session's own word is the whole name.
    Dialect: &["postgres", "sqlite"];
    ModelApi: Self::WORDS;
    StructuredOutput: Self::WORDS;
    Terse: Self::WORDS;
    AuthMode: Self::WORDS;
    ConsoleAuth: Self::WORDS;
    TlsMode: Self::WORDS;
    LogFormat: Self::WORDS;
}

impl Item for String {
    fn item(text: &str) -> Result<Self, Unfit> {
        Ok(text.to_owned())
    }
}

impl Item for PathBuf {
    fn item(text: &str) -> Result<Self, Unfit> {
        Ok(text.into())
    }
}

impl Item for Secret {
    const SECRET: bool = true;

    fn item(text: &str) -> Result<Self, Unfit> {
        Ok(Self::exactly(text))
    }
}

impl Item for ListenAddress {
    fn item(text: &str) -> Result<Self, Unfit> {
        Self::parse(text).map_err(|reason| Unfit {
            reason,
            hint: "write HOST:PORT, [IPv6]:PORT, or the path of a unix socket",
        })
    }
}

impl Item for IpAddr {
    fn item(text: &str) -> Result<Self, Unfit> {
        let address: Result<Self, _> = text.parse();
        address.map(|address| address.to_canonical()).map_err(|_| Unfit {
            reason: format!("has no IP address in {text:?}"),
            hint: "write addresses such as 127.0.0.1",
        })
    }
}

impl Item for NamePattern {
    fn item(text: &str) -> Result<Self, Unfit> {
        Self::parse(text).map_err(|reason| Unfit {
            reason: format!("is wrong: {reason}"),
            hint: Self::HINT,
        })
    }
}
