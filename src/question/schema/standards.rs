//! Countries, currencies, languages and the like: what has a code by a standard. They stand in `standards.toml`.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use serde::Deserialize;

use super::{ColumnRef, Snapshot, ValueHit, words};

/// Values of a column that must be of a standard, where its name does not say that they are.
const SEVERAL: usize = 3;
/// How large a part of a column's values must be.
const MOST: f32 = 0.7;
/// Values of a column that tell what it holds.
const MANY: usize = 200;

/// A standard: its things, each with all that it is written as, in small letters.
#[derive(Debug)]
struct Standard {
    /// Words of columns that hold them.
    columns: HashSet<String>,
    things: Vec<Vec<String>>,
    /// Which thing is called so.
    named: HashMap<String, Vec<usize>>,
    /// Which thing has this code.
    coded: HashMap<String, usize>,
}

#[derive(Deserialize)]
struct StandardFile {
    standard: Vec<Written>,
}

#[derive(Deserialize)]
struct Written {
    columns: HashSet<String>,
    things: String,
}

static STANDARDS: LazyLock<Vec<Standard>> = LazyLock::new(|| {
    let file: StandardFile = toml::from_str(include_str!("standards.toml"))
        .expect("the standards are part of the program, and a test reads them");
    file.standard.into_iter().map(Standard::read).collect()
});

impl Snapshot {
    /// Stored values of columns of countries, currencies and the like that stand for what is called so, and are written in
    /// another way: `DE` for Germany, and for what is German.
    pub fn values_by_standard(&self, text: &str) -> Vec<ValueHit> {
        let mut found: Vec<ValueHit> = vec![];
        for standard in STANDARDS.iter() {
            for form in standard.forms(text) {
                for hit in self.values.find(&words::text_words(form)) {
                    let is_so_written = hit.stored.trim().to_lowercase() == form;
                    let is_new = found.iter().all(|other| other.column != hit.column);
                    if is_so_written && is_new && *hit.stored != *text && self.is_of(standard, hit.column) {
                        found.push(hit);
                    }
                }
            }
        }
        found
    }

    fn is_of(&self, standard: &Standard, column: ColumnRef) -> bool {
        let name = words::identifier_words(&self.schema.column(column).name);
        standard.is_held(&name, &self.values.first_of(column, MANY))
    }
}

impl Standard {
    fn read(written: Written) -> Self {
        let mut standard = Self {
            columns: written.columns,
            things: vec![],
            named: HashMap::new(),
            coded: HashMap::new(),
        };
        for line in written.things.lines() {
            let Some((codes, names)) = line.split_once('|') else {
                continue;
            };
            let at = standard.things.len();
            let mut forms: Vec<String> = vec![];
            for code in codes.split_whitespace().map(str::to_lowercase) {
                standard.coded.insert(code.clone(), at);
                forms.push(code);
            }
            for name in names.split(';').map(|name| name.trim().to_lowercase()) {
                standard.named.entry(name.clone()).or_default().push(at);
                forms.push(name);
            }
            standard.things.push(forms);
        }
        standard
    }

    /// All that the things are written as that are called so. A code is one where it is written in capitals.
    fn forms(&self, text: &str) -> impl Iterator<Item = &str> {
        let folded = text.to_lowercase();
        let is_code = text.chars().all(char::is_uppercase);
        let coded = is_code.then(|| self.coded.get(&folded)).flatten();
        let named = self.named.get(&folded).into_iter().flatten();
        let mut things: Vec<usize> = named.chain(coded).copied().collect();
        things.dedup();
        things
            .into_iter()
            .flat_map(|thing| self.things[thing].iter().map(String::as_str))
    }

    /// True for a column of such things: its name says so, or its values are.
    fn is_held(&self, name: &[String], values: &[impl AsRef<str>]) -> bool {
        let known = values
            .iter()
            .map(|value| value.as_ref().trim().to_lowercase())
            .filter(|value| self.coded.contains_key(value) || self.named.contains_key(value))
            .count();
        let says_so = name.iter().any(|word| self.columns.contains(word));
        known >= (if says_so { 1 } else { SEVERAL }) && known as f32 >= MOST * values.len() as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_are_one() {
        let forms = |text: &str| -> Vec<&str> { STANDARDS.iter().flat_map(|all| all.forms(text)).collect() };
        assert!(forms("Germany").contains(&"de"));
        assert!(forms("German").contains(&"germany") && forms("German").contains(&"deu"));
        assert!(forms("UK").contains(&"gb"));
        assert!(forms("euros").contains(&"eur"));
        assert!(forms("in").is_empty(), "a code in small letters is a word");
    }

    #[test]
    fn columns_are_known_by_their_values() {
        let countries = &STANDARDS[0];
        let name = |word: &str| vec![word.to_owned()];
        assert!(countries.is_held(&name("origin"), &["DE", "FR", "GB", "somewhere"]));
        assert!(countries.is_held(&name("country"), &["DE"]));
        assert!(!countries.is_held(&name("department"), &["IT", "HR", "Sales", "Marketing"]));
    }
}
