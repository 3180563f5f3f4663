//! What has run out, and what will: times until which something holds against today.

use jiff::civil::Date;

use super::{
    super::{
        super::question::Token,
        cues::{EXPIRED, VALID},
        periods::Reader,
        rewording::{said, word, written},
    },
    column_words, day, names_table, same_root, times_of,
};
use crate::question::{
    schema::{ColumnRef, Schema, Snapshot, words},
    semantic::SemanticModel,
};

/// Words of columns that tell until when something holds, the surest first.
const UNTIL: [&str; 12] = [
    "expires",
    "expiry",
    "expire",
    "expiration",
    "exp",
    "until",
    "thru",
    "valid",
    "end",
    "ends",
    "renewal",
    "renews",
];

/// The question with such times in the words of their columns.
pub(super) fn run_out(
    tokens: Vec<Token>,
    today: Date,
    snapshot: &Snapshot,
    model: &SemanticModel,
) -> Vec<Token> {
    let schema = &snapshot.schema;
    let expiry = Expiry { schema, model, today };
    expiry.comes_up(expiry.runs_out(expiry.has_run_out(expiry.still_holds(tokens, snapshot))))
}

struct Expiry<'a> {
    schema: &'a Schema,
    model: &'a SemanticModel,
    today: Date,
}

