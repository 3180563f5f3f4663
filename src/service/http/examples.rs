//! Questions that a database could be asked, made of what its semantic model says of it to whoever asks.

use std::collections::BTreeMap;

use super::asking::{Asking, Failed};

/// Questions that are offered at most.
const MOST: usize = 6;

/// What is known of a table.
#[derive(Debug, Default)]
struct Dataset {
    name: String,
    role: String,
    has_time: bool,
    is_named: bool,
    measures: Vec<String>,
    dimensions: Vec<String>,
}

/// Questions about what this user may read.
pub(super) async fn find(asking: &Asking) -> Result<Vec<String>, Failed> {
    let datasets = asking
        .run("SELECT name, role, display_columns, time_column FROM semantic.datasets;")
        .await?;
    let fields = asking
        .run("SELECT dataset, name, role FROM semantic.fields;")
        .await?;
    let text = |row: &[Option<String>], at: usize| row.get(at).cloned().flatten().unwrap_or_default();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut found: Vec<Dataset> = Vec::new();
    for row in &datasets.rows {
        known.insert(text(row, 0), found.len());
        found.push(Dataset {
            name: text(row, 0),
            role: text(row, 1),
            is_named: !text(row, 2).is_empty(),
            has_time: !text(row, 3).is_empty(),
            ..Dataset::default()
        });
    }
    for row in &fields.rows {
        let Some(dataset) = known.get(&text(row, 0)).and_then(|at| found.get_mut(*at)) else {
            continue;
        };
        match text(row, 2).as_str() {
            "measure" => dataset.measures.push(text(row, 1)),
            "dimension" => dataset.dimensions.push(text(row, 1)),
            _ => {}
        }
    }
    Ok(questions(&found))
}

/// One of each sort of question, each of another table as far as there are.
fn questions(datasets: &[Dataset]) -> Vec<String> {
    let mut asked: Vec<&str> = Vec::new();
    let mut questions = Vec::new();
    let entities = || datasets.iter().filter(|dataset| dataset.role == "entity");
    // What groups well has few values: places and states come before addresses.
    let groups = |dataset: &Dataset| {
        let good = [
            "country", "status", "region", "state", "category", "type", "kind", "city", "method",
        ];
        let found = good
            .iter()
            .find(|name| dataset.dimensions.iter().any(|dimension| dimension == *name));
        found.map(|name| words(name))
    };
    let grouped = entities().find_map(|dataset| Some((dataset, groups(dataset)?)));
    if let Some((dataset, group)) = grouped {
        asked.push(&dataset.name);
        questions.push(format!(
            "How many {} are there in each {group}?",
            plural(&dataset.name)
        ));
    }
    let measured = |dataset: &&Dataset| dataset.is_named && !dataset.measures.is_empty();
    let ranked: Vec<&Dataset> = entities().filter(measured).collect();
    let fresh = ranked
        .iter()
        .find(|dataset| !asked.contains(&dataset.name.as_str()));
    if let Some(dataset) = fresh.or(ranked.first()) {
        asked.push(&dataset.name);
        questions.push(format!(
            "The five {} with the highest {}",
            plural(&dataset.name),
            words(&dataset.measures[0])
        ));
    }
    let timed = datasets
        .iter()
        .find(|dataset| dataset.role == "event" && dataset.has_time);
    if let Some(dataset) = timed {
        questions.push(format!("Number of {} per month", plural(&dataset.name)));
        if let Some(measure) = dataset.measures.first() {
            questions.push(format!(
                "Average {} of {} per year",
                words(measure),
                plural(&dataset.name)
            ));
        }
        if let Some(group) = groups(dataset) {
            questions.push(format!(
                "How many {} are there per {group}?",
                plural(&dataset.name)
            ));
        }
    }
    let last = entities()
        .find(|dataset| !asked.contains(&dataset.name.as_str()))
        .or(datasets.first());
    if let Some(dataset) = last {
        questions.push(format!("How many {} are there?", plural(&dataset.name)));
    }
    questions.truncate(MOST);
    questions
}

/// The name of a table as it is said of several rows.
fn plural(name: &str) -> String {
    let name = words(name);
    let consonant_before = |end: &str| {
        let stem = name.strip_suffix(end);
        stem.is_some_and(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']))
    };
    if name.ends_with('s') {
        name
    } else if name.ends_with(['x', 'z']) || name.ends_with("ch") || name.ends_with("sh") {
        format!("{name}es")
    } else if consonant_before("y") {
        format!("{}ies", name.trim_end_matches('y'))
    } else {
        format!("{name}s")
    }
}

/// A name as it is said.
fn words(name: &str) -> String {
    name.replace(['_', '-', '.'], " ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_of_each_sort_is_made() {
        let dataset = |name: &str, role: &str, measures: &[&str], dimensions: &[&str]| Dataset {
            name: name.to_owned(),
            role: role.to_owned(),
            has_time: role == "event",
            is_named: role == "entity",
            measures: measures.iter().map(|name| (*name).to_owned()).collect(),
            dimensions: dimensions.iter().map(|name| (*name).to_owned()).collect(),
        };
        let datasets = [
            dataset("pet_owners", "entity", &[], &["email", "city"]),
            dataset("pet", "entity", &["weight_kg"], &[]),
            dataset("visit", "event", &["fee"], &[]),
        ];
        assert_eq!(
            questions(&datasets),
            [
                "How many pet owners are there in each city?",
                "The five pets with the highest weight kg",
                "Number of visits per month",
                "Average fee of visits per year",
                "How many pet owners are there?",
            ]
        );
        assert!(questions(&[]).is_empty());
    }
}
