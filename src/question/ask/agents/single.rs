//! The one call of ours: SQL with what was assumed, and other readings where there are any.

use serde::Deserialize;
use serde_json::json;

use super::{Call, call};
use crate::question::{
    ask::work::Work,
    model::{ModelError, OutputSchema, json},
    prompt::PromptContext,
};

/// Other readings that are looked at.
const MOST_ALTERNATIVES: usize = 3;

/// What the one call gives.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::question::ask) struct Single {
    /// The way to the SQL, in a few words.
    pub(in crate::question::ask) reasoning: String,
    /// What the question does not say.
    pub(in crate::question::ask) assumptions: Vec<String>,
    /// The statement; empty where the model has none.
    pub(in crate::question::ask) sql: String,
    /// Other ways to read the question.
    pub(in crate::question::ask) alternatives: Vec<Alternative>,
}

/// Another way to read the question.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::question::ask) struct Alternative {
    /// How it reads the question.
    pub(in crate::question::ask) reading: String,
    /// Its statement.
    pub(in crate::question::ask) sql: String,
}

/// Asks for reasoning, assumptions, SQL and alternatives at once.
pub(in crate::question::ask) async fn single(
    work: &Work<'_>,
    who: Call<'_>,
    context: &PromptContext,
) -> Result<Single, ModelError> {
    let terse = work.registry().terse.contains(who.model);
    let context = PromptContext {
        terse,
        ..context.clone()
    };
    let output = if terse { statement() } else { output() };
    call(work, who, &context, Some(output), read).await
}

/// The statement alone.
fn statement() -> OutputSchema {
    OutputSchema {
        name: "statement",
        schema: json!({
            "type": "object",
            "properties": {"sql": {"type": "string"}},
            "required": ["sql"],
            "additionalProperties": false,
        }),
    }
}

fn output() -> OutputSchema {
    let text = json!({"type": "string"});
    let alternative = json!({
        "type": "object",
        "properties": {"reading": text, "sql": text},
        "required": ["reading", "sql"],
        "additionalProperties": false,
    });
    OutputSchema {
        name: "answer",
        schema: json!({
            "type": "object",
            "properties": {
                "reasoning": text,
                "sql": text,
                "assumptions": {"type": "array", "items": text},
                "alternatives": {"type": "array", "items": alternative},
            },
            "required": ["reasoning", "sql", "assumptions", "alternatives"],
            "additionalProperties": false,
        }),
    }
}

/// The answer as JSON, else the SQL that stands in it. A model that has no SQL for the question leaves it empty.
fn read(answer: &str) -> Option<Single> {
    let single = json::read(answer)
        .filter(|value| value["sql"].is_string())
        .and_then(|value| serde_json::from_value::<Single>(value).ok());
    let mut single = match single {
        Some(single) => single,
        None => Single {
            sql: json::sql_in(answer)?,
            ..Single::default()
        },
    };
    single.alternatives.retain(|other| !other.sql.trim().is_empty());
    single.alternatives.truncate(MOST_ALTERNATIVES);
    Some(single)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_and_prose_are_read() {
        for (answer, sql, alternatives) in [
            (
                r#"{"reasoning":"r","sql":"SELECT 1","assumptions":[],"alternatives":[]}"#,
                "SELECT 1",
                0,
            ),
            (
                r#"{"sql":"SELECT 1","alternatives":[{"reading":"x","sql":"SELECT 2"},{"reading":"y","sql":""}]}"#,
                "SELECT 1",
                1,
            ),
            ("```json\n{\"sql\": \"SELECT 1\",}\n```", "SELECT 1", 0),
            (
                "Here it is:\n```sql\nSELECT 1;\n```\nIt selects one.",
                "SELECT 1",
                0,
            ),
        ] {
            let single = read(answer).unwrap_or_else(|| panic!("{answer}"));
            assert_eq!(single.sql.trim().trim_end_matches(';'), sql, "{answer}");
            assert_eq!(single.alternatives.len(), alternatives, "{answer}");
        }
        for answer in ["", "I cannot answer that.", "{}", "[]"] {
            assert!(read(answer).is_none(), "{answer}");
        }
    }
}
