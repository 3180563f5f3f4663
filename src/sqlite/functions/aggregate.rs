//! Aggregates: each gathers its values and works them out at the end.
#![expect(
    clippy::unnecessary_wraps,
    clippy::needless_pass_by_value,
    reason = "the functions of a table have one type"
)]

use std::cmp::Ordering;

use rusqlite::{
    Connection, Result,
    functions::{Aggregate, Context, FunctionFlags, WindowAggregate},
};

use super::statistics::{correlation, covariance, float_spread};
use super::{
    Failure, Out, V, allowance, array, array_out, decimal::Decimal, enough, interval::Interval, json, money,
    numeric_special, order, sum, text, to_json, values,
};
use crate::{
    pgtypes::{array::Array, float::NAN},
    sqlite::memory::Held,
};

/// An aggregate that works on all of its rows.
struct Gathered {
    name: &'static str,
    arguments: i32,
    /// True if rows whose first argument is NULL count too.
    with_nulls: bool,
    work: fn(Vec<Vec<V>>) -> Out,
}

/// The rows of a group.
#[derive(Default)]
struct Rows {
    rows: Vec<Vec<V>>,
    held: Held,
}

/// What a row takes beside its texts.
fn size(row: &[V]) -> usize {
    let contents: usize = row.iter().map(V::length).sum();
    size_of::<Vec<V>>() + size_of_val(row) + contents
}

impl Gathered {
    fn counts(&self, row: &[V]) -> bool {
        self.with_nulls || !row.first().is_none_or(V::is_null)
    }
}

impl Aggregate<Rows, V> for Gathered {
    fn init(&self, _: &mut Context<'_>) -> Result<Rows> {
        Ok(Rows::default())
    }

    fn step(&self, context: &mut Context<'_>, all: &mut Rows) -> Result<()> {
        let row = enough(self.name, values(context), self.arguments)?;
        if self.counts(&row) {
            if !all.held.take(size(&row)) {
                return Err(Failure::out_of_memory().into());
            }
            all.rows.push(row);
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, all: Option<Rows>) -> Result<V> {
        // SQLite asks for the result of what it has stopped too, to be rid of it.
        allowance::now()?;
        match all {
            Some(all) if !all.rows.is_empty() => Ok((self.work)(all.rows)?),
            _ => Ok(V::Null),
        }
    }
}

impl WindowAggregate<Rows, V> for Gathered {
    fn value(&self, all: Option<&mut Rows>) -> Result<V> {
        match all {
            Some(all) if !all.rows.is_empty() => Ok((self.work)(all.rows.clone())?),
            _ => Ok(V::Null),
        }
    }

