//! Sorting of what a statement has gathered, which ends where the statement is to stop.

use std::{cmp::Ordering, mem};

use super::{Failure, allowance};

/// How many are sorted between two looks at the clock.
const RUN: usize = 1 << 5;

/// Sorts a list; equal ones stay in their order.
pub(super) fn sort<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) -> Result<(), Failure> {
    allowance::memory_of(list.len().saturating_mul(2 * size_of::<usize>()))?;
    let mut places: Vec<usize> = (0..list.len()).collect();
    for run in places.chunks_mut(RUN) {
        allowance::now()?;
        run.sort_by(|one, other| compare(&list[*one], &list[*other]));
    }
    let mut merged = Vec::with_capacity(places.len());
    let mut length = RUN;
    while length < places.len() {
        for pair in places.chunks(2 * length) {
            let (one, other) = pair.split_at(length.min(pair.len()));
            let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
            while let Some(next) = match (one.peek(), other.peek()) {
                (Some(first), Some(second)) if compare(&list[**first], &list[**second]).is_gt() => {
                    other.next()
                }
                (Some(_), _) => one.next(),
                (None, _) => other.next(),
            } {
                allowance::turn()?;
                merged.push(*next);
            }
        }
        mem::swap(&mut places, &mut merged);
        merged.clear();
        length *= 2;
    }
    drop(merged);
    put(list, &mut places);
    Ok(())
}

/// Puts at each place what is at the place that is written there.
fn put<T>(list: &mut [T], places: &mut [usize]) {
    for start in 0..places.len() {
        let mut at = start;
        while places[at] != start {
            let from = places[at];
            list.swap(at, from);
            places[at] = at;
            at = from;
        }
        places[at] = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_equal_ones_stay_in_order() {
        for count in [0_u64, 1, 2, 255, 256, 257, 512, 513, 5000] {
            let mixed = |at: u64| at.wrapping_mul(2_654_435_761) % 97;
            let mut list: Vec<(u64, u64)> = (0..count).map(|at| (mixed(at), at)).collect();
            let mut expected = list.clone();
            expected.sort_unstable();
            sort(&mut list, |one, other| one.0.cmp(&other.0)).unwrap();
            assert_eq!(list, expected, "{count}");
        }
    }
}
