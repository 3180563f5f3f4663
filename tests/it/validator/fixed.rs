//! Corrections that rewrite a statement: typos, grouping, clauses, functions of other databases, and what
//! the question asks for.

use querent::question::validator::{Asked, repair, repair_only};

use super::{clinic_snapshot, taxonomy::gardens};

/// What a statement becomes; nothing where it stays as it is.
fn check(sql: &str, expected: Option<&str>) {
    let repaired = repair(sql, &Asked::now("", clinic_snapshot()));
    let sql_after = repaired.as_ref().map(|repaired| repaired.sql.as_str());
    assert_eq!(sql_after, expected, "{sql}");
}

#[test]
fn slips_of_the_pen_are_mended() {
    let to = |sql: &str, expected: &str| check(sql, Some(expected));
    // what stands around the statement
    to(
        "```sql\nSELECT name FROM patient;\n```",
        "SELECT name FROM patient",
    );
    to(
        "Here is the query:\nSELECT name FROM patient; It lists all names.",
        "SELECT name FROM patient",
    );
    to(
        "SELECT name FROM patient; WHERE city = 'Rome'",
        "SELECT name FROM patient WHERE city = 'Rome'",
    );
    to(
        "SELECT name FROM patient WHERE city = \u{2018}Rome\u{2019}",
        "SELECT name FROM patient WHERE city = 'Rome'",
    );
    // signs
    to(
        "SELECT name FROM patient WHERE weight =< 80 AND id ! = 3",
        "SELECT name FROM patient WHERE weight <= 80 AND id != 3",
    );
    to(
        "SELECT name FROM patient WHERE weight > (SELECT avg(weight) FROM patient",
        "SELECT name FROM patient WHERE weight > (SELECT avg(weight) FROM patient)",
    );
    to(
        "SELECT count(DISTINCT city FROM patient",
        "SELECT count(DISTINCT city) FROM patient",
    );
    to("SELECT count(*)) FROM patient", "SELECT count(*) FROM patient");
    to(
        "SELECT name FROM patient WHERE city = 'Rome",
        "SELECT name FROM patient WHERE city = 'Rome'",
    );
    to(
        "SELECT name FROM patient WHERE city = 'L'Aquila' AND id > 3",
        "SELECT name FROM patient WHERE city = 'L''Aquila' AND id > 3",
    );
    // words
    to("SELECT SELECT name FROM FROM patient", "SELECT name FROM patient");
    to("SELECT name, FROM patient", "SELECT name FROM patient");
    to(
        "SELECT name FORM patient WHER id = 3",
        "SELECT name FROM patient WHERE id = 3",
    );
    to(
        "SELECT city, count(*) FROM patient GROUP city ORDER city",
        "SELECT city, count(*) FROM patient GROUP BY city ORDER BY city",
    );
    // clauses
    to(
        "SELECT TOP 3 name FROM patient ORDER BY weight DESC",
        "SELECT name FROM patient ORDER BY weight DESC LIMIT 3",
    );
    to(
        "SELECT name FROM patient LIMIT 1 ORDER BY weight DESC",
        "SELECT name FROM patient ORDER BY weight DESC LIMIT 1",
    );
    to(
        "SELECT city, count(*) FROM patient GROUP BY city WHERE id > 3",
        "SELECT city, count(*) FROM patient WHERE id > 3 GROUP BY city",
    );
    to(
        "(SELECT id FROM patient) EXCEPT (SELECT patient_id FROM visit)",
        "SELECT id FROM patient EXCEPT SELECT patient_id FROM visit",
    );
    to(
        "SELECT id FROM patient ORDER BY weight LIMIT 1 UNION SELECT id FROM doctor",
        "SELECT * FROM (SELECT id FROM patient ORDER BY weight LIMIT 1) UNION SELECT id FROM doctor",
    );
}

