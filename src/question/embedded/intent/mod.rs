//! What the words of a question ask for, apart from any SQL: cues, values, numbers, and what they link to. Validators
//! hold statements against it.

use std::sync::Arc;

use super::{
    lexicon::{Operator, lexicon},
    question::{Token, TokenKind},
    vocabulary::{Similarities, Vocabulary},
};
use crate::question::schema::{ColumnRef, ValueHit, words};

mod reading;

pub(crate) use reading::intent;

/// What a question asks for. Everything in it is only as sure as its words are.
pub(crate) struct Intent {
    tokens: Vec<Token>,
    like: Similarities,
    vocabulary: Arc<Vocabulary>,
    /// The operators in it, in order, with the token at which each begins.
    operators: Vec<(usize, Operator)>,
    /// Superlatives, in order.
    pub(crate) ranks: Vec<Rank>,
    /// Numbers, digits or words, in order.
    pub(crate) numbers: Vec<Number>,
    /// Stored values and quotations, in order.
    pub(crate) values: Vec<Named>,
    /// Tables that it names, in order.
    pub(crate) tables: Vec<(usize, f32)>,
    /// Columns that it names, in order.
    pub(crate) columns: Vec<Link>,
    /// What the agents take for conditions.
    pub(crate) conditions: Vec<Compared>,
    /// What it seems to ask to see.
    pub(crate) shown: Vec<Shown>,
    /// True if no word of it was left unexplained.
    pub(crate) explained: bool,
    /// True if some word names what the schema does not have under that name.
    pub(crate) strange: bool,
}

/// A phrase that names a column.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) column: ColumnRef,
    /// Others that the words would also fit.
    pub(crate) others: Vec<ColumnRef>,
    /// How sure that is, 0 to 1.
    pub(crate) certainty: f32,
    /// It stands behind `number of` and the like.
    pub(crate) counted: bool,
}

/// A column of a condition, as the agents read it, and what it is compared with.
#[derive(Debug, Clone)]
pub(crate) struct Compared {
    pub(crate) column: ColumnRef,
    /// The text or number, as SQL writes it without quotes.
    pub(crate) value: String,
}

/// A superlative: `the oldest`, `the most orders`.
#[derive(Debug, Clone)]
pub(crate) struct Rank {
    /// As the question has it.
    pub(crate) text: String,
    /// Whether the greatest come first, where the word itself says so.
    pub(crate) descending: Option<bool>,
    /// Words of columns that grow with it, and of those that shrink.
    pub(crate) attribute: Option<usize>,
    /// How many rows, where it is said.
    pub(crate) rows: Option<u64>,
    /// It is about what occurs most or least.
    pub(crate) counts: bool,
}

/// A number of the question.
#[derive(Debug, Clone)]
pub(crate) struct Number {
    /// As SQL writes it.
    pub(crate) value: f64,
    /// As the question has it.
    pub(crate) text: String,
    /// What it is compared by.
    pub(crate) bound: Option<Bound>,
    /// It is written in digits.
    pub(crate) digits: bool,
    /// The table that stands right behind it: `at least two orders`.
    pub(crate) counts: Option<usize>,
    /// It is part of something longer: a stored value, a name, a superlative.
    pub(crate) inside: bool,
}

/// How a number bounds something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    Above,
    AtLeast,
    Below,
    AtMost,
    Between,
    Equal,
}

/// A value that the question names.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    /// As the question has it.
    pub(crate) text: String,
    /// Where it is stored.
    pub(crate) hits: Vec<ValueHit>,
    /// It stands in quotes.
    pub(crate) quoted: bool,
    /// It is written like a name.
    pub(crate) capital: bool,
    /// Words.
    pub(crate) words: usize,
    /// The columns named right beside it.
    pub(crate) beside: Vec<ColumnRef>,
    /// What the agents take it for.
    pub(crate) column: Option<ColumnRef>,
}

