//! When two results are the same: the multiset of rows, columns in any order, numbers within a tolerance
//! (as the test-suite evaluation of Zhong, Yu and Klein, 2020, compares them).

use std::collections::{BTreeMap, HashMap};

use super::Value;

/// The absolute difference up to which numbers are equal.
const TOLERANCE: f64 = 1e-6;
/// The relative difference for large numbers, where floating point sums differ by their order.
const RELATIVE_TOLERANCE: f64 = 1e-9;
/// Column orders tried before giving up; pruning needs a handful.
const MAX_STEPS: usize = 20_000;

/// All rows of a result.
#[derive(Debug, Clone, Default)]
pub struct ResultSet {
    /// How many columns it has.
    pub columns: usize,
    /// Its rows, each as wide.
    pub rows: Vec<Vec<Value>>,
}

/// True if `predicted` has the rows of `gold`; in the same order if `ordered`. Two results without rows are
/// equal whatever their columns, as in the field's own evaluators.
pub fn same_rows(gold: &ResultSet, predicted: &ResultSet, ordered: bool) -> bool {
    match comparable(gold, predicted, gold.columns == predicted.columns) {
        Err(same) => same,
        Ok((gold, predicted)) if ordered => same_sequences(gold, predicted),
        Ok((gold, predicted)) => same_multisets(&gold, &predicted),
    }
}

/// True if `predicted` has the rows of `gold` among its columns, of which it may have more; in the same order if `ordered`.
pub fn has_rows(gold: &ResultSet, predicted: &ResultSet, ordered: bool) -> bool {
    match comparable(gold, predicted, gold.columns <= predicted.columns) {
        Err(same) => same,
        Ok((gold, mut left)) if ordered => gold.iter().all(|column| {
            let found = left.iter().position(|other| other == column);
            found.map(|at| left.swap_remove(at)).is_some()
        }),
        Ok((gold, predicted)) => same_multisets(&gold, &predicted),
    }
}

/// One column as symbols: equal symbols stand for equal values.
type Column = Vec<u32>;

/// Both results by column, unless the numbers of their rows and columns tell already whether they are the same.
fn comparable(
    gold: &ResultSet,
    predicted: &ResultSet,
    fits: bool,
) -> Result<(Vec<Column>, Vec<Column>), bool> {
    if gold.rows.len() != predicted.rows.len() {
        return Err(false);
    }
    if gold.rows.is_empty() || !fits {
        return Err(gold.rows.is_empty());
    }
    Ok(symbols(gold, predicted))
}

/// Both results by column, their values replaced by symbols.
fn symbols(gold: &ResultSet, predicted: &ResultSet) -> (Vec<Column>, Vec<Column>) {
    let values = || gold.rows.iter().chain(&predicted.rows).flatten();
    let mut next = 0u32;
    let mut fresh = || {
        next += 1;
        next
    };
    let null = fresh();
    let mut texts: HashMap<&[u8], u32> = HashMap::new();
    let mut blobs: HashMap<&[u8], u32> = HashMap::new();
    let mut numbers: Vec<Number> = Vec::new();
    for value in values() {
        match value {
            Value::Null => {}
            Value::Integer(number) => numbers.push(Number::Integer(*number)),
            Value::Real(number) => numbers.push(Number::Real(*number)),
            Value::Text(text) => {
                texts.entry(text).or_insert_with(&mut fresh);
            }
            Value::Blob(bytes) => {
                blobs.entry(bytes).or_insert_with(&mut fresh);
            }
        }
    }
    numbers.sort_unstable_by(Number::order);
    numbers.dedup_by(|a, b| a.order(b).is_eq());
    let mut ids: BTreeMap<NumberKey, u32> = BTreeMap::new();
    let mut last: Option<(Number, u32)> = None;
    for number in numbers {
        let id = match last {
            Some((previous, id)) if previous.near(number) => id,
            _ => fresh(),
        };
        ids.insert(number.key(), id);
        last = Some((number, id));
    }
    let symbol = |value: &Value| match value {
        Value::Null => null,
        Value::Integer(number) => ids[&Number::Integer(*number).key()],
        Value::Real(number) => ids[&Number::Real(*number).key()],
        Value::Text(text) => texts[text.as_slice()],
        Value::Blob(bytes) => blobs[bytes.as_slice()],
    };
    let columns = |set: &ResultSet| {
        (0..set.columns)
            .map(|column| {
                set.rows
                    .iter()
                    .map(|row| row.get(column).map_or(null, symbol))
                    .collect()
            })
            .collect()
    };
    (columns(gold), columns(predicted))
}

