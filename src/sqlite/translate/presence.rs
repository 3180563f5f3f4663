//! Whether a relation has a row where outer joins may have found none: what `count(t)` counts, and where `t` itself is NULL. A
//! row whose columns are all NULL is there.

use sqlparser::ast::Expr;

use super::{
    Result, Translator, Ty,
    scope::{Relation, Typed},
    sql_expr::{SqlExpr, bare, chain, is_not_null, is_null, number, when},
};

/// What an outer join that may find no row leaves of a relation.
#[derive(Debug, Clone)]
pub(super) struct Nullable {
    /// A column that is NULL nowhere else.
    witness: Option<usize>,
    /// What tells whether there is one, where the rows were found before.
    pub(super) found: Option<SqlExpr>,
}

impl Relation {
    /// Notes that an outer join may find no row of it: its columns may be NULL from here on.
    pub(super) fn become_nullable(&mut self) {
        if self.nullable.is_none() {
            let witness = self.columns.iter().position(|column| column.not_null);
            self.nullable = Some(Nullable { witness, found: None });
        }
        for column in &mut self.columns {
            column.not_null = false;
        }
    }
}

impl Translator<'_> {
    /// The condition under which there is a row; `None` where there always is.
    pub(super) fn is_present(&self, relation: &Relation) -> Option<SqlExpr> {
        let nullable = relation.nullable.as_ref()?;
        if let Some(found) = &nullable.found {
            return Some(found.clone());
        }
        let columns = &relation.columns;
        let is_there = |column| bare(is_not_null(relation.column(column).expr));
        if let Some(witness) = nullable.witness {
            return Some(is_there(&columns[witness]));
        }
        let source = relation.source.as_ref().filter(|_| relation.is_table);
        if source.is_some_and(|(schema, table)| self.names.numbers_rows(schema.as_deref(), table)) {
            return Some(bare(is_not_null(relation.row())));
        }
        let mut parts: Vec<SqlExpr> = match columns.iter().find(|column| column.key > 0) {
            Some(key) => vec![is_there(key)],
            None => columns.iter().map(is_there).collect(),
        };
        match parts.len() {
            0 => None,
            1 => parts.pop(),
            _ => Some(bare(chain("OR", parts))),
        }
    }

    /// What a row is, and NULL where there is none.
    pub(super) fn if_present(&self, relation: &Relation, row: Typed) -> Typed {
        match self.is_present(relation) {
            Some(condition) => Typed {
                expr: when(condition, row.expr).end(),
                ..row
            },
            None => row,
        }
    }

    /// What is NULL only where there is no row. It names a column: by that SQLite knows of which query's rows a `count` is.
    fn presence(&self, relation: &Relation) -> Typed {
        let told = match relation.columns.first() {
            Some(column) => bare(is_null(relation.column(column).expr)),
            None => number(1),
        };
        self.if_present(relation, Typed::new(told, Ty::Int4))
    }

    /// What `count` counts of a row: one that is written out is always there, and one that may be missing where it is.
    pub(super) fn counted_row(&mut self, argument: &Expr, is_distinct: bool) -> Result<Option<Typed>> {
        let relation = match argument {
            Expr::Nested(inner) => return self.counted_row(inner, is_distinct),
            Expr::Tuple(values) => return self.row_value(values).map(Some),
            other => self.row_meant(other),
        };
        let Some(relation) = relation else {
            return Ok(None);
        };
        self.contents.row = true;
        Ok(Some(if is_distinct {
            self.row_of(&relation)
        } else {
            self.presence(&relation)
        }))
    }
}
