//! Text in double quotes: SQLite reads it, answers to questions do not have it.

use querent::question::validator::{Asked, repair, review, validate};

use super::{clinic, clinic_snapshot};

#[test]
fn text_in_double_quotes_is_text_to_a_review_and_mended_in_an_answer() {
    let check = |sql: &str, findings: &[&str]| {
        let asked = Asked::now("", clinic_snapshot());
        let found = review(sql, &asked).findings;
        let codes: Vec<&str> = found.iter().map(|finding| finding.code.name()).collect();
        assert_eq!(codes, findings, "{sql}");
        assert!(
            validate(sql, clinic(), clinic_snapshot().dialect).is_err(),
            "{sql}"
        );
        let repaired = repair(sql, &asked).unwrap_or_else(|| panic!("{sql}")).sql;
        assert!(
            validate(&repaired, clinic(), clinic_snapshot().dialect).is_ok(),
            "{repaired}"
        );
    };
    check(r#"SELECT name FROM patient WHERE "phone number" = "x y""#, &[]);
    check(
        r#"SELECT name FROM patient WHERE weight > 3 AND city LIKE "%o%""#,
        &[],
    );
    // Near enough to a column to be one, and a text to SQLite: that is its author's to say.
    let near = r#"SELECT "nmae" FROM patient"#;
    let asked = Asked::now("", clinic_snapshot());
    let found = review(near, &asked).findings;
    assert_eq!(
        found.first().map(|finding| finding.code.name()),
        Some("col_missing")
    );
    assert_eq!(repair(near, &asked), None);
}
