//! How likely the SQL of the two ways of reading is right: told by how far a reading leads among all, by its signs, by how sure
//! the clauses are, by whether both come to the same rows and by what these look like. Learned from questions with known answers
//! over databases that the weights had not seen (`scripts/learn-readings`).

use std::sync::LazyLock;

use super::reading::{Reading, Said, leaves_out, of_signs, passes_over, understands_all};

/// What is known of SQL when it has been tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was not tried.
    Untried,
    /// No row.
    None,
    /// Rows of nothing but NULL.
    Blank,
    /// One row.
    One,
    /// Several rows, or many.
    Several,
}

/// Both ways of reading a question, as far as there are any.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Evidence<'a> {
    /// The first of all readings.
    pub(crate) reading: Option<(&'a Reading, Outcome)>,
    /// How sure the clauses are, 0 to 1.
    pub(crate) clauses: Option<(f64, Outcome)>,
    /// Both give the same rows.
    pub(crate) agree: bool,
    /// There is little in the question that both could overlook alike: [`is_plain`].
    pub(crate) plain: bool,
}

/// What speaks for either way: `likelihood.txt` has how much each counts for both.
const FEATURES: [&str; 20] = [
    "bias",
    "lead",
    "reading",
    "clauses",
    "sure",
    "very sure",
    "certain",
    "agree",
    "agree and sure",
    "reading none",
    "reading blank",
    "reading one",
    "clauses none",
    "clauses blank",
    "clauses one",
    "fit",
    "exact",
    "score",
    "ahead",
    "ways",
];
/// From where on clauses are very sure.
const VERY_SURE: f64 = 0.8;
/// From where on they are certain.
const CERTAIN: f64 = 0.99;
/// How likely a reading is at most that leaves out what the question asks for.
const LEAVES_OUT: f64 = 0.15;

/// How likely clauses are at most that say the same as such a reading: they leave the same out, unless it adds nothing.
const SAME_LEFT_OUT: f64 = 0.5;

/// How much it speaks against a reading that it passes over something that may add nothing, in logarithms of odds: a reading that
/// all else speaks for is right nine times of ten still.
const PASSED_OVER: f64 = 0.8;

/// How sure clauses are at least that say the same as a reading of a plain question, and how often that is right: on questions
/// over databases left out of learning 166 of 170 academic ones and 13 of 13 of business.
const PLAINLY: (f64, f64) = (0.9, 0.976);

/// How much it speaks for a reading of all of a question that what it measures is defined by people under that name, in logarithms
/// of odds: the weights are learned over databases of which nobody has defined anything.
const DEFINED: f64 = 1.5;

/// How much it speaks for the best of each group, in logarithms of odds: few questions that the weights are learned from ask for it,
/// and it is right more often than they tell.
const BEST_OF_EACH: f64 = 0.6;

/// What the likelihood of one way of reading hangs on.
struct Learned {
    features: [f64; FEATURES.len()],
    signs: Vec<f32>,
}

impl Learned {
    fn of(way: &str) -> Self {
        let lines = include_str!("likelihood.txt").lines();
        let own: String = lines
            .filter_map(|line| line.strip_prefix(way)?.strip_prefix(": "))
            .flat_map(|line| [line, "\n"])
            .collect();
        let weight = |wanted: &str| {
            let mut named = own.lines().filter_map(|line| line.rsplit_once(' '));
            let value = named.find(|(name, _)| *name == wanted);
            value.and_then(|(_, value)| value.parse().ok())
        };
        Self {
            features: FEATURES.map(|name| weight(name).unwrap_or_default()),
            signs: of_signs(&own),
        }
    }
}

static READING: LazyLock<Learned> = LazyLock::new(|| Learned::of("reading"));
static CLAUSES: LazyLock<Learned> = LazyLock::new(|| Learned::of("clauses"));

