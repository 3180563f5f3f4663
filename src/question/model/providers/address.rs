//! Where requests go, from what people write as a base URL.

use std::fmt;

use reqwest::Url;

use crate::question::model::{Api, ModelSettings, ModelSetupError, redact};

/// The addresses of one endpoint.
#[derive(Clone, PartialEq)]
pub(super) struct Address {
    /// Where questions go whose answers are streamed.
    pub(super) stream: Url,
    /// Where questions go whose answers come whole.
    pub(super) whole: Url,
    /// Where texts go that become vectors.
    pub(super) embeddings: Url,
}

/// Users, passwords and queries may be secret.
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&redact::address(self.whole.as_str()))
    }
}

/// The addresses of all endpoints, in the order of the settings.
pub(super) fn of(settings: &ModelSettings) -> Result<Vec<Address>, ModelSetupError> {
    if settings.base_urls.is_empty() {
        return Ok(vec![from_base(settings, own(settings.api))?]);
    }
    settings
        .base_urls
        .iter()
        .map(|base| from_base(settings, base))
        .collect()
}

/// The provider's own address.
fn own(api: Api) -> &'static str {
    match api {
        Api::OpenAi => "https://api.openai.com/v1",
        Api::Anthropic => "https://api.anthropic.com/v1",
        Api::Gemini => "https://generativelanguage.googleapis.com/v1beta",
        Api::Ollama => "http://127.0.0.1:11434/v1",
    }
}

fn from_base(settings: &ModelSettings, base: &str) -> Result<Address, ModelSetupError> {
    let url = parse(settings.api, base.trim()).map_err(|reason| ModelSetupError::Address {
        model: settings.name.clone(),
        address: redact::address(base),
        reason,
    })?;
    let model = settings.model.trim_start_matches("models/");
    let below = |tail: &[&str]| {
        let mut url = url.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.extend(tail);
        }
        url
    };
    Ok(match settings.api {
        Api::OpenAi | Api::Ollama => Address {
            stream: below(&["chat", "completions"]),
            whole: below(&["chat", "completions"]),
            embeddings: below(&["embeddings"]),
        },
        Api::Anthropic => Address {
            stream: below(&["messages"]),
            whole: below(&["messages"]),
            embeddings: below(&["embeddings"]),
        },
        Api::Gemini => {
            let mut stream = below(&["models", &format!("{model}:streamGenerateContent")]);
            stream.query_pairs_mut().append_pair("alt", "sse");
            Address {
                stream,
                whole: below(&["models", &format!("{model}:generateContent")]),
                embeddings: below(&["models", &format!("{model}:batchEmbedContents")]),
            }
        }
    })
}

/// The base with its scheme and version, without what people add to it.
fn parse(api: Api, base: &str) -> Result<Url, String> {
    let with_scheme = match base {
        base if base.contains("://") => base.to_owned(),
        base => format!("http://{base}"),
    };
    let mut url = Url::parse(&with_scheme).map_err(|error| error.to_string())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("it must begin with http:// or https://".into());
    }
    // As Ollama itself reads OLLAMA_HOST.
    if api == Api::Ollama && !base.contains("://") && url.port().is_none() && !base.contains(":80") {
        url.set_port(Some(11434)).map_err(|()| "it has no host")?;
    }
    let mut path = url.path().trim_end_matches('/').to_owned();
    for tail in ["/chat/completions", "/messages", "/embeddings"] {
        path.truncate(path.strip_suffix(tail).unwrap_or(&path).len());
    }
    let version = match api {
        // Gateways have paths of their own.
        Api::OpenAi if path.is_empty() => "/v1",
        Api::Ollama | Api::Anthropic if !path.ends_with("/v1") => "/v1",
        Api::Gemini if !path.contains("/v1") => "/v1beta",
        _ => "",
    };
    url.set_path(&format!("{path}{version}"));
    Ok(url)
}