#[derive(Clone, Copy)]
enum Number {
    Integer(i64),
    Real(f64),
}

/// Exact identity of a number: whether it is real, and its bits.
type NumberKey = (bool, u64);

impl Number {
    fn float(self) -> f64 {
        match self {
            Self::Integer(number) => number as f64,
            Self::Real(number) => number,
        }
    }

    fn key(self) -> NumberKey {
        match self {
            Self::Integer(number) => (false, number as u64),
            // Positive and negative zero are one number.
            Self::Real(number) => (true, (number + 0.0).to_bits()),
        }
    }

    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let by_value = (self.float() + 0.0).total_cmp(&(other.float() + 0.0));
        by_value.then_with(|| match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a.cmp(b),
            _ => self.key().cmp(&other.key()),
        })
    }

    fn near(self, other: Self) -> bool {
        if let (Self::Integer(a), Self::Integer(b)) = (self, other) {
            return a == b;
        }
        let (a, b) = (self.float(), other.float());
        let tolerance = TOLERANCE.max(RELATIVE_TOLERANCE * a.abs());
        a.total_cmp(&b).is_eq() || (a - b).abs() <= tolerance
    }
}

/// In the same order, each column of one side must stand somewhere on the other as it is.
fn same_sequences(mut gold: Vec<Column>, mut predicted: Vec<Column>) -> bool {
    gold.sort_unstable();
    predicted.sort_unstable();
    gold == predicted
}

/// Looks for an order of the predicted columns that makes the multisets of rows equal.
fn same_multisets(gold: &[Column], predicted: &[Column]) -> bool {
    let signature = |column: &Column| {
        let mut sorted = column.clone();
        sorted.sort_unstable();
        sorted
    };
    let gold_signatures: Vec<Column> = gold.iter().map(signature).collect();
    let predicted_signatures: Vec<Column> = predicted.iter().map(signature).collect();
    let candidates: Vec<Vec<usize>> = gold_signatures
        .iter()
        .map(|wanted| {
            (0..predicted.len())
                .filter(|at| predicted_signatures[*at] == *wanted)
                .collect()
        })
        .collect();
    if candidates.iter().any(Vec::is_empty) {
        return false;
    }
    // The most telling columns first: the fewer candidates, the sooner a wrong order is seen.
    let mut order: Vec<usize> = (0..gold.len()).collect();
    order.sort_by_key(|column| candidates[*column].len());
    let rows = gold.first().map_or(0, Vec::len);
    let mut search = Search {
        gold,
        predicted,
        candidates: &candidates,
        order: &order,
        steps: 0,
    };
    search.place(
        0,
        &mut vec![false; predicted.len()],
        &vec![0; rows],
        &vec![0; rows],
    )
}

struct Search<'a> {
    gold: &'a [Column],
    predicted: &'a [Column],
    candidates: &'a [Vec<usize>],
    order: &'a [usize],
    steps: usize,
}

impl Search<'_> {
    /// Places the gold column `order[depth]`. `left` and `right` number the classes of rows that are alike in the
    /// columns placed so far; their multisets are equal.
    fn place(&mut self, depth: usize, used: &mut Vec<bool>, left: &[u32], right: &[u32]) -> bool {
        let Some(&column) = self.order.get(depth) else {
            return true;
        };
        let mut tried: Vec<usize> = Vec::new();
        for &candidate in &self.candidates[column] {
            let alike = |other: &usize| self.predicted[*other] == self.predicted[candidate];
            if used[candidate] || tried.iter().any(alike) {
                continue;
            }
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return false;
            }
            tried.push(candidate);
            let Some((left, right)) = refine(left, &self.gold[column], right, &self.predicted[candidate])
            else {
                continue;
            };
            used[candidate] = true;
            if self.place(depth + 1, used, &left, &right) {
                return true;
            }
            used[candidate] = false;
        }
        false
    }
}