/// What a question asks to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    Column(ColumnRef),
    /// Whatever names a row of it.
    Table(usize),
    Everything,
    /// How many rows of a table.
    Count(usize),
    /// `avg`, `sum`, `min`, `max` or `count` of a column.
    Aggregate(&'static str, ColumnRef),
    Other,
}

/// A cue that some words of a question give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cue {
    Count,
    Average,
    Sum,
    Maximum,
    Minimum,
    Group,
    Order,
    Ascending,
    Descending,
    Distinct,
    /// `not`, `except`, `other than`.
    Not,
    /// `without`, `never`, `do not have`.
    Without,
    Both,
    Either,
    Or,
    And,
    ThanAverage,
    Null,
    Everything,
}

impl Intent {
    /// True if some words give a cue.
    pub(crate) fn has(&self, cue: Cue) -> bool {
        let gives = |operator: Operator| match cue {
            Cue::Count => operator == Operator::Count,
            Cue::Average => operator == Operator::Average,
            Cue::Sum => operator == Operator::Sum,
            Cue::Maximum => matches!(operator, Operator::Maximum | Operator::Highest),
            Cue::Minimum => matches!(operator, Operator::Minimum | Operator::Lowest),
            Cue::Group => operator == Operator::Group,
            Cue::Order => operator == Operator::Order,
            Cue::Ascending => matches!(operator, Operator::Ascending | Operator::Alphabetical),
            Cue::Descending => operator == Operator::Descending,
            Cue::Distinct => operator == Operator::Distinct,
            Cue::Not => operator == Operator::Not,
            Cue::Without => operator == Operator::Without,
            Cue::Both => operator == Operator::Both,
            Cue::Either => operator == Operator::Either,
            Cue::Or => operator == Operator::Or,
            Cue::And => operator == Operator::And,
            Cue::ThanAverage => operator == Operator::ThanAverage,
            Cue::Null => operator == Operator::Null,
            Cue::Everything => operator == Operator::Everything,
        };
        self.operators.iter().any(|(_, operator)| gives(*operator))
    }

    /// True if something is denied: `not only … but also` and `no more than` deny nothing.
    pub(crate) fn denies(&self) -> bool {
        const MERE: &[&[&str]] = &[
            &["not", "only"],
            &["not", "just"],
            &["no", "more", "than"],
            &["no", "less", "than"],
            &["no", "fewer", "than"],
            &["no", "later", "than"],
            &["no", "earlier", "than"],
        ];
        // `have not only had`: an operator may begin before its `not`.
        let mere = |at: usize| {
            let starts = at..self.tokens.len().min(at + 3);
            starts.into_iter().any(|at| {
                let said = self.tokens[at..].iter().map(|token| token.word.as_str());
                MERE.iter()
                    .any(|phrase| said.clone().take(phrase.len()).eq(phrase.iter().copied()))
            })
        };
        self.operators
            .iter()
            .any(|(at, operator)| matches!(operator, Operator::Not | Operator::Without) && !mere(*at))
    }

    /// True if one of some words is said, lower case.
    pub(crate) fn says(&self, words: &[&str]) -> bool {
        self.tokens
            .iter()
            .any(|token| words.contains(&token.word.as_str()))
    }

    /// True if some words are said one after the other, lower case.
    pub(crate) fn says_phrase(&self, phrase: &str) -> bool {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        self.tokens.windows(phrase.len()).any(|window| {
            window
                .iter()
                .zip(&phrase)
                .all(|(token, word)| token.word == *word)
        })
    }

    /// How much of a column's name the question's words have, 0 to 1.
    pub(crate) fn names_column(&self, column: ColumnRef) -> f32 {
        self.vocabulary.column_covered(column, &self.tokens, &self.like)
    }

