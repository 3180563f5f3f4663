//! Numbers that something is compared with.

use super::{
    super::question::{Mention, Number},
    Builder,
};
use crate::question::{
    schema::{ColumnProfile, ColumnRef},
    semantic::{Attribute, Comparison, Condition, FieldRole, Operand, Scalar},
};

/// True where a number may be compared with values of a column.
pub(super) fn comparable(number: &Number, comparison: Comparison, role: FieldRole, numeric: bool) -> bool {
    let number = match number {
        Number::Written(number) => number,
        // A value that is known later counts something, or is a name.
        Number::Parameter(_) => {
            let orders = !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
            let keys = matches!(role, FieldRole::Identifier | FieldRole::Reference);
            return role != FieldRole::Time && !(keys && orders);
        }
        _ => return true,
    };
    match role {
        // A year is a time, a price is none.
        FieldRole::Time => numeric && matches!(number.parse(), Ok(1_000..=3_000)),
        FieldRole::Measure(_) => true,
        // What may be so or not is no number, and no key is bigger than another.
        FieldRole::Flag(_) => matches!(number.as_str(), "0" | "1"),
        FieldRole::Reference if !matches!(comparison, Comparison::Equal | Comparison::NotEqual) => false,
        _ => numeric || matches!(comparison, Comparison::Equal | Comparison::NotEqual),
    }
}

impl Builder<'_> {
    /// `order 1187`: the row of a table that has this number.
    pub(super) fn has_number(&self, table: usize, number: &Number) -> Option<Condition> {
        let fields = self.context.model.datasets[table].fields.iter().enumerate();
        let identifiers = fields.filter(|(_, field)| field.role == FieldRole::Identifier);
        let identifiers: Vec<usize> = identifiers.map(|(column, _)| column).collect();
        let key = self.context.snapshot.schema.identity(table);
        let (([column], _) | (_, [column])) = (&key[..], &identifiers[..]) else {
            return None;
        };
        let column = Scalar::Column(Attribute::own(*column));
        Some(Condition::Compare(column, Comparison::Equal, operand(number)))
    }

    /// That there is none of a column of a table.
    pub(super) fn none_in(&self, table: usize, column: usize) -> Condition {
        self.none_of(ColumnRef { table, column })
    }

    /// That there is none of a column: it has no value, or 0 where it counts and always has one.
    pub(super) fn none_of(&self, at: ColumnRef) -> Condition {
        let profile = self.context.snapshot.profile.column(at);
        let of = Attribute::own(at.column);
        let role = self.context.model.field(at).role;
        let numeric = self.context.snapshot.schema.column(at).kind.is_numeric();
        let counts = role.is_measure() || numeric && matches!(role, FieldRole::Dimension | FieldRole::Code);
        if counts && profile.is_some_and(ColumnProfile::counts_none) {
            let zero = Operand::Number("0".to_owned());
            Condition::Compare(Scalar::Column(of), Comparison::Equal, zero)
        } else {
            Condition::Missing(of)
        }
    }
}

pub(super) fn operand(number: &Number) -> Operand {
    match number {
        Number::Written(number) => Operand::Number(number.clone()),
        Number::Parameter(number) => Operand::Parameter(*number),
        Number::Text(text) | Number::Like(text) => Operand::Text(text.clone()),
        Number::Average | Number::Named | Number::Superior => Operand::Number("0".to_owned()),
    }
}

pub(super) fn written(number: &Number) -> Option<String> {
    match number {
        Number::Written(number) => Some(number.clone()),
        _ => None,
    }
}

/// How often something must have been so: `late more than 3 times`.
pub(super) fn how_often(mention: &Mention) -> Option<(Comparison, u64)> {
    match (&mention.compared, mention.numbered_before, mention.compared_in) {
        (Some((comparison, Number::Written(number))), false, None) => {
            Some((*comparison, number.parse().ok()?))
        }
        _ => None,
    }
}
