//! How the words of a question go with what a query does: "total" with sums, "never" with what there is none of. How much each
//! pair counts is learned from questions with known answers, and stands in `associations.txt`.

use std::{collections::HashMap, sync::LazyLock};

use crate::question::{
    analytic::{AnalyticQuery, Grouping, Rank, Shown},
    schema::words::{stem, text_words},
    semantic::{Aggregate, Comparison, Condition, Formula, Scalar},
};

/// What is learned of each word: traits, and what they count.
static LEARNED: LazyLock<HashMap<&'static str, Vec<(&'static str, f32)>>> = LazyLock::new(|| {
    let mut learned: HashMap<&str, Vec<_>> = HashMap::new();
    for line in include_str!("associations.txt").lines() {
        let mut parts = line.split('\t');
        if let (Some(word), Some(name), Some(weight)) = (parts.next(), parts.next(), parts.next())
            && let Ok(weight) = weight.parse()
        {
            learned.entry(word).or_default().push((name, weight));
        }
    }
    learned
});

/// The words of a question, each once and without its ending, and each two that follow each other.
pub(crate) fn words(question: &str) -> Vec<String> {
    let stems: Vec<String> = text_words(question).iter().map(|word| stem(word)).collect();
    let pairs = stems.windows(2).map(|pair| pair.join(" "));
    let mut words: Vec<String> = stems.iter().cloned().chain(pairs).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// What these words say for a query with these traits.
pub(super) fn score(words: &[String], traits: &[&str]) -> f32 {
    let learned = words.iter().filter_map(|word| LEARNED.get(word.as_str()));
    let counted = learned.flatten().filter(|(name, _)| traits.contains(name));
    counted.map(|(_, weight)| weight).sum()
}

/// What a query does, each once.
pub(super) fn traits(query: &AnalyticQuery) -> Vec<&'static str> {
    let mut found = Traits::default();
    match query {
        AnalyticQuery::List(list) => {
            found.add("list");
            found.add_if(
                list.shown.len() - list.hidden.len().min(list.shown.len()) == 1,
                "one column",
            );
            for shown in &list.shown {
                match shown {
                    Shown::Value(scalar) => found.scalar(scalar),
                    Shown::Figure(figure) => {
                        found.add("figure shown");
                        found.aggregate(&figure.aggregate);
                        found.conditions(&figure.conditions);
                    }
                }
            }
            found.add_if(list.conditions.is_empty(), "unconditional");
            found.conditions(&list.conditions);
            found.rank(&list.rank);
        }
        AnalyticQuery::Summary(summary) => {
            found.add(match summary.by.len() {
                0 => "total",
                1 => "grouped",
                _ => "grouped twice",
            });
            for grouping in summary
                .by
                .iter()
                .flat_map(|by| &by.from)
                .map(|(_, grouping)| grouping)
            {
                match grouping {
                    Grouping::Entity(_) => found.add("by entity"),
                    Grouping::Value(scalar) => {
                        found.add("by value");
                        found.scalar(scalar);
                    }
                    Grouping::Time(_) => found.add("by period"),
                }
            }
            found.add_if(
                summary.measures.len() - summary.hidden.len().min(summary.measures.len()) > 1,
                "several measures",
            );
            found.add_if(!summary.hidden.is_empty(), "hidden measure");
            for measure in &summary.measures {
                found.formula(&measure.formula);
            }
            found.add_if(!summary.having.is_empty(), "groups compared");
            found.add_if(
                !summary.than_all.is_empty() || !summary.than_other.is_empty(),
                "groups compared with others",
            );
            found.add_if(summary.keep_missing, "groups without rows");
            found.rank(&summary.rank);
        }
    }
    found.0
}

