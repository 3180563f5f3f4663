//! The embedded agents alone.

use crate::{
    backend::Value,
    question::{
        ask::{
            AskError, EMBEDDED,
            candidate::{self, Candidate},
            doubts,
            embedded::{self, Draft, Drafted, Drafts},
            ensemble::{Chosen, Ensemble},
            work::Work,
        },
        embedded::{Evidence, NO_COUNTERPART, Outcome, is_plain, left_out},
    },
};

/// How likely SQL is right at least that is proposed at all, 0 to 1: what is less so says nothing about the question.
const GUESS: f64 = 0.2;

/// Answers with no model.
pub(in crate::question::ask) async fn embedded(work: &Work<'_>) -> Result<Chosen, AskError> {
    let mut ensemble = Ensemble::default();
    let draft = propose(work, &mut ensemble).await?;
    let chosen = ensemble.conclude(work)?;
    explain(work, &draft);
    Ok(chosen)
}

/// Lets the embedded agents propose what they find.
pub(super) async fn propose(work: &Work<'_>, ensemble: &mut Ensemble) -> Result<Draft, AskError> {
    let (draft, candidate, likely) = match embedded::draft(work).await? {
        Drafted::Read(drafts) => Box::pin(likeliest(work, *drafts)).await?,
        Drafted::Meant(draft, likely) => {
            let candidate = examine(work, &draft).await?;
            (draft, candidate, likely)
        }
    };
    let likely = doubts::doubted(likely, work.question, &candidate, &work.snapshot);
    let likely = super::expected(work, EMBEDDED, likely);
    ensemble.propose(candidate, likely, None);
    Ok(draft)
}

/// The likelier of both ways to read the question, when both have been tried.
async fn likeliest(work: &Work<'_>, drafts: Drafts) -> Result<(Draft, Candidate, f64), AskError> {
    let Drafts { clauses, reading } = drafts;
    let (clauses, refused) = match clauses {
        Ok((draft, sure)) => (Some((examine(work, &draft).await?, draft, sure)), None),
        Err(error) => (None, Some(error)),
    };
    let reading = match reading {
        Some(reading) => Some((examine(work, &reading.clone().into()).await?, reading)),
        None => None,
    };
    let evidence = Evidence {
        reading: reading.as_ref().map(|(tried, reading)| (reading, outcome(tried))),
        clauses: clauses.as_ref().map(|(tried, _, sure)| (*sure, outcome(tried))),
        agree: match (&reading, &clauses) {
            (Some((one, _)), Some((other, ..))) => one.agrees_with(other),
            _ => false,
        },
        plain: reading
            .as_ref()
            .is_some_and(|(_, reading)| is_plain(work.question, &reading.sql)),
    };
    let runs = |candidate: &Candidate| f64::from(u8::from(candidate.runs().is_some()));
    // What leaves something out is no answer, however likely the rest.
    let today = work.asked().today;
    let lacks = |sql: &str| left_out(work.question, sql, &work.snapshot, today);
    let left_out = [
        reading.as_ref().and_then(|(_, reading)| lacks(&reading.sql)),
        clauses.as_ref().and_then(|(_, draft, _)| lacks(&draft.sql)),
    ];
    let whole = left_out
        .each_ref()
        .map(|words| f64::from(u8::from(words.is_none())));
    let of_reading =
        evidence.of_reading() * whole[0] * reading.as_ref().map_or(0.0, |(tried, _)| runs(tried));
    let of_clauses =
        evidence.of_clauses() * whole[1] * clauses.as_ref().map_or(0.0, |(tried, ..)| runs(tried));
    let likely = of_reading.max(of_clauses);
    // Where they differ by equal rows alone, rows that are picked by something are told as often as they come; what values
    // there are in all is told once.
    let merged = match (&reading, &clauses) {
        (Some((tried, reading)), Some((other, ..))) => {
            whole[1] > 0.0 && reading.picks_rows() && tried.merges_equal_rows_of(other)
        }
        _ => false,
    };
    let of_clauses = if merged { likely } else { of_clauses };
    let fuller = reading
        .as_ref()
        .filter(|_| likely >= GUESS && (of_reading > of_clauses || evidence.agree))
        .and_then(|(_, reading)| reading.fuller.clone());
    if let (Some(sql), Some((_, reading))) = (fuller, &reading) {
        let draft = Draft {
            sql,
            ..reading.clone().into()
        };
        let tried = examine(work, &draft).await?;
        if tried.runs().is_some() {
            return Ok((draft, tried, likely));
        }
    }
    let unmet = reading
        .as_ref()
        .map_or_else(Vec::new, |(_, reading)| reading.unmet.clone());
    match (clauses, reading) {
        (Some((tried, draft, _)), _) if of_clauses >= of_reading && likely >= GUESS => {
            Ok((draft, tried, likely))
        }
        (_, Some((tried, reading))) if likely >= GUESS => Ok((reading.into(), tried, likely)),
        // Why it does not run says more than that it is a guess.
        (Some((tried, draft, _)), _) if tried.runs().is_none() => Ok((draft, tried, likely)),
        (None, Some((tried, reading))) if tried.runs().is_none() => Ok((reading.into(), tried, likely)),
        _ => Err(match (left_out.into_iter().flatten().next(), refused) {
            (Some((words, reason)), _) => AskError::NotUnderstood {
                words: vec![words],
                reason: reason.to_owned(),
                help: None,
            },
            (None, Some(refused)) if unmet.is_empty() => refused,
            (None, _) if !unmet.is_empty() => AskError::NotUnderstood {
                words: unmet,
                reason: NO_COUNTERPART.to_owned(),
                help: None,
            },
            (None, _) => AskError::NotUnderstood {
                words: Vec::new(),
                reason: "the best reading is only a guess".to_owned(),
                help: None,
            },
        }),
    }
}

async fn examine(work: &Work<'_>, draft: &Draft) -> Result<Candidate, AskError> {
    Box::pin(candidate::examine(work, EMBEDDED, draft.sql.clone(), 1)).await
}

/// What a trial run tells of its own.
fn outcome(candidate: &Candidate) -> Outcome {
    let Some((sql, trial)) = candidate.runs() else {
        return Outcome::Untried;
    };
    let told = || {
        trial
            .rows
            .iter()
            .flatten()
            .any(|value| !matches!(value, Value::Null))
    };
    match trial.rows.len() {
        // Parameters were bound to NULL, so that rows say nothing.
        _ if sql.parameters() > 0 => Outcome::Untried,
        0 if trial.complete => Outcome::None,
        // In the middle of a pipeline nothing is tried.
        0 => Outcome::Untried,
        _ if !told() => Outcome::Blank,
        1 if trial.complete => Outcome::One,
        _ => Outcome::Several,
    }
}

/// Tells how the embedded agents read the question.
pub(super) fn explain(work: &Work<'_>, draft: &Draft) {
    for (step, detail) in &draft.steps {
        work.trace.step(step, detail.clone());
    }
}
