//! Schemas that go into no prompt: what is chosen of them.

use std::fmt::Write;

use querent::question::{
    prompt::{Excerpt, Similarity, Values, estimate_tokens, excerpt, schema_text},
    schema::{Column, Dialect, ForeignKey, Snapshot},
};

use super::{database, key, table};

const AREAS: &[&str] = &[
    "sales",
    "billing",
    "payroll",
    "logistics",
    "marketing",
    "support",
    "security",
    "catalog",
    "fleet",
    "clinic",
];
const THINGS: &[&str] = &[
    "account",
    "agreement",
    "badge",
    "batch",
    "carrier",
    "claim",
    "container",
    "course",
    "device",
    "dispute",
    "document",
    "driver",
    "event",
    "forecast",
    "incident",
    "inspection",
    "invoice",
    "lease",
    "license",
    "machine",
    "meeting",
    "message",
    "offer",
    "parcel",
    "patient",
    "payment",
    "permit",
    "plan",
    "pump",
    "quote",
    "receipt",
    "refund",
    "rental",
    "repair",
    "request",
    "route",
    "salary",
    "schedule",
    "sensor",
    "shift",
    "shipment",
    "survey",
    "ticket",
    "tour",
    "transfer",
    "valve",
    "vehicle",
    "visit",
    "voucher",
    "warranty",
];
const KINDS: &[&str] = &[
    "", "_status", "_history", "_type", "_note", "_audit", "_import", "_archive", "_link", "_log",
];

/// 5,000 tables of twenty columns: things of several areas, each with tables around it.
fn enterprise() -> Snapshot {
    let mut tables = Vec::new();
    let mut keys: Vec<ForeignKey> = Vec::new();
    for area in AREAS {
        for thing in THINGS {
            let first = tables.len();
            for kind in KINDS {
                let own = format!("{thing}{kind}_id integer");
                let parent = format!("{thing}_id_ref integer");
                let mut columns: Vec<String> = vec![own, parent];
                columns.extend(
                    [
                        "name",
                        "code",
                        "description",
                        "created_at",
                        "updated_at",
                        "created_by",
                        "active",
                        "version",
                    ]
                    .map(|name| format!("{name} text")),
                );
                columns.extend((0..10).map(|number| format!("attribute_{number} text")));
                let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
                let at = tables.len();
                tables.push(table(&format!("{area}_{thing}{kind}"), &columns));
                if at > first {
                    keys.push(key((at, 1), first));
                }
            }
        }
    }
    let at = |tables: &[querent::question::schema::Table], name: &str| {
        tables.iter().position(|table| table.name == name).unwrap()
    };
    // Two areas meet in one table.
    let (vehicle, driver) = (at(&tables, "fleet_vehicle"), at(&tables, "fleet_driver"));
    let mut assignment = table(
        "fleet_roster",
        &["id integer", "vehicle_id integer", "driver_id integer"],
    );
    assignment.comment = Some("who sits behind the wheel".into());
    tables.push(assignment);
    let roster = tables.len() - 1;
    keys.push(key((roster, 1), vehicle));
    keys.push(key((roster, 2), driver));
    let invoice = at(&tables, "billing_invoice");
    tables[invoice].columns[12].name = "dueAmount".into();
    let name = at(&tables, "logistics_carrier");
    database(
        tables,
        keys,
        &[((name, 2), "Northern Star Freight")],
        Dialect::Postgres,
    )
}

/// The tables that a question must find.
fn check(snapshot: &Snapshot, question: &str, budget: usize, expected: &[&str]) -> Excerpt {
    let chosen = excerpt(question, snapshot, budget, None);
    assert_eq!(chosen, excerpt(question, snapshot, budget, None));
    let names: Vec<&str> = chosen
        .tables
        .iter()
        .map(|at| snapshot.schema.tables[*at].name.as_str())
        .collect();
    let mut missing = String::new();
    for name in expected.iter().filter(|name| !names.contains(*name)) {
        write!(missing, "{name} ").unwrap();
    }
    assert!(missing.is_empty(), "{question}: without {missing}: {names:?}");
    let text = schema_text(snapshot, &chosen, Values::Send);
    assert!(
        estimate_tokens(&text) <= chosen.tokens,
        "{question}: {}",
        chosen.tokens
    );
    assert!(
        chosen.tokens <= budget && !chosen.over_budget,
        "{question}: {}",
        chosen.tokens
    );
    assert_eq!(
        chosen.tables.len() + chosen.left_out,
        snapshot.schema.tables.len()
    );
    chosen
}

