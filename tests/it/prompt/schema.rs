//! The schema as models see it.

use querent::question::{
    prompt::{Excerpt, Values, estimate_tokens, excerpt, plain_schema, schema_text},
    schema::{Dialect, ForeignKey, Snapshot},
};

use super::{database, key, shop, table};

fn whole(snapshot: &Snapshot, values: Values) -> String {
    let all = Excerpt::whole(snapshot);
    let text = schema_text(snapshot, &all, values);
    assert!(estimate_tokens(&text) <= all.tokens);
    assert_eq!(text, schema_text(snapshot, &all, values));
    text
}

#[test]
fn the_shop_is_shown_whole() {
    for (dialect, values, name) in [
        (Dialect::Sqlite, Values::Send, "shop_sqlite"),
        (Dialect::Sqlite, Values::Withhold, "shop_sqlite_without_values"),
        (Dialect::Postgres, Values::Send, "shop_postgres"),
    ] {
        insta::assert_snapshot!(name, whole(&shop(dialect), values));
    }
}

#[test]
fn the_baseline_gets_tables_and_declared_keys_alone() {
    let text = plain_schema(&shop(Dialect::Sqlite));
    assert!(!text.contains("--") && !text.contains('\''), "{text}");
    insta::assert_snapshot!("shop_plain", text);
}

/// Names that need quotes, a table off the search path, a key that was inferred, a key of two columns.
fn odd(dialect: Dialect) -> Snapshot {
    let mut tables = vec![
        table("Order", &["ID integer", "user integer", "Paid Amount numeric"]),
        table("users", &["id integer", "status text", "bio text"]),
        table("parts", &["order_id integer", "line integer", "part text"]),
        table("returns", &["order_id integer", "line integer", "on_day text"]),
    ];
    tables[1].schema = Some("Archive".into());
    tables[1].qualified = true;
    tables[1].comment = Some("people; also those who left".into());
    tables[2].primary_key = vec![0, 1];
    tables[2].is_view = true;
    tables[3].columns[2].kind = querent::question::schema::ColumnKind::Date;
    let inferred = ForeignKey {
        declared: false,
        ..key((0, 1), 1)
    };
    let both = ForeignKey {
        from: [key((3, 0), 2).from, key((3, 1), 2).from].concat(),
        to: [key((2, 0), 2).from, key((2, 1), 2).from].concat(),
        declared: true,
        enforced: false,
    };
    let prose =
        "a long story about where they came from, what they did there and why they left it in the end";
    let stored = [((1, 1), "new"), ((1, 1), "o'ld"), ((1, 2), prose)];
    database(tables, vec![inferred, both], &stored, dialect)
}

#[test]
fn names_keys_and_notes_are_written_as_the_dialect_has_them() {
    insta::assert_snapshot!("odd_sqlite", whole(&odd(Dialect::Sqlite), Values::Send));
    insta::assert_snapshot!("odd_postgres", whole(&odd(Dialect::Postgres), Values::Send));
    insta::assert_snapshot!("odd_plain", plain_schema(&odd(Dialect::Postgres)));
}

#[test]
fn a_column_of_many_values_shows_some() {
    let many: Vec<String> = (0..50).map(|number| format!("city {number}")).collect();
    let stored: Vec<_> = many.iter().map(|value| ((0, 1), value.as_str())).collect();
    let cities = vec![table("cities", &["id integer", "name text"])];
    let text = whole(&database(cities, vec![], &stored, Dialect::Sqlite), Values::Send);
    assert!(text.contains("name text -- e.g. 'city 0', 'city 1'\n"), "{text}");
}

#[test]
fn an_excerpt_says_what_it_leaves_out() {
    let shop = shop(Dialect::Sqlite);
    let part = excerpt("customers per country", &shop, 400, None);
    let text = schema_text(&shop, &part, Values::Send);
    assert!(text.contains("CREATE TABLE customers"), "{text}");
    assert!(
        text.ends_with(&format!("-- {} more tables left out", part.left_out)),
        "{text}"
    );
    assert!(
        estimate_tokens(&text) <= part.tokens && part.tokens <= 400,
        "{part:?}"
    );
}
