//! What a document says, laid over what was inferred.

use std::{collections::BTreeMap, sync::Arc};

use serde::de::DeserializeOwned;
use serde_saphyr::{Location, Spanned};

use super::{
    document::{
        Dataset, DatasetExtension, Denied, Expression, Extension, FieldExtension, Model, ModelExtension,
        Relationship, VENDOR,
    },
    expression,
    names::Names,
    probe,
    problem::Problem,
    wording::{add_name, context, overlay, say},
};
use crate::{
    schema::{ColumnRef, ForeignKey, JoinGraph, Schema, Snapshot},
    semantic::{
        self, Attribute, ComputedField, Condition, Evidence, NamedFilter, Piece, Scalar, SemanticModel,
        Source, VerifiedQuery, Wording,
    },
};

/// A database with its meaning, as it was inferred or as people have corrected it.
#[derive(Debug, Clone)]
pub struct Understood {
    /// The database; keys that people have told of or denied are in it or not.
    pub snapshot: Snapshot,
    /// What it means.
    pub model: SemanticModel,
    /// What a file calls tables, in lower case.
    pub(super) datasets: BTreeMap<String, usize>,
    /// What it calls columns.
    pub(super) fields: BTreeMap<(usize, String), usize>,
    /// What relationships are called, each name with its keys.
    pub(super) relationships: BTreeMap<String, Vec<usize>>,
}

/// The meaning of a database, as far as the database itself tells it.
pub fn inferred(snapshot: &Snapshot) -> Understood {
    let model = semantic::infer(&Evidence {
        schema: &snapshot.schema,
        profile: &snapshot.profile,
    });
    Understood {
        snapshot: snapshot.clone(),
        model,
        datasets: BTreeMap::new(),
        fields: BTreeMap::new(),
        relationships: BTreeMap::new(),
    }
}

/// The meaning of a database with what a model of a file says. `file` is what the file is called. All that is wrong with
/// the model is told at once.
pub fn apply(document: &Model, file: &Arc<str>, snapshot: &Snapshot) -> Result<Understood, Vec<Problem>> {
    let mut applying = Applying {
        file,
        datasets: BTreeMap::new(),
        fields: BTreeMap::new(),
        relationships: BTreeMap::new(),
        problems: Vec::new(),
    };
    let extension: ModelExtension = applying.extension(&document.custom_extensions);
    let tables = applying.tables(document, &snapshot.schema);
    let snapshot = applying.related(document, &extension.not, snapshot);
    let mut model = inferred(&snapshot).model;
    deny(&extension.not, &snapshot, &mut model);
    for (dataset, table) in &tables {
        applying.dataset(dataset, *table, &snapshot, &mut model);
    }
    for (dataset, table) in &tables {
        applying.computed(dataset, *table, &snapshot, &mut model);
        applying.filters(dataset, *table, &snapshot, &mut model);
    }
    applying.metrics(document, &tables, &snapshot, &mut model);
    let (instructions, _) = context(document.ai_context.as_ref());
    model.instructions.extend(instructions);
    let verified = extension.verified_queries.into_iter();
    model.verified.extend(verified.map(|query| VerifiedQuery {
        question: query.question,
        sql: query.sql,
    }));
    if applying.problems.is_empty() {
        applying.problems = probe::problems(&snapshot, &model, &tables_of_file(&tables));
    }
    if applying.problems.is_empty() {
        Ok(Understood {
            snapshot,
            model,
            datasets: applying.datasets,
            fields: applying.fields,
            relationships: applying.relationships,
        })
    } else {
        applying
            .problems
            .sort_by_key(|problem| (problem.line, problem.column));
        Err(applying.problems)
    }
}

fn tables_of_file(tables: &[(&Dataset, usize)]) -> Vec<(usize, Location)> {
    tables
        .iter()
        .map(|(dataset, table)| (*table, dataset.name.referenced))
        .collect()
}

/// Takes out what was inferred and is not so.
fn deny(denied: &Denied, snapshot: &Snapshot, model: &mut SemanticModel) {
    let is_one = |names: &[String], name: &str| names.iter().any(|denied| denied.eq_ignore_ascii_case(name));
    model
        .metrics
        .retain(|metric| !is_one(&denied.metrics, &metric.name));
    model.filters.retain(|filter| {
        let table = &snapshot.schema.tables[filter.dataset].name;
        !is_one(&denied.filters, &format!("{table}.{}", filter.name))
    });
}

