//! What the rows that belong to a thing come to, against a value of the thing or other rows of it: more pupils than places,
//! paid less than the total, more returns than reviews.

use super::{
    super::{
        items::{Meaning, Sense},
        question::Mention,
        roles::Role,
        ways::Ways,
    },
    Builder, Wanted,
    columns::mention_before,
    measures::money,
};
use crate::question::{
    analytic::Shown,
    schema::{ColumnRef, words},
    semantic::{
        Additivity, Aggregate, Attribute, Comparison, Condition, DatasetRole, FieldRole, Figure, Formula,
        Operand, Piece, Scalar, Term, Way,
    },
};

impl Builder<'_> {
    /// True for rows that are compared, as a figure, with what is named next: that there are any is not asked for.
    pub(super) fn is_compared_figure(&self, mention: &Mention) -> bool {
        let pairs = self.question.mentions.iter().zip(&self.cast.parts);
        let mut behind = pairs.skip_while(|(other, _)| other.at <= mention.at);
        mention.against_next
            && behind
                .next()
                .is_some_and(|(next, (role, _))| next.against.is_some() && *role == Role::Condition)
    }

    /// That the rows which were named before come to more or less than what is named now, with the table of the things that
    /// this holds of.
    pub(super) fn figures_compared(
        &mut self,
        mention: &Mention,
        right: &Sense,
        comparison: Comparison,
    ) -> Option<(usize, Condition)> {
        let place = mention_before(self.question, mention)?;
        let before = &self.question.mentions[place];
        let (role, sense) = self.cast.parts[place];
        if matches!(role, Role::Ignored | Role::Owner | Role::Group) {
            return None;
        }
        let left = &before.senses[sense];
        let (rows, of) = (self.table_of(left), self.table_of(right));
        // The things are those that are asked for, or those that have the value.
        let head = self
            .played(Role::Head)
            .next()
            .map(|(_, head)| self.table_of(head));
        let is_table = matches!(right.meaning, Meaning::Dataset(_));
        let mut things = head.into_iter().chain((!is_table).then_some(of));
        let (thing, down, to, cost) = things.find_map(|thing| {
            let ways = self.context.ways(thing);
            let (down, far) = belonging(&ways, rows)?;
            let (to, near) = if is_table {
                belonging(&ways, of)
            } else {
                ways.single(of)
            }?;
            Some((thing, down.clone(), to.clone(), far + near))
        })?;
        let than = match right.meaning {
            Meaning::Field(at) if self.context.model.field(at).role.is_measure() => {
                Scalar::Column(Attribute {
                    way: to,
                    column: at.column,
                })
            }
            Meaning::Dataset(table) => figure(to, self.counted_now(table)),
            _ => return None,
        };
        let what = match (&left.meaning, &right.meaning) {
            (Meaning::Dataset(table), Meaning::Field(with)) if role == Role::Related => {
                self.comes_to(*table, *with)
            }
            (Meaning::Dataset(table), Meaning::Dataset(_)) if role == Role::Related => {
                self.counted_now(*table)
            }
            (Meaning::Field(at), _)
                if self.context.model.field(*at).role == FieldRole::Measure(Additivity::Sum) =>
            {
                summed(at.column)
            }
            (Meaning::Metric(metric), _) => of_formula(&self.context.model.metrics[*metric].formula)?,
            _ => return None,
        };
        self.distance += cost;
        Some((
            thing,
            Condition::Compare(figure(down, what), comparison, Operand::Scalar(than)),
        ))
    }

    /// What rows come to beside a value: an amount against money, hours against hours, else their number.
    fn comes_to(&self, table: usize, with: ColumnRef) -> (Aggregate, Vec<Condition>) {
        let schema = &self.context.snapshot.schema;
        let stems = |at: ColumnRef| -> Vec<String> {
            let name = words::identifier_words(&schema.column(at).name);
            name.iter().map(|word| words::stem(word)).collect()
        };
        let wanted = stems(with);
        let is_money = money(&schema.column(with).name) > 0;
        if is_money && let Some(found) = self.main_amount(table).as_ref().and_then(of_formula) {
            return found;
        }
        let fields = self.context.model.datasets[table].fields.iter().enumerate();
        let sums = fields.filter(|(_, field)| field.role == FieldRole::Measure(Additivity::Sum));
        let alike = sums.map(|(column, _)| column).find(|&column| {
            let own = stems(ColumnRef { table, column });
            own.iter().any(|word| wanted.contains(word))
        });
        match alike {
            Some(column) => summed(column),
            None => self.counted_now(table),
        }
    }

    /// How many there are, of things those that are still there.
    fn counted_now(&self, table: usize) -> (Aggregate, Vec<Condition>) {
        let happens = self.context.model.datasets[table].role == DatasetRole::Event;
        let ended = self.ended(table).filter(|_| !happens);
        let there = ended.map(|ended| Condition::Not(Box::new(ended)));
        (Aggregate::Count, there.into_iter().collect())
    }

    /// What is said of the rows that are compared holds of those that are counted, and so does the period.
    pub(super) fn said_of_figures(&mut self, mut found: Vec<Wanted>) -> Option<Vec<Wanted>> {
        let Some(at) = found
            .iter()
            .position(|found| figure_in(&found.condition).is_some())
        else {
            return Some(found);
        };
        let mut compared = found.remove(at);
        let thing = compared.table;
        let schema = &self.context.snapshot.schema;
        let rows = figure_in(&compared.condition)?.way.end(thing, schema);
        let (said, found): (Vec<Wanted>, Vec<Wanted>) = found
            .into_iter()
            .partition(|found| found.table == rows && rows != thing && found.how_often.is_none());
        let mut more: Vec<Condition> = said
            .into_iter()
            .map(|said| {
                if said.negated {
                    Condition::Not(Box::new(said.condition))
                } else {
                    said.condition
                }
            })
            .collect();
        let datasets = &self.context.model.datasets;
        if datasets[thing].role != DatasetRole::Event && datasets[rows].role == DatasetRole::Event {
            for period in &self.question.periods {
                more.push(self.during(rows, period.at, period.period)?);
                self.periods_used.set(true);
            }
        }
        if let Condition::Compare(left, ..) = &mut compared.condition
            && let Some(figure) = figure_of_mut(left)
        {
            for condition in more {
                if !figure.conditions.contains(&condition) {
                    figure.conditions.push(condition);
                }
            }
        }
        let mut found = found;
        found.push(compared);
        Some(found)
    }
}

