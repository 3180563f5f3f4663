//! Types as SQL spells them, in the texts that `regtype` reads: `decimal(12,3)`, `timestamp(3) with time zone`,
//! `national character varying(5)[]`, or a name of `pg_type`.

use super::failure::Failure;
use crate::statement::sqlite_lexer::{Piece, pieces, unquote};

/// The type that a text spells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TypeName {
    pub(super) schema: Option<String>,
    /// Its name in `pg_type`, or what was written where SQL has no word of its own for it.
    pub(super) name: String,
    /// True where a length stands behind a name that may not take one.
    pub(super) is_sized: bool,
    pub(super) is_array: bool,
}

impl TypeName {
    /// As errors call it.
    pub(super) fn shown(&self) -> String {
        let schema = self.schema.as_ref().map(|schema| format!("{schema}."));
        let array = if self.is_array { "[]" } else { "" };
        format!("{}{}{array}", schema.unwrap_or_default(), self.name)
    }
}

/// Reads one, as the types of columns and casts are written.
pub(super) fn read(text: &str) -> Result<TypeName, Failure> {
    let tokens = pieces(text).filter_map(|(_, piece)| match piece {
        Piece::Token(token) => Some(token),
        Piece::Line => None,
        // No type has one.
        Piece::Comment(_) => Some("--"),
    });
    let mut words = Words {
        tokens: tokens.collect(),
        at: 0,
    };
    let invalid = || Failure {
        sqlstate: "42601",
        message: format!("invalid type name \"{text}\""),
    };
    let mut found = words.simple()?.ok_or_else(invalid)?;
    found.is_array = words.bounds();
    if words.at < words.tokens.len() {
        return Err(invalid());
    }
    Ok(found)
}

struct Words<'t> {
    tokens: Vec<&'t str>,
    at: usize,
}

impl Words<'_> {
    fn take(&mut self, word: &str) -> bool {
        let found = self
            .tokens
            .get(self.at)
            .is_some_and(|token| token.eq_ignore_ascii_case(word));
        self.at += usize::from(found);
        found
    }

    fn take_any(&mut self, words: &[&str]) -> bool {
        words.iter().any(|word| self.take(word))
    }

    /// The numbers in parentheses, if there are any; `None` where they are not as they have to be.
    fn numbers(&mut self) -> Option<Vec<u32>> {
        let mut numbers = vec![];
        if !self.take("(") {
            return Some(numbers);
        }
        loop {
            // A scale may be less than nothing.
            let _ = self.take("-");
            numbers.push(self.tokens.get(self.at)?.parse().ok()?);
            self.at += 1;
            if self.take(")") {
                return Some(numbers);
            }
            if !self.take(",") {
                return None;
            }
        }
    }

    /// A type's name, without the signs of an array; `None` where there is none.
    fn simple(&mut self) -> Result<Option<TypeName>, Failure> {
        let start = self.at;
        let Some(first) = self.tokens.first().map(|word| word.to_ascii_lowercase()) else {
            return Ok(None);
        };
        self.at += 1;
        if self.tokens.get(self.at) == Some(&".") {
            self.at = start;
            return Ok(self.by_name());
        }
        let known = match first.as_str() {
            "int" | "integer" => Some("int4"),
            "smallint" => Some("int2"),
            "bigint" => Some("int8"),
            "real" => Some("float4"),
            "boolean" => Some("bool"),
            "double" => self.take("precision").then_some("float8"),
            "float" => match self.numbers().as_deref() {
                Some([]) => Some("float8"),
                Some([digits]) => Some(float(*digits)?),
                _ => None,
            },
            "decimal" | "dec" | "numeric" => self.numbers().map(|_| "numeric"),
            "bit" => {
                let name = if self.take("varying") { "varbit" } else { "bit" };
                self.numbers().map(|_| name)
            }
            "national" if !self.take_any(&["character", "char"]) => None,
            "character" | "char" | "nchar" | "national" => {
                let name = if self.take("varying") { "varchar" } else { "bpchar" };
                self.length().then_some(name)
            }
            "varchar" => self.length().then_some("varchar"),
            "time" => self.moment(["time", "timetz"]),
            "timestamp" => self.moment(["timestamp", "timestamptz"]),
            "interval" => self.interval().then_some("interval"),
            _ => {
                self.at = start;
                return Ok(self.by_name());
            }
        };
        Ok(known.map(|name| TypeName {
            schema: None,
            name: name.into(),
            is_sized: false,
            is_array: false,
        }))
    }

    fn length(&mut self) -> bool {
        self.numbers().is_some_and(|numbers| numbers.len() <= 1)
    }

    fn moment<'n>(&mut self, [plain, zoned]: [&'n str; 2]) -> Option<&'n str> {
        if !self.length() {
            return None;
        }
        let name = match (self.take("with"), self.take("without")) {
            (false, false) => return Some(plain),
            (true, false) => zoned,
            _ => plain,
        };
        (self.take("time") && self.take("zone")).then_some(name)
    }

    /// The fields of an interval and the digits of its seconds.
    fn interval(&mut self) -> bool {
        const FIELDS: [&str; 6] = ["year", "month", "day", "hour", "minute", "second"];
        let first = FIELDS.iter().position(|field| self.take(field));
        let last = match first {
            Some(first) if self.take("to") => {
                let last = FIELDS.iter().position(|field| self.take(field));
                // From a larger one to a smaller one, and months never to days.
                let fits = |last: &usize| *last > first && (first == 0) == (*last == 1) && first != 1;
                match last.filter(fits) {
                    None => return false,
                    last => last,
                }
            }
            first => first,
        };
        match last {
            None | Some(5) => self.length(),
            Some(_) => true,
        }
    }

    /// A name of `pg_type`, with the names in front of it.
    fn by_name(&mut self) -> Option<TypeName> {
        let mut parts = vec![];
        loop {
            let token = *self.tokens.get(self.at)?;
            parts.push(match token.chars().next()? {
                '"' => unquote(token),
                first if first.is_alphabetic() || first == '_' => token.to_lowercase(),
                _ => return None,
            });
            self.at += 1;
            if !self.take(".") {
                break;
            }
        }
        let name = parts.pop()?;
        let sized = self.numbers()?;
        Some(TypeName {
            schema: (!parts.is_empty()).then(|| parts.join(".")),
            name,
            is_sized: !sized.is_empty(),
            is_array: false,
        })
    }

    /// The signs of an array: `[]`, `[3][3]`, `array`, `array[3]`.
    fn bounds(&mut self) -> bool {
        let start = self.at;
        let is_word = self.take("array");
        while let Some(bound) = self
            .tokens
            .get(self.at)
            .and_then(|token| token.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')))
        {
            let is_number = bound.trim().chars().all(|character| character.is_ascii_digit());
            if !is_number || is_word && (bound.trim().is_empty() || self.at > start + 1) {
                break;
            }
            self.at += 1;
        }
        self.at > start
    }
}

