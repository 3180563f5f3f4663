//! The schema and the semantic model as the user of a connection may see them: the views that every client finds in the
//! schema `semantic`.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Extension, Router,
    extract::{RawQuery, State},
    http::StatusCode,
    response::Response,
    routing::get,
};
use postgres_protocol::escape::escape_literal;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::OwnedMutexGuard;

use super::{
    access::Peer,
    api::{self, Api},
    asking::{Asking, Failed, Login, ResultTable},
    reply,
    roles::{self, Rights},
    talk::{connected, refused},
    visits::{Entry, Visit},
};
use crate::{config::ConsoleRole, error::visible, service::server::Handle};

/// A row with the names of its columns.
type Named = BTreeMap<String, Option<String>>;

/// Who asks, with which rights, and how the request comes in.
type Viewer = (
    Extension<Arc<Visit>>,
    Extension<Rights>,
    Extension<Entry>,
    Extension<Peer>,
);

pub(super) fn routes(api: Api) -> Router {
    Router::new()
        .route("/api/v1/schema", get(schema))
        .route("/api/v1/schema/contents", get(contents))
        .with_state(api)
}

/// The schema and the semantic model, as this user may see them.
async fn schema(
    State(Api { server, .. }): State<Api>,
    viewer: Viewer,
    RawQuery(query): RawQuery,
) -> Response {
    let other = another(&mut api::parameters(query.as_deref()));
    let read = async {
        Ok::<_, Box<Response>>(match other {
            Some(user) => Schema::read(&open(&server, &viewer, &user).await?).await,
            None => Schema::read(own(&server, &viewer).await?.of()?).await,
        })
    };
    match read.await {
        Ok(Ok(schema)) => reply::json(&schema),
        Ok(Err(failed)) => unread(&failed),
        Err(response) => *response,
    }
}

/// What the columns of one table hold.
async fn contents(
    State(Api { server, .. }): State<Api>,
    viewer: Viewer,
    RawQuery(query): RawQuery,
) -> Response {
    let mut given = api::parameters(query.as_deref());
    let other = another(&mut given);
    let mut named = |parameter: &str| given.remove(parameter).filter(|name| !name.contains('\0'));
    let (schema, Some(dataset)) = (named("schema"), named("dataset")) else {
        return reply::error(
            StatusCode::BAD_REQUEST,
            "dataset, a table's name, is missing",
            None,
        );
    };
    let place = (schema.as_deref(), dataset.as_str());
    let read = async {
        // What another may read is no way to values that one may not.
        let theirs = match &other {
            Some(user) => Some(TableContents::read(&open(&server, &viewer, user).await?, place).await),
            None => None,
        };
        let own = TableContents::read(own(&server, &viewer).await?.of()?, place).await;
        Ok::<_, Box<Response>>(match theirs {
            Some(theirs) => own.and_then(|own| Ok(theirs?.map(|theirs| theirs.within(own.as_ref())))),
            None => own,
        })
    };
    match read.await {
        Ok(Ok(Some(contents))) => reply::json(&contents),
        Ok(Ok(None)) => reply::error(
            StatusCode::NOT_FOUND,
            &format!("there is no table {} that may be read", visible(&dataset)),
            None,
        ),
        Ok(Err(failed)) => unread(&failed),
        Err(response) => *response,
    }
}

/// As whom somebody wants to see it who sets what that one may read.
fn another(given: &mut BTreeMap<String, String>) -> Option<String> {
    given.remove("user").filter(|user| !user.is_empty())
}

/// The connection of whoever asks.
struct Own(OwnedMutexGuard<Option<Asking>>);

impl Own {
    fn of(&self) -> Result<&Asking, Box<Response>> {
        let lost = || reply::error(StatusCode::SERVICE_UNAVAILABLE, "the connection is lost", None);
        self.0.as_ref().ok_or_else(|| Box::new(lost()))
    }
}

async fn own(server: &Handle, (visit, _, entry, _): &Viewer) -> Result<Own, Box<Response>> {
    connected(server, visit, entry).await.map(Own)
}

/// A connection as another user. No question is asked on it and no row read.
async fn open(server: &Handle, (_, rights, _, peer): &Viewer, user: &str) -> Result<Asking, Box<Response>> {
    if !rights.operate {
        return Err(Box::new(roles::refused(ConsoleRole::Operate)));
    }
    if !server.is_file() {
        let message = "only a login of the user's own tells what this user may read of a server";
        return Err(Box::new(reply::error(StatusCode::CONFLICT, message, None)));
    }
    let database = server.database().unwrap_or_default();
    let login = Login {
        user,
        password: "",
        database: &database,
        is_proven: true,
    };
    let opened = Asking::open(server, peer.0.0, login).await;
    opened.map_err(|failed| Box::new(refused(&failed)))
}