pub(super) struct Applying<'a> {
    file: &'a Arc<str>,
    /// What the file calls tables, in lower case.
    datasets: BTreeMap<String, usize>,
    /// What it calls columns.
    fields: BTreeMap<(usize, String), usize>,
    /// What it calls relationships.
    relationships: BTreeMap<String, Vec<usize>>,
    pub(super) problems: Vec<Problem>,
}

impl Applying<'_> {
    pub(super) fn wrong(&mut self, at: Location, message: impl Into<String>) {
        self.problems.push(Problem::at(at, message));
    }

    pub(super) fn source(&self, at: Location) -> Source {
        Source::File(Arc::clone(self.file), at.line())
    }

    /// What is said of something in an extension of ours; the default where nothing is.
    pub(super) fn extension<T: DeserializeOwned + Default>(&mut self, extensions: &[Extension]) -> T {
        let mut ours = extensions
            .iter()
            .filter(|extension| extension.vendor_name == VENDOR);
        let Some(extension) = ours.next() else {
            return T::default();
        };
        if let Some(further) = ours.next() {
            self.wrong(
                further.data.referenced,
                format!("there are two extensions of {VENDOR} here"),
            );
        }
        serde_json::from_str(&extension.data.value).unwrap_or_else(|error| {
            self.wrong(extension.data.referenced, format!("data of {VENDOR}: {error}"));
            T::default()
        })
    }

    /// Which table each dataset is.
    fn tables<'d>(&mut self, document: &'d Model, schema: &Schema) -> Vec<(&'d Dataset, usize)> {
        let mut found: Vec<(&Dataset, usize)> = Vec::new();
        for dataset in &document.datasets {
            let source = &dataset.source;
            let table = match table_of(&source.value, schema) {
                Ok(table) => table,
                Err(message) => {
                    self.wrong(source.referenced, message);
                    continue;
                }
            };
            let name = &dataset.name;
            if let Some((other, _)) = found.iter().find(|(_, other)| *other == table) {
                let other = &other.name.value;
                self.wrong(
                    name.referenced,
                    format!("{} is {other} already: one table has two datasets", name.value),
                );
                continue;
            }
            if self.datasets.insert(name.value.to_lowercase(), table).is_some() {
                self.wrong(
                    name.referenced,
                    format!("there are two datasets called {}", name.value),
                );
            }
            found.push((dataset, table));
            for field in &dataset.fields {
                let column = field
                    .expression
                    .value
                    .text()
                    .and_then(|text| plain_column(text, schema, table));
                if let Some(column) = column {
                    self.fields
                        .insert((table, field.name.value.to_lowercase()), column);
                }
            }
        }
        found
    }

    /// The database with the keys that the file tells of, and without those that it denies.
    fn related(&mut self, document: &Model, denied: &Denied, snapshot: &Snapshot) -> Snapshot {
        let mut schema = (*snapshot.schema).clone();
        let place = |at: &ColumnRef| {
            format!(
                "{}.{}",
                snapshot.schema.tables[at.table].name,
                snapshot.schema.column(*at).name
            )
        };
        let says = |key: &ForeignKey| {
            let ends = [&key.from, &key.to].map(|end| end.iter().map(place).collect::<Vec<_>>().join("+"));
            ends.join(" -> ")
        };
        schema.foreign_keys.retain(|key| {
            key.declared
                || !denied
                    .relationships
                    .iter()
                    .any(|denied| denied.eq_ignore_ascii_case(&says(key)))
        });
        for relationship in &document.relationships {
            match self.key(relationship, &schema) {
                Ok(key) => {
                    let same = |known: &ForeignKey| known.from == key.from && known.to == key.to;
                    match schema.foreign_keys.iter_mut().find(|known| same(known)) {
                        Some(known) => known.declared = true,
                        None => schema.foreign_keys.push(key),
                    }
                }
                Err(message) => self.wrong(relationship.name.referenced, message),
            }
        }
        schema.foreign_keys.sort_by_key(|key| !key.declared);
        for relationship in &document.relationships {
            let Ok(told) = self.key(relationship, &schema) else {
                continue;
            };
            let same = |known: &ForeignKey| known.from == told.from && known.to == told.to;
            let Some(key) = schema.foreign_keys.iter().position(same) else {
                continue;
            };
            let (_, synonyms) = context(relationship.ai_context.as_ref());
            for name in std::iter::once(&relationship.name.value).chain(&synonyms) {
                self.relationships
                    .entry(name.to_lowercase())
                    .or_default()
                    .push(key);
            }
        }
        if schema.foreign_keys == snapshot.schema.foreign_keys {
            return snapshot.clone();
        }
        Snapshot {
            joins: Arc::new(JoinGraph::new(&schema)),
            schema: Arc::new(schema),
            ..snapshot.clone()
        }
    }

    fn key(&self, relationship: &Relationship, schema: &Schema) -> Result<ForeignKey, String> {
        let end = |dataset: &str, columns: &[String]| {
            let table = self
                .datasets
                .get(&dataset.to_lowercase())
                .copied()
                .ok_or_else(|| format!("{}: there is no dataset {dataset}", relationship.name.value))?;
            columns
                .iter()
                .map(|name| {
                    let column = self.fields.get(&(table, name.to_lowercase())).copied();
                    let column = column.or_else(|| schema.tables[table].column_named(name));
                    let column = column.ok_or_else(|| {
                        format!("{}: {dataset} has no column {name}", relationship.name.value)
                    })?;
                    Ok(ColumnRef { table, column })
                })
                .collect::<Result<Vec<_>, String>>()
        };
        let from = end(&relationship.from, &relationship.from_columns)?;
        let to = end(&relationship.to, &relationship.to_columns)?;
        if from.is_empty() || from.len() != to.len() {
            return Err(format!(
                "{}: from_columns and to_columns must be equally many, and one at least",
                relationship.name.value
            ));
        }
        Ok(ForeignKey {
            from,
            to,
            declared: true,
        })
    }

    /// What a dataset says of its table and its columns.
    fn dataset(&mut self, dataset: &Dataset, table: usize, snapshot: &Snapshot, model: &mut SemanticModel) {
        let told: DatasetExtension = self.extension(&dataset.custom_extensions);
        let here = dataset.name.referenced;
        let column = |name: &str, applying: &mut Self| {
            let found = applying.column(table, name, snapshot);
            if found.is_none() {
                let of = &snapshot.schema.tables[table].name;
                applying.wrong(here, format!("{of} has no column {name}"));
            }
            found
        };
        let known = &mut model.datasets[table];
        known.role = told.role.unwrap_or(known.role);
        if let Some(display) = &told.display {
            known.display = display.iter().filter_map(|name| column(name, self)).collect();
        }
        if let Some(time) = &told.time {
            known.time = column(time, self);
        }
        if let Some(end) = &told.end {
            known.end = column(end, self);
        }
        say(
            &mut known.wording,
            dataset.description.as_deref(),
            dataset.ai_context.as_ref(),
            None,
        );
        add_name(
            &mut known.wording,
            &dataset.name.value,
            &snapshot.schema.tables[table].name,
        );
        for field in &dataset.fields {
            let Some(&column) = self.fields.get(&(table, field.name.value.to_lowercase())) else {
                continue;
            };
            let told: FieldExtension = self.extension(&field.custom_extensions);
            let name = &snapshot.schema.tables[table].columns[column].name;
            let known = &mut model.datasets[table].fields[column];
            overlay(known, field, &told);
            add_name(&mut known.wording, &field.name.value, name);
        }
    }

    pub(super) fn column(&self, table: usize, name: &str, snapshot: &Snapshot) -> Option<usize> {
        self.fields
            .get(&(table, name.to_lowercase()))
            .copied()
            .or_else(|| snapshot.schema.tables[table].column_named(name))
    }

    /// The fields that are computed.
    fn computed(&mut self, dataset: &Dataset, table: usize, snapshot: &Snapshot, model: &mut SemanticModel) {
        for field in &dataset.fields {
            if self
                .fields
                .contains_key(&(table, field.name.value.to_lowercase()))
            {
                continue;
            }
            let Some(text) = self.text(&field.name, &field.expression) else {
                continue;
            };
            match expression::scalar(&text, table, &self.names(snapshot, model)) {
                Ok(pieces) => {
                    let told: FieldExtension = self.extension(&field.custom_extensions);
                    let mut known = semantic::Field::default();
                    overlay(&mut known, field, &told);
                    model.datasets[table].computed.push(ComputedField {
                        name: field.name.value.clone(),
                        value: value_of(pieces),
                        field: known,
                    });
                }
                Err(wrong) => self.wrong(
                    field.expression.referenced,
                    format!("{}: {wrong}", field.name.value),
                ),
            }
        }
    }

    fn text(&mut self, name: &Spanned<String>, expression: &Spanned<Expression>) -> Option<String> {
        let text = expression.value.text().map(str::to_owned);
        if text.is_none() {
            self.wrong(
                expression.referenced,
                format!("{}: there is no expression in the dialect ANSI_SQL", name.value),
            );
        }
        text
    }

    pub(super) fn names<'n>(&'n self, snapshot: &'n Snapshot, model: &'n SemanticModel) -> Names<'n> {
        Names {
            snapshot,
            model,
            datasets: &self.datasets,
            fields: &self.fields,
            relationships: &self.relationships,
        }
    }

    fn filters(&mut self, dataset: &Dataset, table: usize, snapshot: &Snapshot, model: &mut SemanticModel) {
        let told: DatasetExtension = self.extension(&dataset.custom_extensions);
        let at = dataset
            .custom_extensions
            .iter()
            .find(|extension| extension.vendor_name == VENDOR)
            .map_or(dataset.name.referenced, |extension| extension.data.referenced);
        for filter in told.filters {
            match expression::scalar(&filter.expression, table, &self.names(snapshot, model)) {
                Ok(pieces) => {
                    model.filters.retain(|known| {
                        known.dataset != table || !known.name.eq_ignore_ascii_case(&filter.name)
                    });
                    model.filters.push(NamedFilter {
                        name: filter.name,
                        dataset: table,
                        condition: Condition::Written(pieces),
                        wording: Wording {
                            synonyms: filter.synonyms,
                            description: filter.description,
                            instructions: None,
                        },
                        source: self.source(at),
                    });
                }
                Err(wrong) => self.wrong(at, format!("filter {}: {wrong}", filter.name)),
            }
        }
    }
}

