//! A semantic model as a file has it: Apache Ossie, version 0.2.0.dev0, and what earlier drafts wrote otherwise. What Ossie
//! has no place for stands in extensions of the vendor `QUERENT`.

use serde::{Deserialize, Deserializer, Serialize};
use serde_saphyr::Spanned;

use crate::question::semantic::{Additivity, DatasetRole, FieldRole};

/// The version that is written.
pub(super) const VERSION: &str = "0.2.0.dev0";
/// Whose extensions are ours.
pub(super) const VENDOR: &str = "QUERENT";

/// A whole file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The version of the format.
    pub version: String,
    /// What the document's plain expressions are written in, in drafts that say it once.
    #[serde(default, skip_serializing)]
    pub dialect: Option<String>,
    /// One model for each database.
    pub semantic_model: Vec<Model>,
}

/// A model of one database.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// What it is called.
    pub name: String,
    /// What it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What to heed in every answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai_context: Option<AiContext>,
    /// What it has rows of.
    #[serde(default)]
    pub datasets: Vec<Dataset>,
    /// How datasets refer to each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relationships: Vec<Relationship>,
    /// What can be measured over several datasets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<Metric>,
    /// What vendors add.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom_extensions: Vec<Extension>,
}

/// A table, a view, or a query in place of one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dataset {
    /// What it is called.
    pub name: Spanned<String>,
    /// The table: `database.schema.table`.
    pub source: Spanned<String>,
    /// The columns of its key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub primary_key: Vec<String>,
    /// The columns of other keys.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unique_keys: Vec<Vec<String>>,
    /// What a row is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Other names, and what to heed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai_context: Option<AiContext>,
    /// Its columns, and what is computed of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
    /// What can be measured of it alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<Metric>,
    /// What vendors add.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom_extensions: Vec<Extension>,
}

/// A column, or a value computed of columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// What it is called.
    pub name: Spanned<String>,
    /// Its value.
    pub expression: Spanned<Expression>,
    /// That it is grouped by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimension: Option<Dimension>,
    /// A short name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The type of its values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datatype: Option<String>,
    /// Other names, and what to heed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai_context: Option<AiContext>,
    /// What vendors add.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom_extensions: Vec<Extension>,
}

/// That something is grouped by.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dimension {
    /// That it is a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_time: Option<bool>,
}

/// A reference from many rows to one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relationship {
    /// What it is called.
    pub name: Spanned<String>,
    /// The dataset of many rows.
    pub from: String,
    /// The dataset of one row.
    pub to: String,
    /// The columns that refer.
    pub from_columns: Vec<String>,
    /// The columns that are referred to.
    pub to_columns: Vec<String>,
    /// What the one is to the many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai_context: Option<AiContext>,
    /// What vendors add.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom_extensions: Vec<Extension>,
}

/// A named aggregate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metric {
    /// What it is called.
    pub name: Spanned<String>,
    /// What computes it.
    pub expression: Spanned<Expression>,
    /// What it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The type of its values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datatype: Option<String>,
    /// Other names, and what to heed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai_context: Option<AiContext>,
    /// What vendors add.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom_extensions: Vec<Extension>,
}

/// An expression: one text, or one for each dialect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Expression {
    /// As drafts wrote it.
    Plain(String),
    /// As it is written now.
    Dialects {
        /// At least one.
        dialects: Vec<DialectExpression>,
    },
}

/// An expression in one dialect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DialectExpression {
    /// Whose SQL.
    pub dialect: String,
    /// The SQL.
    pub expression: String,
}

/// What is said to those who read with understanding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AiContext {
    /// One text.
    Plain(String),
    /// In parts; there may be others than these.
    Parts {
        /// What to heed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instructions: Option<String>,
        /// Other names.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        synonyms: Vec<String>,
        /// Questions about it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        examples: Vec<String>,
    },
}

/// What one vendor adds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extension {
    /// Who adds it.
    pub vendor_name: String,
    /// JSON as text. People may write it as YAML too.
    #[serde(deserialize_with = "text_of_json")]
    pub data: Spanned<String>,
}

