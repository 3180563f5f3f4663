//! What is inferred of small databases, their rows included.

use super::{Evidence, infer};
use crate::question::{
    schema::{
        Cell, Column, ColumnKind, ColumnNames, ColumnProfile, ColumnRef, ForeignKey, Profile, Profiler,
        Schema, Table, code_tables,
    },
    semantic::{Additivity, Condition, DatasetRole, FieldRole, SemanticModel},
};

/// A table: its name, its columns and its rows, a text each; what is all digits is a number.
type Rows<'a> = (&'a str, &'a str, Vec<String>);

struct Database {
    schema: Schema,
    profile: Profile,
}

impl Database {
    fn of(tables: &[Rows<'_>]) -> Self {
        let mut schema = Schema::default();
        let mut profile = Profile::default();
        for (name, columns, rows) in tables {
            let names: Vec<&str> = columns.split(' ').collect();
            let cells: Vec<Vec<&str>> = rows.iter().map(|row| row.split('|').collect()).collect();
            let number = |column: usize| cells.iter().all(|row| row[column].parse::<i64>().is_ok());
            let mut profiler = Profiler::new(names.len());
            for row in &cells {
                profiler.row(row.iter().enumerate().map(|(column, text)| match text.parse() {
                    Ok(value) if number(column) => Cell::Integer(value),
                    _ => Cell::Text(text),
                }));
            }
            let column = |(at, name): (usize, &&str)| Column {
                name: (*name).to_owned(),
                kind: if number(at) {
                    ColumnKind::Integer
                } else {
                    ColumnKind::Text
                },
                ..Column::default()
            };
            schema.tables.push(Table {
                name: (*name).to_owned(),
                columns: names.iter().enumerate().map(column).collect(),
                ..Table::default()
            });
            profile.tables.push(Some(profiler.finish(true)));
        }
        Self { schema, profile }
    }

    fn at(&self, name: &str) -> ColumnRef {
        let (table, column) = name.split_once('.').expect("TABLE.COLUMN");
        let table = self.schema.table_named(table).expect("a table");
        let column = self.schema.tables[table].column_named(column).expect("a column");
        ColumnRef { table, column }
    }

    fn refers(&mut self, from: &str, to: &str) {
        self.schema.foreign_keys.push(ForeignKey {
            from: vec![self.at(from)],
            to: vec![self.at(to)],
            declared: false,
            enforced: false,
        });
    }

    fn model(&self) -> SemanticModel {
        infer(&Evidence::new(&self.schema, &self.profile))
    }
}

fn terse() -> Database {
    let customers = (1..=40).map(|n| {
        let closed = if n % 5 == 0 { 20_240_100 + n % 28 + 1 } else { 0 };
        format!(
            "{n}|{} NAME{n}|{}|20{:02}0{}15|{closed}",
            n % 7,
            n % 9,
            n % 20,
            n % 9 + 1
        )
    });
    let bills = (1..=60).map(|n| {
        let (month, day) = (n % 12 + 1, n % 27 + 1);
        format!(
            "{n}|{}|2023{month:02}15|2023{month:02}{day:02}|{}",
            n % 40 + 1,
            n * 17
        )
    });
    let mut database = Database::of(&[
        (
            "CUSTMAST",
            "CUST_NO CUSTNM PARCST OPN_DT CLS_DT",
            customers.collect(),
        ),
        ("BILLHDR", "BIL_NO CUST_NO BIL_DT PERBEG TOTAMT", bills.collect()),
    ]);
    database.refers("BILLHDR.CUST_NO", "CUSTMAST.CUST_NO");
    database
}

#[test]
fn terse_names_are_understood() {
    let database = terse();
    let model = database.model();
    let [customers, bills] = &model.datasets[..] else {
        panic!("two tables");
    };
    assert_eq!(
        (customers.role, bills.role),
        (DatasetRole::Entity, DatasetRole::Event)
    );
    assert_eq!(customers.display, [1], "CUSTNM names a customer");
    assert_eq!(bills.time, Some(2), "BIL_DT says when, not PERBEG");
    assert_eq!(bills.fields[3].role, FieldRole::Time, "PERBEG holds days");
    assert!(bills.fields[4].role.is_measure());
}

#[test]
fn nothing_is_written_as_zero() {
    let database = terse();
    let model = database.model();
    let named = |name: &str| {
        let filter = model.filters.iter().find(|filter| filter.name == name);
        filter.map(|filter| &filter.condition)
    };
    assert_eq!(model.datasets[0].end, Some(4), "CLS_DT ends it");
    assert!(matches!(named("active"), Some(Condition::Missing(at)) if at.column == 4));
    assert!(matches!(named("closed"), Some(Condition::Not(_))));
    let closed = database.profile.tables[0].as_ref().map(|table| &table.columns[4]);
    assert_eq!(closed.and_then(ColumnProfile::number_for_none), Some(0));
}

fn coded() -> Database {
    let customers = (1..=20).map(|n| format!("{n}|NAME {n}|{}|{}", ["A", "C", "S"][n % 3], n % 2 + 1));
    let codes = [
        "CUSTST|A|Active",
        "CUSTST|C|Closed",
        "CUSTST|S|Suspended - supply cut off",
        "TYPCD|1|Private (a household)",
        "TYPCD|2|Business",
        "SYSPAR|DATES|YYYYMMDD",
    ];
    let mut database = Database::of(&[
        ("CUSTMAST", "CUST_NO CUSTNM CUSTST TYPCD", customers.collect()),
        (
            "CODETB",
            "CODTYP CODVAL CODDSC",
            codes.map(str::to_owned).to_vec(),
        ),
    ]);
    let rows: Vec<[String; 3]> = codes
        .iter()
        .map(|row| row.split('|').map(str::to_owned).collect::<Vec<_>>())
        .map(|row| row.try_into().expect("three columns"))
        .collect();
    let names = ColumnNames::new(&database.schema);
    let told = code_tables(&names, &database.profile)
        .iter()
        .flat_map(|table| table.codes(&names, &database.profile, &rows))
        .collect();
    database.profile.codes = told;
    database
}

#[test]
fn a_table_of_codes_labels_columns_elsewhere() {
    let database = coded();
    let model = database.model();
    let field = model.field(database.at("CUSTMAST.CUSTST"));
    assert_eq!(field.role, FieldRole::Code);
    assert_eq!(field.labels[0], ("A".to_owned(), "Active".to_owned()));
    assert_eq!(model.field(database.at("CUSTMAST.TYPCD")).role, FieldRole::Code);
    assert_eq!(model.datasets[1].role, DatasetRole::Lookup);
    let names: Vec<&str> = model.filters.iter().map(|filter| filter.name.as_str()).collect();
    assert_eq!(names, ["active", "closed", "suspended", "private", "business"]);
}

#[test]
fn what_a_hidden_table_of_codes_says_is_not_told() {
    let database = coded();
    let mut model = database.model();
    for codes in &database.profile.codes {
        model.forget_codes(codes.of, &codes.labels);
    }
    assert!(model.filters.is_empty());
    assert!(
        model.datasets[0]
            .fields
            .iter()
            .all(|field| field.labels.is_empty())
    );
}

#[test]
fn states_are_told_by_what_they_begin_with() {
    let states = [
        "planned",
        "cancelled by guest",
        "cancelled by house",
        "moved to another day",
        "moved",
    ];
    let rows = (0..40).map(|at| format!("{}|{}", at + 1, states[at % states.len()]));
    let database = Database::of(&[("visits", "visit_id status", rows.collect())]);
    let model = database.model();
    let found = model
        .filters
        .iter()
        .map(|filter| (filter.name.as_str(), &filter.condition));
    let found: Vec<_> = found
        .filter_map(|(name, condition)| match condition {
            Condition::In(_, codes) => Some((name, codes.len())),
            _ => None,
        })
        .collect();
    // `moved` is a state of its own.
    assert_eq!(found, [("cancelled", 2)]);
}

/// Rows of a table: what `row` makes of each number.
fn rows(count: usize, row: impl Fn(usize) -> String) -> Vec<String> {
    (1..=count).map(row).collect()
}

fn day(at: usize) -> String {
    format!("2026-{:02}-{:02}", at % 9 + 1, at % 27 + 1)
}

#[test]
fn one_or_none_is_a_flag_unless_it_is_counted() {
    let database = Database::of(&[(
        "allotments",
        "allotment_id fenced river_view vat_exempted quantity sheds",
        rows(60, |at| {
            let bit = |by: usize| usize::from(at % by == 0);
            format!("{at}|{}|{}|{}|{}|{}", bit(2), bit(3), bit(4), bit(5), bit(7))
        }),
    )]);
    let model = database.model();
    let is_flag = |name: &str| matches!(model.field(database.at(name)).role, FieldRole::Flag(_));
    for flag in ["fenced", "river_view", "vat_exempted"] {
        assert!(is_flag(&format!("allotments.{flag}")), "{flag}");
    }
    assert!(!is_flag("allotments.quantity"));
}

#[test]
fn what_is_lent_goes_out_and_comes_back() {
    let mut database = Database::of(&[
        (
            "kayaks",
            "kayak_id kayak_name",
            rows(20, |at| format!("{at}|Kayak {at}")),
        ),
        (
            "lendings",
            "lending_id kayak_id out_dt due_dt in_dt",
            rows(60, |at| {
                let back = if at % 6 == 0 { String::new() } else { day(at + 4) };
                format!("{at}|{}|{}|{}|{back}", at % 20 + 1, day(at), day(at + 3))
            }),
        ),
    ]);
    database.refers("lendings.kayak_id", "kayaks.kayak_id");
    let model = database.model();
    let lendings = &model.datasets[1];
    assert_eq!((lendings.time, lendings.end), (Some(2), Some(4)));
    let names: Vec<&str> = model.filters.iter().map(|filter| filter.name.as_str()).collect();
    for name in ["returned", "unreturned", "open", "late"] {
        assert!(names.contains(&name), "{name} of {names:?}");
    }
}

#[test]
fn guests_arrive_first_and_ferries_depart_first() {
    let stays = rows(60, |at| {
        format!("{at}|2026-03-{:02}|2026-03-{:02}", at % 20 + 1, at % 20 + 4)
    });
    let crossings = rows(60, |at| format!("{at}|{}|{}", day(at), day(at)));
    let database = Database::of(&[
        ("stays", "stay_id arr_date dep_date", stays),
        ("crossings", "crossing_id dep_date arr_date", crossings),
    ]);
    let model = database.model();
    for dataset in &model.datasets {
        assert_eq!((dataset.time, dataset.end), (Some(1), Some(2)));
    }
}

#[test]
fn what_was_bought_and_is_referred_to_is_a_thing() {
    let mut database = Database::of(&[
        (
            "barges",
            "hull_no yard_id acquired tonnage_limit",
            rows(40, |at| format!("H{at:04}|{}|{}|{}", at % 4 + 1, day(at), at * 3)),
        ),
        (
            "yards",
            "yard_id yard_name",
            rows(4, |at| format!("{at}|Yard {at}")),
        ),
        (
            "tows",
            "tow_id hull_no towed_on",
            rows(80, |at| format!("{at}|H{:04}|{}", at % 40 + 1, day(at))),
        ),
    ]);
    database.refers("barges.yard_id", "yards.yard_id");
    database.refers("tows.hull_no", "barges.hull_no");
    let roles: Vec<DatasetRole> = database
        .model()
        .datasets
        .iter()
        .map(|dataset| dataset.role)
        .collect();
    assert_eq!(
        roles,
        [DatasetRole::Entity, DatasetRole::Lookup, DatasetRole::Event]
    );
}

#[test]
fn numbers_of_kinds_and_states_are_codes() {
    let database = Database::of(&[(
        "probes",
        "probe_id http_status latency_ms alarm_type tier",
        rows(80, |at| {
            let status = [200, 301, 404, 500][at % 4];
            format!("{at}|{status}|{}|{}|{}", at * 7, at % 30 + 40, at % 3)
        }),
    )]);
    let model = database.model();
    let role = |name: &str| model.field(database.at(&format!("probes.{name}"))).role;
    assert_eq!(role("http_status"), FieldRole::Code);
    assert_eq!(role("alarm_type"), FieldRole::Code);
    assert_eq!(role("latency_ms"), FieldRole::Measure(Additivity::Average));
    assert!(!role("tier").is_measure());
}

#[test]
fn keys_and_moments_are_known_by_what_they_hold() {
    let database = Database::of(&[(
        "parcels",
        "parcel_id tracking postcode created",
        rows(40, |at| {
            format!("{at}|TR{at:05}X|LS{at} 4AB|{}", 1_790_000_000 + at * 5000)
        }),
    )]);
    let model = database.model();
    let role = |name: &str| model.field(database.at(&format!("parcels.{name}"))).role;
    assert_eq!(role("tracking"), FieldRole::Identifier);
    assert_eq!(role("postcode"), FieldRole::Dimension);
    assert_eq!(role("created"), FieldRole::Time);
    assert_eq!(model.datasets[0].time, Some(3));
}

#[test]
fn the_only_text_of_a_short_list_names_its_rows() {
    let motives = ["Price", "Moved away", "Service"];
    let database = Database::of(&[(
        "motive_codes",
        "motive_code motive",
        rows(3, |at| format!("{at}|{}", motives[at - 1])),
    )]);
    let model = database.model();
    assert_eq!(model.datasets[0].display, [1]);
    assert_eq!(model.datasets[0].role, DatasetRole::Lookup);
}
