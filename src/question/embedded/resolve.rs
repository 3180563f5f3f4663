//! One meaning for every mention, chosen by what stands around it.

use std::ops::Range;

use super::{
    lexicon::{Degree, Operator, lexicon},
    linking::{Candidates, Meaning, Mention},
    planning::display_columns,
    question::{Token, TokenKind},
};
use crate::question::schema::{ColumnKind, ColumnRef, Snapshot, ValueHit};

/// A mention with one meaning.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    /// The tokens.
    pub(crate) span: Range<usize>,
    /// What it means.
    pub(crate) kind: ItemKind,
    /// How sure that is, 0 to 1.
    pub(crate) certainty: f32,
}

/// What an item means.
#[derive(Debug, Clone)]
pub(crate) enum ItemKind {
    Operator(Operator),
    Adjective {
        index: usize,
        degree: Degree,
    },
    /// The column, and the other columns that the words would also fit, best first.
    Column(ColumnRef, Vec<ColumnRef>),
    Table(usize),
    /// A value, with the places where it is stored; without any, it is only text.
    Value {
        text: String,
        hits: Vec<ValueHit>,
        quoted: bool,
    },
    Number(String),
    Date(String),
    Parameter(usize),
    Mark(char),
    Possessive,
    Unknown,
}

/// Chooses a meaning for every mention.
pub(crate) fn resolve(mentions: &[Mention], tokens: &[Token], snapshot: &Snapshot) -> Vec<Item> {
    let mut resolver = Resolver {
        mentions,
        tokens,
        snapshot,
        tables: Vec::new(),
    };
    resolver.tables = resolver.mentioned_tables();
    let mut items: Vec<Item> = Vec::with_capacity(mentions.len());
    let mut previous = None;
    for at in 0..mentions.len() {
        let item = resolver.item(at, previous);
        if let ItemKind::Column(column, _) = item.kind {
            previous = Some(column.table);
        }
        items.push(item);
    }
    items
}

struct Resolver<'a> {
    mentions: &'a [Mention],
    tokens: &'a [Token],
    snapshot: &'a Snapshot,
    /// Tables that the question names outright.
    tables: Vec<usize>,
}

