//! Questions and agents' runs as spans of OpenTelemetry, with the names of its conventions for generative models.
//! No words of a question, a prompt or an answer are in them.

use std::time::{Duration, SystemTime};

use opentelemetry::{
    Context, KeyValue,
    trace::{Span as _, SpanKind, Status, TraceContextExt, Tracer as _, TracerProvider as _},
};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{
    Resource,
    trace::{SdkTracer, SdkTracerProvider},
};
use tracing::warn;

use super::{Ending, Run, TraceError, export::Sender};

/// How long the last spans may take.
const LAST_WORDS: Duration = Duration::from_secs(5);
/// How long the collector has for a batch of spans.
const BATCH_TIME: Duration = Duration::from_secs(10);

/// A collector's spans.
#[derive(Debug)]
pub(super) struct Spans {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

/// One question's span; the agents' are its children.
#[derive(Debug)]
pub(super) struct QuestionSpan {
    tracer: SdkTracer,
    context: Context,
}

impl Spans {
    /// For the collector at this address; `/v1/traces` is added to one without a path.
    pub(super) fn start(endpoint: &str) -> Result<Self, TraceError> {
        let wrong = |error: &dyn std::fmt::Display| TraceError::Collector(error.to_string());
        let mut address = reqwest::Url::parse(endpoint).map_err(|error| wrong(&error))?;
        if !matches!(address.scheme(), "http" | "https") {
            return Err(wrong(&"write http://HOST:PORT or https://HOST:PORT"));
        }
        if address.path() == "/" {
            address.set_path("/v1/traces");
        }
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Sender::new().map_err(|error| wrong(&error))?)
            .with_endpoint(address.as_str())
            .with_timeout(BATCH_TIME)
            .build()
            .map_err(|error| wrong(&error))?;
        let resource = Resource::builder()
            .with_service_name("querent")
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource)
            .build();
        Ok(Self {
            tracer: provider.tracer("querent"),
            provider,
        })
    }

    pub(super) fn question(&self, session: u64) -> QuestionSpan {
        let span = self
            .tracer
            .span_builder("question")
            .with_kind(SpanKind::Server)
            .with_attributes([KeyValue::new("querent.session", number(session))])
            .start(&self.tracer);
        QuestionSpan {
            tracer: self.tracer.clone(),
            context: Context::new().with_span(span),
        }
    }

    pub(super) async fn finish(&self) {
        let provider = self.provider.clone();
        let ended = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(LAST_WORDS));
        if let Ok(Err(error)) = ended.await {
            warn!(%error, "the last spans could not be sent");
        }
    }
}

impl QuestionSpan {
    pub(super) fn ran(&self, run: &Run<'_>, now: SystemTime) {
        let mut attributes = vec![
            KeyValue::new("gen_ai.agent.name", run.agent.to_owned()),
            KeyValue::new("querent.attempt", number(run.attempt as u64)),
        ];
        let (name, kind) = match run.model {
            Some(model) => {
                attributes.extend([
                    KeyValue::new("gen_ai.operation.name", "chat"),
                    KeyValue::new("gen_ai.request.model", model.to_owned()),
                    KeyValue::new("gen_ai.usage.input_tokens", number(run.prompt_tokens)),
                    KeyValue::new("gen_ai.usage.output_tokens", number(run.completion_tokens)),
                ]);
                (format!("chat {model}"), SpanKind::Client)
            }
            None => (run.agent.to_owned(), SpanKind::Internal),
        };
        let begun = now.checked_sub(run.elapsed).unwrap_or(now);
        let mut span = self
            .tracer
            .span_builder(name)
            .with_kind(kind)
            .with_start_time(begun)
            .with_attributes(attributes)
            .start_with_context(&self.tracer, &self.context);
        if run.outcome != "ok" {
            // What went wrong may quote the question or the database; of a model's its kind is enough.
            let kind = run.model.map_or("_OTHER".to_owned(), |_| kind_of(run.outcome));
            span.set_attribute(KeyValue::new("error.type", kind));
            span.set_status(Status::error(""));
        }
        span.end_with_timestamp(now);
    }

    pub(super) fn end(self, ending: &Ending<'_>) {
        let span = self.context.span();
        span.set_attribute(KeyValue::new("querent.outcome", ending.outcome.to_owned()));
        span.set_attribute(KeyValue::new("querent.tier", ending.tier.to_owned()));
        span.set_attribute(KeyValue::new("querent.model_calls", number(ending.model_calls)));
        if let Some(confidence) = ending.confidence {
            span.set_attribute(KeyValue::new("querent.confidence", confidence));
        }
        if !ending.sqlstate.is_empty() {
            span.set_attribute(KeyValue::new("error.type", ending.sqlstate.to_owned()));
            span.set_status(Status::error(""));
        }
        span.end();
    }
}

/// Up to the first colon: `unreachable: …` is `unreachable`.
fn kind_of(outcome: &str) -> String {
    let kind = outcome.split(':').next().unwrap_or_default();
    kind.chars().take(40).collect()
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
