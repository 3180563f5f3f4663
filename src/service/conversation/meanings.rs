//! The semantic models that the settings name: in files, and in a table of the server.

use std::{fs, sync::Arc, time::Duration};

use crate::{
    backend::{BackendError, Value},
    config::{ConfigError, Settings},
    postgres::{
        introspection::{Client, Limits, Querier, Query, Sampling, Schemas},
        upstream::Server,
    },
    question::{
        ossie::{Meaning, Meanings, ModelFile, ModelFiles},
        schema::Snapshot,
    },
};

/// Models of a table that are read at most.
const MODELS: u32 = 200;
/// How long the server may take to tell them.
const PATIENCE: Duration = Duration::from_secs(30);

/// The meanings of databases by the models of these settings; `server` is what stands behind, where that is one. What a
/// model says of tables and columns is not looked at yet.
pub async fn meanings(settings: &Settings, server: Option<&Server>) -> Result<Meanings, ConfigError> {
    let configured = settings.semantic.clone();
    let read = tokio::task::spawn_blocking(move || {
        let own = configured.databases.iter();
        Ok::<_, ConfigError>(ModelFiles {
            everywhere: read_all(&configured.file)?,
            own: own
                .map(|(database, files)| Ok((database.clone(), read_all(files)?)))
                .collect::<Result<_, ConfigError>>()?,
        })
    });
    let mut files = match read.await {
        Ok(files) => files?,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    };
    if let Some((schema, name)) = &settings.semantic.table {
        let Some(server) = server else {
            return Err(ConfigError {
                message: "semantic.table is a table of a PostgreSQL server, and a SQLite file is served"
                    .into(),
                hint: Some("name a file with semantic.file".into()),
            });
        };
        let found = read_table(server, schema, name).await;
        let found = found.map_err(|error| ConfigError {
            message: format!("semantic.table {schema}.{name} cannot be read: {error}"),
            hint: Some(
                "it is read as the user of the server's address, and has the columns name and model".into(),
            ),
        })?;
        for (row, text) in found {
            let file = taken(&format!("{schema}.{name}/{row}"), &text)?;
            files.everywhere.push(Arc::clone(&file));
            for own in files.own.values_mut() {
                own.push(Arc::clone(&file));
            }
        }
    }
    Ok(Meanings::new(files))
}

/// Refuses models that say something wrong of a database.
pub async fn check_meaning(meaning: Arc<Meaning>, snapshot: Snapshot) -> Result<(), ConfigError> {
    let checked = tokio::task::spawn_blocking(move || meaning.problems(&snapshot)).await;
    let problems = checked.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
    if problems.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Err(ConfigError {
        message: lines.join("\n"),
        hint: None,
    })
}

fn read_all(paths: &[String]) -> Result<Vec<Arc<ModelFile>>, ConfigError> {
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &str) -> Result<Arc<ModelFile>, ConfigError> {
    let text = fs::read_to_string(path).map_err(|error| ConfigError {
        message: format!("{path}: {error}"),
        hint: Some("querent semantic init writes a semantic model".into()),
    })?;
    taken(path, &text)
}

fn taken(name: &str, text: &str) -> Result<Arc<ModelFile>, ConfigError> {
    let file = ModelFile::read(name, text).map_err(|problem| ConfigError {
        message: problem.to_string(),
        hint: None,
    })?;
    for left_out in &file.left_out {
        tracing::warn!(file = name, "left out: {left_out}");
    }
    Ok(Arc::new(file))
}

/// The models of a table, each with its name, in a read-only transaction of a connection of our own.
async fn read_table(
    server: &Server,
    schema: &str,
    name: &str,
) -> Result<Vec<(String, String)>, BackendError> {
    let limits = Limits {
        cost: None,
        kept: None,
        statement_timeout: PATIENCE,
    };
    let schemas = Arc::new(Schemas::new(Sampling::default()));
    let client = Client::connect(server, schemas, limits).await?;
    let quoted = |part: &str| format!("\"{part}\"");
    let sql = format!(
        "SELECT t.name::pg_catalog.text, t.model::pg_catalog.text FROM {}.{} AS t ORDER BY 1",
        quoted(schema),
        quoted(name)
    );
    let answers = client.read(&[Query::first(&sql, MODELS)], PATIENCE).await?;
    let rows = answers.first().map(crate::postgres::introspection::Rows::values);
    let text = |value: &Value| match value {
        Value::Text(text) => String::from_utf8_lossy(text).into_owned(),
        _ => String::new(),
    };
    let models = rows
        .unwrap_or_default()
        .into_iter()
        .filter_map(|row| match &row[..] {
            [name, model] => Some((text(name), text(model))),
            _ => None,
        });
    Ok(models.collect())
}