/// What stood behind them, or where the lacking sign belongs, only their author knows.
#[test]
fn lost_conditions_are_not_made_up() {
    for sql in [
        "SELECT name FROM patient WHERE",
        "SELECT name FROM patient WHERE city = 'Rome' AND",
        "SELECT name FROM patient WHERE city = 'Rome' OR ORDER BY name",
        "SELECT name FROM patient WHERE (city = 'Rome' OR id = 3 AND weight > 80",
        "SELECT name FROM patient WHERE city = 'Rome AND id > 3",
    ] {
        check(sql, None);
    }
}

#[test]
fn nothing_forbidden_is_mended_into_something_harmless() {
    for sql in [
        "SELECT name FROM patient; DROP TABLE patient",
        "DROP TABLE patient; SELECT name FROM patient",
        "SELECT name FROM patient; SELECT name FROM doctor",
        "DELETE FROM patient",
        "UPDATE patient SET name = 'x",
        "SELECT load_extension('x' FROM patient",
        "WITH x AS (DELETE FROM patient RETURNING id) SELECT id FROM x WHERE",
        "",
        "no SQL at all",
        "((((((((((",
    ] {
        check(sql, None);
    }
}

/// Which rows make a group, which rows belong together and when a condition holds, only the author of a statement knows.
#[test]
fn nothing_is_made_up_for_a_statement_that_fails() {
    for sql in [
        "SELECT city, count(*) FROM patient",
        "SELECT *, count(*) FROM patient",
        "SELECT city FROM patient WHERE count(*) > 3 AND weight > 50 GROUP BY city",
        "SELECT city FROM patient WHERE count(*) > 3",
        "SELECT city, count(*) AS n FROM patient WHERE n > 3 GROUP BY city",
        "SELECT name FROM patient WHERE weight > AVG(weight)",
        "SELECT name FROM patient HAVING weight > 80",
        "SELECT city FROM patient HAVING count(*) > 3",
        "SELECT p.name, v.fee FROM patient AS p, visit AS v WHERE v.fee > 10",
        "SELECT p.name, v.fee FROM patient AS p JOIN visit AS v",
        "SELECT T1.name, T2.name FROM patient AS T1, doctor AS T2 WHERE T1.city = 'Rome'",
        "SELECT p.patient_name FROM patient AS p",
    ] {
        check(sql, None);
    }
}

#[test]
fn what_runs_is_proposed_otherwise() {
    check(
        "SELECT city FROM patient GROUP BY city HAVING weight > 80",
        Some("SELECT city FROM patient WHERE weight > 80 GROUP BY city"),
    );
    check(
        "SELECT p.name FROM patient AS p JOIN visit AS v ON p.id = v.id",
        Some("SELECT p.name FROM patient AS p JOIN visit AS v ON v.patient_id = p.id"),
    );
}

#[test]
fn what_stands_twice_stands_once() {
    check(
        "SELECT name, city, patient.name FROM patient",
        Some("SELECT name, city FROM patient"),
    );
    check(
        "SELECT count(*), COUNT(*) FROM patient",
        Some("SELECT count(*) FROM patient"),
    );
}