    /// True for the column that an adjective compares, or that a word such as `female` is stored in.
    pub(crate) fn hints_at(&self, column: ColumnRef) -> bool {
        self.tokens.iter().any(|token| {
            let word = token.word.as_str();
            let adjective = lexicon().adjective_form(word).is_some_and(|(index, _)| {
                let adjective = lexicon().adjective(index);
                let fits = |words: &[String]| self.vocabulary.column_has_word(column, words) > 0.0;
                fits(&adjective.rising) || fits(&adjective.falling)
            });
            let coded = [word, word.trim_end_matches('s'), &token.stem];
            let code = coded.iter().find_map(|word| lexicon().code(word));
            adjective || code.is_some_and(|code| self.vocabulary.column_has_word(column, &code.columns) > 0.0)
        })
    }

    /// How much of a table's name the question's words have, 0 to 1.
    pub(crate) fn names_table(&self, table: usize) -> f32 {
        self.vocabulary.table_covered(table, &self.tokens, &self.like)
    }

    /// How much of a table's name the question's words have, words of some other tables left out, 0 to 1.
    pub(crate) fn names_table_apart(&self, table: usize, others: &[usize]) -> f32 {
        self.vocabulary
            .table_covered_apart(table, others, (&self.tokens, &self.like))
    }

    /// Whether the greatest come first where a superlative ranks by a column.
    pub(crate) fn direction(&self, rank: &Rank, column: Option<ColumnRef>) -> Option<bool> {
        if let (Some(index), Some(column)) = (rank.attribute, column) {
            let adjective = lexicon().adjective(index);
            let rising = self.vocabulary.column_has_word(column, &adjective.rising);
            let falling = self.vocabulary.column_has_word(column, &adjective.falling);
            if rising.total_cmp(&falling).is_ne() {
                return Some(rising > falling);
            }
        }
        rank.descending
    }

    /// True if the question has the words of a text, in any inflection: all of them that carry something.
    pub(crate) fn has_words_of(&self, text: &str) -> bool {
        let wanted = words::text_words(text);
        let mut stems = wanted.iter().map(|word| words::stem(word)).peekable();
        stems.peek().is_some()
            && stems.all(|stem| {
                self.tokens.iter().any(|token| {
                    token.stem == stem
                        || words::text_words(&token.text)
                            .iter()
                            .any(|word| words::stem(word) == stem)
                })
            })
    }

    /// True if a word of the question stands for a code such as `F`, or begins as the text does.
    pub(crate) fn may_mean(&self, text: &str) -> bool {
        let text = text.trim_matches('%').to_lowercase();
        let squeezed: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
        let first_letters: String = words::text_words(&text)
            .iter()
            .filter_map(|word| word.chars().next())
            .collect();
        self.tokens.iter().any(|token| {
            // `US` for `USA` and for `United States`.
            let short = token.word.len() > 1 && token.text == token.text.to_uppercase();
            if short && (squeezed.starts_with(&token.word) || first_letters == token.word) {
                return true;
            }
            let coded = [token.word.as_str(), token.word.trim_end_matches('s'), &token.stem];
            let code = coded.iter().find_map(|word| lexicon().code(word));
            code.is_some_and(|code| code.codes.iter().any(|code| code.eq_ignore_ascii_case(&text)))
                || (token.word.len() >= 3
                    && (squeezed.starts_with(&token.stem) || squeezed.contains(token.word.as_str())))
                || (squeezed.len() >= 2 && token.word.starts_with(&squeezed))
                || (squeezed.len() >= 4 && strsim::jaro_winkler(&token.word, &squeezed) > 0.88)
        }) || self.initials().contains(&squeezed)
    }

    /// The first letters of the words, to find `usa` in `united states of america`.
    fn initials(&self) -> String {
        self.tokens
            .iter()
            .filter_map(|token| token.word.chars().next())
            .collect()
    }

    /// The words, lower case.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().map(|token| token.word.as_str())
    }

    /// The dates that it names, `YYYY-MM-DD` or `YYYY-MM`.
    pub(crate) fn dates(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter_map(|token| match &token.kind {
            TokenKind::Date(date) | TokenKind::Month(date) => Some(date.as_str()),
            _ => None,
        })
    }
}
