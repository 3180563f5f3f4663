//! What a document says, laid over what was inferred.

use std::{collections::BTreeMap, sync::Arc};

use serde::de::DeserializeOwned;
use serde_saphyr::{Location, Spanned};

use super::{
    document::{
        Dataset, DatasetExtension, Denied, Expression, Extension, FieldExtension, Model, ModelExtension,
        VENDOR,
    },
    expression,
    names::Names,
    probe,
    problem::Problem,
    understood::{Understood, inferred},
    wording::{add_name, context, overlay, say},
};
use crate::question::{
    schema::{Schema, Snapshot},
    semantic::{Condition, NamedFilter, Piece, Provenance, SemanticModel, Term, VerifiedQuery, Wording},
};

/// A model, and what its file is called.
#[derive(Debug, Clone, Copy)]
pub struct FileModel<'a> {
    /// The file.
    pub file: &'a Arc<str>,
    /// What it says.
    pub model: &'a Model,
}

/// The meaning of a database with what models of files say, one after the other, and all that is wrong with them. What
/// is wrong is left out, and so is what was inferred in its place: a metric never means something else than its file says.
pub fn apply(files: &[FileModel<'_>], snapshot: &Snapshot) -> (Understood, Vec<Problem>) {
    let mut applying = Applying {
        file: Arc::from(""),
        datasets: BTreeMap::new(),
        fields: BTreeMap::new(),
        relationships: BTreeMap::new(),
        problems: Vec::new(),
    };
    let mut overlays = Vec::new();
    for told in files {
        applying.file = Arc::clone(told.file);
        overlays.push(Overlay {
            told: *told,
            extension: applying.extension(&told.model.custom_extensions),
            tables: applying.tables(told.model, &snapshot.schema),
        });
    }
    let snapshot = applying.related(&overlays, snapshot);
    let mut model = inferred(&snapshot).model;
    for overlay in overlays {
        applying.file = Arc::clone(overlay.told.file);
        applying.overlay(overlay, &snapshot, &mut model);
    }
    applying.ambiguous(&model);
    let wrong = probe::leave_out(&snapshot, &mut model);
    applying.problems.extend(wrong);
    applying.problems.sort_by_key(|problem| {
        let file = files
            .iter()
            .position(|told| problem.file.as_ref() == Some(told.file));
        (file, problem.line, problem.column)
    });
    let mut understood = Understood {
        snapshot,
        model,
        with_columns: None,
        datasets: applying.datasets,
        fields: applying.fields,
        relationships: applying.relationships,
        told: !files.is_empty(),
    };
    understood.add_columns();
    (understood, applying.problems)
}

/// A model on its way to be laid over what was inferred.
pub(super) struct Overlay<'a> {
    pub(super) told: FileModel<'a>,
    pub(super) extension: ModelExtension,
    pub(super) tables: Vec<(&'a Dataset, usize)>,
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

pub(super) struct Applying {
    /// What the file that is looked at is called.
    pub(super) file: Arc<str>,
    /// What files call tables, in lower case.
    pub(super) datasets: BTreeMap<String, usize>,
    /// What they call columns.
    pub(super) fields: BTreeMap<(usize, String), usize>,
    /// What they call relationships.
    pub(super) relationships: BTreeMap<String, Vec<usize>>,
    pub(super) problems: Vec<Problem>,
}

impl Applying {
    pub(super) fn wrong(&mut self, at: Location, message: impl Into<String>) {
        self.problems.push(Problem::at(at, message).of(&self.file));
    }

    pub(super) fn source(&self, at: Location) -> Provenance {
        Provenance::File(Arc::clone(&self.file), at.line())
    }

    /// Lays one model over what is known so far.
    fn overlay(&mut self, overlay: Overlay<'_>, snapshot: &Snapshot, model: &mut SemanticModel) {
        let Overlay {
            told,
            extension,
            tables,
        } = overlay;
        deny(&extension.not, snapshot, model);
        for (dataset, table) in &tables {
            self.dataset(dataset, *table, snapshot, model);
        }
        self.computed(&tables, snapshot, model);
        for (dataset, table) in &tables {
            self.filters(dataset, *table, snapshot, model);
        }
        self.metrics(told.model, &tables, snapshot, model);
        let (instructions, _) = context(told.model.ai_context.as_ref());
        model.instructions.extend(instructions);
        self.verified(&told.model.custom_extensions, extension, snapshot, model);
    }

    /// Questions with their SQL, which must be SQL of this database.
    fn verified(
        &mut self,
        extensions: &[Extension],
        extension: ModelExtension,
        snapshot: &Snapshot,
        model: &mut SemanticModel,
    ) {
        let ours = |extension: &&Extension| extension.vendor_name == VENDOR;
        let at = extensions
            .iter()
            .find(ours)
            .map_or(Location::UNKNOWN, |extension| extension.data.referenced);
        for query in extension.verified_queries {
            match probe::refused(&query.sql, snapshot) {
                None => model.verified.push(VerifiedQuery {
                    question: query.question,
                    sql: query.sql,
                }),
                Some(reason) => self.wrong(at, format!("the SQL of \"{}\": {reason}", query.question)),
            }
        }
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
            let known = self.datasets.insert(name.value.to_lowercase(), table);
            if known.is_some_and(|known| known != table || found.iter().any(|(_, other)| *other == table)) {
                self.wrong(
                    name.referenced,
                    format!("there are two datasets called {}", name.value),
                );
            }
            found.push((dataset, table));
            let mut seen: BTreeMap<String, u64> = BTreeMap::new();
            for field in &dataset.fields {
                let at = field.name.referenced;
                if let Some(first) = seen.insert(field.name.value.to_lowercase(), at.line()) {
                    let name = &field.name.value;
                    self.wrong(at, format!("the field {name} stands in line {first} already"));
                }
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
        self.ambiguous_datasets(&found);
        found
    }

    /// Two datasets that answer to one name.
    fn ambiguous_datasets(&mut self, datasets: &[(&Dataset, usize)]) {
        let mut called: BTreeMap<String, (&str, u64)> = BTreeMap::new();
        for (dataset, _) in datasets {
            let name = &dataset.name;
            called.insert(name.value.to_lowercase(), (&name.value, name.referenced.line()));
        }
        for (dataset, _) in datasets {
            let name = &dataset.name;
            for synonym in context(dataset.ai_context.as_ref()).1 {
                let (first, line) = *called
                    .entry(synonym.to_lowercase())
                    .or_insert((&name.value, name.referenced.line()));
                if first != name.value {
                    let message = format!("{synonym} means {first} (line {line}) and {}", name.value);
                    self.wrong(name.referenced, message);
                }
            }
        }
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

    pub(super) fn text(
        &mut self,
        name: &Spanned<String>,
        expression: &Spanned<Expression>,
    ) -> Option<String> {
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
        let mut called: BTreeMap<String, String> = BTreeMap::new();
        for filter in &told.filters {
            for name in std::iter::once(&filter.name).chain(&filter.synonyms) {
                let first = called
                    .entry(name.to_lowercase())
                    .or_insert_with(|| filter.name.clone());
                if *first != filter.name {
                    self.wrong(
                        at,
                        format!("{name} means the filters {first} and {}", filter.name),
                    );
                }
            }
        }
        let names: Vec<String> = told
            .filters
            .iter()
            .map(|filter| filter.name.to_lowercase())
            .collect();
        for (place, name) in names.iter().enumerate() {
            if names[..place].contains(name) {
                self.wrong(at, format!("there are two filters called {name}"));
            }
        }
        for filter in told.filters {
            let read = expression::scalar(&filter.expression, table, &self.names(snapshot, model));
            model
                .filters
                .retain(|known| known.dataset != table || !known.name.eq_ignore_ascii_case(&filter.name));
            match read {
                Ok(pieces) => {
                    model.filters.push(NamedFilter {
                        name: filter.name,
                        dataset: table,
                        condition: condition_of(pieces, table, snapshot),
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

/// That a column has no value, or that it has one, is what the database itself tells of ends; anything else stays as it is
/// written.
fn condition_of(pieces: Vec<Piece<Term>>, table: usize, snapshot: &Snapshot) -> Condition {
    let [Piece::Part(Term::Column(attribute)), Piece::Text(text)] = &pieces[..] else {
        return Condition::Written(pieces);
    };
    let profile = snapshot.profile.tables.get(table).and_then(Option::as_ref);
    let column = profile.and_then(|profile| profile.columns.get(attribute.column));
    let is_null = attribute.way.hops.is_empty() && column.is_some_and(|column| column.nulls > 0);
    match text.trim() {
        "IS NULL" if is_null => Condition::Missing(attribute.clone()),
        "IS NOT NULL" if is_null => Condition::Not(Box::new(Condition::Missing(attribute.clone()))),
        _ => Condition::Written(pieces),
    }
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
    let fits = |table: &crate::question::schema::Table| {
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
