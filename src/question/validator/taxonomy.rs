//! What the taxonomy says of its codes: meaning, hint, weight, an example. The texts stand in `taxonomy/`.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

use super::{Code, Severity};

/// What is said of one code.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What the code stands for, one sentence.
    pub meaning: String,
    /// How it is noticed without the right answer.
    pub detector: String,
    /// What to do about it.
    pub hint: String,
    /// How much it usually weighs; a finding knows better.
    pub severity: Severity,
    /// True if some findings of this code carry a repair.
    pub repairable: bool,
    /// Names that others use for it.
    pub aliases: Vec<String>,
    /// A question about invented tables.
    pub question: String,
    /// An answer to it with this error.
    pub bad: String,
    /// The same without it.
    pub good: String,
}

#[derive(Deserialize)]
struct File {
    category: String,
    #[serde(flatten)]
    codes: HashMap<String, Entry>,
}

const FILES: &[&str] = &[
    include_str!("../../../taxonomy/syntax.toml"),
    include_str!("../../../taxonomy/schema_link.toml"),
    include_str!("../../../taxonomy/join.toml"),
    include_str!("../../../taxonomy/filter.toml"),
    include_str!("../../../taxonomy/aggregation.toml"),
    include_str!("../../../taxonomy/value.toml"),
    include_str!("../../../taxonomy/subquery.toml"),
    include_str!("../../../taxonomy/set_operations.toml"),
    include_str!("../../../taxonomy/other.toml"),
];

static ENTRIES: LazyLock<HashMap<Code, Entry>> = LazyLock::new(|| {
    const WHY: &str = "the taxonomy is part of the program, and a test reads it";
    let mut entries = HashMap::new();
    for file in FILES {
        let File { category, codes } = toml::from_str(file).expect(WHY);
        for (name, entry) in codes {
            let spelled = Code::TAXONOMY.iter().copied().find(|code| code.name() == name);
            let code = spelled.filter(|code| code.category().name() == category);
            entries.insert(code.expect(WHY), entry);
        }
    }
    entries
});

impl Code {
    /// What the taxonomy says of the code; `None` for [`Code::Forbidden`], which is no part of it.
    pub fn entry(self) -> Option<&'static Entry> {
        ENTRIES.get(&self)
    }

    /// What the code stands for, one sentence.
    pub fn meaning(self) -> &'static str {
        self.entry()
            .map_or("The policy forbids it.", |entry| &entry.meaning)
    }

    /// What to do about it where a finding says nothing more exact.
    pub fn hint(self) -> &'static str {
        self.entry().map_or(
            "Only read, and only tables and functions that are allowed.",
            |entry| &entry.hint,
        )
    }

    /// The code of a name, as the papers spell it or as others call it.
    pub fn named(name: &str) -> Option<Self> {
        let alias = |code: &&Self| {
            let aliases = code.entry().map_or(&[][..], |entry| &entry.aliases);
            aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
        };
        let spelled = Self::TAXONOMY.iter().find(|code| code.name() == name);
        spelled.or_else(|| Self::TAXONOMY.iter().find(alias)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::schema::Dialect;
    use crate::question::validator::parse::parse;

    #[test]
    fn every_code_has_its_entry_and_no_other_is_there() {
        let codes: usize = FILES
            .iter()
            .map(|file| toml::from_str::<File>(file).unwrap().codes.len())
            .sum();
        assert_eq!(codes, Code::TAXONOMY.len());
        for code in Code::TAXONOMY {
            let entry = code.entry().unwrap_or_else(|| panic!("{code} has no entry"));
            for text in [
                &entry.meaning,
                &entry.detector,
                &entry.hint,
                &entry.question,
                &entry.bad,
                &entry.good,
            ] {
                assert!((10..=160).contains(&text.len()), "{code}: {text}");
            }
            for alias in &entry.aliases {
                assert_eq!(Code::named(alias), Some(*code), "{alias} stands for one code");
            }
            assert_eq!(entry.meaning, code.documented(), "{code}");
        }
    }

    #[test]
    fn the_good_examples_are_statements() {
        for code in Code::TAXONOMY {
            let good = &code.entry().unwrap().good;
            assert!(parse(good, Dialect::Sqlite).is_ok(), "{code}: {good}");
        }
    }
}
