//! The embedded agents alone.

use crate::ask::{
    AskError, EMBEDDED, candidate,
    confidence::{self, Readings},
    embedded::{self, Draft},
    panel::{Chosen, Panel},
    work::Work,
};

/// How likely a reading is at least that is an answer by itself, 0 to 1: of those below, one in five was right.
const GUESS: f64 = 0.45;

/// Answers with no model.
pub(in crate::ask) async fn embedded(work: &Work<'_>) -> Result<Chosen, AskError> {
    let mut panel = Panel::default();
    let (draft, likely) = propose(work, &mut panel).await?;
    refuse_guess(&draft, likely)?;
    let chosen = panel.conclude(work)?;
    explain(work, &draft);
    Ok(chosen)
}

/// Refuses what is only a guess between two readings, where nobody else answers. One that stands alone was judged before.
pub(super) fn refuse_guess(draft: &Draft, likely: f64) -> Result<(), AskError> {
    if likely >= GUESS || draft.other.is_none() {
        return Ok(());
    }
    Err(AskError::NotUnderstood {
        words: Vec::new(),
        reason: "the best reading is only a guess".to_owned(),
        help: None,
    })
}

/// Lets the embedded agents propose what they find. Returns it with how likely it is right, 0 to 1.
pub(super) async fn propose(work: &Work<'_>, panel: &mut Panel) -> Result<(Draft, f64), AskError> {
    let draft = embedded::draft(work).await?;
    let candidate = candidate::examine(work, EMBEDDED, draft.sql.clone(), 1).await?;
    let agree = match &draft.other {
        Some((other, _)) => candidate::glance(work, EMBEDDED, other)
            .await?
            .agrees_with(&candidate),
        None => false,
    };
    let readings = match agree {
        true if confidence::is_plain(work.question, &draft.sql) => Readings::AgreePlainly,
        true => Readings::Agree,
        false => Readings::Apart,
    };
    // Where both say the same, the surer of them says how sure.
    let likely = match &draft.other {
        Some((_, likely)) if agree => draft.confidence.max(*likely),
        _ => draft.confidence,
    };
    let likely = super::verified(work, EMBEDDED, confidence::of_readings(likely, readings));
    panel.propose(candidate, likely, None);
    Ok((draft, likely))
}

/// Tells how the embedded agents read the question.
pub(super) fn explain(work: &Work<'_>, draft: &Draft) {
    for (step, detail) in &draft.steps {
        work.trace.step(step, detail.clone());
    }
}
