//! Models behind HTTP: one call goes to one of the endpoints, to the next where that one fails, and again after a
//! pause where all have failed.

use std::{future::Future, sync::Arc, time::Duration};

use backon::{BackoffBuilder, ExponentialBuilder};
use tokio::time::{Instant, sleep, timeout_at};

use super::{Embedder, ModelError, ModelSetupError, SharedModel, Usage, embedder::SharedEmbedder};
use crate::config::{ModelApi, ModelSettings, Secret};
pub(super) use answer::estimated_prompt;
use chat::Chat;
use embeddings::Embeddings;
use endpoint::{Endpoint, Endpoints};
use failure::{Failure, Verdict};
use limits::Limits;
use provider::Provider;

mod address;
mod answer;
mod anthropic;
mod attempt;
mod body;
mod capabilities;
mod chat;
mod client;
mod embeddings;
mod endpoint;
mod events;
mod failure;
mod gemini;
mod gemini_schema;
mod limits;
mod ollama;
mod openai;
mod provider;
mod reasoning;
#[cfg(test)]
mod tests;

/// The pause after the first round of failures, about; the next ones double.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The longest pause that was not asked for by the provider.
const LONGEST_PAUSE: Duration = Duration::from_secs(20);

/// How each interface is spoken to.
fn provider_of(api: ModelApi) -> &'static dyn Provider {
    match api {
        ModelApi::OpenAi => &openai::OpenAi,
        ModelApi::Anthropic => &anthropic::Anthropic,
        ModelApi::Gemini => &gemini::Gemini,
        ModelApi::Ollama => &ollama::Ollama,
    }
}

/// Makes what the settings say callable. Nothing is sent yet.
pub fn connect(settings: ModelSettings) -> Result<SharedModel, ModelSetupError> {
    Ok(Arc::new(Chat::new(Http::new(settings)?)))
}

/// Makes a model that turns texts into vectors callable. Nothing is sent yet.
pub fn connect_embedder(settings: ModelSettings) -> Result<SharedEmbedder, ModelSetupError> {
    if !provider_of(settings.api).embeds() {
        let embed = |api: &&ModelApi| provider_of(**api).embeds();
        let embedding = ModelApi::ALL.iter().filter(embed);
        let embedding: Vec<_> = embedding.map(|api| api.name()).collect();
        return Err(ModelSetupError::Setting {
            model: settings.name,
            setting: "api",
            reason: format!("has no embeddings; take one of {}", embedding.join(", ")),
        });
    }
    let embedder: Arc<dyn Embedder> = Arc::new(Embeddings::new(Http::new(settings)?));
    Ok(embedder)
}

/// The endpoints of one model, and how they are spoken to.
#[derive(Debug)]
struct Http {
    settings: ModelSettings,
    provider: &'static dyn Provider,
    client: reqwest::Client,
    endpoints: Endpoints,
    limits: Limits,
}

/// Something to ask of a model. Each is asked as often as it takes.
trait Task: Sync {
    type Output: Send;

    /// Which agent asks, as the log names it.
    fn agent(&self) -> &'static str;

    /// Tokens that it will read, about.
    fn expected(&self) -> u64;

    /// What it took, as far as is known.
    fn usage(&self, output: &Self::Output) -> Usage;

    /// Asks one endpoint once.
    fn send(
        &self,
        http: &Http,
        endpoint: &Endpoint,
    ) -> impl Future<Output = Result<Self::Output, Failure>> + Send;
}

/// How a call went.
#[derive(Debug, Default)]
struct CallStatistics {
    attempts: u32,
    /// What all attempts took: providers charge for those too that gave no answer.
    usage: Usage,
}

impl Http {
    fn new(settings: ModelSettings) -> Result<Self, ModelSetupError> {
        let provider = provider_of(settings.api);
        Ok(Self {
            client: client::build(&settings, provider)?,
            endpoints: Endpoints::new(&settings, provider)?,
            provider,
            limits: Limits::new(&settings)?,
            settings,
        })
    }

    /// Does it within the time that a call may take, and logs how that went.
    async fn call<T: Task>(&self, task: &T) -> (Result<T::Output, ModelError>, CallStatistics, Duration) {
        let started = Instant::now();
        let deadline = started + self.settings.timeout;
        let mut statistics = CallStatistics::default();
        let done = timeout_at(deadline, self.attempts(task, deadline, &mut statistics)).await;
        let result = done.unwrap_or(Err(ModelError::Timeout(self.settings.timeout)));
        let elapsed = started.elapsed();
        tracing::debug!(
            model = self.settings.name,
            agent = task.agent(),
            attempts = statistics.attempts,
            prompt_tokens = statistics.usage.prompt_tokens,
            completion_tokens = statistics.usage.completion_tokens,
            milliseconds = elapsed.as_millis() as u64,
            error = result.as_ref().err().map(tracing::field::display),
            "model called"
        );
        (result, statistics, elapsed)
    }

    /// Asks until there is an answer, no retry is left, or the next pause would end behind the deadline.
    async fn attempts<T: Task>(
        &self,
        task: &T,
        deadline: Instant,
        statistics: &mut CallStatistics,
    ) -> Result<T::Output, ModelError> {
        let mut pauses = ExponentialBuilder::new()
            .with_min_delay(FIRST_PAUSE)
            .with_max_delay(LONGEST_PAUSE)
            .with_max_times(self.settings.retries as usize)
            .with_jitter()
            .build();
        let mut tried = vec![];
        loop {
            let at = self.endpoints.choose(&tried);
            let rest = self.endpoints.asked_rest(at);
            if Instant::now() + rest >= deadline {
                return Err(self.endpoints.why_it_rests(at, rest));
            }
            sleep(rest).await;
            let result = {
                let _turn = self.limits.turn(task.expected()).await;
                statistics.attempts += 1;
                task.send(self, self.endpoints.get(at)).await
            };
            let usage = match &result {
                Ok(output) => task.usage(output),
                Err(failure) => failure.usage,
            };
            statistics.usage.add(usage);
            self.limits.note(task.expected(), usage);
            let failure = match result {
                Ok(output) => {
                    self.endpoints.works(at);
                    return Ok(output);
                }
                Err(failure) => failure,
            };
            if failure.verdict == Verdict::Final {
                return Err(failure.error);
            }
            self.endpoints.failed(at, failure.retry_after, &failure.error);
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
            // Not all at the same moment, when many were told to wait as long.
            let asked = failure
                .retry_after
                .filter(|_| matches!(failure.error, ModelError::Overloaded { .. }));
            let pause = asked.map_or(pause, |asked| asked + pause.min(asked / 4));
            if Instant::now() + pause >= deadline {
                return Err(failure.error);
            }
            sleep(pause).await;
            tried.clear();
        }
    }

    /// Everything that must not be seen in a provider's words.
    fn secrets(&self) -> impl Iterator<Item = &str> {
        let key = self.settings.key.secret();
        key.into_iter()
            .chain(self.settings.headers.values())
            .map(Secret::expose)
    }
}
