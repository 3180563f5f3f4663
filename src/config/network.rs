//! What the environment says by custom of the way to models: addresses, proxies, authorities.

use std::path::PathBuf;

use super::{Environment, model_api::ModelApi};

/// The port where Ollama listens.
const OLLAMA_PORT: u16 = 11_434;

impl Environment {
    /// A variable that is set and not empty.
    pub(super) fn value(&self, variable: &str) -> Option<&str> {
        let value = self.variables.get(variable)?.trim();
        (!value.is_empty()).then_some(value)
    }

    pub(super) fn has(&self, variable: &str) -> bool {
        self.value(variable).is_some()
    }

    /// The first of these variables that is set, in small or capital letters.
    fn first(&self, variables: &[&str]) -> Option<&str> {
        variables
            .iter()
            .find_map(|name| self.value(&name.to_lowercase()).or_else(|| self.value(name)))
    }
}

/// Where the models of an API are when nobody says; `None` for the provider's own address.
pub(super) fn usual_address(api: ModelApi, environment: &Environment) -> Option<String> {
    let address = environment.value(api.address_variable()?);
    match api {
        ModelApi::Ollama => Some(ollama(address.unwrap_or_default())),
        _ => address.map(str::to_owned),
    }
}

/// `OLLAMA_HOST` is what the server listens on, too: a scheme, a host and a port, each of which may be missing.
fn ollama(host: &str) -> String {
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    let rest = rest.trim_end_matches('/');
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let end_of_name = authority.rfind(']').map_or(0, |end| end + 1);
    let (name, port) = match authority[end_of_name..].find(':') {
        Some(colon) if authority.starts_with('[') || authority.matches(':').count() == 1 => {
            let colon = end_of_name + colon;
            (&authority[..colon], &authority[colon + 1..])
        }
        _ => (authority, ""),
    };
    let name = match name.trim_start_matches('[').trim_end_matches(']') {
        // Every address of this machine: one of them.
        "" | "0.0.0.0" | "::" => "127.0.0.1".to_owned(),
        address if address.contains(':') => format!("[{address}]"),
        name => name.to_owned(),
    };
    match (port, scheme) {
        ("", "https") => format!("https://{name}{path}"),
        ("", _) => format!("{scheme}://{name}:{OLLAMA_PORT}{path}"),
        (port, _) => format!("{scheme}://{name}:{port}{path}"),
    }
}

/// The proxy to a model: the chosen one, none where that is off, else the environment's for the address' scheme.
pub(super) fn proxy(chosen: &str, base_urls: &[String], environment: &Environment) -> Option<String> {
    if chosen.eq_ignore_ascii_case("off") {
        return None;
    }
    if !chosen.is_empty() {
        return Some(chosen.to_owned());
    }
    let open = base_urls.iter().any(|address| address.starts_with("http:"));
    let variables: &[&str] = if open {
        &["HTTP_PROXY", "ALL_PROXY"]
    } else {
        &["HTTPS_PROXY", "ALL_PROXY"]
    };
    environment.first(variables).map(str::to_owned)
}

/// Hosts that are reached without a proxy.
pub(super) fn no_proxy(environment: &Environment) -> Option<String> {
    environment.first(&["NO_PROXY"]).map(str::to_owned)
}

/// The file with authorities that OpenSSL's programs trust too.
pub(super) fn authorities(environment: &Environment) -> Option<PathBuf> {
    environment.value("SSL_CERT_FILE").map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_ollama_may_be_short() {
        for (host, address) in [
            ("", "http://127.0.0.1:11434"),
            ("0.0.0.0", "http://127.0.0.1:11434"),
            (":1234", "http://127.0.0.1:1234"),
            ("gpu", "http://gpu:11434"),
            ("gpu:80", "http://gpu:80"),
            ("http://gpu:80/", "http://gpu:80"),
            ("https://gpu/ollama", "https://gpu/ollama"),
            ("https://gpu:8443/ollama/", "https://gpu:8443/ollama"),
            ("[::1]:80", "http://[::1]:80"),
            ("[::1]", "http://[::1]:11434"),
            ("::1", "http://[::1]:11434"),
        ] {
            assert_eq!(ollama(host), address, "{host}");
        }
    }

    #[test]
    fn the_proxy_is_the_models_own_or_that_of_the_environment() {
        let environment = Environment {
            variables: [
                ("https_proxy", "http://small:1"),
                ("HTTPS_PROXY", "http://capital:2"),
                ("HTTP_PROXY", "http://open:3"),
            ]
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
            ..Environment::default()
        };
        for (chosen, base_url, expected) in [
            ("", "", Some("http://small:1")),
            ("", "https://a", Some("http://small:1")),
            ("", "http://a", Some("http://open:3")),
            ("http://own:4", "https://a", Some("http://own:4")),
            ("off", "https://a", None),
        ] {
            let base_urls: Vec<String> = Some(base_url.to_owned())
                .into_iter()
                .filter(|url| !url.is_empty())
                .collect();
            let proxy = proxy(chosen, &base_urls, &environment);
            assert_eq!(proxy.as_deref(), expected, "{chosen} {base_url}");
        }
    }
}