/// What Ossie has no place for, of a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelExtension {
    /// Which database it is about, where a file has models of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// Questions whose SQL is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verified_queries: Vec<VerifiedQuery>,
    /// What was inferred and is not so.
    #[serde(default, skip_serializing_if = "Denied::is_empty")]
    pub not: Denied,
}

/// Names of what was inferred and is not so.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Denied {
    /// Metrics.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
    /// As `TABLE.NAME`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<String>,
    /// As `TABLE.COLUMN -> TABLE.COLUMN`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relationships: Vec<String>,
}

/// A question with SQL that a person has found right.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VerifiedQuery {
    /// As somebody asked it.
    pub question: String,
    /// What answers it.
    pub sql: String,
}

/// What Ossie has no place for, of a dataset.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DatasetExtension {
    /// What a row stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<DatasetRole>,
    /// Columns that tell a person which row it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display: Option<Vec<String>>,
    /// The column that says when it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The column that says when it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// Conditions that have a name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<Filter>,
}

/// A named condition.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Filter {
    /// What it is called.
    pub name: String,
    /// In ANSI SQL, over the columns of the dataset.
    pub expression: String,
    /// Other names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
    /// What it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// What Ossie has no place for, of a field.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldExtension {
    /// What it serves for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<FieldKind>,
    /// Over what a measure may be added up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub additivity: Option<Additivity>,
    /// What its numbers count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What its values stand for.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub labels: serde_json::Map<String, serde_json::Value>,
}

/// What a column serves for, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FieldKind {
    Identifier,
    Reference,
    Name,
    Dimension,
    Measure,
    Time,
    Flag,
    Code,
    Text,
    Document,
}

/// What Ossie has no place for, of a metric.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MetricExtension {
    /// The column that says when what it measures happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Of which moment of a period rows count, where they are not added up over time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Moment>,
    /// The columns for whose values that moment is looked for on its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub each: Vec<String>,
}

/// One moment of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Moment {
    First,
    Last,
}

impl From<FieldRole> for FieldKind {
    fn from(role: FieldRole) -> Self {
        match role {
            FieldRole::Identifier => Self::Identifier,
            FieldRole::Reference => Self::Reference,
            FieldRole::Name => Self::Name,
            FieldRole::Dimension => Self::Dimension,
            FieldRole::Measure(_) => Self::Measure,
            FieldRole::Time => Self::Time,
            FieldRole::Flag(_) => Self::Flag,
            FieldRole::Code => Self::Code,
            FieldRole::Text => Self::Text,
            FieldRole::Document => Self::Document,
        }
    }
}

impl Expression {
    /// An expression in ANSI SQL.
    pub fn ansi(sql: String) -> Self {
        Self::Dialects {
            dialects: vec![DialectExpression {
                dialect: "ANSI_SQL".to_owned(),
                expression: sql,
            }],
        }
    }

    /// Its text in ANSI SQL; `None` where it has none.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Plain(text) => Some(text),
            Self::Dialects { dialects } => dialects
                .iter()
                .find(|written| written.dialect == "ANSI_SQL")
                .map(|written| written.expression.as_str()),
        }
    }
}

impl AiContext {
    /// The parts: instructions, and other names.
    pub fn parts(&self) -> (Option<&str>, &[String]) {
        match self {
            Self::Plain(text) => (Some(text), &[]),
            Self::Parts {
                instructions,
                synonyms,
                ..
            } => (instructions.as_deref(), synonyms),
        }
    }
}

impl Extension {
    /// An extension of ours.
    pub fn ours(data: &impl Serialize) -> Result<Self, serde_json::Error> {
        Ok(Self {
            vendor_name: VENDOR.to_owned(),
            data: spanned(serde_json::to_string(data)?),
        })
    }
}

impl Denied {
    fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}

/// Text that stands in no file.
pub(super) fn spanned<T>(value: T) -> Spanned<T> {
    Spanned::new(
        value,
        serde_saphyr::Location::UNKNOWN,
        serde_saphyr::Location::UNKNOWN,
    )
}

fn text_of_json<'de, D: Deserializer<'de>>(from: D) -> Result<Spanned<String>, D::Error> {
    let written = Spanned::<serde_json::Value>::deserialize(from)?;
    let text = match written.value {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    Ok(Spanned::new(text, written.referenced, written.defined))
}
