//! Names of sequences, as clients write them and as they are kept.

/// Where a sequence may be kept. The one that is found first is meant, as with tables.
const HOMES: [&str; 2] = ["temp", "main"];

/// A sequence by its name, and where it is to be looked for alone.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) within: Option<&'static str>,
}

impl Named {
    /// `public."Name"` as a client writes it.
    pub(super) fn read(text: &str) -> Self {
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

    /// A name and the schema that stands before it, as they are kept.
    pub(super) fn of(name: &str, schema: Option<&str>) -> Self {
        Self {
            name: name.to_owned(),
            within: schema.and_then(place),
        }
    }

    /// Where it may be.
    pub(super) fn homes(&self) -> impl Iterator<Item = &'static str> {
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
