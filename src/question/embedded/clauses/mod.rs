//! Clause detection: the subproblems that the items of a question pose, each rule in its own file.
//!
//! The rules run in a fixed order, from the most specific to the most general. Each takes the items that it
//! explains out of the way, so that what is left at the end is what nobody understood.

use super::{
    lexicon::{Operator, lexicon},
    logical::{Comparator, DatePart, Direction, Function, Operand},
    ordering::orders_all,
    question::Token,
    reading::is_birth,
    resolve::{Item, ItemKind, is_key},
    vocabulary::Vocabulary,
};
use crate::question::schema::{ColumnKind, ColumnRef, Snapshot};

mod comparison;
mod grouping;
mod negation;
mod number;
mod ordering;
mod period;
mod selection;
mod superlative;
mod value;

pub(crate) use period::bounds;

/// What a question asks for, clause by clause.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clauses {
    pub(crate) select: Vec<Target>,
    pub(crate) distinct: bool,
    /// Tables that the question names, in order.
    pub(crate) tables: Vec<usize>,
    /// What the rows of the answer are about.
    pub(crate) subject: Option<usize>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) absent: Vec<Absence>,
    pub(crate) group: Vec<Target>,
    pub(crate) order: Vec<(Target, Direction)>,
    pub(crate) limit: Option<u64>,
    /// `both A and B`: every one of several values must be found.
    pub(crate) both: bool,
    /// Of several keys between two tables, those that the question speaks of.
    pub(crate) keys: Vec<usize>,
    /// Tokens that nothing explains.
    pub(crate) unexplained: Vec<usize>,
    /// The least certain item that is part of the reading, 0 to 1.
    pub(crate) certainty: f32,
    /// What the question asks for that no plan can do.
    pub(crate) unsupported: Option<&'static str>,
    /// Guesses that were needed, each costing confidence.
    pub(crate) guesses: Vec<String>,
}

/// Something that can be selected, ordered, grouped or compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Target {
    Column(ColumnRef),
    /// The thing itself; shown by its name.
    Table(usize),
    /// All columns.
    Everything(usize),
    /// The year, month or day of a date.
    Part(DatePart, ColumnRef),
    /// How many rows of a table.
    CountRows(usize),
    Aggregate {
        function: Function,
        distinct: bool,
        column: ColumnRef,
    },
    /// Whatever is selected first.
    First,
}

/// A condition on the rows or, where its target is an aggregate, on the groups.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Condition {
    /// The item that it came from.
    pub(crate) position: usize,
    pub(crate) left: Target,
    pub(crate) operator: Comparator,
    pub(crate) right: Right,
    pub(crate) negated: bool,
    /// It narrows down what an average before it is taken over, not the rows of the answer.
    pub(crate) within: bool,
    /// Joined to the condition before it by `or`.
    pub(crate) alternative: bool,
}

/// A table in which nothing may be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Absence {
    pub(crate) table: usize,
    /// The item that it came from.
    pub(crate) position: usize,
}

/// What a condition compares with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Right {
    Operand(Operand),
    /// An aggregate over a whole column.
    Overall(Function, ColumnRef),
    /// The value that occurs most or least often.
    Frequent(ColumnRef, Direction),
}

/// Reads the clauses off the items.
pub(crate) fn read(
    items: &[Item],
    tokens: &[Token],
    vocabulary: &Vocabulary,
    snapshot: &Snapshot,
) -> Clauses {
    let mut reader = Reader {
        items,
        tokens,
        vocabulary,
        snapshot,
        used: vec![false; items.len()],
        clauses: Clauses {
            certainty: 1.0,
            ..Clauses::default()
        },
    };
    reader.tables();
    reader.keys();
    reader.everything();
    reader.totals_of_counts();
    reader.order();
    reader.comparisons();
    reader.superlatives();
    reader.groups();
    reader.absences();
    reader.values();
    reader.negations();
    reader.alternatives();
    reader.narrowed_averages();
    reader.selection();
    reader.second_request();
    reader.finish()
}

struct Reader<'a> {
    items: &'a [Item],
    tokens: &'a [Token],
    vocabulary: &'a Vocabulary,
    snapshot: &'a Snapshot,
    used: Vec<bool>,
    clauses: Clauses,
}

