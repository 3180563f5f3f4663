//! Questions: asked once, at Parse; what comes of them is SQL to run, or rows to show.

use std::{sync::Arc, time::Duration};

use tracing::info;

use crate::{
    ask::{self, Answer, AskSettings},
    backend::{Backend, Value},
    statement::{self, Action, Asked, Context, Mode, Notices, Question, QuestionText},
    validator::ValidatedSql,
    wire::{Fields, Severity},
};

use super::{
    control::{select_tag, text, text_column},
    parameters,
    plan::{Detail, Plan, Prepared, Sql},
    portal::Outcome,
    report,
    run::Session,
    stop::Stop,
};

/// Longest question that is worked on, in bytes; far beyond what a person asks.
const LONGEST_QUESTION: usize = 10_000;

/// As good as no limit: a year.
const NO_LIMIT: Duration = Duration::from_secs(365 * 24 * 3600);

/// What the session remembers of its last question.
#[derive(Default)]
pub(super) struct Conversation {
    pub(super) question: Option<String>,
    pub(super) sql: Option<String>,
    pub(super) confidence: Option<f64>,
}

/// What one question of a statement has become.
enum Part {
    /// SQL that answers it.
    Answer(ValidatedSql),
    /// Rows about it.
    Report(report::Report),
}

impl Session {
    /// Settles what a statement with questions will do. `own` stands behind `before` characters.
    pub(super) async fn plan_question(
        &mut self,
        own: &str,
        before: usize,
        question: Question,
        detail: Detail<'_>,
    ) -> Result<Prepared, Stop> {
        if !self.shared.settings().questions {
            return Err(
                Stop::failed("42501", "questions are switched off on this server").with_hint(
                    "Ordinary SQL works. questions = true in the server's configuration switches them on.",
                ),
            );
        }
        let comes_later = |asked: &Asked| matches!(asked.text, QuestionText::Parameter(_));
        if question.asked.iter().any(comes_later) {
            return Ok(Prepared {
                types: parameters::types(usize::from(question.parameters), detail.declared(), "", None),
                columns: vec![],
                plan: Plan::AskAtBind {
                    text: own.to_owned(),
                    before,
                    question,
                },
            });
        }
        self.ask_all(own, before, &question, detail).await
    }

    /// Asks what came with Bind.
    pub(super) async fn plan_asked(
        &mut self,
        prepared: &Prepared,
        values: &[Value],
    ) -> Result<Prepared, Stop> {
        let Plan::AskAtBind {
            text,
            before,
            question,
        } = &prepared.plan
        else {
            unreachable!("only a plan that waits for its question is asked at Bind")
        };
        let mut question = question.clone();
        for asked in &mut question.asked {
            if let QuestionText::Parameter(number) = asked.text {
                let Some(Value::Text(words)) = values.get(usize::from(number) - 1) else {
                    return Err(Stop::failed("22004", "the question is NULL")
                        .with_hint("Bind the question's text to the parameter."));
                };
                let words = String::from_utf8_lossy(words).trim().to_owned();
                if words.is_empty() && !asked.action.allows_empty() {
                    return Err(Stop::failed("NL001", "the question is empty")
                        .with_hint("Bind the question's text to the parameter."));
                }
                asked.text = QuestionText::Literal(words);
            }
        }
        let types: Vec<u32> = prepared.types.iter().map(|ty| ty.oid).collect();
        let planned = self
            .ask_all(text, *before, &question, Detail::Described(&types))
            .await?;
        // The values that were bound are as many as were declared.
        Ok(Prepared {
            types: prepared.types.clone(),
            ..planned
        })
    }

    async fn ask_all(
        &mut self,
        own: &str,
        before: usize,
        question: &Question,
        detail: Detail<'_>,
    ) -> Result<Prepared, Stop> {
        let mut parts = vec![];
        for asked in &question.asked {
            let at = before + own[..asked.span.start].chars().count() + 1;
            let QuestionText::Literal(words) = &asked.text else {
                unreachable!("questions that come as parameters are asked at Bind")
            };
            if asked.action.is_feedback() {
                if question.direct {
                    return Ok(Prepared {
                        plan: Plan::Feedback {
                            action: asked.action,
                            text: words.clone(),
                        },
                        types: vec![],
                        columns: vec![text_column("status")],
                    });
                }
                return Err(Stop::failed(
                    "0A000",
                    format!("nl {} cannot be part of a larger statement", asked.action.name()),
                )
                .with_hint("Send it as a statement of its own."));
            }
            parts.push(self.ask_one(asked.action, words, at).await?);
        }
        // Parameters that the SQL leaves unused are there for the client all the same, as text.
        let count = usize::from(question.parameters).max(detail.declared().len());
        let mut padded = detail.declared().to_vec();
        padded.resize(count, 0);
        let detail = match detail {
            Detail::Nothing => Detail::Nothing,
            Detail::Described(_) => Detail::Described(&padded),
        };
        if question.direct
            && let [part] = parts.as_slice()
        {
            return match part {
                Part::Answer(sql) => self.plan_sql(Sql::of_answer(sql.clone()), detail).await,
                Part::Report(report) => Ok(Prepared {
                    types: parameters::types(0, detail.declared(), "", None),
                    columns: report.columns.clone(),
                    plan: Plan::Report {
                        columns: report.columns.clone(),
                        rows: report.rows.clone(),
                    },
                }),
            };
        }
        let texts: Vec<String> = parts
            .iter()
            .map(|part| match part {
                Part::Answer(sql) => sql.as_str().to_owned(),
                Part::Report(report) => report.to_sql(),
            })
            .collect();
        let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
        let rewritten = statement::rewrite(own, question, &borrowed);
        // A statement that writes runs with the user's own rights; its answers have been tried under the guard.
        let guard = parts.iter().find_map(|part| match part {
            Part::Answer(sql) if question.context != Context::Write => Some(sql.clone()),
            _ => None,
        });
        let sql = Sql::around(own, before, rewritten, texts, guard);
        Box::pin(self.plan_sql(sql, detail)).await
    }

