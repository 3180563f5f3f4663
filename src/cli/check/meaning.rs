//! What `querent check` tells of the semantic model.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};

use super::Seen;
use crate::{
    config::Settings,
    postgres::upstream::Server,
    question::{
        ossie::Understood,
        semantic::{DatasetRole, Provenance},
    },
    service::conversation::meanings,
};

/// What was understood, and what is wrong with the files.
pub(super) struct Meant {
    pub(super) understood: Arc<Understood>,
    pub(super) problems: Vec<String>,
}

/// The model of what was seen.
pub(super) async fn meant(seen: &Seen, settings: &Settings, server: Option<&Server>) -> Meant {
    let (files, mut problems) = match meanings(settings, server).await {
        Ok(meanings) => (meanings, Vec::new()),
        Err(error) => (crate::question::ossie::Meanings::default(), vec![error.message]),
    };
    let meaning = files.of_database(&seen.database);
    let wrong = meaning.problems(&seen.snapshot);
    problems.extend(wrong.iter().map(ToString::to_string));
    Meant {
        understood: meaning.of(&seen.snapshot),
        problems,
    }
}

impl Meant {
    /// How many there are of each role.
    fn roles(&self) -> BTreeMap<String, usize> {
        let mut roles = BTreeMap::new();
        for dataset in &self.understood.model.datasets {
            let role: DatasetRole = dataset.role;
            *roles.entry(format!("{role:?}").to_lowercase()).or_default() += 1;
        }
        roles
    }

    fn of_files<'a>(sources: impl Iterator<Item = &'a Provenance>) -> (usize, usize) {
        sources.fold((0, 0), |(all, told), source| {
            (
                all + 1,
                told + usize::from(matches!(source, Provenance::File(..))),
            )
        })
    }

    fn metrics(&self) -> (usize, usize) {
        Self::of_files(self.understood.model.metrics.iter().map(|metric| &metric.source))
    }

    fn filters(&self) -> (usize, usize) {
        Self::of_files(self.understood.model.filters.iter().map(|filter| &filter.source))
    }

    /// For people, in a line.
    pub(super) fn line(&self) -> String {
        let plural = |(role, count): (&String, &usize)| format!("{count} {role}");
        let roles: Vec<String> = self.roles().iter().map(plural).collect();
        let of_files = |(all, told): (usize, usize)| match told {
            0 => all.to_string(),
            told => format!("{all} ({told} of files)"),
        };
        let model = &self.understood.model;
        let keys = &self.understood.snapshot.schema.foreign_keys;
        let inferred = keys.iter().filter(|key| !key.declared).count();
        format!(
            "semantic model: {}; {} relationships ({inferred} inferred), {} metrics, {} named filters, {} verified queries",
            if roles.is_empty() {
                "nothing".to_owned()
            } else {
                roles.join(", ")
            },
            keys.len(),
            of_files(self.metrics()),
            of_files(self.filters()),
            model.verified.len(),
        )
    }

    /// For programs.
    pub(super) fn json(&self) -> Value {
        let (metrics, told_metrics) = self.metrics();
        let (filters, told_filters) = self.filters();
        json!({
            "datasets": self.roles(),
            "relationships": self.understood.snapshot.schema.foreign_keys.len(),
            "metrics": metrics,
            "metrics_of_files": told_metrics,
            "filters": filters,
            "filters_of_files": told_filters,
            "verified_queries": self.understood.model.verified.len(),
        })
    }
}
