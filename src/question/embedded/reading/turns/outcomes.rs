//! What never or always became of what somebody has: `members who never paid an invoice late`, `pupils who never dropped a course`.

use super::{
    super::{
        super::{lexicon::sayings, question::Token, states::is_participle},
        rewording::{said, word, written},
    },
    called, has_word, name_of,
};
use crate::question::{
    schema::{ColumnRef, Schema, Snapshot, words},
    semantic::{Condition, FieldRole, Scalar, SemanticModel},
};

/// `never paid an invoice late` as without late invoices, `always paid on time` as only on time.
pub(super) fn on_time(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let (always, verb) = match (word(&tokens, at), word(&tokens, at + 1)) {
            ("always", _) => (true, at + 1),
            ("did" | "have" | "has", "not" | "never") => (false, at + 2),
            ("never" | "didn't" | "haven't" | "hasn't", _) => (false, at + 1),
            _ => return None,
        };
        let told = (verb + 1..tokens.len().min(verb + 6)).find_map(|told| {
            let used = match (word(&tokens, told), word(&tokens, told + 1)) {
                ("late", _) => 1,
                ("on", "time") => 2,
                _ => return None,
            };
            Some((told, used))
        })?;
        let owner = tokens[..at].iter().find_map(|token| called(schema, token))?;
        let noun = tokens[verb + 1..told.0].last();
        let mut late = model.filters.iter().filter(|filter| {
            filter.name == "late"
                && is_of(filter.dataset, owner, schema)
                && (noun.is_some_and(|noun| called(schema, noun) == Some(filter.dataset))
                    || done_by(&filter.condition).is_some_and(|done| {
                        says(&schema.tables[filter.dataset].columns[done].name, &tokens[verb])
                    }))
        });
        let event = late.next()?.dataset;
        late.next().is_none().then_some((at, told, event, always))
    });
    let Some((at, (told, used), event, always)) = found else {
        return tokens;
    };
    let how: Vec<Token> = tokens[told..told + used].to_vec();
    let lead = if always { "only" } else { "without" };
    let mut asked = written(&[lead], &tokens[at]);
    asked.extend(how);
    if !always {
        asked.extend(name_of(schema, event, &tokens[at]));
    }
    let from = clause(&tokens, at);
    tokens.splice(from..told + used, asked);
    tokens
}

/// `never dropped a course` as without dropped enrolments, where these keep what became of it: having no course is something else.
pub(super) fn of_what_it_has(
    mut tokens: Vec<Token>,
    snapshot: &Snapshot,
    model: &SemanticModel,
) -> Vec<Token> {
    let schema = &snapshot.schema;
    let found = (1..tokens.len()).find_map(|at| {
        let (denies, verb) = match (word(&tokens, at), word(&tokens, at + 1)) {
            ("did" | "have" | "has", "not" | "never") => (true, at + 2),
            ("never" | "didn't" | "haven't" | "hasn't", _) => (true, at + 1),
            ("who" | "that" | "which", "have" | "has" | "had") => (false, at + 2),
            ("who" | "that" | "which", _) => (false, at + 1),
            _ => return None,
        };
        let mut noun = verb + 1;
        while matches!(
            word(&tokens, noun),
            "a" | "an" | "any" | "single" | "one" | "their"
        ) {
            noun += 1;
        }
        let ends = matches!(
            word(&tokens, noun + 1),
            "" | "?" | "." | "," | "in" | "since" | "this" | "last" | "yet"
        );
        let thing = called(schema, tokens.get(noun)?).filter(|_| ends)?;
        let owner = tokens[..at].iter().find_map(|token| called(schema, token))?;
        let named = outcome(tokens.get(verb)?, thing, snapshot, model);
        if owner == thing || !denies && named.is_some() {
            return None;
        }
        // Either the thing itself keeps it, or what leads from one to the other does.
        // `never booked a class` is without a booking, whatever else became of these.
        let is_deed = |table: usize| {
            let name = words::table_words(&schema.tables[table].name);
            name.iter().any(|word| words::stem(word) == tokens[verb].stem)
        };
        let links = (0..schema.tables.len()).filter(|&link| {
            !schema.tables[link].is_view
                && !is_deed(link)
                && link != thing
                && is_of(link, owner, schema)
                && is_of(link, thing, schema)
        });
        let kept = named.map(|state| (thing, state)).or_else(|| {
            let mut kept =
                links.filter_map(|link| Some((link, outcome(&tokens[verb], link, snapshot, model)?)));
            kept.next().filter(|_| kept.next().is_none())
        })?;
        Some((at, noun, denies, kept))
    });
    let Some((at, noun, denies, (table, state))) = found else {
        return tokens;
    };
    let mut asked = written(&[if denies { "without" } else { "with" }], &tokens[at]);
    asked.push(said(&state, &tokens[at]));
    asked.extend(name_of(schema, table, &tokens[at]));
    let from = clause(&tokens, at);
    tokens.splice(from..=noun, asked);
    tokens
}

