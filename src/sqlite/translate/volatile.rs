//! What gives another value each time it is worked out: `random()`, `nextval()`. PostgreSQL works it out once for each row of
//! the query that selects it, and after the rows are sorted; SQLite wherever a column of that query is named, and before.

use std::rc::Rc;

use sqlparser::ast::{Expr, OrderByExpr, Query, SetExpr};

use super::{
    Result, Translator,
    destination::Destination,
    folded,
    parentheses::peeled,
    query::{names_of, ordered_by, within_parentheses},
    scope::{Scope, ScopeColumn, Typed},
    select::Selected,
    sql::{Named, Sql, listed, sql},
    sql_expr::{SortKey, SqlExpr, column, null},
};
use crate::statement::sqlite_lexer;

/// What stands in an expression or a query. It is noted while that is translated.
#[derive(Debug, Clone, Default)]
pub(super) struct Contents {
    /// A call that may give another value each time.
    pub(super) volatile: bool,
    /// A query.
    pub(super) query: bool,
    /// A function over a window.
    pub(super) window: bool,
    /// An aggregate.
    pub(super) aggregate: bool,
    /// A whole row.
    pub(super) row: bool,
    /// Of an item of a select list that is volatile: the expression.
    pub(super) expression: Option<Rc<Expr>>,
}

/// What a query is ordered by, and the columns that it writes where it inserts.
type Order<'o> = (&'o [OrderByExpr], Option<&'o [Destination]>);

impl Contents {
    /// Those of the name of a column.
    pub(super) fn of_column(volatile: bool) -> Self {
        Self {
            volatile,
            ..Self::default()
        }
    }

    fn add(&mut self, other: &Self) {
        self.volatile |= other.volatile;
        self.query |= other.query;
        self.window |= other.window;
        self.aggregate |= other.aggregate;
        self.row |= other.row;
    }
}

/// Such functions of SQLite's and of ours, for texts that a file keeps: what is translated is told by the signatures.
const KEPT: [&str; 10] = [
    "random",
    "randomblob",
    "pg_random",
    "pg_gen_random_uuid",
    "pg_clock_timestamp",
    "pg_sleep",
    "pg_nextval",
    "pg_setval",
    "pg_currval",
    "pg_lastval",
];

/// True where a text in SQLite's words calls one of them.
pub(crate) fn is_in(sql: &str) -> bool {
    let mut called = "";
    sqlite_lexer::tokens(sql).any(|(_, token)| {
        let name = std::mem::replace(&mut called, token);
        token == "("
            && (KEPT.iter().any(|kept| kept.eq_ignore_ascii_case(name)) || name.contains("advisory_"))
    })
}

/// True for a query whose columns have to be worked out before anybody reads them.
pub(super) fn is_selected(query: &Query, contents: &Contents, columns: &[ScopeColumn]) -> bool {
    let is_plain = matches!(within_parentheses(&query.body), SetExpr::Select(_));
    columns.iter().any(|column| column.is_volatile) || (!is_plain && contents.volatile)
}

