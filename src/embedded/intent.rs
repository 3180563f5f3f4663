//! What the words of a question ask for, apart from any SQL: cues, values, numbers, and what they link to. Validators
//! hold statements against it.

use std::sync::Arc;

use time::Date;

use super::{
    Linked,
    clauses::{self, Target},
    lexicon::{Degree, Operator, lexicon},
    link,
    logical::Function,
    question::{Token, TokenKind},
    resolve::Kind,
    vocabulary::{Similarities, Vocabulary},
};
use crate::schema::{ColumnRef, Snapshot, ValueHit, words};

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
    Count,
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

/// Reads a question; `None` where it cannot be linked to the schema at all.
pub(crate) fn intent(question: &str, snapshot: &Snapshot, today: Date) -> Option<Intent> {
    if question.trim().is_empty() {
        return None;
    }
    let linked = link(question, today, snapshot).ok()?;
    let clauses = clauses::read(&linked.items, &linked.tokens, &linked.vocabulary, snapshot);
    let like = linked.vocabulary.similarities(&linked.tokens);
    let operators = operators(&linked);
    let mut intent = Intent {
        like,
        vocabulary: Arc::clone(&linked.vocabulary),
        operators,
        ranks: ranks(&linked),
        numbers: numbers(&linked),
        values: values(&linked, &clauses),
        tables: Vec::new(),
        columns: Vec::new(),
        conditions: clauses.conditions.iter().filter_map(compared).collect(),
        shown: clauses.select.iter().map(|target| shown(*target)).collect(),
        explained: clauses.unexplained.is_empty(),
        strange: linked.items.iter().any(|item| is_strange(item, &linked.tokens)),
        tokens: Vec::new(),
    };
    for (at, item) in linked.items.iter().enumerate() {
        match &item.kind {
            Kind::Table(table) => intent.tables.push((*table, item.certainty)),
            Kind::Column(column, others) => intent.columns.push(Link {
                column: *column,
                others: others.clone(),
                certainty: item.certainty,
                counted: is_counted(&linked, at),
            }),
            _ => {}
        }
    }
    intent.tokens = linked.tokens;
    Some(intent)
}

fn operators(linked: &Linked) -> Vec<(usize, Operator)> {
    let operator = |item: &super::resolve::Item| match item.kind {
        Kind::Operator(operator) => Some((item.span.start, operator)),
        _ => None,
    };
    linked.items.iter().filter_map(operator).collect()
}

/// A word that nothing explains, but for participles: `located` and the like say what the keys say already.
fn is_strange(item: &super::resolve::Item, tokens: &[Token]) -> bool {
    let verb = |word: &str| {
        let regular = word.len() > 4 && (word.ends_with("ed") || word.ends_with("ing"));
        regular || lexicon().is_irregular_participle(word)
    };
    matches!(item.kind, Kind::Unknown) && !tokens[item.span.clone()].iter().all(|token| verb(&token.word))
}

/// True behind `number of`, `how many different` and the like.
fn is_counted(linked: &Linked, at: usize) -> bool {
    let operators = linked.items[..at].iter().rev().map_while(|item| match item.kind {
        Kind::Operator(operator) => Some(operator),
        _ => None,
    });
    operators.take(3).any(|operator| {
        matches!(
            operator,
            Operator::Count
                | Operator::MostCommon
                | Operator::LeastCommon
                | Operator::Highest
                | Operator::Lowest
        )
    })
}

fn compared(condition: &clauses::Condition) -> Option<Compared> {
    use super::logical::Operand;
    let (Target::Column(column), clauses::Right::Operand(operand)) = (condition.left, &condition.right)
    else {
        return None;
    };
    match operand {
        Operand::Text(value) | Operand::Number(value) => Some(Compared {
            column,
            value: value.clone(),
        }),
        _ => None,
    }
}

fn text(linked: &Linked, at: usize) -> String {
    let tokens = &linked.tokens[linked.items[at].span.clone()];
    let text: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
    text.join(" ").replace(" 's", "'s")
}

