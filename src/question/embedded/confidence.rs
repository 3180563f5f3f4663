//! How sure a reading is. The weights were fitted on questions with known answers; they are not asked of anyone.

use super::{
    Linked,
    clauses::{Clauses, Right, Target},
    lexicon::{Degree, Operator, lexicon},
    logical::{Comparator, Expression, Filter, Operand, Query},
    planning::Plan,
    question::{Token, TokenKind},
    reading::{is_birth, is_light, is_shouted, owns},
    resolve::{Item, ItemKind},
};
use crate::question::schema::{ColumnKind, Snapshot, words};

/// How sure the agents must be to offer an answer, 0 to 1.
pub(crate) const ENOUGH: f64 = 0.45;
/// What one unexplained word leaves of the confidence.
const UNEXPLAINED_WORD: f64 = 0.6;
/// What a participle leaves: `the songs sung by` and `the songs of` are mostly the same.
const UNEXPLAINED_VERB: f64 = 0.8;
/// What one guess leaves of it.
const GUESS: f64 = 0.85;
/// What joins leave of it: none, one, two, three, more.
const JOINS: [f64; 5] = [1.0, 0.9, 0.8, 0.65, 0.6];
/// What groups by several columns leave of it: up to one, two, more.
const GROUPED_BY: [f64; 4] = [1.0, 1.0, 0.9, 0.55];
/// What `payments by method` leaves of it, where nothing is grouped or ordered so.
const GROUPS_LEFT_OUT: f64 = 0.5;
/// What is left where nothing is told but what the question itself says: the number of order 17.
const SAYS_NOTHING: f64 = 0.5;
/// What a choice between several keys of the same two tables leaves of it.
const AMBIGUOUS_KEY: f64 = 0.8;

/// The confidence of the clauses alone, or why they are no reading at all.
pub(crate) fn of_reading(clauses: &Clauses, linked: &Linked, snapshot: &Snapshot) -> Result<f64, String> {
    if let Some(unsupported) = clauses.unsupported {
        return Err(format!(
            "this kind of question is not supported yet: {unsupported}"
        ));
    }
    if shows_a_condition(clauses, linked, snapshot) {
        return Err("what is said beside the superlative is a condition".to_owned());
    }
    if shows_an_order(clauses, linked) {
        return Err("what is asked for is not shown".to_owned());
    }
    if dates_a_sale_otherwise(clauses, linked, snapshot)
        || compares_a_day(clauses, snapshot)
        || dates_a_birth(clauses, linked, snapshot)
    {
        return Err("what the date belongs to is not clear".to_owned());
    }
    // `customers in US`, where nothing is stored under it: no pronoun is written so.
    let linked_at = |at: usize| {
        let mut items = linked.items.iter();
        items.any(|item| item.span.contains(&at) && !matches!(item.kind, ItemKind::Unknown))
    };
    if (0..linked.tokens.len()).any(|at| is_shouted(&linked.tokens, at) && !linked_at(at)) {
        return Err("a name that is not stored anywhere may be a value".to_owned());
    }
    // A condition, a number or a superlative that is left over would change the answer, whatever the rest says.
    for (at, item) in linked.items.iter().enumerate() {
        let left_over = item.span.clone().any(|at| clauses.unexplained.contains(&at));
        let what = match item.kind {
            ItemKind::Unknown if linked.tokens[item.span.start].qualifies => {
                "what it names with a dot is not there"
            }
            ItemKind::Operator(_) | ItemKind::Adjective { .. } => "what is compared or counted is not clear",
            ItemKind::Number(_) | ItemKind::Date(_) | ItemKind::Parameter(_) => {
                "what the number or date belongs to is not clear"
            }
            ItemKind::Value { .. } => "which column holds this value is not clear",
            ItemKind::Unknown if linked.tokens[item.span.clone()].iter().any(is_decisive) => {
                "it asks for something that is not supported yet"
            }
            ItemKind::Unknown if left_over && is_asked_for(at, linked) => {
                "what is asked for has no counterpart"
            }
            ItemKind::Unknown if left_over && describes(at, linked) => super::NO_COUNTERPART,
            ItemKind::Unknown if left_over && is_counted(at, linked) => {
                "what is to be counted has no counterpart"
            }
            ItemKind::Unknown if left_over && names_a_value(item, linked) => {
                "a name that is not stored anywhere may be a value"
            }
            _ => continue,
        };
        if left_over {
            return Err(what.to_owned());
        }
    }
    let words = clauses.unexplained.iter().map(|&at| {
        if is_participle(&linked.tokens[at]) {
            UNEXPLAINED_VERB
        } else {
            UNEXPLAINED_WORD
        }
    });
    let grouped = if leaves_groups_out(clauses, linked) {
        GROUPS_LEFT_OUT
    } else {
        1.0
    };
    let confidence = f64::from(clauses.certainty) * words.product::<f64>() * grouped;
    if confidence < ENOUGH {
        return Err("too many words have no counterpart in the database".to_owned());
    }
    Ok(confidence)
}

