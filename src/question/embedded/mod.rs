//! The agents as deterministic code: linking, clause detection, planning, rendering. Each stage takes what the one before
//! gave and can say in words what it found.

use std::sync::Arc;

use jiff::civil::Date;

use crate::question::{lexicon::derived, schema::Snapshot};

mod behind;
mod claims;
mod clauses;
mod confidence;
mod describe;
mod framing;
pub(crate) mod intent;
mod lacking;
mod left_open;
mod lexicon;
mod likelihood;
mod likeness;
mod linking;
mod logical;
mod ordering;
mod phrases;
mod planning;
mod question;
mod reading;
mod render;
mod resolve;
mod said_twice;
mod shorthand;
mod spelling;
mod splitter;
mod states;
mod suggestion;
mod taken;
mod unknown;
mod value_words;
mod vocabulary;
mod writes;

pub(crate) use claims::{Claim, are_explained, claims};
pub(crate) use lacking::lacking;
pub(crate) use likelihood::{Evidence, Outcome, is_plain};
pub(crate) use likeness::Wording;
pub(crate) use phrases::{Phrase, Reading};
pub(crate) use planning::display_columns;
pub(crate) use reading::{
    Day, Reading as AnalyticReading, associated_words, is_month, read, readings, sign_names,
};
pub(crate) use render::Pieces;
pub(crate) use splitter::Splitter;
pub(crate) use suggestion::{Suggestion, suggestion};
pub(crate) use unknown::unknown_name;
pub(crate) use vocabulary::{column_weight, table_weight};

/// Characters of a question at most; nobody asks more in one breath, and every stage's work grows with it.
pub const LONGEST_QUESTION: usize = 2_000;

/// Why there is no answer to what names a property that nothing keeps.
pub(crate) const NO_COUNTERPART: &str = "a property that it names has no counterpart";

/// Why there is no answer to what may name stored values that rules keep back.
const VALUES_KEPT_BACK: &str = "it may be a stored value, and rules for rows keep these from being known";

/// A question whose phrases are linked to the schema: the first agent's result.
pub struct Linked {
    tokens: Vec<question::Token>,
    items: Vec<resolve::Item>,
    /// Tokens that begin a sentence behind another.
    after_stop: Vec<usize>,
    vocabulary: Arc<vocabulary::Vocabulary>,
}

/// The clauses that a question poses: the second agent's result.
pub struct Subproblems {
    clauses: clauses::Clauses,
    unexplained: Vec<String>,
    confidence: f64,
}

/// A query over joined tables: the third agent's result.
pub struct QueryPlan {
    query: logical::Query,
    assumptions: Vec<String>,
    confidence: f64,
}

/// Why the embedded agents have no SQL.
#[derive(Debug, Clone)]
pub struct NotUnderstood {
    /// The words that nothing explains, as the question has them.
    pub words: Vec<String>,
    /// What stood in the way.
    pub reason: String,
}

/// What SQL leaves out of a question, or takes a guess at, and why that is no answer.
pub(crate) fn left_out(
    question: &str,
    sql: &str,
    snapshot: &Snapshot,
    today: Date,
) -> Option<(String, &'static str)> {
    let (schema, lower) = (&snapshot.schema, sql.to_lowercase());
    let not_supported = || {
        let words = lacking::lacking(question, sql);
        words
            .or_else(|| lacking::flag_of_named(question, &lower, schema))
            .or_else(|| lacking::availability(question, &lower, schema))
            .or_else(|| lacking::state_of_rows(question, &lower, snapshot))
            .or_else(|| lacking::made_ahead(&lower, today))
            .or_else(|| lacking::noun_of_table(question, &lower, schema))
            .or_else(|| lacking::deed_in_time(question, &lower, schema))
            .or_else(|| lacking::row_of_table(question, &lower, schema))
            .or_else(|| lacking::second_of_two(question, &lower, schema))
            .or_else(|| lacking::whose_names(question, &lower, schema))
            .or_else(|| left_open::values::left_out(question, &lower, snapshot))
            .or_else(|| left_open::values::told_elsewhere(question, &lower, snapshot))
            .or_else(|| left_open::references::other_reference(question, &lower, schema))
            .or_else(|| left_open::references::own_reference(question, &lower, schema))
            .or_else(|| left_open::references::counted_reference(question, &lower, schema))
    };
    let left_open = || {
        let column = left_open::values::which_column(question, &lower, snapshot);
        column.or_else(|| left_open::references::which_reference(question, &lower, schema))
    };
    not_supported()
        .map(|words| (words, "it asks for something that is not supported yet"))
        .or_else(|| left_open().map(|words| (words, "it does not say which of the two is meant")))
}

/// True for a word that carries no content.
pub(crate) fn is_filler(word: &str) -> bool {
    lexicon::lexicon().is_filler(word)
}

/// True for a word that names nothing by itself: it carries no content, or shapes the query.
pub(crate) fn is_common(word: &str) -> bool {
    let lexicon = lexicon::lexicon();
    lexicon.is_filler(word) || lexicon.operator(word).is_some()
}

/// True where a text has a word that this one comes of, letters enough to tell: `French` stands for what is of France.
pub(crate) fn comes_of(word: &str, text: &str, letters: usize) -> bool {
    derived(word).any(|other| other.len() >= letters && text.contains(other))
}

