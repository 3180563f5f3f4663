//! Models behind HTTP: one call goes to one of the endpoints, to the next where that one fails, and again after a
//! pause where all have failed.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use backon::{BackoffBuilder, ExponentialBuilder};
use tokio::time::{Instant, sleep, timeout_at};

use super::{Model, ModelError, ModelSettings, ModelSetupError, Reply, Request, Secret, SharedModel, Usage};
use answer::Answer;
pub(super) use answer::estimated_prompt;
use endpoint::Endpoints;
use failure::{Failure, Verdict};
use limits::Limits;

mod address;
mod answer;
mod anthropic;
mod attempt;
mod client;
mod dialect;
mod endpoint;
mod events;
mod failure;
mod gemini;
mod gemini_schema;
mod limits;
mod openai;
mod thoughts;

/// The pause after the first round of failures, about; the next ones double.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The longest pause that was not asked for by the provider.
const LONGEST_PAUSE: Duration = Duration::from_secs(20);

/// Makes what the settings say callable. Nothing is sent yet.
pub fn connect(settings: ModelSettings) -> Result<SharedModel, ModelSetupError> {
    Ok(Arc::new(HttpModel::new(settings)?))
}

/// A model behind one or more endpoints that speak the same.
#[derive(Debug)]
struct HttpModel {
    settings: ModelSettings,
    client: reqwest::Client,
    endpoints: Endpoints,
    limits: Limits,
}

/// How a call went, for the log.
#[derive(Debug, Default)]
struct Course {
    attempts: u32,
    /// What attempts took that gave no answer: providers charge for these too.
    wasted: Usage,
}

impl HttpModel {
    fn new(settings: ModelSettings) -> Result<Self, ModelSetupError> {
        Ok(Self {
            client: client::build(&settings)?,
            endpoints: Endpoints::new(&settings)?,
            limits: Limits::new(&settings)?,
            settings,
        })
    }

    /// Asks until there is an answer, no retry is left, or the next pause would end behind the deadline.
    async fn ask(
        &self,
        request: &Request,
        deadline: Instant,
        course: &mut Course,
    ) -> Result<Answer, ModelError> {
        let mut pauses = ExponentialBuilder::new()
            .with_min_delay(FIRST_PAUSE)
            .with_max_delay(LONGEST_PAUSE)
            .with_max_times(self.settings.retries as usize)
            .with_jitter()
            .build();
        let mut tried = vec![];
        loop {
            let at = self.endpoints.choose(&tried);
            let failure = {
                let _turn = self.limits.turn(request).await;
                course.attempts += 1;
                match self.ask_endpoint(at, request).await {
                    Ok(answer) => {
                        self.endpoints.works(at);
                        self.limits.note(request, answer.usage(request));
                        return Ok(answer);
                    }
                    Err(failure) => failure,
                }
            };
            course.wasted.prompt_tokens += failure.usage.prompt_tokens;
            course.wasted.completion_tokens += failure.usage.completion_tokens;
            tracing::debug!(
                model = self.settings.name, agent = request.agent, attempt = course.attempts, error = %failure.error,
                "model attempt failed"
            );
            if failure.verdict == Verdict::Final {
                return Err(failure.error);
            }
            self.endpoints.failed(at, failure.retry_after);
            tried.push(at);
            if self.endpoints.has_other(&tried) {
                continue;
            }
            let pause = match failure.verdict {
                Verdict::Again => pauses.next(),
                Verdict::Final | Verdict::Elsewhere => None,
            };
            let Some(pause) = pause else {
                return Err(failure.error);
            };
            let pause = failure.retry_after.map_or(pause, |asked| asked.max(pause / 2));
            if Instant::now() + pause >= deadline {
                return Err(failure.error);
            }
            sleep(pause).await;
            tried.clear();
        }
    }

    /// Asks one endpoint, with less where it refuses what it was asked with, and remembers what it takes.
    async fn ask_endpoint(&self, at: usize, request: &Request) -> Result<Answer, Failure> {
        let endpoint = self.endpoints.get(at);
        let known = endpoint.dialect();
        let mut dialect = known.clone();
        loop {
            match attempt::send(self, endpoint, request, &dialect).await {
                Ok(answer) => {
                    if dialect != known {
                        endpoint.learn(dialect);
                    }
                    return Ok(answer);
                }
                Err(failure) => {
                    let less = failure
                        .complaint
                        .as_ref()
                        .and_then(|complaint| dialect.without(complaint, request, &self.settings));
                    let Some(less) = less else {
                        return Err(failure);
                    };
                    tracing::debug!(
                        model = self.settings.name,
                        ?less,
                        "the provider refused a parameter"
                    );
                    dialect = less;
                }
            }
        }
    }

    /// Everything that must not be seen in a provider's words.
    fn secrets(&self) -> impl Iterator<Item = &str> {
        let key = self.settings.api_key.as_ref();
        key.into_iter()
            .chain(self.settings.headers.values())
            .map(Secret::expose)
    }
}

#[async_trait]
impl Model for HttpModel {
    fn name(&self) -> &str {
        &self.settings.name
    }

    fn price(&self, usage: Usage) -> f64 {
        (usage.prompt_tokens as f64 * self.settings.price_in
            + usage.completion_tokens as f64 * self.settings.price_out)
            / 1e6
    }

    async fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        let started = Instant::now();
        let deadline = started + self.settings.timeout;
        let mut course = Course::default();
        let asked = timeout_at(deadline, self.ask(request, deadline, &mut course)).await;
        let result = asked
            .unwrap_or(Err(ModelError::Timeout(self.settings.timeout)))
            .and_then(|answer| {
                let mut usage = answer.usage(request);
                usage.prompt_tokens += course.wasted.prompt_tokens;
                usage.completion_tokens += course.wasted.completion_tokens;
                answer.into_reply(usage, started.elapsed(), self.secrets())
            });
        let usage = result.as_ref().map_or(course.wasted, |reply| reply.usage);
        tracing::debug!(
            model = self.settings.name,
            agent = request.agent,
            attempts = course.attempts,
            prompt_tokens = usage.prompt_tokens,
            completion_tokens = usage.completion_tokens,
            milliseconds = started.elapsed().as_millis() as u64,
            error = result.as_ref().err().map(tracing::field::display),
            "model called"
        );
        result
    }
}
