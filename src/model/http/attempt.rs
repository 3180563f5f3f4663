//! One request to one endpoint: sent, and its answer read as it comes. Dropping it closes the connection.

use std::time::Duration;

use reqwest::Response;
use serde_json::Value;
use tokio::time::timeout;

use super::{
    HttpModel,
    answer::{Answer, End, MOST_TOKENS},
    anthropic,
    dialect::{Dialect, Form},
    endpoint::Endpoint,
    events::Events,
    failure::Failure,
    gemini, openai,
};
use crate::model::{Api, ModelError, Request};

/// Bytes of an error that are read.
const MOST_OF_ERROR: usize = 64 << 10;
/// Bytes of a body beside those of its tokens.
const MOST_OVERHEAD: u64 = 1 << 20;
/// Bytes that a streamed token may take, with everything that is said around it.
const BYTES_PER_TOKEN: u64 = 2 << 10;
/// How long the end of a body may take that has told everything, so that its connection serves again.
const TAIL: Duration = Duration::from_secs(1);

/// What a request is made from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) request: &'a Request,
    /// The provider's name of the model.
    pub(super) model: &'a str,
    /// What was learned of the endpoint.
    pub(super) dialect: &'a Dialect,
    /// The limit of tokens, if there is one.
    pub(super) most_tokens: Option<u64>,
    /// How much it may think.
    pub(super) effort: Option<&'a str>,
}

impl Asked<'_> {
    /// The system prompt; with the schema where the provider is not told of it.
    pub(super) fn system(&self) -> String {
        let Some(output) = self.request.output.as_ref().filter(|_| self.needs_words()) else {
            return self.request.system.clone();
        };
        format!(
            "{}\n\nAnswer with one JSON object and nothing else. Its JSON schema:\n{}",
            self.request.system, output.schema
        )
        .trim_start()
        .to_owned()
    }

    fn needs_words(&self) -> bool {
        self.dialect.form != Form::Schema
    }

    /// The temperature without what a float of 32 bits adds to it; `None` where none is taken.
    pub(super) fn temperature(&self) -> Option<f64> {
        let rounded = (f64::from(self.request.temperature) * 1e3).round() / 1e3;
        self.dialect.temperature.then_some(rounded)
    }
}

/// Asks and reads.
pub(super) async fn send(
    model: &HttpModel,
    endpoint: &Endpoint,
    request: &Request,
    dialect: &Dialect,
) -> Result<Answer, Failure> {
    let settings = &model.settings;
    let most_tokens = match (request.max_tokens, settings.max_tokens) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    };
    let asked = Asked {
        request,
        model: &settings.model,
        dialect,
        most_tokens,
        effort: settings.reasoning_effort.as_deref().filter(|_| dialect.reasoning),
    };
    let body = match settings.api {
        Api::OpenAi | Api::Ollama => openai::body(&asked),
        Api::Anthropic => anthropic::body(&asked),
        Api::Gemini => gemini::body(&asked),
    };
    let address = match dialect.stream {
        true => &endpoint.address.stream,
        false => &endpoint.address.whole,
    };
    let sent = model.client.post(address.clone()).json(&body).send();
    let silence = settings.first_byte_timeout;
    let response = timeout(silence, sent)
        .await
        .map_err(|_| Failure::again(ModelError::Timeout(silence)))?
        .map_err(|error| Failure::unreachable(error, model.secrets()))?;
    if response.status().is_success() {
        return read(model, response, &asked).await;
    }
    let (status, headers) = (response.status(), response.headers().clone());
    let text = timeout(silence, error_text(response)).await.unwrap_or_default();
    Err(Failure::of_status(status, &headers, &text, model.secrets()))
}

/// What an error's body says, as far as it comes.
async fn error_text(mut response: Response) -> String {
    let mut text = vec![];
    while let Ok(Some(bytes)) = response.chunk().await {
        text.extend_from_slice(&bytes);
        if text.len() > MOST_OF_ERROR {
            text.truncate(MOST_OF_ERROR);
            break;
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

async fn read(model: &HttpModel, mut response: Response, asked: &Asked<'_>) -> Result<Answer, Failure> {
    let silence = model.settings.first_byte_timeout;
    let most_tokens = asked.most_tokens.unwrap_or(MOST_TOKENS);
    let mut left = MOST_OVERHEAD.saturating_add(most_tokens.saturating_mul(BYTES_PER_TOKEN));
    let mut events = Events::default();
    let mut answer = Answer::default();
    let mut understood = false;
    loop {
        let broken = |error| answer.broken(asked.request, error);
        let bytes = match timeout(silence, response.chunk()).await {
            Err(_) => return Err(broken(ModelError::Timeout(silence))),
            Ok(Err(error)) if !answer.has_ended() => {
                let usage = broken(ModelError::Unknown).usage;
                return Err(Failure::unreachable(error, model.secrets()).after(usage));
            }
            // It had said everything.
            Ok(Err(_) | Ok(None)) => break,
            Ok(Ok(Some(bytes))) => bytes,
        };
        let size = bytes.len() as u64;
        if size > left || events.push(&bytes).is_err() {
            return Err(endless(&answer, asked));
        }
        left -= size;
        while let Some(data) = events.next() {
            take(model, &data, &mut answer, asked)?;
            understood = true;
            if answer.complete {
                tokio::spawn(timeout(TAIL, end_of(response)));
                return Ok(answer);
            }
        }
        if answer.surely_written() > most_tokens {
            answer.end(End::Length);
            return Ok(answer);
        }
    }
    let whole = events.is_whole();
    if let Some(data) = events.rest() {
        take(model, &data, &mut answer, asked)?;
        understood = true;
    }
    if answer.has_ended() {
        return Ok(answer);
    }
    if whole || !understood {
        let error = ModelError::Malformed("what came is not in the provider's format".into());
        return Err(Failure::elsewhere(error));
    }
    let error = ModelError::Unreachable("the answer broke off".into());
    Err(answer.broken(asked.request, error))
}

fn endless(answer: &Answer, asked: &Asked<'_>) -> Failure {
    let error = ModelError::Malformed("an endless answer".into());
    Failure::last(error).after(answer.broken(asked.request, ModelError::Unknown).usage)
}

/// Reads what is left of a body, which should be its end.
async fn end_of(mut response: Response) {
    let mut pieces = 0;
    while let Ok(Some(_)) = response.chunk().await {
        pieces += 1;
        if pieces > 8 {
            return;
        }
    }
}

/// Takes one event, or a whole body where the server does not stream.
fn take(model: &HttpModel, data: &str, answer: &mut Answer, asked: &Asked<'_>) -> Result<(), Failure> {
    if data.trim() == "[DONE]" {
        answer.complete = true;
        return Ok(());
    }
    for value in serde_json::Deserializer::from_str(data).into_iter::<Value>() {
        let Ok(value) = value else {
            let error = ModelError::Malformed("what came is not the JSON that was expected".into());
            return Err(answer.broken(asked.request, error));
        };
        let list = match value {
            Value::Array(list) => list,
            value => vec![value],
        };
        for event in &list {
            if !event["error"].is_null() {
                let usage = answer.broken(asked.request, ModelError::Unknown).usage;
                return Err(Failure::of_event(event, model.secrets()).after(usage));
            }
            match model.settings.api {
                Api::OpenAi | Api::Ollama => openai::read(event, answer),
                Api::Anthropic => anthropic::read(event, answer),
                Api::Gemini => gemini::read(event, answer),
            }
        }
    }
    Ok(())
}