impl Translator<'_> {
    /// What is translated, and what stands in it.
    pub(super) fn noting_contents<T>(
        &mut self,
        translate: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(T, Contents)> {
        let outside = std::mem::take(&mut self.contents);
        let translated = translate(self);
        let contents = std::mem::replace(&mut self.contents, outside);
        self.contents.add(&contents);
        Ok((translated?, contents))
    }

    /// A query whose rows SQLite works out before they are read.
    pub(super) fn worked_out(&mut self, query: Sql, columns: &[ScopeColumn]) -> Sql {
        let rows = self.fresh();
        let (rows, names) = (Named(&rows), names_of(columns));
        sql![
            "WITH ",
            rows,
            "(",
            names,
            ") AS MATERIALIZED (",
            query,
            ") SELECT * FROM ",
            rows
        ]
    }

    /// Has the rows of a query in FROM worked out as they are asked for, where all of it that changes is named once: less of
    /// a sequence is drawn then where there is a condition or a limit.
    pub(super) fn draw_as_asked(
        &self,
        selected: &mut Selected,
        columns: &mut [ScopeColumn],
        keys: &[SortKey],
    ) {
        let [scope] = self.scopes.as_slice() else { return };
        let ([relation], Some((worked_out, plain))) = (scope.relations.as_slice(), &scope.worked_out) else {
            return;
        };
        let is_deep = |contents: &Contents| contents.query || contents.window;
        let is_plain = selected.from == *worked_out
            && selected.groups.is_empty()
            && !is_deep(&selected.condition.1)
            && !selected.distinct
            && selected.distinct_on.is_empty()
            && !selected.items.iter().any(|item| is_deep(&item.contents));
        let volatile = relation.columns.iter().filter(|column| column.is_volatile);
        let volatile: Vec<SqlExpr> = volatile.map(|column| relation.column(column).expr).collect();
        let is_named_once = volatile.iter().all(|name| {
            let named = selected.items.iter().map(|item| item.expr.times(name));
            named.sum::<usize>() == 1
                && selected
                    .condition
                    .0
                    .iter()
                    .all(|condition| condition.times(name) == 0)
                && keys.iter().all(|key| key.key.times(name) == 0)
        });
        if is_plain && is_named_once && !volatile.is_empty() {
            selected.from.clone_from(plain);
            for (item, column) in selected.items.iter().zip(columns) {
                column.is_volatile |= volatile.iter().any(|name| item.expr.times(name) > 0);
            }
        }
    }

    /// A query that sorts its rows and works out then what changes each time; `None` where it has nothing of the kind.
    pub(super) fn after_sort(
        &mut self,
        selected: &Selected,
        columns: &[ScopeColumn],
        (keys, top): (&[SortKey], bool),
        (order, targets): Order<'_>,
    ) -> Option<Sql> {
        if keys.is_empty() || selected.distinct || !selected.distinct_on.is_empty() {
            return None;
        }
        let is_late = |(at, item): (usize, &Typed)| {
            let Contents {
                query, window, row, ..
            } = item.contents;
            item.contents.volatile
                && !(query || window || row)
                && !(selected.grouped && item.contents.aggregate)
                && !order
                    .iter()
                    .any(|key| self.means(&key.expr, (at, item), selected.items.len()))
        };
        let late: Vec<bool> = selected.items.iter().enumerate().map(is_late).collect();
        if !late.contains(&true) {
            return None;
        }
        let sorted = self.fresh();
        let (scope, places) = self.sorted_scope(&sorted, columns)?;
        let (mut inner, mut own, mut outer) = (vec![], vec![], vec![]);
        let mut read = vec![];
        for (at, ((item, one), is_late)) in selected.items.iter().zip(columns).zip(late).enumerate() {
            let name = Named(&one.inner);
            let target = targets.and_then(|targets| targets.get(at));
            if let Some(value) = is_late
                .then(|| self.late(item, &scope, target, &mut read))
                .flatten()
            {
                let value = if top { value.shown() } else { value.expr };
                outer.push(sql![value, " AS ", name]);
            } else {
                let value = if top { item.shown() } else { item.expr.clone() };
                inner.push(sql![value, " AS ", name]);
                outer.push(sql![column(&sorted, &one.inner), " AS ", name]);
                own.push(sql![name]);
            }
        }
        if own.len() == columns.len() {
            // None of them can be worked out there.
            return None;
        }
        for (place, value) in places {
            if read.contains(&column(&sorted, &place)) {
                inner.push(sql![value, " AS ", Named(&place)]);
                own.push(sql![Named(&place)]);
            }
        }
        if inner.is_empty() {
            let place = self.fresh_column(columns);
            inner.push(sql![null(), " AS ", Named(&place)]);
            own.push(sql![Named(&place)]);
        }
        let rows = sql!["SELECT ", listed(inner), selected.rest(), ordered_by(keys)];
        let (own, sorted) = (listed(own), Named(&sorted));
        let rows = sql![
            "WITH ",
            sorted,
            "(",
            own,
            ") AS MATERIALIZED (",
            rows,
            ") SELECT * FROM ",
            sorted
        ];
        Some(sql!["SELECT ", listed(outer), " FROM (", rows, ") AS ", sorted])
    }

    /// True for a key that means an item of a list of so many: by its number, by its name or in its words.
    fn means(&self, key: &Expr, (at, item): (usize, &Typed), items: usize) -> bool {
        let key = peeled(key);
        let is_called = match key {
            Expr::Value(value) => {
                matches!(self.ordinal(value, "ORDER BY", items), Ok(Some(place)) if place == at)
            }
            Expr::Identifier(name) => item.name.as_deref() == Some(&folded(name)),
            _ => false,
        };
        is_called
            || item
                .contents
                .expression
                .as_deref()
                .is_some_and(|expression| peeled(expression) == key)
    }

    /// The present scope for what is worked out behind the sort: each column is one of the sorted rows. With it come those
    /// columns, and what they are before.
    fn sorted_scope(
        &mut self,
        sorted: &str,
        columns: &[ScopeColumn],
    ) -> Option<(Scope, Vec<(String, SqlExpr)>)> {
        let mut scope = self.scopes.last()?.clone();
        let mut places = vec![];
        let mut grouped = vec![];
        let mut place = |translator: &mut Self, value: SqlExpr| {
            let place = translator.fresh_column(columns);
            let name = column(sorted, &place);
            if scope.grouped.as_ref().is_some_and(|keys| keys.contains(&value)) {
                grouped.push(name.clone());
            }
            places.push((place, value));
            name
        };
        for relation in &mut scope.relations {
            // The number of a row is not there any more.
            relation.is_table = false;
            for at in 0..relation.columns.len() {
                let value = relation.column(&relation.columns[at]).expr;
                relation.columns[at].computed = Some(place(self, value));
            }
        }
        for (_, merged) in &mut scope.merged {
            merged.expr = place(self, merged.expr.clone());
        }
        if scope.grouped.is_some() {
            scope.grouped = Some(grouped);
        }
        Some((scope, places))
    }

    /// An item as it is worked out behind the sort, and what it reads there; `None` where it cannot be.
    fn late(
        &mut self,
        item: &Typed,
        scope: &Scope,
        target: Option<&Destination>,
        read: &mut Vec<SqlExpr>,
    ) -> Option<Typed> {
        let expression = item.contents.expression.clone()?;
        let present = std::mem::replace(self.scopes.last_mut()?, scope.clone());
        let reads = self.reads.replace(vec![]);
        let value = self.item(&expression).and_then(|value| match target {
            Some(destination) => self.assign_to(value, destination),
            None => self.settled(value),
        });
        let found = std::mem::replace(&mut self.reads, reads).unwrap_or_default();
        if let Some(scope) = self.scopes.last_mut() {
            *scope = present;
        }
        let value = value.ok()?;
        read.extend(found);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::sql_expr::{column, infix, text},
        is_in,
    };

    #[test]
    fn calls_and_names_are_read_by_their_tokens() {
        for (sql, expected) in [
            ("SELECT pg_nextval('s')", true),
            ("SELECT RANDOM ()", true),
            ("SELECT pg_try_advisory_lock(1)", true),
            ("SELECT 'random()', \"random\" FROM t -- random()", false),
        ] {
            assert_eq!(is_in(sql), expected, "{sql}");
        }
        let name = || column("a", "b");
        let sum = infix(infix(name(), "+", name()), "||", text("\"a\".\"b\""));
        assert_eq!(sum.times(&name()), 2);
    }
}
