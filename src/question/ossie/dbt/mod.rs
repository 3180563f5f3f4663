//! What dbt's `MetricFlow` writes, as a model: semantic models become datasets, entities relationships, measures and metrics
//! metrics in SQL. What an expression cannot say (windows over a time spine, offsets) is left out, and told.

use std::{cell::Cell, ops::ControlFlow};

use sqlparser::ast::{Expr, Ident, visit_expressions_mut};

use super::{
    document::{
        AiContext, Dataset, Dimension, Expression, Extension, Field, Metric, MetricExtension, Model, Moment,
        Relationship, spanned,
    },
    expression,
    problem::Problem,
    read,
};
use file::{Entity, File, Filter, Input, Measure, MetricOf, SemanticModel};
use filter::condition;

mod file;
mod filter;

/// True for the text of a file that dbt reads.
pub(super) fn is_dbt(text: &str) -> bool {
    let mut lines = text.lines();
    lines.any(|line| line.starts_with("semantic_models:") || line.starts_with("metrics:"))
}

/// The model of a file of dbt's, and what of it was left out.
pub(super) fn model(text: &str) -> Result<(Model, Vec<String>), Problem> {
    let file: File = read::parse(text)?;
    let mut reading = Reading {
        file: &file,
        left_out: Vec::new(),
        told: Cell::new(0),
    };
    let mut model = Model {
        name: "dbt".to_owned(),
        ..Model::default()
    };
    for semantic in &file.semantic_models {
        match model
            .datasets
            .iter_mut()
            .find(|known| known.source.value == table_of(semantic))
        {
            // One table in two roles.
            Some(known) => known.fields.extend(fields(semantic)),
            None => model.datasets.push(dataset(semantic)),
        }
    }
    for dataset in &mut model.datasets {
        let mut seen = Vec::new();
        dataset.fields.retain(|field| {
            let is_new = !seen.contains(&field.name.value);
            seen.push(field.name.value.clone());
            is_new
        });
    }
    model.relationships = relationships(&file);
    for metric in &file.metrics {
        match reading.metric(metric, &[], 0) {
            Ok(sql) => model.metrics.push(Metric {
                name: spanned(metric.name.clone()),
                expression: spanned(Expression::ansi(sql)),
                description: metric.description.clone(),
                datatype: None,
                ai_context: metric.label.clone().map(|label| AiContext::Parts {
                    instructions: None,
                    synonyms: vec![label],
                    examples: Vec::new(),
                }),
                custom_extensions: reading.extension(metric).into_iter().collect(),
            }),
            Err(why) => reading.left_out.push(format!("{}: {why}", metric.name)),
        }
    }
    Ok((model, reading.left_out))
}

/// `ref('orders')` names the table `orders`.
fn table_of(semantic: &SemanticModel) -> String {
    let inside = semantic.model.split(['\'', '"']);
    // The last name counts: `source('shop', 'orders')`.
    let names: Vec<&str> = inside.skip(1).step_by(2).collect();
    names
        .last()
        .map_or_else(|| semantic.model.clone(), |name| (*name).to_owned())
}

fn dataset(semantic: &SemanticModel) -> Dataset {
    let primary = semantic.entities.iter().find(|entity| entity.kind == "primary");
    let time = semantic.defaults.agg_time_dimension.as_ref().map(|name| {
        let dimension = semantic
            .dimensions
            .iter()
            .find(|dimension| dimension.name == *name);
        dimension
            .and_then(|dimension| dimension.expr.clone())
            .unwrap_or_else(|| name.clone())
    });
    let extension = time.and_then(|time| Extension::ours(&serde_json::json!({"time": time})).ok());
    Dataset {
        name: spanned(semantic.name.clone()),
        source: spanned(table_of(semantic)),
        primary_key: primary.map(column_of).into_iter().collect(),
        unique_keys: Vec::new(),
        description: semantic.description.clone(),
        ai_context: None,
        fields: fields(semantic).collect(),
        metrics: Vec::new(),
        custom_extensions: extension.into_iter().collect(),
    }
}

fn fields(semantic: &SemanticModel) -> impl Iterator<Item = Field> {
    semantic.dimensions.iter().map(|dimension| Field {
        name: spanned(dimension.name.clone()),
        expression: spanned(Expression::ansi(
            dimension.expr.clone().unwrap_or_else(|| dimension.name.clone()),
        )),
        dimension: Some(Dimension {
            is_time: (dimension.kind == "time").then_some(true),
        }),
        label: dimension.label.clone(),
        description: dimension.description.clone(),
        datatype: None,
        ai_context: None,
        custom_extensions: Vec::new(),
    })
}