/// Splits the classes by one more column; `None` if the multisets differ then.
fn refine(left: &[u32], gold: &[u32], right: &[u32], predicted: &[u32]) -> Option<(Vec<u32>, Vec<u32>)> {
    let mut classes: HashMap<(u32, u32), (u32, i64)> = HashMap::new();
    let mut number = |class: u32, symbol: u32, sign: i64| {
        let fresh = classes.len() as u32;
        let entry = classes.entry((class, symbol)).or_insert((fresh, 0));
        entry.1 += sign;
        entry.0
    };
    let left = left
        .iter()
        .zip(gold)
        .map(|(class, symbol)| number(*class, *symbol, 1))
        .collect();
    let right = right
        .iter()
        .zip(predicted)
        .map(|(class, symbol)| number(*class, *symbol, -1))
        .collect();
    classes
        .values()
        .all(|(_, balance)| *balance == 0)
        .then_some((left, right))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads `"1 a|2 b"`: rows by `|`, values by blanks; `-` is NULL, `'1` is the text 1.
    fn set(text: &str, columns: usize) -> ResultSet {
        let value = |text: &str| match text {
            "-" => Value::Null,
            _ => match (text.parse::<i64>(), text.parse::<f64>()) {
                (Ok(number), _) => Value::Integer(number),
                (_, Ok(number)) => Value::Real(number),
                _ => Value::Text(text.trim_start_matches('\'').into()),
            },
        };
        let rows = text.split('|').filter(|row| !row.is_empty());
        ResultSet {
            columns,
            rows: rows.map(|row| row.split(' ').map(value).collect()).collect(),
        }
    }

    #[test]
    fn results_compare_as_the_field_compares_them() {
        for (gold, predicted, columns, unordered, ordered) in [
            ("1|2|3", "1|2|3", (1, 1), true, true),
            ("1|2|3", "3|2|1", (1, 1), true, false),
            ("1|1|2", "1|2|2", (1, 1), false, false),
            ("1|1", "1", (1, 1), false, false),
            ("1 a|2 b", "a 1|b 2", (2, 2), true, true),
            ("1 a|2 b", "b 1|a 2", (2, 2), false, false),
            ("1 2|2 1", "2 1|1 2", (2, 2), true, true),
            ("1 2|2 1|3 3", "3 3|2 1|1 2", (2, 2), true, false),
            ("1 2|1 2", "1 1|2 2", (2, 2), false, false),
            ("1", "1.0", (1, 1), true, true),
            ("1", "'1", (1, 1), false, false),
            ("0.3333333", "0.33333333", (1, 1), true, true),
            ("0.333", "0.334", (1, 1), false, false),
            ("0.0", "-0.0", (1, 1), true, true),
            ("123456789012.5", "123456789012.50001", (1, 1), true, true),
            ("9007199254740993", "9007199254740992", (1, 1), false, false),
            ("-", "-", (1, 1), true, true),
            ("-", "0", (1, 1), false, false),
            ("a", "A", (1, 1), false, false),
            ("", "", (1, 3), true, true),
            ("1 2", "1", (2, 1), false, false),
            ("1 1 2", "1 2 1", (3, 3), true, true),
            ("1 1 2", "1 2 2", (3, 3), false, false),
        ] {
            let gold_set = set(gold, columns.0);
            let predicted_set = set(predicted, columns.1);
            assert_eq!(
                same_rows(&gold_set, &predicted_set, false),
                unordered,
                "{gold} / {predicted}"
            );
            assert_eq!(
                same_rows(&gold_set, &predicted_set, true),
                ordered,
                "{gold} / {predicted} ordered"
            );
        }
    }

    #[test]
    fn nearly_equal_numbers_do_not_upset_the_rows() {
        let gold = set("0.1 a|0.10000000001 b", 2);
        let predicted = set("0.1 b|0.10000000001 a", 2);
        assert!(same_rows(&gold, &predicted, false));
    }

    #[test]
    fn many_alike_columns_are_matched_quickly() {
        // Every column is a permutation of the same values: signatures alone decide nothing.
        let width = 30u32;
        let row = |shift: u32| {
            (0..width)
                .map(|c| Value::Integer(i64::from((c * 7 + shift * 11) % width)))
                .collect()
        };
        let gold = ResultSet {
            columns: width as usize,
            rows: (0..width).map(row).collect(),
        };
        let mut predicted = gold.clone();
        for row in &mut predicted.rows {
            row.reverse();
        }
        predicted.rows.reverse();
        let started = std::time::Instant::now();
        assert!(same_rows(&gold, &predicted, false));
        predicted.rows[0].swap(0, 1);
        assert!(!same_rows(&gold, &predicted, false));
        assert!(started.elapsed().as_secs() < 5);
    }
}
