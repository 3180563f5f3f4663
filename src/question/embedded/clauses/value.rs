//! Stored values: `in France`, `named "Ann"`, `whose status is open`, `containing 'ball'`.

use super::{Comparator, Condition, ItemKind, Operand, Operator, Reader, Right, Target};
use crate::question::{
    embedded::lexicon::lexicon,
    schema::{ColumnRef, ValueHit, words},
};

/// A column and what it is compared with.
struct Choice {
    column: ColumnRef,
    stored: String,
    operator: Comparator,
    /// The item that named the column, if one did.
    named_by: Option<usize>,
}

impl Reader<'_> {
    pub(super) fn values(&mut self) {
        for at in 0..self.items.len() {
            if self.used[at] {
                continue;
            }
            let choice = match self.kind(at) {
                Some(ItemKind::Value { text, hits, quoted }) => {
                    let (text, hits, quoted) = (text.clone(), hits.clone(), *quoted);
                    self.pattern(at, &text)
                        .or_else(|| self.choose(at, &text, &hits, quoted))
                }
                Some(ItemKind::Unknown) => self.unknown_value(at),
                _ => None,
            };
            if let Some(choice) = choice {
                self.take(at, choice);
            }
        }
        if self.clauses.subject.is_none() {
            // `how many women`: what is said of a thing tells what it is.
            self.clauses.subject =
                self.clauses
                    .conditions
                    .iter()
                    .find_map(|condition| match condition.left {
                        Target::Column(column) => Some(column.table),
                        _ => None,
                    });
        }
        self.clauses.both |= (0..self.items.len()).any(|at| self.operator(at) == Some(Operator::Both));
    }

    fn take(&mut self, at: usize, choice: Choice) {
        self.used[at] = true;
        if let Some(named_by) = choice.named_by {
            self.used[named_by] = true;
        }
        let before = at.checked_sub(1).and_then(|before| self.operator(before));
        let second = at.checked_sub(2).and_then(|before| self.operator(before));
        // `Axa or Bupa in Leeds`: of the three only two are a choice.
        let behind_value = at > 0 && matches!(self.kind(at - 1), Some(ItemKind::Value { .. }));
        let alternative =
            matches!(before, Some(Operator::Or)) || !behind_value && matches!(second, Some(Operator::Or));
        self.clauses.conditions.push(Condition {
            position: at,
            left: Target::Column(choice.column),
            operator: choice.operator,
            right: Right::Operand(Operand::Text(choice.stored)),
            negated: false,
            within: false,
            alternative,
        });
    }

    /// `contains`, `starts with`, `ends with` before a text.
    fn pattern(&mut self, at: usize, text: &str) -> Option<Choice> {
        let operator_at = (at.saturating_sub(2)..at).rev().find(|&before| {
            matches!(
                self.operator(before),
                Some(Operator::Contains | Operator::Starts | Operator::Ends)
            )
        })?;
        let escaped = text.replace(['%', '_'], "");
        let pattern = match self.operator(operator_at)? {
            Operator::Starts => format!("{escaped}%"),
            Operator::Ends => format!("%{escaped}"),
            _ => format!("%{escaped}%"),
        };
        let named = (0..self.items.len())
            .filter(|&other| {
                other != at
                    && self
                        .column(other)
                        .is_some_and(|c| self.column_kind(c).is_wording())
            })
            .min_by_key(|&other| if other < at { at - other } else { 2 * (other - at) });
        let named_by = named.filter(|&named| named + 4 >= at);
        let column = match named_by {
            Some(named_by) => self.column(named_by)?,
            None => self.display_column(self.table_near(at)?)?,
        };
        self.used[operator_at] = true;
        // A column that is also asked for stays in the list of what to show.
        let named_by = named_by.filter(|&named| named + 1 == operator_at && self.after_boundary(named));
        Some(Choice {
            column,
            stored: pattern,
            operator: Comparator::Like,
            named_by,
        })
    }

    fn after_boundary(&self, at: usize) -> bool {
        (1..at)
            .rev()
            .take(3)
            .any(|before| matches!(self.kind(before), Some(ItemKind::Operator(Operator::Boundary))))
    }

    /// The column that a value belongs to: named next to it, else where it is stored, nearest first.
    fn choose(&mut self, at: usize, text: &str, hits: &[ValueHit], quoted: bool) -> Option<Choice> {
        if let Some((named_by, column)) = self.named_column(at, hits) {
            let stored = hits
                .iter()
                .find(|hit| hit.column == column)
                .map(|hit| hit.stored.to_string());
            let exact = stored.clone().or_else(|| self.near_value(column, text));
            if let Some(stored) = exact {
                return Some(Choice {
                    column,
                    stored,
                    operator: Comparator::Equal,
                    named_by,
                });
            }
            if hits.is_empty() && quoted {
                let stored = text.to_owned();
                return Some(Choice {
                    column,
                    stored,
                    operator: Comparator::Equal,
                    named_by,
                });
            }
        }
        let home = self.table_near(at);
        let best = hits
            .iter()
            .filter_map(|hit| Some((self.place_score(at, hit, text, home)?, hit)))
            .max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.column.cmp(&one.1.column)));
        if let Some((_, hit)) = best {
            return Some(Choice {
                column: hit.column,
                stored: hit.stored.to_string(),
                operator: Comparator::Equal,
                named_by: None,
            });
        }
        let index_is_done = self.snapshot.values.progress().is_done();
        if quoted && hits.is_empty() {
            let nearest = self.snapshot.values.nearest(&words::text_words(text), 0.93);
            let near = nearest
                .into_iter()
                .filter_map(|hit| Some((self.place_score(at, &hit, text, home)?, hit)));
            if let Some((_, hit)) = near.max_by(|one, other| one.0.total_cmp(&other.0)) {
                self.clauses
                    .guesses
                    .push(format!("'{text}' is taken for '{}'", hit.stored));
                let stored = hit.stored.to_string();
                return Some(Choice {
                    column: hit.column,
                    stored,
                    operator: Comparator::Equal,
                    named_by: None,
                });
            }
            let column = self.display_column(home?)?;
            self.clauses
                .guesses
                .push(format!("'{text}' is not stored anywhere that was indexed"));
            let stored = text.to_owned();
            return (!index_is_done || !text.is_empty()).then_some(Choice {
                column,
                stored,
                operator: Comparator::Equal,
                named_by: None,
            });
        }
        None
    }

    /// The column named right before the value (`country is`) or right after it (`the Boston office city`).
    fn named_column(&self, at: usize, hits: &[ValueHit]) -> Option<(Option<usize>, ColumnRef)> {
        let mut before = at;
        while let Some(previous) = before.checked_sub(1) {
            before = previous;
            match self.kind(previous)? {
                ItemKind::Operator(
                    Operator::Is
                    | Operator::Not
                    | Operator::Equal
                    | Operator::Either
                    | Operator::Both
                    | Operator::Of,
                )
                | ItemKind::Mark(':' | '=') => {}
                ItemKind::Column(column, others) => {
                    let stated = std::iter::once(column).chain(others);
                    let holds = stated.copied().find(|c| hits.iter().any(|hit| hit.column == *c));
                    let linked = self.says_equal(previous, at);
                    if let Some(column) = holds {
                        // `the city of Prague`: only where nothing else is asked for, the city itself is.
                        let asks_else = (0..previous).any(|before| {
                            matches!(
                                self.kind(before),
                                Some(
                                    ItemKind::Column(..)
                                        | ItemKind::Table(_)
                                        | ItemKind::Operator(Operator::Count)
                                )
                            )
                        });
                        let kept = !linked
                            && !asks_else
                            && !self.used[previous]
                            && !self.after_boundary_or_close(previous, at);
                        return Some((if kept { None } else { Some(previous) }, column));
                    }
                    return (linked && hits.is_empty()).then_some((Some(previous), *column));
                }
                _ => break,
            }
        }
        // In a list of values, all belong to the column of the first.
        if matches!(
            self.kind(at.checked_sub(1)?),
            Some(ItemKind::Operator(Operator::Or | Operator::And) | ItemKind::Mark(','))
        ) && let Some(last) = self
            .clauses
            .conditions
            .iter()
            .rev()
            .find(|condition| condition.position < at)
            && let Target::Column(column) = last.left
            && at - last.position <= 3
            && (hits.is_empty() || hits.iter().any(|hit| hit.column == column))
        {
            return Some((None, column));
        }
        if let Some(ItemKind::Column(column, others)) = self.kind(at + 1)
            && !self.used[at + 1]
        {
            let holds = std::iter::once(column)
                .chain(others)
                .copied()
                .find(|c| hits.iter().any(|hit| hit.column == *c))?;
            return Some((Some(at + 1), holds));
        }
        None
    }

    /// `country is France`, `country = France`, `country 'France'`.
    fn says_equal(&self, named: usize, at: usize) -> bool {
        named + 1 == at
            || (named + 1..at).any(|between| {
                matches!(
                    self.kind(between),
                    Some(
                        ItemKind::Operator(Operator::Is | Operator::Equal | Operator::Not)
                            | ItemKind::Mark(':' | '=')
                    )
                )
            })
    }

    fn after_boundary_or_close(&self, named: usize, at: usize) -> bool {
        self.after_boundary(named)
            || (named + 1 == at && self.items[named].span.end == self.items[at].span.start)
    }

    /// How likely a place is meant; `None` where no keys lead there.
    fn place_score(&self, at: usize, hit: &ValueHit, text: &str, home: Option<usize>) -> Option<f32> {
        let near = match self.nearness(hit.column.table, home) {
            Some(near) => near,
            None if self.clauses.tables.is_empty() => 0.0,
            None => {
                let distance = self
                    .clauses
                    .tables
                    .iter()
                    .filter_map(|&table| self.snapshot.joins.distance(table, hit.column.table))
                    .min()?;
                -0.5 * distance as f32
            }
        };
        let spelled = if *hit.stored == *text { 0.6 } else { 0.0 };
        let column = self.snapshot.schema.column(hit.column);
        let name = column.name.to_lowercase();
        let named = if name.contains("name") || name.contains("title") {
            0.3
        } else {
            0.0
        };
        let adjacent = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().any(
            |next| matches!(self.kind(next), Some(ItemKind::Table(table)) if *table == hit.column.table),
        );
        let key = if self.is_key(hit.column) { -0.2 } else { 0.0 };
        let part_of_name = if self.completes_name(at, hit) { 2.5 } else { 0.0 };
        Some(near + spelled + named + key + part_of_name + if adjacent { 0.8 } else { 0.0 })
    }

    /// `Ann Smith`: first and last name stand side by side and belong to one table.
    fn completes_name(&self, at: usize, hit: &ValueHit) -> bool {
        let touches = |other: usize| {
            let (one, other) = (&self.items[at.min(other)].span, &self.items[at.max(other)].span);
            one.end == other.start
        };
        let before = at.checked_sub(1).filter(|&before| touches(before)).is_some_and(|before| {
            self.clauses.conditions.iter().any(|condition| {
                condition.position == before
                    && matches!(condition.left, Target::Column(c) if c.table == hit.column.table && c != hit.column)
            })
        });
        let after = self.items.get(at + 1).is_some_and(|next| match &next.kind {
            ItemKind::Value { hits, .. } => {
                touches(at + 1)
                    && hits
                        .iter()
                        .any(|next| next.column.table == hit.column.table && next.column != hit.column)
            }
            _ => false,
        });
        before || after
    }

    /// A stored value of one column that is nearly the text.
    fn near_value(&self, column: ColumnRef, text: &str) -> Option<String> {
        let folded = text.to_lowercase();
        self.snapshot
            .values
            .values_of(column)
            .iter()
            .map(|stored| (strsim::jaro_winkler(&stored.to_lowercase(), &folded), stored))
            .filter(|(similarity, _)| *similarity > 0.93)
            .max_by(|one, other| one.0.total_cmp(&other.0))
            .map(|(_, stored)| stored.to_string())
    }

    /// A word that stands for a code (`female`), or a capitalised word after a column that could hold it.
    fn unknown_value(&mut self, at: usize) -> Option<Choice> {
        let word = self.words(at);
        if let Some(code) = lexicon()
            .code(&word)
            .or_else(|| lexicon().code(word.trim_end_matches('s')))
            .or_else(|| lexicon().code(&self.tokens[self.items[at].span.start].stem))
        {
            let home = self.table_near(at);
            let found = self
                .snapshot
                .schema
                .columns()
                .filter(|(column, _)| self.vocabulary.column_has_word(*column, &code.columns) > 0.0)
                .filter_map(|(column, _)| {
                    let values = self.snapshot.values.values_of(column);
                    let stored = code
                        .codes
                        .iter()
                        .find_map(|code| values.iter().find(|value| value.eq_ignore_ascii_case(code)))?;
                    Some((self.nearness(column.table, home)?, column, stored.to_string()))
                })
                .max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
            if let Some((_, column, stored)) = found {
                let named_by = [at.checked_sub(1), Some(at + 1), at.checked_sub(2)]
                    .into_iter()
                    .flatten()
                    .find(|&next| self.column(next) == Some(column));
                return Some(Choice {
                    column,
                    stored,
                    operator: Comparator::Equal,
                    named_by,
                });
            }
        }
        let token = &self.tokens[self.items[at].span.start];
        let misspelt = token.capital && self.items[at].span.start > 0 && token.word.chars().count() >= 5;
        if misspelt {
            let home = self.table_near(at);
            let hits = self
                .snapshot
                .values
                .nearest(std::slice::from_ref(&token.word), 0.93);
            let best = hits
                .into_iter()
                .filter_map(|hit| Some((self.place_score(at, &hit, &token.text, home)?, hit)))
                .max_by(|one, other| one.0.total_cmp(&other.0));
            if let Some((_, hit)) = best {
                self.clauses
                    .guesses
                    .push(format!("'{}' is taken for '{}'", token.text, hit.stored));
                let stored = hit.stored.to_string();
                return Some(Choice {
                    column: hit.column,
                    stored,
                    operator: Comparator::Equal,
                    named_by: None,
                });
            }
        }
        None
    }
}
