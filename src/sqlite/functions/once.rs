//! DISTINCT in aggregates of several arguments: rows are the same where all of their values are, and NULL is one of them.

use std::cmp::Ordering;

use super::{Failure, V, sorting::sort};

/// Whether an aggregate takes the same values once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Once {
    Not,
    /// In the order of the values.
    Sorted,
    /// In the order in which they come, which is one of all values.
    Kept,
}

impl Once {
    pub(super) const ALL: [Self; 3] = [Self::Not, Self::Sorted, Self::Kept];

    /// What the name of such a variant ends with.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Not => "",
            Self::Sorted => "_distinct",
            Self::Kept => "_unique",
        }
    }

    pub(super) fn of(self, mut rows: Vec<Vec<V>>) -> Result<Vec<Vec<V>>, Failure> {
        if self == Self::Not {
            return Ok(rows);
        }
        if self == Self::Sorted {
            sort(&mut rows, |one, other| compared(one, other))?;
        }
        rows.dedup_by(|later, first| compared(first, later).is_eq());
        Ok(rows)
    }
}

/// NULL comes last.
fn compared(one: &[V], other: &[V]) -> Ordering {
    let pairs = one.iter().zip(other).map(|(one, other)| match (one, other) {
        (V::Null, V::Null) => Ordering::Equal,
        (V::Null, _) => Ordering::Greater,
        (_, V::Null) => Ordering::Less,
        (V::Int(_) | V::Real(_), V::Int(_) | V::Real(_)) => {
            let (one, other) = (one.real(), other.real());
            // The largest that there is.
            one.partial_cmp(&other)
                .unwrap_or_else(|| one.is_nan().cmp(&other.is_nan()))
        }
        _ => one.as_text().cmp(&other.as_text()),
    });
    pairs.fold(Ordering::Equal, Ordering::then)
}