impl Resolver<'_> {
    fn mentioned_tables(&self) -> Vec<usize> {
        let mut tables = Vec::new();
        for mention in self.mentions {
            if let Meaning::Named(candidates) = &mention.meaning
                && !self.is_value(mention, candidates)
            {
                let column = best_score(&candidates.columns);
                for &(table, score) in &candidates.tables {
                    if score >= 0.75
                        && score + 0.01 >= best_score(&candidates.tables)
                        && score + 0.1 >= column
                        && !tables.contains(&table)
                    {
                        tables.push(table);
                    }
                }
            }
        }
        tables
    }

    fn item(&self, at: usize, previous: Option<usize>) -> Item {
        let mention = &self.mentions[at];
        let (kind, certainty) = match &mention.meaning {
            Meaning::Operator(operator) => (ItemKind::Operator(*operator), 1.0),
            Meaning::Adjective { index, degree } => (
                ItemKind::Adjective {
                    index: *index,
                    degree: *degree,
                },
                1.0,
            ),
            Meaning::Number(number) => (ItemKind::Number(number.clone()), 1.0),
            Meaning::Date(date) => (ItemKind::Date(date.clone()), 1.0),
            Meaning::Parameter(number) => (ItemKind::Parameter(*number), 1.0),
            Meaning::Mark(mark) => (ItemKind::Mark(*mark), 1.0),
            Meaning::Possessive => (ItemKind::Possessive, 1.0),
            Meaning::Unknown => (ItemKind::Unknown, 0.0),
            Meaning::Quoted { text, hits } => {
                let certainty = if hits.is_empty() { 0.7 } else { 1.0 };
                (
                    ItemKind::Value {
                        text: text.clone(),
                        hits: hits.clone(),
                        quoted: true,
                    },
                    certainty,
                )
            }
            Meaning::Named(candidates) => self.named(at, mention, candidates, previous),
        };
        Item {
            span: mention.span.clone(),
            kind,
            certainty,
        }
    }

    fn named(
        &self,
        at: usize,
        mention: &Mention,
        candidates: &Candidates,
        previous: Option<usize>,
    ) -> (ItemKind, f32) {
        if self.is_value(mention, candidates) {
            let text: Vec<&str> = self.tokens[mention.span.clone()]
                .iter()
                .map(|token| token.text.as_str())
                .collect();
            let value = ItemKind::Value {
                text: text.join(" "),
                hits: candidates.values.clone(),
                quoted: false,
            };
            return (value, 1.0);
        }
        let mut columns: Vec<(ColumnRef, f32)> = candidates
            .columns
            .iter()
            .filter(|(column, _)| self.in_reach(column.table))
            .map(|&(column, score)| (column, self.column_score(at, column, score, previous)))
            .collect();
        columns.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        if let Some(operator) = self.aggregate_word(at) {
            return (ItemKind::Operator(operator), 1.0);
        }
        // The `name` of a thing is what shows a person which one it is, whatever its column is called.
        if let Some(owner) = self.owner(at)
            && self.says_name(mention)
            && let Some(&shown) = display_columns(self.snapshot, owner).first()
            && self.snapshot.schema.column(shown).kind == ColumnKind::Text
            && columns
                .first()
                .is_none_or(|(column, _)| column.table != owner || *column != shown)
        {
            let best = columns.first().map_or(0.0, |(_, score)| *score);
            columns.retain(|(column, _)| *column != shown);
            columns.insert(0, (shown, best + 1.5));
        }
        let certainty = |columns: &[(ColumnRef, f32)], best, candidates: &Candidates| match columns.first() {
            // `name` of someone with a first and a last name.
            Some((column, _)) if self.is_bare_name(mention, *column) => 0.95,
            _ => certainty(columns, best, candidates),
        };
        let table = self.best_table(candidates);
        match (table, columns.first()) {
            (Some((table, score)), Some(&(column, column_score))) => {
                if self.prefers_table(at, (table, score), column, lexical(candidates, column)) {
                    (ItemKind::Table(table), score)
                } else {
                    (
                        ItemKind::Column(column, others(&columns)),
                        certainty(&columns, column_score, candidates),
                    )
                }
            }
            (Some((table, score)), None) => (ItemKind::Table(table), score),
            (None, Some(&(column, score))) => (
                ItemKind::Column(column, others(&columns)),
                certainty(&columns, score, candidates),
            ),
            (None, None) => (ItemKind::Unknown, 0.0),
        }
    }

    /// True for a table that keys connect to one that the question names.
    fn in_reach(&self, table: usize) -> bool {
        self.tables.is_empty()
            || self
                .tables
                .iter()
                .any(|&named| self.snapshot.joins.distance(named, table).is_some())
    }

    /// `total orders` where there is also a column `total`: right before another name it is the sum.
    fn aggregate_word(&self, at: usize) -> Option<Operator> {
        let mention = &self.mentions[at];
        let [token] = &self.tokens[mention.span.clone()] else {
            return None;
        };
        let operator = lexicon().operator(&token.word)?;
        let sums = matches!(
            operator,
            Operator::Sum | Operator::Average | Operator::Maximum | Operator::Minimum
        );
        let next = self.mentions.get(at + 1)?;
        let names = matches!(&next.meaning, Meaning::Named(candidates) if !self.is_value(next, candidates));
        (sums && names && next.span.start == mention.span.end).then_some(operator)
    }

    /// `name`, `full names`.
    fn says_name(&self, mention: &Mention) -> bool {
        match &self.tokens[mention.span.clone()] {
            [name] => name.stem == "name",
            [full, name] => full.word == "full" && name.stem == "name",
            _ => false,
        }
    }

    fn is_bare_name(&self, mention: &Mention, column: ColumnRef) -> bool {
        self.says_name(mention) && display_columns(self.snapshot, column.table).contains(&column)
    }

    fn best_table(&self, candidates: &Candidates) -> Option<(usize, f32)> {
        // Of equally named tables, the one with the most keys to the others that are mentioned.
        candidates.tables.iter().copied().max_by(|one, other| {
            let near = |table: usize| {
                self.tables
                    .iter()
                    .filter(|&&t| t != table && self.snapshot.joins.distance(t, table) == Some(1))
                    .count()
            };
            one.1
                .total_cmp(&other.1)
                .then(near(one.0).cmp(&near(other.0)))
                .then(other.0.cmp(&one.0))
        })
    }

    /// A name that is also a stored value: the value, where it is spelled as one or fits better.
    fn is_value(&self, mention: &Mention, candidates: &Candidates) -> bool {
        if candidates.values.is_empty() {
            return false;
        }
        let lexical = best_score(&candidates.tables).max(best_score(&candidates.columns));
        let first = &self.tokens[mention.span.start];
        let capital = first.capital && mention.span.start > 0;
        let numeric = matches!(first.kind, TokenKind::Number(_));
        lexical < 0.75 || (capital && !numeric && lexical < 1.01 && !self.title_case())
    }

    /// True where most words begin with a capital, so that capitals say nothing.
    fn title_case(&self) -> bool {
        let words = self
            .tokens
            .iter()
            .filter(|token| matches!(token.kind, TokenKind::Word(_)));
        let (capitals, all) = words.fold((0, 0), |(c, n), token| (c + usize::from(token.capital), n + 1));
        capitals * 2 > all
    }

    fn prefers_table(&self, at: usize, table: (usize, f32), column: ColumnRef, column_lexical: f32) -> bool {
        if column.table == table.0 && table.1 + 0.02 >= column_lexical {
            // `country` of the table `country`: as an item of a list after the table it is the column.
            return column_lexical < 0.99 || !self.follows_own_table(at, table.0);
        }
        let refers =
            self.snapshot.schema.foreign_keys.iter().any(|key| {
                key.from.contains(&column) && key.to.first().is_some_and(|to| to.table == table.0)
            });
        if refers {
            // `department` with a column `department_id`: the thing, not the number of it.
            return column_lexical < 0.99 || table.1 >= 0.99;
        }
        if table.1 + 0.02 < column_lexical {
            return false;
        }
        let elsewhere = self
            .tables
            .iter()
            .any(|&mentioned| mentioned == column.table && mentioned != table.0);
        !(elsewhere && column_lexical + 0.05 >= table.1)
    }

    fn follows_own_table(&self, at: usize, table: usize) -> bool {
        self.owner(at) == Some(table)
    }

    /// The table that the words around a mention say it belongs to: `name of the T`, `T name`, `T's name`.
    fn owner(&self, at: usize) -> Option<usize> {
        let table_at = |index: usize| {
            let mention = self.mentions.get(index)?;
            let Meaning::Named(candidates) = &mention.meaning else {
                return None;
            };
            if self.is_value(mention, candidates) {
                return None;
            }
            candidates
                .tables
                .iter()
                .filter(|(_, score)| *score >= 0.7 && *score + 0.1 >= best_score(&candidates.columns))
                .max_by(|one, other| one.1.total_cmp(&other.1))
                .map(|(table, _)| *table)
        };
        let before = at.checked_sub(1);
        if let Some(before) = before {
            if matches!(self.mentions[before].meaning, Meaning::Possessive) {
                return before.checked_sub(1).and_then(table_at);
            }
            let adjacent = self.mentions[before].span.end == self.mentions[at].span.start;
            if adjacent && let Some(table) = table_at(before) {
                return Some(table);
            }
        }
        let mut next = at + 1;
        while let Some(mention) = self.mentions.get(next) {
            match &mention.meaning {
                Meaning::Operator(Operator::Of | Operator::Group) => {
                    let distinct = matches!(
                        self.mentions.get(next + 1).map(|mention| &mention.meaning),
                        Some(Meaning::Operator(Operator::Distinct))
                    );
                    return table_at(next + 1 + usize::from(distinct));
                }
                Meaning::Mark(',')
                | Meaning::Operator(
                    Operator::And
                    | Operator::Average
                    | Operator::Maximum
                    | Operator::Minimum
                    | Operator::Sum
                    | Operator::Count
                    | Operator::Distinct,
                ) => {}
                Meaning::Named(candidates)
                    if best_score(&candidates.columns) >= best_score(&candidates.tables)
                        && !candidates.columns.is_empty() => {}
                _ => return None,
            }
            next += 1;
        }
        None
    }

    fn column_score(&self, at: usize, column: ColumnRef, lexical: f32, previous: Option<usize>) -> f32 {
        let joins = &self.snapshot.joins;
        let mut score = lexical * 6.0;
        if let Some(owner) = self.owner(at) {
            score += match joins.distance(owner, column.table) {
                Some(0) => 3.0,
                Some(1) => 1.0,
                Some(_) => -1.0,
                None => -2.0,
            };
        }
        if !self.tables.is_empty() {
            let nearest = self
                .tables
                .iter()
                .filter_map(|&table| joins.distance(table, column.table))
                .min();
            score += match nearest {
                Some(0) => 1.5,
                Some(steps) => 0.5 - 0.8 * steps as f32,
                None => -3.0,
            };
        }
        if previous == Some(column.table) {
            score += 0.6;
        }
        let schema = &self.snapshot.schema;
        let kind = schema.column(column).kind;
        let before = at.checked_sub(1).map(|before| &self.mentions[before].meaning);
        if let Some(Meaning::Operator(Operator::Average | Operator::Sum)) = before {
            score += if kind.is_numeric() && !is_key(self.snapshot, column) {
                1.0
            } else {
                -2.0
            };
        }
        if let Some(Meaning::Operator(
            Operator::Greater | Operator::Less | Operator::AtLeast | Operator::AtMost | Operator::Between,
        )) = self.mentions.get(at + 1).map(|next| &next.meaning)
        {
            score += if kind.is_numeric() || kind.is_temporal() {
                0.8
            } else {
                -0.4
            };
        }
        if schema.tables[column.table].is_view {
            score -= 1.0;
        }
        // A key's own table is where the key is at home.
        if schema.foreign_keys.iter().any(|key| key.from.contains(&column)) && self.owner(at).is_none() {
            score -= 0.2;
        }
        score
    }
}

