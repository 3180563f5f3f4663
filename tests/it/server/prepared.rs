//! Statements that were prepared before another session altered what they write: as on PostgreSQL, values are those that the column
//! takes now.

use tokio_postgres::{Client, NoTls, types::ToSql};

use super::data::rows;
use crate::differential::Pair;

async fn client(port: u16) -> Client {
    let told = format!("host=127.0.0.1 port={port} user=test dbname=test");
    let (client, connection) = tokio_postgres::connect(&told, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// What becomes of a statement that was prepared while `b` was text, once it is of this type: the code or nothing, and the rows.
async fn altered(port: u16, ty: &str, sql: &str, values: &[&str]) -> String {
    let (client, other) = (client(port).await, client(port).await);
    client
        .batch_execute(
            "DROP TABLE IF EXISTS pr; CREATE TABLE pr (a int PRIMARY KEY, b text); \
             INSERT INTO pr VALUES (1, NULL), (2, NULL)",
        )
        .await
        .unwrap();
    let prepared = client.prepare(sql).await.unwrap();
    other
        .batch_execute(&format!("ALTER TABLE pr ALTER COLUMN b TYPE {ty} USING NULL"))
        .await
        .unwrap();
    let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
    let code = match client.execute(&prepared, &values).await {
        Ok(count) => count.to_string(),
        Err(error) => error.code().unwrap().code().to_owned(),
    };
    let left = rows(&client, "SELECT a, b::text FROM pr ORDER BY a").await;
    format!("{code} {left:?}")
}

#[tokio::test(flavor = "multi_thread")]
async fn values_are_checked_by_the_column_as_it_is_when_they_come() {
    let Some(pair) = Pair::start().await else { return };
    let mut unlike = vec![];
    for (ty, value) in [
        ("int", "xx"),
        ("date", "nodate"),
        ("jsonb", "{bad"),
        ("numeric(4,1)", "abc"),
        ("varchar(1)", "toolong"),
        ("varchar(9)", "fits"),
    ] {
        for sql in [
            "UPDATE pr SET b = $1 WHERE a = 1",
            "INSERT INTO pr (a, b) VALUES (3, $1)",
            "INSERT INTO pr (a, b) SELECT 3, $1",
            "INSERT INTO pr VALUES (1, NULL) ON CONFLICT (a) DO UPDATE SET b = $1",
            "UPDATE pr SET b = coalesce($1, b)",
            "DELETE FROM pr WHERE b > $1",
            "WITH w AS (UPDATE pr SET b = $1 RETURNING 1) SELECT * FROM w",
        ] {
            let expected = altered(pair.postgres.port, ty, sql, &[value]).await;
            let found = altered(pair.sqlite.port, ty, sql, &[value]).await;
            if expected != found {
                unlike.push(format!("{ty}: {sql}\n  {expected}\n  {found}"));
            }
        }
    }
    assert!(unlike.is_empty(), "{}", unlike.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_prepare_has_settled_stays() {
    let Some(pair) = Pair::start().await else { return };
    let mut found = vec![];
    for port in [pair.postgres.port, pair.sqlite.port] {
        let (client, other) = (client(port).await, client(port).await);
        client
            .batch_execute(
                "CREATE TABLE pr (a int PRIMARY KEY, b text); INSERT INTO pr VALUES (1, NULL); \
                 PREPARE up AS UPDATE pr SET b = $1 WHERE a = 1",
            )
            .await
            .unwrap();
        let narrow = "ALTER TABLE pr ALTER COLUMN b TYPE int USING NULL";
        other.batch_execute(narrow).await.unwrap();
        let refused = client.batch_execute("EXECUTE up('xx')").await.unwrap_err();
        let code = refused.code().unwrap().code().to_owned();
        // A number was settled, and goes into what is wider too.
        let wide = client.prepare("UPDATE pr SET a = $1 + 1").await.unwrap();
        let widen = "ALTER TABLE pr ALTER COLUMN a TYPE bigint";
        other.batch_execute(widen).await.unwrap();
        let count = client.execute(&wide, &[&7_i32]).await.unwrap();
        let left = rows(&client, "SELECT a, b FROM pr").await;
        found.push(format!("{code} {count} {left:?}"));
    }
    assert_eq!(found[0], found[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn copy_leaves_out_what_is_computed() {
    use futures_util::{SinkExt as _, TryStreamExt as _};

    let Some(pair) = Pair::start().await else { return };
    let mut found = vec![];
    for port in [pair.postgres.port, pair.sqlite.port] {
        let first = client(port).await;
        first
            .batch_execute(
                "CREATE TABLE cg (a int, b int GENERATED ALWAYS AS (a * 2) STORED, \"C c\" text); \
                 INSERT INTO cg (a, \"C c\") VALUES (1, 'x')",
            )
            .await
            .unwrap();
        let mut said = vec![];
        for (sql, data) in [
            ("COPY cg FROM STDIN", "2\ty\n"),
            ("COPY cg FROM STDIN", "3\t6\tz\n"),
            ("COPY cg FROM STDIN (FORMAT csv, HEADER MATCH)", "a,C c\n4,w\n"),
            ("COPY cg (a) FROM STDIN", "5\n"),
            ("COPY cg (a, b) FROM STDIN", "6\t12\n"),
        ] {
            // The driver does not read on behind a COPY that was refused.
            let client = client(port).await;
            let done = async {
                let mut sink = std::pin::pin!(client.copy_in::<_, bytes::Bytes>(sql).await?);
                sink.send(data.into()).await?;
                sink.as_mut().finish().await
            };
            said.push(match done.await {
                Ok(count) => count.to_string(),
                Err(error) => error.code().unwrap().code().to_owned(),
            });
        }
        for sql in [
            "COPY cg TO STDOUT",
            "COPY cg TO STDOUT (FORMAT csv, HEADER)",
            "COPY cg (b) TO STDOUT",
            "COPY (SELECT * FROM cg) TO STDOUT",
        ] {
            let client = client(port).await;
            let read = async {
                let parts: Vec<bytes::Bytes> = client.copy_out(sql).await?.try_collect().await?;
                Ok::<_, tokio_postgres::Error>(String::from_utf8_lossy(&parts.concat()).into_owned())
            };
            said.push(match read.await {
                Ok(text) => text,
                Err(error) => error.code().unwrap().code().to_owned(),
            });
        }
        found.push(said);
    }
    assert_eq!(found[0], found[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_is_half_told_is_in_nobodys_way() {
    let Some(pair) = Pair::start().await else { return };
    let mut found = vec![];
    for port in [pair.postgres.port, pair.sqlite.port] {
        let mut client = client(port).await;
        client
            .batch_execute("CREATE TABLE many (a int PRIMARY KEY, b int)")
            .await
            .unwrap();
        let writes = client.transaction().await.unwrap();
        writes.batch_execute("SAVEPOINT s").await.unwrap();
        let insert = "INSERT INTO many SELECT g, g FROM generate_series(1, 40) AS g RETURNING a";
        let portal = writes.bind(insert, &[]).await.unwrap();
        let mut told = writes.query_portal(&portal, 5).await.unwrap().len();
        writes.batch_execute("RELEASE s").await.unwrap();
        let update = "UPDATE many SET b = o.b + 1 FROM many AS o WHERE o.a = many.a RETURNING many.a";
        let other = writes.query(update, &[]).await.unwrap().len();
        told += writes.query_portal(&portal, 0).await.unwrap().len();
        writes.commit().await.unwrap();
        found.push((
            told,
            other,
            rows(&client, "SELECT count(*), sum(b) FROM many").await,
        ));
    }
    assert_eq!(found[0], found[1]);
}
