//! What the tools do. Agents are models: what no model may hear of, no tool reads. Rows come from validated SQL alone, and
//! the decision to run it is in the audit before it runs.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};

use super::{
    super::{
        Failure,
        database::{Database, Governed},
        models::Asking,
        output::{Format, Rows},
        target::Target,
    },
    tool_error::ToolError,
};
use crate::{
    backend::{self, Backend},
    config::{PolicyRule, SettingSource, Settings},
    error::visible,
    question::{
        ask::{AskSettings, ask},
        ossie::{Meaning, Understood, View},
        schema::{ColumnKind, HiddenNames, Schema, Snapshot, Table},
        validator::{self, Finding, ValidatedSql},
    },
    service::{
        audit::{Audit, Decision, End, Lookup, Refusal, Who},
        conversation::{self, ConversationError, check_meaning},
    },
};

/// Rows of one result at most.
const ROWS: usize = 1_000;
/// Bytes of one result at most.
const BYTES: usize = 1 << 20;

/// An open database with all that the tools need.
pub(super) struct Tools {
    settings: Settings,
    database: Database,
    meaning: Arc<Meaning>,
    asking: Asking,
    audit: Arc<Audit>,
    /// Whether the settings say what they said when it was opened, as far as who may ask what is concerned.
    holds: Box<dyn Fn() -> bool + Send + Sync>,
}

impl Tools {
    /// Opens the database, and the audit where there is to be one. What is wrong with the semantic model is logged, and left
    /// out.
    pub(super) async fn open(
        target: &Target,
        settings: &Settings,
        holds: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Result<Self, Failure> {
        let settings = &open_to_models(settings);
        let database = Database::open(target, settings).await?;
        let governed = database.governed(settings).await?;
        let meaning = governed.meaning_unchecked(settings).await?;
        let asking = Asking::new(settings)?.about(Arc::clone(&meaning));
        let audit = Audit::start(settings)
            .await
            .map_err(|error| Failure::new(error.to_string()))?;
        Ok(Self {
            settings: settings.clone(),
            meaning,
            asking,
            audit: Arc::new(audit),
            database,
            holds: Box::new(holds),
        })
    }

    /// Refuses a semantic model that says something wrong of the database, to whoever wrote it.
    pub(super) async fn check_meaning(&self) -> Result<(), Failure> {
        if self.settings.semantic.is_empty() {
            return Ok(());
        }
        let governed = self.database.governed(&self.settings).await?;
        check_meaning(Arc::clone(&self.meaning), governed.snapshot().await?).await?;
        Ok(())
    }

    /// The database of this moment as an agent may see it.
    async fn governed(&self) -> Result<(Governed<'_>, Snapshot), ToolError> {
        let governed = self
            .database
            .governed(&self.settings)
            .await
            .map_err(ToolError::closed)?;
        let open = governed.snapshot().await.map_err(ToolError::closed)?;
        Ok((governed, open))
    }

    /// Stores what waits to be.
    pub(super) async fn finish(&self) {
        self.audit.finish().await;
    }

    /// The answer to a question.
    pub(super) async fn ask(&self, question: &str) -> Result<Value, ToolError> {
        let (governed, _) = self.governed().await?;
        let learned = conversation::learned(&self.settings, governed.database_name()).await;
        let asking = AskSettings {
            learned,
            database: governed.database_name().to_owned(),
            ..self.asking.question()
        };
        let budget = Arc::clone(&asking.budget);
        let answer = ask(&governed, question, &asking).await;
        let spent = budget.spent();
        let lookup = Lookup {
            model_calls: spent.calls,
            prompt_tokens: spent.usage.prompt_tokens,
            completion_tokens: spent.usage.completion_tokens,
            cost: spent.cost,
            ..Lookup::default()
        };
        let asked = Call::new(&governed, "ask", question);
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => return Err(self.refused(asked, ToolError::from(error), lookup)),
        };
        let lookup = Lookup {
            tier: &answer.tier,
            confidence: Some(answer.confidence),
            elapsed: answer.elapsed,
            ..lookup
        };
        let rows = self.run(asked, &answer.sql, lookup).await?;
        let steps = answer.steps.iter().map(|(step, detail)| json!([step, detail]));
        Ok(json!({
            "sql": answer.sql.as_str(),
            "confidence": answer.confidence,
            "tier": answer.tier,
            "steps": steps.collect::<Value>(),
            "result": rows,
        }))
    }

    /// The rows of a statement that only reads.
    pub(super) async fn query(&self, sql: &str) -> Result<Value, ToolError> {
        let (governed, open) = self.governed().await?;
        let asked = Call::new(&governed, "query", sql);
        let findings = match validator::validate(sql, &open.schema, open.dialect) {
            Ok(valid) => return self.run(asked, &valid, Lookup::default()).await,
            Err(findings) => of_what_is_shown(sql, &open).unwrap_or(findings),
        };
        Err(self.refused(asked, ToolError::by(&findings), Lookup::default()))
    }