    fn inverse(&self, context: &mut Context<'_>, all: &mut Rows) -> Result<()> {
        let row = values(context);
        if self.counts(&row) {
            all.held.give_back(size(&row));
            all.rows.remove(0);
        }
        Ok(())
    }
}

fn numbers(rows: &[Vec<V>]) -> std::result::Result<Vec<Decimal>, Failure> {
    rows.iter().map(|row| Decimal::of(&row[0])).collect()
}

fn extreme(rows: &[Vec<V>], wanted: Ordering) -> Out {
    let best = numbers(rows)?.into_iter().reduce(|best, other| {
        if other.compare(&best) == wanted {
            other
        } else {
            best
        }
    });
    Ok(best.map_or(V::Null, V::from))
}

fn intervals(rows: &[Vec<V>]) -> std::result::Result<Vec<Interval>, Failure> {
    rows.iter().map(|row| Interval::of(&row[0])).collect()
}

fn spread(rows: &[Vec<V>], sample: bool, deviation: bool) -> Out {
    if rows.iter().any(|row| numeric_special::is_among(row)) && (rows.len() > 1 || !sample) {
        return Ok(NAN.into());
    }
    let zero = Decimal::of(&V::Int(0))?;
    let (mut total, mut squares) = (zero.clone(), zero);
    for number in numbers(rows)? {
        squares = squares.plus(&number.times(&number));
        total = total.plus(&number);
    }
    let found = Decimal::spread(rows.len() as i64, &total, &squares, sample, deviation);
    match found {
        Some(found) => Ok(found.bounded()?.into()),
        None => Ok(V::Null),
    }
}

/// The type of the values, which stands behind them at this place.
fn type_at(rows: &[Vec<V>], at: usize) -> String {
    let ty = rows.first().and_then(|row| row.get(at)).map(V::text);
    match ty.unwrap_or_default() {
        // As views of older files say it.
        number if number == "1" => "numeric".into(),
        ty => ty,
    }
}

fn sorted(rows: &[Vec<V>], ty: &str) -> Vec<V> {
    let mut all: Vec<V> = rows.iter().map(|row| row[0].clone()).collect();
    all.sort_by(|one, other| order::values(ty, one, other));
    all
}

fn percentile(rows: &[Vec<V>], continuous: bool) -> Out {
    let fraction = rows[0][1].real();
    if !(0.0..=1.0).contains(&fraction) {
        return super::fail(
            "22003",
            format!("percentile value {fraction} is not between 0 and 1"),
        );
    }
    let all = sorted(rows, &type_at(rows, 2));
    if continuous {
        let place = fraction * (all.len() - 1) as f64;
        let (low, high) = (
            all[place.floor() as usize].real(),
            all[place.ceil() as usize].real(),
        );
        return Ok(V::Real(low + (high - low) * place.fract()));
    }
    let place = (fraction * all.len() as f64).ceil().max(1.0) as usize - 1;
    Ok(all[place.min(all.len() - 1)].clone())
}

fn mode(rows: Vec<Vec<V>>) -> Out {
    let ty = type_at(&rows, 1);
    let all = sorted(&rows, &ty);
    let mut best = (0, V::Null);
    let mut at = 0;
    while at < all.len() {
        let same = |value: &&V| order::values(&ty, value, &all[at]).is_eq();
        let end = all[at..].iter().take_while(same).count();
        if end > best.0 {
            best = (end, all[at].clone());
        }
        at += end;
    }
    Ok(best.1)
}

/// What tells equal rows, and its type: the value itself, unless something else stands behind it.
fn key(rows: &[Vec<V>]) -> (usize, String) {
    if rows.first().is_some_and(|row| row.len() > 3) {
        (2, type_at(rows, 3))
    } else {
        (0, type_at(rows, 1))
    }
}

/// Each first one, in the order in which they come.
fn unique(rows: Vec<Vec<V>>) -> Vec<Vec<V>> {
    let (at, ty) = key(&rows);
    let order = |one: usize, other: usize| order::values(&ty, &rows[one][at], &rows[other][at]);
    let mut places: Vec<usize> = (0..rows.len()).collect();
    places.sort_by(|one, other| order(*one, *other));
    places.dedup_by(|later, first| order(*first, *later).is_eq());
    places.sort_unstable();
    places.into_iter().map(|place| rows[place].clone()).collect()
}

/// Each once, in order, NULL last.
fn distinct(mut rows: Vec<Vec<V>>) -> Vec<Vec<V>> {
    let (at, ty) = key(&rows);
    rows.sort_by(|one, other| order::values(&ty, &one[at], &other[at]));
    rows.dedup_by(|later, first| order::values(&ty, &first[at], &later[at]).is_eq());
    rows
}

/// Each part behind its own separator, but the first.
fn joined(rows: &[Vec<V>]) -> Out {
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        if let Some(separator) = row.get(1).filter(|separator| at > 0 && !separator.is_null()) {
            text.push_str(&separator.text());
        }
        text.push_str(&row[0].text());
        allowance::value_of(text.len())?;
    }
    Ok(text.into())
}

fn joined_distinct(rows: Vec<Vec<V>>) -> Out {
    let mut parts: Vec<String> = rows.iter().map(|row| row[0].text()).collect();
    parts.sort();
    joined_unique(&rows, parts)
}

