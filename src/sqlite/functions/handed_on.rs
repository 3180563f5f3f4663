//! What a key becomes in the columns that it is handed on to by ON UPDATE CASCADE.

use super::{Nature::Strict, Out, Scalar, V, decimal, fail};

/// 0 where a new key is what it would be in a column of another type that refers to it: value, value as one of that type, kind of
/// the type, and which key refers to it.
fn handed_on(v: &[V]) -> Out {
    let is_same = match (v[2].text().as_str(), &v[0], &v[1]) {
        ("number", V::Real(one), other) | ("number", other, V::Real(one)) => {
            one.total_cmp(&other.real()).is_eq()
        }
        ("number", one, other) => decimal::collate(&one.text(), &other.text()).is_eq(),
        (_, one, other) => one == other,
    };
    if is_same {
        return Ok(V::Int(0));
    }
    let key = v[3].text();
    if v[2].text() == "other" {
        return fail(
            "0A000",
            format!("ON UPDATE CASCADE to a column of another type is not supported on a SQLite file: {key}"),
        );
    }
    // Rounded or cut, it would refer to nothing.
    let message = format!(
        "FOREIGN KEY constraint failed: handed on to {key}=({})",
        v[1].text()
    );
    fail("23503", message)
}

/// `pg_handed_on`.
pub(super) const FUNCTIONS: &[Scalar] = &[("pg_handed_on", 4, Strict, handed_on)];
