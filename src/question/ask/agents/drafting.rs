//! The first four agents: schema linking, subproblems, query plan, SQL.

use serde_json::{Value, json};

use super::{Call, call, text};
use crate::question::{
    ask::work::Work,
    model::{ModelError, OutputSchema, json},
    prompt::PromptContext,
    schema::{Schema, Snapshot},
};

/// The first agent: which tables and columns the question is about, as positions in the schema.
pub(in crate::question::ask) async fn schema_linking(
    work: &Work<'_>,
    who: Call<'_>,
    context: &PromptContext,
) -> Result<Linked, ModelError> {
    let text = json!({"type": "string"});
    let table = json!({
        "type": "object",
        "properties": {"name": text, "columns": {"type": "array", "items": text}},
        "required": ["name", "columns"],
        "additionalProperties": false,
    });
    let output = object(
        "linked_schema",
        &json!({"tables": {"type": "array", "items": table}}),
    );
    let schema = &work.told.snapshot.schema;
    call(work, who, context, Some(output), |answer| {
        read_linked(answer, schema)
    })
    .await
}

/// Tables with some of their columns, as positions in the schema.
pub(in crate::question::ask) type Linked = Vec<(usize, Vec<usize>)>;

/// The second agent: the clauses that the question poses, as a JSON list of `{clause, expression}`.
pub(in crate::question::ask) async fn subproblems(
    work: &Work<'_>,
    who: Call<'_>,
    context: &PromptContext,
) -> Result<String, ModelError> {
    let text = json!({"type": "string"});
    let clause = json!({
        "type": "object",
        "properties": {"clause": text, "expression": text},
        "required": ["clause", "expression"],
        "additionalProperties": false,
    });
    let output = object(
        "subproblems",
        &json!({"subproblems": {"type": "array", "items": clause}}),
    );
    call(work, who, context, Some(output), read_subproblems).await
}

/// The third agent: numbered steps in prose.
pub(in crate::question::ask) async fn query_plan(
    work: &Work<'_>,
    who: Call<'_>,
    context: &PromptContext,
) -> Result<String, ModelError> {
    call(work, who, context, None, text).await
}

/// The fourth agent: the statement.
pub(in crate::question::ask) async fn sql(
    work: &Work<'_>,
    who: Call<'_>,
    context: &PromptContext,
) -> Result<String, ModelError> {
    call(work, who, context, None, json::sql_in).await
}

fn object(name: &'static str, properties: &Value) -> OutputSchema {
    let required: Vec<&String> = properties
        .as_object()
        .into_iter()
        .flat_map(|map| map.keys())
        .collect();
    OutputSchema {
        name,
        schema: json!({
            "type": "object",
            "required": required,
            "additionalProperties": false,
            "properties": properties,
        }),
    }
}

/// The tables and columns that exist; what a model invents is left out.
fn read_linked(answer: &str, schema: &Schema) -> Option<Linked> {
    let answer = json::read(answer)?;
    let tables = answer.get("tables").unwrap_or(&answer).as_array()?;
    let mut linked = Linked::new();
    for table in tables {
        let name = table
            .get("name")
            .and_then(Value::as_str)
            .or_else(|| table.as_str());
        let bare = name.and_then(|name| name.rsplit('.').next());
        let Some(at) = bare.and_then(|name| schema.table_named(name.trim_matches('"'))) else {
            continue;
        };
        let columns = table.get("columns").and_then(Value::as_array);
        let columns = columns.into_iter().flatten().filter_map(Value::as_str);
        let columns = columns.filter_map(|column| {
            let bare = column.rsplit('.').next().unwrap_or(column);
            schema.tables[at].column_named(bare.trim_matches('"'))
        });
        linked.push((at, columns.collect()));
    }
    (!linked.is_empty()).then_some(linked)
}

fn read_subproblems(answer: &str) -> Option<String> {
    let answer = json::read(answer)?;
    let list = answer.get("subproblems").unwrap_or(&answer);
    list.as_array()
        .filter(|clauses| !clauses.is_empty())
        .map(|_| list.to_string())
}

impl Work<'_> {
    /// The linked part of the schema in a line a table, with the keys between its tables.
    pub(in crate::question::ask) fn describe_linked(&self, linked: &Linked) -> String {
        describe(&self.told.snapshot, linked)
    }
}

fn describe(snapshot: &Snapshot, linked: &Linked) -> String {
    let schema = &snapshot.schema;
    let mut lines: Vec<String> = linked
        .iter()
        .map(|(table, columns)| {
            let table = &schema.tables[*table];
            let names: Vec<&str> = columns
                .iter()
                .map(|column| table.columns[*column].name.as_str())
                .collect();
            format!("{}({})", table.name, names.join(", "))
        })
        .collect();
    for key in &schema.foreign_keys {
        let (Some(from), Some(to)) = (key.from.first(), key.to.first()) else {
            continue;
        };
        let has = |table: usize| linked.iter().any(|(linked, _)| *linked == table);
        if has(from.table) && has(to.table) {
            for (from, to) in key.from.iter().zip(&key.to) {
                let name = |at: &crate::question::schema::ColumnRef| {
                    format!("{}.{}", schema.tables[at.table].name, schema.column(*at).name)
                };
                lines.push(format!("{} = {}", name(from), name(to)));
            }
        }
    }
    lines.join("\n")
}
