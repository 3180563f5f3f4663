//! A model as a document, and a document as text.

use serde_json::{Map, Value};

use super::{
    document::{
        AiContext, Dataset, DatasetExtension, Dimension, Document, Expression, Extension, Field,
        FieldExtension, FieldKind, Filter, Metric, MetricExtension, Model, ModelExtension, Moment,
        Relationship, VERSION, VerifiedQuery, spanned,
    },
    understood::Understood,
};
use crate::question::{
    analytic::Expressions,
    schema::{Column, ColumnKind, ColumnRef, Snapshot},
    semantic::{self, Condition, FieldRole, Formula, Scalar, Wording},
};

/// What stands at the head of a file for those who write on.
const HEAD: &str = "\
# What this database is about: an Apache Ossie semantic model, as Querent inferred it.
# Correct what is wrong, add names that people use (ai_context: synonyms), metrics and filters, and leave out what is
# right already: what is not written here is inferred. `querent semantic check` says what a file changes.
";

/// A model as a document.
pub fn document(of: &Understood, name: &str) -> Result<Document, serde_json::Error> {
    let writing = Writing {
        snapshot: &of.snapshot,
        of,
    };
    let tables = 0..of.snapshot.schema.tables.len();
    let mut model = Model {
        name: name.to_owned(),
        ai_context: context(&Wording {
            instructions: (!of.model.instructions.is_empty()).then(|| of.model.instructions.join("\n")),
            ..Wording::default()
        }),
        datasets: tables
            .map(|table| writing.dataset(table))
            .collect::<Result<_, _>>()?,
        relationships: writing.relationships(),
        metrics: writing.metrics(None)?,
        ..Model::default()
    };
    let verified = of.model.verified.iter().map(|query| VerifiedQuery {
        question: query.question.clone(),
        sql: query.sql.clone(),
    });
    let extension = ModelExtension {
        verified_queries: verified.collect(),
        ..ModelExtension::default()
    };
    model.custom_extensions = ours(&extension)?;
    Ok(Document {
        version: VERSION.to_owned(),
        dialect: None,
        semantic_model: vec![model],
    })
}

/// A document as the text of a file.
pub fn text(document: &Document) -> Result<String, serde_saphyr::ser::Error> {
    Ok(format!("{HEAD}{}", serde_saphyr::to_string(document)?))
}

/// The extension with these data; none where they say nothing.
fn ours<T: serde::Serialize + Default + PartialEq>(data: &T) -> Result<Vec<Extension>, serde_json::Error> {
    if *data == T::default() {
        return Ok(Vec::new());
    }
    Ok(vec![Extension::ours(data)?])
}

fn context(wording: &Wording) -> Option<AiContext> {
    let says = wording.instructions.is_some() || !wording.synonyms.is_empty();
    says.then(|| AiContext::Parts {
        instructions: wording.instructions.clone(),
        synonyms: wording.synonyms.clone(),
        examples: Vec::new(),
    })
}

struct Writing<'a> {
    snapshot: &'a Snapshot,
    of: &'a Understood,
}

