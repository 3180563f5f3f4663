//! Which table an error is about, and where that is.

use super::{attached::attached, *};

/// An error tells where the table is that it is about.
#[tokio::test]
async fn errors_name_the_schema_of_their_table() {
    let (_folder, database) = attached();
    let connection = database.connect().unwrap();
    for (schema, temporary) in [("public", ""), ("archive", ""), ("pg_temp", "TEMP")] {
        let table = if temporary.is_empty() {
            format!("{schema}.place")
        } else {
            "place".to_owned()
        };
        let made = format!(
            "CREATE {temporary} TABLE {table} (id int PRIMARY KEY, n int NOT NULL CHECK (n > 0), twice int)"
        );
        all(&connection, &made).await.unwrap();
        let filled = format!("INSERT INTO {table} VALUES (1, 1, 7), (2, 1, 7)");
        all(&connection, &filled).await.unwrap();
        for (sql, sqlstate) in [
            (format!("INSERT INTO {table} VALUES (3, NULL, 1)"), "23502"),
            (format!("UPDATE {table} SET n = 0"), "23514"),
            (format!("INSERT INTO {table} VALUES (1, 1, 1)"), "23505"),
            (format!("CREATE UNIQUE INDEX ON {table} (twice)"), "23505"),
            (format!("ALTER TABLE {table} ADD CHECK (twice < 7)"), "23514"),
        ] {
            let error = all(&connection, &sql).await.unwrap_err();
            let place = error.place.as_ref().map(|place| (&*place.schema, &*place.table));
            assert_eq!(
                (&*error.sqlstate, place),
                (sqlstate, Some((schema, "place"))),
                "{sql}"
            );
        }
    }
}