    /// Records that it runs, runs it, and records how that ended.
    async fn run(&self, asked: Call<'_>, sql: &ValidatedSql, lookup: Lookup<'_>) -> Result<Value, ToolError> {
        // A model may think for long, and who may ask what may be another matter then.
        if !(self.holds)() {
            return Err(self.refused(asked, ToolError::from(ConversationError::Overtaken), lookup));
        }
        let who = asked.who();
        let recorded = self
            .audit
            .decided(Decision {
                id: &self.audit.number(),
                who: &who,
                action: asked.action,
                question: asked.words,
                sql: Some(sql.as_str()),
                refusal: None,
                lookup,
            })
            .await?;
        let mut run = recorded.as_ref().map(crate::service::audit::Asked::begin);
        let found = self.rows(sql).await;
        if let Some(mut run) = run.take() {
            match &found {
                Ok((_, rows, more)) => {
                    run.rows(*rows as u64);
                    run.end(if *more { End::Left } else { End::Done });
                }
                Err(refused) => run.end(End::Failed(&refused.sqlstate)),
            }
        }
        found.map(|(rows, count, more)| json!({ "rows": rows, "count": count, "more": more }))
    }

    /// The rows, how many they are, and whether there are more.
    async fn rows(&self, sql: &ValidatedSql) -> Result<(Value, usize, bool), ToolError> {
        let mut found = self.database.run(sql).await?;
        let broken = |error: &dyn std::error::Error| ToolError {
            sqlstate: "XX000".to_owned(),
            message: format!("the rows cannot be written: {error}"),
            detail: None,
            hint: None,
        };
        let columns = found.columns().to_vec();
        let mut kept = Vec::new();
        let mut bytes = 0;
        let more = 'reading: loop {
            let (chunk, done) = found.next().await?;
            for row in chunk {
                if kept.len() >= ROWS || bytes >= BYTES {
                    break 'reading true;
                }
                bytes += row.iter().map(length).sum::<usize>();
                kept.push(row);
            }
            if done {
                break false;
            }
        };
        let mut text = Vec::new();
        let mut rows = Rows::begin(Format::Json, &columns, &mut text).map_err(|error| broken(&error))?;
        for row in &kept {
            rows.row(row).map_err(|error| broken(&error))?;
        }
        rows.end().map_err(|error| broken(&error))?;
        // Names of columns count too, which stand at every value.
        if text.len() > 2 * BYTES {
            return Err(ToolError {
                sqlstate: "54000".to_owned(),
                message: "the result is too large to hand over".to_owned(),
                detail: Some(format!(
                    "It has {} bytes as JSON; allowed are {}.",
                    text.len(),
                    2 * BYTES
                )),
                hint: Some("Ask for fewer rows or columns, or give them shorter names.".to_owned()),
            });
        }
        let rows = serde_json::from_slice(&text).map_err(|error| broken(&error))?;
        Ok((rows, kept.len(), more))
    }

    fn refused(&self, asked: Call<'_>, refused: ToolError, lookup: Lookup<'_>) -> ToolError {
        let who = asked.who();
        self.audit.refused(Decision {
            id: &self.audit.number(),
            who: &who,
            action: asked.action,
            question: asked.words,
            sql: None,
            refusal: Some(Refusal {
                sqlstate: &refused.sqlstate,
                message: &refused.message,
                detail: refused.detail.as_deref(),
            }),
            lookup,
        });
        refused
    }

    /// The tables and columns; of one table also what is known of its stored values, if models may hear of any.
    pub(super) async fn schema(&self, only: Option<&str>) -> Result<Value, ToolError> {
        let (_, open) = self.governed().await?;
        let schema = &open.schema;
        let is_meant = |table: &Table| only.is_none_or(|name| table.is_called(name));
        if let Some(name) = only
            && !schema.tables.iter().any(is_meant)
        {
            return Err(ToolError {
                sqlstate: "42P01".to_owned(),
                message: format!("there is no table {}", visible(name)),
                detail: None,
                hint: None,
            });
        }
        let sends_values = only.is_some() && self.settings.privacy.send_values;
        let meant = schema
            .tables
            .iter()
            .enumerate()
            .filter(|(_, table)| is_meant(table));
        let tables = meant.map(|(at, table)| {
            let mut stored = sends_values.then(|| open.contents(at)).into_iter().flatten();
            let columns = table.columns.iter().map(|column| {
                let mut told = json!({
                    "name": column.name,
                    "type": column.declared_type,
                    "holds": holds(column.kind),
                    "not_null": column.not_null,
                    "comment": column.comment.as_deref().map(visible),
                });
                if let Some(stored) = stored.next() {
                    told["stored"] = json!(stored);
                }
                told
            });
            let key = table.primary_key.iter().map(|at| json!(table.columns[*at].name));
            json!({
                "name": table.name,
                "schema": table.schema,
                "view": table.is_view,
                "rows": table.rows,
                "comment": table.comment.as_deref().map(visible),
                "primary_key": key.collect::<Value>(),
                "columns": columns.collect::<Value>(),
            })
        });
        let keys = schema.foreign_keys.iter().filter(|key| {
            let ends = [&key.from[0], &key.to[0]];
            ends.iter().any(|at| is_meant(&schema.tables[at.table]))
        });
        let keys = keys.map(|key| {
            let named = |columns: &[crate::question::schema::ColumnRef]| -> Value {
                let named = columns.iter().map(|at| {
                    let table = &schema.tables[at.table];
                    json!(format!("{}.{}", table.name, table.columns[at.column].name))
                });
                named.collect()
            };
            json!({ "from": named(&key.from), "to": named(&key.to), "declared": key.declared })
        });
        Ok(json!({
            "dialect": open.dialect.name(),
            "tables": tables.collect::<Value>(),
            "foreign_keys": keys.collect::<Value>(),
        }))
    }

    /// What they mean.
    pub(super) async fn semantic_model(&self) -> Result<Value, ToolError> {
        let (_, open) = self.governed().await?;
        let understood: Arc<Understood> = self.meaning.of(&open);
        // What people have written may speak of what is kept back.
        let hidden = HiddenNames::withheld(&open);
        let view = |view: View| -> Value {
            let rows = view.rows.into_iter().map(|row| {
                let named = view.columns.iter().copied().zip(row);
                named.filter_map(|(name, value)| Some((name, value?))).collect()
            });
            rows.filter_map(|row| told(row, &hidden)).collect()
        };
        Ok(json!({
            "datasets": view(View::datasets(&understood)),
            "fields": view(View::fields(&understood)),
            "keys": view(View::keys(&understood)),
            "metrics": view(View::metrics(&understood)),
            "synonyms": view(View::synonyms(&understood)),
        }))
    }
}

