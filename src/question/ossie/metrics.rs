//! The metrics of a document.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    convert::Infallible,
    sync::Arc,
};

use super::{
    apply::Applying,
    document::{Dataset, Metric, MetricExtension, Model, Moment, VENDOR},
    expression, measure,
    names::{Names, metric_named},
    problem::Problem,
    wording::say,
};
use crate::question::{
    schema::Snapshot,
    semantic::{
        self, Attribute, Condition, Formula, Piece, Provenance, Scalar, SemanticModel, Term, Wording,
    },
};

/// How deep metrics may be made of metrics.
const DEEPEST: usize = 64;

/// The metrics of a file, and what is known of them so far.
struct KnownMetrics<'a> {
    written: Vec<(&'a Metric, Option<usize>)>,
    /// What they compute, and how deep it is made of others, by their names in lower case.
    done: RefCell<BTreeMap<String, (Formula, usize)>>,
    /// True once one was too deep: those that are made of it are too, and one is enough to tell.
    too_deep: Cell<bool>,
}

impl Applying {
    /// The metrics, of which each may use others, in whatever order they stand.
    pub(super) fn metrics(
        &mut self,
        document: &Model,
        tables: &[(&Dataset, usize)],
        snapshot: &Snapshot,
        model: &mut SemanticModel,
    ) {
        let whole = document.metrics.iter().map(|metric| (metric, None));
        let of_tables = tables
            .iter()
            .flat_map(|(dataset, table)| dataset.metrics.iter().map(|metric| (metric, Some(*table))));
        let written: Vec<(&Metric, Option<usize>)> = whole.chain(of_tables).collect();
        let mut seen: BTreeMap<String, u64> = BTreeMap::new();
        for (metric, _) in &written {
            let line = metric.name.referenced.line();
            if let Some(first) = seen.insert(metric.name.value.to_lowercase(), line) {
                self.wrong(
                    metric.name.referenced,
                    format!("the metric {} stands in line {first} already", metric.name.value),
                );
            }
        }
        let known = KnownMetrics {
            written,
            done: RefCell::default(),
            too_deep: Cell::new(false),
        };
        for (metric, inside) in &known.written {
            let formula = self
                .names(snapshot, model)
                .formula((metric, *inside), &known, &mut Vec::new());
            let formula = match formula {
                Ok((formula, _)) => formula,
                Err(wrong) => {
                    // What was inferred under this name is not what is meant by it.
                    without(model, &metric.name.value);
                    self.wrong(
                        metric.expression.referenced,
                        format!("{}: {wrong}", metric.name.value),
                    );
                    if known.too_deep.get() {
                        break;
                    }
                    continue;
                }
            };
            let Some(table) = formula.table() else {
                continue;
            };
            let _: MetricExtension = self.extension(&metric.custom_extensions);
            let mut wording = Wording::default();
            say(
                &mut wording,
                metric.description.as_deref(),
                metric.ai_context.as_ref(),
                None,
            );
            without(model, &metric.name.value);
            model.metrics.push(semantic::Metric {
                name: metric.name.value.clone(),
                dataset: table,
                formula,
                wording,
                source: self.source(metric.name.referenced),
            });
        }
    }

    /// Two metrics of files that answer to one name.
    pub(super) fn ambiguous(&mut self, model: &SemanticModel) {
        let mut called: BTreeMap<String, (String, u64)> = BTreeMap::new();
        for metric in &model.metrics {
            let Provenance::File(file, line) = &metric.source else {
                continue;
            };
            let names = std::iter::once(&metric.name).chain(&metric.wording.synonyms);
            for name in names {
                let first = called
                    .entry(name.to_lowercase())
                    .or_insert_with(|| (metric.name.clone(), *line));
                if first.0 != metric.name {
                    let message = format!("{name} means {} (line {}) and {}", first.0, first.1, metric.name);
                    self.problems.push(Problem {
                        file: Some(Arc::clone(file)),
                        line: *line,
                        column: 1,
                        message,
                    });
                }
            }
        }
    }
}

/// Takes out the metric of a name.
fn without(model: &mut SemanticModel, name: &str) {
    model
        .metrics
        .retain(|known| !known.name.eq_ignore_ascii_case(name));
}

