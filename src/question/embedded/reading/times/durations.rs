//! How long something takes: from which time of a row to which other one, by the words of the question.

use std::ops::Range;

use super::{
    super::{
        super::{
            lexicon::lexicon,
            question::{Token, TokenKind},
        },
        persons::is_person,
        rewording::{said, word, written},
    },
    asks::{Asked, BEGINS, ENDS, MEANT, asked, is_unit, is_whoever},
    awaited, column_words, names_table, times_of,
};
use crate::question::{
    schema::{ColumnRef, Snapshot, words},
    semantic::{DatasetRole, SemanticModel},
};

/// Words of an expression that names the one end, at most.
const LONGEST: usize = 5;

/// The times between which it is, with how sure they are.
struct Taken {
    from: ColumnRef,
    to: ColumnRef,
    score: u32,
}

/// `how long do we take to settle a complaint` as the average from when it was opened to when it was closed.
pub(super) fn taken(tokens: Vec<Token>, snapshot: &Snapshot, model: &SemanticModel) -> Vec<Token> {
    let tokens = awaited::time_to(tokens);
    let Some(asked) = asked(&tokens) else {
        return tokens;
    };
    let question = Durations {
        tokens: &tokens,
        snapshot,
        model,
    };
    let told = question.read(&asked).or_else(|| {
        let sides = question.sides(asked.phrase.end.saturating_sub(1))?;
        awaited::across(&tokens, sides, &snapshot.schema, model)
    });
    told.unwrap_or(tokens)
}

struct Durations<'a> {
    tokens: &'a [Token],
    snapshot: &'a Snapshot,
    model: &'a SemanticModel,
}

