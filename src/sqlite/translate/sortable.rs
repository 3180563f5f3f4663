//! Types whose values PostgreSQL has no operators to compare: they are no keys of anything.

use super::{Refusal, Result, Stop, Ty, refuse, scope::Typed};

/// True for a type whose values are compared in no way.
fn is_incomparable(ty: Ty) -> bool {
    match ty {
        Ty::Array(of) => is_incomparable(*of),
        ty => matches!(ty, Ty::Json | Ty::Xml),
    }
}

/// Refuses what is to be told apart and cannot be: a key of GROUP BY, what stands behind DISTINCT, rows of a UNION.
pub(super) fn has_equality<'v>(values: impl IntoIterator<Item = &'v Typed>) -> Result<()> {
    let mut values = values.into_iter();
    match values.find(|value| is_incomparable(value.ty)) {
        None => Ok(()),
        Some(value) => refuse(
            "42883",
            format!(
                "could not identify an equality operator for type {}",
                value.ty.shown()
            ),
            value.position,
        ),
    }
}

/// Refuses a key of ORDER BY that has no order.
pub(super) fn has_ordering(value: &Typed) -> Result<()> {
    if !is_incomparable(value.ty) {
        return Ok(());
    }
    Err(Stop::Refused(Refusal {
        sqlstate: "42883",
        message: format!(
            "could not identify an ordering operator for type {}",
            value.ty.shown()
        ),
        detail: None,
        hint: Some("Use an explicit ordering operator or modify the query.".into()),
        position: value.position,
    }))
}
