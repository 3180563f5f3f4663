//! What differs between two meanings of a database, a line each.

use super::{document::Model, understood::Understood};
use crate::question::{
    analytic::{condition_sql, formula_sql},
    schema::{ColumnRef, ForeignKey, Snapshot},
    semantic::FieldRole,
};

/// What the second says otherwise than the first, of the same tables.
pub fn changes(before: &Understood, after: &Understood) -> Vec<String> {
    let mut found = Vec::new();
    for (table, (old, new)) in before
        .model
        .datasets
        .iter()
        .zip(&after.model.datasets)
        .enumerate()
    {
        let of = &after.snapshot.schema.tables[table];
        let name = |column: &usize| of.columns[*column].name.as_str();
        let names = |columns: &[usize]| columns.iter().map(name).collect::<Vec<_>>().join(", ");
        let mut differs = |what: &str, old: String, new: String| {
            if old != new {
                let told = |text: String| if text.is_empty() { "none".to_owned() } else { text };
                found.push(format!(
                    "{}: {what} {} (inferred: {})",
                    of.name,
                    told(new),
                    told(old)
                ));
            }
        };
        differs("role", word(old.role), word(new.role));
        differs("display", names(&old.display), names(&new.display));
        differs("time", names(old.time.as_slice()), names(new.time.as_slice()));
        differs("end", names(old.end.as_slice()), names(new.end.as_slice()));
        differs(
            "also called",
            old.wording.synonyms.join(", "),
            new.wording.synonyms.join(", "),
        );
        for (column, (old, new)) in of.columns.iter().zip(old.fields.iter().zip(&new.fields)) {
            let mut differs = |what: &str, old: String, new: String| {
                differs(&format!("{} {what}", column.name), old, new);
            };
            differs("role", role(old.role), role(new.role));
            differs(
                "unit",
                old.unit.clone().unwrap_or_default(),
                new.unit.clone().unwrap_or_default(),
            );
            differs("labels", labels(&old.labels), labels(&new.labels));
            differs(
                "also called",
                old.wording.synonyms.join(", "),
                new.wording.synonyms.join(", "),
            );
        }
        for field in &new.computed {
            found.push(format!("{}: computed field {}", of.name, field.name));
        }
    }
    compare(
        &mut found,
        "relationship",
        &relationships(&before.snapshot),
        &relationships(&after.snapshot),
    );
    compare(&mut found, "metric", &metrics(before), &metrics(after));
    compare(&mut found, "filter", &filters(before), &filters(after));
    found
}

/// What a database has that a file does not know of, and the other way round.
pub fn since(file: &Model, now: &Understood) -> Vec<String> {
    let mut found = Vec::new();
    let last = |source: &str| {
        source
            .rsplit('.')
            .next()
            .unwrap_or(source)
            .trim_matches('"')
            .to_lowercase()
    };
    for dataset in &file.datasets {
        let Some(table) = now.snapshot.schema.table_named(&last(&dataset.source.value)) else {
            found.push(format!("{}: the table is gone", dataset.source.value));
            continue;
        };
        let table = &now.snapshot.schema.tables[table];
        let written = |name: &str| {
            dataset.fields.iter().any(|field| {
                let expression = field.expression.value.text().map(last);
                field.name.value.eq_ignore_ascii_case(name) || expression == Some(name.to_lowercase())
            })
        };
        if !dataset.fields.is_empty() {
            for column in table.columns.iter().filter(|column| !written(&column.name)) {
                found.push(format!("{}.{}: the column is new", table.name, column.name));
            }
        }
        for key in &dataset.primary_key {
            if table.column_named(key).is_none() {
                found.push(format!("{}.{key}: the column is gone", table.name));
            }
        }
        for field in &dataset.fields {
            let expression = field.expression.value.text().unwrap_or_default();
            let plain = !expression.contains(|c: char| !c.is_alphanumeric() && !"_.\"".contains(c));
            if plain && table.column_named(&last(expression)).is_none() {
                found.push(format!("{}.{expression}: the column is gone", table.name));
            }
        }
    }
    for table in &now.snapshot.schema.tables {
        let known = file
            .datasets
            .iter()
            .any(|dataset| last(&dataset.source.value) == table.name.to_lowercase());
        if !known {
            found.push(format!("{}: the table is new", table.name));
        }
    }
    found
}

/// What each is called, and what it is.
type Named = Vec<(String, String)>;

fn compare(found: &mut Vec<String>, what: &str, before: &Named, after: &Named) {
    for (name, is) in after {
        match before.iter().find(|(old, _)| old.eq_ignore_ascii_case(name)) {
            None => found.push(format!("{what} {name}: {is} (new)")),
            Some((_, was)) if !is_same(was, is) => {
                found.push(format!("{what} {name}: {is} (inferred: {was})"));
            }
            Some(_) => {}
        }
    }
    for (name, _) in before {
        if !after.iter().any(|(new, _)| new.eq_ignore_ascii_case(name)) {
            found.push(format!("{what} {name}: taken out"));
        }
    }
}

/// True for the same SQL, of which what a file says stands in parentheses.
fn is_same(one: &str, other: &str) -> bool {
    let bare = |sql: &str| -> Vec<String> {
        let inner = sql.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let parts = inner.unwrap_or(sql).split('\'').enumerate();
        // Every other part is a literal.
        let part = |(at, part): (usize, &str)| {
            if at % 2 == 0 {
                part.to_lowercase()
            } else {
                part.to_owned()
            }
        };
        parts.map(part).collect()
    };
    bare(one) == bare(other)
}

fn relationships(snapshot: &Snapshot) -> Named {
    let place = |at: &ColumnRef| {
        let table = &snapshot.schema.tables[at.table];
        format!("{}.{}", table.name, table.columns[at.column].name)
    };
    let end = |columns: &[ColumnRef]| columns.iter().map(place).collect::<Vec<_>>().join("+");
    let named = |key: &ForeignKey| (format!("{} -> {}", end(&key.from), end(&key.to)), String::new());
    snapshot.schema.foreign_keys.iter().map(named).collect()
}

fn metrics(of: &Understood) -> Named {
    let sql = |metric: &crate::question::semantic::Metric| {
        let sql = formula_sql(&metric.formula, &of.snapshot, &of.model);
        (metric.name.clone(), sql.unwrap_or_default())
    };
    of.model.metrics.iter().map(sql).collect()
}

fn filters(of: &Understood) -> Named {
    let sql = |filter: &crate::question::semantic::NamedFilter| {
        let table = &of.snapshot.schema.tables[filter.dataset].name;
        let sql = condition_sql(&filter.condition, filter.dataset, &of.snapshot, &of.model);
        (format!("{table}.{}", filter.name), sql.unwrap_or_default())
    };
    of.model.filters.iter().map(sql).collect()
}

fn labels(labels: &[(String, String)]) -> String {
    let label = |(code, label): &(String, String)| format!("{code} = {label}");
    labels.iter().map(label).collect::<Vec<_>>().join(", ")
}

fn word(role: crate::question::semantic::DatasetRole) -> String {
    format!("{role:?}").to_lowercase()
}

fn role(role: FieldRole) -> String {
    format!("{role:?}").to_lowercase()
}
