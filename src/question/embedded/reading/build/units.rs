//! Units in which a question asks for what is measured.

use super::{
    super::{
        question::{Mention, Number},
        sizes::{minutes_in, size},
    },
    Builder,
};
use crate::question::{
    schema::{ColumnRef, words},
    semantic::{Aggregate, Attribute, Formula, Grain, Scalar, Unit},
};

impl Builder<'_> {
    /// An amount that people say in euros, as a column keeps it that counts cents.
    pub(super) fn as_kept(&self, at: ColumnRef, number: &Number) -> Number {
        let counts_cents = self.context.model.field(at).keeps_hundredths();
        match number {
            Number::Written(written) if counts_cents => {
                let cents = written.parse::<f64>().map(|number| number * 100.0);
                cents.map_or_else(|_| number.clone(), |cents| Number::Written(cents.to_string()))
            }
            _ => number.clone(),
        }
    }

    /// A length of time in what the question counts it.
    pub(super) fn in_asked_unit(&self, mut formula: Formula) -> Formula {
        let asked = self.question.minutes
            || self.question.grains.iter().any(|grain| !grain.sure)
            || self
                .question
                .mentions
                .iter()
                .any(|mention| mention.unit.is_some());
        if asked
            && let Formula::Rows {
                aggregate:
                    Aggregate::Average(Scalar::Span(_, _, unit))
                    | Aggregate::Median(Scalar::Span(_, _, unit))
                    | Aggregate::Maximum(Scalar::Span(_, _, unit))
                    | Aggregate::Minimum(Scalar::Span(_, _, unit)),
                ..
            } = &mut formula
        {
            *unit = self.unit();
        }
        formula
    }

    /// A column as the question asks for it: minutes in hours, grams in kilos.
    pub(super) fn told_in(&self, at: ColumnRef, length: Option<Grain>) -> Scalar {
        let column = in_unit(
            Scalar::Column(Attribute::own(at.column)),
            length,
            self.kept_in(at).as_deref(),
        );
        let name = words::identifier_words(&self.context.snapshot.schema.column(at).name);
        let kept = name.last().and_then(|word| size(word));
        match (kept, self.question.told_in) {
            (Some((kind, kept)), Some((wanted, size))) if kind == wanted && kept < size => {
                let over = Scalar::Number(format!("{:.1}", size / kept));
                Scalar::Over(Box::new(column), Box::new(over))
            }
            _ => column,
        }
    }

    /// A sum of minutes as hours, where hours are asked for.
    pub(super) fn in_unit_of(&self, mention: &Mention, formula: &Formula) -> Formula {
        let mut formula = formula.clone();
        if let Formula::Rows {
            table,
            aggregate: Aggregate::Sum(scalar),
            ..
        } = &mut formula
            && let Scalar::Column(of) = scalar
            && of.way.hops.is_empty()
        {
            let at = ColumnRef {
                table: *table,
                column: of.column,
            };
            *scalar = self.told_in(at, mention.unit);
        }
        formula
    }

    /// What spans of time are told in.
    pub(super) fn unit(&self) -> Unit {
        if self.question.minutes {
            return Unit::Minute;
        }
        let lengths = self.question.grains.iter().filter(|grain| !grain.sure);
        lengths
            .filter_map(|grain| grain.grain.ok())
            .map(|grain| match grain {
                Grain::Hour => Unit::Hour,
                Grain::Day => Unit::Day,
                Grain::Week => Unit::Week,
                Grain::Month | Grain::Quarter => Unit::Month,
                Grain::Year => Unit::Year,
            })
            .next()
            .unwrap_or(Unit::Day)
    }
}

/// A span of time as it is asked for, where the column keeps it in another unit.
pub(super) fn in_unit(scalar: Scalar, wanted: Option<Grain>, kept: Option<&str>) -> Scalar {
    let wanted = match wanted {
        Some(Grain::Hour) => 60.0,
        Some(Grain::Day) => 1440.0,
        _ => return scalar,
    };
    let Some((_, kept)) = kept.and_then(minutes_in) else {
        return scalar;
    };
    let over: f64 = wanted / kept;
    if (over - 1.0).abs() < 1e-9 || over < 1.0 {
        return scalar;
    }
    Scalar::Over(Box::new(scalar), Box::new(Scalar::Number(format!("{over:.1}"))))
}
