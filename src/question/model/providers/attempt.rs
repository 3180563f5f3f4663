//! One request to one endpoint: sent, and its answer read as it comes. Dropping it closes the connection.

use std::time::Duration;

use reqwest::Response;
use serde_json::Value;
use tokio::time::timeout;

use super::{
    Http,
    answer::{Answer, End, MOST_TOKENS},
    body,
    capabilities::{Capabilities, Form},
    endpoint::Endpoint,
    events::Events,
    failure::Failure,
};
use crate::question::model::{ModelError, Request};

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
    pub(super) capabilities: &'a Capabilities,
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
        !matches!(self.capabilities.form, Form::Grammar | Form::Schema)
    }

    /// The temperature without what a float of 32 bits adds to it; `None` where none is taken.
    pub(super) fn temperature(&self) -> Option<f64> {
        let rounded = (f64::from(self.request.temperature) * 1e3).round() / 1e3;
        self.capabilities.temperature.then_some(rounded)
    }
}

/// Asks and reads.
pub(super) async fn send(
    http: &Http,
    endpoint: &Endpoint,
    request: &Request,
    capabilities: &Capabilities,
) -> Result<Answer, Failure> {
    let settings = &http.settings;
    let most_tokens = match (request.max_tokens, settings.max_tokens) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    };
    let effort = settings.reasoning_effort.as_deref();
    let asked = Asked {
        request,
        model: &settings.model,
        capabilities,
        most_tokens,
        effort: effort.filter(|_| capabilities.reasoning),
    };
    let json = http.provider.body(&asked);
    let address = if capabilities.stream {
        &endpoint.address.stream
    } else {
        &endpoint.address.whole
    };
    let response = body::send(http, address, &json).await?;
    let mut answer = Answer::default();
    let read = read(http, response, &asked, &mut answer).await;
    // What came before it failed is paid for.
    read.map_err(|failure| failure.after(answer.usage_if_begun(request)))?;
    Ok(answer)
}

async fn read(
    http: &Http,
    mut response: Response,
    asked: &Asked<'_>,
    answer: &mut Answer,
) -> Result<(), Failure> {
    let most_tokens = asked.most_tokens.unwrap_or(MOST_TOKENS);
    let mut left = MOST_OVERHEAD.saturating_add(most_tokens.saturating_mul(BYTES_PER_TOKEN));
    let mut events = Events::default();
    let mut understood = false;
    loop {
        let bytes = match body::piece(http, &mut response).await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => break,
            // It had said everything.
            Err(_) if answer.has_ended() => break,
            Err(failure) => return Err(failure),
        };
        let size = bytes.len() as u64;
        if size > left || events.push(&bytes).is_err() {
            return Err(Failure::last(ModelError::Malformed("an endless answer".into())));
        }
        left -= size;
        while let Some(data) = events.next() {
            take(http, &data, answer)?;
            understood = true;
            if answer.complete {
                tokio::spawn(timeout(TAIL, end_of(response)));
                return Ok(());
            }
        }
        if answer.surely_written() > most_tokens {
            answer.end(End::Length);
            return Ok(());
        }
    }
    let whole = events.is_whole();
    if let Some(data) = events.rest() {
        take(http, &data, answer)?;
        understood = true;
    }
    if answer.has_ended() {
        return Ok(());
    }
    if whole || !understood {
        let error = ModelError::Malformed("what came is not in the provider's format".into());
        return Err(Failure::elsewhere(error));
    }
    Err(Failure::again(ModelError::Unreachable(
        "the answer broke off".into(),
    )))
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
fn take(http: &Http, data: &str, answer: &mut Answer) -> Result<(), Failure> {
    if data.trim() == "[DONE]" {
        answer.complete = true;
        return Ok(());
    }
    for value in serde_json::Deserializer::from_str(data).into_iter::<Value>() {
        let value = value.map_err(|_| {
            Failure::again(ModelError::Malformed(
                "what came is not the JSON that was expected".into(),
            ))
        })?;
        let list = match value {
            Value::Array(list) => list,
            value => vec![value],
        };
        for event in &list {
            if !event["error"].is_null() {
                return Err(Failure::of_event(event, http.secrets()));
            }
            http.provider.read(event, answer);
        }
    }
    Ok(())
}