/// The way to the rows of a table that belong to a thing, over keys that lead straight to it where there are any.
fn belonging(ways: &Ways, table: usize) -> Option<&(Way, f32)> {
    let nearest = ways.nearest(table).filter(|(way, _)| !way.is_single())?;
    let straight = |(way, _): &&(Way, f32)| way.hops.iter().all(|hop| !hop.up);
    ways.to(table).iter().find(straight).or(Some(nearest))
}

/// What is compared, and with what, to be shown.
pub(super) fn told(condition: &Condition) -> Vec<Shown> {
    let (Some(left), Condition::Compare(_, _, Operand::Scalar(right))) = (figure_in(condition), condition)
    else {
        return Vec::new();
    };
    let right = figure_of(right).map_or_else(
        || Shown::Value(right.clone()),
        |figure| Shown::Figure(figure.clone()),
    );
    vec![Shown::Figure(left.clone()), right]
}

fn summed(column: usize) -> (Aggregate, Vec<Condition>) {
    (Aggregate::Sum(Scalar::Column(Attribute::own(column))), Vec::new())
}

fn of_formula(formula: &Formula) -> Option<(Aggregate, Vec<Condition>)> {
    match formula {
        Formula::Rows {
            aggregate,
            conditions,
            ..
        } if !matches!(aggregate, Aggregate::Average(_)) => Some((aggregate.clone(), conditions.clone())),
        _ => None,
    }
}

/// A figure over the rows at the end of a way; where there are none a sum is nothing, too.
fn figure(way: Way, (aggregate, conditions): (Aggregate, Vec<Condition>)) -> Scalar {
    let sums = matches!(aggregate, Aggregate::Sum(_));
    let figure = Scalar::Written(vec![Piece::Part(Term::Figure(Box::new(Figure {
        way,
        aggregate,
        conditions,
    })))]);
    if sums {
        Scalar::Or(Box::new(figure), Box::new(Scalar::Number("0".to_owned())))
    } else {
        figure
    }
}

fn figure_of(scalar: &Scalar) -> Option<&Figure> {
    match scalar {
        Scalar::Or(of, _) => figure_of(of),
        Scalar::Written(pieces) => match &pieces[..] {
            [Piece::Part(Term::Figure(figure))] => Some(figure),
            _ => None,
        },
        _ => None,
    }
}

fn figure_of_mut(scalar: &mut Scalar) -> Option<&mut Figure> {
    match scalar {
        Scalar::Or(of, _) => figure_of_mut(of),
        Scalar::Written(pieces) => match &mut pieces[..] {
            [Piece::Part(Term::Figure(figure))] => Some(figure),
            _ => None,
        },
        _ => None,
    }
}

/// The figure that a condition compares with another value of the row.
fn figure_in(condition: &Condition) -> Option<&Figure> {
    match condition {
        Condition::Compare(left, _, Operand::Scalar(_)) => figure_of(left),
        _ => None,
    }
}
