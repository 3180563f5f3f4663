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

use super::once::Once;
use super::statistics::{OF_PAIRS, float_spread};
use super::{
    Failure, Out, V, allowance, array, array_out, decimal::Decimal, enough, interval::Interval, json, money,
    numeric_special, order, sorting::sort, sum, to_json, values,
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
    once: Once,
    work: fn(Vec<Vec<V>>) -> Out,
}

/// The rows of a group.
#[derive(Default)]
struct Rows {
    rows: Vec<Vec<V>>,
    held: Held,
}

/// What a row takes: its place in a list that has room for twice as many, and what is allocated for its values and each of their
/// texts.
fn size(row: &[V]) -> usize {
    let contents: usize = row.iter().map(|value| allocated(value.length())).sum();
    2 * size_of::<Vec<V>>() + allocated(size_of_val(row)) + contents
}

/// What an allocator takes for so many bytes.
fn allocated(bytes: usize) -> usize {
    match bytes {
        0 => 0,
        bytes => (bytes + size_of::<usize>()).next_multiple_of(16).max(32),
    }
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
            Some(all) if !all.rows.is_empty() => Ok((self.work)(self.once.of(all.rows)?)?),
            _ => Ok(V::Null),
        }
    }
}

impl WindowAggregate<Rows, V> for Gathered {
    fn value(&self, all: Option<&mut Rows>) -> Result<V> {
        match all {
            Some(all) if !all.rows.is_empty() => {
                allowance::over(all.held.bytes())?;
                let mut copy = Held::default();
                if !copy.take(all.held.bytes()) {
                    return Err(Failure::out_of_memory().into());
                }
                Ok((self.work)(all.rows.clone())?)
            }
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
        allowance::over(number.length())?;
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

/// The rows in the order of their first values.
fn sorted(mut rows: Vec<Vec<V>>, ty: &str) -> std::result::Result<Vec<Vec<V>>, Failure> {
    sort(&mut rows, |one, other| order::values(ty, &one[0], &other[0]))?;
    Ok(rows)
}

/// The same from the last one on where that is asked for.
fn directed(rows: Vec<Vec<V>>, ty: &str, descending: bool) -> std::result::Result<Vec<Vec<V>>, Failure> {
    let mut all = sorted(rows, ty)?;
    if descending {
        all.reverse();
    }
    Ok(all)
}

fn percentile(rows: Vec<Vec<V>>, (continuous, descending): (bool, bool)) -> Out {
    let fraction = rows[0][1].real();
    let ty = type_at(&rows, 2);
    percentile_of(&directed(rows, &ty, descending)?, fraction, continuous)
}

/// Of rows in their order.
fn percentile_of(all: &[Vec<V>], fraction: f64, continuous: bool) -> Out {
    if !(0.0..=1.0).contains(&fraction) {
        return super::fail(
            "22003",
            format!("percentile value {fraction} is not between 0 and 1"),
        );
    }
    if continuous {
        let place = fraction * (all.len() - 1) as f64;
        let (low, high) = (
            all[place.floor() as usize][0].real(),
            all[place.ceil() as usize][0].real(),
        );
        let between = place.fract();
        // Between a value and itself lies nothing, were it infinite.
        return Ok(V::Real(if between == 0.0 {
            low
        } else {
            low + (high - low) * between
        }));
    }
    let place = (fraction * all.len() as f64).ceil().max(1.0) as usize - 1;
    Ok(all[place.min(all.len() - 1)][0].clone())
}

fn mode(rows: Vec<Vec<V>>, descending: bool) -> Out {
    let ty = type_at(&rows, 1);
    let all = directed(rows, &ty, descending)?;
    let mut best = (0, 0);
    let mut at = 0;
    while at < all.len() {
        let mut end = at;
        while end < all.len() && order::values(&ty, &all[end][0], &all[at][0]).is_eq() {
            allowance::turn()?;
            end += 1;
        }
        if end - at > best.0 {
            best = (end - at, at);
        }
        at = end;
    }
    Ok(all[best.1][0].clone())
}

/// What tells equal rows, and its type: the value itself, unless something else stands behind it.
fn key(rows: &[Vec<V>]) -> (usize, String) {
    if rows.first().is_some_and(|row| row.len() > 3) {
        (2, type_at(rows, 3))
    } else {
        (0, type_at(rows, 1))
    }
}

type Gathering = std::result::Result<Vec<Vec<V>>, Failure>;

/// Each first one, in the order in which they come.
fn unique(mut rows: Vec<Vec<V>>) -> Gathering {
    let (at, ty) = key(&rows);
    let order = |one: usize, other: usize| order::values(&ty, &rows[one][at], &rows[other][at]);
    let mut places: Vec<usize> = (0..rows.len()).collect();
    sort(&mut places, |one, other| order(*one, *other))?;
    places.dedup_by(|later, first| order(*first, *later).is_eq());
    places.sort_unstable();
    let (mut place, mut kept) = (0, places.into_iter().peekable());
    rows.retain(|_| {
        let stays = kept.next_if_eq(&place).is_some();
        place += 1;
        stays
    });
    Ok(rows)
}

/// Each once, in order, NULL last.
fn distinct(mut rows: Vec<Vec<V>>) -> Gathering {
    let (at, ty) = key(&rows);
    sort(&mut rows, |one, other| order::values(&ty, &one[at], &other[at]))?;
    rows.dedup_by(|later, first| order::values(&ty, &first[at], &later[at]).is_eq());
    Ok(rows)
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

fn percentiles(rows: Vec<Vec<V>>, descending: bool) -> Out {
    let fractions = array::elements(&rows[0][1].text())?;
    let ty = type_at(&rows, 2);
    let all = directed(rows, &ty, descending)?;
    let mut found = vec![];
    for fraction in fractions {
        allowance::turn()?;
        found.push(match fraction {
            None => None,
            Some(fraction) => Some(percentile_of(&all, V::from(fraction).real(), true)?.text()),
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
    let mut text = String::from("[");
    for (at, row) in rows.iter().enumerate() {
        if at > 0 {
            text.push_str(separator);
        }
        text.push_str(&to_json::written(&row[0], &row[1].as_text())?);
        allowance::value_of(text.len())?;
    }
    text.push(']');
    Ok(text.into())
}

fn object(rows: Vec<Vec<V>>) -> Out {
    let binary = rows[0][2].int() != 0;
    let (begin, between, end) = if binary {
        ("{", ": ", "}")
    } else {
        ("{ ", " : ", " }")
    };
    let mut text = String::from(begin);
    for (at, row) in rows.iter().enumerate() {
        if row[0].is_null() {
            return super::fail("22023", "field name must not be null");
        }
        if at > 0 {
            text.push_str(", ");
        }
        let key = row[0].as_text();
        if key.starts_with('"') {
            text.push_str(&key);
        } else {
            text.push_str(&json::quoted(&key));
        }
        text.push_str(between);
        if row[1].is_null() {
            text.push_str("null");
        } else {
            text.push_str(&row[1].as_text());
        }
        allowance::value_of(text.len())?;
    }
    text.push_str(end);
    if binary {
        drop(rows);
        return json::normal(&text);
    }
    Ok(text.into())
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

pub(super) type Work = fn(Vec<Vec<V>>) -> Out;

/// Adds all of them.
pub(super) fn add(connection: &Connection) -> Result<()> {
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_window_function("pg_num_sum", 1, flags, sum::Sum)?;
    let all: [(&str, i32, bool, Work); 35] = [
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
        ("pg_array_agg", 2, true, array),
        ("pg_array_agg_distinct", -3, true, |rows| array(distinct(rows)?)),
        ("pg_array_agg_unique", -3, true, |rows| array(unique(rows)?)),
        ("pg_json_agg_distinct", -3, true, |rows| {
            documents(distinct(rows)?)
        }),
        ("pg_json_agg_unique", -3, true, |rows| documents(unique(rows)?)),
        ("pg_percentiles", 2, false, |rows| percentiles(rows, false)),
        ("pg_percentiles_desc", 2, false, |rows| percentiles(rows, true)),
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
        ("pg_percentile_cont", 2, false, |rows| {
            percentile(rows, (true, false))
        }),
        ("pg_percentile_cont_desc", 2, false, |rows| {
            percentile(rows, (true, true))
        }),
        ("pg_percentile_disc", -3, false, |rows| {
            percentile(rows, (false, false))
        }),
        ("pg_percentile_disc_desc", -3, false, |rows| {
            percentile(rows, (false, true))
        }),
        ("pg_mode", -2, false, |rows| mode(rows, false)),
        ("pg_mode_desc", -2, false, |rows| mode(rows, true)),
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
    for (name, arguments, with_nulls, work) in all.into_iter().chain(arrays).chain(OF_PAIRS) {
        let is_of_pairs = OF_PAIRS.iter().any(|(pairs, ..)| *pairs == name);
        for once in Once::ALL {
            let takes_several = is_of_pairs || matches!(name, "pg_string_agg" | "pg_json_object_agg");
            if once != Once::Not && !takes_several {
                continue;
            }
            let gathered = Gathered {
                name,
                arguments,
                with_nulls,
                once,
                work,
            };
            let named = format!("{name}{}", once.suffix());
            connection.create_window_function(named.as_str(), arguments.max(-1), flags, gathered)?;
        }
    }
    Ok(())
}
