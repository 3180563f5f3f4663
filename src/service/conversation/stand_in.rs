//! SQL in the place of answers that are not there yet, to see what a statement around them returns.

use super::Report;
use crate::{question::schema::Dialect, statement::Question};

/// Two answers that have nothing in common.
const ANSWERS: [[&str; 2]; 2] = [
    [
        "SELECT NULL::pg_catalog.text AS querent_a",
        "SELECT CAST(NULL AS TEXT) AS querent_a",
    ],
    [
        "SELECT NULL::pg_catalog.int8 AS querent_b, NULL::pg_catalog.bytea AS querent_c",
        "SELECT CAST(NULL AS INTEGER) AS querent_b, CAST(NULL AS BLOB) AS querent_c",
    ],
];

/// Two lots of SQL for the questions of a statement, one text for each. A statement that returns the same columns
/// around either returns them around any answer.
pub fn stand_ins(question: &Question, dialect: Dialect) -> [Vec<String>; 2] {
    ANSWERS.map(|answer| {
        let answer = match dialect {
            Dialect::Postgres => answer[0],
            Dialect::Sqlite => answer[1],
        };
        question
            .asked
            .iter()
            .map(|asked| match Report::stand_in(asked.action) {
                Some(report) => report.to_sql(dialect),
                None => answer.to_owned(),
            })
            .collect()
    })
}
