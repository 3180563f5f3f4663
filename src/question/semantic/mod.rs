//! What a database is about: which tables are things and which are events, what columns mean, what can be measured, and
//! how all of it is called. Inferred from the database ([`infer`]), corrected by people.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::question::schema::{ColumnKind, ColumnRef, Format, Schema};

/// How many tables off the time of a row is looked for.
const FURTHEST: usize = 3;

mod columns;
mod expression;
mod hundredths;
mod infer;
mod named;
mod part;
mod period;

pub use expression::{
    Aggregate, Attribute, Change, Comparison, Condition, Figure, Formula, Hop, Operand, Piece, Scalar, Term,
    Way,
};
pub use hundredths::{in_whole_units, whole_name};
pub use infer::{Evidence, hundredths, infer, says_when};
pub use named::{Named, heading, stems};
pub use part::Places;
pub use period::{Grain, Part, Unit};

/// The meaning of one database.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SemanticModel {
    /// One for each of [`crate::question::schema::Schema::tables`], in the same order.
    pub datasets: Vec<Dataset>,
    /// One for each of [`crate::question::schema::Schema::foreign_keys`], in the same order.
    pub relationships: Vec<Relationship>,
    /// What can be measured.
    pub metrics: Vec<Metric>,
    /// Conditions that have a name.
    pub filters: Vec<NamedFilter>,
    /// Columns from coarse to fine, each of which the next one determines: region, country, city.
    pub hierarchies: Vec<Vec<ColumnRef>>,
    /// What to heed in every answer.
    pub instructions: Vec<String>,
    /// Questions whose SQL is known.
    pub verified: Vec<VerifiedQuery>,
}

/// What a table or view is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dataset {
    /// What a row stands for.
    pub role: DatasetRole,
    /// The columns that tell a person which one a row is.
    pub display: Vec<usize>,
    /// When it happened: the column that "in March" means.
    pub time: Option<usize>,
    /// When it ended, where a row spans a time.
    pub end: Option<usize>,
    /// One for each column.
    pub fields: Vec<Field>,
    /// What is computed of the columns.
    pub computed: Vec<ComputedField>,
    /// How people call and explain it.
    pub wording: Wording,
}

/// What a row of a table stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DatasetRole {
    /// A thing that has a name or is referred to: a customer, a product.
    #[default]
    Entity,
    /// Something that happened, or a part of it: an order, an order's line, a payment.
    Event,
    /// That two things belong together: a product and a tag.
    Link,
    /// A code and what it stands for.
    Lookup,
    /// How much there was of something at the end of a period: stock by month.
    Snapshot,
    /// A day with its month, quarter, and whether it is a holiday.
    Calendar,
}

/// What a column means.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Field {
    /// What it serves for.
    pub role: FieldRole,
    /// What its numbers count, in the words of its name: `eur`, `min`.
    pub unit: Option<String>,
    /// What its codes stand for: code and label.
    pub labels: Vec<(String, String)>,
    /// The form of its values, where they are dates, months or documents.
    pub format: Option<Format>,
    /// How people call and explain it.
    pub wording: Wording,
}

/// What a column serves for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum FieldRole {
    /// Tells rows apart.
    Identifier,
    /// Points to a row of another table.
    Reference,
    /// What people call the row.
    Name,
    /// Something to group and filter by.
    #[default]
    Dimension,
    /// A number that is reckoned with.
    Measure(Additivity),
    /// A day, a moment, a month or a year.
    Time,
    /// Yes or no.
    Flag(FlagForm),
    /// A short code, one of a few.
    Code,
    /// Running text.
    Text,
    /// JSON, an array, bytes.
    Document,
}

/// Over what the values of a measure may be added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Additivity {
    /// Over everything: an amount.
    Sum,
    /// Over everything but time: a balance, a stock.
    Last,
    /// It is averaged: a price, a rate, an age.
    Average,
}

