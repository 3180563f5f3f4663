//! Spread, covariance and correlation of doubles, added up in PostgreSQL's order.

use super::{Out, V, fail, number::OVERFLOW};

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

/// By Youngs and Cramer, as above.
pub(super) fn correlation(rows: &[Vec<V>]) -> V {
    let (mut count, mut x, mut y) = (0.0, 0.0, 0.0);
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for row in rows.iter().filter(|row| !row[1].is_null()) {
        let (one, other) = (row[0].real(), row[1].real());
        count += 1.0;
        x += one;
        y += other;
        if count > 1.0 {
            let (dx, dy) = (one * count - x, other * count - y);
            let scale = 1.0 / (count * (count - 1.0));
            xx += dx * dx * scale;
            yy += dy * dy * scale;
            xy += dx * dy * scale;
        }
    }
    if count < 1.0 || xx == 0.0 || yy == 0.0 {
        V::Null
    } else {
        V::Real(xy / (xx * yy).sqrt())
    }
}

pub(super) fn covariance(rows: &[Vec<V>], sample: bool) -> V {
    let pairs: Vec<(f64, f64)> = rows
        .iter()
        .filter(|row| !row[1].is_null())
        .map(|row| (row[0].real(), row[1].real()))
        .collect();
    let count = pairs.len() as f64;
    let divisor = if sample { count - 1.0 } else { count };
    if divisor <= 0.0 {
        return V::Null;
    }
    let mean = |pick: fn(&(f64, f64)) -> f64| pairs.iter().map(pick).sum::<f64>() / count;
    let (one, other) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let total: f64 = pairs.iter().map(|(x, y)| (x - one) * (y - other)).sum();
    V::Real(total / divisor)
}
