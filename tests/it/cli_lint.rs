//! `querent lint`: findings in both formats, repairs, exit codes.

use serde_json::Value;

use crate::program::{Place, refuses};

/// Lints as JSON.
fn lint(place: &Place, question: &str, sql: &str) -> (i32, Vec<Value>, String) {
    let ran = place.run(&["lint", "sqlite:pets.db", question, sql, "--format", "json"]);
    let findings = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.out));
    (ran.code, findings, ran.err)
}

#[test]
fn findings_are_told_with_an_exit_code() {
    let place = Place::new();
    for (question, sql, code, expected) in [
        ("how many pets are there?", "SELECT COUNT(*) FROM pet", 0, &[][..]),
        (
            "",
            "SELECT nam FROM pet",
            1,
            &[("col_missing", "Schema Link", "error")],
        ),
        ("", "DELETE FROM pet", 1, &[("forbidden", "Policy", "error")]),
        (
            "",
            "SELECT name, name FROM pet",
            0,
            &[("duplicate_select", "Other", "warning")],
        ),
        // Only a run tells.
        (
            "",
            "SELECT p.name FROM pet AS p WHERE p.weight > 1000",
            0,
            &[("condition_wrong_col", "Filter", "warning")],
        ),
    ] {
        let (exit, findings, err) = lint(&place, question, sql);
        let told: Vec<(&str, &str, &str)> = findings
            .iter()
            .map(|finding| {
                let field = |name: &str| finding[name].as_str().unwrap();
                (field("code"), field("category"), field("severity"))
            })
            .collect();
        assert_eq!((exit, told.as_slice()), (code, expected), "{sql}: {err}");
    }
}

#[test]
fn a_repair_is_told_with_the_findings_that_it_removes() {
    let place = Place::new();
    let (code, findings, err) = lint(&place, "", "SELECT nmae, kind FROM pet");
    assert_eq!(code, 1);
    let repaired = "SELECT name, kind FROM pet";
    assert_eq!(findings[0]["code"], "col_missing");
    assert_eq!(findings[0]["repair"], repaired, "{findings:?}");
    assert!(findings[0]["hint"].is_null() || findings[0]["hint"].as_str().unwrap().len() > 3);
    assert_eq!(err, format!("repaired: {repaired}\n"));
    // What cannot be repaired has no repair.
    let (_, findings, err) = lint(&place, "", "SELECT zzz FROM pet");
    assert!(findings[0]["repair"].is_null());
    assert_eq!(err, "");
}

#[test]
fn people_get_a_table() {
    let place = Place::new();
    let ran = place.run(&["lint", "sqlite:pets.db", "", "SELECT nmae FROM pet"]);
    assert_eq!(ran.code, 1);
    let mut lines = ran.out.lines();
    let header: Vec<&str> = lines.next().unwrap().split('|').map(str::trim).collect();
    assert_eq!(
        header,
        ["code", "category", "severity", "message", "hint", "repair"]
    );
    assert!(
        ran.out.contains("col_missing") && ran.out.ends_with("(1 row)\n"),
        "{}",
        ran.out
    );
    let ran = place.run(&["lint", "sqlite:pets.db", "", "SELECT name FROM pet"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.ends_with("(0 rows)\n"), "{}", ran.out);
}

#[test]
fn wrong_usage_is_told() {
    let place = Place::new();
    for links in [400, 1_000, 20_000] {
        let deep = format!("SELECT 1::int{}", "[]".repeat(links));
        let (code, _, err) = lint(&place, "", &deep);
        assert!([0, 1].contains(&code), "{links}: {code} {err}");
    }
    refuses(&place, &["lint", "sqlite:pets.db", "q"], 2, &["<SQL>"]);
    refuses(
        &place,
        &["lint", "sqlite:none.db", "q", "SELECT 1"],
        1,
        &["none.db"],
    );
    let odd = ["lint", "pets.db", "q", "SELECT 1", "--format", "xml"];
    refuses(
        &place,
        &odd,
        2,
        &["[possible values: table, csv, json, jsonl, markdown]"],
    );
}
