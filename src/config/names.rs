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
                (one.fits(table) && other.is_any()) || (one.is_schema(schema) && other.fits(table))
            }
            [namespace, name, column] => namespace.is_schema(schema) && name.fits(table) && column.is_any(),
            _ => false,
        }
    }

    /// True if it means this column, or the whole table.
    pub fn means_column(&self, schema: Option<&str>, table: &str, column: &str) -> bool {
        self.means_table(schema, table)
            || match self.parts.as_slice() {
                [name, last] => name.fits(table) && last.fits(column),
                [namespace, name, last] => {
                    namespace.is_schema(schema) && name.fits(table) && last.fits(column)
                }
                _ => false,
            }
    }

    /// True if it may mean the table or a column of it, whatever the column is called.
    pub fn may_mean_in(&self, schema: Option<&str>, table: &str) -> bool {
        self.means_table(schema, table)
            || match self.parts.as_slice() {
                [name, _] => name.fits(table),
                [namespace, name, _] => namespace.is_schema(schema) && name.fits(table),
                _ => false,
            }
    }

    /// True for a name without a star.
    pub fn is_spelt_out(&self) -> bool {
        self.parts.iter().all(|part| part.pieces.len() == 1)
    }

    /// True if it can mean a table or a column of a database that has no namespaces, whichever there are.
    pub fn fits_a_file(&self) -> bool {
        self.parts.len() < 3 || self.parts[0].is_schema(None)
    }

    /// True if it can mean a whole table of a database, which may have namespaces.
    pub fn can_mean_a_table(&self, has_namespaces: bool) -> bool {
        match self.parts.as_slice() {
            [one, other] => has_namespaces || other.is_any() || one.is_schema(None),
            [namespace, _, column] => column.is_any() && (has_namespaces || namespace.is_schema(None)),
            _ => true,
        }
    }

    /// True if it spells this table's name out, without a star.
    pub fn names_table(&self, schema: Option<&str>, table: &str) -> bool {
        let spelt = |part: &Part, name: &str| part.pieces.len() == 1 && part.fits(name);
        match self.parts.as_slice() {
            [name] | [_, name, _] => spelt(name, table),
            [one, other] => spelt(one, table) || (one.is_schema(schema) && spelt(other, table)),
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

    /// True if it means this namespace; that of a SQLite file, which has none, is called `public`, or `main`.
    fn is_schema(&self, schema: Option<&str>) -> bool {
        match schema {
            Some(schema) => self.fits(schema),
            None => self.fits("public") || self.fits("main"),
        }
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
        for own in [
            "public.customers",
            "main.customers",
            "public.*",
            "PUBLIC.customers.*",
            "*.customers",
        ] {
            assert!(pattern(own).means_table(None, "customers"), "{own}");
        }
        assert!(pattern("public.customers.e_mail").means_column(None, "customers", "e_mail"));
        assert!(pattern("main.customers.e_mail").may_mean_in(None, "customers"));
        assert!(!pattern("public.customers.e_mail").means_column(Some("shop"), "customers", "e_mail"));
    }

    #[test]
    fn what_can_mean_nothing_is_known() {
        for (text, of_file, of_server) in [
            ("t", true, true),
            ("public.t", true, true),
            ("hr.t", false, true),
            ("t.*", true, true),
            ("public.t.*", true, true),
            ("public.t.c", false, false),
            ("hr.t.*", false, true),
        ] {
            let pattern = pattern(text);
            let told = (pattern.can_mean_a_table(false), pattern.can_mean_a_table(true));
            assert_eq!(told, (of_file, of_server), "{text}");
        }
        assert!(pattern("main.t.c").fits_a_file() && pattern("t.c").fits_a_file());
        assert!(!pattern("hr.t.c").fits_a_file());
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
