//! Text that is large, deep, or made to take time.

use std::time::{Duration, Instant};

use querent::question::{
    schema::{Column, Dialect, Schema, Snapshot, Table},
    validator::{self, Asked, inspect, repair},
};

use super::{clinic, clinic_snapshot};
use crate::chains::chains;

/// Runs on the small stack that threads of a server have, as each dialect.
fn survives(name: &str, sql: &str, schema: &Schema) {
    for dialect in [Dialect::Sqlite, Dialect::Postgres] {
        survives_as(dialect, name, sql.to_owned(), schema.clone());
    }
}

fn survives_as(dialect: Dialect, name: &str, sql: String, schema: Schema) {
    on_a_small_stack(dialect, name, move || {
        inspect(&sql, &schema, dialect).findings.len()
    });
}

fn on_a_small_stack<T: Send + 'static>(
    dialect: Dialect,
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) {
    let started = Instant::now();
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    let done = thread.spawn(work).unwrap().join();
    assert!(done.is_ok(), "{name} fails as {dialect:?}");
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{name} takes {:?} as {dialect:?}",
        started.elapsed()
    );
}

#[test]
fn what_is_longer_than_any_question_needs_is_not_read() {
    let columns = |count: usize| format!("SELECT 1{}", ",1".repeat(count));
    for (sql, told) in [
        (columns(300_000), "600008 characters"),
        (columns(25_000), "50002 words and signs"),
    ] {
        for dialect in [Dialect::Sqlite, Dialect::Postgres] {
            let findings = inspect(&sql, clinic(), dialect).findings;
            assert!(
                findings[0].is_error() && findings[0].message.contains(told),
                "{findings:?}"
            );
        }
    }
    assert!(
        inspect(&columns(19_000), clinic(), Dialect::Sqlite)
            .findings
            .iter()
            .all(|finding| !finding.message.contains("allowed"))
    );
}