impl Reader<'_> {
    fn tables(&mut self) {
        for item in self.items {
            if let ItemKind::Table(table) = item.kind
                && !self.clauses.tables.contains(&table)
            {
                self.clauses.tables.push(table);
            }
        }
        let first_column = self.items.iter().find_map(|item| match item.kind {
            ItemKind::Column(column, _) => Some(column.table),
            _ => None,
        });
        self.clauses.subject = self.clauses.tables.first().copied().or(first_column);
    }

    /// `destroyed by`: of two keys to the employees, the one whose column has the word.
    fn keys(&mut self) {
        let schema = &self.snapshot.schema;
        let words: Vec<String> = self
            .tokens
            .iter()
            .filter(|token| !lexicon().is_filler(&token.word))
            .map(|token| token.word.clone())
            .collect();
        for (key, foreign_key) in schema.foreign_keys.iter().enumerate() {
            let (from, to) = (foreign_key.from[0], foreign_key.to[0]);
            let rivals = self.snapshot.joins.keys_between(from.table, to.table);
            if rivals.len() < 2 {
                continue;
            }
            let own = |key: usize| {
                let column = schema.foreign_keys[key].from[0];
                words
                    .iter()
                    .filter(|word| {
                        self.vocabulary
                            .column_has_word(column, std::slice::from_ref(word))
                            > 0.0
                    })
                    .count()
            };
            if rivals.iter().all(|&rival| rival == key || own(rival) < own(key)) {
                self.clauses.keys.push(key);
            }
        }
    }

    /// `all information about T`: every column.
    fn everything(&mut self) {
        for at in 0..self.items.len() {
            if self.operator(at) == Some(Operator::Everything) {
                let table = (at + 1..self.items.len())
                    .chain((0..at).rev())
                    .find_map(|next| self.table(next));
                if let Some(table) = table.or(self.clauses.subject) {
                    self.used[at] = true;
                    self.clauses.select.push(Target::Everything(table));
                }
            }
        }
    }

    fn finish(mut self) -> Clauses {
        // `the cheapest first`: all of them.
        if self.clauses.limit == Some(1) && orders_all(self.tokens) {
            self.clauses.limit = None;
            self.clauses.order.truncate(1);
        }
        for (at, item) in self.items.iter().enumerate() {
            let repeated = matches!(&item.kind, ItemKind::Column(column, _) if self.speaks_of(*column));
            let explained = self.used[at]
                || repeated
                || matches!(item.kind, ItemKind::Table(_) | ItemKind::Mark(_) | ItemKind::Possessive)
                || matches!(
                    item.kind,
                    ItemKind::Operator(
                        Operator::And | Operator::Of | Operator::Is | Operator::Boundary | Operator::Distinct
                            | Operator::Either | Operator::Both | Operator::Or | Operator::NotNull
                    )
                )
                // `albums containing tracks`: a verb like any other.
                || (matches!(item.kind, ItemKind::Operator(Operator::Contains)) && self.table(at + 1).is_some());
            if explained {
                if !matches!(
                    item.kind,
                    ItemKind::Operator(_) | ItemKind::Mark(_) | ItemKind::Possessive | ItemKind::Unknown
                ) {
                    self.clauses.certainty = self.clauses.certainty.min(item.certainty);
                }
            } else {
                self.clauses.unexplained.extend(item.span.clone());
            }
        }
        self.clauses
    }

    /// True for a column that some clause has already.
    fn speaks_of(&self, column: ColumnRef) -> bool {
        let clauses = &self.clauses;
        clauses
            .select
            .iter()
            .chain(&clauses.group)
            .chain(clauses.conditions.iter().map(|condition| &condition.left))
            .chain(clauses.order.iter().map(|(target, _)| target))
            .any(|target| matches!(target, Target::Column(c) | Target::Aggregate { column: c, .. } if *c == column))
    }

    fn kind(&self, at: usize) -> Option<&ItemKind> {
        self.items.get(at).map(|item| &item.kind)
    }

    fn operator(&self, at: usize) -> Option<Operator> {
        match self.kind(at)? {
            ItemKind::Operator(operator) if !self.used[at] => Some(*operator),
            _ => None,
        }
    }

    fn table(&self, at: usize) -> Option<usize> {
        match self.kind(at)? {
            ItemKind::Table(table) => Some(*table),
            _ => None,
        }
    }

    fn column(&self, at: usize) -> Option<ColumnRef> {
        match self.kind(at)? {
            ItemKind::Column(column, _) if !self.used[at] => Some(*column),
            _ => None,
        }
    }

    /// The words of an item, lower case.
    fn words(&self, at: usize) -> String {
        let words: Vec<&str> = self.tokens[self.items[at].span.clone()]
            .iter()
            .map(|t| t.word.as_str())
            .collect();
        words.join(" ")
    }

    /// The first item at or after `at` that is not `of`, `is` or a word for distinctness.
    fn skip_glue(&self, mut at: usize) -> usize {
        while matches!(
            self.operator(at),
            Some(Operator::Of | Operator::Is | Operator::Distinct)
        ) {
            at += 1;
        }
        at
    }

    fn use_range(&mut self, range: std::ops::Range<usize>) {
        self.used[range].fill(true);
    }

    fn column_kind(&self, column: ColumnRef) -> ColumnKind {
        self.snapshot.schema.column(column).kind
    }

    /// True for columns whose values can be put in an order that means something.
    fn is_measure(&self, column: ColumnRef) -> bool {
        let kind = self.column_kind(column);
        let is_time = matches!(kind, ColumnKind::Time | ColumnKind::Interval);
        kind.is_temporal() || is_time || kind.is_numeric() || self.holds_numbers(column)
    }

    /// True for a text column in which only numbers are stored.
    fn holds_numbers(&self, column: ColumnRef) -> bool {
        let values = self.snapshot.values.values_of(column);
        !values.is_empty()
            && values
                .iter()
                .take(50)
                .all(|value| value.replace(',', "").parse::<f64>().is_ok())
    }

    fn is_key(&self, column: ColumnRef) -> bool {
        is_key(self.snapshot, column)
    }

    /// The table that an item most likely talks about: named next to it, else the subject.
    fn table_near(&self, at: usize) -> Option<usize> {
        let named = |at: usize| match self.kind(at) {
            Some(ItemKind::Table(table)) => Some(*table),
            Some(ItemKind::Column(column, _)) => Some(column.table),
            _ => None,
        };
        let next = at + 1 + usize::from(matches!(self.kind(at + 1), Some(ItemKind::Number(_))));
        self.table(next)
            .or_else(|| (0..at).rev().find_map(named))
            .or_else(|| (at + 1..self.items.len()).find_map(named))
            .or(self.clauses.subject)
    }

    /// The column that an adjective compares, and whether it grows with it.
    fn attribute(&self, at: usize, adjective: usize) -> Option<(ColumnRef, bool)> {
        let adjective = lexicon().adjective(adjective);
        // The newest are not those that were born last.
        let of_birth = adjective.speaks_of_birth();
        let home = self.table_near(at);
        let best = self
            .snapshot
            .schema
            .columns()
            // Few are near, and which are is soon known.
            .filter_map(|(at, column)| Some((at, column, self.nearness(at.table, home)?)))
            .filter(|(column, ..)| self.is_measure(*column) && !self.is_key(*column))
            .filter(|(_, column, _)| of_birth || !is_birth(&column.name))
            .filter_map(|(column, _, near)| {
                // Any date tells what is recent, whatever its name says.
                let dated = |words: &[String]| {
                    if words.first().is_some_and(|word| word == "date")
                        && self.column_kind(column).is_temporal()
                    {
                        0.7
                    } else {
                        0.0
                    }
                };
                let rising = self
                    .vocabulary
                    .column_has_word(column, &adjective.rising)
                    .max(dated(&adjective.rising));
                let falling = self
                    .vocabulary
                    .column_has_word(column, &adjective.falling)
                    .max(dated(&adjective.falling));
                let (fit, rises) = if rising >= falling {
                    (rising, true)
                } else {
                    (falling, false)
                };
                (fit > 0.0).then_some((fit + near, column, rises))
            })
            .max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)))?;
        Some((best.1, best.2))
    }

    /// How near a table is to what the question talks about; `None` where it is out of reach.
    fn nearness(&self, table: usize, home: Option<usize>) -> Option<f32> {
        let mentioned = &self.clauses.tables;
        let distance = |from: usize| self.snapshot.joins.distance(from, table);
        match home {
            Some(home) if home == table => Some(2.0),
            _ if mentioned.contains(&table) => Some(1.5),
            Some(home) => match distance(home)? {
                1 => Some(0.4),
                2 => Some(0.0),
                _ => None,
            },
            None => Some(0.0),
        }
    }

    /// The column of dates or years that a bare year or date most likely restricts.
    fn temporal_column(&self, at: usize, wants_date: bool) -> Option<ColumnRef> {
        let home = self.table_near(at);
        self.snapshot
            .schema
            .columns()
            .filter_map(|(column, description)| {
                let is_year = description.name.to_lowercase().contains("year");
                let fit = match description.kind {
                    ColumnKind::Date | ColumnKind::Timestamp => 1.0,
                    _ if is_year && !wants_date => 1.1,
                    _ => return None,
                };
                Some((fit + self.nearness(column.table, home)?, column))
            })
            .filter(|(fit, _)| *fit >= 1.4)
            .max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)))
            .map(|(_, column)| column)
    }
}
