//! Which error of the taxonomy a database speaks of, by its SQLSTATE and, where that says little, by its message.

use super::Code;

/// What SQLite and PostgreSQL write, and the code that it stands for. Earlier lines win.
const MESSAGES: &[(&str, Code)] = &[
    ("no such table", Code::TableMissing),
    ("no such column", Code::ColMissing),
    ("ambiguous column name", Code::AmbiguousCol),
    ("misuse of aggregate", Code::HavingVsWhere),
    (
        "aggregate functions are not allowed in where",
        Code::HavingVsWhere,
    ),
    (
        "aggregate functions are not allowed in join conditions",
        Code::HavingVsWhere,
    ),
    ("aggregate functions are not allowed", Code::SubqueryMissing),
    ("aggregate function calls cannot be nested", Code::SubqueryMissing),
    ("window functions are not allowed", Code::SubqueryMissing),
    ("misuse of window function", Code::SubqueryMissing),
    ("must appear in the group by clause", Code::GroupbyMissingCol),
    ("must be aggregated", Code::AggNoGroupby),
    (
        "a group by clause is required before having",
        Code::HavingWithoutGroupby,
    ),
    (
        "having clause on a non-aggregate query",
        Code::HavingWithoutGroupby,
    ),
    ("no such function", Code::UnsupportedFunction),
    ("wrong number of arguments to function", Code::UnsupportedFunction),
    ("no such collation", Code::UnsupportedFunction),
    (
        "do not have the same number of result columns",
        Code::ExtraValuesSelected,
    ),
    ("must have the same number of columns", Code::ExtraValuesSelected),
    ("subquery must return only one column", Code::ExtraValuesSelected),
    ("subquery has too many columns", Code::ExtraValuesSelected),
    ("subquery has too few columns", Code::SubqueryCorrelationError),
    ("sub-select returns", Code::ExtraValuesSelected),
    ("columns but expected", Code::ExtraValuesSelected),
    ("row value misused", Code::ExtraValuesSelected),
    (
        "more than one row returned by a subquery",
        Code::SubqueryCorrelationError,
    ),
    ("there is an entry for table", Code::InvalidAlias),
    ("invalid reference to from-clause entry", Code::InvalidAlias),
    ("missing from-clause entry", Code::InvalidAlias),
    ("circular reference", Code::SubqueryCorrelationError),
    ("cannot join using column", Code::IncorrectForeignKey),
    ("order by term does not match", Code::OrderByMissing),
    ("on clause references tables to its right", Code::InvalidAlias),
    ("is not in select list", Code::SqlSyntaxError),
    ("syntax error", Code::SqlSyntaxError),
    ("incomplete input", Code::SqlSyntaxError),
    ("unrecognized token", Code::SqlSyntaxError),
];

impl Code {
    /// The code of an error that is the SQL's own fault; `None` for every other error of a database.
    pub fn of_database_error(sqlstate: &str, message: &str) -> Option<Self> {
        let by_message = || {
            let message = message.to_lowercase();
            MESSAGES
                .iter()
                .find(|(text, _)| message.contains(text))
                .map(|(_, code)| *code)
        };
        let by_state = match sqlstate {
            "42000" | "42601" | "42P10" | "42P02" | "54001" => Self::SqlSyntaxError,
            "42P01" | "3F000" => Self::TableMissing,
            "42703" => Self::ColMissing,
            "42702" => Self::AmbiguousCol,
            "42712" | "42P09" => Self::InvalidAlias,
            "42883" | "42725" => Self::UnsupportedFunction,
            "42803" => Self::AggNoGroupby,
            "42P20" => Self::SubqueryMissing,
            "42804" | "42846" | "42P18" | "42P38" => Self::ConditionTypeMismatch,
            "22P02" | "22007" | "22008" => Self::ValueFormatWrong,
            "21000" => Self::SubqueryCorrelationError,
            "42501" => return Some(Self::Forbidden),
            // Work without end comes mostly of tables that nothing relates.
            "54000" | "57014" => return Some(Self::JoinMissing),
            _ => return None,
        };
        // A state names a group of errors, a message often the one. Other classes quote data in their messages.
        Some(if sqlstate.starts_with("42") {
            by_message().unwrap_or(by_state)
        } else {
            by_state
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_and_messages_have_their_codes() {
        let check = |sqlstate: &str, message: &str, expected: Option<Code>| {
            assert_eq!(
                Code::of_database_error(sqlstate, message),
                expected,
                "{sqlstate} {message}"
            );
        };
        check("42P01", "no such table: flower", Some(Code::TableMissing));
        check(
            "42P01",
            "relation \"flower\" does not exist",
            Some(Code::TableMissing),
        );
        check(
            "42P01",
            "missing FROM-clause entry for table \"g\"",
            Some(Code::InvalidAlias),
        );
        check("42703", "no such column: nmae", Some(Code::ColMissing));
        check("42702", "ambiguous column name: name", Some(Code::AmbiguousCol));
        check("42601", "near \"FORM\": syntax error", Some(Code::SqlSyntaxError));
        check("42601", "misuse of aggregate: COUNT()", Some(Code::HavingVsWhere));
        check(
            "42803",
            "aggregate functions are not allowed in WHERE",
            Some(Code::HavingVsWhere),
        );
        check(
            "42803",
            "column \"f.name\" must appear in the GROUP BY clause or be used in an aggregate function",
            Some(Code::GroupbyMissingCol),
        );
        check(
            "42601",
            "each UNION query must have the same number of columns",
            Some(Code::ExtraValuesSelected),
        );
        check(
            "21000",
            "more than one row returned by a subquery used as an expression",
            Some(Code::SubqueryCorrelationError),
        );
        check(
            "42883",
            "no such function: YEARS",
            Some(Code::UnsupportedFunction),
        );
        check(
            "22007",
            "invalid input syntax for type date",
            Some(Code::ValueFormatWrong),
        );
        check(
            "42501",
            "permission denied for table flowers",
            Some(Code::Forbidden),
        );
        check(
            "57014",
            "canceling statement due to statement timeout",
            Some(Code::JoinMissing),
        );
        check(
            "22P02",
            "invalid input syntax for type integer: \"syntax error\"",
            Some(Code::ValueFormatWrong),
        );
        check("53200", "out of memory", None);
        check("08006", "no such table: the connection is gone", None);
    }
}