/// What is wrong with a statement that names what a rule keeps back, as if that were not there: the words for what is there
/// and may not be read would tell that it is.
fn of_what_is_shown(sql: &str, open: &Snapshot) -> Option<Vec<Finding>> {
    let named = validator::withheld(sql, &open.schema, open.dialect);
    if !named.contains(&None) {
        return None;
    }
    let shown = Schema {
        withheld: None,
        ..Schema::clone(&open.schema)
    };
    validator::validate(sql, &shown, open.dialect).err()
}

/// A row of the semantic model without what people have written of something hidden; `None` where it is about nothing else.
fn told(mut row: BTreeMap<&str, String>, hidden: &HiddenNames) -> Option<Value> {
    let speaks_of_it = |column: &str| row.get(column).is_some_and(|text| hidden.is_in(text));
    let is_written = match (row.get("kind"), row.get("source")) {
        (Some(kind), _) => ["metric", "filter"].contains(&kind.as_str()),
        (None, Some(source)) => !["inferred", "declared"].contains(&source.as_str()),
        // Tables and columns are called as they are.
        (None, None) => false,
    };
    if speaks_of_it("synonym") || (is_written && speaks_of_it("name")) {
        return None;
    }
    row.retain(|column, text| !(["description", "labels"].contains(column) && hidden.is_in(text)));
    // Not which file it is.
    if let Some(source) = row.get_mut("source").filter(|_| is_written) {
        "file".clone_into(source);
    }
    Some(json!(row))
}

/// The settings for an agent, which is a model: what none may hear of is denied to it, as if it were a user who may not read it.
fn open_to_models(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    let deny = std::mem::take(&mut settings.privacy.private);
    if !deny.is_empty() {
        settings.policy.rules.push(PolicyRule {
            users: Vec::new(),
            roles: Vec::new(),
            databases: Vec::new(),
            questions: true,
            allow: None,
            deny,
            rows: Vec::new(),
            source: SettingSource::Implied("privacy.private"),
        });
    }
    settings
}

/// About what a value takes as text, in bytes.
fn length(value: &backend::Value) -> usize {
    match value {
        backend::Value::Text(bytes) | backend::Value::Blob(bytes) => bytes.len(),
        _ => 8,
    }
}

fn holds(kind: ColumnKind) -> String {
    format!("{kind:?}").to_lowercase()
}

/// What an agent wants, for the audit.
#[derive(Clone, Copy)]
struct Call<'a> {
    user: &'a str,
    database: &'a str,
    action: &'a str,
    words: &'a str,
}

impl<'a> Call<'a> {
    fn new(governed: &'a Governed<'_>, action: &'a str, words: &'a str) -> Self {
        Self {
            user: governed.user(),
            database: governed.database_name(),
            action,
            words,
        }
    }

    /// Who asks: the server's user; a file has none, so that it is the one of this machine who runs the program.
    fn who(&self) -> Who {
        let user = match self.user {
            "" => whoami::username().unwrap_or_default(),
            user => user.to_owned(),
        };
        Who {
            role: user.clone(),
            user,
            database: self.database.to_owned(),
            address: "local".to_owned(),
            application: "querent mcp".to_owned(),
            ..Who::default()
        }
    }
}