/// Traits, each once.
#[derive(Default)]
struct Traits(Vec<&'static str>);

impl Traits {
    fn add(&mut self, name: &'static str) {
        if !self.0.contains(&name) {
            self.0.push(name);
        }
    }

    fn add_if(&mut self, so: bool, name: &'static str) {
        if so {
            self.add(name);
        }
    }

    fn rank(&mut self, rank: &Rank) {
        match rank.limit {
            Some(1) => self.add("the first"),
            Some(_) => self.add("the first few"),
            None => {}
        }
        self.add_if(rank.skip > 0, "later place");
        self.add_if(!rank.within.is_empty(), "best of each");
        if let Some((_, highest)) = rank.by.first() {
            self.add(if *highest { "highest first" } else { "lowest first" });
        }
    }

    fn aggregate(&mut self, aggregate: &Aggregate) {
        let (name, scalar) = match aggregate {
            Aggregate::Count => ("count", None),
            Aggregate::CountDistinct(scalar) => ("count distinct", Some(scalar)),
            Aggregate::Sum(scalar) => ("sum", Some(scalar)),
            Aggregate::Average(scalar) => ("average", Some(scalar)),
            Aggregate::Minimum(scalar) => ("minimum", Some(scalar)),
            Aggregate::Maximum(scalar) => ("maximum", Some(scalar)),
            Aggregate::Median(scalar) => ("median", Some(scalar)),
        };
        self.add(name);
        if let Some(scalar) = scalar {
            self.scalar(scalar);
        }
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Rows {
                aggregate,
                conditions,
                ..
            } => {
                self.aggregate(aggregate);
                self.conditions(conditions);
            }
            Formula::Ratio(one, other, _) => {
                self.add("ratio");
                self.formula(one);
                self.formula(other);
            }
            Formula::Difference(one, other) => {
                self.add("difference");
                self.formula(one);
                self.formula(other);
            }
            Formula::Share(of, ..) => {
                self.add("share");
                self.formula(of);
            }
            Formula::Running(of, _) => {
                self.add("running");
                self.formula(of);
            }
            Formula::Moving(of, ..) => {
                self.add("moving");
                self.formula(of);
            }
            Formula::Growth(of, ..) => {
                self.add("growth");
                self.formula(of);
            }
            Formula::Written(_) => self.add("written"),
        }
    }

    fn scalar(&mut self, scalar: &Scalar) {
        match scalar {
            Scalar::Column(at) => self.add_if(!at.way.hops.is_empty(), "column of another table"),
            Scalar::Times(..) => self.add("product"),
            Scalar::Span(..) => self.add("duration"),
            Scalar::Period(..) => self.add("by period"),
            Scalar::Part(..) => self.add("part of a time"),
            Scalar::Figure(_, aggregate) => {
                self.add("figure of related rows");
                self.aggregate(aggregate);
            }
            Scalar::Truth(_) => self.add("truth"),
            _ => {}
        }
    }

    fn conditions(&mut self, conditions: &[Condition]) {
        for condition in conditions {
            self.condition(condition);
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Compare(left, comparison, _) => {
                self.add(match comparison {
                    Comparison::Equal => "equal",
                    Comparison::NotEqual => "not equal",
                    Comparison::Greater | Comparison::AtLeast => "greater",
                    Comparison::Less | Comparison::AtMost => "less",
                });
                self.scalar(left);
            }
            Condition::In(..) => self.add("one of several"),
            Condition::Like(..) => self.add("like"),
            Condition::Missing(_) => self.add("missing"),
            Condition::Flag(_, set) => self.add(if *set { "flag" } else { "flag not set" }),
            Condition::During(..) => self.add("in a period"),
            Condition::Related {
                how_many, conditions, ..
            } => {
                self.add(match how_many {
                    (Comparison::Equal, 0) => "without related rows",
                    (Comparison::AtLeast, 1) => "with related rows",
                    _ => "so many related rows",
                });
                self.conditions(conditions);
            }
            Condition::ToAll(..) => self.add("compared with all"),
            Condition::AtEnd { .. } => self.add("at the end"),
            Condition::Not(inner) => {
                self.add("not");
                self.condition(inner);
            }
            Condition::Any(inner) => {
                self.add("any");
                self.conditions(inner);
            }
            Condition::All(inner) => self.conditions(inner),
            Condition::Written(_) => self.add("written condition"),
        }
    }
}