impl Evidence<'_> {
    /// The probability that the first reading is right, 0 to 1.
    pub(crate) fn of_reading(&self) -> f64 {
        let Some((reading, _)) = self.reading else {
            return 0.0;
        };
        let besides = if understands_all(&reading.signs) {
            DEFINED * reading.defined
        } else {
            0.0
        };
        let best_of_each = if reading.is_best_of_each() {
            BEST_OF_EACH
        } else {
            0.0
        };
        let besides = besides + best_of_each;
        let passed_over = if passes_over(&reading.signs) {
            PASSED_OVER
        } else {
            0.0
        };
        let likely = self.by(&READING, besides - passed_over);
        let likely = likely.max(self.plainly());
        if leaves_out(&reading.signs) {
            likely.min(LEAVES_OUT)
        } else {
            likely
        }
    }

    /// The probability that the clauses are right, 0 to 1.
    pub(crate) fn of_clauses(&self) -> f64 {
        match self.clauses {
            // What is bound later can be read by clauses alone, and cannot be tried: nothing learned tells of it.
            Some((sure, Outcome::Untried)) if self.reading.is_none() => sure,
            Some(_) => {
                let likely = self.by(&CLAUSES, 0.0).max(self.plainly());
                let same = self.agree
                    && self
                        .reading
                        .is_some_and(|(reading, _)| leaves_out(&reading.signs));
                if same { likely.min(SAME_LEFT_OUT) } else { likely }
            }
            None => 0.0,
        }
    }

    /// How likely it is right at least, where both say the same of a plain question.
    fn plainly(&self) -> f64 {
        let (least, often) = PLAINLY;
        let sure = self.clauses.is_some_and(|(sure, _)| sure >= least);
        let whole = self
            .reading
            .is_some_and(|(reading, _)| understands_all(&reading.signs));
        if self.agree && self.plain && sure && whole {
            often
        } else {
            0.0
        }
    }

    /// The probability by what was learned, with what speaks for it besides.
    fn by(&self, learned: &Learned, besides: f64) -> f64 {
        let weighed = self.features().into_iter().zip(learned.features);
        let features: f64 = weighed.map(|(much, weight)| much * weight).sum();
        let signs = self.reading.map_or(&[][..], |(reading, _)| &reading.signs);
        let signs: f32 = signs
            .iter()
            .map(|(place, much)| learned.signs[usize::from(*place)] * much)
            .sum();
        1.0 / (1.0 + (-features - f64::from(signs) - besides).exp())
    }

    /// How much there is of each of [`FEATURES`].
    fn features(&self) -> [f64; FEATURES.len()] {
        let truth = |holds: bool| f64::from(u8::from(holds));
        let outcome = |tried: Option<Outcome>| {
            [Outcome::None, Outcome::Blank, Outcome::One].map(|one| truth(tried == Some(one)))
        };
        let sure = self.clauses.map_or(0.0, |(sure, _)| sure);
        let mut features = [0.0; FEATURES.len()];
        features[..9].copy_from_slice(&[
            1.0,
            self.reading.map_or(0.0, |(reading, _)| reading.lead),
            truth(self.reading.is_some()),
            truth(self.clauses.is_some()),
            sure,
            (sure - VERY_SURE).max(0.0),
            truth(sure >= CERTAIN),
            truth(self.agree),
            truth(self.agree) * sure,
        ]);
        features[9..12].copy_from_slice(&outcome(self.reading.map(|(_, outcome)| outcome)));
        features[12..15].copy_from_slice(&outcome(self.clauses.map(|(_, outcome)| outcome)));
        if let Some((reading, _)) = self.reading {
            features[15..].copy_from_slice(&[
                reading.said(Said::Fit),
                reading.said(Said::Exact),
                f64::from(reading.score),
                reading.ahead,
                (reading.ways as f64).ln_1p(),
            ]);
        }
        features
    }
}

/// True for a question without words that turn or join conditions, answered without a rank: what both ways of reading overlook
/// alike is nearly always one of these.
pub(crate) fn is_plain(question: &str, sql: &str) -> bool {
    const TURNING: &[&str] = &[
        "not", "no", "never", "without", "neither", "nor", "except", "only", "or", "either", "and", "both",
    ];
    let turns = |word: &str| {
        let word = word.to_lowercase();
        TURNING.contains(&word.as_str()) || word.ends_with("n't") || word.ends_with("n\u{2019}t")
    };
    let mut words =
        question.split(|sign: char| !(sign.is_alphanumeric() || matches!(sign, '\'' | '\u{2019}')));
    !words.any(turns) && !sql.contains("LIMIT")
}