#[test]
fn no_text_overflows_the_stack_or_hangs() {
    let nested = |open: &str, inner: &str, close: &str| {
        format!("SELECT {}{inner}{}", open.repeat(1000), close.repeat(1000))
    };
    let chained = |part: &str, bytes: usize| format!("SELECT 1{}", part.repeat(bytes / part.len()));
    // Some of these are as long as a statement may be, the rest shorter, for the sake of time.
    let mega = 99_900;
    let large = 79_900;
    for (name, sql) in [
        ("parentheses", nested("(", "1", ")")),
        ("unclosed parentheses", "SELECT ".to_owned() + &"(".repeat(mega)),
        ("subqueries", nested("(SELECT ", "1", ")")),
        ("tables", nested("* FROM (SELECT ", "1 AS a", ") AS z")),
        (
            "derived tables",
            format!(
                "SELECT * FROM {}patient{}",
                "(SELECT * FROM ".repeat(1000),
                ")".repeat(1000)
            ),
        ),
        (
            "48 derived tables",
            format!(
                "SELECT * FROM {}patient{}",
                "(SELECT * FROM ".repeat(47),
                ")".repeat(47)
            ),
        ),
        (
            "joins in parentheses",
            format!("SELECT * FROM {}patient{}", "(".repeat(1000), ")".repeat(1000)),
        ),
        (
            "47 joins in parentheses",
            format!("SELECT * FROM {}patient{}", "(".repeat(47), ")".repeat(47)),
        ),
        (
            "47 parentheses",
            format!("SELECT {}1{}", "(".repeat(47), ")".repeat(47)),
        ),
        ("47 open parentheses", format!("SELECT * FROM {}", "(".repeat(47))),
        (
            "47 selects in parentheses",
            format!("SELECT * FROM {}SELECT 1{}", "(".repeat(47), ")".repeat(47)),
        ),
        ("functions", nested("abs(", "1", ")")),
        (
            "47 functions",
            format!("SELECT {}1{}", "abs(".repeat(47), ")".repeat(47)),
        ),
        ("cases", nested("CASE WHEN 1 THEN ", "1", " END")),
        ("brackets", nested("[", "1", "]")),
        ("not", nested("NOT ", "1", "")),
        ("minus", nested("- ", "1", "")),
        ("sum", chained(" + 1", mega)),
        ("sum of 490", chained(" + 1", 4 * 490)),
        ("or", chained(" OR 1", mega)),
        ("or of 490", chained(" OR 1 = 1", 9 * 490)),
        ("concatenation", chained(" || 'a'", large)),
        ("is null", chained(" IS NULL", large)),
        ("490 is null", chained(" ISNULL", 7 * 490)),
        ("collate", chained(" COLLATE nocase", large)),
        ("between", chained(" BETWEEN 1 AND 2", large)),
        ("union", chained(" UNION SELECT 1", mega)),
        ("union of 490", chained(" UNION SELECT 1", 15 * 490)),
        ("like", chained(" LIKE 1", large)),
        ("arrow", chained(" -> 1", large)),
        ("casts", chained("::text", large)),
        ("subscripts", chained("[1]", large)),
        ("dots", format!("SELECT a{}", ".a".repeat(large / 2))),
        (
            "list",
            format!(
                "SELECT name FROM patient WHERE id IN (1{})",
                ", 1".repeat(mega / 3)
            ),
        ),
        ("columns", format!("SELECT 1{}", ", 1".repeat(large / 3))),
        (
            "unknown columns",
            format!("SELECT 1{}", ", nmae".repeat(large / 6 - 4)),
        ),
        (
            "unknown columns of a table",
            format!("SELECT 1{} FROM patient", ", nmae".repeat(mega / 6 - 4)),
        ),
        (
            "tables",
            format!("SELECT 1 FROM patient{}", ", patient".repeat(large / 9 - 4)),
        ),
        (
            "joins",
            format!("SELECT 1 FROM patient{}", " JOIN patient".repeat(large / 13 - 4)),
        ),
        ("arguments", format!("SELECT max(1{})", ", 1".repeat(large / 3))),
        ("comment", format!("SELECT 1 /*{}", "*".repeat(mega))),
        ("comments", format!("SELECT 1 {}", "/**/".repeat(large / 4))),
        ("quotes", format!("SELECT '{}", "''".repeat(mega / 2))),
        ("semicolons", format!("SELECT 1{}", ";".repeat(mega))),
        ("white space", format!("SELECT{}1", " ".repeat(large))),
        ("new lines", format!("SELECT{}x", "\n".repeat(mega))),
        ("too long", format!("SELECT{}1", " ".repeat(2 * mega))),
        (
            "with",
            format!(
                "WITH {} SELECT 1",
                (0..4_000)
                    .map(|at| format!("t{at} AS (SELECT 1)"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        ),
        (
            "with in with",
            format!(
                "{}SELECT 1{}",
                "WITH a AS (".repeat(1000),
                ") SELECT 1".repeat(1000)
            ),
        ),
        ("doubling", {
            let doubled = (1..40).map(|at| format!("t{at} AS (SELECT * FROM t{0} a, t{0} b)", at - 1));
            format!(
                "WITH t0 AS (SELECT 1 AS x), {} SELECT * FROM t39",
                doubled.collect::<Vec<_>>().join(", ")
            )
        }),
        (
            "windows",
            format!(
                "SELECT 1{} FROM patient",
                ", sum(id) OVER (ORDER BY id)".repeat(20_000)
            ),
        ),
        (
            "order",
            format!("SELECT 1 FROM patient ORDER BY 1{}", ", 1".repeat(large / 3 - 20)),
        ),
        (
            "group",
            format!(
                "SELECT 1 FROM patient GROUP BY 1{}",
                ", id".repeat(large / 4 - 20)
            ),
        ),
        (
            "compound order",
            format!(
                "SELECT 1 UNION SELECT 2 ORDER BY 1{}",
                ", id + 1".repeat(large / 8 - 20)
            ),
        ),
        ("arrays", nested("ARRAY[", "1", "]")),
        (
            "47 arrays",
            format!("SELECT {}1{}", "ARRAY[".repeat(47), "]".repeat(47)),
        ),
        ("time zones", chained(" AT TIME ZONE 'UTC'", large)),
        ("any", chained(" = ANY (ARRAY[1])", large)),
        ("regular expressions", chained(" ~* 'a'", large)),
        (
            "lateral",
            format!(
                "SELECT 1 FROM patient{}",
                ", LATERAL (SELECT 1) x".repeat(large / 22 - 4)
            ),
        ),
        (
            "grouping sets",
            format!(
                "SELECT 1 FROM patient GROUP BY GROUPING SETS ((id){})",
                ", (id, name)".repeat(large / 12 - 8)
            ),
        ),
        ("replacement characters", "\u{fffd}".repeat(large)),
        ("NUL", "SELECT 1\0; DROP TABLE patient".to_owned()),
    ] {
        survives(name, &sql, clinic());
    }
}

/// What nests in the statements of clients nests in those of models and of corrections, just within the bounds as well.
#[test]
fn no_chain_overflows_the_stack_or_hangs() {
    for links in [240, 1_000, 20_000] {
        for (name, sql) in chains(links) {
            for dialect in [Dialect::Sqlite, Dialect::Postgres] {
                let snapshot = Snapshot {
                    dialect,
                    ..clinic_snapshot().clone()
                };
                let (sql, name) = (sql.clone(), format!("{name} of {links}"));
                on_a_small_stack(dialect, &name, move || {
                    let asked = Asked::now("", &snapshot);
                    // As a model's statement, and as a correction of another one.
                    let found = inspect(&sql, &snapshot.schema, dialect).findings.len();
                    let repaired = repair(&sql, &asked);
                    let right = "SELECT name FROM patient";
                    let change = validator::change(right, &sql, &snapshot.schema, dialect);
                    (found, repaired, change)
                });
            }
        }
    }
}

#[test]
fn a_table_of_2000_columns_is_no_burden() {
    let columns = (0..2000).map(|at| Column {
        name: format!("column_{at}"),
        ..Column::default()
    });
    let wide = Table {
        name: "wide".into(),
        columns: columns.collect(),
        ..Table::default()
    };
    let schema = Schema {
        tables: vec![wide],
        ..Schema::default()
    };
    let started = Instant::now();
    assert!(
        inspect("SELECT * FROM wide", &schema, Dialect::Sqlite)
            .findings
            .is_empty()
    );
    assert!(
        inspect(
            "SELECT column_1999 FROM wide WHERE column_0 = 'a'",
            &schema,
            Dialect::Sqlite
        )
        .findings
        .is_empty()
    );
    assert!(started.elapsed() < Duration::from_secs(1));
    survives(
        "wrong names of a wide table",
        &format!("SELECT 1{} FROM wide", ", colunm_77".repeat(80_000)),
        &schema,
    );
    survives(
        "right names of a wide table",
        &format!("SELECT 1{} FROM wide", ", column_1999".repeat(1_900)),
        &schema,
    );
}

/// Mending begins with texts that no parser has bounded.
#[test]
fn no_text_is_mended_beyond_measure() {
    let filled = |begins: &str, part: &str| {
        let times = (19_900 - begins.len()) / part.len();
        format!("{begins}{}", part.repeat(times))
    };
    let numbered = |part: &str, ends: &str| {
        let parts: Vec<String> = (0..1_500).map(|at| part.replace('#', &at.to_string())).collect();
        format!("SELECT {}{ends}", parts.join(", "))
    };
    for (name, sql) in [
        ("open parentheses", filled("SELECT ", "(")),
        ("closing parentheses", filled("SELECT 1 FROM patient WHERE ", ")")),
        (
            "parentheses",
            format!("SELECT {}1{}", "(".repeat(9_000), ")".repeat(9_000)),
        ),
        ("subqueries", filled("", "(SELECT ")),
        ("torn texts", filled("SELECT '", "a'b'")),
        ("torn names", filled("SELECT `b`", "`a`b`")),
        ("commas", filled("SELECT ", ",")),
        ("brackets", filled("SELECT ", "[")),
        ("words", filled("", "SELEC ")),
        ("clauses", filled("SELECT 1 ", "FROM WHERE LIMIT ")),
        (
            "set operations",
            filled("(SELECT 1) ", "UNION (SELECT 1 LIMIT 1) "),
        ),
        ("tops", filled("SELECT ", "TOP 1 SELECT ")),
        ("functions", numbered("nowhere#(id)", " FROM patient")),
        ("columns", numbered("nowhere#", " FROM patient")),
    ] {
        for dialect in [Dialect::Sqlite, Dialect::Postgres] {
            let snapshot = Snapshot {
                dialect,
                ..clinic_snapshot().clone()
            };
            let sql = sql.clone();
            on_a_small_stack(dialect, name, move || repair(&sql, &Asked::now("", &snapshot)));
        }
    }
}
