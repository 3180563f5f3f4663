//! What the names of an expression stand for.

use std::collections::BTreeMap;

use sqlparser::ast::Ident;

use super::expression::Wrong;
use crate::question::{
    schema::Snapshot,
    semantic::{Attribute, Metric, Scalar, SemanticModel},
};

type Result<T> = std::result::Result<T, Wrong>;

/// The names that expressions may use.
pub(super) struct Names<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) model: &'a SemanticModel,
    /// What the file calls tables.
    pub(super) datasets: &'a BTreeMap<String, usize>,
    /// What the file calls columns: table, name, column.
    pub(super) fields: &'a BTreeMap<(usize, String), usize>,
    /// What the file calls relationships, each with its keys.
    pub(super) relationships: &'a BTreeMap<String, Vec<usize>>,
}

/// What a way passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PathStep {
    /// A table.
    Table(usize),
    /// One of these keys.
    Key(Vec<usize>),
}

/// A column or computed field that a name stands for.
pub(super) struct Named {
    /// What the way to its table passes.
    pub(super) steps: Vec<PathStep>,
    pub(super) table: usize,
    pub(super) value: Scalar,
}

impl Names<'_> {
    /// The columns of a table and its computed fields, with the table's name or, where it is the only one, without.
    pub(super) fn look_up(&self, parts: &[Ident], inside: Option<usize>) -> Result<Named> {
        let (steps, table, name) = match parts {
            [name] => match inside {
                Some(table) => (Vec::new(), table, name),
                None => {
                    return Err(format!(
                        "{} must be written with its dataset, as DATASET.{}",
                        name.value, name.value
                    ));
                }
            },
            [path @ .., name] => {
                let steps = path.iter().map(|part| self.step(&part.value));
                let steps = steps.collect::<Result<Vec<_>>>()?;
                let table = match steps.last() {
                    Some(PathStep::Table(table)) => *table,
                    Some(PathStep::Key(keys)) => {
                        let to = |key: &usize| self.snapshot.schema.foreign_keys[*key].to[0].table;
                        let mut tables: Vec<usize> = keys.iter().map(to).collect();
                        tables.dedup();
                        match tables[..] {
                            [table] => table,
                            _ => return Err(format!("{} leads to several datasets", path[path.len() - 1])),
                        }
                    }
                    None => return Err("there is no name".to_owned()),
                };
                (steps, table, name)
            }
            [] => return Err("there is no name".to_owned()),
        };
        let named = |value| {
            Ok(Named {
                steps: steps.clone(),
                table,
                value,
            })
        };
        let column_of = |column| Scalar::Column(Attribute::own(column));
        let lower = name.value.to_lowercase();
        if let Some(&column) = self.fields.get(&(table, lower)) {
            return named(column_of(column));
        }
        let computed = &self.model.datasets[table].computed;
        if let Some(field) = computed
            .iter()
            .find(|field| field.name.eq_ignore_ascii_case(&name.value))
        {
            return named(field.value.clone());
        }
        let of = &self.snapshot.schema.tables[table];
        match of.column_named(&name.value) {
            Some(column) => named(column_of(column)),
            None => Err(format!("{} has no column or field {}", of.name, name.value)),
        }
    }

    fn step(&self, name: &str) -> Result<PathStep> {
        match (self.dataset(name), self.relationships.get(&name.to_lowercase())) {
            (Ok(table), _) => Ok(PathStep::Table(table)),
            (Err(_), Some(keys)) => Ok(PathStep::Key(keys.clone())),
            (Err(wrong), None) => Err(wrong),
        }
    }

    /// The table that a name stands for.
    pub(super) fn dataset(&self, name: &str) -> Result<usize> {
        self.datasets
            .get(&name.to_lowercase())
            .copied()
            .or_else(|| self.snapshot.schema.table_named(name))
            .ok_or_else(|| format!("there is no dataset {name}"))
    }
}

/// The metric of a name, whatever its letter case.
pub(super) fn metric_named<'m>(metrics: &'m [Metric], name: &str) -> Option<&'m Metric> {
    metrics
        .iter()
        .find(|metric| metric.name.eq_ignore_ascii_case(name))
}
