//! A file of dbt's, as far as it is read.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A file of dbt's.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct File {
    pub(super) semantic_models: Vec<SemanticModel>,
    pub(super) metrics: Vec<MetricOf>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct SemanticModel {
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) model: String,
    pub(super) defaults: Defaults,
    pub(super) entities: Vec<Entity>,
    pub(super) dimensions: Vec<DimensionOf>,
    pub(super) measures: Vec<Measure>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Defaults {
    pub(super) agg_time_dimension: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Entity {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(deserialize_with = "text")]
    pub(super) expr: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct DimensionOf {
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) label: Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(deserialize_with = "text")]
    pub(super) expr: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Measure {
    pub(super) name: String,
    pub(super) agg: String,
    #[serde(deserialize_with = "text")]
    pub(super) expr: Option<String>,
    pub(super) agg_time_dimension: Option<String>,
    pub(super) non_additive_dimension: Option<NonAdditive>,
    pub(super) create_metric: bool,
}

/// The time over which a measure is not added up: of each period only its first or its last moment counts.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct NonAdditive {
    pub(super) name: String,
    /// `max`, or else the first.
    pub(super) window_choice: String,
    /// Entities that have a moment of their own each.
    pub(super) window_groupings: Vec<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct MetricOf {
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) label: Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) type_params: TypeParameters,
    pub(super) filter: Option<Filter>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct TypeParameters {
    pub(super) measure: Option<Input>,
    pub(super) numerator: Option<Input>,
    pub(super) denominator: Option<Input>,
    #[serde(deserialize_with = "text")]
    pub(super) expr: Option<String>,
    pub(super) metrics: Vec<Input>,
}

/// A measure or metric that another one is made of; its name alone may stand for it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(from = "Written")]
pub(super) struct Input {
    pub(super) name: String,
    pub(super) alias: Option<String>,
    pub(super) filter: Option<Filter>,
    /// True where it is looked at in another period, or in periods without rows too.
    shifted: bool,
    fill_nulls_with: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Written {
    Name(String),
    Parts(Box<Parts>),
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Parts {
    name: String,
    alias: Option<String>,
    filter: Option<Filter>,
    offset_window: Option<Value>,
    offset_to_grain: Option<Value>,
    join_to_timespine: bool,
    fill_nulls_with: Option<i64>,
}

impl From<Written> for Input {
    fn from(written: Written) -> Self {
        match written {
            Written::Name(name) => Self {
                name,
                ..Self::default()
            },
            Written::Parts(parts) => Self {
                shifted: parts.offset_window.is_some()
                    || parts.offset_to_grain.is_some()
                    || parts.join_to_timespine,
                name: parts.name,
                alias: parts.alias,
                filter: parts.filter,
                fill_nulls_with: parts.fill_nulls_with,
            },
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Filter {
    One(String),
    All(Vec<String>),
}

/// Numbers and truth values may stand where SQL is expected.
fn text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(match Option::<Value>::deserialize(from)? {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text),
        Some(other) => Some(other.to_string()),
    })
}

impl Input {
    /// The SQL with what else is asked of it.
    pub(super) fn whole(&self, sql: String) -> Result<String, String> {
        if self.shifted {
            return Err("an offset in time, or a time spine, cannot be said in SQL alone".to_owned());
        }
        Ok(match self.fill_nulls_with {
            Some(value) => format!("COALESCE({sql}, {value})"),
            None => sql,
        })
    }
}
