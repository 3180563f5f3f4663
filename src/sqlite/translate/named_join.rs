//! `(a JOIN b ON …) AS x`: what several tables have together, under one name.

use sqlparser::{
    ast::{Statement, TableAlias, TableFactor, TableWithJoins},
    dialect::PostgreSqlDialect,
};

use super::{Result, Stop};
use crate::statement::grammar;

/// The query that gives the same rows under that name.
pub(super) fn as_query(join: &TableWithJoins, alias: &TableAlias) -> Result<TableFactor> {
    let text = format!("SELECT * FROM {join}");
    let parsed = grammar::read_to_keep(&PostgreSqlDialect {}, &text, |mut statements| statements.pop());
    match parsed {
        Ok(Some(Statement::Query(subquery))) => Ok(TableFactor::Derived {
            lateral: false,
            subquery,
            alias: Some(alias.clone()),
            sample: None,
        }),
        _ => Err(Stop::AsItStands),
    }
}