/// Where the clause begins that is denied or told here: `who have never`.
fn clause(tokens: &[Token], at: usize) -> usize {
    let leads = |word: &str| matches!(word, "who" | "that" | "which" | "have" | "has" | "had");
    (1..=at)
        .rev()
        .take_while(|&from| from == at || leads(word(tokens, from)))
        .last()
        .unwrap_or(at)
}

/// True for rows that belong to one of a table.
fn is_of(table: usize, owner: usize, schema: &Schema) -> bool {
    let mut keys = schema.foreign_keys.iter();
    keys.any(|key| key.from[0].table == table && key.to[0].table == owner)
}

/// The column that says when something was done that had to be done by another time.
fn done_by(late: &Condition) -> Option<usize> {
    match late {
        Condition::Compare(Scalar::Period(done, _), ..) => Some(done.column),
        _ => None,
    }
}

/// True for a column that is called by what a verb says.
fn says(column: &str, verb: &Token) -> bool {
    let name = words::identifier_words(column);
    let paid = verb.stem == "pay" || verb.word == "paid";
    name.iter()
        .any(|word| words::stem(word) == verb.stem || word == "paid" && paid)
}

/// What a row is that this became of: a state that is stored, a mark or a time of it, or a mark of the opposite.
fn outcome(verb: &Token, table: usize, snapshot: &Snapshot, model: &SemanticModel) -> Option<String> {
    let schema = &snapshot.schema;
    let opposite = sayings().opposite(&verb.word);
    let columns = || (0..schema.tables[table].columns.len()).map(|column| ColumnRef { table, column });
    let stored = columns()
        .filter(|at| matches!(model.field(*at).role, FieldRole::Code | FieldRole::Dimension))
        .filter_map(|at| snapshot.profile.column(at))
        .flat_map(|profile| &profile.frequent)
        .map(|(value, _)| value.to_lowercase())
        .find(|value| words::stem(value) == verb.stem && is_participle(value));
    let kept = || {
        columns().find_map(|at| {
            let column = schema.column(at);
            let keeps = match model.field(at).role {
                FieldRole::Flag(_) => true,
                FieldRole::Time => !column.not_null && model.datasets[table].time != Some(at.column),
                _ => false,
            };
            let name = words::identifier_words(&column.name);
            let first = name
                .iter()
                .find(|word| !matches!(word.as_str(), "is" | "was" | "has"))?;
            let same = words::stem(first) == verb.stem;
            (keeps && same).then(|| first.clone())
        })
    };
    // `never failed`, where a mark says what was passed; `missed`, where one says who did not show up.
    let opposed = || {
        let marks = || columns().filter(|at| matches!(model.field(*at).role, FieldRole::Flag(_)));
        let opposed =
            opposite.is_some_and(|opposite| marks().any(|at| has_word(&schema.column(at).name, &[opposite])));
        let absent = || {
            marks().find_map(|at| {
                let name = words::identifier_words(&schema.column(at).name);
                let misses = name.last().is_some_and(|last| last == "show" || last == "noshow");
                (verb.stem == "miss" && misses).then(|| name.join("_"))
            })
        };
        if opposed {
            Some(verb.word.clone())
        } else {
            absent()
        }
    };
    stored.or_else(kept).or_else(opposed)
}
