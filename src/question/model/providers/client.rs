//! The HTTP client: rustls with ring, the system's authorities and a private one, a proxy only where one is set.

use std::{sync::Arc, time::Duration};

use reqwest::{
    Client, NoProxy, Proxy,
    header::{HeaderMap, HeaderName, HeaderValue},
    redirect::Policy,
};
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring::default_provider,
    pki_types::{
        CertificateDer,
        pem::{self, PemObject},
    },
};

use super::provider::Provider;
use crate::{
    config::{ModelSettings, Secret},
    question::model::{ModelSetupError, redact},
};

/// How long a connection may take to come about.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a connection stays open that nobody uses.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// What is never reached through a proxy.
const HERE: &str = "localhost,127.0.0.0/8,::1";

pub(super) fn build(settings: &ModelSettings, provider: &dyn Provider) -> Result<Client, ModelSetupError> {
    let mut builder = Client::builder()
        // The environment is read in one place only, and not here.
        .no_proxy()
        // A key goes to nobody but the address that was configured.
        .redirect(Policy::none())
        .user_agent(concat!("querent/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(IDLE_TIMEOUT)
        .tcp_nodelay(true)
        .default_headers(headers(settings, provider)?)
        .tls_backend_preconfigured(tls(settings)?);
    if let Some(address) = settings.proxy.as_ref().map(Secret::expose) {
        let besides = match &settings.no_proxy {
            Some(hosts) => format!("{HERE},{hosts}"),
            None => HERE.to_owned(),
        };
        let proxy = Proxy::all(address).map_err(|error| ModelSetupError::Address {
            model: settings.name.clone(),
            address: redact::address(address),
            reason: error.without_url().to_string(),
        })?;
        builder = builder.proxy(proxy.no_proxy(NoProxy::from_string(&besides)));
    }
    builder.build().map_err(|error| ModelSetupError::Setting {
        model: settings.name.clone(),
        setting: "its HTTP client",
        reason: format!("cannot be made: {}", error.without_url()),
    })
}

/// The key as the provider wants it, and what else is configured. All of it is secret.
fn headers(settings: &ModelSettings, provider: &dyn Provider) -> Result<HeaderMap, ModelSetupError> {
    let mut headers = HeaderMap::new();
    let mut add = |name: &str, value: String| {
        let wrong = |_| ModelSetupError::Header {
            model: settings.name.clone(),
            header: name.to_owned(),
        };
        let key = HeaderName::try_from(name).map_err(|error| wrong(error.to_string()))?;
        let mut value = HeaderValue::try_from(value).map_err(|error| wrong(error.to_string()))?;
        value.set_sensitive(true);
        headers.insert(key, value);
        Ok(())
    };
    if let Some(key) = settings.key.secret() {
        let (name, value) = provider.key_header(key.expose());
        add(name, value)?;
    }
    for (name, value) in provider.headers() {
        add(name, (*value).to_owned())?;
    }
    for (name, value) in &settings.headers {
        add(name, value.expose().to_owned())?;
    }
    Ok(headers)
}

fn tls(settings: &ModelSettings) -> Result<ClientConfig, ModelSetupError> {
    let wrong = |reason| ModelSetupError::Certificates {
        model: settings.name.clone(),
        reason,
    };
    let mut roots = RootCertStore::empty();
    // What cannot be read of the system's authorities is no authority.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if let Some(file) = &settings.ca {
        let read = CertificateDer::pem_file_iter(file)
            .and_then(Iterator::collect::<Result<Vec<_>, pem::Error>>)
            .map_err(|error| wrong(format!("cannot read {}: {error}", file.display())))?;
        if roots.add_parsable_certificates(read).0 == 0 {
            return Err(wrong(format!("{} holds no certificate", file.display())));
        }
    }
    let mut config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}