fn unread(failed: &Failed) -> Response {
    if failed.is_missing() {
        return reply::error(
            StatusCode::NOT_FOUND,
            "in front of this server there are no views of the semantic model",
            Some("Name a file with one in semantic.file; querent semantic init writes a first one."),
        );
    }
    refused(failed)
}

/// What the database means.
#[derive(Debug, Serialize)]
struct Schema {
    datasets: Vec<Named>,
    fields: Vec<Named>,
    keys: Vec<Named>,
    metrics: Vec<Named>,
    synonyms: Vec<Named>,
}

impl Schema {
    /// Reads the views.
    async fn read(asking: &Asking) -> Result<Self, Failed> {
        let view = async |name: &str| -> Result<Vec<Named>, Failed> {
            let rows = asking.run(&format!("SELECT * FROM semantic.{name};")).await?;
            Ok(named(rows))
        };
        Ok(Self {
            datasets: view("datasets").await?,
            fields: view("fields").await?,
            keys: view("keys").await?,
            metrics: view("metrics").await?,
            synonyms: view("synonyms").await?,
        })
    }
}

/// What the columns of a table hold.
#[derive(Debug, Serialize)]
struct TableContents {
    schema: Option<String>,
    dataset: String,
    columns: Vec<ColumnContents>,
}

/// What one of them holds.
#[derive(Debug, Default, Serialize)]
struct ColumnContents {
    name: String,
    basis: String,
    /// None where nothing is told.
    rows: Option<u64>,
    null_share: Option<f64>,
    distinct: Option<u64>,
    lowest: Option<String>,
    highest: Option<String>,
    values: Vec<Value>,
    complete: bool,
}

impl TableContents {
    /// Reads it; `None` where the user finds no table of that name.
    async fn read(asking: &Asking, (schema, dataset): (Option<&str>, &str)) -> Result<Option<Self>, Failed> {
        let name = match schema {
            Some(schema) => format!("{schema}.{dataset}"),
            None => dataset.to_owned(),
        };
        let sql = format!("SELECT * FROM semantic.contents({});", escape_literal(&name));
        let mut rows = named(asking.run(&sql).await?);
        rows.retain(|row| {
            let is = |column: &str, name: &str| row.get(column).and_then(Option::as_deref) == Some(name);
            is("dataset", dataset) && schema.is_none_or(|schema| is("schema", schema))
        });
        let Some(schema) = rows.first().map(|row| row.get("schema").cloned().flatten()) else {
            return Ok(None);
        };
        rows.retain(|row| row.get("schema") == Some(&schema));
        Ok(Some(Self {
            schema,
            dataset: dataset.to_owned(),
            columns: rows.into_iter().map(ColumnContents::of).collect(),
        }))
    }

    /// Without values of columns of which nothing is told to somebody else.
    fn within(mut self, other: Option<&Self>) -> Self {
        let told = |name: &str| {
            let mut columns = other.into_iter().flat_map(|other| &other.columns);
            columns.any(|column| column.name == name && column.rows.is_some())
        };
        for column in &mut self.columns {
            if column.rows.is_some() && !told(&column.name) {
                *column = ColumnContents {
                    name: std::mem::take(&mut column.name),
                    basis: "restricted".to_owned(),
                    ..ColumnContents::default()
                };
            }
        }
        self
    }
}

impl ColumnContents {
    /// A row of the view with its figures as numbers.
    fn of(mut row: Named) -> Self {
        let mut text = |name: &str| row.remove(name).flatten();
        Self {
            name: text("name").unwrap_or_default(),
            basis: text("basis").unwrap_or_default(),
            rows: text("rows").and_then(|rows| rows.parse().ok()),
            null_share: text("null_share").and_then(|share| share.parse().ok()),
            distinct: text("distinct_values").and_then(|distinct| distinct.parse().ok()),
            lowest: text("lowest"),
            highest: text("highest"),
            values: text("common_values")
                .and_then(|values| serde_json::from_str(&values).ok())
                .unwrap_or_default(),
            complete: text("complete").as_deref() == Some("true"),
        }
    }
}

fn named(rows: ResultTable) -> Vec<Named> {
    let ResultTable { columns, rows, .. } = rows;
    let named = rows
        .into_iter()
        .map(|row| columns.iter().cloned().zip(row).collect());
    named.collect()
}
