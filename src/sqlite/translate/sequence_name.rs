//! Names of sequences, as clients write them and as they are kept.

/// Where a sequence may be kept. The one that is found first is meant, as with tables.
const HOMES: [&str; 2] = ["temp", "main"];

/// What a default begins with that draws from a sequence.
const DRAWS: &str = "pg_nextval('";

/// A sequence by its name, and where it is to be looked for alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SequenceName {
    pub(crate) name: String,
    pub(crate) within: Option<&'static str>,
}

impl SequenceName {
    /// `public."Name"` as a client writes it.
    pub(crate) fn read(text: &str) -> Self {
        let text = text.trim();
        let mut in_quotes = false;
        let dot = text.find(|character| {
            in_quotes ^= character == '"';
            character == '.' && !in_quotes
        });
        let schema = dot.map(|dot| folded(&text[..dot]));
        match (schema.as_deref().and_then(place), dot) {
            (Some(within), Some(dot)) => Self {
                name: folded(&text[dot + 1..]),
                within: Some(within),
            },
            _ => Self {
                name: folded(text),
                within: None,
            },
        }
    }

    /// A name and the schema that stands before it, as they are kept; nothing is called so in any other schema.
    pub(crate) fn of(name: &str, schema: Option<&str>) -> Self {
        let within = schema.and_then(place);
        let elsewhere = schema.filter(|_| within.is_none());
        Self {
            name: elsewhere.map_or_else(|| name.to_owned(), |schema| format!("{schema}.{name}")),
            within,
        }
    }

    /// The sequence that a default draws from, as the default is kept.
    pub(crate) fn drawn_by(default: &str) -> Option<Self> {
        let (_, behind) = default.split_once(DRAWS)?;
        let end = behind.find("')")?;
        Some(Self::read(&behind[..end].replace("''", "'")))
    }

    /// The default of a column that draws from it.
    pub(super) fn drawn(&self) -> String {
        format!("{DRAWS}{}')", self.written().replace('\'', "''"))
    }

    /// As a client writes it: `public."Name"`.
    pub(crate) fn written(&self) -> String {
        let name = &self.name;
        let plain = |character: char| matches!(character, 'a'..='z' | '0'..='9' | '_');
        let name = if name.chars().all(plain) {
            name.clone()
        } else {
            super::quoted(name)
        };
        let schema = match self.within {
            Some("temp") => "pg_temp.",
            Some(_) => "public.",
            None => "",
        };
        schema.to_owned() + &name
    }

    /// Where it may be.
    pub(crate) fn homes(&self) -> impl Iterator<Item = &'static str> + Clone {
        let within = self.within;
        HOMES
            .into_iter()
            .filter(move |home| within.is_none_or(|within| within == *home))
    }
}

/// The schema of SQLite's that is meant by one of PostgreSQL's.
fn place(schema: &str) -> Option<&'static str> {
    match schema {
        "public" | "main" => Some("main"),
        "pg_temp" | "temp" => Some("temp"),
        _ => None,
    }
}

fn folded(part: &str) -> String {
    match part.strip_prefix('"').and_then(|part| part.strip_suffix('"')) {
        Some(quoted) => quoted.replace("\"\"", "\""),
        None => part.to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_default_draws_from_is_read_as_it_was_written() {
        for name in ["t_id_seq", "Big_Num_seq", "it's", "a.b", "say \"a\"", "1st"] {
            for schema in [None, Some("public"), Some("pg_temp")] {
                let sequence = SequenceName::of(name, schema);
                let default = format!("pg_i4({}) /* identity always */", sequence.drawn());
                assert_eq!(SequenceName::drawn_by(&default), Some(sequence), "{default}");
            }
        }
        assert_eq!(SequenceName::drawn_by("pg_now()"), None);
    }
}
