//! Statements with something wrong in them, and what is said about it.

use querent::question::{schema::Dialect, validator::inspect};

use super::{clinic, codes};

#[test]
fn each_error_has_its_code() {
    let check = |sql: &str, expected: &str| assert_eq!(codes(sql), expected, "{sql}");
    for (sql, expected) in [
        // syntax
        ("", "sql_syntax_error!"),
        (";", "sql_syntax_error!"),
        ("SELECT", "sql_syntax_error!"),
        ("SELECT FROM patient", "sql_syntax_error!"),
        ("SELECT name FROM", "sql_syntax_error!"),
        ("SELECT name name name FROM patient", "sql_syntax_error!"),
        ("SELECT (name FROM patient", "sql_syntax_error!"),
        ("SELECT name FROM patient WHERE", "sql_syntax_error!"),
        ("SELECT 'name FROM patient", "sql_syntax_error!"),
        ("(SELECT 1)", "sql_syntax_error!"),
        (
            "SELECT name FROM patient WHERE city = 'a' UNION (SELECT name FROM doctor)",
            "sql_syntax_error!",
        ),
        ("SELECT name AS select FROM patient", "sql_syntax_error!"),
        ("SELECT count(*) NULL FROM patient", "sql_syntax_error!"),
        ("SELECT 1 FROM patient IS", "sql_syntax_error!"),
        (
            "SELECT 1 FROM patient WHERE id = 1AND city = 'a'",
            "sql_syntax_error!",
        ),
        ("SELECT DISTINCT (*) FROM patient", "sql_syntax_error!"),
        // grammar of other databases
        ("SELECT TOP 3 name FROM patient", "sql_syntax_error!"),
        (
            "SELECT name FROM patient FETCH FIRST 3 ROWS ONLY",
            "sql_syntax_error!",
        ),
        ("SELECT name FROM patient OFFSET 3", "sql_syntax_error!"),
        ("SELECT DISTINCT ON (city) name FROM patient", "sql_syntax_error!"),
        (
            "SELECT name FROM patient WHERE weight::integer = 3",
            "sql_syntax_error!",
        ),
        (
            "SELECT name FROM patient WHERE born > DATE '2000-01-01'",
            "sql_syntax_error!",
        ),
        ("SELECT born + INTERVAL '1 day' FROM patient", "sql_syntax_error!"),
        (
            "SELECT name FROM patient WHERE id = ANY (SELECT patient_id FROM visit)",
            "sql_syntax_error!",
        ),
        (
            "SELECT city FROM patient MINUS SELECT name FROM doctor",
            "sql_syntax_error!",
        ),
        ("SELECT name FROM patient WHERE id = ?", "sql_syntax_error!"),
        ("SELECT name FROM patient WHERE id = :id", "sql_syntax_error!"),
        ("SELECT name FROM patient WHERE id = $0", "sql_syntax_error!"),
        (
            "SELECT name FROM patient QUALIFY row_number() OVER () = 1",
            "sql_syntax_error!",
        ),
        ("SELECT (name, city) FROM patient", "sql_syntax_error!"),
        ("SELECT *", "sql_syntax_error!"),
        // tables
        ("SELECT name FROM patiens", "table_missing!"),
        ("SELECT name FROM nowhere", "table_missing!"),
        ("SELECT x, y, z.a FROM nowhere AS z", "table_missing!"),
        (
            "SELECT name FROM patient WHERE id IN (SELECT id FROM nowhere)",
            "table_missing!",
        ),
        ("SELECT name FROM other.patient", "table_missing!"),
        (
            "WITH a AS (SELECT 1 AS x) SELECT x FROM a UNION SELECT x FROM b",
            "table_missing!",
        ),
        (
            "SELECT x FROM (WITH a AS (SELECT 1 AS x) SELECT x FROM a), a",
            "table_missing!",
        ),
        // columns
        ("SELECT nmae FROM patient", "col_missing!"),
        ("SELECT patient.salary FROM patient", "col_missing!"),
        ("SELECT name FROM patient WHERE town = 'Rome'", "col_missing!"),
        ("SELECT name FROM patient ORDER BY size", "col_missing!"),
        ("SELECT count(*) FROM patient GROUP BY size", "col_missing!"),
        (
            "SELECT city FROM patient GROUP BY city HAVING max(size) > 1",
            "col_missing!",
        ),
        ("SELECT name FROM patient WHERE city = \"Rome\"", "col_missing!"),
        ("SELECT name FROM patient ORDER BY 2", "col_missing!"),
        ("SELECT name FROM patient GROUP BY 0", "col_missing!"),
        ("SELECT a.x FROM (SELECT id FROM patient) AS a", "col_missing!"),
        ("SELECT name FROM (SELECT id FROM patient)", "col_missing!"),
        ("SELECT rowid FROM heavy", "col_missing!"),
        (
            "SELECT city FROM patient UNION SELECT name FROM doctor ORDER BY weight",
            "col_missing!",
        ),
        (
            "SELECT d.name FROM doctor d JOIN department e USING (department_id)",
            "col_missing!",
        ),
        ("SELECT name FROM patient LIMIT weight", "col_missing!"),
        // a subquery in FROM does not see the tables beside it
        (
            "SELECT p.name FROM patient p, (SELECT id FROM visit WHERE patient_id = p.id) v",
            "invalid_alias!",
        ),
        ("SELECT p.name FROM patient", "invalid_alias!"),
        ("SELECT patient.name FROM patient AS p", "invalid_alias!"),
        ("SELECT visit.fee FROM patient", "invalid_alias!"),
        ("SELECT v.* FROM visit", "invalid_alias!"),
        ("SELECT name FROM patient ORDER BY x.name", "invalid_alias!"),
        ("SELECT sum(fee) OVER w FROM visit", "invalid_alias!"),
        (
            "SELECT d.name FROM doctor d JOIN department e ON d.department_id = f.id JOIN department f ON f.id = e.id",
            "invalid_alias!",
        ),
        // ambiguity
        (
            "SELECT name FROM doctor d JOIN department e ON d.department_id = e.id",
            "ambiguous_col!",
        ),
        (
            "SELECT id FROM visit JOIN patient ON patient_id = patient.id",
            "ambiguous_col!",
        ),
        (
            "SELECT doctor.name FROM doctor JOIN doctor ON doctor.id = doctor.chief_id",
            "ambiguous_col! ambiguous_col! ambiguous_col!",
        ),
        // functions
        ("SELECT year(born) FROM patient", "unsupported_function!"),
        ("SELECT sqrt(weight) FROM patient", "unsupported_function!"),
        (
            "SELECT extract(year FROM born) FROM patient",
            "unsupported_function!",
        ),
        ("SELECT concat_ws(', ') FROM patient", "unsupported_function!"),
        ("SELECT lower(name, city) FROM patient", "unsupported_function!"),
        (
            "SELECT count(DISTINCT name, city) FROM patient",
            "unsupported_function!",
        ),
        (
            "SELECT name FROM patient WHERE name REGEXP 'a'",
            "unsupported_function!",
        ),
        (
            "SELECT name FROM patient WHERE name ILIKE 'a'",
            "unsupported_function!",
        ),
        ("SELECT floor(weight) FROM patient", "unsupported_function!"),
        ("SELECT * FROM generate_series(1, 10)", "unsupported_function!"),
        ("SELECT sum(*) FROM visit", "unsupported_function!"),
        (
            "SELECT name FROM patient ORDER BY name COLLATE german",
            "unsupported_function!",
        ),
        ("SELECT rank() FROM patient", "sql_syntax_error!"),
        ("SELECT lower(DISTINCT name) FROM patient", "sql_syntax_error!"),
        ("SELECT lower(name) OVER () FROM patient", "sql_syntax_error!"),
        // aggregation
        ("SELECT name, count(*) FROM patient", "agg_no_groupby!"),
        (
            "SELECT name, avg(weight) FROM patient WHERE city = 'Rome'",
            "agg_no_groupby!",
        ),
        ("SELECT name, max(weight) FROM patient", "agg_no_groupby"),
        ("SELECT count(*) FROM patient ORDER BY name", "agg_no_groupby"),
        ("SELECT name FROM patient WHERE count(*) > 1", "having_vs_where!"),
        (
            "SELECT name FROM patient WHERE weight > avg(weight)",
            "subquery_missing!",
        ),
        (
            "SELECT city, count(*) AS n FROM patient WHERE n > 3 GROUP BY city",
            "having_vs_where!",
        ),
        (
            "SELECT p.id FROM patient p JOIN visit v ON v.patient_id = p.id AND count(*) > 1 GROUP BY p.id",
            "having_vs_where!",
        ),
        (
            "SELECT max(count(*)) FROM patient GROUP BY city",
            "subquery_missing!",
        ),
        (
            "SELECT count(*) FROM patient GROUP BY count(*)",
            "subquery_missing!",
        ),
        (
            "SELECT name FROM patient WHERE rank() OVER (ORDER BY weight) = 1",
            "subquery_missing!",
        ),
        (
            "SELECT name FROM patient HAVING weight > 50",
            "having_without_groupby!",
        ),
        (
            "SELECT count(*) FROM patient HAVING count(*) > 5",
            "having_without_groupby",
        ),
        (
            "SELECT city, name FROM patient GROUP BY city",
            "groupby_missing_col",
        ),
        (
            "SELECT city, name, count(*) FROM patient GROUP BY city",
            "groupby_missing_col",
        ),
        (
            "SELECT city FROM patient GROUP BY city HAVING weight > 50",
            "having_incorrect",
        ),
        ("SELECT sum(name) FROM patient", "condition_type_mismatch"),
        (
            "SELECT name FROM patient WHERE weight > (SELECT avg(weight))",
            "having_vs_where!",
        ),
        // subqueries and set operations
        (
            "SELECT name FROM patient WHERE id IN (SELECT id, name FROM patient)",
            "extra_values_selected!",
        ),
        (
            "SELECT name FROM patient WHERE weight > (SELECT avg(weight), 1 FROM patient)",
            "extra_values_selected!",
        ),
        (
            "SELECT name, city FROM patient UNION SELECT name FROM doctor",
            "extra_values_selected!",
        ),
        (
            "WITH a (x, y) AS (SELECT 1) SELECT x FROM a",
            "subquery_correlation_error!",
        ),
        ("WITH a AS (SELECT 1) SELECT name FROM patient", "unused_subquery"),
        // joins
        ("SELECT p.name FROM patient p, visit v", "join_missing!"),
        ("SELECT p.name FROM patient p JOIN visit v", "join_missing!"),
        (
            "SELECT p.name FROM patient p, visit v, doctor d WHERE p.id = v.patient_id AND d.salary > 5",
            "join_missing!",
        ),
        (
            "SELECT d.name FROM doctor d JOIN department e ON d.id = e.id",
            "incorrect_foreign_key",
        ),
        (
            "SELECT d.name FROM doctor d JOIN patient p ON d.salary = p.weight",
            "incorrect_foreign_key",
        ),
        // kinds of values
        (
            "SELECT name FROM patient WHERE weight > 'heavy'",
            "condition_type_mismatch",
        ),
        (
            "SELECT name FROM patient WHERE id IN (1, 'two')",
            "condition_type_mismatch",
        ),
        (
            "SELECT name FROM patient WHERE weight BETWEEN 'a' AND 9",
            "condition_type_mismatch",
        ),
        (
            "SELECT name FROM patient WHERE born = 'yesterday'",
            "condition_type_mismatch",
        ),
        (
            "SELECT name FROM patient WHERE born = '31.12.1999'",
            "value_format_wrong",
        ),
        (
            "SELECT name FROM patient WHERE strftime('%Y', born) = 1980",
            "condition_type_mismatch!",
        ),
        (
            "SELECT name FROM patient WHERE city > 5",
            "condition_type_mismatch",
        ),
        (
            "SELECT city FROM patient GROUP BY city HAVING count(*) = '3'",
            "condition_type_mismatch",
        ),
        (
            "SELECT d.name FROM doctor d JOIN patient p ON d.id = p.name",
            "condition_type_mismatch",
        ),
        (
            "SELECT p.name FROM patient p WHERE p.id = p.id",
            "condition_wrong_col",
        ),
        // the rest
        ("SELECT name, name FROM patient", "duplicate_select"),
        ("SELECT weight + 1, weight + 1 FROM patient", "duplicate_select"),
    ] {
        check(sql, expected);
    }
}

