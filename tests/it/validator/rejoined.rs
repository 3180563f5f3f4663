//! Tables whose columns a statement names and that it does not read: whether and how they are to be joined, only its author knows.

use querent::question::validator::{Asked, repair};

use super::clinic_snapshot;

#[test]
fn a_join_is_left_to_the_author() {
    for sql in [
        // Where the key is NULL, the row would be gone.
        "SELECT T1.amount, T1.title FROM prescription AS T1",
        "SELECT fee, city FROM visit WHERE fee > 10 ORDER BY city",
        "SELECT name FROM patient WHERE id IN (SELECT patient_id FROM visit WHERE salary > 5)",
        // over several keys
        "SELECT floor FROM visit",
        // by way of a table that nobody named
        "SELECT T1.city FROM patient AS T1 JOIN doctor AS T2 ON T1.doctor_id = T2.id AND T2.salary > 5",
        // a table that is not there is none of those that have its columns
        "SELECT x.salary FROM physician AS x WHERE x.department_id = 1",
        "SELECT x.id FROM physician AS x",
        // several tables have it, or none
        "SELECT name FROM visit",
        "SELECT length FROM visit",
    ] {
        let repaired = repair(sql, &Asked::now("", clinic_snapshot()));
        assert_eq!(repaired.map(|repaired| repaired.sql), None, "{sql}");
    }
}
