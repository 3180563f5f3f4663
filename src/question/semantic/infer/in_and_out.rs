//! Times of which one says no more than that something came in, and the other that it went out: when somebody came and left,
//! when a flight departed and arrived, or when something was lent and came back.

use super::{Evidence, datasets::is_day, lexicon::stems};
use crate::question::{
    schema::{ColumnProfile, ColumnRef},
    semantic::Field,
};

/// Which of two such times comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counterpart {
    /// The earlier one.
    First,
    /// The later one.
    Last,
}

/// The time that is called as this one is, but for `out` in the place of `in` or the other way round.
pub(super) fn other(of: &Evidence<'_>, (table, fields): (usize, &[Field]), time: usize) -> Option<usize> {
    let wanted = turned(&name(of, table, time))?;
    (0..fields.len()).find(|&column| is_day(of, table, fields, column) && name(of, table, column) == wanted)
}

/// Whether a time of arrival or departure comes before or after its counterpart: guests stay between the two, and travellers
/// are under way. `None` for any other time.
pub(super) fn place(
    of: &Evidence<'_>,
    (table, fields): (usize, &[Field]),
    time: usize,
) -> Option<Counterpart> {
    let own = name(of, table, time);
    let arrives = own.iter().any(|word| word == ARRIVES);
    if !arrives && own.iter().all(|word| word != DEPARTS) {
        return None;
    }
    let other = other(of, (table, fields), time)?;
    let (arrival, departure) = if arrives { (time, other) } else { (other, time) };
    let held = |column| of.column(ColumnRef { table, column });
    let stays = days(held(arrival)?) < days(held(departure)?);
    Some(if arrives == stays {
        Counterpart::First
    } else {
        Counterpart::Last
    })
}

/// True for a time at which something comes back that went out before.
pub(super) fn comes_back(of: &Evidence<'_>, (table, column): (usize, usize), time: Option<usize>) -> bool {
    let says = |column, wanted: &str| name(of, table, column).iter().any(|word| word == wanted);
    says(column, "in") && time.is_some_and(|time| says(time, "out"))
}

/// The first and the last day.
fn days(held: &ColumnProfile) -> (Option<u32>, Option<u32>) {
    (held.earliest, held.latest)
}

const ARRIVES: &str = "arriv";
const DEPARTS: &str = "depart";

/// The words of a name, with one word for every form of arriving and departing.
fn name(of: &Evidence<'_>, table: usize, column: usize) -> Vec<String> {
    let words = stems(&of.schema.column(ColumnRef { table, column }).name);
    let plain = |word: String| match word.as_str() {
        "arr" | "arv" | "arrv" => ARRIVES.to_owned(),
        "dep" | "dpt" | "departur" => DEPARTS.to_owned(),
        _ => word,
    };
    words.into_iter().map(plain).collect()
}

fn turned(name: &[String]) -> Option<Vec<String>> {
    let turn = |word: &String| match word.as_str() {
        "in" => "out".to_owned(),
        "out" => "in".to_owned(),
        ARRIVES => DEPARTS.to_owned(),
        DEPARTS => ARRIVES.to_owned(),
        _ => word.clone(),
    };
    let turned: Vec<String> = name.iter().map(turn).collect();
    (turned != name).then_some(turned)
}