fn joined_unique(rows: &[Vec<V>], mut parts: Vec<String>) -> Out {
    let mut seen = std::collections::HashSet::new();
    parts.retain(|part| seen.insert(part.clone()));
    let separator = rows
        .first()
        .and_then(|row| row.get(1))
        .map(V::text)
        .unwrap_or_default();
    Ok(text::joined(parts.iter().map(String::as_str), &separator)?.into())
}

fn array(rows: Vec<Vec<V>>) -> Out {
    let ty = rows[0][1].text();
    if ty.starts_with('_') {
        let arrays = array::arrays(rows.iter().map(|row| &row[0]))?;
        return Ok(Array::aggregated(arrays)?.text().into());
    }
    let mut text = String::from("{");
    for row in &rows {
        allowance::value_of(text.len())?;
        if text.len() > 1 {
            text.push(',');
        }
        array_out::push(&mut text, &array::element(&row[0], &ty))?;
    }
    text.push('}');
    Ok(text.into())
}

fn percentiles(rows: Vec<Vec<V>>) -> Out {
    let mut found = vec![];
    for fraction in array::elements(&rows[0][1].text())? {
        allowance::turn()?;
        let rows: Vec<Vec<V>> = rows
            .iter()
            .map(|row| vec![row[0].clone(), fraction.clone().map_or(V::Null, V::from)])
            .collect();
        found.push(match &fraction {
            None => None,
            Some(_) => Some(percentile(&rows, true)?.text()),
        });
    }
    Ok(array_out::array_text(&found)?.into())
}

fn documents(rows: Vec<Vec<V>>) -> Out {
    // PostgreSQL sets rows and arrays apart.
    let wide = |row: &Vec<V>| {
        let ty = row[1].text();
        ty == "record" || ty.starts_with('_')
    };
    let separator = if rows.first().is_some_and(wide) {
        ", \n "
    } else {
        ", "
    };
    let (mut parts, mut length) = (vec![], 0_usize);
    for row in rows {
        length = length.saturating_add(row[0].length());
        allowance::value_of(length)?;
        parts.push(to_json::written(&row[0], &row[1].text())?);
    }
    Ok(format!("[{}]", parts.join(separator)).into())
}

fn object(rows: Vec<Vec<V>>) -> Out {
    let mut parts = vec![];
    let binary = rows[0][2].int() != 0;
    for row in &rows {
        allowance::turn()?;
        if row[0].is_null() {
            return super::fail("22023", "field name must not be null");
        }
        let key = row[0].text();
        let key = if key.starts_with('"') {
            key
        } else {
            json::quoted(&key)
        };
        let value = if row[1].is_null() {
            "null".into()
        } else {
            row[1].text()
        };
        parts.push(if binary {
            format!("{key}: {value}")
        } else {
            format!("{key} : {value}")
        });
    }
    if binary {
        return json::normal(&format!("{{{}}}", parts.join(", ")));
    }
    Ok(format!("{{ {} }}", parts.join(", ")).into())
}

fn furthest(rows: &[Vec<V>], wanted: Ordering) -> Out {
    let better = |best: Interval, next: Interval| {
        if next.key().cmp(&best.key()) == wanted {
            next
        } else {
            best
        }
    };
    Ok(intervals(rows)?
        .into_iter()
        .reduce(better)
        .map_or(V::Null, V::from))
}

fn bits(rows: &[Vec<V>], join: fn(i64, i64) -> i64) -> Out {
    Ok(rows
        .iter()
        .map(|row| row[0].int())
        .reduce(join)
        .map_or(V::Null, V::Int))
}

type Work = fn(Vec<Vec<V>>) -> Out;