fn column_of(entity: &Entity) -> String {
    entity.expr.clone().unwrap_or_else(|| entity.name.clone())
}

fn relationships(file: &File) -> Vec<Relationship> {
    let mut found: Vec<Relationship> = Vec::new();
    for from in &file.semantic_models {
        for entity in from.entities.iter().filter(|entity| entity.kind == "foreign") {
            let is_key = |other: &&Entity| {
                other.name == entity.name && matches!(other.kind.as_str(), "primary" | "unique")
            };
            for to in &file.semantic_models {
                let Some(key) = to.entities.iter().find(is_key) else {
                    continue;
                };
                let relationship = Relationship {
                    name: spanned(format!("{}_{}", from.name, entity.name)),
                    from: dataset_of(file, from),
                    to: dataset_of(file, to),
                    from_columns: vec![column_of(entity)],
                    to_columns: vec![column_of(key)],
                    ai_context: Some(AiContext::Parts {
                        instructions: None,
                        synonyms: vec![entity.name.clone()],
                        examples: Vec::new(),
                    }),
                    custom_extensions: Vec::new(),
                };
                let same = |known: &Relationship| {
                    known.from == relationship.from
                        && known.to == relationship.to
                        && known.from_columns == relationship.from_columns
                        && known.to_columns == relationship.to_columns
                };
                if !found.iter().any(same) {
                    found.push(relationship);
                }
            }
        }
    }
    found
}

/// The dataset that a semantic model is a part of: the first of its table.
fn dataset_of(file: &File, semantic: &SemanticModel) -> String {
    let table = table_of(semantic);
    let mut all = file.semantic_models.iter();
    all.find(|other| table_of(other) == table)
        .map_or_else(|| semantic.name.clone(), |first| first.name.clone())
}

/// How deep metrics may be made of metrics.
const DEEPEST: usize = 16;
/// How often the metrics of a file may stand in one another.
const MOST: usize = 10_000;

struct Reading<'a> {
    file: &'a File,
    left_out: Vec<String>,
    /// How many metrics were said in SQL, each as often as it stands in others.
    told: Cell<usize>,
}