/// Schema linking: which phrases name tables, columns, stored values and operators.
/// `today` is what `last year` is counted from.
pub fn link(question: &str, today: Date, snapshot: &Snapshot) -> Result<Linked, NotUnderstood> {
    if question.chars().count() > LONGEST_QUESTION {
        let reason = format!("the question is longer than {LONGEST_QUESTION} characters");
        return Err(NotUnderstood {
            words: Vec::new(),
            reason,
        });
    }
    if let Some(verb) = writes::command(question, today, &snapshot.schema) {
        let reason = "a question can only read".to_owned();
        return Err(NotUnderstood {
            words: vec![verb],
            reason,
        });
    }
    let question = framing::core(question);
    let tokens = spelling::corrected(question::tokens(question, today), snapshot);
    if let Some((word, reason)) = left_open::left_open(&tokens, &snapshot.schema) {
        return Err(NotUnderstood {
            words: vec![word],
            reason,
        });
    }
    let vocabulary = vocabulary::of(&snapshot.schema);
    let mentions = linking::link(&tokens, &vocabulary, snapshot);
    let items = resolve::resolve(&mentions, &tokens, snapshot);
    let after_stop = question::sentence_starts(question, &tokens);
    Ok(Linked {
        tokens,
        items,
        after_stop,
        vocabulary,
    })
}

/// Clause detection: what is asked for, under which conditions, how grouped and ordered.
pub fn subproblems(linked: &Linked, snapshot: &Snapshot) -> Result<Subproblems, NotUnderstood> {
    let clauses = clauses::read(&linked.items, &linked.tokens, &linked.vocabulary, snapshot);
    let mut unexplained: Vec<String> = Vec::new();
    for &at in &clauses.unexplained {
        let word = &linked.tokens[at].text;
        if !unexplained.contains(word) {
            unexplained.push(word.clone());
        }
    }
    // What things must be is no word to pass over.
    if let Some(at) = states::unmet(&clauses, linked) {
        let unmet = &linked.tokens[at].text;
        unexplained.retain(|word| word != unmet);
        unexplained.insert(0, unmet.clone());
        return Err(NotUnderstood {
            words: unexplained,
            reason: NO_COUNTERPART.to_owned(),
        });
    }
    // Where no stored value is known, any word may be one.
    let kept_back = |table: &usize| snapshot.schema.tables[*table].keeps_values_back();
    if !unexplained.is_empty() && clauses.tables.iter().chain(&clauses.subject).any(kept_back) {
        return Err(NotUnderstood {
            words: unexplained,
            reason: VALUES_KEPT_BACK.to_owned(),
        });
    }
    match confidence::of_reading(&clauses, linked, snapshot) {
        Ok(confidence) => Ok(Subproblems {
            clauses,
            unexplained,
            confidence,
        }),
        Err(reason) => Err(NotUnderstood {
            words: unexplained,
            reason,
        }),
    }
}

/// The query plan: which tables join, what is selected, filtered, grouped and ordered.
pub fn plan(subproblems: &Subproblems, snapshot: &Snapshot) -> Result<QueryPlan, NotUnderstood> {
    let not_understood = |reason: String| NotUnderstood {
        words: subproblems.unexplained.clone(),
        reason,
    };
    let plan =
        planning::plan(&subproblems.clauses, snapshot).map_err(|error| not_understood(error.to_string()))?;
    let confidence = subproblems.confidence * confidence::of_plan(&plan, snapshot);
    if confidence < confidence::ENOUGH {
        let reason = match plan.guesses.first() {
            Some(guess) => format!("the best reading is only a guess ({guess})"),
            None => "the best reading is only a guess".into(),
        };
        return Err(not_understood(reason));
    }
    Ok(QueryPlan {
        query: plan.query,
        assumptions: plan.guesses,
        confidence,
    })
}

/// The parts of the query that a question asks for, however unsure that is; `None` where nothing can be planned.
pub(crate) fn pieces(question: &str, today: Date, snapshot: &Snapshot) -> Option<Pieces> {
    let linked = link(question, today, snapshot).ok()?;
    let clauses = clauses::read(&linked.items, &linked.tokens, &linked.vocabulary, snapshot);
    let plan = planning::plan(&clauses, snapshot).ok()?;
    render::pieces(&plan.query, snapshot).ok()
}

/// The SQL of a plan, in the dialect of its database.
pub fn sql(plan: &QueryPlan, snapshot: &Snapshot) -> Result<String, NotUnderstood> {
    render::render(&plan.query, snapshot).map_err(|_| NotUnderstood {
        words: Vec::new(),
        reason: "no keys connect the tables that it names".into(),
    })
}

impl Linked {
    /// One line per linked phrase: `"country": column customers.country`.
    pub fn describe(&self, snapshot: &Snapshot) -> Vec<String> {
        describe::items(&self.items, &self.tokens, snapshot)
    }
}

impl Subproblems {
    /// The clauses as a JSON list of `{"clause", "expression"}`.
    pub fn describe(&self, snapshot: &Snapshot) -> String {
        describe::clauses(&self.clauses, snapshot)
    }

    /// Words that no clause explains, as the question has them.
    pub fn unexplained(&self) -> &[String] {
        &self.unexplained
    }
}

impl QueryPlan {
    /// The plan as numbered steps.
    pub fn describe(&self, snapshot: &Snapshot) -> Vec<String> {
        describe::plan(&self.query, snapshot)
    }

    /// What had to be assumed.
    pub fn assumptions(&self) -> &[String] {
        &self.assumptions
    }

    /// How sure the reading is, 0 to 1.
    pub fn confidence(&self) -> f64 {
        self.confidence
    }
}
