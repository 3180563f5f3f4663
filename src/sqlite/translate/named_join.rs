//! `(a JOIN b ON …) AS x`: what several tables have together, under one name.

use sqlparser::{
    ast::{Statement, TableAlias, TableFactor, TableWithJoins},
    dialect::PostgreSqlDialect,
    parser::Parser,
};

use super::{Result, Stop};

/// The query that gives the same rows under that name.
pub(super) fn as_query(join: &TableWithJoins, alias: &TableAlias) -> Result<TableFactor> {
    let parsed = Parser::parse_sql(&PostgreSqlDialect {}, &format!("SELECT * FROM {join}"));
    match parsed.ok().and_then(|mut statements| statements.pop()) {
        Some(Statement::Query(subquery)) => Ok(TableFactor::Derived {
            lateral: false,
            subquery,
            alias: Some(alias.clone()),
            sample: None,
        }),
        _ => Err(Stop::AsItStands),
    }
}