fn ranks(linked: &Linked) -> Vec<Rank> {
    let mut ranks = Vec::new();
    for (at, item) in linked.items.iter().enumerate() {
        let (descending, attribute) = match item.kind {
            Kind::Adjective {
                index,
                degree: Degree::Superlative,
            } => {
                let generic = match text(linked, at).to_lowercase().as_str() {
                    "highest" | "largest" | "biggest" | "greatest" => Some(true),
                    "smallest" => Some(false),
                    _ => None,
                };
                (generic, Some(index))
            }
            Kind::Operator(Operator::Highest) => (Some(true), None),
            Kind::Operator(Operator::Lowest) => (Some(false), None),
            Kind::Operator(Operator::MostCommon) => (Some(true), None),
            Kind::Operator(Operator::LeastCommon) => (Some(false), None),
            _ => continue,
        };
        let number = |at: usize| match linked.items.get(at).map(|item| &item.kind) {
            Some(Kind::Number(number)) => number.parse::<u64>().ok().filter(|rows| *rows <= 1000),
            _ => None,
        };
        let before = at.checked_sub(1);
        let rows = number(at + 1).or_else(|| {
            let ordinal = before.is_some_and(|before| {
                let token = &linked.tokens[linked.items[before].span.start];
                matches!(token.kind, TokenKind::Ordinal(_))
            });
            before.and_then(number).filter(|_| !ordinal)
        });
        ranks.push(Rank {
            text: text(linked, at),
            descending,
            attribute,
            rows,
        });
    }
    ranks
}

fn numbers(linked: &Linked) -> Vec<Number> {
    let mut numbers = Vec::new();
    for (at, item) in linked.items.iter().enumerate() {
        let own = matches!(item.kind, Kind::Number(_) | Kind::Date(_));
        for position in item.span.clone() {
            let token = &linked.tokens[position];
            let (value, digits) = match &token.kind {
                TokenKind::Number(number) => (number.parse().ok(), true),
                TokenKind::Word(Some(number)) => (Some(*number as f64), false),
                TokenKind::Ordinal(number) => (Some(*number as f64), true),
                _ => (None, false),
            };
            let value = match (value, token.word.as_str()) {
                (None, "once") => Some(1.0),
                (None, "twice") => Some(2.0),
                (value, _) => value,
            };
            let Some(value) = value else { continue };
            numbers.push(Number {
                value,
                text: token.text.clone(),
                bound: bound(linked, at).filter(|_| own),
                digits,
                inside: !own,
            });
        }
    }
    numbers
}

/// How the number at an item is compared.
fn bound(linked: &Linked, at: usize) -> Option<Bound> {
    let operator = |at: Option<usize>| match linked.items.get(at?)?.kind {
        Kind::Operator(operator) => Some(operator),
        _ => None,
    };
    match operator(Some(at + 1)) {
        Some(Operator::OrMore) => return Some(Bound::AtLeast),
        Some(Operator::OrLess) => return Some(Bound::AtMost),
        _ => {}
    }
    let back = |steps: usize| at.checked_sub(steps);
    Some(match operator(back(1))? {
        Operator::Greater | Operator::After => Bound::Above,
        Operator::AtLeast | Operator::Since => Bound::AtLeast,
        Operator::Less | Operator::Before => Bound::Below,
        Operator::AtMost | Operator::Until => Bound::AtMost,
        Operator::Between => Bound::Between,
        Operator::Equal => Bound::Equal,
        Operator::And if operator(back(3)) == Some(Operator::Between) => Bound::Between,
        _ => return None,
    })
}

fn values(linked: &Linked, clauses: &clauses::Clauses) -> Vec<Named> {
    let mut values = Vec::new();
    for (at, item) in linked.items.iter().enumerate() {
        let Kind::Value { hits, quoted, .. } = &item.kind else {
            continue;
        };
        let tokens = &linked.tokens[item.span.clone()];
        let condition = clauses
            .conditions
            .iter()
            .find(|condition| condition.position == at);
        values.push(Named {
            text: text(linked, at),
            hits: hits.clone(),
            quoted: *quoted,
            capital: item.span.start > 0 && tokens.iter().any(|token| token.capital),
            words: tokens.len(),
            column: condition.and_then(|condition| match condition.left {
                Target::Column(column) => Some(column),
                _ => None,
            }),
        });
    }
    values
}

fn shown(target: Target) -> Shown {
    match target {
        Target::Column(column) => Shown::Column(column),
        Target::Table(table) => Shown::Table(table),
        Target::Everything(_) => Shown::Everything,
        Target::CountRows(_) => Shown::Count,
        Target::Aggregate { function, column, .. } => Shown::Aggregate(
            match function {
                Function::Count => "count",
                Function::Average => "avg",
                Function::Sum => "sum",
                Function::Maximum => "max",
                Function::Minimum => "min",
            },
            column,
        ),
        Target::Part(..) | Target::First => Shown::Other,
    }
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
            if rising != falling {
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
        self.tokens.iter().any(|token| {
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