#[test]
fn other_databases_are_translated() {
    let to = |sql: &str, expected: &str| check(sql, Some(expected));
    to(
        "SELECT name FROM patient WHERE YEAR(born) = 1980",
        "SELECT name FROM patient WHERE CAST(strftime('%Y', born) AS INTEGER) = 1980",
    );
    to(
        "SELECT name FROM patient WHERE EXTRACT(YEAR FROM born) = 1980",
        "SELECT name FROM patient WHERE CAST(strftime('%Y', born) AS INTEGER) = 1980",
    );
    to(
        "SELECT TO_CHAR(born, 'YYYY-MM') FROM patient",
        "SELECT strftime('%Y-%m', born) FROM patient",
    );
    to(
        "SELECT LEN(name), NVL(city, 'none') FROM patient",
        "SELECT length(name), ifnull(city, 'none') FROM patient",
    );
    to(
        "SELECT name FROM patient WHERE name ILIKE 'a%'",
        "SELECT name FROM patient WHERE name LIKE 'a%'",
    );
    to(
        "SELECT weight::integer FROM patient WHERE born > DATE '1980-01-01'",
        "SELECT CAST(weight AS INTEGER) FROM patient WHERE born > '1980-01-01'",
    );
    to(
        "SELECT name FROM patient WHERE weight >= ALL (SELECT weight FROM patient)",
        "SELECT name FROM patient WHERE weight >= (SELECT max(weight) FROM (SELECT weight FROM patient))",
    );
    to(
        "SELECT DATEDIFF(at, '2020-01-01') FROM visit",
        "SELECT CAST(julianday(date(at)) - julianday(date('2020-01-01')) AS INTEGER) FROM visit",
    );
    to(
        "SELECT UPPPER(name) FROM patient",
        "SELECT upper(name) FROM patient",
    );
    to(
        "SELECT name FROM patient ORDER BY weight DESC FETCH FIRST 3 ROWS ONLY",
        "SELECT name FROM patient ORDER BY weight DESC LIMIT 3",
    );
    to(
        "SELECT id FROM patient MINUS SELECT patient_id FROM visit",
        "SELECT id FROM patient EXCEPT SELECT patient_id FROM visit",
    );
    to(
        "SELECT id FROM patient EXCEPT (SELECT patient_id FROM visit)",
        "SELECT id FROM patient EXCEPT SELECT patient_id FROM visit",
    );
    to(
        "SELECT name FROM patient WHERE weight > 80 AND ROWNUM <= 5",
        "SELECT name FROM patient WHERE weight > 80 LIMIT 5",
    );
    to("SELECT 1 + 1 FROM dual", "SELECT 1 + 1");
    // The rows are taken before they are in order.
    check("SELECT name FROM patient WHERE ROWNUM <= 5 ORDER BY weight", None);
}