/// Adds all of them.
pub(super) fn add(connection: &Connection) -> Result<()> {
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_window_function("pg_num_sum", 1, flags, sum::Sum)?;
    let all: [(&str, i32, bool, Work); 36] = [
        ("pg_num_min", 1, false, |rows| extreme(&rows, Ordering::Less)),
        ("pg_num_max", 1, false, |rows| extreme(&rows, Ordering::Greater)),
        ("pg_money_sum", 1, false, |rows| money::sum(&rows)),
        ("pg_interval_sum", 1, false, |rows| {
            let total = intervals(&rows)?
                .into_iter()
                .try_fold(Interval::default(), |sum, next| sum.plus(next, 1))?;
            Ok(total.into())
        }),
        ("pg_interval_min", 1, false, |rows| {
            furthest(&rows, Ordering::Less)
        }),
        ("pg_interval_max", 1, false, |rows| {
            furthest(&rows, Ordering::Greater)
        }),
        ("pg_string_agg", 2, false, |rows| joined(&rows)),
        ("pg_string_agg_distinct", 2, false, joined_distinct),
        ("pg_string_agg_unique", 2, false, |rows| {
            let parts = rows.iter().map(|row| row[0].text()).collect();
            joined_unique(&rows, parts)
        }),
        ("pg_array_agg", 2, true, array),
        ("pg_array_agg_distinct", -3, true, |rows| array(distinct(rows))),
        ("pg_array_agg_unique", -3, true, |rows| array(unique(rows))),
        ("pg_json_agg_distinct", -3, true, |rows| documents(distinct(rows))),
        ("pg_json_agg_unique", -3, true, |rows| documents(unique(rows))),
        ("pg_percentiles", 2, false, percentiles),
        ("pg_covar_pop", 2, false, |rows| Ok(covariance(&rows, false))),
        ("pg_covar_samp", 2, false, |rows| Ok(covariance(&rows, true))),
        ("pg_json_agg", 2, true, documents),
        ("pg_json_object_agg", 3, true, object),
        ("pg_stddev_samp", 1, false, |rows| spread(&rows, true, true)),
        ("pg_stddev_pop", 1, false, |rows| spread(&rows, false, true)),
        ("pg_var_samp", 1, false, |rows| spread(&rows, true, false)),
        ("pg_var_pop", 1, false, |rows| spread(&rows, false, false)),
        ("pg_float_stddev_samp", 1, false, |rows| {
            float_spread(&rows, true, true)
        }),
        ("pg_float_stddev_pop", 1, false, |rows| {
            float_spread(&rows, false, true)
        }),
        ("pg_float_var_samp", 1, false, |rows| {
            float_spread(&rows, true, false)
        }),
        ("pg_float_var_pop", 1, false, |rows| {
            float_spread(&rows, false, false)
        }),
        ("pg_corr", 2, false, |rows| Ok(correlation(&rows))),
        ("pg_percentile_cont", 2, false, |rows| percentile(&rows, true)),
        ("pg_percentile_disc", -3, false, |rows| percentile(&rows, false)),
        ("pg_mode", -2, false, mode),
        ("pg_bit_and", 1, false, |rows| {
            bits(&rows, |one, other| one & other)
        }),
        ("pg_bit_or", 1, false, |rows| {
            bits(&rows, |one, other| one | other)
        }),
        ("pg_bool_and", 1, false, |rows| bits(&rows, i64::min)),
        ("pg_bool_or", 1, false, |rows| bits(&rows, i64::max)),
        ("pg_count_all", 1, true, |rows| Ok(V::Int(rows.len() as i64))),
    ];
    let arrays: [(&str, Work); 4] = [
        ("pg_array_min", |rows| array::extreme(rows, true, false)),
        ("pg_array_max", |rows| array::extreme(rows, false, false)),
        ("pg_text_array_min", |rows| array::extreme(rows, true, true)),
        ("pg_text_array_max", |rows| array::extreme(rows, false, true)),
    ];
    let arrays = arrays.map(|(name, work)| (name, 1, false, work));
    for (name, arguments, with_nulls, work) in all.into_iter().chain(arrays) {
        let gathered = Gathered {
            name,
            arguments,
            with_nulls,
            work,
        };
        connection.create_window_function(name, arguments.max(-1), flags, gathered)?;
    }
    Ok(())
}
