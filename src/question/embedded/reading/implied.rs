//! Words that mean a kind of row or column without naming it: ages, units, pieces, codes.

use super::{
    super::{
        lexicon::{Adjective, Degree, derived_from_same, is_short_for, lexicon, sayings},
        question::{Token, TokenKind},
    },
    attributes::is_attribute,
    items::{LONGEST_NAME, Linker, Meaning, Sense},
    names::better,
};
use crate::question::{
    schema::{ColumnRef, words},
    semantic::{Additivity, Comparison, DatasetRole, FieldRole},
};

/// Letters of a code that is short for a word, at most.
const LONGEST_CODE: usize = 5;
/// How well a word fits at least what is called so.
const CALLED_SO: f32 = 0.7;
/// Columns that an adjective may compare.
const MOST_COMPARED: usize = 6;

impl Linker<'_> {
    /// `how tall`: the height.
    pub(super) fn attributes(&self, at: usize, senses: &mut Vec<Sense>) {
        let Some((adjective, _)) = lexicon().adjective_form(&self.tokens[at].word) else {
            return;
        };
        let adjective = lexicon().adjective(adjective);
        for (table, dataset) in self.model.datasets.iter().enumerate() {
            for column in 0..dataset.fields.len() {
                let place = ColumnRef { table, column };
                let name = &self.snapshot.schema.column(place).name;
                if adjective.rising.iter().any(|wanted| is_attribute(name, wanted)) {
                    better(senses, &Meaning::Field(place), 0.85);
                }
            }
        }
    }

    /// `heavier than 5`, `older than 60`: what is compared, and how, with the number of words.
    pub(super) fn comparative(&self, at: usize) -> Option<(usize, Vec<Sense>, Comparison)> {
        let (used, adjective) = (1..=2).rev().find_map(|used| {
            let words = self.tokens.get(at..at + used)?;
            let phrase: Vec<&str> = words.iter().map(|token| token.word.as_str()).collect();
            let (adjective, degree) = lexicon().adjective_form(&phrase.join(" "))?;
            (degree == Degree::Comparative).then_some((used, adjective))
        })?;
        let than = self
            .tokens
            .get(at + used)
            .is_some_and(|token| token.word == "than");
        let number = |token: &Token| matches!(token.kind, TokenKind::Number(_) | TokenKind::Word(Some(_)));
        let number = self.tokens.get(at + used + 1).is_some_and(number);
        if !than || !number && !self.is_average(at + used + 1) {
            return None;
        }
        let adjective = lexicon().adjective(adjective);
        if let Some(compared) = self.compared_by_time(at + used + 2, adjective) {
            return Some((used, compared.0, compared.1));
        }
        for (attributes, rises) in [(&adjective.rising, true), (&adjective.falling, false)] {
            let mut senses = Vec::new();
            for (rank, wanted) in attributes.iter().enumerate() {
                for (table, dataset) in self.model.datasets.iter().enumerate() {
                    for (column, field) in dataset.fields.iter().enumerate() {
                        let place = ColumnRef { table, column };
                        let name = &self.snapshot.schema.column(place).name;
                        let fits = field.role.is_measure() || field.role == FieldRole::Time && is_birth(name);
                        if fits && is_attribute(name, wanted) {
                            better(
                                &mut senses,
                                &Meaning::Field(place),
                                0.9 - 0.03 * rank.min(8) as f32,
                            );
                        }
                    }
                }
            }
            if senses.is_empty() {
                continue;
            }
            senses.sort_by(|one, other| other.score.total_cmp(&one.score));
            senses.truncate(MOST_COMPARED);
            // Whoever is older was born earlier: the age is compared.
            let of_birth = attributes.iter().any(|word| word == "birth");
            let grows = rises != of_birth;
            let comparison = if grows {
                Comparison::Greater
            } else {
                Comparison::Less
            };
            return Some((used, senses, comparison));
        }
        None
    }

    /// `older than 7 days` of what happened: when that was. `unit` is where the unit stands; years may be an age.
    fn compared_by_time(&self, unit: usize, adjective: &Adjective) -> Option<(Vec<Sense>, Comparison)> {
        let unit = self.tokens.get(unit).map(|token| token.stem.as_str())?;
        let is_time = matches!(unit, "day" | "week" | "month" | "hour");
        let of_age = |attributes: &[String]| attributes.iter().any(|word| word == "birth");
        let comparison = match (of_age(&adjective.falling), of_age(&adjective.rising)) {
            (true, _) => Comparison::Greater,
            (_, true) => Comparison::Less,
            _ => return None,
        };
        let events = self.model.datasets.iter().enumerate();
        let senses: Vec<Sense> = events
            .filter(|(_, dataset)| dataset.role == DatasetRole::Event)
            .filter_map(|(table, dataset)| {
                Some(Sense {
                    meaning: Meaning::Field(ColumnRef {
                        table,
                        column: dataset.time?,
                    }),
                    score: 0.9,
                })
            })
            .collect();
        (is_time && !senses.is_empty()).then_some((senses, comparison))
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

    /// `booked` is what makes a booking: the rows whose time says that, where no table is called so.
    pub(super) fn happened(&self, at: usize, senses: &mut Vec<Sense>) {
        // `pledges` are what was pledged.
        let word = &self.tokens[at].word;
        let noun = word.ends_with('s')
            && !matches!(
                word.as_str(),
                "starts" | "ends" | "dates" | "times" | "days" | "opens" | "closes" | "years"
            );
        if !(word.ends_with("ed") || noun)
            || senses
                .iter()
                .any(|sense| matches!(sense.meaning, Meaning::Dataset(_)))
        {
            return;
        }
        let times: Vec<(usize, f32)> = senses
            .iter()
            .filter_map(|sense| match sense.meaning {
                Meaning::Field(time) if self.model.datasets[time.table].role == DatasetRole::Event => {
                    let main = self.model.datasets[time.table].time == Some(time.column);
                    main.then_some((time.table, sense.score))
                }
                _ => None,
            })
            .collect();
        for (table, score) in times {
            better(senses, &Meaning::Dataset(table), score * 0.85);
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
                let name = &self.snapshot.schema.column(place).name;
                if field.role == FieldRole::Measure(Additivity::Sum) && says_quantity(name) {
                    better(senses, &Meaning::Field(place), 0.85);
                }
            }
        }
        // What one of them costs is no number of them.
        let counts = |sense: &Sense| match sense.meaning {
            Meaning::Field(at) => {
                let name = &self.snapshot.schema.column(at).name;
                self.model.field(at).role == FieldRole::Measure(Additivity::Sum) && says_quantity(name)
            }
            _ => false,
        };
        if word == "units" && senses.iter().any(counts) {
            senses.retain(|sense| match sense.meaning {
                Meaning::Field(at) => self.model.field(at).role != FieldRole::Measure(Additivity::Average),
                _ => true,
            });
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

    /// `hours` where a column has the minutes.
    pub(super) fn kept_in_minutes(&self, senses: &mut Vec<Sense>) {
        for (table, dataset) in self.model.datasets.iter().enumerate() {
            for (column, field) in dataset.fields.iter().enumerate() {
                let at = ColumnRef { table, column };
                let name = words::identifier_words(&self.snapshot.schema.column(at).name);
                let is_length = name
                    .iter()
                    .any(|word| matches!(word.as_str(), "minutes" | "mins" | "min" | "seconds" | "secs"));
                if is_length && field.role == FieldRole::Measure(Additivity::Sum) {
                    senses.push(Sense {
                        meaning: Meaning::Field(at),
                        score: 0.8,
                    });
                }
            }
        }
    }

    /// `name and hectares`: what is kept in a unit, where nothing is called so.
    pub(super) fn kept_in(&self, at: usize, senses: &mut Vec<Sense>) {
        let Some(units) = units(&self.tokens[at].word).filter(|_| senses.is_empty()) else {
            return;
        };
        for (table, dataset) in self.model.datasets.iter().enumerate() {
            for (column, field) in dataset.fields.iter().enumerate() {
                let place = ColumnRef { table, column };
                let name = words::identifier_words(&self.snapshot.schema.column(place).name);
                let of_one = |word: &String| {
                    matches!(word.as_str(), "price" | "prc" | "cost" | "rate" | "fee" | "per")
                };
                let says = name.last().is_some_and(|word| units.contains(&word.as_str()))
                    && !name.iter().any(of_one);
                if field.role.is_measure() && says {
                    better(senses, &Meaning::Field(place), 0.75);
                }
            }
        }
    }

    /// `unpaid`, `inactive`: what `paid` says of rows, not so; `failed`: what `passed` says.
    pub(super) fn not_so(&self, at: usize) -> Option<(usize, Vec<Sense>)> {
        let said = &self.tokens[at].word;
        let without = ["un", "non-", "non", "in", "dis"]
            .iter()
            .find_map(|prefix| said.strip_prefix(prefix))
            .filter(|word| word.len() > 3);
        let word = without.or_else(|| sayings().opposite(said))?;
        let whole = self.named(&(at..at + 1)).map_or(0.0, |(score, _)| score);
        let token = Token {
            word: word.to_owned(),
            text: word.to_owned(),
            stem: words::stem(word),
            ..self.tokens[at].clone()
        };
        // `failed the quality check`
        let most = LONGEST_NAME.min(self.tokens.len() - at);
        (1..=most).rev().find_map(|used| {
            let mut phrase = vec![token.clone()];
            phrase.extend_from_slice(&self.tokens[at + 1..at + used]);
            let alone = Linker::of(&phrase, self.today, self.snapshot, self.model);
            let (score, mut senses) = alone.named(&(0..used))?;
            // `unpaid` may only be near to `paid`, and then it is not the same.
            if whole >= CALLED_SO && (without.is_none() || score <= whole) {
                return None;
            }
            senses.retain(|sense| self.says_state(sense));
            (!senses.is_empty()).then_some((used, senses))
        })
    }

    /// `1500 square metres`: what is kept in that unit, with how likely that is and the number of words.
    pub(super) fn unit(&self, at: usize) -> Option<(f32, usize, Vec<Sense>)> {
        let number = |token: &Token| matches!(token.kind, TokenKind::Number(_) | TokenKind::Word(Some(_)));
        let says_unit = |before: &Token| number(before) || before.word == "per";
        if !at
            .checked_sub(1)
            .is_some_and(|before| says_unit(&self.tokens[before]))
        {
            return None;
        }
        let (used, units) = (1..=2).rev().find_map(|used| {
            let words = self.tokens.get(at..at + used)?;
            let words: Vec<&str> = words.iter().map(|token| token.word.as_str()).collect();
            Some((used, size_units(&words.join(" "))?))
        })?;
        let mut senses = Vec::new();
        for (table, dataset) in self.model.datasets.iter().enumerate() {
            for (column, field) in dataset.fields.iter().enumerate() {
                let place = ColumnRef { table, column };
                let name = words::identifier_words(&self.snapshot.schema.column(place).name);
                let kept = field.unit.as_deref();
                let says = name.iter().any(|word| units.contains(&word.as_str()))
                    || kept.is_some_and(|unit| units.contains(&unit));
                // Of all that is kept in metres, the length is what nobody needs to say.
                let length = name
                    .iter()
                    .any(|word| matches!(word.as_str(), "length" | "height"));
                if field.role.is_measure() && says {
                    let other = units.contains(&"length") && !length;
                    better(
                        &mut senses,
                        &Meaning::Field(place),
                        if other { 0.7 } else { 0.85 },
                    );
                }
            }
        }
        (!senses.is_empty()).then_some((used as f32 + 0.2, used, senses))
    }

    /// `terminated` is what some column of codes has as `TRM`, `failed` what another has as `Fail`.
    pub(super) fn short_codes(&self, at: usize, senses: &mut Vec<Sense>) {
        let token = &self.tokens[at];
        let known = senses.iter().any(|sense| sense.score >= 0.8);
        if known || token.word.len() < 5 || lexicon().is_filler(&token.word) {
            return;
        }
        for (table, dataset) in self.model.datasets.iter().enumerate() {
            let Some(Some(profile)) = self.snapshot.profile.tables.get(table) else {
                continue;
            };
            for (column, (field, profile)) in dataset.fields.iter().zip(&profile.columns).enumerate() {
                let of_a_few = match field.role {
                    FieldRole::Code | FieldRole::Dimension => true,
                    FieldRole::Name => dataset.role == DatasetRole::Lookup,
                    _ => false,
                };
                if !of_a_few || !field.labels.is_empty() {
                    continue;
                }
                for (stored, _) in &profile.frequent {
                    let code = stored.to_lowercase();
                    let shape = code.len() >= 3 && code.bytes().all(|byte| byte.is_ascii_alphabetic());
                    let fit = if !shape {
                        continue;
                    } else if words::stem(&code) == token.stem {
                        0.9
                    } else if derived_from_same(&words::stem(&code), &token.stem) {
                        // `plumbers` do what is called plumbing.
                        0.8
                    } else if field.role == FieldRole::Code
                        && code.len() <= LONGEST_CODE
                        && (token.word.starts_with(&code) || is_short_for(&code, &token.word))
                    {
                        0.75
                    } else {
                        continue;
                    };
                    let at = ColumnRef { table, column };
                    better(senses, &Meaning::Value(at, stored.as_str().into()), fit);
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

/// True for the name of a column that says how many of something a row is about.
pub(super) fn says_quantity(name: &str) -> bool {
    words::identifier_words(name)
        .iter()
        .any(|word| matches!(word.as_str(), "quantity" | "qty" | "units" | "pieces"))
}

/// True for the name of a column of birthdays.
pub(in crate::question::embedded) fn is_birth(name: &str) -> bool {
    words::identifier_words(name).iter().any(|word| {
        matches!(
            word.as_str(),
            "birth" | "born" | "dob" | "birthdate" | "birthday" | "bday"
        )
    })
}

/// How columns name a unit of size that a question spells out.
pub(super) fn size_units(words: &str) -> Option<&'static [&'static str]> {
    Some(match words {
        "square metres" | "square meters" | "square metre" | "square meter" | "sqm" | "m2" => {
            &["sqm", "m2", "metres"]
        }
        "square feet" | "square foot" | "sqft" | "sq ft" => &["sqft", "ft2", "feet"],
        "cubic metres" | "cubic meters" | "m3" => &["m3", "cbm"],
        "metres" | "meters" | "metre" | "meter" => &["m", "metres", "meters", "length", "height"],
        "centimetres" | "centimeters" | "cm" => &["cm", "centimetres", "centimeters"],
        "feet" | "foot" | "ft" => &["ft", "feet", "foot"],
        "degrees" | "degree" => &[
            "temperature",
            "temp",
            "celsius",
            "fahrenheit",
            "degrees",
            "degc",
            "degf",
        ],
        "grams" | "gram" => &["g", "grams", "gram"],
        "litres" | "liters" | "kilos" | "kilograms" | "kg" | "tons" | "tonnes" | "kilometres"
        | "kilometers" | "km" | "miles" | "euros" | "eur" | "dollars" | "usd" | "litre" | "liter"
        | "kilo" | "kilogram" | "ton" | "tonne" | "kilometre" | "kilometer" | "mile" => return units(words),
        _ => return None,
    })
}

/// How columns name a unit that a question spells out.
fn units(word: &str) -> Option<&'static [&'static str]> {
    Some(match word {
        "hectares" | "ha" => &["ha", "hectares", "hectare"],
        "acres" => &["acres", "acre", "ac"],
        "litres" | "liters" | "litre" | "liter" => &["l", "litres", "liters", "ltr"],
        "kilos" | "kilograms" | "kg" | "kilo" | "kilogram" => &["kg", "kilos", "kilograms", "weight", "wt"],
        "tons" | "tonnes" | "ton" | "tonne" => &["t", "tons", "tonnes"],
        "kilometres" | "kilometers" | "km" | "kilometre" | "kilometer" => {
            &["km", "kilometres", "kilometers", "distance"]
        }
        "miles" | "mile" => &["mi", "miles", "mile"],
        "minutes" => &["min", "mins", "minutes", "minute"],
        "hours" => &["hours", "hour", "hrs", "h"],
        "days" => &["days", "day"],
        "euros" | "eur" => &["eur", "euro", "euros"],
        "dollars" | "usd" => &["usd", "dollar", "dollars"],
        _ => return None,
    })
}
