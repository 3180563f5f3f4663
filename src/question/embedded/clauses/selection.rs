//! What the question asks to see: everything in its head that no other rule took.

use super::{ColumnKind, ColumnRef, Function, ItemKind, Operator, Reader, Target};
use crate::question::{embedded::planning::display_columns, schema::words};

impl Reader<'_> {
    pub(super) fn selection(&mut self) {
        let Some(start) = self.head_start() else { return };
        let end = self.head_end(start);
        let mut functions: Vec<Function> = Vec::new();
        let mut counting: Option<usize> = None;
        let mut distinct = false;
        let mut heads: Vec<usize> = Vec::new();
        let mut last_function: Vec<Function> = Vec::new();
        for at in start..end {
            match self.kind(at) {
                Some(ItemKind::Operator(operator)) if !self.used[at] => match operator {
                    Operator::Count => counting = Some(at),
                    Operator::Average => functions.push(Function::Average),
                    Operator::Sum => functions.push(Function::Sum),
                    Operator::Maximum | Operator::Highest => functions.push(Function::Maximum),
                    Operator::Minimum | Operator::Lowest => functions.push(Function::Minimum),
                    Operator::Distinct => distinct = true,
                    _ => continue,
                },
                Some(ItemKind::Column(column, _)) if !self.used[at] => {
                    let column = *column;
                    self.used[at] = true;
                    if let Some(count_at) = counting.take() {
                        self.used[count_at] = true;
                        let target = if self.words(count_at) == "total number of" && self.adds_up(column) {
                            Target::Aggregate {
                                function: Function::Sum,
                                distinct: false,
                                column,
                            }
                        } else if !distinct
                            && matches!(self.words(count_at).as_str(), "number of" | "the number of")
                            && self.adds_up(column)
                        {
                            // `the number of platforms` where that is what is stored.
                            Target::Column(column)
                        } else {
                            self.count_of_column(column, distinct)
                        };
                        self.clauses.select.push(target);
                        distinct = false;
                        continue;
                    }
                    if functions.is_empty()
                        && self.goes_on(at)
                        && !last_function.is_empty()
                        && self.clauses.group.is_empty()
                    {
                        functions.clone_from(&last_function);
                    }
                    last_function.clone_from(&functions);
                    if functions.is_empty() {
                        self.select_column(at, column);
                    }
                    if functions
                        .iter()
                        .any(|function| matches!(function, Function::Sum | Function::Average))
                        && !self.is_measure(column)
                    {
                        self.clauses.unexplained.extend(self.items[at].span.clone());
                    }
                    for function in functions.drain(..) {
                        self.clauses.select.push(Target::Aggregate {
                            function,
                            distinct: false,
                            column,
                        });
                    }
                    self.clauses.distinct |= std::mem::take(&mut distinct);
                }
                Some(ItemKind::Table(table)) => {
                    let table = *table;
                    // `total orders` is how many there are.
                    let total = functions == [Function::Sum];
                    if total {
                        functions.clear();
                        // `the total of the payments` is their amount.
                        if let Some(column) = self.summed_up(at, table) {
                            self.clauses.select.push(Target::Aggregate {
                                function: Function::Sum,
                                distinct: false,
                                column,
                            });
                            continue;
                        }
                    }
                    if counting.is_some() || total {
                        if let Some(count_at) = counting.take() {
                            self.used[count_at] = true;
                        }
                        distinct = false;
                        self.clauses.select.push(Target::CountRows(table));
                    } else {
                        self.clauses.distinct |= std::mem::take(&mut distinct);
                        if !matches!(
                            at.checked_sub(1).and_then(|b| self.kind(b)),
                            Some(ItemKind::Operator(Operator::Of | Operator::Group))
                        ) {
                            heads.push(table);
                        }
                    }
                }
                _ => continue,
            }
            if matches!(self.kind(at), Some(ItemKind::Operator(_))) {
                self.used[at] = true;
            }
        }
        if let Some(count_at) = counting {
            self.used[count_at] = true;
            if let Some(subject) = self.clauses.subject {
                self.clauses.select.push(Target::CountRows(subject));
            }
        }
        if !functions.is_empty() {
            self.unexplained_functions(start, end);
        }
        if self.clauses.select.is_empty()
            && let Some(table) = heads.first().copied().or(self.clauses.subject)
        {
            self.clauses.select.push(Target::Table(table));
        }
    }

    fn adds_up(&self, column: ColumnRef) -> bool {
        self.column_kind(column).is_numeric() && !self.is_key(column)
    }

    /// The amounts that `total of T` adds up, where T has them.
    fn summed_up(&self, at: usize, table: usize) -> Option<ColumnRef> {
        let opens = (0..at)
            .rev()
            .find(|&before| matches!(self.kind(before), Some(ItemKind::Operator(Operator::Sum))))?;
        let says_of = self.tokens[self.items[opens].span.start..self.items[at].span.start]
            .iter()
            .any(|token| token.word == "of");
        let wanted: Vec<String> = ["total", "amount", "sum", "value"].map(str::to_owned).into();
        let columns = 0..self.snapshot.schema.tables[table].columns.len();
        let best = columns
            .map(|column| ColumnRef { table, column })
            .filter(|column| self.adds_up(*column))
            .map(|column| (self.vocabulary.column_has_word(column, &wanted), column))
            .filter(|(fit, _)| says_of && *fit > 0.0)
            .max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
        best.map(|(_, column)| column)
    }

    /// True for `manager` where the column `manager_id` refers to another row of the same table.
    fn names_another_row(&self, at: usize, column: ColumnRef) -> bool {
        let own_key = self
            .snapshot
            .schema
            .foreign_keys
            .iter()
            .any(|key| key.from == [column] && key.to.first().is_some_and(|to| to.table == column.table));
        let says_key = self.tokens[self.items[at].span.clone()].iter().any(|token| {
            matches!(
                token.stem.as_str(),
                "id" | "code" | "number" | "key" | "no" | "identifi"
            )
        });
        own_key && !says_key
    }

    /// `how many are there in total`: a count is a total already.
    pub(super) fn totals_of_counts(&mut self) {
        let counts = (0..self.items.len()).any(|at| self.operator(at) == Some(Operator::Count));
        for at in 0..self.items.len() {
            let total = matches!(self.words(at).as_str(), "in total" | "altogether" | "overall");
            if counts && total && self.operator(at) == Some(Operator::Sum) {
                self.used[at] = true;
            }
        }
    }

    /// `Which authors wrote it? Return their last names.`: what a second sentence asks to see.
    pub(super) fn second_request(&mut self) {
        let asks = |word: &str| {
            matches!(
                word,
                "return" | "give" | "list" | "show" | "tell" | "display" | "report" | "find"
            )
        };
        let start = self
            .tokens
            .iter()
            .enumerate()
            .skip(3)
            .find(|(_, token)| token.capital && asks(&token.word))
            .map(|(at, _)| at);
        let Some(start) = start else { return };
        let wanted: Vec<(usize, ColumnRef)> = (0..self.items.len())
            .filter(|&at| self.items[at].span.start > start)
            .filter_map(|at| Some((at, self.column(at)?)))
            .collect();
        if wanted.is_empty() {
            return;
        }
        if matches!(self.clauses.select[..], [Target::Table(_)]) {
            self.clauses.select.clear();
        }
        for (at, column) in wanted {
            self.used[at] = true;
            self.select_column(at, column);
        }
    }

    /// Shows a column; a bare `name` of someone with a first and a last name shows both.
    fn select_column(&mut self, at: usize, column: ColumnRef) {
        let counted = self
            .clauses
            .select
            .iter()
            .any(|target| matches!(target, Target::CountRows(_)));
        if counted && matches!(self.words(at).as_str(), "number" | "numbers" | "count" | "counts") {
            // `List the id and the number.`: the one that is counted already.
            return;
        }
        if self.names_another_row(at, column) {
            self.clauses.unsupported = Some("a row of a table beside another row of the same table");
        }
        let parts = display_columns(self.snapshot, column.table);
        if parts.len() > 1
            && parts.contains(&column)
            && matches!(
                self.words(at).as_str(),
                "name" | "names" | "full name" | "full names"
            )
        {
            self.clauses.select.extend(parts.into_iter().map(Target::Column));
        } else {
            self.clauses.select.push(Target::Column(column));
        }
    }

    /// The first item that is something to show.
    fn head_start(&self) -> Option<usize> {
        let opens = |at: &usize| match self.kind(*at) {
            Some(ItemKind::Table(_)) => !self.is_group_target(*at),
            Some(
                ItemKind::Column(..)
                | ItemKind::Operator(
                    Operator::Count
                    | Operator::Average
                    | Operator::Sum
                    | Operator::Maximum
                    | Operator::Minimum
                    | Operator::Distinct,
                ),
            ) => !self.used[*at],
            _ => false,
        };
        (0..self.items.len()).find(opens)
    }

    fn is_group_target(&self, at: usize) -> bool {
        at.checked_sub(1)
            .is_some_and(|before| matches!(self.kind(before), Some(ItemKind::Operator(Operator::Group))))
    }

    /// Where the head ends: at the first relative clause, order or negation behind it.
    fn head_end(&self, start: usize) -> usize {
        (start + 1..self.items.len())
            .find(|&at| match self.kind(at) {
                Some(ItemKind::Operator(Operator::Boundary)) => {
                    !matches!(
                        self.kind(at - 1),
                        Some(ItemKind::Operator(Operator::And) | ItemKind::Mark(','))
                    ) || matches!(self.words(at).as_str(), "whose" | "that" | "who" | "where")
                }
                Some(ItemKind::Operator(Operator::Order | Operator::Without)) => true,
                _ => false,
            })
            .unwrap_or(self.items.len())
    }

    /// A column that continues a list: `the average age and weight`.
    fn goes_on(&self, at: usize) -> bool {
        let joined = at.checked_sub(1).is_some_and(|before| {
            matches!(
                self.kind(before),
                Some(ItemKind::Operator(Operator::And) | ItemKind::Mark(','))
            )
        });
        let column_before = at
            .checked_sub(2)
            .is_some_and(|before| matches!(self.kind(before), Some(ItemKind::Column(..))));
        joined && column_before
    }

    /// `how many countries`: different ones; `how many berths`: as many as all rows have together.
    fn count_of_column(&mut self, column: ColumnRef, distinct: bool) -> Target {
        let schema = &self.snapshot.schema;
        // `how many drills were done`: rows of which that is so, and not those that say whether it is.
        if self.column_kind(column) == ColumnKind::Boolean && !distinct {
            self.clauses.unsupported = Some("a count of what a flag is true of");
        }
        let unique =
            schema.column(column).unique || schema.tables[column.table].primary_key == [column.column];
        let kind = self.column_kind(column);
        if unique && !distinct {
            return Target::CountRows(column.table);
        }
        let name = words::identifier_words(&schema.column(column).name);
        let counts = kind == ColumnKind::Integer && name.last().is_some_and(|last| words::is_plural(last));
        let adds = counts && !distinct && !self.is_key(column);
        let distinct = distinct || kind.is_wording() || self.is_key(column);
        Target::Aggregate {
            function: if adds { Function::Sum } else { Function::Count },
            distinct,
            column,
        }
    }

    fn unexplained_functions(&mut self, start: usize, end: usize) {
        for at in start..end {
            if matches!(
                self.kind(at),
                Some(ItemKind::Operator(
                    Operator::Average
                        | Operator::Sum
                        | Operator::Maximum
                        | Operator::Minimum
                        | Operator::Highest
                        | Operator::Lowest
                ))
            ) {
                self.clauses.unexplained.extend(self.items[at].span.clone());
            }
        }
    }

    /// The column that shows what a row of a table is: its name, its title, else its key.
    pub(super) fn display_column(&self, table: usize) -> Option<ColumnRef> {
        display_columns(self.snapshot, table).first().copied()
    }
}
