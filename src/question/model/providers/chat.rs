//! A model that is asked for text.

use async_trait::async_trait;

use super::{
    Http, Task,
    answer::{Answer, estimated_prompt},
    attempt,
    endpoint::Endpoint,
    failure::Failure,
};
use crate::question::model::{Model, ModelError, Reply, Request, Usage};

/// A model behind one or more endpoints that speak the same.
#[derive(Debug)]
pub(super) struct Chat {
    http: Http,
}

impl Chat {
    pub(super) fn new(http: Http) -> Self {
        Self { http }
    }
}

#[async_trait]
impl Model for Chat {
    fn name(&self) -> &str {
        &self.http.settings.name
    }

    fn price(&self, usage: Usage) -> f64 {
        let settings = &self.http.settings;
        (usage.prompt_tokens as f64 * settings.price_in + usage.completion_tokens as f64 * settings.price_out)
            / 1e6
    }

    async fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        self.complete_counted(request).await.0
    }

    async fn complete_counted(&self, request: &Request) -> (Result<Reply, ModelError>, Option<Usage>) {
        let (answer, statistics, elapsed) = self.http.call(request).await;
        let reply =
            answer.and_then(|answer| answer.into_reply(statistics.usage, elapsed, self.http.secrets()));
        (reply, Some(statistics.usage))
    }
}

impl Task for Request {
    type Output = Answer;

    fn agent(&self) -> &'static str {
        self.agent
    }

    fn expected(&self) -> u64 {
        estimated_prompt(self)
    }

    fn usage(&self, answer: &Answer) -> Usage {
        answer.usage(self)
    }

    /// Asks with less where the endpoint refuses what it was asked with, and remembers what it takes.
    async fn send(&self, http: &Http, endpoint: &Endpoint) -> Result<Answer, Failure> {
        let known = endpoint.capabilities();
        let mut capabilities = known.clone();
        loop {
            let failure = match attempt::send(http, endpoint, self, &capabilities).await {
                Ok(answer) => {
                    if self.output.is_some() {
                        capabilities.judge(answer.is_json(), &http.settings);
                    }
                    if capabilities != known {
                        tracing::debug!(
                            model = http.settings.name,
                            ?capabilities,
                            "learned what the provider takes"
                        );
                        endpoint.learn(capabilities);
                    }
                    return Ok(answer);
                }
                Err(failure) => failure,
            };
            let complaint = failure.complaint.as_deref();
            let less = complaint.and_then(|complaint| capabilities.without(complaint, self, &http.settings));
            match less {
                Some(less) => capabilities = less,
                None => return Err(failure),
            }
        }
    }
}