/// True for `the cheapest product in stock`, `the most expensive available room`, where no more is shown of the first one than
/// what it must be.
fn shows_a_condition(clauses: &Clauses, linked: &Linked, snapshot: &Snapshot) -> bool {
    let (Some(1), [Target::Column(shown)]) = (clauses.limit, &clauses.select[..]) else {
        return false;
    };
    let word = |at: usize| linked.tokens[at].word.as_str();
    let flag = snapshot.schema.column(*shown).kind == ColumnKind::Boolean;
    let is_shown = |item: &Item| matches!(&item.kind, ItemKind::Column(column, _) if column == shown);
    // `the cheapest available double room`
    let before_noun = linked.items.iter().position(is_shown).is_some_and(|at| {
        let mut behind = linked.items[at + 1..].iter();
        let noun = behind.find(|item| !matches!(item.kind, ItemKind::Value { .. } | ItemKind::Unknown));
        noun.is_some_and(|noun| matches!(noun.kind, ItemKind::Table(_)))
    });
    let behind_in = linked.items.iter().any(|item| {
        let at = item.span.start;
        let led = at > 0 && word(at - 1) == "in" || at > 1 && word(at - 1) == "of" && word(at - 2) == "out";
        led && is_shown(item)
    });
    behind_in || flag && before_noun
}

/// True for `which branch opened last`, where only the day is shown.
fn shows_an_order(clauses: &Clauses, linked: &Linked) -> bool {
    let ([Target::Column(shown)], [(Target::Column(by), _)]) = (&clauses.select[..], &clauses.order[..])
    else {
        return false;
    };
    let word = |at: usize| linked.tokens.get(at).map_or("", |token| token.word.as_str());
    let table = |item: &Item| item.span.start == 1 && matches!(item.kind, ItemKind::Table(_));
    // `which branch opened`, and not `which branch opening date is the last`.
    let verb = linked
        .items
        .iter()
        .find(|item| table(item))
        .map(|item| item.span.end);
    let happened = verb
        .and_then(|verb| linked.tokens.get(verb))
        .is_some_and(is_participle);
    shown == by && clauses.limit == Some(1) && matches!(word(0), "which" | "what") && happened
}

/// True where a day is more or less than a number that is no year.
fn compares_a_day(clauses: &Clauses, snapshot: &Snapshot) -> bool {
    clauses
        .conditions
        .iter()
        .any(|condition| match (&condition.left, &condition.right) {
            (Target::Column(column), Right::Operand(Operand::Number(number))) => {
                let year = number
                    .parse()
                    .is_ok_and(|year: i64| (1_000..=3_000).contains(&year));
                snapshot.schema.column(*column).kind.is_temporal() && !year
            }
            _ => false,
        })
}

/// True for `patients that came in 2025` where the day is the one on which they were born: a question says so.
fn dates_a_birth(clauses: &Clauses, linked: &Linked, snapshot: &Snapshot) -> bool {
    let says = |token: &Token| {
        let word = token.word.as_str();
        ["birth", "born", "dob", "age", "old", "young"]
            .iter()
            .any(|said| word.starts_with(said))
    };
    let of_birth = clauses.conditions.iter().any(|condition| match condition.left {
        Target::Column(column) | Target::Part(_, column) => {
            let described = snapshot.schema.column(column);
            described.kind.is_temporal() && is_birth(&described.name)
        }
        _ => false,
    });
    of_birth && !linked.tokens.iter().any(says)
}