impl Writing<'_> {
    fn dataset(&self, table: usize) -> Result<Dataset, serde_json::Error> {
        let (stored, known) = (
            &self.snapshot.schema.tables[table],
            &self.of.model.datasets[table],
        );
        let name = |column: usize| stored.columns[column].name.clone();
        let filters = self
            .of
            .model
            .filters
            .iter()
            .filter(|filter| filter.dataset == table);
        let filters = filters.filter_map(|filter| {
            Some(Filter {
                name: filter.name.clone(),
                expression: self.expressions().condition(&filter.condition, table).ok()?,
                synonyms: filter.wording.synonyms.clone(),
                description: filter.wording.description.clone(),
            })
        });
        let extension = DatasetExtension {
            role: Some(known.role),
            display: (!known.display.is_empty()).then(|| known.display.iter().map(|&at| name(at)).collect()),
            time: known.time.map(name),
            end: known.end.map(name),
            filters: filters.collect(),
        };
        let columns = stored.columns.iter().zip(&known.fields);
        let mut fields = columns
            .enumerate()
            .map(|(at, (column, field))| {
                let expression = scalar_name(self.snapshot, ColumnRef { table, column: at });
                written_field(&column.name, expression, Some(column), field)
            })
            .collect::<Result<Vec<_>, _>>()?;
        for computed in &known.computed {
            if let Ok(sql) = self.expressions().scalar(&computed.value, table) {
                let mut field = written_field(&computed.name, sql, None, &computed.field)?;
                field.datatype = Some(data_type(computed.kind).to_owned());
                fields.push(field);
            }
        }
        let source = match &stored.schema {
            Some(schema) => format!("{schema}.{}", stored.name),
            None => stored.name.clone(),
        };
        Ok(Dataset {
            name: spanned(stored.name.clone()),
            source: spanned(source),
            primary_key: stored.primary_key.iter().map(|&at| name(at)).collect(),
            unique_keys: Vec::new(),
            description: known
                .wording
                .description
                .clone()
                .or_else(|| stored.comment.clone()),
            ai_context: context(&known.wording),
            fields,
            metrics: self.metrics(Some(table))?,
            custom_extensions: ours(&extension)?,
        })
    }

    fn relationships(&self) -> Vec<Relationship> {
        let mut found: Vec<Relationship> = Vec::new();
        for (key, relationship) in self
            .snapshot
            .schema
            .foreign_keys
            .iter()
            .zip(&self.of.model.relationships)
        {
            let table = |at: &[ColumnRef]| self.snapshot.schema.tables[at[0].table].name.clone();
            let columns = |at: &[ColumnRef]| -> Vec<String> {
                at.iter()
                    .map(|at| self.snapshot.schema.column(*at).name.clone())
                    .collect()
            };
            let (from, to) = (table(&key.from), table(&key.to));
            let wanted = format!("{from}_{}", columns(&key.from).join("_"));
            let taken = found
                .iter()
                .filter(|other| other.name.value.starts_with(&wanted))
                .count();
            let name = if taken == 0 {
                wanted
            } else {
                format!("{wanted}_{}", taken + 1)
            };
            found.push(Relationship {
                name: spanned(name),
                from_columns: columns(&key.from),
                to_columns: columns(&key.to),
                from,
                to,
                ai_context: context(&Wording {
                    synonyms: relationship.role.iter().cloned().collect(),
                    ..Wording::default()
                }),
                custom_extensions: Vec::new(),
            });
        }
        found
    }

    /// What a measure says of the end of periods.
    fn end_of(&self, formula: &Formula) -> MetricExtension {
        let Formula::Rows {
            table, conditions, ..
        } = formula
        else {
            return MetricExtension::default();
        };
        let name = |column: usize| {
            let at = ColumnRef {
                table: *table,
                column,
            };
            self.snapshot.schema.column(at).name.clone()
        };
        let ends = conditions.iter().find_map(|condition| match condition {
            Condition::AtEnd { first, each, .. } => Some((*first, each)),
            _ => None,
        });
        let Some((first, each)) = ends else {
            return MetricExtension::default();
        };
        let columns = each.iter().filter_map(|scalar| match scalar {
            Scalar::Column(at) => Some(name(at.column)),
            _ => None,
        });
        MetricExtension {
            time: None,
            at: Some(if first { Moment::First } else { Moment::Last }),
            each: columns.collect(),
        }
    }

    /// What is said of a metric, without words that mean another one: a file in which a word means two is refused.
    fn unmistakable(&self, of: &semantic::Metric) -> Wording {
        let mut wording = of.wording.clone();
        let others = || {
            self.of
                .model
                .metrics
                .iter()
                .filter(|metric| metric.name != of.name)
        };
        wording.synonyms.retain(|synonym| {
            let is_it = |name: &String| name.to_lowercase() == synonym.to_lowercase();
            let mut before = self
                .of
                .model
                .metrics
                .iter()
                .take_while(|metric| metric.name != of.name);
            !others().any(|metric| is_it(&metric.name))
                && !before.any(|metric| metric.wording.synonyms.iter().any(is_it))
        });
        wording
    }

    fn expressions(&self) -> Expressions<'_> {
        Expressions::new(self.snapshot, &self.of.model)
    }

    /// The metrics that are about one table alone, or those that are not.
    fn metrics(&self, of: Option<usize>) -> Result<Vec<Metric>, serde_json::Error> {
        let mut found = Vec::new();
        for metric in self
            .of
            .model
            .metrics
            .iter()
            .filter(|metric| alone(&metric.formula) == of)
        {
            let Ok(sql) = self.expressions().formula(&metric.formula) else {
                continue;
            };
            let time = match &metric.formula {
                Formula::Rows { table, time, .. } => time.as_ref().and_then(|time| {
                    if time.way.hops.is_empty() {
                        let column = time.column;
                        let at = ColumnRef {
                            table: *table,
                            column,
                        };
                        return Some(self.snapshot.schema.column(at).name.clone());
                    }
                    let time = Scalar::Column(time.clone());
                    self.expressions().scalar(&time, *table).ok()
                }),
                _ => None,
            };
            found.push(Metric {
                name: spanned(metric.name.clone()),
                expression: spanned(Expression::ansi(sql)),
                description: metric.wording.description.clone(),
                datatype: None,
                ai_context: context(&self.unmistakable(metric)),
                custom_extensions: ours(&MetricExtension {
                    time,
                    ..self.end_of(&metric.formula)
                })?,
            });
        }
        Ok(found)
    }
}

