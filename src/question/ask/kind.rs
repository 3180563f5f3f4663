//! What sort of question it is, as coarsely as skill is told apart by: authors that count well may be bad at shares.

/// A sort of question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QuestionKind {
    /// A part of a whole, a rate.
    Ratio,
    /// What is not there, or in one set and not in another.
    Absence,
    /// The first by some measure.
    Ranked,
    /// A number, or one for each of something.
    Aggregate,
    /// Anything else: rows as they are.
    Lookup,
}

/// The words that tell, by kind; the first kind with one of them counts. Parts of the question in lower case, with a blank before
/// and behind.
const CUES: [(QuestionKind, &[&str]); 4] = [
    (
        QuestionKind::Ratio,
        &[
            " percent",
            " share ",
            " ratio ",
            " rate ",
            " proportion ",
            " fraction ",
        ],
    ),
    (
        QuestionKind::Absence,
        &[
            " never ",
            " without ",
            " not ",
            " no ",
            " neither ",
            " except ",
            " but not ",
            "n't ",
        ],
    ),
    (
        QuestionKind::Ranked,
        &[
            " most ",
            " least ",
            " top ",
            " highest ",
            " lowest ",
            " largest ",
            " smallest ",
            " biggest ",
            " best ",
            " worst ",
            " oldest ",
            " youngest ",
            " longest ",
            " shortest ",
            " fewest ",
            " rank",
        ],
    ),
    (
        QuestionKind::Aggregate,
        &[
            " how many ",
            " how much ",
            " number of ",
            " count ",
            " total ",
            " sum ",
            " average ",
            " mean ",
            " median ",
            " per ",
            " maximum ",
            " minimum ",
        ],
    ),
];

impl QuestionKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Ratio,
        Self::Absence,
        Self::Ranked,
        Self::Aggregate,
        Self::Lookup,
    ];

    /// The kind of a question.
    pub fn of(question: &str) -> Self {
        let spoken = |letter: char| letter.is_alphanumeric() || matches!(letter, '\'' | '%');
        let words: Vec<String> = question
            .to_lowercase()
            .replace('\u{2019}', "'")
            .replace('%', " percent ")
            .split(|letter: char| !spoken(letter))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let text = format!(" {} ", words.join(" "));
        let kind = CUES
            .iter()
            .find(|(_, cues)| cues.iter().any(|cue| text.contains(cue)));
        kind.map_or(Self::Lookup, |(kind, _)| *kind)
    }

    /// Its name where it is kept.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ratio => "ratio",
            Self::Absence => "absence",
            Self::Ranked => "ranked",
            Self::Aggregate => "aggregate",
            Self::Lookup => "lookup",
        }
    }

    /// By its name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_tell_the_kind() {
        for (question, expected) in [
            ("What % of orders was returned?", QuestionKind::Ratio),
            ("Share of each region in revenue", QuestionKind::Ratio),
            ("Customers who never ordered", QuestionKind::Absence),
            ("Which products don\u{2019}t sell?", QuestionKind::Absence),
            ("The top 5 customers by total revenue", QuestionKind::Ranked),
            ("How many owls are there?", QuestionKind::Aggregate),
            ("Average weight per kind", QuestionKind::Aggregate),
            ("List the names of all singers.", QuestionKind::Lookup),
            ("", QuestionKind::Lookup),
        ] {
            assert_eq!(QuestionKind::of(question), expected, "{question}");
            assert_eq!(QuestionKind::named(expected.name()), Some(expected));
        }
    }
}