/// True for `products sold in 2025` where the day is one of the product: of what is bought and sold others tell when that was.
fn dates_a_sale_otherwise(clauses: &Clauses, linked: &Linked, snapshot: &Snapshot) -> bool {
    let schema = &snapshot.schema;
    let dated = |table: usize, verb: &Token| {
        clauses.conditions.iter().any(|condition| match condition.left {
            Target::Column(column) if column.table == table => {
                let described = schema.column(column);
                let name = words::identifier_words(&described.name);
                let own = name
                    .iter()
                    .any(|word| words::stem(word) == verb.stem || *word == verb.word);
                described.kind.is_temporal() && !own
            }
            _ => false,
        })
    };
    let referred_to = |table: usize| schema.foreign_keys.iter().any(|key| key.to[0].table == table);
    let day = |token: &Token| match &token.kind {
        TokenKind::Date(_) | TokenKind::Month(_) => true,
        TokenKind::Number(number) => number.len() == 4,
        _ => false,
    };
    linked.tokens.iter().enumerate().any(|(at, verb)| {
        let led = usize::from(
            linked
                .tokens
                .get(at + 1)
                .is_some_and(|next| matches!(next.word.as_str(), "in" | "on" | "since")),
        );
        matches!(verb.word.as_str(), "sold" | "bought" | "purchased" | "ordered")
            && linked.tokens.get(at + 1 + led).is_some_and(day)
            && clauses
                .subject
                .is_some_and(|table| referred_to(table) && dated(table, verb))
    })
}

/// True where `by` stands before a column, and nothing is grouped or ordered.
fn leaves_groups_out(clauses: &Clauses, linked: &Linked) -> bool {
    let by_column = |item: &Item| {
        let before = item.span.start.checked_sub(1);
        matches!(item.kind, ItemKind::Column(..))
            && before.is_some_and(|before| linked.tokens[before].word == "by")
            && !before
                .and_then(|before| before.checked_sub(1))
                .is_some_and(|verb| is_participle(&linked.tokens[verb]))
    };
    clauses.group.is_empty() && clauses.order.is_empty() && linked.items.iter().any(by_column)
}

/// True for a word that says what something is: after `are`, in front of a table, behind a superlative.
fn describes(at: usize, linked: &Linked) -> bool {
    let items = &linked.items;
    let token = &linked.tokens[items[at].span.start];
    let before = at.checked_sub(1).map(|before| &items[before]);
    let touches = |one: &Item, other: &Item| one.span.end == other.span.start;
    let after_superlative = before.is_some_and(|before| {
        touches(before, &items[at])
            && matches!(
                before.kind,
                ItemKind::Adjective {
                    degree: Degree::Superlative,
                    ..
                }
            )
    });
    let after_each = before.is_some_and(|before| matches!(before.kind, ItemKind::Operator(Operator::Group)));
    let after_is = before.is_some_and(|before| matches!(before.kind, ItemKind::Operator(Operator::Is)));
    let before_table = items
        .get(at + 1)
        .is_some_and(|next| touches(&items[at], next) && matches!(next.kind, ItemKind::Table(_)));
    after_superlative || after_each || (!is_participle(token) && (after_is || before_table))
}

/// True for what stands before `of` where nothing is named before it: `the zork of customers` are no customers.
fn is_asked_for(at: usize, linked: &Linked) -> bool {
    let names = |item: &Item| {
        matches!(
            item.kind,
            ItemKind::Table(_) | ItemKind::Column(..) | ItemKind::Value { .. }
        )
    };
    let end = linked.items[at].span.end;
    let word = |at: usize| linked.tokens.get(at).map_or("", |token| token.word.as_str());
    // `list the zork and price of products`
    let is_listed = |at: usize| at > 0 && matches!(word(at - 1), "the" | "list" | "show" | "me" | "give");
    !linked.items[..at].iter().any(names)
        && !is_participle(&linked.tokens[end - 1])
        && !is_light(word(end - 1))
        && (owns(word(end)) || matches!(word(end), "and" | ",") && is_listed(linked.items[at].span.start))
        && linked.items[at + 1..].iter().take(3).any(names)
}