impl Durations<'_> {
    fn word(&self, at: usize) -> &str {
        word(self.tokens, at)
    }

    fn read(&self, asked: &Asked) -> Option<Vec<Token>> {
        let sides = self.sides(asked.phrase.end.saturating_sub(1));
        let end = match &sides {
            Some((_, to)) => to.clone(),
            None => self.end(asked.phrase.end)?,
        };
        let from = sides.as_ref().map(|(from, _)| from.clone());
        let tables = (0..self.snapshot.schema.tables.len())
            .filter(|&table| !self.snapshot.schema.tables[table].is_view);
        let mut found: Vec<Taken> = tables
            .filter_map(|table| self.between(table, from.as_ref(), &end))
            .collect();
        found.sort_by_key(|taken| std::cmp::Reverse(taken.score));
        let taken = match &found[..] {
            [only] => only,
            [first, second, ..] if first.score > second.score => first,
            _ => return None,
        };
        Some(self.told(asked, taken, sides.as_ref(), &end))
    }

    /// `from X to Y`, `between X and Y`.
    fn sides(&self, from: usize) -> Option<(Range<usize>, Range<usize>)> {
        let count = self.tokens.len();
        (from..count).find_map(|at| {
            let joint = (at + 2..count.min(at + 2 + LONGEST)).find(|joint| match self.word(at) {
                "between" => matches!(self.word(*joint), "and" | "to" | "until"),
                "from" => matches!(self.word(*joint), "to" | "until" | "till"),
                _ => false,
            })?;
            let ends = |at: &usize| {
                matches!(
                    self.word(*at),
                    "," | "per" | "by" | "for" | "each" | "on" | "with" | "in" | "at" | "of" | "where"
                )
            };
            let last = count.min(joint + 1 + LONGEST);
            let end = (joint + 1..last).find(ends).unwrap_or(last);
            Some((at + 1..joint, joint + 1..end))
        })
    }

    /// Which words tell of the end: `to settle`, `until we answer`, `wait for our answer`.
    fn end(&self, from: usize) -> Option<Range<usize>> {
        let known = |at: usize| {
            let word = self.word(at);
            ENDS.iter().any(|(said, _)| said.contains(&word))
        };
        let count = self.tokens.len();
        // What comes behind `per` is a group.
        let stop = (from..count)
            .find(|&at| matches!(self.word(at), "per" | "by" | "each" | "depending"))
            .unwrap_or(count);
        let found = (from.saturating_sub(1)..count).filter(|&at| known(at));
        let led = |at: usize| {
            (at.saturating_sub(4)..at)
                .any(|before| matches!(self.word(before), "to" | "until" | "till" | "for"))
        };
        let all: Vec<usize> = found.collect();
        let chosen = all
            .iter()
            .copied()
            .find(|at| led(*at))
            .or_else(|| all.iter().copied().find(|at| *at < stop));
        if let Some(at) = chosen {
            return Some(at..at + 1);
        }
        // `how many days does DHL need`: until it is done.
        let needs = (from..count).find(|&at| matches!(self.word(at), "need" | "needs" | "take" | "takes"))?;
        let to = (needs..count).any(|at| self.word(at) == "to" || self.word(at) == "until");
        (!to).then_some(needs..needs)
    }

    /// The times of a table that lie at the two ends.
    fn between(&self, table: usize, from: Option<&Range<usize>>, end: &Range<usize>) -> Option<Taken> {
        let dataset = &self.model.datasets[table];
        let (to, mut score) = if end.is_empty() {
            let done = [
                "delivered",
                "dlv",
                "completed",
                "closed",
                "finished",
                "resolved",
                "ended",
                "end",
            ];
            (self.named(table, &done)?, 0)
        } else {
            (self.of_words(table, end)?, 0)
        };
        let begins = dataset.time.map(|column| ColumnRef { table, column });
        let from = match from {
            None => begins?,
            Some(words) => {
                if let Some(from) = self.of_words(table, words) {
                    score += 1;
                    from
                } else {
                    let begin = words.clone().any(|at| BEGINS.contains(&self.word(at)));
                    begins.filter(|_| begin)?
                }
            }
        };
        if from == to {
            return None;
        }
        score += 2 * u32::from(names_table(self.tokens, &self.snapshot.schema, table));
        score += u32::from(dataset.role == DatasetRole::Event);
        let stored = self.stores_one(table);
        // Of what is not named at all something must tell.
        if end.is_empty() && !stored && !names_table(self.tokens, &self.snapshot.schema, table) {
            return None;
        }
        score += 2 * u32::from(stored);
        Some(Taken { from, to, score })
    }

    /// The time of a table that words tell of.
    fn of_words(&self, table: usize, said: &Range<usize>) -> Option<ColumnRef> {
        said.clone().find_map(|at| {
            let word = self.word(at);
            let class = ENDS.iter().find(|(said, _)| said.contains(&word));
            if let Some(found) = class.and_then(|(_, columns)| self.named(table, columns)) {
                return Some(found);
            }
            let stem = &self.tokens[at].stem;
            let says = |name: &str| {
                let long = lexicon().in_full(name);
                words::stem(name) == *stem || long.is_some_and(|long| words::stem(long) == *stem)
            };
            let named = stem.len() > 3 && !matches!(word, "date" | "time" | "days");
            named.then(|| {
                self.times(table)
                    .find(|at| self.name(*at).iter().any(|name| says(name)))
            })?
        })
    }

    /// True for the noun of a table of persons.
    fn is_person(&self, at: usize) -> bool {
        let schema = &self.snapshot.schema;
        let noun = &self.tokens[at..=at];
        (0..schema.tables.len()).any(|table| is_person(schema, table) && names_table(noun, schema, table))
    }

    fn name(&self, at: ColumnRef) -> Vec<String> {
        words::identifier_words(&self.snapshot.schema.column(at).name)
    }

    /// Times at which something really happened.
    fn times(&self, table: usize) -> impl Iterator<Item = ColumnRef> + '_ {
        times_of(table, self.model)
            .filter(|at| !self.name(*at).iter().any(|word| MEANT.contains(&word.as_str())))
    }

    fn named(&self, table: usize, wanted: &[&str]) -> Option<ColumnRef> {
        wanted.iter().find_map(|wanted| {
            self.times(table)
                .find(|at| self.name(*at).iter().any(|word| word == wanted))
        })
    }

    /// True where a table has a stored value that is named.
    fn stores_one(&self, table: usize) -> bool {
        let Some(Some(profile)) = self.snapshot.profile.tables.get(table) else {
            return false;
        };
        let mut frequent = profile.columns.iter().flat_map(|column| &column.frequent);
        frequent.any(|(value, _)| {
            let value = value.to_lowercase();
            value.len() > 2 && self.tokens.iter().any(|token| token.word == value)
        })
    }

    /// The question in the words of these times.
    fn told(
        &self,
        asked: &Asked,
        taken: &Taken,
        sides: Option<&(Range<usize>, Range<usize>)>,
        end: &Range<usize>,
    ) -> Vec<Token> {
        let schema = &self.snapshot.schema;
        let mut used = vec![false; self.tokens.len()];
        let mut mark = |range: Range<usize>| {
            for at in range {
                if let Some(used) = used.get_mut(at) {
                    *used = true;
                }
            }
        };
        mark(asked.phrase.clone());
        let mut unit = asked.unit.clone();
        let until = |at: &usize| matches!(self.word(*at), "until" | "till");
        if let Some(until) = (0..self.tokens.len()).find(until) {
            mark(until..until + 1);
        }
        if let Some((from, to)) = sides {
            mark(from.start - 1..to.end);
        } else {
            // With what leads to it: `to settle`, `until we first answer`.
            let lead = |at: &usize| {
                matches!(
                    self.word(*at),
                    "to" | "until"
                        | "till"
                        | "for"
                        | "we"
                        | "they"
                        | "it"
                        | "our"
                        | "the"
                        | "a"
                        | "first"
                        | "us"
                        | "is"
                        | "gets"
                        | "get"
                        | "wait"
                        | "waits"
                        | "be"
                        | "been"
                        | "their"
                )
            };
            let from = (asked.phrase.end..end.start)
                .rev()
                .take_while(lead)
                .last()
                .unwrap_or(end.start);
            mark(from..end.end);
            let keeps = matches!(self.word(end.start), "keep" | "keeps" | "borrow" | "borrows");
            if keeps && !end.is_empty() {
                let article = usize::from(matches!(self.word(end.end), "a" | "the" | "an" | "their"));
                mark(end.end..end.end + article + 1);
            }
        }
        let mut at = 0;
        while at < self.tokens.len() {
            let length = match (self.word(at), self.word(at + 1)) {
                ("on", "average") => 2,
                ("in", unit_word) if is_unit(unit_word) => {
                    unit = Some(unit_word.to_owned());
                    2
                }
                (
                    "usually" | "typically" | "normally" | "generally" | "take" | "takes" | "took" | "taken"
                    | "need" | "needs" | "needed" | "wait" | "waits" | "waiting" | "pass" | "passes" | "us"
                    | "we" | "it" | "does" | "do" | "did" | "average",
                    _,
                ) => 1,
                _ => 0,
            };
            mark(at..at + length);
            at += length.max(1);
        }
        // Whoever waits is no part of it, unless a word says which of them.
        let subject = (asked.phrase.end..self.tokens.len()).find(|&at| {
            !matches!(
                self.word(at),
                "do" | "does" | "did" | "a" | "an" | "the" | "our" | "on" | "average" | "usually"
            )
        });
        if let Some(subject) = subject
            && (is_whoever(self.word(subject)) || self.is_person(subject))
        {
            mark(subject..subject + 1);
        }
        let mut rest: Vec<Token> = Vec::new();
        for (token, used) in self.tokens.iter().zip(&used) {
            let is_article = matches!(token.word.as_str(), "a" | "an" | "the" | "our" | "their");
            let is_comma = token.kind == TokenKind::Mark(',');
            if *used || is_article || is_comma && rest.is_empty() {
                continue;
            }
            rest.push(token.clone());
        }
        while rest.last().is_some_and(|last| {
            last.kind == TokenKind::Mark(',') || matches!(last.word.as_str(), "for" | "of" | "in")
        }) {
            rest.pop();
        }
        let instead = &self.tokens[asked.phrase.start];
        let gathering = if self.tokens.iter().any(|token| token.word == "median") {
            "median"
        } else {
            "average"
        };
        let unit = unit.unwrap_or_else(|| "days".to_owned());
        // Some columns are called so.
        let columns = schema.tables.iter().flat_map(|table| &table.columns);
        let is_column = |name: &str| columns.clone().any(|column| column.name.to_lowercase() == name);
        let told_last = matches!(unit.as_str(), "minutes" | "hours") || is_column(&unit);
        let length = if told_last { "time" } else { unit.as_str() };
        let mut told = written(&[gathering, length, "from"], instead);
        told.extend(column_words(taken.from, schema, instead));
        told.push(said("to", instead));
        told.extend(column_words(taken.to, schema, instead));
        if let Some(first) = rest.first() {
            let joins = matches!(
                first.word.as_str(),
                "per"
                    | "by"
                    | "for"
                    | "in"
                    | "with"
                    | "of"
                    | "where"
                    | "whose"
                    | "each"
                    | "without"
                    | "at"
                    | "from"
                    | "that"
                    | "on"
                    | "since"
                    | "during"
            ) || matches!(first.kind, TokenKind::Mark(_));
            if !joins {
                told.push(said(if first.capital { "for" } else { "of" }, first));
            }
        }
        told.extend(rest);
        if told_last {
            told.extend(written(&["in", &unit], instead));
        }
        told
    }
}