#[test]
fn what_the_question_asks_for_is_mended() {
    let mut wrong = Vec::new();
    let mut to = |question: &str, sql: &str, expected: Option<&str>| {
        let repaired = repair(sql, &Asked::now(question, gardens()));
        let after = repaired.as_ref().map(|repaired| repaired.sql.as_str());
        if after != expected {
            wrong.push(format!(
                "{question}\n    {sql}\n    {after:?}\n    not {expected:?}"
            ));
        }
    };
    // orders and limits
    to(
        "What is the name of the flower with the lowest height?",
        "SELECT name FROM flowers ORDER BY height DESC LIMIT 1",
        Some("SELECT name FROM flowers ORDER BY height LIMIT 1"),
    );
    to(
        "What are the names of the 3 highest flowers?",
        "SELECT name FROM flowers ORDER BY height DESC",
        Some("SELECT name FROM flowers ORDER BY height DESC LIMIT 3"),
    );
    to(
        "What are the names of the flowers, ordered by height?",
        "SELECT name FROM flowers",
        Some("SELECT name FROM flowers ORDER BY height"),
    );
    to(
        "List the names of flowers from the highest to the lowest.",
        "SELECT name FROM flowers ORDER BY height DESC",
        None,
    );
    // conditions
    to(
        "What are the names of the red flowers?",
        "SELECT name FROM flowers",
        Some("SELECT name FROM flowers WHERE colour = 'red'"),
    );
    to(
        "What are the names of the red flowers?",
        "SELECT name FROM flowers WHERE colour = 'blue'",
        Some("SELECT name FROM flowers WHERE colour = 'red'"),
    );
    to(
        "What are the names of flowers with a height above 20?",
        "SELECT name FROM flowers WHERE height < 20",
        Some("SELECT name FROM flowers WHERE height > 20"),
    );
    to(
        "What are the names of flowers with a height smaller than or equal to 20?",
        "SELECT name FROM flowers WHERE height <= 20",
        None,
    );
    to(
        "What are the names of trees in gardens in Oslo?",
        "SELECT trees.name FROM trees JOIN gardens ON trees.garden_id = gardens.id WHERE gardens.name = 'Oslo'",
        Some(
            "SELECT trees.name FROM trees JOIN gardens ON trees.garden_id = gardens.id WHERE gardens.city = 'Oslo'",
        ),
    );
    // what is shown
    to(
        "What are the names of all flowers?",
        "SELECT name, height FROM flowers",
        Some("SELECT name FROM flowers"),
    );
    to(
        "What are the colours of the flowers?",
        "SELECT planted FROM flowers",
        Some("SELECT colour FROM flowers"),
    );
    to(
        "How many flowers are there?",
        "SELECT name FROM flowers",
        Some("SELECT COUNT(*) FROM flowers"),
    );
    to(
        "What is the average height of the flowers?",
        "SELECT height FROM flowers",
        Some("SELECT AVG(height) FROM flowers"),
    );
    // groups
    to(
        "How many flowers are there of each colour?",
        "SELECT COUNT(*) FROM flowers",
        Some("SELECT colour, COUNT(*) FROM flowers GROUP BY colour"),
    );
    to(
        "Which colours do at least two flowers have?",
        "SELECT colour FROM flowers GROUP BY id, colour HAVING COUNT(*) >= 2",
        Some("SELECT colour FROM flowers GROUP BY colour HAVING COUNT(*) >= 2"),
    );
    to(
        "What is the total age across all trees?",
        "SELECT SUM(age) FROM trees",
        None,
    );
    // sets, and what is denied
    to(
        "What are the names of gardens without flowers?",
        "SELECT name FROM gardens WHERE id IN (SELECT garden_id FROM flowers)",
        Some("SELECT name FROM gardens WHERE id NOT IN (SELECT garden_id FROM flowers)"),
    );
    to(
        "Which gardens have not only red but also blue flowers?",
        "SELECT garden_id FROM flowers WHERE colour = 'red' INTERSECT SELECT garden_id FROM flowers WHERE colour = 'blue'",
        None,
    );
    // of two columns of one name nobody knows which is meant
    to(
        "What are the names of the flowers in gardens with trees?",
        "SELECT DISTINCT flowers.name FROM flowers JOIN trees ON flowers.garden_id = garden_id",
        None,
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_recursion_stays_one() {
    let parts = [
        "SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9",
        "SELECT id FROM patient WHERE city = 'Rome' AND city = 'Oslo' UNION ALL SELECT i + 1 FROM n WHERE i < 9",
    ];
    for question in [
        "which patients live in both Rome and Oslo?",
        "which patients live in Rome or Oslo?",
        "patients without visits",
        "how many numbers are there up to 9?",
        "which patients do not live in Rome?",
    ] {
        for part in parts {
            let sql = format!("WITH RECURSIVE n(i) AS ({part}) SELECT i FROM n");
            if let Some(repaired) = repair(&sql, &Asked::now(question, clinic_snapshot())) {
                let kept = "UNION ALL SELECT i + 1 FROM n";
                assert!(repaired.sql.contains(kept), "{question}: {}", repaired.sql);
                assert!(
                    !repaired.sql.contains("INTERSECT"),
                    "{question}: {}",
                    repaired.sql
                );
            }
        }
    }
}

#[test]
fn an_error_of_stored_values_changes_nothing_of_what_is_asked() {
    let asked = Asked::now("total weight", clinic_snapshot());
    let united = "SELECT sum(w.weight) FROM (SELECT id, weight FROM patient UNION ALL SELECT id, weight FROM patient) AS w";
    assert_eq!(repair_only(united, &asked), None);
    // Nor the literal that it can come of.
    let born = "SELECT name FROM patient WHERE born = '2024/02/29'";
    let asked = Asked::now("", clinic_snapshot());
    assert_eq!(repair_only(born, &asked), None);
}
