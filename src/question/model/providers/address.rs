//! Where requests go, from what people write as a base URL.

use std::fmt;

use reqwest::Url;

use super::provider::Provider;
use crate::{
    config::ModelSettings,
    question::model::{ModelSetupError, redact},
};

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
pub(super) fn of(settings: &ModelSettings, provider: &dyn Provider) -> Result<Vec<Address>, ModelSetupError> {
    if settings.base_urls.is_empty() {
        return Ok(vec![from_base(settings, provider, provider.own_address())?]);
    }
    settings
        .base_urls
        .iter()
        .map(|base| from_base(settings, provider, base))
        .collect()
}

fn from_base(
    settings: &ModelSettings,
    provider: &dyn Provider,
    base: &str,
) -> Result<Address, ModelSetupError> {
    let base = parse(provider, base.trim()).map_err(|reason| ModelSetupError::Address {
        model: settings.name.clone(),
        address: redact::address(base),
        reason,
    })?;
    let model = &settings.model;
    Ok(Address {
        stream: provider.chat_address(&base, model, true),
        whole: provider.chat_address(&base, model, false),
        embeddings: provider.embeddings_address(&base, model),
    })
}

/// An address below another; its query stays.
pub(super) fn below(base: &Url, path: &[&str]) -> Url {
    let mut url = base.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.extend(path);
    }
    url
}

/// The base with its version, without what people add to it.
fn parse(provider: &dyn Provider, base: &str) -> Result<Url, String> {
    let mut url = Url::parse(base).map_err(|error| error.to_string())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("it must begin with http:// or https://".into());
    }
    let mut path = url.path().trim_end_matches('/').to_owned();
    for tail in ["/chat/completions", "/messages", "/embeddings"] {
        path.truncate(path.strip_suffix(tail).unwrap_or(&path).len());
    }
    let version = provider.missing_version(&path);
    url.set_path(&format!("{path}{version}"));
    Ok(url)
}