/// The table that a formula is about, where it is one aggregate of that alone.
fn alone(formula: &Formula) -> Option<usize> {
    match formula {
        Formula::Rows { table, .. } => Some(*table),
        _ => None,
    }
}

fn scalar_name(snapshot: &Snapshot, at: ColumnRef) -> String {
    crate::question::schema::identifier(&snapshot.schema.column(at).name, snapshot.dialect)
}

fn written_field(
    name: &str,
    expression: String,
    column: Option<&Column>,
    field: &semantic::Field,
) -> Result<Field, serde_json::Error> {
    let additivity = match field.role {
        FieldRole::Measure(additivity) => Some(additivity),
        _ => None,
    };
    let labels = field.labels.iter();
    let labels: Map<String, Value> = labels
        .map(|(code, label)| (code.clone(), Value::String(label.clone())))
        .collect();
    let extension = FieldExtension {
        role: Some(FieldKind::from(field.role)),
        additivity,
        unit: field.unit.clone(),
        labels,
    };
    let is_dimension = !matches!(field.role, FieldRole::Measure(_));
    Ok(Field {
        name: spanned(name.to_owned()),
        expression: spanned(Expression::ansi(expression)),
        dimension: is_dimension.then(|| Dimension {
            is_time: (field.role == FieldRole::Time).then_some(true),
        }),
        label: None,
        description: field
            .wording
            .description
            .clone()
            .or_else(|| column.and_then(|column| column.comment.clone())),
        datatype: column.map(|column| data_type(column.kind).to_owned()),
        ai_context: context(&field.wording),
        custom_extensions: ours(&extension)?,
    })
}

pub(super) fn data_type(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Integer => "Integer",
        ColumnKind::Number => "Decimal",
        ColumnKind::Text | ColumnKind::Enum | ColumnKind::Uuid => "String",
        ColumnKind::Boolean => "Boolean",
        ColumnKind::Date => "Date",
        ColumnKind::Timestamp => "DateTime",
        ColumnKind::Time => "Time",
        ColumnKind::Blob | ColumnKind::Interval | ColumnKind::Other => "Opaque",
    }
}
