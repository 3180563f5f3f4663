//! One line of a file of recorded calls, written and read.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::{ModelError, Reply, Request, Usage};

/// What came of a call.
pub(super) type Outcome = Result<Reply, ModelError>;

#[derive(Serialize, Deserialize)]
struct Line {
    /// For other tools to compare by; it follows from the rest.
    #[serde(default)]
    key: String,
    model: String,
    /// The day on which it was made, in UTC; prompts tell it, and it makes no difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    request: Asked,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reply: Option<Replied>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<Failed>,
}

#[derive(Serialize, Deserialize)]
struct Asked {
    #[serde(default)]
    agent: String,
    system: String,
    user: String,
    /// The schema of the output.
    #[serde(default)]
    output: Option<Value>,
    #[serde(default)]
    temperature: f32,
    #[serde(default)]
    max_tokens: Option<u64>,
}

#[derive(Serialize, Deserialize)]
struct Replied {
    text: String,
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
    #[serde(default)]
    cut: bool,
    #[serde(default)]
    milliseconds: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Failed {
    Unreachable(String),
    Timeout {
        milliseconds: u64,
    },
    Refused {
        status: u16,
        message: String,
    },
    Overloaded {
        status: u16,
        retry_after_milliseconds: Option<u64>,
    },
    Declined(String),
    Malformed(String),
}

/// What recorders on the way to a provider write: the body of its request, and the text of its answer.
#[derive(Deserialize)]
struct Exchange {
    request: Value,
    answer: String,
}

/// What requests have in common that are the same, as 64 hexadecimal digits. Each stands for its own day: a prompt that
/// says what day it is would otherwise never come again.
pub(super) fn key(model: &str, request: &Request, today: &str) -> String {
    let of_any_day = |text: &str| text.replace(today, "{today}");
    let texts = (of_any_day(&request.system), of_any_day(&request.user));
    key_as_it_is(model, request, (&texts.0, &texts.1))
}

/// The same of a request whose day is not known.
pub(super) fn key_of_no_day(model: &str, request: &Request) -> String {
    key_as_it_is(model, request, (&request.system, &request.user))
}

fn key_as_it_is(model: &str, request: &Request, texts: (&str, &str)) -> String {
    let output = request.output.as_ref().map(|output| &output.schema);
    key_of(model, texts, output, request.temperature)
}

/// The same of the texts alone.
pub(super) fn key_of_texts(system: &str, user: &str) -> String {
    hash(&json!([system, user]))
}

fn key_of(model: &str, (system, user): (&str, &str), output: Option<&Value>, temperature: f32) -> String {
    hash(&json!([model, system, user, output, temperature.to_string()]))
}

fn hash(value: &Value) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, value.to_string().as_bytes());
    let mut text = String::new();
    for byte in digest.as_ref() {
        text.extend([byte >> 4, byte & 15].map(|half| char::from(b"0123456789abcdef"[usize::from(half)])));
    }
    text
}

/// A call as a whole line, its end included.
pub(super) fn write(model: &str, request: &Request, outcome: &Outcome, today: &str) -> String {
    let line = Line {
        key: key(model, request, today),
        model: model.to_owned(),
        date: Some(today.to_owned()),
        request: Asked {
            agent: request.agent.to_owned(),
            system: request.system.clone(),
            user: request.user.clone(),
            output: request.output.as_ref().map(|output| output.schema.clone()),
            temperature: request.temperature,
            max_tokens: request.max_tokens,
        },
        reply: outcome.as_ref().ok().map(Replied::of),
        error: outcome.as_ref().err().map(Failed::of),
    };
    let mut text = serde_json::to_string(&line).expect("texts and numbers always have a JSON form");
    text.push('\n');
    text
}

/// The key of a line's call and what came of it; `None` if the line is no call.
pub(super) fn read(text: &str) -> Option<(String, Outcome)> {
    if let Ok(line) = serde_json::from_str::<Line>(text) {
        let Asked {
            system,
            user,
            output,
            temperature,
            ..
        } = &line.request;
        let of_any_day = |text: &String| match &line.date {
            Some(date) => text.replace(date, "{today}"),
            None => text.clone(),
        };
        let texts = (of_any_day(system), of_any_day(user));
        let key = key_of(&line.model, (&texts.0, &texts.1), output.as_ref(), *temperature);
        let reply = line.reply.map(|reply| Ok(reply.into_reply()));
        return Some((key, reply.or(line.error.map(|error| Err(error.into_error())))?));
    }
    let exchange: Exchange = serde_json::from_str(text).ok()?;
    let (system, user) = texts_of_body(&exchange.request)?;
    let reply = Replied {
        text: exchange.answer,
        prompt_tokens: 0,
        completion_tokens: 0,
        cut: false,
        milliseconds: 0,
    };
    Some((key_of_texts(&system, &user), Ok(reply.into_reply())))
}

/// The system's and the user's text in the body of a request to OpenAI's or Anthropic's API.
fn texts_of_body(body: &Value) -> Option<(String, String)> {
    let text = |content: &Value| match content {
        Value::Array(parts) => {
            let parts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
            parts.join("\n")
        }
        content => content.as_str().unwrap_or_default().to_owned(),
    };
    let messages = body["messages"].as_array()?;
    let of_role = |role: &str| {
        let message = messages.iter().find(|message| message["role"] == role);
        message.map(|message| text(&message["content"]))
    };
    let system = of_role("system").unwrap_or_else(|| text(&body["system"]));
    Some((system, of_role("user")?))
}

impl Replied {
    fn of(reply: &Reply) -> Self {
        Self {
            text: reply.text.clone(),
            prompt_tokens: reply.usage.prompt_tokens,
            completion_tokens: reply.usage.completion_tokens,
            cut: reply.cut,
            milliseconds: milliseconds(reply.elapsed),
        }
    }

    fn into_reply(self) -> Reply {
        Reply {
            text: self.text,
            usage: Usage {
                prompt_tokens: self.prompt_tokens,
                completion_tokens: self.completion_tokens,
            },
            cut: self.cut,
            elapsed: Duration::from_millis(self.milliseconds),
        }
    }
}

impl Failed {
    fn of(error: &ModelError) -> Self {
        match error.clone() {
            ModelError::Unreachable(reason) => Self::Unreachable(reason),
            ModelError::Timeout(time) => Self::Timeout {
                milliseconds: milliseconds(time),
            },
            ModelError::Refused { status, message } => Self::Refused { status, message },
            ModelError::Overloaded { status, retry_after } => Self::Overloaded {
                status,
                retry_after_milliseconds: retry_after.map(milliseconds),
            },
            ModelError::Declined(reason) => Self::Declined(reason),
            ModelError::Malformed(reason) => Self::Malformed(reason),
            // No model says these of itself.
            error @ (ModelError::Budget(_) | ModelError::Unknown) => Self::Unreachable(error.to_string()),
        }
    }

    fn into_error(self) -> ModelError {
        match self {
            Self::Unreachable(reason) => ModelError::Unreachable(reason),
            Self::Timeout { milliseconds } => ModelError::Timeout(Duration::from_millis(milliseconds)),
            Self::Refused { status, message } => ModelError::Refused { status, message },
            Self::Overloaded {
                status,
                retry_after_milliseconds,
            } => ModelError::Overloaded {
                status,
                retry_after: retry_after_milliseconds.map(Duration::from_millis),
            },
            Self::Declined(reason) => ModelError::Declined(reason),
            Self::Malformed(reason) => ModelError::Malformed(reason),
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