impl Expiry<'_> {
    fn name(&self, at: ColumnRef) -> Vec<String> {
        words::identifier_words(&self.schema.column(at).name)
    }

    fn tables(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.schema.tables.len()).filter(|&table| !self.schema.tables[table].is_view)
    }

    /// Until when the rows of a table hold.
    fn of(&self, table: usize) -> Option<ColumnRef> {
        UNTIL.iter().find_map(|wanted| {
            times_of(table, self.model).find(|at| {
                let name = self.name(*at);
                name.iter().any(|word| word == wanted) && !name.iter().any(|word| word == "from")
            })
        })
    }

    /// Until when something holds that a noun names, or the row of what a column of it identifies.
    fn of_noun(&self, noun: &Token) -> Option<ColumnRef> {
        if noun.stem.len() < 3 {
            return None;
        }
        let says = |name: &[String]| name.iter().any(|word| same_root(&words::stem(word), &noun.stem));
        let named = self.tables().find_map(|table| {
            times_of(table, self.model).find(|at| {
                let name = self.name(*at);
                says(&name) && name.iter().any(|word| UNTIL.contains(&word.as_str()))
            })
        });
        named.or_else(|| {
            self.tables().find_map(|table| {
                let until = self.of(table)?;
                let columns = &self.schema.tables[table].columns;
                columns
                    .iter()
                    .any(|column| says(&words::identifier_words(&column.name)))
                    .then_some(until)
            })
        })
    }

    /// True for a noun that the column is called by, and its table is not.
    fn says(&self, until: ColumnRef, noun: &Token) -> bool {
        let mut name = self.name(until).into_iter();
        name.any(|word| same_root(&words::stem(&word), &noun.stem))
            && !names_table(std::slice::from_ref(noun), self.schema, until.table)
    }

    /// `with a valid licence`, `certificates that are still valid` as what holds from today on, by the time until which it does.
    fn still_holds(&self, mut tokens: Vec<Token>, snapshot: &Snapshot) -> Vec<Token> {
        let stored = !snapshot.values.find(&words::text_words("valid")).is_empty();
        let called = self.schema.columns().any(|(at, _)| {
            let name = self.name(at);
            matches!(&name[..], [only] if only == "valid")
                || matches!(&name[..], [_, last] if last == "valid")
        });
        let found = (0..tokens.len()).find(|&at| matches!(word(&tokens, at), "valid" | "unexpired"));
        let Some(at) = found.filter(|_| !stored && !called) else {
            return tokens;
        };
        let is_noun = |at: usize| {
            let table = self
                .tables()
                .find(|&table| self.of(table).is_some() && names_table(&tokens[at..=at], self.schema, table));
            let until = || self.of_noun(&tokens[at]);
            table.map(|_| None).or_else(|| until().map(Some))
        };
        let between = |word: &str| {
            matches!(
                word,
                "is" | "are" | "still" | "currently" | "not" | "that" | "which" | "has" | "have" | "a"
            )
        };
        let before = (0..at).rev().find(|&at| !between(word(&tokens, at)));
        // `valid bus passes`: what its last word names.
        let names = |at: &usize| {
            self.tables()
                .any(|table| names_table(&tokens[*at..=*at], self.schema, table))
        };
        let behind = (at + 1..tokens.len().min(at + 3)).find(names);
        let behind = behind.or_else(|| (at + 1 < tokens.len()).then_some(at + 1));
        let (noun, of_table) = match (behind.and_then(|at| Some((at, is_noun(at)?))), before) {
            (Some(found), _) => found,
            (None, Some(before)) => match is_noun(before) {
                Some(found) => (before, found),
                None => return tokens,
            },
            (None, None) => return tokens,
        };
        let valid = said(VALID, &tokens[at]);
        let Some(until) = of_table else {
            tokens[at] = valid;
            return tokens;
        };
        // A column of what is asked for: its noun is told with the time.
        let is_told = |word: &str| {
            matches!(
                word,
                "with"
                    | "have"
                    | "has"
                    | "having"
                    | "hold"
                    | "holds"
                    | "whose"
                    | "their"
                    | "a"
                    | "an"
                    | "the"
                    | "any"
                    | "no"
                    | "without"
                    | "not"
                    | "do"
                    | "does"
                    | "who"
            )
        };
        let end = at.max(noun) + 1;
        let mut from = at.min(noun);
        while from > 1 && is_told(word(&tokens, from - 1)) {
            from -= 1;
        }
        let denies = tokens[from..end]
            .iter()
            .any(|token| matches!(token.word.as_str(), "no" | "without" | "not"));
        let mut told = written(&[if denies { "not" } else { "with" }], &tokens[at]);
        if self.of(until.table) == Some(until) {
            told.push(valid);
        } else if denies {
            return tokens;
        } else {
            told.extend(column_words(until, self.schema, &tokens[at]));
            told.extend([said("since", &tokens[at]), day(self.today, &tokens[at])]);
        }
        tokens.splice(from..end, told);
        tokens
    }

    /// `whose insurance has run out`, `out of warranty` as until before today.
    fn has_run_out(&self, mut tokens: Vec<Token>) -> Vec<Token> {
        let found = (0..tokens.len()).find_map(|at| {
            if word(&tokens, at) == "out" && word(&tokens, at + 1) == "of" {
                let noun = tokens.get(at + 2)?;
                let named = self.of_noun(noun).filter(|until| {
                    let name = self.name(*until);
                    name.iter().any(|word| same_root(&words::stem(word), &noun.stem))
                })?;
                let runs = usize::from(
                    at > 0 && matches!(word(&tokens, at - 1), "run" | "runs" | "running" | "ran"),
                );
                return Some((at - runs, at + 3, named));
            }
            if !matches!(
                word(&tokens, at),
                "whose" | "with" | "their" | "have" | "has" | "having"
            ) {
                return None;
            }
            let article = usize::from(matches!(word(&tokens, at + 1), "a" | "an" | "the"));
            let expired = usize::from(matches!(word(&tokens, at + 1 + article), "expired" | "lapsed"));
            let noun = at + 1 + article + expired;
            let until = self.of_noun(tokens.get(noun)?)?;
            if expired > 0 {
                return Some((at, noun + 1, until));
            }
            let mut end = noun + 1;
            while matches!(
                word(&tokens, end),
                "has" | "have" | "is" | "already" | "that" | "which" | "had" | "are"
            ) {
                end += 1;
            }
            let gone = match (word(&tokens, end), word(&tokens, end + 1)) {
                ("run" | "ran", "out") => 2,
                ("expired" | "lapsed", _) => 1,
                ("out", "of") if word(&tokens, end + 2) == "date" => 3,
                _ => return None,
            };
            Some((at, end + gone, until))
        });
        let Some((at, end, until)) = found else {
            return tokens;
        };
        // `out of order or out of warranty`: no period holds of both.
        let is_light = |word: &str| matches!(word, "are" | "is" | "who" | "that" | "with" | "have" | "has");
        let before = (0..at).rev().find(|&at| !is_light(word(&tokens, at)));
        let alternative = before.is_some_and(|before| word(&tokens, before) == "or");
        if alternative && self.of(until.table) == Some(until) {
            let expired = said(EXPIRED, &tokens[at]);
            tokens.splice(at..end, [expired]);
            return tokens;
        }
        let led = at > 0 && word(&tokens, at - 1) == "with";
        let mut told = if led {
            Vec::new()
        } else {
            written(&["with"], &tokens[at])
        };
        told.extend(column_words(until, self.schema, &tokens[at]));
        // A period says when that was.
        let dated = matches!(
            word(&tokens, end),
            "in" | "before"
                | "since"
                | "last"
                | "this"
                | "next"
                | "on"
                | "during"
                | "between"
                | "by"
                | "within"
        );
        if !dated {
            told.push(said("before", &tokens[at]));
            told.push(day(self.today, &tokens[at]));
        }
        let behind = at + told.len();
        tokens.splice(at..end, told);
        // `and when it expired`: that day is shown.
        let when = (behind..tokens.len()).find(|&at| {
            word(&tokens, at) == "when"
                && matches!(word(&tokens, at + 1), "it" | "they" | "that")
                && matches!(
                    word(&tokens, at + 2),
                    "expired" | "ran" | "lapsed" | "expires" | "ended"
                )
        });
        if let Some(when) = when {
            let end = when + 3 + usize::from(word(&tokens, when + 3) == "out");
            let told = column_words(until, self.schema, &tokens[when]);
            tokens.splice(when..end, told);
        }
        tokens
    }

    /// `contracts running out before April` by when they end, from today on.
    fn runs_out(&self, mut tokens: Vec<Token>) -> Vec<Token> {
        let found = (1..tokens.len()).find_map(|at| {
            let used = match (word(&tokens, at), word(&tokens, at + 1), word(&tokens, at + 2)) {
                ("run" | "runs" | "running", "out", _) => 2,
                ("up" | "due", "for", "renewal") => 3,
                (
                    "expire" | "expires" | "expiring" | "lapse" | "lapses" | "lapsing" | "end" | "ends"
                    | "ending",
                    ..,
                ) => 1,
                _ => return None,
            };
            let reader = Reader {
                tokens: &tokens,
                today: self.today,
            };
            let (period, end) = reader.span(at + used)?;
            let named: Vec<usize> = self
                .tables()
                .filter(|&table| names_table(&tokens[..at], self.schema, table))
                .collect();
            // `ending` alone is read as that it has ended.
            let ends = tokens[at].stem == "end";
            let until = match named[..] {
                [] if ends => return None,
                [] => {
                    let mut all = self.tables().filter_map(|table| self.of(table));
                    all.next().filter(|_| all.next().is_none())?
                }
                _ => named.iter().find_map(|table| self.of(*table))?,
            };
            let said_so = self
                .name(until)
                .iter()
                .any(|word| words::stem(word) == tokens[at].stem);
            (ends || !said_so).then_some((at, used, period, end, until))
        });
        let Some((mut at, used, period, end, until)) = found else {
            return tokens;
        };
        let verb = at;
        let mut told = Vec::new();
        // `whose certificate expires`: the column says what expires.
        if self.says(until, &tokens[at - 1]) {
            at -= 1;
            while at > 0
                && matches!(
                    word(&tokens, at - 1),
                    "whose" | "their" | "the" | "its" | "a" | "an"
                )
            {
                at -= 1;
            }
            if !names_table(&tokens[..at], self.schema, until.table) {
                let table = &self.schema.tables[until.table].name;
                let table = words::table_words(table);
                told.extend(table.iter().map(|word| said(word, &tokens[verb])));
            }
        }
        told.extend(written(&["with"], &tokens[verb]));
        told.extend(column_words(until, self.schema, &tokens[verb]));
        match (period.from, period.to.and_then(|to| to.yesterday().ok())) {
            (None, Some(last)) if last > self.today => {
                told.push(said("between", &tokens[verb]));
                told.push(day(self.today, &tokens[verb]));
                told.push(said("and", &tokens[verb]));
                told.push(day(last, &tokens[verb]));
            }
            _ => told.extend_from_slice(&tokens[verb + used..end]),
        }
        while at > 1
            && matches!(
                word(&tokens, at - 1),
                "that" | "which" | "are" | "is" | "will" | "due" | "to" | "coming"
            )
        {
            at -= 1;
        }
        tokens.splice(at..end, told);
        tokens
    }

    /// `have their inspection coming up between now and New Year` by when that is due.
    fn comes_up(&self, mut tokens: Vec<Token>) -> Vec<Token> {
        let found = (1..tokens.len()).find_map(|at| {
            let used = match (word(&tokens, at), word(&tokens, at + 1)) {
                ("coming" | "comes" | "come", "up") | ("falling" | "falls" | "fall", "due") => 2,
                ("due", _) => 1,
                _ => return None,
            };
            let noun = (at.saturating_sub(2)..at)
                .rev()
                .find(|&at| !matches!(word(&tokens, at), "is" | "are" | "that"))?;
            let reader = Reader {
                tokens: &tokens,
                today: self.today,
            };
            reader.span(at + used)?;
            let mut tables = self.tables();
            if tables.any(|table| names_table(&tokens[noun..=noun], self.schema, table)) {
                return None;
            }
            let stem = &tokens[noun].stem;
            let due = self.tables().find_map(|table| {
                times_of(table, self.model).find(|time| {
                    let name = self.name(*time);
                    name.iter().any(|word| words::stem(word) == *stem)
                        && name
                            .iter()
                            .any(|word| matches!(word.as_str(), "next" | "due" | "until"))
                })
            })?;
            (stem.len() > 3).then_some((noun, at + used, due))
        });
        let Some((noun, end, due)) = found else {
            return tokens;
        };
        let from = noun
            - usize::from(
                noun > 0 && matches!(word(&tokens, noun - 1), "their" | "its" | "the" | "an" | "a"),
            );
        let told = column_words(due, self.schema, &tokens[noun]);
        tokens.splice(from..end, told);
        tokens
    }
}