#[test]
fn the_right_tables_of_five_thousand_are_found() {
    let snapshot = enterprise();
    for (question, expected) in [
        ("How many billing invoices are there?", &["billing_invoice"][..]),
        ("total due amount of invoices", &["billing_invoice"]),
        (
            "names of the fleet's drivers and their vehicles",
            &["fleet_driver", "fleet_vehicle", "fleet_roster"],
        ),
        ("Who sits behind the wheel?", &["fleet_roster"]),
        (
            "parcels that Northern Star Freight carried",
            &["logistics_carrier"],
        ),
        (
            "status of clinic patients",
            &["clinic_patient", "clinic_patient_status"],
        ),
        (
            "security incidents with their notes",
            &["security_incident", "security_incident_note"],
        ),
        (
            "payroll salaries by type",
            &["payroll_salary", "payroll_salary_type"],
        ),
        (
            "doctors' inspection reports of the clinic",
            &["clinic_inspection"],
        ),
    ] {
        check(&snapshot, question, 2_000, expected);
    }
}

#[test]
fn a_question_about_nothing_still_gets_something() {
    let chosen = check(&enterprise(), "qwertyuiop?", 1_000, &[]);
    assert!(!chosen.tables.is_empty());
}

#[test]
fn tables_between_two_others_are_there() {
    let mut tables: Vec<_> = (0..60)
        .map(|number| table(&format!("filler{number}"), &["id integer", "text text"]))
        .collect();
    tables.push(table("student", &["id integer", "name text"]));
    tables.push(table("enrolment", &["id integer", "s integer", "c integer"]));
    tables.push(table("course", &["id integer", "title text"]));
    let keys = vec![key((61, 1), 60), key((61, 2), 62)];
    let snapshot = database(tables, keys, &[], Dialect::Sqlite);
    check(
        &snapshot,
        "title of each student's course",
        300,
        &["student", "enrolment", "course"],
    );
}

/// A table of many columns shows its keys and those that the question speaks of.
#[test]
fn wide_tables_lose_columns() {
    let mut wide = table(
        "measurement",
        &["id integer", "station integer", "wind_speed numeric"],
    );
    wide.columns.extend((0..400).map(|number| Column {
        name: format!("reserved_{number}"),
        declared_type: "text".into(),
        ..Column::default()
    }));
    let tables = vec![wide, table("station", &["id integer", "name text"])];
    let snapshot = database(tables, vec![key((0, 1), 1)], &[], Dialect::Sqlite);
    let chosen = check(
        &snapshot,
        "highest wind speed by station",
        400,
        &["measurement", "station"],
    );
    assert_eq!(chosen.columns, [Some(vec![0, 1, 2]), None]);
    let text = schema_text(&snapshot, &chosen, Values::Send);
    assert!(text.contains("-- 400 more columns left out"), "{text}");
}

#[test]
fn what_goes_into_no_budget_is_told() {
    let chosen = excerpt("billing invoice", &enterprise(), 20, None);
    assert!(chosen.over_budget && chosen.tables.len() == 1, "{chosen:?}");
    let small = database(vec![table("a", &["id integer"])], vec![], &[], Dialect::Sqlite);
    let whole = excerpt("anything", &small, 100, None);
    assert!(whole.is_whole() && !whole.over_budget && whole == Excerpt::whole(&small));
}

/// Nearness in meaning brings a table whose words say nothing.
#[test]
fn meaning_counts() {
    let tables = (0..100)
        .map(|number| table(&format!("t{number}"), &["id integer", "x text"]))
        .collect();
    let snapshot = database(tables, vec![], &[], Dialect::Sqlite);
    let mut near = vec![0.1; 100];
    near[42] = 0.8;
    let chosen = excerpt(
        "people who were born in spring",
        &snapshot,
        200,
        Some(&Similarity { tables: near }),
    );
    assert!(chosen.tables.contains(&42), "{chosen:?}");
}
