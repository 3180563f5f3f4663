//! An analytic query in plain words, the same for both databases: `sum of total amount of rentals by branch name where status
//! = completed in 2025, highest first, first 5`. People read it in `explain`, beside each reading that is measured.

use crate::question::{
    analytic::{AnalyticQuery, Grouping, List, Rank, Shown, Summary, way_between},
    embedded::lexicon::lexicon,
    schema::{ColumnRef, Snapshot, words},
    semantic::{
        Aggregate, Attribute, Change, Comparison, Condition, FieldRole, Figure, FlagForm, Formula, Operand,
        Piece, Scalar, SemanticModel, Term, Way,
    },
};

mod terms;

pub(super) use terms::grain_word;
use terms::{comparison_word, day_words, part_word, period, unit_word};

/// Columns of a list that are named; of the rest it is said how many there are.
const MOST_SHOWN: usize = 6;
/// Words of a comment that explain a terse name.
const COMMENT_WORDS: usize = 6;

/// A query in words.
pub(crate) fn words_of(query: &AnalyticQuery, snapshot: &Snapshot, model: &SemanticModel) -> String {
    let of = Words { snapshot, model };
    match query {
        AnalyticQuery::List(list) => of.list(list),
        AnalyticQuery::Summary(summary) => of.summary(summary),
    }
}

#[derive(Clone, Copy)]
struct Words<'a> {
    snapshot: &'a Snapshot,
    model: &'a SemanticModel,
}

