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
use serde_json::{Value, json};

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
    let other = api::parameters(query.as_deref()).remove("user");
    look(&server, viewer, other, &Wanted::Meaning).await
}

/// What the columns of one table hold.
async fn contents(
    State(Api { server, .. }): State<Api>,
    viewer: Viewer,
    RawQuery(query): RawQuery,
) -> Response {
    let mut given = api::parameters(query.as_deref());
    let Some(dataset) = given.remove("dataset").filter(|name| !name.contains('\0')) else {
        return reply::error(
            StatusCode::BAD_REQUEST,
            "dataset, a table's name, is missing",
            None,
        );
    };
    let schema = given.remove("schema").filter(|name| !name.contains('\0'));
    let wanted = Wanted::Contents { schema, dataset };
    look(&server, viewer, given.remove("user"), &wanted).await
}

/// Reads it with the connection of whoever asks, or as another user for those who set what that one may read. No question is
/// asked and no row read.
async fn look(server: &Handle, viewer: Viewer, other: Option<String>, wanted: &Wanted) -> Response {
    let (Extension(visit), Extension(rights), Extension(entry), Extension(Peer(peer))) = viewer;
    let Some(user) = other.filter(|user| !user.is_empty()) else {
        let asking = match connected(server, &visit, &entry).await {
            Ok(asking) => asking,
            Err(response) => return *response,
        };
        return match asking.as_ref() {
            Some(asking) => wanted.of(asking).await,
            None => reply::error(StatusCode::SERVICE_UNAVAILABLE, "the connection is lost", None),
        };
    };
    if !rights.operate {
        return roles::refused(ConsoleRole::Operate);
    }
    if !server.is_file() {
        let message = "only a login of the user's own tells what this user may read of a server";
        return reply::error(StatusCode::CONFLICT, message, None);
    }
    let database = server.database().unwrap_or_default();
    let login = Login {
        user: &user,
        password: "",
        database: &database,
        is_proven: true,
    };
    match Asking::open(server, peer, login).await {
        Ok(asking) => wanted.of(&asking).await,
        Err(failed) => refused(&failed),
    }
}

/// What is asked for.
enum Wanted {
    /// What all tables mean.
    Meaning,
    /// What the columns of one hold.
    Contents {
        /// Where it is, if there may be several of its name.
        schema: Option<String>,
        /// Its name.
        dataset: String,
    },
}

impl Wanted {
    async fn of(&self, asking: &Asking) -> Response {
        let found = match self {
            Self::Meaning => Schema::read(asking).await.map(|schema| Some(json!(schema))),
            Self::Contents { schema, dataset } => read_contents(asking, schema.as_deref(), dataset).await,
        };
        match (found, self) {
            (Ok(Some(found)), _) => reply::json(&found),
            (Ok(None), Self::Contents { dataset, .. }) => reply::error(
                StatusCode::NOT_FOUND,
                &format!("there is no table {} that you may read", visible(dataset)),
                None,
            ),
            (Ok(None), Self::Meaning) => reply::json(&Value::Null),
            (Err(failed), _) if failed.is_missing() => reply::error(
                StatusCode::NOT_FOUND,
                "in front of this server there are no views of the semantic model",
                Some("Name a file with one in semantic.file; querent semantic init writes a first one."),
            ),
            (Err(failed), _) => refused(&failed),
        }
    }
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

/// What the columns of a table hold; `None` where the user finds none of that name.
async fn read_contents(
    asking: &Asking,
    schema: Option<&str>,
    dataset: &str,
) -> Result<Option<Value>, Failed> {
    let name = match schema {
        Some(schema) => format!("{schema}.{dataset}"),
        None => dataset.to_owned(),
    };
    let sql = format!("SELECT * FROM semantic.contents({});", escape_literal(&name));
    let rows = named(asking.run(&sql).await?);
    let is_meant = |row: &Named| {
        let is = |column: &str, name: &str| row.get(column).and_then(Option::as_deref) == Some(name);
        is("dataset", dataset) && schema.is_none_or(|schema| is("schema", schema))
    };
    let of_one = |first: &Named| {
        let schema = first.get("schema").cloned().flatten();
        let same = rows
            .iter()
            .filter(|row| is_meant(row) && row.get("schema") == first.get("schema"));
        json!({ "schema": schema, "dataset": dataset, "columns": same.map(column).collect::<Value>() })
    };
    Ok(rows.iter().find(|row| is_meant(row)).map(of_one))
}

/// A row of the view with its figures as numbers.
fn column(row: &Named) -> Value {
    let text = |name: &str| row.get(name).and_then(Option::as_deref);
    let json = |name: &str| text(name).and_then(|text| serde_json::from_str::<Value>(text).ok());
    json!({
        "name": text("name"),
        "basis": text("basis"),
        "rows": json("rows"),
        "null_share": json("null_share"),
        "distinct": json("distinct_values"),
        "lowest": text("lowest"),
        "highest": text("highest"),
        "values": json("common_values").unwrap_or_else(|| json!([])),
        "complete": json("complete"),
    })
}

fn named(rows: ResultTable) -> Vec<Named> {
    let ResultTable { columns, rows, .. } = rows;
    let named = rows
        .into_iter()
        .map(|row| columns.iter().cloned().zip(row).collect());
    named.collect()
}