    async fn ask_one(&mut self, action: Action, words: &str, at: usize) -> Result<Part, Stop> {
        let placed = |stop: Stop| {
            stop.map(|mut fields| {
                fields.position = Some(at);
                fields
            })
        };
        if words.len() > LONGEST_QUESTION {
            return Err(placed(
                Stop::failed(
                    "54000",
                    format!("a question of {} bytes is too long", words.len()),
                )
                .with_hint(format!("Ask in at most {LONGEST_QUESTION} bytes.")),
            ));
        }
        if action == Action::Refine {
            let stop = match &self.conversation.question {
                None => Stop::failed("NL001", "there is no question yet to refine")
                    .with_hint("Ask a whole question first."),
                Some(last) => Stop::failed("NL001", "the built-in agents cannot refine a question")
                    .with_detail(format!("The last question was: {last}"))
                    .with_hint("Ask the whole question again with the change in it."),
            };
            return Err(placed(stop));
        }
        self.check_tiers().map_err(placed)?;
        let configured = self.shared.settings();
        let limit = configured.limits.question_timeout;
        let settings = AskSettings {
            max_attempts: configured.limits.attempts,
            min_confidence: self.settings.querent().min_confidence,
            question_timeout: if limit.is_zero() { NO_LIMIT } else { limit },
        };
        let connection = Arc::clone(&self.connection);
        let asked = words.to_owned();
        let answer = self
            .work_or_drop(async move {
                let database: &dyn Backend = &*connection;
                ask::ask(database, &asked, &settings).await
            })
            .await
            .map_err(placed)?;
        info!(
            question = words,
            sql = answer.sql.as_str(),
            confidence = answer.confidence,
            tier = answer.tier,
            milliseconds = answer.elapsed.as_millis() as u64,
            "answered"
        );
        self.conversation = Conversation {
            question: Some(words.to_owned()),
            sql: Some(answer.sql.as_str().to_owned()),
            confidence: Some(answer.confidence),
        };
        Ok(match action {
            Action::Sql => Part::Report(report::sql(&answer)),
            Action::Explain => Part::Report(report::explain(&answer)),
            Action::Trace => Part::Report(report::trace(&answer)),
            _ => {
                self.tell(&answer);
                Part::Answer(answer.sql)
            }
        })
    }

    /// There is one tier so far; who asks for others alone is told so.
    fn check_tiers(&self) -> Result<(), Stop> {
        let own = self.settings.querent();
        let by_mode = matches!(own.mode, Mode::Single | Mode::Sot);
        let by_tiers = !own.tiers.is_empty() && !own.tiers.iter().any(|tier| tier == "embedded");
        if !by_mode && !by_tiers {
            return Ok(());
        }
        let setting = if by_mode {
            format!("querent.mode = {}", own.mode.name())
        } else {
            format!("querent.tiers = {}", own.tiers.join(", "))
        };
        Err(Stop::failed("NL004", "no model answered")
            .with_detail(format!(
                "{setting} asks for a language model, and none is configured."
            ))
            .with_hint("SET querent.mode = embedded, and RESET querent.tiers."))
    }

    /// The notice with the SQL, and those of the agents where they are wanted.
    fn tell(&mut self, answer: &Answer) {
        let notices = self.settings.querent().notices;
        if notices == Notices::Progress {
            for run in &answer.trace {
                let message = format!("nl: {} ({}, {})", run.agent, run.outcome, show_time(run.elapsed));
                self.notice(&Fields::new(Severity::Notice, "00000", message));
            }
        }
        if notices != Notices::Off {
            let message = format!(
                "nl: {} (confidence {:.2}, {}, {})",
                answer.sql.as_str(),
                answer.confidence,
                answer.tier,
                show_time(answer.elapsed)
            );
            self.notice(&Fields::new(Severity::Notice, "00000", message));
        }
    }

    /// `good`, `bad`, `fix`, `reset`.
    pub(super) fn feedback(&mut self, action: Action, words: &str) -> Result<Outcome, Stop> {
        let status = if action == Action::Reset {
            self.conversation = Conversation::default();
            "the conversation is forgotten".to_owned()
        } else {
            let (Some(question), Some(sql)) = (&self.conversation.question, &self.conversation.sql) else {
                return Err(
                    Stop::failed("NL001", "there is no question yet to give feedback on")
                        .with_hint("Ask a question first, in this session."),
                );
            };
            info!(feedback = action.name(), %question, %sql, text = words, "feedback");
            let what = match action {
                Action::Good => "confirmed",
                Action::Bad => "rejected",
                _ => "corrected",
            };
            format!("{what} in the server's log: {question}")
        };
        Ok(Outcome::known(
            vec![text_column("status")],
            vec![vec![text(&status)]],
            select_tag(),
        ))
    }
}

/// Milliseconds, in as many digits as say something.
fn show_time(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1_000.0;
    if milliseconds < 10.0 {
        format!("{milliseconds:.1} ms")
    } else {
        format!("{milliseconds:.0} ms")
    }
}
