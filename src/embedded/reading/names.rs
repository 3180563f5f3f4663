//! What a phrase may name: tables, columns, measures, filters, stored values.

use std::{collections::HashSet, ops::Range, sync::LazyLock};

use super::{
    super::{
        lexicon::lexicon,
        likeness::Wording,
        question::{Token, TokenKind},
    },
    items::{LONGEST_NAME, Linker, Meaning, Sense, is_polite},
};
use crate::{
    schema::{ColumnRef, Schema, Snapshot, words},
    semantic::{Additivity, Aggregate, FieldRole, Formula, SemanticModel},
};

/// Meanings of one phrase that are looked at.
const MOST_SENSES: usize = 10;

impl Linker<'_> {
    /// What a phrase may name.
    pub(super) fn named(&self, span: &Range<usize>) -> Option<(f32, Vec<Sense>)> {
        let mut senses = Vec::new();
        let content: Vec<usize> = span
            .clone()
            .filter(|&at| {
                let token = &self.tokens[at];
                !(is_article(&token.word) || matches!(token.kind, TokenKind::Mark(_) | TokenKind::Possessive))
            })
            .collect();
        let whole = content.first() == Some(&span.start) && content.last() == Some(&(span.end - 1));
        let is_word = |at: &usize| matches!(self.tokens[*at].kind, TokenKind::Word(_) | TokenKind::Quoted(_));
        if whole && content.iter().all(is_word) && content.len() <= LONGEST_NAME {
            self.names(&content, &mut senses);
        }
        let lexical = senses.iter().map(|sense: &Sense| sense.score).fold(0.0, f32::max);
        let value = self.values(span, &mut senses);
        if senses.is_empty() {
            return None;
        }
        let length = if lexical >= 0.95 {
            span.len()
        } else {
            content.len()
        } as f32;
        let names = if lexical > 0.0 {
            length * lexical * 1.15 + (length - 1.0) * 0.35 * lexical
        } else {
            0.0
        };
        senses.sort_by(|one, other| other.score.total_cmp(&one.score));
        senses.truncate(MOST_SENSES);
        Some((names.max(value), senses))
    }

    fn names(&self, content: &[usize], senses: &mut Vec<Sense>) {
        let single = content.len() == 1;
        let word = &self.tokens[content[0]].word;
        if single
            && matches!(
                word.as_str(),
                "no" | "on" | "in" | "at" | "date" | "time" | "first" | "last"
            )
        {
            return;
        }
        if single
            && (lexicon().is_filler(word) && !lexicon().knows(&self.tokens[content[0]].stem)
                || is_polite(word))
        {
            return;
        }
        // `seats per plan` is no name with `per` in it.
        let has_cue = !single
            && content.iter().any(|&at| {
                matches!(
                    self.tokens[at].word.as_str(),
                    "per"
                        | "by"
                        | "each"
                        | "and"
                        | "or"
                        | "with"
                        | "without"
                        | "not"
                        | "who"
                        | "that"
                        | "than"
                )
            });
        if has_cue {
            return;
        }
        for (table, score) in self.vocabulary.tables(content, self.tokens, &self.similarities) {
            senses.push(Sense {
                meaning: Meaning::Dataset(table),
                score,
            });
        }
        for (column, score) in self.vocabulary.columns(content, self.tokens, &self.similarities) {
            senses.push(Sense {
                meaning: Meaning::Field(column),
                score,
            });
        }
        for (meaning, name) in &self.called {
            if let Some(score) = self.is_called(name, content) {
                better(senses, meaning, score);
            }
        }
        if single && is_money(&self.tokens[content[0]]) {
            // `sales per month` asks for money, `how many sales` for rows.
            let counted = content[0] > 0
                && matches!(
                    self.tokens[content[0] - 1].word.as_str(),
                    "many" | "of" | "all" | "the"
                );
            if !counted && !self.money.is_empty() {
                senses.retain(|sense| !matches!(sense.meaning, Meaning::Dataset(_)) || sense.score >= 0.95);
                for sense in senses.iter_mut() {
                    if matches!(sense.meaning, Meaning::Dataset(_)) {
                        sense.score *= 0.6;
                    }
                }
            }
            let verb = self.tokens[content[0]].word.get(..3).unwrap_or_default();
            for (at, score) in &self.money {
                // Who has paid is found with the payments.
                let metric = &self.model.metrics[*at];
                let table = &self.snapshot.schema.tables[metric.dataset].name;
                let near = words::identifier_words(table)
                    .iter()
                    .any(|word| word.starts_with(verb));
                better(
                    senses,
                    &Meaning::Metric(*at),
                    (score + if near { 0.15 } else { 0.0 }).min(1.0),
                );
            }
        }
        if let [how, adjective] = content
            && self.tokens[*how].word == "how"
        {
            self.attributes(*adjective, senses);
        }
        self.measured_in(content[0], senses);
        if single {
            self.quantities(content[0], senses);
            self.coded(content[0], senses);
            self.persons(content[0], senses);
            self.ages(content[0], senses);
        }
    }

    /// How well some words of the question are a name of the model: all of it, or nearly so.
    fn is_called(&self, name: &[Wording], content: &[usize]) -> Option<f32> {
        if name.is_empty() || content.len() > name.len() {
            return None;
        }
        let mut sum = 0.0;
        for &at in content {
            let best = name
                .iter()
                .map(|word| self.wordings[at].likeness(word))
                .fold(0.0, f32::max);
            if best < 0.6 {
                return None;
            }
            sum += best;
        }
        let covered = content.len() as f32 / name.len() as f32;
        // What the last word says is what it is.
        let says_what = name.last().is_none_or(|last| {
            is_unit_word(&last.text) || content.iter().any(|&at| self.wordings[at].likeness(last) >= 0.6)
        });
        let score = sum / content.len() as f32 * covered.sqrt() * if says_what { 1.0 } else { 0.6 };
        (score >= 0.6).then_some(score)
    }

    /// People are whoever has a name, where nothing is called so.
    fn persons(&self, at: usize, senses: &mut Vec<Sense>) {
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
    fn attributes(&self, at: usize, senses: &mut Vec<Sense>) {
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
    fn measured_in(&self, at: usize, senses: &mut [Sense]) {
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
    fn quantities(&self, at: usize, senses: &mut Vec<Sense>) {
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
    fn ages(&self, at: usize, senses: &mut Vec<Sense>) {
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
    fn coded(&self, at: usize, senses: &mut Vec<Sense>) {
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

    /// True where a word is all of the name of a table or a column among these.
    fn is_name(&self, word: &str, senses: &[Sense]) -> bool {
        let schema = &self.snapshot.schema;
        senses.iter().any(|sense| {
            let name = match sense.meaning {
                Meaning::Dataset(table) => &schema.tables[table].name,
                Meaning::Field(at) => &schema.column(at).name,
                _ => return false,
            };
            let name = words::identifier_words(name);
            matches!(&name[..], [only] if only == word || singular(only) == singular(word))
        })
    }

    /// Stored values that a phrase is, and what that counts for.
    fn values(&self, span: &Range<usize>, senses: &mut Vec<Sense>) -> f32 {
        let tokens = &self.tokens[span.clone()];
        let readable = |token: &Token| {
            matches!(
                token.kind,
                TokenKind::Word(_)
                    | TokenKind::Number(_)
                    | TokenKind::Mark(_)
                    | TokenKind::Possessive
                    | TokenKind::Quoted(_)
            )
        };
        let all_numbers = tokens
            .iter()
            .all(|token| matches!(token.kind, TokenKind::Number(_)));
        if !tokens.iter().all(readable) || all_numbers || matches!(tokens[0].kind, TokenKind::Mark(_)) {
            return 0.0;
        }
        let text: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        let text = text.join(" ").replace(" 's", "'s");
        let mut hits = self.snapshot.values.find(&words::text_words(&text));
        let single = tokens.len() == 1;
        let capital = tokens[0].capital && span.start > 0;
        if single && !capital {
            let word = tokens[0].word.as_str();
            hits.retain(|hit| {
                let stored = hit.stored.to_lowercase();
                stored == word || singular(&stored) == singular(word)
            });
        }
        let common = tokens.iter().all(|token| {
            lexicon().is_filler(&token.word)
                || lexicon().operator(&token.word).is_some()
                || token.word.len() == 1
        });
        if hits.is_empty() || common && !capital {
            return 0.0;
        }
        // What is called exactly so is meant, not what is stored so.
        if single && !capital && self.is_name(&tokens[0].word, senses) {
            return 0.0;
        }
        let same_spelling = hits.iter().any(|hit| *hit.stored == *text);
        for hit in hits {
            let field = self.model.field(hit.column);
            // What names rows of a table is called so; a word in running text is not.
            let fit: f32 = match field.role {
                FieldRole::Text | FieldRole::Document => 0.5,
                FieldRole::Identifier | FieldRole::Reference => 0.6,
                _ => 0.9,
            };
            let spelled = if *hit.stored == *text { 0.1 } else { 0.0 };
            senses.push(Sense {
                meaning: Meaning::Value(hit.column, hit.stored),
                score: (fit + spelled).min(1.0),
            });
        }
        let length = tokens.len() as f32;
        let base = if single { 0.9 } else { 1.15 * length };
        let spelled = if same_spelling { 0.15 } else { 0.0 };
        let capitals = if capital { 0.25 * length } else { 0.0 };
        base + spelled + capitals
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

/// A sense, unless the same is known with a better score.
fn better(senses: &mut Vec<Sense>, meaning: &Meaning, score: f32) {
    match senses.iter_mut().find(|known| known.meaning == *meaning) {
        Some(known) => known.score = known.score.max(score),
        None => senses.push(Sense {
            meaning: meaning.clone(),
            score,
        }),
    }
}

/// What metrics and filters are called. A count of a table's rows is called as the table is.
pub(super) fn called(model: &SemanticModel) -> Vec<(Meaning, Vec<Wording>)> {
    let words = |name: &str| -> Vec<Wording> {
        words::identifier_words(name)
            .iter()
            .map(|word| Wording::of(word))
            .collect()
    };
    let mut found = Vec::new();
    for (at, metric) in model.metrics.iter().enumerate() {
        let counts = matches!(
            &metric.formula,
            Formula::Rows { aggregate: Aggregate::Count, conditions, .. } if conditions.is_empty()
        );
        let meaning = if counts {
            Meaning::Dataset(metric.dataset)
        } else {
            Meaning::Metric(at)
        };
        for name in std::iter::once(&metric.name).chain(&metric.wording.synonyms) {
            found.push((meaning.clone(), words(name)));
        }
    }
    for (at, filter) in model.filters.iter().enumerate() {
        for name in std::iter::once(&filter.name).chain(&filter.wording.synonyms) {
            found.push((Meaning::Filter(at), words(name)));
        }
    }
    for (table, dataset) in model.datasets.iter().enumerate() {
        for name in &dataset.wording.synonyms {
            found.push((Meaning::Dataset(table), words(name)));
        }
        for (column, field) in dataset.fields.iter().enumerate() {
            for name in &field.wording.synonyms {
                found.push((Meaning::Field(ColumnRef { table, column }), words(name)));
            }
        }
    }
    found
}

/// True for a word that asks for money without naming an amount.
fn is_money(token: &Token) -> bool {
    static STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        "revenue turnover sales income earnings takings money spend spent spenders proceeds earn"
            .split(' ')
            .map(words::stem)
            .collect()
    });
    STEMS.contains(&token.stem)
        || matches!(
            token.word.as_str(),
            "paid" | "pay" | "pays" | "billed" | "invoiced" | "charged" | "worth"
        )
}

/// Sums of money that come in, the likeliest first.
pub(super) fn money(snapshot: &Snapshot, model: &SemanticModel) -> Vec<(usize, f32)> {
    let mut found = Vec::new();
    for (at, metric) in model.metrics.iter().enumerate() {
        if !matches!(
            &metric.formula,
            Formula::Rows {
                aggregate: Aggregate::Sum(_),
                ..
            }
        ) {
            continue;
        }
        let name = words::identifier_words(&metric.name);
        let has = |list: &[&str]| name.iter().any(|word| list.contains(&word.as_str()));
        if !has(&[
            "revenue", "sales", "turnover", "amount", "amt", "total", "price", "net", "gross", "paid", "fee",
            "eur", "usd", "gbp", "charge", "value", "income",
        ]) {
            continue;
        }
        let mut score: f32 = 0.7;
        if has(&["revenue", "sales", "turnover", "income"]) {
            score += 0.2;
        }
        if has(&["net", "total"]) {
            score += 0.05;
        }
        // The insurer's part is not the bill.
        if name.len() > 1 && !has(&["total", "amount", "net", "gross", "price", "eur", "usd", "gbp"]) {
            score -= 0.1;
        }
        if has(&[
            "cost", "costs", "discount", "refund", "tax", "vat", "target", "claimed", "credit", "budget",
            "quantity", "stock", "odometer", "salary", "bonus", "balance", "limit",
        ]) {
            score -= 0.3;
        }
        let table = words::identifier_words(&snapshot.schema.tables[metric.dataset].name);
        if table.iter().any(|word| {
            matches!(
                words::stem(word).as_str(),
                "sale"
                    | "order"
                    | "invoic"
                    | "payment"
                    | "bill"
                    | "book"
                    | "shipment"
                    | "rental"
                    | "receipt"
                    | "purchas"
            )
        }) {
            score += 0.1;
        }
        if table.iter().any(|word| {
            matches!(
                words::stem(word).as_str(),
                "return" | "refund" | "target" | "credit" | "claim" | "mainten" | "budget" | "salari"
            )
        }) {
            score -= 0.2;
        }
        found.push((at, score.clamp(0.3, 0.95)));
    }
    found
}

/// Without the plural's ending.
fn singular(word: &str) -> &str {
    word.strip_suffix("ies")
        .or_else(|| word.strip_suffix("es"))
        .or_else(|| word.strip_suffix('s'))
        .or_else(|| word.strip_suffix('y'))
        .unwrap_or(word)
}

/// Words that may stand inside a name without being part of it.
fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the" | "of" | "in" | "'s" | "our")
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

/// Units in the names of columns.
fn is_unit_word(word: &str) -> bool {
    matches!(
        word,
        "eur"
            | "usd"
            | "gbp"
            | "kg"
            | "km"
            | "min"
            | "pct"
            | "l"
            | "m3"
            | "sqm"
            | "id"
            | "hours"
            | "days"
            | "minutes"
    )
}
