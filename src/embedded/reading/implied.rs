//! Words that mean a kind of row or column without naming it: people, ages, units, pieces, codes.

use super::{
    super::lexicon::lexicon,
    items::{Linker, Meaning, Sense},
    names::better,
};
use crate::{
    schema::{ColumnRef, Schema, words},
    semantic::{Additivity, FieldRole},
};

impl Linker<'_> {
    /// People are whoever has a name, where nothing is called so.
    pub(super) fn persons(&self, at: usize, senses: &mut Vec<Sense>) {
        let word = self.tokens[at].word.as_str();
        if !matches!(
            word,
            "people"
                | "everyone"
                | "everybody"
                | "persons"
                | "anyone"
                | "members"
                | "individuals"
                | "accounts"
                | "colleagues"
                | "folks"
        ) {
            return;
        }
        for table in 0..self.model.datasets.len() {
            if is_person(&self.snapshot.schema, table) {
                better(senses, &Meaning::Dataset(table), 0.65);
            }
        }
    }

    /// `how tall`: the height.
    pub(super) fn attributes(&self, at: usize, senses: &mut Vec<Sense>) {
        let Some((adjective, _)) = lexicon().adjective_form(&self.tokens[at].word) else {
            return;
        };
        let adjective = lexicon().adjective(adjective);
        let stems: Vec<String> = adjective.rising.iter().map(|word| words::stem(word)).collect();
        for (table, dataset) in self.model.datasets.iter().enumerate() {
            for column in 0..dataset.fields.len() {
                let place = ColumnRef { table, column };
                let name = words::identifier_words(&self.snapshot.schema.column(place).name);
                if name.iter().any(|word| stems.contains(&words::stem(word))) {
                    better(senses, &Meaning::Field(place), 0.85);
                }
            }
        }
    }

    /// `litres of fuel` is what is kept in litres.
    pub(super) fn measured_in(&self, at: usize, senses: &mut [Sense]) {
        let word = |back: usize| at.checked_sub(back).map(|at| self.tokens[at].word.as_str());
        let unit = match word(1) {
            Some("of") => word(2),
            other => other,
        };
        let Some(units) = unit.and_then(units) else { return };
        for sense in senses {
            if let Meaning::Field(at) = sense.meaning {
                let name = words::identifier_words(&self.snapshot.schema.column(at).name);
                let kept = self.model.field(at).unit.as_deref();
                if name.iter().any(|word| units.contains(&word.as_str()))
                    || kept.is_some_and(|unit| units.contains(&unit))
                {
                    sense.score = (sense.score + 0.3).min(1.0);
                } else {
                    sense.score *= 0.8;
                }
            }
        }
    }

    /// Pieces are counted by a quantity.
    pub(super) fn quantities(&self, at: usize, senses: &mut Vec<Sense>) {
        let word = self.tokens[at].word.as_str();
        if !matches!(
            word,
            "units" | "pieces" | "items" | "copies" | "articles" | "goods"
        ) {
            return;
        }
        for (table, dataset) in self.model.datasets.iter().enumerate() {
            for (column, field) in dataset.fields.iter().enumerate() {
                let place = ColumnRef { table, column };
                let name = words::identifier_words(&self.snapshot.schema.column(place).name);
                let counts = |word: &String| matches!(word.as_str(), "quantity" | "qty" | "units" | "pieces");
                if matches!(field.role, FieldRole::Measure(Additivity::Sum)) && name.iter().any(counts) {
                    better(senses, &Meaning::Field(place), 0.85);
                }
            }
        }
    }

    /// An age is told by a birthday, where there is no other.
    pub(super) fn ages(&self, at: usize, senses: &mut Vec<Sense>) {
        if !matches!(self.tokens[at].word.as_str(), "age" | "ages" | "aged" | "old") || !senses.is_empty() {
            return;
        }
        for (table, dataset) in self.model.datasets.iter().enumerate() {
            for (column, field) in dataset.fields.iter().enumerate() {
                let place = ColumnRef { table, column };
                if field.role == FieldRole::Time && is_birth(&self.snapshot.schema.column(place).name) {
                    senses.push(Sense {
                        meaning: Meaning::Field(place),
                        score: 0.85,
                    });
                }
            }
        }
    }

    /// `women` is what some column has as `F`.
    pub(super) fn coded(&self, at: usize, senses: &mut Vec<Sense>) {
        let token = &self.tokens[at];
        let Some(code) = lexicon()
            .code(&token.word)
            .or_else(|| lexicon().code(&token.stem))
        else {
            return;
        };
        for (table, profile) in self.snapshot.profile.tables.iter().enumerate() {
            let Some(profile) = profile else { continue };
            for (column, profile) in profile.columns.iter().enumerate() {
                let place = ColumnRef { table, column };
                let name = words::identifier_words(&self.snapshot.schema.column(place).name);
                if !name.iter().any(|word| code.columns.contains(word)) {
                    continue;
                }
                let stored = code.codes.iter().find_map(|code| {
                    profile
                        .frequent
                        .iter()
                        .find(|(value, _)| value.eq_ignore_ascii_case(code))
                });
                if let Some((value, _)) = stored {
                    senses.push(Sense {
                        meaning: Meaning::Value(place, value.as_str().into()),
                        score: 0.95,
                    });
                }
            }
        }
    }
}

/// True for a table of persons, by its columns.
pub(super) fn is_person(schema: &Schema, table: usize) -> bool {
    let names: Vec<Vec<String>> = schema.tables[table]
        .columns
        .iter()
        .map(|column| words::identifier_words(&column.name))
        .collect();
    let has = |wanted: &[&str]| names.iter().flatten().any(|word| wanted.contains(&word.as_str()));
    has(&["first", "firstname", "fname", "given"]) && has(&["last", "lastname", "lname", "surname", "family"])
        || has(&["surname", "email", "birth", "gender", "sex", "dob", "birthdate"])
}

/// True for the name of a column of birthdays.
pub(super) fn is_birth(name: &str) -> bool {
    words::identifier_words(name)
        .iter()
        .any(|word| matches!(word.as_str(), "birth" | "born" | "dob" | "birthdate" | "birthday"))
}

/// How columns name a unit that a question spells out.
fn units(word: &str) -> Option<&'static [&'static str]> {
    Some(match word {
        "litres" | "liters" => &["l", "litres", "liters", "ltr"],
        "kilos" | "kilograms" | "kg" => &["kg", "kilos", "kilograms"],
        "tons" | "tonnes" => &["t", "tons", "tonnes"],
        "kilometres" | "kilometers" | "km" => &["km", "kilometres", "kilometers"],
        "miles" => &["mi", "miles", "mile"],
        "minutes" => &["min", "mins", "minutes", "minute"],
        "hours" => &["hours", "hour", "hrs", "h"],
        "days" => &["days", "day"],
        "euros" | "eur" => &["eur", "euro", "euros"],
        "dollars" | "usd" => &["usd", "dollar", "dollars"],
        _ => return None,
    })
}