/// The type of `float(digits)`, which are binary.
fn float(digits: u32) -> Result<&'static str, Failure> {
    let told = |words: &str| {
        Err(Failure {
            sqlstate: "22023",
            message: format!("precision for type float must be {words}"),
        })
    };
    match digits {
        0 => told("at least 1 bit"),
        1..=24 => Ok("float4"),
        25..=53 => Ok("float8"),
        _ => told("less than 54 bits"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_as_sql_spells_them() {
        for (text, expected) in [
            ("decimal(12,3)", Some("numeric")),
            ("dec[]", Some("numeric[]")),
            ("numeric(3, -2)", Some("numeric")),
            ("INT array[3]", Some("int4[]")),
            ("int array", Some("int4[]")),
            ("int[3][]", Some("int4[]")),
            ("float(24)", Some("float4")),
            ("float", Some("float8")),
            ("double precision", Some("float8")),
            ("char(3)", Some("bpchar")),
            ("\"char\"", Some("char")),
            ("nchar varying (3)", Some("varchar")),
            ("national character varying", Some("varchar")),
            ("timestamp(3) with time zone", Some("timestamptz")),
            ("time without time zone", Some("time")),
            ("interval second(3)", Some("interval")),
            ("interval day to second (3)[]", Some("interval[]")),
            ("interval(3)", Some("interval")),
            ("bit varying(3)", Some("varbit")),
            ("Bpchar", Some("bpchar")),
            ("\"INT\"", Some("INT")),
            ("pg_catalog.\"int4\"", Some("pg_catalog.int4")),
            ("interval month to day", None),
            ("interval year(3)", None),
            ("int(3)", None),
            ("int int", None),
            ("int[x]", None),
            ("int array[]", None),
            ("double", None),
            ("national text", None),
            ("setof int", None),
            ("float(60)", None),
            ("time with zone", None),
            ("a.", None),
            ("(", None),
            ("", None),
        ] {
            let found = read(text).ok().map(|name| name.shown());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