/// How a flag is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FlagForm {
    /// A truth value of the database.
    Boolean,
    /// 1 and 0.
    Number,
    /// `true` and `false`.
    TrueFalse,
    /// `t` and `f`.
    Letter,
    /// `yes` and `no`.
    YesNo,
    /// `Y` and `N`, or `J` and `N`.
    YN,
}

/// What a key means.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Relationship {
    /// What the other row is to this one, where the column's name tells: `manager`, `billed to`.
    pub role: Option<String>,
    /// True where one row belongs to one row.
    pub one_to_one: bool,
    /// True where a row may have no partner.
    pub optional: bool,
}

/// Something that can be measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// What it is called: `revenue`.
    pub name: String,
    /// The table that it is about: that of its first aggregate.
    pub dataset: usize,
    /// How it comes about.
    pub formula: Formula,
    /// What people say of it.
    pub wording: Wording,
    /// Who says so.
    pub source: Provenance,
}

/// A condition with a name: `active`.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedFilter {
    /// What it is called.
    pub name: String,
    /// Of which table.
    pub dataset: usize,
    /// What holds of its rows.
    pub condition: Condition,
    /// What people say of it.
    pub wording: Wording,
    /// Who says so.
    pub source: Provenance,
}

/// A field that no column is: an expression over the columns of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct ComputedField {
    /// What it is called.
    pub name: String,
    /// Its value.
    pub value: Scalar,
    /// What its value is.
    pub kind: ColumnKind,
    /// What its value may be, where its expression names all of that: `small`, `large`.
    pub values: Vec<String>,
    /// What it means.
    pub field: Field,
    /// Its place among the columns of its table, where it is read as one of them: [`SemanticModel::with_columns`].
    pub column: Option<usize>,
    /// Who says so.
    pub source: Provenance,
}

/// A question with SQL that a person has found right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedQuery {
    /// As somebody asked it.
    pub question: String,
    /// What answers it.
    pub sql: String,
}

/// How people call and explain something.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wording {
    /// Other names.
    pub synonyms: Vec<String>,
    /// What it is, in a sentence.
    pub description: Option<String>,
    /// What to heed where it is used.
    pub instructions: Option<String>,
}

/// Who says that something is so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Provenance {
    /// The database itself.
    #[default]
    Inferred,
    /// A file, by its name, and the line in it.
    File(Arc<str>, u64),
}

impl FieldRole {
    /// True for what is added up or averaged.
    pub fn is_measure(self) -> bool {
        matches!(self, Self::Measure(_))
    }
}

impl SemanticModel {
    /// When the rows of a table happened: by a column of its own, or of what they are a part of.
    pub fn main_time(&self, table: usize, schema: &Schema) -> Option<Attribute> {
        let mut near = vec![(table, Way::here())];
        for _ in 0..FURTHEST {
            let has_time = |(table, way): &(usize, Way)| {
                let dataset = &self.datasets[*table];
                let happens = way.hops.is_empty() || dataset.role == DatasetRole::Event;
                let column = dataset.time.filter(|_| happens)?;
                Some(Attribute {
                    way: way.clone(),
                    column,
                })
            };
            if let Some(found) = near.iter().find_map(has_time) {
                return Some(found);
            }
            let further = near.iter().flat_map(|(table, way)| {
                let keys = schema.foreign_keys.iter().enumerate();
                keys.filter(move |(_, key)| key.from[0].table == *table && key.to[0].table != *table)
                    .map(move |(key, to)| (to.to[0].table, way.then(&Way::up(key))))
            });
            near = further.collect();
        }
        None
    }

    /// What is known of a column.
    pub fn field(&self, at: ColumnRef) -> &Field {
        &self.datasets[at.table].fields[at.column]
    }

    /// The computed field that a column is, where it is none that is stored.
    pub fn computed(&self, at: ColumnRef) -> Option<&ComputedField> {
        let mut fields = self.datasets.get(at.table)?.computed.iter();
        fields.find(|field| field.column == Some(at.column))
    }
}
