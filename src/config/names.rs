//! Names of tables and columns as the configuration writes them: `table`, `schema.table`, `table.column`,
//! `schema.table.column`; `*` stands for any characters of a part, and double quotes keep a dot in one.

use std::fmt;

/// One to three parts, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamePattern {
    /// As it was written.
    text: String,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    /// What stands between the stars; one piece for a name without any.
    pieces: Vec<String>,
}

impl NamePattern {
    /// How one is written.
    pub(super) const HINT: &str =
        "write table, schema.table, table.column or schema.table.column; * for any part of a name";

    /// Reads one; the error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = vec![Part::default()];
        let mut quoted = false;
        for character in text.trim().chars() {
            let part = parts.last_mut().expect("there is always one");
            match character {
                '"' => quoted = !quoted,
                '.' if !quoted => parts.push(Part::default()),
                '*' if !quoted => part.pieces.push(String::new()),
                _ => part
                    .pieces
                    .last_mut()
                    .expect("a part begins with a piece")
                    .extend(character.to_lowercase()),
            }
        }
        if quoted {
            return Err(format!("{text:?} has a quote without its other half"));
        }
        if parts.len() > 3 {
            return Err(format!("{text:?} has more than three parts"));
        }
        if parts.iter().any(Part::is_empty) {
            return Err(format!("{text:?} has an empty part"));
        }
        Ok(Self {
            text: text.trim().to_owned(),
            parts,
        })
    }

    /// True if it means this table with all its columns.
    pub fn means_table(&self, schema: Option<&str>, table: &str) -> bool {
        match self.parts.as_slice() {
            [name] => name.fits(table),
            [one, other] => {
                (one.fits(table) && other.is_any())
                    || (schema.is_some_and(|schema| one.fits(schema)) && other.fits(table))
            }
            [namespace, name, column] => {
                schema.is_some_and(|schema| namespace.fits(schema)) && name.fits(table) && column.is_any()
            }
            _ => false,
        }
    }

    /// True if it means this column, or the whole table.
    pub fn means_column(&self, schema: Option<&str>, table: &str, column: &str) -> bool {
        self.means_table(schema, table)
            || match self.parts.as_slice() {
                [name, last] => name.fits(table) && last.fits(column),
                [namespace, name, last] => {
                    schema.is_some_and(|schema| namespace.fits(schema))
                        && name.fits(table)
                        && last.fits(column)
                }
                _ => false,
            }
    }

    /// True if it may mean the table or a column of it, whatever the column is called.
    pub fn may_mean_in(&self, schema: Option<&str>, table: &str) -> bool {
        self.means_table(schema, table)
            || match self.parts.as_slice() {
                [name, _] => name.fits(table),
                [namespace, name, _] => {
                    schema.is_some_and(|schema| namespace.fits(schema)) && name.fits(table)
                }
                _ => false,
            }
    }

    /// True if it spells this table's name out, without a star.
    pub fn names_table(&self, schema: Option<&str>, table: &str) -> bool {
        let spelt = |part: &Part, name: &str| part.pieces.len() == 1 && part.fits(name);
        match self.parts.as_slice() {
            [name] | [_, name, _] => spelt(name, table),
            [one, other] => {
                spelt(one, table) || (schema.is_some_and(|schema| one.fits(schema)) && spelt(other, table))
            }
            _ => false,
        }
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Default for Part {
    fn default() -> Self {
        Self {
            pieces: vec![String::new()],
        }
    }
}

impl Part {
    fn is_empty(&self) -> bool {
        matches!(self.pieces.as_slice(), [only] if only.is_empty())
    }

    fn is_any(&self) -> bool {
        self.pieces.len() > 1 && self.pieces.iter().all(String::is_empty)
    }

    /// Letter case does not count.
    fn fits(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let (Some((first, rest)), Some(last)) = (self.pieces.split_first(), self.pieces.last()) else {
            return false;
        };
        if rest.is_empty() {
            return name == *first;
        }
        let Some(mut left) = name.strip_prefix(first.as_str()) else {
            return false;
        };
        for piece in &rest[..rest.len() - 1] {
            match left.find(piece.as_str()) {
                Some(at) => left = &left[at + piece.len()..],
                None => return false,
            }
        }
        left.ends_with(last.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> NamePattern {
        NamePattern::parse(text).unwrap()
    }

    #[test]
    fn tables_and_columns_are_meant_by_their_parts() {
        let check = |text: &str, table: bool, column: bool| {
            let pattern = pattern(text);
            let told = (
                pattern.means_table(Some("shop"), "Customers"),
                pattern.means_column(Some("shop"), "Customers", "e_mail"),
            );
            assert_eq!(told, (table, column), "{text}");
        };
        for whole in [
            "customers",
            "CUSTOMERS",
            "customers.*",
            "cust*",
            "*",
            "shop.customers",
            "shop.*",
            "shop.customers.*",
            "*.*",
            "\"customers\"",
            "c*t*s",
        ] {
            check(whole, true, true);
        }
        for part in [
            "customers.e_mail",
            "*.e_*",
            "shop.customers.e_mail",
            "*.*mail",
            "*.*.E_MAIL",
        ] {
            check(part, false, true);
        }
        for none in [
            "customer",
            "orders",
            "orders.e_mail",
            "work.customers",
            "shop.e_mail",
            "\"customers.e_mail\"",
            "*x*",
            "c*sx",
        ] {
            check(none, false, false);
        }
        assert!(!pattern("shop.customers").means_table(None, "customers"));
        assert!(pattern("\"a.b\".c").means_column(None, "a.b", "c"));
    }

    #[test]
    fn a_name_is_spelt_out_or_not() {
        for (text, spelt) in [
            ("v", true),
            ("s.v", true),
            ("v.*", true),
            ("s.v.*", true),
            ("*", false),
            ("s.*", false),
            ("v*", false),
        ] {
            assert_eq!(pattern(text).names_table(Some("s"), "v"), spelt, "{text}");
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in ["", "a.", ".b", "a..b", "a.b.c.d", "\"a"] {
            assert!(NamePattern::parse(text).is_err(), "{text}");
        }
    }
}
