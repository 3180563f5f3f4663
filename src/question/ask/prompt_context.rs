//! What models are told of the question and the database: gathered once, when the first of them is asked.

use std::sync::Arc;

use super::{
    meaning,
    work::{Work, off_the_runtime},
};
use crate::question::{
    prompt::{self, Excerpt, Meant, PromptContext, Similarity},
    schema::Snapshot,
    today,
};

/// One part in so many of a prompt's budget is left for rules, evidence and what other agents said.
const REST: usize = 4;

/// The context that every agent's own is made from.
pub(super) async fn gather(work: &Work<'_>) -> PromptContext {
    let budget = work.registry().prompt_tokens;
    let budget = budget - budget / REST;
    let meant = meant(work).await;
    let mut excerpt = choose(work, (budget, &meant), None).await;
    // Only what does not go in whole has to be chosen by meaning too.
    if excerpt.left_out > 0
        && let Some(similarity) = meaning::similarity(work).await
    {
        excerpt = choose(work, (budget, &meant), Some(similarity)).await;
    }
    if excerpt.left_out > 0 {
        work.trace
            .step("schema excerpt", describe(&excerpt, &work.told.snapshot));
    }
    let (question, snapshot) = (work.question.to_owned(), work.told.snapshot.clone());
    let values = work.told.values;
    let today = today();
    let context = off_the_runtime(move || PromptContext {
        dialect: snapshot.dialect.name(),
        rules: prompt::dialect_rules(snapshot.dialect).to_owned(),
        schema: prompt::schema_text(&snapshot, &excerpt, values),
        evidence: prompt::evidence(&question, &snapshot, &excerpt, values),
        today: if reckons_with_today(&question) {
            today.to_string()
        } else {
            String::new()
        },
        question,
        ..PromptContext::default()
    })
    .await;
    PromptContext {
        conventions: work.registry().conventions.clone(),
        hint: work.settings.hint.clone(),
        knowledge: meant.lines,
        examples: meant.examples,
        ..context
    }
}

/// What people have told of the database that the question may need.
async fn meant(work: &Work<'_>) -> Meant {
    let told = &work.told;
    if !told.understood.is_told() {
        return Meant::default();
    }
    let (question, understood) = (work.question.to_owned(), Arc::clone(&told.understood));
    let values = told.values;
    let mut meant = off_the_runtime(move || prompt::meant(&question, &understood, values)).await;
    // Descriptions and instructions are text, which may speak of what models must not hear of.
    meant.lines.retain(|line| !told.is_private(line));
    meant
        .examples
        .retain(|example| !told.is_private(&example.question) && !told.is_private(&example.sql));
    meant
}

async fn choose(
    work: &Work<'_>,
    (budget, meant): (usize, &Meant),
    similarity: Option<Similarity>,
) -> Excerpt {
    let snapshot = work.told.snapshot.clone();
    // What is defined over a table needs the table.
    let tables = meant.tables.iter();
    let tables = tables.map(|table| snapshot.schema.tables[*table].name.as_str());
    let question: Vec<&str> = std::iter::once(work.question).chain(tables).collect();
    let question = question.join(" ");
    let choose = move || prompt::excerpt(&question, &snapshot, budget, similarity.as_ref());
    off_the_runtime(choose).await
}

fn describe(excerpt: &Excerpt, snapshot: &Snapshot) -> String {
    let over = if excerpt.over_budget {
        ", which is more than the budget allows"
    } else {
        ""
    };
    format!(
        "{} of {} tables, about {} tokens{over}",
        excerpt.tables.len(),
        snapshot.schema.tables.len(),
        excerpt.tokens
    )
}

/// True for a question whose answer depends on the day: "last year" and "how long ago", not "last name" or "since 2020".
fn reckons_with_today(question: &str) -> bool {
    const ALONE: [&str; 8] = [
        "ago",
        "currently",
        "now",
        "nowadays",
        "today",
        "tomorrow",
        "yesterday",
        "ytd",
    ];
    const BEFORE_A_PERIOD: [&str; 8] = [
        "last", "next", "past", "previous", "current", "this", "coming", "these",
    ];
    const PERIODS: [&str; 12] = [
        "day", "days", "week", "weeks", "month", "months", "quarter", "quarters", "year", "years", "decade",
        "weekend",
    ];
    /// Words that may stand between: "the last three full months".
    const BETWEEN: usize = 2;
    let words: Vec<String> = question
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.iter().enumerate().any(|(at, word)| {
        let word = word.as_str();
        let mut following = words[at + 1..].iter().take(BETWEEN + 1);
        // The most recent one is the last one there is.
        let is_recent = word.starts_with("recent") && (at == 0 || words[at - 1] != "most");
        let is_before = BEFORE_A_PERIOD.contains(&word);
        ALONE.contains(&word)
            || is_recent
            || (is_before && following.any(|word| PERIODS.contains(&word.as_str())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_matters_to_relative_questions_alone() {
        for question in [
            "orders of last year",
            "revenue in the past three full months",
            "Who joined recently?",
            "what was sold 30 days ago",
        ] {
            assert!(reckons_with_today(question), "{question}");
        }
        for question in [
            "first and last names of employees",
            "orders since 2020",
            "How many of this kind are there?",
            "the current status of each ticket",
            "years of films, from oldest to most recent",
        ] {
            assert!(!reckons_with_today(question), "{question}");
        }
    }
}
