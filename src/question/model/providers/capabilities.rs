//! What an endpoint takes of the parameters that providers differ in. It is learned from what they refuse.

use super::failure::Complaint;
use crate::{
    config::{ModelSettings, StructuredOutput},
    question::model::Request,
};

/// What to ask an endpoint with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Capabilities {
    /// How JSON is asked for.
    pub(super) form: Form,
    /// Whether an answer was JSON when the schema was sent. Some servers take a schema and do not heed it.
    pub(super) proven: bool,
    /// Whether it takes a temperature.
    pub(super) temperature: bool,
    /// What it calls the limit of tokens; `None` if it takes none.
    pub(super) limit: Option<&'static str>,
    /// Whether it takes a reasoning effort.
    pub(super) reasoning: bool,
    /// Whether it may be asked to tell its usage in a stream.
    pub(super) usage: bool,
    /// Whether it streams.
    pub(super) stream: bool,
}

/// How JSON is asked for, the strictest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// With a grammar that knows the names of the schema too.
    Grammar,
    /// With the schema; Anthropic: as the input of a tool that must be called.
    Schema,
    /// As any object; Anthropic: with the schema, as the format of its output.
    Object,
    /// In words alone.
    Prompt,
}

/// The older name of the limit, which compatible servers know, and the newer one.
pub(super) const LIMIT_NAMES: [&str; 2] = ["max_tokens", "max_completion_tokens"];

impl Capabilities {
    /// What is tried first.
    pub(super) fn first(settings: &ModelSettings, limit: &'static str) -> Self {
        Self {
            form: match settings.structured_output {
                StructuredOutput::Grammar => Form::Grammar,
                StructuredOutput::Auto | StructuredOutput::Schema => Form::Schema,
                StructuredOutput::Json => Form::Object,
                StructuredOutput::Off => Form::Prompt,
            },
            proven: false,
            temperature: true,
            limit: Some(limit),
            reasoning: true,
            usage: true,
            stream: true,
        }
    }

    /// The same without what was refused; `None` if the refusal is about something else.
    pub(super) fn without(
        &self,
        complaint: &Complaint,
        request: &Request,
        settings: &ModelSettings,
    ) -> Option<Self> {
        // A prompt that is too long, and a bad key, name what they are not about.
        let other = [
            "context length",
            "context_length",
            "context size",
            "context window",
            "api key",
            "api_key",
        ];
        if other.iter().any(|words| complaint.words.contains(words)) {
            return None;
        }
        let named = |names: &[&str]| match &complaint.parameter {
            Some(parameter) => names.iter().any(|name| parameter.contains(name)),
            None => names.iter().any(|name| complaint.words.contains(name)),
        };
        let less = self.clone();
        let reasons = settings.reasoning_effort.is_some() && self.reasoning;
        if self.asks_for_json(request)
            && named(&[
                "response_format",
                "json_schema",
                "json_object",
                "response_schema",
                "responseschema",
                "response_mime_type",
                "responsemimetype",
                "output_config",
                "output_format",
                "tool_choice",
                "tools",
                "input_schema",
                "guided",
                "grammar",
                "schema",
            ])
            && !(reasons && complaint.words.contains("effort"))
        {
            return less.less_form(settings);
        }
        if reasons && named(&["reasoning", "effort", "thinking", "output_config"]) {
            return Some(Self {
                reasoning: false,
                ..less
            });
        }
        if self.temperature && named(&["temperature"]) {
            return Some(Self {
                temperature: false,
                ..less
            });
        }
        if self.usage && named(&["stream_options", "include_usage"]) {
            return Some(Self { usage: false, ..less });
        }
        if let Some(limit) = self.limit.filter(|limit| named(&[limit])) {
            // OpenAI names the other one in the same breath.
            let renamed = LIMIT_NAMES
                .into_iter()
                .find(|other| *other != limit && complaint.words.contains(other));
            return Some(Self {
                limit: renamed,
                ..less
            });
        }
        if self.stream && named(&["stream"]) {
            return Some(Self {
                stream: false,
                usage: false,
                ..less
            });
        }
        if complaint.sure && complaint.parameter.is_none() && self.asks_for_json(request) {
            return less.less_form(settings);
        }
        None
    }

    /// Learns from a good answer whether a schema is heeded; where it is not, the prompt will hold it.
    pub(super) fn judge(&mut self, json: Option<bool>, settings: &ModelSettings) {
        match json {
            Some(true) if self.form == Form::Schema => self.proven = true,
            Some(false)
                if self.form == Form::Schema
                    && !self.proven
                    && settings.structured_output == StructuredOutput::Auto =>
            {
                self.form = Form::Object;
            }
            _ => {}
        }
    }

    fn asks_for_json(&self, request: &Request) -> bool {
        request.output.is_some() && self.form != Form::Prompt
    }

    fn less_form(self, settings: &ModelSettings) -> Option<Self> {
        let form = match (settings.structured_output, self.form) {
            (StructuredOutput::Schema | StructuredOutput::Grammar, _) | (_, Form::Prompt) => return None,
            (_, Form::Grammar | Form::Schema) => Form::Object,
            (_, Form::Object) => Form::Prompt,
        };
        Some(Self { form, ..self })
    }
}