/// True for what stands behind `how many`, where nothing that is known stands there: counted would be something else.
fn is_counted(at: usize, linked: &Linked) -> bool {
    let is_known = |item: &Item| !matches!(item.kind, ItemKind::Unknown);
    let (before, behind) = linked.items.split_at(at);
    let before = before.iter().rev().find(|item| is_known(item));
    let mut behind = behind.iter().filter(|item| is_known(item));
    let (next, after) = (behind.next(), behind.next());
    let token = &linked.tokens[linked.items[at].span.start];
    // `universities whose campus fee` have a column that tells what they are.
    let has_a_column = next.is_some_and(|next| linked.tokens[next.span.start].word == "whose")
        && after.is_some_and(|after| matches!(after.kind, ItemKind::Column(..)));
    before.is_some_and(|before| matches!(before.kind, ItemKind::Operator(Operator::Count)))
        && !next.is_some_and(|next| matches!(next.kind, ItemKind::Table(_) | ItemKind::Column(..)))
        && !has_a_column
        && !is_participle(token)
        // How often something happened, and what any table has, is no thing of its own.
        && !matches!(
            token.word.as_str(),
            "times" | "row" | "rows" | "record" | "records" | "entry" | "entries"
        )
}

/// True for a word with a capital that no sentence and no title asks for.
fn names_a_value(item: &Item, linked: &Linked) -> bool {
    let words = linked
        .tokens
        .iter()
        .filter(|token| token.word.chars().any(char::is_alphabetic));
    let (capitals, all) = words.fold((0, 0), |(c, n), token| (c + usize::from(token.capital), n + 1));
    let opens_sentence = item.span.start == 0 || linked.after_stop.contains(&item.span.start);
    !opens_sentence && linked.tokens[item.span.start].capital && capitals * 2 <= all
}

fn is_participle(token: &Token) -> bool {
    let regular = token.word.len() > 4 && (token.word.ends_with("ed") || token.word.ends_with("ing"));
    !token.capital && (regular || lexicon().is_irregular_participle(&token.word))
}

fn is_decisive(token: &Token) -> bool {
    lexicon().is_decisive(&token.word)
}

/// Groups are asked for by what they are called, hardly by a number that leads to it.
const GROUPED_BY_KEY: f64 = 0.6;

/// What the plan leaves of the confidence.
pub(crate) fn of_plan(plan: &Plan, snapshot: &Snapshot) -> f64 {
    let mut confidence = GUESS.powi(plan.guesses.len() as i32);
    let joins = &snapshot.joins;
    if let Some(steps) = joins.connect(&plan.query.tables_read(), &plan.query.keys) {
        confidence *= JOINS[steps.len().min(JOINS.len() - 1)];
        let ambiguous = steps.iter().any(|step| {
            let key = &snapshot.schema.foreign_keys[step.key];
            !plan.query.keys.contains(&step.key)
                && joins.keys_between(key.from[0].table, key.to[0].table).len() > 1
        });
        if ambiguous {
            confidence *= AMBIGUOUS_KEY;
        }
    }
    let keys = &snapshot.schema.foreign_keys;
    let by_key = |expression: &Expression| matches!(expression, Expression::Column(at) if keys.iter().any(|key| key.from[..] == [*at]));
    if plan.query.group.iter().any(by_key) {
        confidence *= GROUPED_BY_KEY;
    }
    if says_nothing(&plan.query) {
        confidence *= SAYS_NOTHING;
    }
    confidence * GROUPED_BY[plan.query.group.len().min(GROUPED_BY.len() - 1)]
}

/// True where all that is selected is what a condition says it is.
fn says_nothing(query: &Query) -> bool {
    let is_given = |expression: &Expression| {
        query.filters.iter().any(|filter| match filter {
            Filter::Compare(comparison) => {
                comparison.left == *expression
                    && comparison.operator == Comparator::Equal
                    && matches!(comparison.right, Operand::Number(_))
            }
            _ => false,
        })
    };
    !query.select.is_empty() && query.select.iter().all(is_given)
}
