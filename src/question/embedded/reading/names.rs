//! What a phrase may name: tables, columns, measures, filters, stored values.

use std::ops::Range;

use super::{
    super::{
        lexicon::{Degree, lexicon},
        likeness::Wording,
        question::TokenKind,
    },
    defined::{is_defined, only_defined},
    items::{LONGEST_NAME, Linker, Meaning, Sense},
    money::is_money,
    unheard::is_polite,
};
use crate::question::{
    schema::{ColumnRef, words},
    semantic::FieldRole,
};

/// How much less a column with the kinds of something is named by what it has the kinds of.
const A_KIND: f32 = 0.75;
/// What speaks for a phrase of several words that people have defined.
const DEFINED: f32 = 1.0;
/// How well a word must name a table to be what its rows are.
pub(super) const KEPT_AS: f32 = 0.6;
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
        // `number of claims` counts them, whatever their numbers are called.
        let counts = self.tokens[span.start].word == "number"
            && self
                .tokens
                .get(span.start + 1)
                .is_some_and(|token| token.word == "of");
        let whole =
            !counts && content.first() == Some(&span.start) && content.last() == Some(&(span.end - 1));
        let is_word = |at: &usize| matches!(self.tokens[*at].kind, TokenKind::Word(_));
        if whole && content.iter().all(is_word) && content.len() <= LONGEST_NAME {
            self.names(&content, &mut senses);
        }
        self.without_keys(span, &mut senses);
        self.without_relatives(span, &mut senses);
        let lexical = senses.iter().map(|sense: &Sense| sense.score).fold(0.0, f32::max);
        let value = match self.values(span, &mut senses) {
            0.0 if lexical < KEPT_AS => self.parts(span, &mut senses),
            value => value,
        };
        if senses.is_empty() {
            return None;
        }
        let length = if lexical >= 0.95 {
            span.len()
        } else {
            content.len()
        } as f32;
        // Several words that people have defined together are taken together: `stockout rate`. `Core customers` are customers.
        let is_whole =
            |sense: &Sense| is_defined(sense, self.model) && !matches!(sense.meaning, Meaning::Filter(_));
        let defined = content.len() > 1 && senses.iter().any(is_whole);
        let names = if lexical > 0.0 {
            length * lexical * 1.15 + (length - 1.0) * 0.35 * lexical + if defined { DEFINED } else { 0.0 }
        } else {
            0.0
        };
        self.whole_amounts(&mut senses);
        senses.sort_by(|one, other| other.score.total_cmp(&one.score));
        senses.truncate(MOST_SENSES);
        // What is overdue is not done yet, and has not been done late.
        if span.len() == 1 && self.tokens[span.start].word == "overdue" {
            let late = |sense: &Sense| matches!(sense.meaning, Meaning::Filter(at) if self.model.filters[at].name == "late");
            senses.retain(|sense| !late(sense));
            if senses.is_empty() {
                return None;
            }
        }
        // `in hours` tells of a length, and of no time of a row.
        if span.len() == 1 && matches!(self.tokens[span.start].word.as_str(), "hours" | "minutes") {
            let is_time = |sense: &Sense| matches!(sense.meaning, Meaning::Field(at) if self.model.field(at).role == FieldRole::Time);
            senses.retain(|sense| !is_time(sense));
            if senses.is_empty() {
                return None;
            }
        }
        Some((names.max(value), senses))
    }

    /// Who says `customers` means them, not the columns that lead to them; nor does `coupon codes` mean the columns that lead
    /// to coupons.
    fn without_keys(&self, span: &Range<usize>, senses: &mut Vec<Sense>) {
        let asks_for_key = self.tokens[span.clone()]
            .iter()
            .any(|token| is_key_word(&token.word));
        let named: Vec<(usize, bool, f32)> = senses
            .iter()
            .filter_map(|sense| match sense.meaning {
                Meaning::Dataset(table) => Some((table, false, sense.score)),
                Meaning::Field(at) if self.model.field(at).role != FieldRole::Reference => {
                    Some((at.table, true, sense.score))
                }
                _ => None,
            })
            .collect();
        let keys = &self.snapshot.schema.foreign_keys;
        senses.retain(|sense| {
            let Meaning::Field(at) = sense.meaning else {
                return true;
            };
            // One of the same kind is somebody else: whose boss.
            let to_others = keys
                .iter()
                .filter(|key| key.from == [at] && key.to[0].table != at.table);
            let mut leads_to = to_others.map(|key| key.to[0].table);
            !leads_to.any(|table| {
                named.iter().any(|(named, is_field, score)| {
                    *named == table
                        && if *is_field {
                            *score >= sense.score
                        } else {
                            !asks_for_key
                        }
                })
            })
        });
    }

    fn names(&self, content: &[usize], senses: &mut Vec<Sense>) {
        let single = content.len() == 1;
        let word = &self.tokens[content[0]].word;
        if single && self.stands_for(word, senses) {
            return;
        }
        if single
            && matches!(
                word.as_str(),
                "no" | "on" | "in" | "at" | "date" | "time" | "first" | "last"
            )
        {
            return;
        }
        if single
            && !self.is_noun(content[0])
            && (lexicon().is_filler(word) && !lexicon().knows(&self.tokens[content[0]].stem)
                || is_polite(word)
                || is_superlative(word))
        {
            // Unless a table or a column has just that name.
            let tables = self.vocabulary.tables(content, self.tokens, &self.similarities);
            let exact = tables.into_iter().filter(|(_, score)| *score >= 1.0);
            senses.extend(exact.map(|(table, score)| Sense {
                meaning: Meaning::Dataset(table),
                score,
            }));
            let columns = self.vocabulary.columns(content, self.tokens, &self.similarities);
            let exact = columns.into_iter().filter(|(_, score)| *score >= 1.0);
            senses.extend(exact.map(|(column, score)| Sense {
                meaning: Meaning::Field(column),
                score,
            }));
            // Or a state: `done`.
            let states = self.called.iter().filter(|(meaning, name)| {
                name.len() == 1 && matches!(meaning, Meaning::Filter(_) | Meaning::Value(..))
            });
            for (meaning, name) in states.filter(|_| word.len() > 3) {
                if let Some(score) = self.is_called(name, content).filter(|score| *score >= 0.99) {
                    better(senses, meaning, score);
                }
            }
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
            self.called_just_so(content, senses);
            return;
        }
        let tables = self.vocabulary.tables(content, self.tokens, &self.similarities);
        senses.extend(tables.into_iter().map(|(table, score)| Sense {
            meaning: Meaning::Dataset(table),
            score,
        }));
        self.ends_of_links(senses);
        for (column, score) in self.vocabulary.columns(content, self.tokens, &self.similarities) {
            // `customers` are no types of customers.
            let kind = single && self.is_kind_of(column, content[0]);
            senses.push(Sense {
                meaning: Meaning::Field(column),
                score: if kind { score * A_KIND } else { score },
            });
        }
        self.numbers(content, senses);
        self.names_of_persons(content, senses);
        if single && senses.is_empty() && word == "hours" {
            self.kept_in_minutes(senses);
        }
        for (meaning, name) in &self.called {
            if let Some(score) = self.is_called(name, content) {
                // Views repeat what tables hold, so they are only taken at their word.
                let is_view = |table: &usize| self.snapshot.schema.tables[*table].is_view;
                if matches!(meaning, Meaning::Dataset(table) if is_view(table)) && score < 0.95 {
                    continue;
                }
                // Names that people give are written in full: a salary is no SLA.
                if self.is_short_of(meaning, name, content) && score < 0.95 {
                    continue;
                }
                // A label is meant by its own words alone.
                let is_label = matches!(meaning, Meaning::Value(..));
                // `orders` are no rush orders.
                if single && name.len() > 1 && self.is_of_table(meaning, content[0]) {
                    continue;
                }
                if !is_label || score >= 0.7 && content.iter().any(|&at| self.has_word(name, at)) {
                    better(senses, meaning, score);
                }
            }
        }
        if single && is_money(&self.tokens[content[0]]) {
            self.money_asked(content[0], senses);
        }
        if let [how, adjective] = content
            && self.tokens[*how].word == "how"
        {
            self.attributes(*adjective, senses);
        }
        self.measured_in(content[0], senses);
        if single {
            self.quantities(content[0], senses);
            self.happened(content[0], senses);
            self.coded(content[0], senses);
            self.short_codes(content[0], senses);
            self.persons(content[0], senses);
            self.ages(content[0], senses);
            self.kept_in(content[0], senses);
            self.not_done(content[0], senses);
        }
        self.nothing_but_money(content, senses);
        only_defined(senses, self.model);
    }

    /// `number of customers` counts them, and is no number that customers have.
    fn numbers(&self, content: &[usize], senses: &mut Vec<Sense>) {
        let counts = content.len() > 1 && self.tokens[content[0]].word == "number";
        if counts && self.tokens[content[0] + 1].word == "of" {
            senses.retain(|sense| match sense.meaning {
                Meaning::Field(at) => self.model.field(at).role.is_measure(),
                _ => true,
            });
        }
        // `gross pay` is the money that is called gross.
        if let [which, money] = *content
            && is_money(&self.tokens[money])
        {
            for (at, _) in &self.money {
                let name = words::identifier_words(&self.model.metrics[*at].name);
                if name
                    .iter()
                    .any(|word| words::stem(word) == self.tokens[which].stem)
                {
                    better(senses, &Meaning::Metric(*at), 0.9);
                }
            }
        }
    }

    /// `customer names` are those of persons where they have first and last ones, whatever firms are called.
    fn names_of_persons(&self, content: &[usize], senses: &mut Vec<Sense>) {
        let Some((last, whose)) = content.split_last() else {
            return;
        };
        if !matches!(self.tokens[*last].word.as_str(), "name" | "names") {
            return;
        }
        let datasets = &self.model.datasets;
        let is_firm = |sense: &Sense| {
            matches!(sense.meaning, Meaning::Field(at)
                if datasets[at.table].display.len() > 1 && !datasets[at.table].display.contains(&at.column))
        };
        if whose.is_empty() {
            return senses.retain(|sense| !is_firm(sense));
        }
        let tables = self.vocabulary.tables(whose, self.tokens, &self.similarities);
        let Some((table, score)) = tables.into_iter().max_by(|one, other| one.1.total_cmp(&other.1)) else {
            return;
        };
        if score < KEPT_AS || datasets[table].display.len() < 2 {
            return;
        }
        let is_there = |sense: &Sense| matches!(sense.meaning, Meaning::Field(at) if at.table == table);
        senses.retain(|sense| !(is_there(sense) && is_firm(sense)));
        better(senses, &Meaning::Dataset(table), score);
    }

    /// True for a column that has the kinds of what a word names: `customer_type`.
    fn is_kind_of(&self, at: ColumnRef, word: usize) -> bool {
        let name = words::identifier_words(&self.snapshot.schema.column(at).name);
        let Some((last, [_, ..])) = name.split_last() else {
            return false;
        };
        let kind = matches!(
            last.as_str(),
            "type"
                | "typ"
                | "kind"
                | "category"
                | "cat"
                | "class"
                | "group"
                | "status"
                | "stat"
                | "level"
                | "tier"
                | "code"
        );
        kind && self.wordings[word].likeness(&Wording::of(last)) < 0.6
    }

    /// True for a filter or a label of a table, where a word says no more than which table, its own key or its time.
    fn is_of_table(&self, meaning: &Meaning, word: usize) -> bool {
        let table = match meaning {
            Meaning::Filter(at) => self.model.filters[*at].dataset,
            Meaning::Value(at, _) => at.table,
            _ => return false,
        };
        let dataset = &self.model.datasets[table];
        let description = &self.snapshot.schema.tables[table];
        let key = description.primary_key.iter().copied();
        let names = key
            .chain(dataset.time)
            .map(|column| &description.columns[column].name)
            .chain([&description.name]);
        let wording = &self.wordings[word];
        names
            .flat_map(|name| words::identifier_words(name))
            .any(|name| wording.likeness(&Wording::of(&name)) >= 0.9)
    }

    /// True where a word of the question is one of a name, in whatever form.
    fn has_word(&self, name: &[Wording], at: usize) -> bool {
        name.iter().any(|word| word.stem == self.wordings[at].stem)
    }

    /// How well some words of the question are a name of the model: all of it, or nearly so.
    pub(super) fn is_called(&self, name: &[Wording], content: &[usize]) -> Option<f32> {
        if name.is_empty() || content.len() > name.len() {
            return None;
        }
        // `on time` is not `time on`.
        let leads = |word: &str| matches!(word, "on" | "in" | "out" | "under" | "over" | "at");
        if name.len() > 1 && leads(&name[0].text) && self.tokens[content[0]].word != name[0].text {
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

    /// True where a word is all of the name of a table or a column among these.
    pub(super) fn is_name(&self, word: &str, senses: &[Sense]) -> bool {
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
}

/// A sense, unless the same is known with a better score.
pub(super) fn better(senses: &mut Vec<Sense>, meaning: &Meaning, score: f32) {
    match senses.iter_mut().find(|known| known.meaning == *meaning) {
        Some(known) => known.score = known.score.max(score),
        None => senses.push(Sense {
            meaning: meaning.clone(),
            score,
        }),
    }
}

/// Without the plural's ending.
pub(super) fn singular(word: &str) -> &str {
    word.strip_suffix("ies")
        .or_else(|| word.strip_suffix("es"))
        .or_else(|| word.strip_suffix('s'))
        .or_else(|| word.strip_suffix('y'))
        .unwrap_or(word)
}

/// True for `cheapest`, which ranks and names nothing.
fn is_superlative(word: &str) -> bool {
    matches!(lexicon().adjective_form(word), Some((_, Degree::Superlative)))
}

/// Words that may stand inside a name without being part of it.
fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the" | "of" | "in" | "'s" | "our")
}

/// Words by which a question asks for a key as it is stored.
fn is_key_word(word: &str) -> bool {
    matches!(
        word,
        "id" | "ids"
            | "key"
            | "keys"
            | "number"
            | "numbers"
            | "no"
            | "nr"
            | "code"
            | "codes"
            | "identifier"
            | "identifiers"
    )
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
