//! Spread, covariance, correlation and regression of doubles, added up in PostgreSQL's order.

use super::{Failure, Out, V, aggregate::Work, fail, number::OVERFLOW};

/// By Youngs and Cramer, as PostgreSQL does it, so that the last digits agree.
pub(super) fn float_spread(rows: &[Vec<V>], sample: bool, deviation: bool) -> Out {
    let (mut count, mut total, mut squares) = (0.0, 0.0, 0.0);
    for row in rows {
        let value = row[0].real();
        count += 1.0;
        let before = total;
        total += value;
        if count > 1.0 {
            let difference: f64 = value * count - total;
            squares += difference * difference / (count * (count - 1.0));
            if total.is_infinite() || squares.is_infinite() {
                if before.is_finite() && value.is_finite() {
                    return fail("22003", OVERFLOW);
                }
                squares = f64::NAN;
            }
        } else if !value.is_finite() {
            squares = f64::NAN;
        }
    }
    let divisor = if sample { count - 1.0 } else { count };
    if divisor <= 0.0 {
        return Ok(V::Null);
    }
    let variance = squares / divisor;
    Ok(V::Real(if deviation { variance.sqrt() } else { variance }))
}

/// What is added up of pairs, of which the first is `y` and the second `x`; those with NULL do not count.
#[derive(Default)]
struct Pairs {
    count: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Pairs {
    /// By Youngs and Cramer, as above.
    fn of(rows: &[Vec<V>]) -> Result<Self, Failure> {
        let mut sums = Self::default();
        for row in rows.iter().filter(|row| !row[1].is_null()) {
            sums.add(row[1].real(), row[0].real())?;
        }
        Ok(sums)
    }

    fn add(&mut self, x: f64, y: f64) -> Result<(), Failure> {
        let stays_finite = (
            self.x.is_finite() && x.is_finite(),
            self.y.is_finite() && y.is_finite(),
        );
        let is_first = self.count == 0.0;
        self.count += 1.0;
        self.x += x;
        self.y += y;
        if is_first {
            self.xx = if x.is_finite() { 0.0 } else { f64::NAN };
            self.yy = if y.is_finite() { 0.0 } else { f64::NAN };
            self.xy = self.xx + self.yy;
            return Ok(());
        }
        let (dx, dy) = (x * self.count - self.x, y * self.count - self.y);
        let scale = 1.0 / (self.count * (self.count - 1.0));
        self.xx += dx * dx * scale;
        self.yy += dy * dy * scale;
        self.xy += dx * dy * scale;
        let overflows = (stays_finite.0 && (self.x.is_infinite() || self.xx.is_infinite()))
            || (stays_finite.1 && (self.y.is_infinite() || self.yy.is_infinite()))
            || (stays_finite.0 && stays_finite.1 && self.xy.is_infinite());
        if overflows {
            return fail("22003", OVERFLOW);
        }
        for sum in [&mut self.xx, &mut self.yy, &mut self.xy] {
            if sum.is_infinite() {
                *sum = f64::NAN;
            }
        }
        Ok(())
    }
}

/// What is made of the sums of pairs where there is one at least; `None` is NULL.
fn of_pairs(rows: &[Vec<V>], work: fn(&Pairs) -> Option<f64>) -> Out {
    let sums = Pairs::of(rows)?;
    let found = Some(&sums).filter(|sums| sums.count > 0.0).and_then(work);
    Ok(found.map_or(V::Null, V::Real))
}

/// Aggregates of pairs.
pub(super) const OF_PAIRS: [(&str, i32, bool, Work); 12] = [
    ("pg_covar_pop", 2, false, |rows| {
        of_pairs(&rows, |sums| Some(sums.xy / sums.count))
    }),
    ("pg_covar_samp", 2, false, |rows| {
        of_pairs(&rows, |sums| {
            (sums.count > 1.0).then(|| sums.xy / (sums.count - 1.0))
        })
    }),
    ("pg_corr", 2, false, |rows| {
        of_pairs(&rows, |sums| {
            let varies = sums.xx != 0.0 && sums.yy != 0.0;
            varies.then(|| sums.xy / (sums.xx * sums.yy).sqrt())
        })
    }),
    ("pg_regr_count", 2, false, |rows| {
        let pairs = rows.iter().filter(|row| !row[1].is_null());
        Ok(V::Int(pairs.count() as i64))
    }),
    ("pg_regr_sxx", 2, false, |rows| {
        of_pairs(&rows, |sums| Some(sums.xx))
    }),
    ("pg_regr_syy", 2, false, |rows| {
        of_pairs(&rows, |sums| Some(sums.yy))
    }),
    ("pg_regr_sxy", 2, false, |rows| {
        of_pairs(&rows, |sums| Some(sums.xy))
    }),
    ("pg_regr_avgx", 2, false, |rows| {
        of_pairs(&rows, |sums| Some(sums.x / sums.count))
    }),
    ("pg_regr_avgy", 2, false, |rows| {
        of_pairs(&rows, |sums| Some(sums.y / sums.count))
    }),
    ("pg_regr_r2", 2, false, |rows| {
        of_pairs(&rows, |sums| match (sums.xx == 0.0, sums.yy == 0.0) {
            (true, _) => None,
            (false, true) => Some(1.0),
            _ => Some((sums.xy * sums.xy) / (sums.xx * sums.yy)),
        })
    }),
    ("pg_regr_slope", 2, false, |rows| {
        of_pairs(&rows, |sums| (sums.xx != 0.0).then(|| sums.xy / sums.xx))
    }),
    ("pg_regr_intercept", 2, false, |rows| {
        of_pairs(&rows, |sums| {
            (sums.xx != 0.0).then(|| (sums.y - sums.x * sums.xy / sums.xx) / sums.count)
        })
    }),
];
