//! `real`: numbers of single precision. They are kept as the shortest digits that give them back, which is what they are
//! shown as and what other programs read, and reckoned with as the numbers that these digits stand for. Sums of `double
//! precision` too.

use std::collections::VecDeque;

use rusqlite::{
    Connection, Result,
    functions::{Aggregate, Context, FunctionFlags, WindowAggregate},
};

use super::{
    Failure,
    Nature::Strict,
    Out, Scalar, V, array, fail,
    number::{OVERFLOW, added},
};
use crate::{
    pgtypes::float::{bound_of_float4, float4_text, float8_text, kept_float4},
    sqlite::memory::Held,
};

const UNDERFLOW: &str = "value out of range: underflow";

fn of(value: &V) -> f32 {
    value.real() as f32
}

fn kept(number: f32) -> V {
    V::Real(kept_float4(number))
}

/// Any number as a `real`.
pub(super) fn narrowed(value: &V) -> Out {
    let narrow = of(value);
    if narrow.is_infinite() && value.real().is_finite() {
        return fail("22003", OVERFLOW);
    }
    if narrow == 0.0 && value.real() != 0.0 {
        return fail("22003", UNDERFLOW);
    }
    Ok(kept(narrow))
}

fn sum(one: f32, other: f32) -> std::result::Result<f32, Failure> {
    let sum = one + other;
    if sum.is_infinite() && one.is_finite() && other.is_finite() {
        return fail("22003", OVERFLOW);
    }
    Ok(sum)
}

fn product(one: f32, other: f32) -> Out {
    let product = one * other;
    if product.is_infinite() && one.is_finite() && other.is_finite() {
        return fail("22003", OVERFLOW);
    }
    if product == 0.0 && one != 0.0 && other != 0.0 {
        return fail("22003", UNDERFLOW);
    }
    Ok(kept(product))
}

fn quotient(one: f32, other: f32) -> Out {
    if other == 0.0 && !one.is_nan() {
        return fail("22012", "division by zero");
    }
    let quotient = one / other;
    if quotient.is_infinite() && one.is_finite() {
        return fail("22003", OVERFLOW);
    }
    if quotient == 0.0 && one != 0.0 && other.is_finite() {
        return fail("22003", UNDERFLOW);
    }
    Ok(kept(quotient))
}

/// What a kept `real` compares with as the `real` itself compares with a `double precision`, by the same operator: an index
/// finds the one and not the other. No number at all is equal to what is no `real`, and no number to a text.
fn bound(values: &[V]) -> V {
    let bound = bound_of_float4(values[0].real(), &values[1].text());
    bound.map_or_else(|| "".into(), V::Real)
}

fn widened_array(values: &[V]) -> Out {
    let widened = |text: String| {
        let number = text.parse::<f32>();
        Ok::<_, Failure>(number.map_or(text, |number| float8_text(number.into())))
    };
    Ok(array::whole(&values[0].text())?.map(widened)?.text().into())
}

pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_float4", 1, Strict, |v| narrowed(&v[0])),
    ("pg_float4_float8", 1, Strict, |v| Ok(V::Real(of(&v[0]).into()))),
    ("pg_text_float4", 1, Strict, |v| Ok(float4_text(of(&v[0])).into())),
    ("pg_f4_add", 2, Strict, |v| Ok(kept(sum(of(&v[0]), of(&v[1]))?))),
    ("pg_f4_sub", 2, Strict, |v| Ok(kept(sum(of(&v[0]), -of(&v[1]))?))),
    ("pg_f4_mul", 2, Strict, |v| product(of(&v[0]), of(&v[1]))),
    ("pg_f4_div", 2, Strict, |v| quotient(of(&v[0]), of(&v[1]))),
    ("pg_f4_neg", 1, Strict, |v| Ok(kept(-of(&v[0])))),
    ("pg_f4_abs", 1, Strict, |v| Ok(kept(of(&v[0]).abs()))),
    ("pg_float4_bound", 2, Strict, |v| Ok(bound(v))),
    ("pg_array_float4_float8", 1, Strict, widened_array),
];

/// An aggregate that adds one number after the other, as PostgreSQL does it: what is lost on the way depends on the order,
/// so that a row which leaves a window has all others added anew.
struct Added {
    /// True for `real`. Its mean is added up in double precision.
    is_single: bool,
    is_mean: bool,
    /// True where rows may leave.
    in_window: bool,
}

#[derive(Default)]
struct Total {
    single: f32,
    double: f64,
    count: u64,
    rows: VecDeque<f64>,
    /// True where a row has left since all were added.
    is_old: bool,
    held: Held,
}

impl Total {
    fn add(&mut self, number: f64, of: &Added) -> Result<()> {
        match (of.is_single && !of.is_mean, self.count) {
            (true, 0) => self.single = number as f32,
            (true, _) => self.single = sum(self.single, number as f32)?,
            (false, 0) => self.double = number,
            (false, _) => self.double = added(self.double, number)?,
        }
        self.count += 1;
        Ok(())
    }
}

impl Added {
    fn result(&self, total: &Total) -> V {
        match (total.count, self.is_mean) {
            (0, _) => V::Null,
            (count, true) => V::Real(total.double / count as f64),
            (_, false) if self.is_single => kept(total.single),
            (_, false) => V::Real(total.double),
        }
    }

    fn number(&self, value: &V) -> f64 {
        if self.is_single {
            of(value).into()
        } else {
            value.real()
        }
    }
}

impl Aggregate<Total, V> for Added {
    fn init(&self, _: &mut Context<'_>) -> Result<Total> {
        Ok(Total::default())
    }

    fn step(&self, context: &mut Context<'_>, total: &mut Total) -> Result<()> {
        let value = V::of(context.get_raw(0));
        if value.is_null() {
            return Ok(());
        }
        if self.in_window {
            if !total.held.take(size_of::<f64>()) {
                return Err(Failure::out_of_memory().into());
            }
            total.rows.push_back(self.number(&value));
        }
        if total.is_old {
            return Ok(());
        }
        total.add(self.number(&value), self)
    }

    fn finalize(&self, _: &mut Context<'_>, total: Option<Total>) -> Result<V> {
        Ok(total.map_or(V::Null, |total| self.result(&total)))
    }
}

impl WindowAggregate<Total, V> for Added {
    fn value(&self, total: Option<&mut Total>) -> Result<V> {
        let Some(total) = total else { return Ok(V::Null) };
        if total.is_old {
            (total.single, total.double, total.count, total.is_old) = (0.0, 0.0, 0, false);
            for at in 0..total.rows.len() {
                total.add(total.rows[at], self)?;
            }
        }
        Ok(self.result(total))
    }

    fn inverse(&self, context: &mut Context<'_>, total: &mut Total) -> Result<()> {
        if V::of(context.get_raw(0)).is_null() {
            return Ok(());
        }
        total.rows.pop_front();
        total.held.give_back(size_of::<f64>());
        total.is_old = true;
        Ok(())
    }
}

/// `sum` and `avg` of `real` and of `double precision`, and those over windows.
pub(super) fn add(connection: &Connection) -> Result<()> {
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    for (name, is_single, is_mean) in [
        ("pg_f4_sum", true, false),
        ("pg_f4_avg", true, true),
        ("pg_f8_sum", false, false),
        ("pg_f8_avg", false, true),
    ] {
        for (suffix, in_window) in [("", false), ("_over", true)] {
            let name = format!("{name}{suffix}");
            let added = Added {
                is_single,
                is_mean,
                in_window,
            };
            connection.create_window_function(name.as_str(), 1, flags, added)?;
        }
    }
    Ok(())
}