#[test]
fn a_finding_tells_where_and_what_was_meant() {
    let check = |sql: &str, at: &str, message: &str, hint: &str| {
        let findings = inspect(sql, clinic(), Dialect::Sqlite).findings;
        let finding = &findings[0];
        let position = sql.find(at).map(|bytes| sql[..bytes].chars().count() + 1);
        assert_eq!(
            (
                finding.position,
                finding.message.as_str(),
                finding.hint.as_deref()
            ),
            (position, message, Some(hint).filter(|hint| !hint.is_empty())),
            "{sql}"
        );
    };
    check(
        "SELECT nmae FROM patient",
        "nmae",
        "there is no column nmae here",
        "did you mean name?",
    );
    check(
        "SELECT 'é',\n  nmae FROM patient",
        "nmae",
        "there is no column nmae here",
        "did you mean name?",
    );
    check(
        "SELECT 1 FROM patients",
        "patients",
        "there is no table patients",
        "did you mean patient?",
    );
    check(
        "SELECT 1 FROM orders",
        "orders",
        "there is no table orders",
        "did you mean \"order\"?",
    );
    check(
        "SELECT fee FROM patient",
        "fee",
        "there is no column fee here",
        "visit has one",
    );
    check(
        "SELECT p.fee FROM patient p JOIN visit v ON v.patient_id = p.id",
        "p.fee",
        "p is patient, which has no column fee",
        "v has it",
    );
    check(
        "SELECT 1 FROM patient AS p WHERE patient.id = 1",
        "patient.id",
        "no table of the query is called patient",
        "it is called p here",
    );
    check(
        "SELECT 1 WHERE 'a' = \"b\"",
        "\"b\"",
        "there is no column \"b\" here",
        "text is written in single quotes",
    );
    check(
        "SELECT name FROM doctor d JOIN department e ON d.department_id = e.id",
        "name",
        "name is a column of d and of e",
        "write d.name or e.name",
    );
    check(
        "SELECT 1 FROM doctor d, visit v",
        "visit",
        "no condition relates d and v",
        "add v.doctor_id = d.id",
    );
    check(
        "SELECT yeer(born) FROM patient",
        "yeer",
        "SQLite has no function yeer that may be called here",
        "",
    );
    check(
        "SELECT year(born) FROM patient",
        "year",
        "SQLite has no function year that may be called here",
        "use strftime(format, column)",
    );
    check(
        "SELECT 1 FROM patient LIMT 3",
        "3",
        "expected: end of statement, found: 3",
        "",
    );
}
