//! What models are told of the question and the database: gathered once, when the first of them is asked.

use time::OffsetDateTime;

use super::{
    meaning,
    work::{Work, off_the_runtime},
};
use crate::prompt::{self, Brief};

/// The part of a prompt's budget that is left for rules, evidence and what other agents said.
const REST: usize = 4;

/// The brief that every agent's own is made from.
pub(super) async fn brief(work: &Work<'_>) -> Brief {
    let minds = work.minds();
    let (values, budget) = (minds.values, minds.prompt_tokens);
    let (question, snapshot) = (work.question.to_owned(), work.snapshot.clone());
    let today = OffsetDateTime::now_utc().date();
    let budget = budget - budget / REST;
    let of_words = off_the_runtime({
        let (question, snapshot) = (question.clone(), snapshot.clone());
        move || prompt::excerpt(&question, &snapshot, budget, None)
    });
    let mut excerpt = of_words.await;
    if excerpt.left_out > 0
        && let Some(similarity) = meaning::similarity(work).await
    {
        let (question, snapshot) = (question.clone(), snapshot.clone());
        let of_meaning = move || prompt::excerpt(&question, &snapshot, budget, Some(&similarity));
        excerpt = off_the_runtime(of_meaning).await;
    }
    let (brief, told) = off_the_runtime(move || {
        let told = (excerpt.left_out > 0).then(|| {
            let over = if excerpt.over_budget {
                ", and more than the budget allows"
            } else {
                ""
            };
            format!(
                "{} of {} tables, about {} tokens{over}",
                excerpt.tables.len(),
                snapshot.schema.tables.len(),
                excerpt.tokens
            )
        });
        let brief = Brief {
            dialect: snapshot.dialect.name(),
            rules: prompt::dialect_rules(snapshot.dialect).to_owned(),
            schema: prompt::schema_text(&snapshot, &excerpt, values),
            evidence: prompt::evidence(&question, &snapshot, &excerpt, values),
            today: today.to_string(),
            question,
            ..Brief::default()
        };
        (brief, told)
    })
    .await;
    if let Some(told) = told {
        work.trace.step("schema excerpt", told);
    }
    Brief {
        hint: work.settings.hint.clone(),
        ..brief
    }
}
