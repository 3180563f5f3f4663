//! How sure an answer is when several were proposed: those that give the same rows speak for each other.
//!
//! A proposal is right with some probability on its own (its accuracy); if it is wrong, it is one of several wrong
//! results. Which result is right then follows from Bayes' rule, and its probability is the confidence.

/// How many different wrong results a question has, as far as two proposals can meet in one by chance. Measured on
/// pairs of wrong answers.
const WRONG_RESULTS: f64 = 4.0;
/// What a further proposal of the same author weighs: it makes the same mistakes again.
pub(super) const SAME_AUTHOR: f64 = 0.5;
/// An accuracy is never quite 0 or 1.
const SURE: f64 = 0.98;

/// One proposal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ballot<'a> {
    /// Who made it.
    pub(super) author: &'a str,
    /// How likely it is right on its own, 0 to 1.
    pub(super) accuracy: f64,
    /// What it counts for: a whole vote is 1.
    pub(super) weight: f64,
    /// What is left of that where its author has made another one before.
    pub(super) again: f64,
    /// Which result it gives; proposals with the same rows have the same number.
    pub(super) cluster: usize,
}

/// The probability that each cluster's result is the right one, by cluster.
pub(super) fn shares(ballots: &[Ballot<'_>]) -> Vec<f64> {
    let clusters = ballots.iter().map(|ballot| ballot.cluster + 1).max().unwrap_or(0);
    let mut likelihoods = vec![0.0; clusters];
    // The last one is for a result that nobody proposed.
    let mut none = (WRONG_RESULTS - clusters as f64).max(1.0).ln();
    for (at, ballot) in ballots.iter().enumerate() {
        let again = ballots[..at].iter().any(|before| before.author == ballot.author);
        let weight = ballot.weight * if again { ballot.again } else { 1.0 };
        let accuracy = ballot.accuracy.clamp(1.0 - SURE, SURE);
        let wrong = weight * ((1.0 - accuracy) / WRONG_RESULTS).ln();
        for (cluster, likelihood) in likelihoods.iter_mut().enumerate() {
            *likelihood += if cluster == ballot.cluster {
                weight * accuracy.ln()
            } else {
                wrong
            };
        }
        none += wrong;
    }
    let most = likelihoods.iter().copied().fold(none, f64::max);
    let weights: Vec<f64> = likelihoods
        .iter()
        .map(|likelihood| (likelihood - most).exp())
        .collect();
    let total: f64 = weights.iter().sum::<f64>() + (none - most).exp();
    weights.into_iter().map(|weight| weight / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ballots: &[(&str, f64, usize)], expected: &[(f64, f64)]) {
        let ballots: Vec<_> = ballots
            .iter()
            .map(|&(author, accuracy, cluster)| Ballot {
                author,
                accuracy,
                weight: 1.0,
                again: SAME_AUTHOR,
                cluster,
            })
            .collect();
        let shares = shares(&ballots);
        assert_eq!(shares.len(), expected.len());
        for (share, (least, most)) in shares.iter().zip(expected) {
            assert!((least..=most).contains(&share), "{shares:?} {expected:?}");
        }
    }

    #[test]
    fn agreement_counts_and_the_better_one_wins() {
        check(&[], &[]);
        // Alone, a proposal is as likely as it is.
        check(&[("a", 0.7, 0)], &[(0.65, 0.76)]);
        check(&[("a", 0.7, 0), ("b", 0.6, 0)], &[(0.9, 0.99)]);
        check(&[("a", 0.8, 0), ("b", 0.6, 1)], &[(0.55, 0.75), (0.2, 0.35)]);
        // Two against one.
        check(
            &[("a", 0.8, 0), ("b", 0.6, 1), ("c", 0.7, 1)],
            &[(0.1, 0.4), (0.5, 0.85)],
        );
        // To say it twice is less than two who say it.
        check(&[("a", 0.6, 0), ("a", 0.6, 0)], &[(0.7, 0.9)]);
    }
}