impl Names<'_> {
    /// What a metric computes and how deep it is made of others; `within` are the metrics that wait for it.
    fn formula(
        &self,
        (metric, inside): (&Metric, Option<usize>),
        known: &KnownMetrics<'_>,
        within: &mut Vec<String>,
    ) -> Result<(Formula, usize), String> {
        let name = metric.name.value.to_lowercase();
        if within.contains(&name) {
            within.push(name);
            return Err(format!("it is made of itself: {}", within.join(" -> ")));
        }
        if let Some(done) = known.done.borrow().get(&name) {
            return Ok(done.clone());
        }
        let too_deep = || {
            known.too_deep.set(true);
            Err(format!("metrics are made of metrics more than {DEEPEST} deep"))
        };
        if within.len() >= DEEPEST {
            return too_deep();
        }
        let Some(text) = metric.expression.value.text() else {
            return Err("there is no expression in the dialect ANSI_SQL".to_owned());
        };
        within.push(name.clone());
        let chain = RefCell::new(within);
        let depth = Cell::new(0);
        let stands_for = |wanted: &str| {
            let mut written = known.written.iter();
            let found = written.find(|(other, _)| other.name.value.eq_ignore_ascii_case(wanted));
            let Some((other, inside)) = found else {
                return metric_named(&self.model.metrics, wanted).map(|metric| Ok(metric.formula.clone()));
            };
            let formula = self.formula((other, *inside), known, &mut chain.borrow_mut());
            Some(formula.map(|(formula, inner)| {
                depth.set(depth.get().max(inner + 1));
                formula
            }))
        };
        let mut formula = measure::formula(text, inside, self, &stands_for)?;
        chain.into_inner().pop();
        if depth.get() > DEEPEST {
            return too_deep();
        }
        let ours = metric
            .custom_extensions
            .iter()
            .find(|extension| extension.vendor_name == VENDOR);
        let told: Option<MetricExtension> = ours.and_then(|ours| serde_json::from_str(&ours.data.value).ok());
        if let (Some(told), Some(table)) = (told, formula.table()) {
            let of = &self.snapshot.schema.tables[table];
            let column = |name: &String| {
                let field = self.fields.get(&(table, name.to_lowercase())).copied();
                let column = field.or_else(|| of.column_named(name));
                column.ok_or_else(|| format!("{} has no column {name}", of.name))
            };
            let own = told
                .time
                .as_ref()
                .map(|name| self.time(name, table))
                .transpose()?;
            if let Some(time) = &own {
                set_time(&mut formula, table, time);
            }
            if let Some(moment) = told.at {
                let main = || self.model.datasets[table].time.map(Attribute::own);
                let time = own.or_else(main).ok_or_else(|| {
                    format!(
                        "{} has no time of which this could be the last; name one: time",
                        of.name
                    )
                })?;
                let each: Vec<usize> = told.each.iter().map(column).collect::<Result<_, _>>()?;
                let end = Condition::AtEnd {
                    time,
                    first: moment == Moment::First,
                    each: (each.into_iter())
                        .map(|column| Scalar::Column(Attribute::own(column)))
                        .collect(),
                    among: Vec::new(),
                };
                add_condition(&mut formula, table, &end);
            }
        }
        let done = (formula, depth.get());
        known.done.borrow_mut().insert(name, done.clone());
        Ok(done)
    }

    /// The column that says when rows of a table happened: one of its own, or by its dataset one of what they belong to.
    fn time(&self, name: &str, table: usize) -> Result<Attribute, String> {
        match &expression::scalar(name, table, self)?[..] {
            [Piece::Part(Term::Column(attribute))] => Ok(attribute.clone()),
            _ => Err(format!("the time {name} is no column")),
        }
    }
}

/// Lets a condition hold of the rows of a table, wherever a formula aggregates them.
fn add_condition(formula: &mut Formula, of: usize, condition: &Condition) {
    let add = &mut |aggregate: &mut Formula| {
        if let Formula::Rows {
            table, conditions, ..
        } = aggregate
            && *table == of
        {
            conditions.push(condition.clone());
        }
        Ok::<(), Infallible>(())
    };
    let _ = formula.each_aggregate(add);
}

/// Says when the rows of a table happened, wherever a formula aggregates them.
fn set_time(formula: &mut Formula, of: usize, column: &Attribute) {
    let set = &mut |aggregate: &mut Formula| {
        if let Formula::Rows { table, time, .. } = aggregate
            && *table == of
        {
            *time = Some(column.clone());
        }
        Ok::<(), Infallible>(())
    };
    let _ = formula.each_aggregate(set);
}
