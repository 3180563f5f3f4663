//! The embedded agents alone.

use crate::ask::{
    AskError, EMBEDDED, candidate,
    confidence::{self, Readings},
    embedded::{self, Draft},
    panel::{Chosen, Panel},
    work::Work,
};

/// Answers with no model.
pub(in crate::ask) async fn embedded(work: &Work<'_>) -> Result<Chosen, AskError> {
    let mut panel = Panel::default();
    let draft = propose(work, &mut panel).await?;
    let chosen = panel.conclude(work)?;
    explain(work, &draft);
    Ok(chosen)
}

/// Lets the embedded agents propose what they find.
pub(super) async fn propose(work: &Work<'_>, panel: &mut Panel) -> Result<Draft, AskError> {
    let draft = embedded::draft(work).await?;
    let candidate = candidate::examine(work, EMBEDDED, draft.sql.clone(), 1).await?;
    let agree = match &draft.other {
        Some(other) => candidate::glance(work, EMBEDDED, other)
            .await?
            .agrees_with(&candidate),
        None => false,
    };
    let readings = match agree {
        true if confidence::is_plain(work.question, &draft.sql) => Readings::AgreePlainly,
        true => Readings::Agree,
        false => Readings::Apart,
    };
    let likely = confidence::of_readings(draft.confidence, readings);
    panel.propose(candidate, super::verified(work, EMBEDDED, likely), None);
    Ok(draft)
}

/// Tells how the embedded agents read the question.
pub(super) fn explain(work: &Work<'_>, draft: &Draft) {
    for (step, detail) in &draft.steps {
        work.trace.step(step, detail.clone());
    }
}