fn value_of(mut pieces: Vec<Piece<Attribute>>) -> Scalar {
    if let [Piece::Part(_)] = pieces[..]
        && let Some(Piece::Part(attribute)) = pieces.pop()
    {
        return Scalar::Column(attribute);
    }
    Scalar::Written(pieces)
}

/// The table that a dataset's source names: `database.schema.table`, `schema.table` or `table`.
fn table_of(source: &str, schema: &Schema) -> Result<usize, String> {
    if source.trim().contains(char::is_whitespace) && source.to_lowercase().contains("select") {
        return Err("a query cannot be a source: create a view of it, and name that".to_owned());
    }
    let parts: Vec<String> = source
        .split('.')
        .map(|part| part.trim().trim_matches(['"', '`']).to_owned())
        .collect();
    let (namespace, name) = match &parts[..] {
        [name] => (None, name),
        [.., namespace, name] => (Some(namespace), name),
        [] => (None, &parts[0]),
    };
    let fits = |table: &crate::schema::Table| {
        table.name.eq_ignore_ascii_case(name)
            && match (namespace, &table.schema) {
                (Some(wanted), Some(has)) => wanted.eq_ignore_ascii_case(has),
                _ => true,
            }
    };
    schema
        .tables
        .iter()
        .position(fits)
        .ok_or_else(|| format!("there is no table {source}"))
}

/// The column that an expression is, where it is nothing else.
fn plain_column(text: &str, schema: &Schema, table: usize) -> Option<usize> {
    let name = text.trim();
    let name = name.rsplit_once('.').map_or(name, |(before, name)| {
        if before.contains(char::is_whitespace) {
            text
        } else {
            name
        }
    });
    schema.tables[table].column_named(name.trim_matches('"'))
}
