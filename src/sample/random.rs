//! Random numbers that are the same on every machine: `SplitMix64` (Steele, Lea and Flood, 2014).

use super::calendar::Day;

/// A stream of numbers fixed by its seed, and the day up to which things happen.
pub(super) struct Random {
    state: u64,
    /// The last day.
    pub(super) today: Day,
}

impl Random {
    pub(super) fn new(seed: u64, today: Day) -> Self {
        let mut random = Self { state: seed, today };
        random.next(); // small seeds differ in few bits: mix once before use
        random
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From `low` to `high`, both included. The bias of the multiplication is below 2⁻³² here.
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = (high - low + 1) as u128;
        low + ((u128::from(self.next()) * span) >> 64) as i64
    }

    /// True `percent` times in a hundred.
    pub(super) fn chance(&mut self, percent: i64) -> bool {
        self.between(1, 100) <= percent
    }

    /// One of the items, each as likely.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.index(items.len())]
    }

    /// A position in a list of this length.
    pub(super) fn index(&mut self, length: usize) -> usize {
        self.between(0, length as i64 - 1) as usize
    }

    /// A position in a list of weights, as likely as its weight.
    pub(super) fn weighted(&mut self, weights: &Weights) -> usize {
        let total = *weights
            .0
            .last()
            .expect("there is always something to choose from");
        let at = self.between(0, total - 1);
        weights.0.partition_point(|&sum| sum <= at)
    }
}

/// Running sums of weights, to choose by bisection.
pub(super) struct Weights(Vec<i64>);

impl FromIterator<i64> for Weights {
    fn from_iter<I: IntoIterator<Item = i64>>(weights: I) -> Self {
        Self(
            weights
                .into_iter()
                .scan(0, |sum, weight| {
                    *sum += weight;
                    Some(*sum)
                })
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_within_bounds_and_reach_them() {
        let mut random = Random::new(42, Day::new(2025, 12, 31));
        let drawn: std::collections::BTreeSet<i64> = (0..1000).map(|_| random.between(-2, 3)).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [-2, -1, 0, 1, 2, 3]);
    }

    #[test]
    fn weights_of_zero_are_never_chosen() {
        let weights: Weights = [0, 3, 0, 1].into_iter().collect();
        let mut random = Random::new(7, Day::new(2025, 12, 31));
        let mut counts = [0; 4];
        (0..4000).for_each(|_| counts[random.weighted(&weights)] += 1);
        assert_eq!((counts[0], counts[2]), (0, 0));
        assert!(counts[1] > 2 * counts[3]);
    }
}
