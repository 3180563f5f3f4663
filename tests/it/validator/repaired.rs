//! Corrections that are safe without knowing the question.

use querent::question::{
    schema::Dialect,
    validator::{Asked, Code, Finding, Repaired, repair, validate},
};

use super::{clinic, clinic_snapshot};

#[test]
fn near_misses_are_corrected() {
    let check = |sql: &str, expected: Option<&str>| {
        let repaired = repair(sql, &Asked::now("", clinic_snapshot()));
        assert_eq!(
            repaired.as_ref().map(|repaired| repaired.sql.as_str()),
            expected,
            "{sql}"
        );
        if let Some(Repaired { sql, fixed }) = repaired {
            assert!(validate(&sql, clinic(), Dialect::Sqlite).is_ok(), "{sql}");
            assert!(!fixed.is_empty());
        }
    };
    // A column behind the wrong alias: which of both is wrong?
    check(
        "SELECT T1.fee FROM patient AS T1 JOIN visit AS T2 ON T2.patient_id = T1.id",
        None,
    );
    // The alias or the name: a patient has an `id`.
    check(
        "SELECT T1.name FROM patient AS T1 JOIN visit AS T2 ON T1.patient_id = T1.id",
        None,
    );
    check(
        "SELECT patient.name FROM patient AS p",
        Some("SELECT p.name FROM patient AS p"),
    );
    check("SELECT x.name FROM patient AS p", None);
    // one misspelled name, and none of several
    check("SELECT nmae FROM patient", Some("SELECT name FROM patient"));
    check("SELECT name FROM patients", Some("SELECT name FROM patient"));
    check("SELECT nmae FROM patients", None);
    check(
        "SELECT p.wieght FROM patient p",
        Some("SELECT p.weight FROM patient p"),
    );
    check(
        "SELECT phone_number FROM patient",
        Some("SELECT \"phone number\" FROM patient"),
    );
    check(
        "SELECT count(*) FROM orders",
        Some("SELECT count(*) FROM \"order\""),
    );
    // text in the wrong quotes, and numbers that should be text
    check(
        "SELECT name FROM patient WHERE city = \"Rome\"",
        Some("SELECT name FROM patient WHERE city = 'Rome'"),
    );
    check(
        "SELECT name FROM patient WHERE city = \"l'Aquila\"",
        Some("SELECT name FROM patient WHERE city = 'l''Aquila'"),
    );
    check(
        "SELECT name FROM patient WHERE strftime('%Y', born) = 1980",
        Some("SELECT name FROM patient WHERE strftime('%Y', born) = '1980'"),
    );
    check(
        "SELECT weight FROM patient WHERE weight = \"heavy\"",
        Some("SELECT weight FROM patient WHERE weight = 'heavy'"),
    );
    // nothing to do, or nothing that is sure
    check("SELECT name FROM patient", None);
    check("SELECT size FROM patient", None);
    check("SELECT name FROM nowhere", None);
    check("DROP TABLE patient", None);
    check(
        "SELECT name FROM doctor d JOIN department e ON d.department_id = e.id",
        None,
    );
    check("SELECT", None);
}

#[test]
fn another_table_is_no_correction() {
    for (question, sql) in [
        ("", "SELECT count(*) FROM patient_banned"),
        ("", "SELECT count(*) FROM old_patient"),
        ("", "SELECT count(*) FROM visit_2023"),
        ("", "SELECT p.name, p.city FROM people AS p"),
        (
            "patients",
            "SELECT id FROM patient WHERE id NOT IN (SELECT id FROM patient_banned)",
        ),
        (
            "patients",
            "SELECT count(*) FROM patient EXCEPT SELECT count(*) FROM patient_old",
        ),
        (
            "patients seen",
            "SELECT count(*) FROM patient p JOIN visit_cancelled r ON r.id = p.id",
        ),
        (
            "patients seen",
            "SELECT count(*) FROM patient p JOIN referrals r ON r.id = p.id",
        ),
    ] {
        let repaired = repair(sql, &Asked::now(question, clinic_snapshot()));
        let repaired = repaired.map_or(sql.to_owned(), |repaired| repaired.sql);
        let found = validate(&repaired, clinic(), Dialect::Sqlite);
        let missing = |finding: &Finding| finding.code == Code::TableMissing;
        assert!(
            found.is_err_and(|found| found.iter().any(missing)),
            "{sql}: {repaired}"
        );
    }
}

#[test]
fn what_is_taken_away_stays_away() {
    for sql in [
        "SELECT id FROM patient WHERE id NOT IN (SELECT patient_id FROM visit)",
        "SELECT id FROM patient EXCEPT SELECT patient_id FROM visit",
        "SELECT name FROM patient WHERE name NOT LIKE 'A%'",
    ] {
        for question in [
            "patients with visits",
            "which patients are both seen and ill?",
            "patients",
        ] {
            let repaired = repair(sql, &Asked::now(question, clinic_snapshot()));
            let repaired = repaired.map_or(sql.to_owned(), |repaired| repaired.sql);
            assert!(
                repaired.contains("NOT ") || repaired.contains("EXCEPT"),
                "{question}: {repaired}"
            );
        }
    }
}

#[test]
fn a_wrong_column_costs_no_limit_join_or_call() {
    for sql in [
        "SELECT name FROM patient ORDER BY wiegt DESC LIMIT 1",
        "SELECT p.name FROM patient p JOIN visit v ON v.pat = p.id",
        "SELECT count(*) FILTER (WHERE city = \"nowhere\") FROM patient",
    ] {
        let Some(Repaired { sql: repaired, .. }) = repair(sql, &Asked::now("", clinic_snapshot())) else {
            continue;
        };
        for word in ["LIMIT", "JOIN", "count(*) FILTER"] {
            let kept = !sql.contains(word) || repaired.contains(word);
            assert!(kept, "{sql} became {repaired}");
        }
    }
}

#[test]
fn the_operator_of_two_selects_stays() {
    let sql = "SELECT name FROM patient UNION ALL SELECT name, id FROM patient";
    let repaired = repair(sql, &Asked::now("names of everybody", clinic_snapshot()));
    let sql = repaired.map_or_else(String::new, |repaired| repaired.sql);
    assert!(!sql.contains("INTERSECT"), "{sql}");
}

#[test]
fn a_correction_that_only_moves_the_fault_is_none() {
    let sql = "SELECT d.name FROM doctor d LEFT JOIN visit v ON d.id = w.salary WHERE d.name = \"Ann\"";
    let Repaired { sql: repaired, fixed } = repair(sql, &Asked::now("", clinic_snapshot())).unwrap();
    assert_eq!(repaired, sql.replace('"', "'"));
    assert_eq!(fixed.len(), 1);
}

#[test]
fn an_outer_join_that_says_more_than_a_key_stays_one() {
    for kind in ["LEFT", "RIGHT", "FULL"] {
        for condition in ["false", "1 = 0", "p.weight < 0", "true"] {
            let sql = format!("SELECT p.name, v.fee FROM patient p {kind} JOIN visit v ON {condition}");
            let repaired = repair(
                &sql,
                &Asked::now("show patient names with fees", clinic_snapshot()),
            );
            let repaired = repaired.map_or(sql.clone(), |repaired| repaired.sql);
            assert!(repaired.contains(&format!("{kind} JOIN")), "{sql}: {repaired}");
        }
    }
}
