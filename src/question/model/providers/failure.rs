//! Why an attempt gave no answer, and what that means for the next one.

use std::time::{Duration, SystemTime};

use reqwest::{StatusCode, header::HeaderMap};
use serde_json::Value;

use crate::question::model::{ModelError, Usage, redact};

/// An attempt without an answer.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) error: ModelError,
    pub(super) verdict: Verdict,
    /// How long the provider asks to wait.
    pub(super) retry_after: Option<Duration>,
    /// What it took all the same.
    pub(super) usage: Usage,
    /// What the provider says against the request's form.
    pub(super) complaint: Option<Box<Complaint>>,
}

/// Whether another attempt may help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The same again.
    Again,
    /// At another endpoint only.
    Elsewhere,
    /// No.
    Final,
}

/// A provider's words against a request's form.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Complaint {
    /// The parameter that it names.
    pub(super) parameter: Option<String>,
    /// All it says, in lower case.
    pub(super) words: String,
    /// Whether it is about the form for sure, as a bad request is.
    pub(super) sure: bool,
}

impl Failure {
    pub(super) fn again(error: ModelError) -> Self {
        Self {
            error,
            verdict: Verdict::Again,
            retry_after: None,
            usage: Usage::default(),
            complaint: None,
        }
    }

    pub(super) fn last(error: ModelError) -> Self {
        Self {
            verdict: Verdict::Final,
            ..Self::again(error)
        }
    }

    pub(super) fn elsewhere(error: ModelError) -> Self {
        Self::again(error).only(Verdict::Elsewhere)
    }

    /// With what it took.
    pub(super) fn after(self, usage: Usage) -> Self {
        Self { usage, ..self }
    }

    /// No connection, or it broke.
    pub(super) fn unreachable<'a>(error: reqwest::Error, secrets: impl Iterator<Item = &'a str>) -> Self {
        let error = error.without_url();
        let mut words = vec![error.to_string()];
        let mut source = std::error::Error::source(&error);
        while let Some(cause) = source {
            words.push(cause.to_string());
            source = cause.source();
        }
        words.dedup();
        Self::again(ModelError::Unreachable(redact::words(&words.join(": "), secrets)))
    }

    /// An HTTP status that is no success, with what came with it.
    pub(super) fn of_status<'a>(
        status: StatusCode,
        headers: &HeaderMap,
        body: &str,
        secrets: impl Iterator<Item = &'a str>,
    ) -> Self {
        let told: Value = serde_json::from_str(body).unwrap_or_default();
        let told = match told {
            // Gemini tells errors of a stream as a list.
            Value::Array(mut list) if !list.is_empty() => list.swap_remove(0),
            told => told,
        };
        let asked = retry_after(headers).or_else(|| retry_delay(&told));
        let asked = asked.map(|asked| asked.min(LONGEST_ASKED));
        let failure = Self::of_words(status.as_u16(), &told, body, secrets);
        Self {
            retry_after: asked,
            error: match failure.error {
                ModelError::Overloaded { status, .. } => ModelError::Overloaded {
                    status,
                    retry_after: asked,
                },
                error => error,
            },
            ..failure
        }
    }

    /// An error that is told inside of a stream that had begun well.
    pub(super) fn of_event<'a>(event: &Value, secrets: impl Iterator<Item = &'a str>) -> Self {
        let error = &event["error"];
        let kind = error["type"]
            .as_str()
            .or(error["code"].as_str())
            .unwrap_or_default();
        let code = [&error["code"], &error["status"], &event["status"]]
            .into_iter()
            .find_map(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()));
        let status = match kind {
            _ if code.is_some_and(|code| (400..600).contains(&code)) => code.unwrap_or_default() as u16,
            "overloaded_error" => 529,
            "rate_limit_error" | "rate_limit_exceeded" => 429,
            "invalid_request_error" => 400,
            "authentication_error" => 401,
            "permission_error" => 403,
            "not_found_error" => 404,
            _ => 500,
        };
        Self::of_words(status, event, &event.to_string(), secrets)
    }

    fn of_words<'a>(status: u16, told: &Value, body: &str, secrets: impl Iterator<Item = &'a str>) -> Self {
        let text = message(told).unwrap_or(body);
        let code = told["error"]["code"].as_str().or(told["code"].as_str());
        let kind = told["error"]["type"].as_str().or(told["type"].as_str());
        let is = |word| code == Some(word) || kind == Some(word);
        let refused = |text: &str, secrets| ModelError::Refused {
            status,
            message: redact::words(
                if text.trim().is_empty() {
                    "no reason given"
                } else {
                    text
                },
                secrets,
            ),
        };
        let failure = match status {
            // Azure's filter in front of the model.
            400 if is("content_filter") => {
                return Self::last(ModelError::Declined(redact::words(text, secrets)));
            }
            429 if is("insufficient_quota") => Self::again(refused(text, secrets)).only(Verdict::Elsewhere),
            429 | 503 | 529 => Self::again(ModelError::Overloaded {
                status,
                retry_after: None,
            }),
            408 | 409 | 425 | 500.. => Self::again(refused(text, secrets)),
            400 | 413 | 422 => Self::last(refused(text, secrets)),
            _ => Self::again(refused(text, secrets)).only(Verdict::Elsewhere),
        };
        let complaint = matches!(status, 400 | 404 | 415 | 422 | 500 | 501).then(|| Complaint {
            parameter: told["error"]["param"].as_str().map(str::to_owned),
            words: body.to_lowercase(),
            sure: matches!(status, 400 | 422),
        });
        Self {
            complaint: complaint.map(Box::new),
            ..failure
        }
    }

    fn only(self, verdict: Verdict) -> Self {
        Self { verdict, ..self }
    }
}

/// The words for people in what a provider tells, in the forms that there are.
fn message(told: &Value) -> Option<&str> {
    [
        &told["error"]["message"],
        &told["error"],
        &told["message"],
        &told["detail"],
        &told["detail"][0]["msg"],
    ]
    .into_iter()
    .find_map(Value::as_str)
}

/// The longest rest that may be asked for; more is a mistake, or meant to be one.
const LONGEST_ASKED: Duration = Duration::from_secs(86_400);

/// `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3), or in milliseconds as some providers send it.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(milliseconds) = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok()) {
        return Duration::try_from_secs_f64(milliseconds / 1e3).ok();
    }
    let text = text("retry-after")?;
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let until = httpdate::parse_http_date(text).ok()?;
    Some(until.duration_since(SystemTime::now()).unwrap_or(Duration::ZERO))
}

/// The same as Gemini says it (`google.rpc.RetryInfo`): `"34.5s"`.
fn retry_delay(told: &Value) -> Option<Duration> {
    let details = told["error"]["details"].as_array()?;
    let delay = details.iter().find_map(|detail| detail["retryDelay"].as_str())?;
    Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
}
