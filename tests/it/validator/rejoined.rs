//! Corrections that bring in the tables whose columns a statement names.

use querent::question::{
    schema::Dialect,
    validator::{Asked, repair, validate},
};

use super::{clinic, clinic_snapshot};

#[test]
fn tables_that_are_lacking_are_joined_along_the_keys() {
    let check = |sql: &str, expected: Option<&str>| {
        let repaired = repair(sql, &Asked::now("", clinic_snapshot())).map(|repaired| repaired.sql);
        assert_eq!(repaired.as_deref(), expected, "{sql}");
        if let Some(sql) = repaired {
            assert!(validate(&sql, clinic(), Dialect::Sqlite).is_ok(), "{sql}");
        }
    };
    // one key away, and two
    check(
        "SELECT T1.amount, T1.title FROM prescription AS T1",
        Some("SELECT T1.amount, T2.title FROM prescription AS T1 JOIN drug AS T2 ON T1.drug_code = T2.code"),
    );
    check(
        "SELECT fee, city FROM visit WHERE fee > 10 ORDER BY city",
        Some(
            "SELECT visit.fee, patient.city FROM visit JOIN patient ON visit.patient_id = patient.id \
             WHERE visit.fee > 10 ORDER BY patient.city",
        ),
    );
    check(
        "SELECT floor FROM visit",
        Some(
            "SELECT department.floor FROM visit JOIN doctor ON visit.doctor_id = doctor.id \
             JOIN department ON doctor.department_id = department.id",
        ),
    );
    // in a subquery
    check(
        "SELECT name FROM patient WHERE id IN (SELECT patient_id FROM visit WHERE salary > 5)",
        Some(
            "SELECT name FROM patient WHERE id IN (SELECT visit.patient_id FROM visit \
             JOIN doctor ON visit.doctor_id = doctor.id WHERE doctor.salary > 5)",
        ),
    );
    // joined on a column that is not there, by way of a table that nobody named
    check(
        "SELECT T1.city FROM patient AS T1 JOIN doctor AS T2 ON T1.doctor_id = T2.id AND T2.salary > 5",
        Some(
            "SELECT T1.city FROM patient AS T1 JOIN visit AS T3 ON T3.patient_id = T1.id \
             JOIN doctor AS T2 ON T3.doctor_id = T2.id WHERE T2.salary > 5",
        ),
    );
    // a table that is not there is none of those that have its columns
    check(
        "SELECT x.salary FROM physician AS x WHERE x.department_id = 1",
        None,
    );
    // several tables have it, equally near, or none
    check("SELECT name FROM visit", None);
    check("SELECT length FROM visit", None);
    check("SELECT x.id FROM physician AS x", None);
}