impl Words<'_> {
    fn list(self, list: &List) -> String {
        let shown: Vec<String> = list
            .shown
            .iter()
            .map(|shown| self.shown(list.subject, shown))
            .collect();
        let visible = shown
            .iter()
            .enumerate()
            .filter(|(at, _)| !list.hidden.contains(at));
        let visible: Vec<&str> = visible.map(|(_, text)| text.as_str()).collect();
        let mut text = String::from(if list.distinct { "different " } else { "list " });
        text.push_str(&visible[..visible.len().min(MOST_SHOWN)].join(", "));
        if visible.len() > MOST_SHOWN {
            text.push_str(" and more");
        }
        push(&mut text, "of", &self.table(list.subject));
        self.where_(&mut text, list.subject, &list.conditions);
        // A key by which things are told apart is no word for them.
        let mut rank = list.rank.clone();
        rank.within.retain(|at| !list.hidden.contains(at));
        Self::rank(&mut text, &rank, &shown);
        text
    }

    fn summary(self, summary: &Summary) -> String {
        // All measures of a summary have most of their conditions in common: those of the first are told once.
        let first = summary.measures.first().and_then(|measure| {
            measure
                .formula
                .aggregates()
                .into_iter()
                .find_map(|formula| match formula {
                    Formula::Rows {
                        table, conditions, ..
                    } => Some((*table, conditions)),
                    _ => None,
                })
        });
        let mut measures: Vec<String> = summary
            .measures
            .iter()
            .map(|measure| self.formula(&measure.formula))
            .collect();
        for (text, measure) in measures.iter_mut().zip(&summary.measures).skip(1) {
            if let (
                Formula::Rows {
                    table, conditions, ..
                },
                Some((_, common)),
            ) = (&measure.formula, first)
            {
                let own = conditions.iter().filter(|condition| !common.contains(condition));
                self.where_(text, *table, &own.cloned().collect::<Vec<_>>());
            }
        }
        let by: Vec<String> = summary
            .by
            .iter()
            .map(|dimension| match dimension.from.first() {
                Some((table, Grouping::Entity(way))) => self.entity(*table, way),
                Some((table, Grouping::Value(scalar))) => self.scalar(*table, scalar),
                Some((_, Grouping::Time(grain))) => grain_word(*grain).to_owned(),
                None => String::new(),
            })
            .collect();
        let visible = measures
            .iter()
            .enumerate()
            .filter(|(at, _)| !summary.hidden.contains(at));
        let visible: Vec<&str> = visible.map(|(_, text)| text.as_str()).collect();
        let mut text = visible.join(" and ");
        if !by.is_empty() {
            push(&mut text, "by", &by.join(" and "));
        }
        if let Some((table, conditions)) = first
            && !matches!(
                summary.measures[0].formula,
                Formula::Ratio(..) | Formula::Difference(..)
            )
        {
            self.where_(&mut text, table, conditions);
        }
        for (at, comparison, number) in &summary.having {
            if let Some(measure) = measures.get(*at) {
                push(&mut text, "with", measure);
                push(&mut text, comparison_word(*comparison), number);
            }
        }
        for (at, comparison) in &summary.than_all {
            if let Some(measure) = measures.get(*at) {
                push(&mut text, "with", measure);
                push(&mut text, comparison_word(*comparison), "that of all");
            }
        }
        for (one, comparison, other) in &summary.than_other {
            if let Some((one, other)) = measures.get(*one).zip(measures.get(*other)) {
                push(&mut text, "with", one);
                push(&mut text, comparison_word(*comparison), other);
            }
        }
        let places: Vec<String> = by.iter().chain(&measures).cloned().collect();
        Self::rank(&mut text, &summary.rank, &places);
        text
    }

    fn rank(text: &mut String, rank: &Rank, places: &[String]) {
        for (at, descending) in &rank.by {
            if let Some(place) = places.get(*at) {
                push(text, if *descending { ", highest" } else { ", lowest" }, place);
            }
        }
        if rank.skip > 0 {
            push(text, "after", &rank.skip.to_string());
        }
        if let Some(limit) = rank.limit {
            push(text, "first", &limit.to_string());
        }
        for at in &rank.within {
            if let Some(place) = places.get(*at) {
                push(text, "in each", place);
            }
        }
    }

    fn where_(self, text: &mut String, table: usize, conditions: &[Condition]) {
        if !conditions.is_empty() {
            push(text, "where", &self.conditions(table, conditions));
        }
    }

    fn conditions(self, table: usize, conditions: &[Condition]) -> String {
        let all: Vec<String> = conditions
            .iter()
            .map(|condition| self.condition(table, condition))
            .collect();
        all.join(" and ")
    }

    fn shown(self, table: usize, shown: &Shown) -> String {
        match shown {
            Shown::Value(scalar) => self.scalar(table, scalar),
            Shown::Figure(figure) => self.figure(table, figure),
        }
    }

    fn figure(self, table: usize, figure: &Figure) -> String {
        let end = self.end(table, &figure.way);
        let mut text = self.aggregate(end, &figure.aggregate);
        self.where_(&mut text, end, &figure.conditions);
        text
    }

    fn formula(self, formula: &Formula) -> String {
        match formula {
            Formula::Rows { table, aggregate, .. } => self.aggregate(*table, aggregate),
            Formula::Ratio(one, other, percent) => {
                let name = if *percent { "percentage of" } else { "ratio of" };
                format!("{name} {} to {}", self.filtered(one), self.filtered(other))
            }
            Formula::Difference(one, other) => {
                format!("{} minus {}", self.filtered(one), self.filtered(other))
            }
            Formula::Share(of, within, _) if within.is_empty() => {
                format!("share of {} in total", self.formula(of))
            }
            Formula::Share(of, ..) => format!("share of {} in its group", self.formula(of)),
            Formula::Running(of, _) => format!("running total of {}", self.formula(of)),
            Formula::Moving(of, _, groups) => format!("moving average of {groups} {}", self.formula(of)),
            Formula::Growth(of, _, _, Change::Before) => format!("previous {}", self.formula(of)),
            Formula::Growth(of, ..) => format!("growth of {}", self.formula(of)),
            Formula::Written(pieces) => written(pieces, |of| self.formula(of)),
        }
    }

    /// A formula with the conditions that only its own rows meet.
    fn filtered(self, formula: &Formula) -> String {
        let mut text = self.formula(formula);
        if let Formula::Rows {
            table, conditions, ..
        } = formula
        {
            self.where_(&mut text, *table, conditions);
        }
        text
    }

    fn aggregate(self, table: usize, aggregate: &Aggregate) -> String {
        let of = |name: &str, scalar: &Scalar| {
            let value = self.scalar(table, scalar);
            format!("{name} {value} of {}", self.table(table))
        };
        match aggregate {
            Aggregate::Count => format!("count of {}", self.table(table)),
            Aggregate::CountDistinct(scalar) => of("count of different", scalar),
            Aggregate::Sum(scalar) => of("sum of", scalar),
            Aggregate::Average(scalar) => of("average", scalar),
            Aggregate::Minimum(scalar) => of("lowest", scalar),
            Aggregate::Maximum(scalar) => of("highest", scalar),
            Aggregate::Median(scalar) => of("median", scalar),
        }
    }

    fn scalar(self, table: usize, scalar: &Scalar) -> String {
        let both = |one: &Scalar, word: &str, other: &Scalar| {
            format!("{} {word} {}", self.scalar(table, one), self.scalar(table, other))
        };
        match scalar {
            Scalar::Column(attribute) => self.attribute(table, attribute),
            Scalar::Number(number) => number.clone(),
            Scalar::Times(one, other) => both(one, "times", other),
            Scalar::Minus(one, other) => both(one, "minus", other),
            Scalar::Over(one, other) => both(one, "per", other),
            Scalar::Or(one, _) => self.scalar(table, one),
            Scalar::Span(from, to, unit) => format!("{} from {}", unit_word(*unit), both(from, "to", to)),
            Scalar::Period(attribute, grain) => {
                format!("{} of {}", grain_word(*grain), self.attribute(table, attribute))
            }
            Scalar::Part(attribute, part) => {
                format!("{} of {}", part_word(*part), self.attribute(table, attribute))
            }
            Scalar::Moment(moment) => day_words(moment),
            Scalar::Truth(condition) => format!("whether {}", self.condition(table, condition)),
            Scalar::Figure(way, aggregate) => {
                format!("{} of each", self.aggregate(self.end(table, way), aggregate))
            }
            Scalar::Written(pieces) => written(pieces, |term| self.term(table, term)),
        }
    }

    fn term(self, table: usize, term: &Term) -> String {
        match term {
            Term::Column(attribute) => self.attribute(table, attribute),
            Term::Figure(figure) => self.figure(table, figure),
        }
    }

    fn condition(self, table: usize, condition: &Condition) -> String {
        match condition {
            Condition::Compare(scalar, comparison, operand) => format!(
                "{} {} {}",
                self.scalar(table, scalar),
                comparison_word(*comparison),
                self.operand(table, Some(scalar), operand)
            ),
            Condition::In(scalar, operands) => {
                let operands: Vec<String> = operands
                    .iter()
                    .map(|operand| self.operand(table, Some(scalar), operand))
                    .collect();
                format!("{} is {}", self.scalar(table, scalar), operands.join(" or "))
            }
            Condition::Like(attribute, pattern) => {
                format!(
                    "{} like {}",
                    self.attribute(table, attribute),
                    pattern.replace('%', "")
                )
            }
            Condition::Missing(attribute) => format!("no {}", self.attribute(table, attribute)),
            Condition::Flag(attribute, holds) => {
                let name = self.attribute(table, attribute);
                if *holds { name } else { format!("not {name}") }
            }
            Condition::During(attribute, from, until) => {
                format!(
                    "{} {}",
                    self.attribute(table, attribute),
                    period(from.as_deref(), until.as_deref())
                )
            }
            Condition::Related {
                way,
                how_many,
                conditions,
            } => {
                let end = self.end(table, way);
                let much = match how_many {
                    (Comparison::Equal, 0) | (Comparison::Less, 1) => "without".to_owned(),
                    (Comparison::AtLeast, 1) | (Comparison::Greater, 0) => "with".to_owned(),
                    (comparison, number) => format!("with {} {number}", comparison_word(*comparison)),
                };
                let mut text = format!("{much} {}", self.entity(table, way));
                self.where_(&mut text, end, conditions);
                text
            }
            Condition::ToAll(scalar, comparison, aggregate, _, peers) => {
                let all = self.end(table, &way_between(scalar, aggregate));
                let mut text = format!(
                    "{} {} {}",
                    self.scalar(table, scalar),
                    comparison_word(*comparison),
                    self.aggregate(all, aggregate)
                );
                if let Some(peers) = peers {
                    text.push_str(" for that ");
                    text.push_str(&self.attribute(all, peers));
                }
                text
            }
            Condition::AtEnd { time, first, .. } => {
                let end = if *first { "first" } else { "last" };
                format!("at the {end} {}", self.attribute(table, time))
            }
            Condition::Not(not) => match &**not {
                Condition::Missing(attribute) => format!("has {}", self.attribute(table, attribute)),
                not => format!("not {}", self.condition(table, not)),
            },
            Condition::Any(any) => {
                let any: Vec<String> = any
                    .iter()
                    .map(|condition| self.condition(table, condition))
                    .collect();
                any.join(" or ")
            }
            Condition::All(all) => self.conditions(table, all),
            Condition::Written(pieces) => written(pieces, |term| self.term(table, term)),
        }
    }

    /// What a value is compared with; a code with what it stands for.
    fn operand(self, table: usize, of: Option<&Scalar>, operand: &Operand) -> String {
        let code = match operand {
            Operand::Text(text) | Operand::Number(text) => text,
            Operand::Parameter(number) => return format!("${number}"),
            Operand::Scalar(scalar) => return self.scalar(table, scalar),
        };
        let label = match of {
            Some(Scalar::Column(attribute)) => {
                let field = self.model.field(self.column_of(table, attribute));
                let label = field.labels.iter().find(|(known, _)| known == code);
                match (label, field.role) {
                    (Some((_, label)), _) => Some(label.as_str()),
                    (None, FieldRole::Flag(FlagForm::Number)) => Some(if code == "0" { "no" } else { "yes" }),
                    _ => None,
                }
            }
            _ => None,
        };
        match label {
            Some(label) if !label.eq_ignore_ascii_case(code) => format!("{code} {label}"),
            _ => day_words(code),
        }
    }

    /// The table at the end of a way.
    fn end(self, table: usize, way: &Way) -> usize {
        way.end(table, &self.snapshot.schema)
    }

    fn column_of(self, table: usize, attribute: &Attribute) -> ColumnRef {
        ColumnRef {
            table: self.end(table, &attribute.way),
            column: attribute.column,
        }
    }

    /// A column; one of another table with that table's name, and what that is to this one.
    fn attribute(self, table: usize, attribute: &Attribute) -> String {
        let name = self.column(self.column_of(table, attribute));
        if attribute.way.hops.is_empty() {
            return name;
        }
        format!("{} {name}", self.entity(table, &attribute.way))
    }

    /// The table at the end of a way, with what it is to where the way begins: `manager employee`.
    fn entity(self, table: usize, way: &Way) -> String {
        let name = self.table(self.end(table, way));
        let role = way.hops.last().filter(|hop| hop.up);
        let role = role.and_then(|hop| self.model.relationships.get(hop.key)?.role.as_deref());
        match role {
            Some(role) => format!("{role} {name}"),
            None => name,
        }
    }

    /// The words of a table's name, with what else its rows are called where no word of English is in it.
    fn table(self, table: usize) -> String {
        let name = in_full(words::table_words(&self.snapshot.schema.tables[table].name));
        let called = self.model.datasets[table].wording.synonyms.first();
        let speaks = name.split(' ').any(|word| word.len() > 3 && is_word(word));
        match called {
            Some(called) if !speaks => in_full(words::plain_words(called)),
            _ => name,
        }
    }

    /// The words of a column's name; where they are short forms that nobody knows, those of its comment.
    fn column(self, at: ColumnRef) -> String {
        let column = self.snapshot.schema.column(at);
        let name = in_full(words::plain_words(&column.name));
        let terse = name.split(' ').any(|word| word.len() <= 4 && !is_word(word));
        match &column.comment {
            Some(comment) if terse => {
                let said = words::text_words(crate::question::semantic::heading(comment));
                let said: Vec<String> = said.into_iter().take(COMMENT_WORDS).collect();
                format!("{name} {}", said.join(" "))
            }
            _ => name,
        }
    }
}

fn is_word(word: &str) -> bool {
    crate::question::lexicon::is_noun(word)
        || crate::question::lexicon::is_verb(word)
        || crate::question::lexicon::is_adjective(word)
}

/// Words of a name, short forms in full.
fn in_full(mut words: Vec<String>) -> String {
    // No least of all durations.
    if let [.., lasts, unit] = &mut words[..]
        && unit == "min"
        && matches!(
            lasts.as_str(),
            "duration" | "time" | "runtime" | "length" | "delay" | "wait"
        )
    {
        "minutes".clone_into(unit);
    }
    let words: Vec<String> = words
        .into_iter()
        .map(|word| lexicon().in_full(&word).map_or(word, str::to_owned))
        .collect();
    words.join(" ")
}

fn push(text: &mut String, word: &str, more: &str) {
    for part in [word, more] {
        if !part.is_empty() {
            if !text.is_empty() && !part.starts_with(',') {
                text.push(' ');
            }
            text.push_str(part);
        }
    }
}

fn written<T>(pieces: &[Piece<T>], part: impl Fn(&T) -> String) -> String {
    let pieces: Vec<String> = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.trim().to_lowercase(),
            Piece::Part(of) => part(of),
        })
        .collect();
    pieces.join(" ")
}