impl Reading<'_> {
    /// What computes a metric, of the rows for which some further conditions hold.
    fn metric(&self, metric: &MetricOf, further: &[String], depth: usize) -> Result<String, String> {
        if depth > DEEPEST {
            return Err("it is made of itself".to_owned());
        }
        self.told.set(self.told.get() + 1);
        if self.told.get() > MOST {
            return Err(format!("the metrics stand in one another more than {MOST} times"));
        }
        let mut conditions = self.conditions(metric.filter.as_ref())?;
        conditions.extend_from_slice(further);
        let parameters = &metric.type_params;
        match metric.kind.as_str() {
            "simple" => {
                let measure = parameters.measure.as_ref().ok_or("it names no measure")?;
                conditions.extend(self.conditions(measure.filter.as_ref())?);
                let sql = self.measure(&measure.name, &conditions, depth == 0)?;
                measure.whole(sql)
            }
            "ratio" => {
                let part = |input: &Option<Input>| {
                    let input = input.as_ref().ok_or("it needs a numerator and a denominator")?;
                    self.input(input, &conditions, depth)
                };
                let (over, under) = (part(&parameters.numerator)?, part(&parameters.denominator)?);
                Ok(format!("CAST({over} AS DOUBLE PRECISION) / NULLIF({under}, 0)"))
            }
            "derived" => {
                let expression = parameters.expr.as_deref().ok_or("it has no expr")?;
                let mut parts = Vec::new();
                for input in &parameters.metrics {
                    let name = input.alias.as_ref().unwrap_or(&input.name);
                    parts.push((name.clone(), self.input(input, &conditions, depth)?));
                }
                replaced(expression, &|name| {
                    let part = parts.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
                    part.map(|(_, sql)| sql.clone())
                })
            }
            other => Err(format!("metrics of the type {other} cannot be said in SQL alone")),
        }
    }

    fn input(&self, input: &Input, conditions: &[String], depth: usize) -> Result<String, String> {
        let mut all = self.conditions(input.filter.as_ref())?;
        all.extend_from_slice(conditions);
        let metric = self.file.metrics.iter().find(|metric| metric.name == input.name);
        let metric = metric.ok_or_else(|| format!("there is no metric {}", input.name))?;
        let sql = self.metric(metric, &all, depth + 1)?;
        input.whole(format!("({sql})"))
    }

    fn measure(&self, name: &str, conditions: &[String], alone: bool) -> Result<String, String> {
        let (semantic, measure) = self.find(name)?;
        if measure.non_additive_dimension.is_some() && !alone {
            return Err(
                "a measure that is not additive over time stands for a metric of its own alone".to_owned(),
            );
        }
        let dataset = dataset_of(self.file, semantic);
        let own = measure.expr.clone().unwrap_or_else(|| measure.name.clone());
        let of = replaced(&own, &|name| Some(format!("{dataset}.{name}")))?;
        let filter = if conditions.is_empty() {
            String::new()
        } else {
            format!(" FILTER (WHERE {})", conditions.join(" AND "))
        };
        let number = own.parse::<f64>().is_ok();
        Ok(match measure.agg.as_str() {
            "count" => format!("COUNT({of}){filter}"),
            // Nothing tells of which rows a number is the sum: those of the dataset's key.
            "sum" if number => {
                let key = semantic
                    .entities
                    .iter()
                    .find(|entity| entity.kind == "primary")
                    .map(column_of);
                let key = key.ok_or("its semantic model has no primary entity")?;
                let rows = format!("COUNT({dataset}.{key}){filter}");
                if own == "1" {
                    rows
                } else {
                    format!("{own} * {rows}")
                }
            }
            "sum" => format!("SUM({of}){filter}"),
            "sum_boolean" => format!("SUM(CASE WHEN {of} THEN 1 ELSE 0 END){filter}"),
            "count_distinct" => format!("COUNT(DISTINCT {of}){filter}"),
            "average" => format!("AVG({of}){filter}"),
            "min" => format!("MIN({of}){filter}"),
            "max" => format!("MAX({of}){filter}"),
            "median" => format!("MEDIAN({of}){filter}"),
            other => return Err(format!("the aggregation {other} is not known")),
        })
    }

    fn find(&self, name: &str) -> Result<(&SemanticModel, &Measure), String> {
        let mut all = self
            .file
            .semantic_models
            .iter()
            .flat_map(|semantic| semantic.measures.iter().map(move |measure| (semantic, measure)));
        all.find(|(_, measure)| measure.name == name)
            .ok_or_else(|| format!("there is no measure {name}"))
    }

    /// When what a simple metric measures happened, where that is not its dataset's main time, and of which moment of a
    /// period it is.
    fn extension(&self, metric: &MetricOf) -> Option<Extension> {
        let input = metric.type_params.measure.as_ref()?;
        let (semantic, measure) = self.find(&input.name).ok()?;
        let column = |name: &String| {
            let mut dimensions = semantic.dimensions.iter();
            let dimension = dimensions.find(|dimension| dimension.name == *name);
            let written = dimension.and_then(|dimension| dimension.expr.clone());
            written.unwrap_or_else(|| name.clone())
        };
        let key = |name: &String| {
            let mut entities = semantic.entities.iter();
            let entity = entities.find(|entity| entity.name == *name);
            entity.map_or_else(|| name.clone(), column_of)
        };
        let end = measure.non_additive_dimension.as_ref();
        let time = end.map(|end| &end.name).or(measure.agg_time_dimension.as_ref());
        let extension = MetricExtension {
            time: time.map(column),
            at: end.map(|end| match end.window_choice.as_str() {
                "max" => Moment::Last,
                _ => Moment::First,
            }),
            each: end.map_or_else(Vec::new, |end| end.window_groupings.iter().map(key).collect()),
        };
        (extension != MetricExtension::default())
            .then(|| Extension::ours(&extension).ok())
            .flatten()
    }

    /// Conditions with the names of datasets in place of dbt's templates.
    fn conditions(&self, filter: Option<&Filter>) -> Result<Vec<String>, String> {
        let texts = match filter {
            None => return Ok(Vec::new()),
            Some(Filter::One(text)) => std::slice::from_ref(text),
            Some(Filter::All(texts)) => texts,
        };
        texts.iter().map(|text| condition(self.file, text)).collect()
    }
}

/// An expression with other SQL in the place of its names.
fn replaced(text: &str, by: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut tree = expression::read(text)?;
    let mut wrong = None;
    let mut bytes = 0;
    let mut replace = |expression: &mut Expr| {
        if let Expr::Identifier(Ident { value, .. }) = expression {
            let new = by(value);
            bytes += new.as_ref().map_or(0, String::len);
            if bytes > expression::LONGEST {
                wrong = Some(format!("it is longer than {} bytes", expression::LONGEST));
                return ControlFlow::Break(());
            }
            match new.map(|sql| expression::read(&sql)) {
                Some(Ok(new)) => *expression = new,
                Some(Err(why)) => wrong = Some(why),
                None => wrong = Some(format!("{value} is not known")),
            }
        }
        ControlFlow::Continue(())
    };
    let _ = visit_expressions_mut(&mut tree, &mut replace);
    match wrong {
        Some(wrong) => Err(wrong),
        None => Ok(tree.to_string()),
    }
}