/// True for columns that identify rows and that nobody adds up.
pub(crate) fn is_key(snapshot: &Snapshot, column: ColumnRef) -> bool {
    let schema = &snapshot.schema;
    schema.tables[column.table].primary_key == [column.column]
        || schema.foreign_keys.iter().any(|key| key.from.contains(&column))
}

fn best_score<T>(scored: &[(T, f32)]) -> f32 {
    scored.iter().map(|(_, score)| *score).fold(0.0, f32::max)
}

fn lexical(candidates: &Candidates, column: ColumnRef) -> f32 {
    candidates
        .columns
        .iter()
        .find(|(candidate, _)| *candidate == column)
        .map_or(0.0, |(_, score)| *score)
}

fn others(columns: &[(ColumnRef, f32)]) -> Vec<ColumnRef> {
    columns.iter().skip(1).map(|(column, _)| *column).collect()
}

/// Sure where the words fit and the next best choice is far behind.
fn certainty(columns: &[(ColumnRef, f32)], best: f32, candidates: &Candidates) -> f32 {
    let margin = columns
        .get(1)
        .map_or(1.0, |(_, next)| ((best - next) / 1.5).clamp(0.0, 1.0));
    let fit = columns
        .first()
        .map_or(0.0, |(column, _)| lexical(candidates, *column));
    // Half a name is enough where nothing else has that half.
    fit.sqrt() * (0.75 + 0.25 * margin)
}
