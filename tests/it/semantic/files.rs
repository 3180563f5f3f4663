//! `querent semantic` with files: what is written reads back and changes nothing, what is wrong is told with its place.

use std::fmt::Write as _;

use crate::program::{Place, Ran};

const MODEL: &str = "\
version: 0.2.0.dev0
semantic_model:
- name: pets
  datasets:
  - name: animals
    source: pet
    fields:
    - name: kilos
      expression: {dialects: [{dialect: ANSI_SQL, expression: weight}]}
      ai_context: {synonyms: [mass]}
    custom_extensions:
    - vendor_name: QUERENT
      data: {filters: [{name: heavy, expression: \"weight > 10\"}]}
    metrics:
    - name: load
      expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(kilos)}]}
  metrics:
  - name: average load
    expression: {dialects: [{dialect: ANSI_SQL, expression: load / COUNT(animals.id)}]}
";

fn semantic(place: &Place, arguments: &[&str]) -> Ran {
    let mut all = vec!["semantic"];
    all.extend_from_slice(arguments);
    place.run(&all)
}

#[test]
fn what_is_written_changes_nothing() {
    let place = Place::new();
    let ran = semantic(&place, &["init", "pets.db", "--output", "own.yaml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = semantic(&place, &["check", "pets.db", "--model-file", "own.yaml"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (0, "own.yaml: changes nothing of what is inferred\n"),
        "{}",
        ran.err
    );
    let ran = semantic(&place, &["diff", "pets.db", "--model-file", "own.yaml"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    // A file that is there is somebody's work.
    let ran = semantic(&place, &["init", "pets.db", "--output", "own.yaml"]);
    assert_eq!(ran.code, 1);
}

/// Of a model in which words mean several things, and whose filters are conditions of all kinds.
#[test]
fn what_is_written_of_the_shop_changes_nothing() {
    let place = Place::new();
    let ran = place.run(&["demo", "--save", "shop.db", "--today", "2026-03-01"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = semantic(&place, &["init", "shop.db", "--output", "own.yaml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = semantic(&place, &["check", "shop.db", "--model-file", "own.yaml"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (0, "own.yaml: changes nothing of what is inferred\n"),
        "{}",
        ran.err
    );
}

#[test]
fn a_file_says_what_it_changes_and_its_metrics_are_measured() {
    let place = Place::new();
    std::fs::write(place.path("m.yaml"), MODEL).unwrap();
    let ran = semantic(&place, &["check", "pets.db", "--model-file", "m.yaml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for expected in [
        "pet: also called animals",
        "weight also called kilos, mass",
        "metric load: SUM(pet.weight) (new)",
        "metric average load: SUM(pet.weight) / COUNT(*) (new)",
        "filter pet.heavy: (pet.weight > 10) (new)",
    ] {
        assert!(
            ran.out.contains(expected) || ran.out.contains(&expected.replace("kilos, mass", "mass, kilos")),
            "no {expected} in {}",
            ran.out
        );
    }
    let query = [
        "query",
        "pets.db",
        "--model-file",
        "m.yaml",
        "--metric",
        "load",
        "--format",
        "json",
    ];
    let whole = semantic(&place, &query);
    let by_kind = semantic(&place, &[&query[..], &["--by", "animals.kind"]].concat());
    let sum = |text: &str| -> f64 {
        let rows: Vec<serde_json::Value> = serde_json::from_str(text).unwrap();
        rows.iter().filter_map(|row| row["load"].as_f64()).sum()
    };
    assert!(
        (sum(&whole.out) - sum(&by_kind.out)).abs() < 1e-9,
        "{} {}",
        whole.out,
        by_kind.out
    );
    assert!(sum(&whole.out) > 0.0);
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let place = Place::new();
    for (what, by, expected) in [
        (
            "source: pet",
            "source: nope",
            "m.yaml:6:13: there is no table nope",
        ),
        (
            "SUM(kilos)",
            "SUM(tons)",
            "m.yaml:16:19: load: pet has no column or field tons",
        ),
        (
            "SUM(kilos)",
            "weight",
            "load: weight is no metric, and a column must stand inside an aggregate",
        ),
        (
            "SUM(kilos)",
            "SUM((SELECT 1))",
            "load: a subquery must not stand in it",
        ),
        (
            "SUM(kilos)",
            "SUM(kilos); DROP TABLE pet",
            "load: it is not one SQL expression",
        ),
        (
            "SUM(kilos)",
            "SUM(kilos) FROM pet",
            "load: it is not one SQL expression",
        ),
        ("SUM(kilos)", "\\\"average load\\\" + 1", "it is made of itself"),
        (
            "weight > 10",
            "weigth > 10",
            "filter heavy: pet has no column or field weigth",
        ),
        (
            "load / COUNT",
            "SUM(load_extension(animals.name)) / COUNT",
            "average load: a question may not call load_extension",
        ),
        (
            "name: average load",
            "name: load",
            "the metric load stands in line",
        ),
        ("source: pet", "source: [", "m.yaml:"),
        ("datasets:", "datasetz:", "unknown field `datasetz`"),
    ] {
        let mut text = MODEL.replacen(what, by, 1);
        if by.contains("average load") {
            text = text.replace(
                "expression: \\\"average load\\\" + 1",
                "expression: '\"average load\" + 1'",
            );
        }
        std::fs::write(place.path("m.yaml"), &text).unwrap();
        let ran = semantic(&place, &["check", "pets.db", "--model-file", "m.yaml"]);
        assert!(
            ran.code == 1 && ran.err.contains(expected),
            "{what} -> {by}: {} {}",
            ran.code,
            ran.err
        );
    }
}

#[test]
fn no_expression_of_a_file_overflows_the_stack() {
    let place = Place::new();
    for (open, inner, close) in [
        ("", "SUM(kilos)::int", "[]"),
        ("", "SUM(kilos)", " + 1"),
        ("", "SUM(kilos)", "::int"),
        ("", "SUM(kilos)", " IS NULL"),
        ("(", "SUM(kilos)", ")"),
        ("- ", "SUM(kilos)", ""),
        ("NOT ", "SUM(kilos)", ""),
        ("INTERVAL ", "SUM(kilos)", ""),
        ("CASE WHEN true THEN ", "SUM(kilos)", " END"),
        ("NULL::MAP<int, ", "int", ">"),
        ("NULL::STRUCT<a ", "int", ">"),
        ("NULL::ARRAY<", "int", ">"),
        ("x -> ", "SUM(kilos)", ""),
    ] {
        for links in [140, 290, 600, 2_500] {
            let deep = format!("{}{inner}{}", open.repeat(links), close.repeat(links));
            let text = MODEL.replacen("SUM(kilos)", &deep, 1);
            std::fs::write(place.path("m.yaml"), &text).unwrap();
            let ran = semantic(&place, &["check", "pets.db", "--model-file", "m.yaml"]);
            assert!(
                [0, 1].contains(&ran.code),
                "{open}{inner}{close}: {} {}",
                ran.code,
                ran.err
            );
        }
    }
}

#[test]
fn two_datasets_do_not_answer_to_one_name() {
    let place = Place::new();
    let check = |first: &str, second: &str| {
        let text = format!(
            "version: 0.2.0.dev0\nsemantic_model:\n- name: pets\n  datasets:\n  - {{name: animals, source: pet, \
             ai_context: {{synonyms: [{first}]}}}}\n  - {{name: people, source: owner, ai_context: {{synonyms: [{second}]}}}}\n"
        );
        std::fs::write(place.path("m.yaml"), text).unwrap();
        semantic(&place, &["check", "pets.db", "--model-file", "m.yaml"])
    };
    let ran = check("friends", "Friends");
    assert!(
        ran.err
            .contains("m.yaml:6:12: Friends means animals (line 5) and people"),
        "{}",
        ran.err
    );
    let ran = check("People", "keepers");
    assert!(
        ran.err
            .contains("m.yaml:5:12: People means people (line 6) and animals"),
        "{}",
        ran.err
    );
    let ran = check("creatures", "keepers");
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn one_name_of_a_dataset_does_not_stand_for_two_things() {
    let place = Place::new();
    let check = |what: &str, by: &str, expected: &str| {
        std::fs::write(place.path("m.yaml"), MODEL.replacen(what, by, 1)).unwrap();
        let ran = semantic(&place, &["check", "pets.db", "--model-file", "m.yaml"]);
        assert!(ran.err.contains(expected), "{expected}: {}{}", ran.out, ran.err);
    };
    let heavy = "{name: heavy, expression: \"weight > 10\"}";
    let twice = format!("{heavy}, {heavy}");
    check(heavy, &twice, "m.yaml:13:13: there are two filters called heavy");
    let also = format!("{heavy}, {{name: big, synonyms: [Heavy], expression: weight > 20}}");
    check(
        heavy,
        &also,
        "m.yaml:13:13: Heavy means the filters heavy and big",
    );
    let kilos =
        "    - name: kilos\n      expression: {dialects: [{dialect: ANSI_SQL, expression: weight}]}\n";
    let again = format!(
        "    - name: Kilos\n      expression: {{dialects: [{{dialect: ANSI_SQL, expression: weight / 2}}]}}\n{kilos}"
    );
    check(
        kilos,
        &again,
        "m.yaml:10:13: the field kilos stands in line 8 already",
    );
}

#[test]
fn what_is_computed_is_written_as_it_is_read() {
    let place = Place::new();
    let text = "version: 0.2.0.dev0\nsemantic_model:\n- name: pets\n  datasets:\n  - name: owner\n    source: owner\n    \
        fields:\n    - name: load\n      expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(pet.weight)}]}\n    \
        custom_extensions:\n    - vendor_name: QUERENT\n      data: {filters: [{name: keen, expression: COUNT(pet.id) > 1}]}\n  \
        metrics:\n  - name: laden\n    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(owner.id) FILTER (WHERE \
        owner.load > 4)}]}\n";
    std::fs::write(place.path("m.yaml"), text).unwrap();
    let query = |file: &str| {
        let arguments = ["query", "pets.db", "--model-file", file, "--metric", "laden"];
        let ran = semantic(
            &place,
            &[&arguments[..], &["--where", "owner.load > 20"]].concat(),
        );
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    let ran = semantic(&place, &["show", "pets.db", "--model-file", "m.yaml"]);
    assert!(
        ran.out.contains("(SELECT SUM(pet.weight) FROM pet WHERE"),
        "{}",
        ran.out
    );
    let ran = semantic(
        &place,
        &["show", "pets.db", "--model-file", "m.yaml", "--format", "yaml"],
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    std::fs::write(place.path("own.yaml"), &ran.out).unwrap();
    let check = semantic(&place, &["check", "pets.db", "--model-file", "own.yaml"]);
    assert_eq!(check.code, 0, "{}\n{}", check.err, ran.out);
    assert!(query("m.yaml").contains('1'));
    assert_eq!(query("m.yaml"), query("own.yaml"));
}

#[test]
fn aggregates_of_a_field_are_over_rows_that_lead_to_it() {
    let place = Place::new();
    for (expression, expected) in [
        (
            "SUM(animals.weight)",
            "only rows of others that lead to it can be added up",
        ),
        ("SUM(MAX(owner.id))", "it does not say which rows are counted"),
        ("COUNT(*)", "it does not say which rows are counted"),
    ] {
        let text = MODEL.replacen(
            "expression: weight}",
            &format!("expression: \"{expression}\"}}"),
            1,
        );
        std::fs::write(place.path("m.yaml"), text).unwrap();
        let ran = semantic(&place, &["check", "pets.db", "--model-file", "m.yaml"]);
        assert!(ran.err.contains(expected), "{expression}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn what_the_database_has_changed_is_told() {
    let place = Place::new();
    std::fs::write(
        place.path("m.yaml"),
        MODEL.replace("expression: weight}", "expression: mass_kg}"),
    )
    .unwrap();
    let ran = semantic(&place, &["diff", "pets.db", "--model-file", "m.yaml"]);
    assert!(
        ran.out.contains("pet.mass_kg: the column is gone"),
        "{} {}",
        ran.out,
        ran.err
    );
    assert!(ran.out.contains("pet.weight: the column is new"), "{}", ran.out);
}

/// `MODEL` with these metrics behind its own.
fn with_metrics(metrics: impl Iterator<Item = (String, String)>) -> String {
    let mut text = MODEL.to_owned();
    for (name, expression) in metrics {
        writeln!(
            text,
            "  - name: {name}\n    expression: {{dialects: [{{dialect: ANSI_SQL, expression: '{expression}'}}]}}"
        )
        .unwrap();
    }
    text
}

fn one_before(at: usize) -> String {
    at.checked_sub(1)
        .map_or_else(|| "m".to_owned(), |before| format!("m{before}"))
}

#[test]
fn what_grows_beyond_measure_is_refused() {
    let place = Place::new();
    let check = |text: &str, expected: &str| {
        std::fs::write(place.path("m.yaml"), text).unwrap();
        let ran = semantic(&place, &["check", "pets.db", "--model-file", "m.yaml"]);
        assert!(
            if expected.is_empty() {
                ran.code == 0
            } else {
                ran.err.contains(expected)
            },
            "{expected}: {}{}",
            ran.out,
            ran.err
        );
    };
    let made_of = |count: usize, expression: fn(usize) -> String| {
        let metrics = (0..count).map(move |at| (format!("m{at}"), expression(at)));
        std::iter::once(("m".to_owned(), "load".to_owned())).chain(metrics)
    };
    // Each is twice the one before.
    let twice = |at: usize| format!("{0} + {0}", one_before(at));
    check(&with_metrics(made_of(6, twice)), "");
    check(
        &with_metrics(made_of(40, twice)),
        "with all that it is made of it is longer than",
    );
    let one_more = |at: usize| format!("{} + 1", one_before(at));
    check(&with_metrics(made_of(30, one_more)), "");
    let deep = "metrics are made of metrics more than 64 deep";
    check(&with_metrics(made_of(3_000, one_more)), deep);
    let mut backwards: Vec<_> = made_of(3_000, one_more).collect();
    backwards.reverse();
    check(&with_metrics(backwards.into_iter()), deep);
    // Fields that are computed of fields.
    let mut fields = String::new();
    for at in 0..40_usize {
        let of = at
            .checked_sub(1)
            .map_or_else(|| "weight".to_owned(), |before| format!("f{before}"));
        writeln!(
            fields,
            "    - name: f{at}\n      expression: {{dialects: [{{dialect: ANSI_SQL, expression: '{of} + {of}'}}]}}"
        )
        .unwrap();
    }
    let text = MODEL.replacen(
        "    custom_extensions:",
        &format!("{fields}    custom_extensions:"),
        1,
    );
    check(&text, "with all that it is made of it is longer than");
}

#[test]
fn names_that_look_like_placeholders_are_refused() {
    let place = Place::new();
    for expression in [
        "COUNT(animals.id) + \\\"\\u00017\\\"",
        "SUM(\\\"\\u00010\\\")",
        "f\\u0001(load)",
    ] {
        let text = MODEL.replacen(
            "expression: load / COUNT(animals.id)",
            &format!("expression: \"{expression}\""),
            1,
        );
        std::fs::write(place.path("m.yaml"), text).unwrap();
        let ran = semantic(&place, &["check", "pets.db", "--model-file", "m.yaml"]);
        assert!(
            ran.err.contains("the expression holds a control character"),
            "{}{}",
            ran.out,
            ran.err
        );
    }
}
