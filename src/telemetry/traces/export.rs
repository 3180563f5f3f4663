//! How spans travel: by our own HTTP client, on the server's runtime, whoever waits for them.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use reqwest::{Client, redirect::Policy};
use rustls::{ClientConfig, RootCertStore, crypto::ring::default_provider};
use tokio::runtime::Handle;
use tracing::{info, warn};

use crate::telemetry::Outage;

/// How long a request may take, its answer included.
const REQUEST_TIME: Duration = Duration::from_secs(10);
/// The longest answer of a collector that is read, in bytes.
const LONGEST_ANSWER: usize = 1 << 20;

/// Sends what OpenTelemetry's thread hands it.
#[derive(Debug, Clone)]
pub(super) struct Sender {
    client: Client,
    runtime: Handle,
    outage: Arc<Outage>,
}

impl Sender {
    /// On the present runtime.
    pub(super) fn new() -> Result<Self, String> {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let tls = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let client = Client::builder()
            .no_proxy()
            .redirect(Policy::none())
            .timeout(REQUEST_TIME)
            .tls_backend_preconfigured(tls)
            .build()
            .map_err(|error| error.to_string())?;
        Ok(Self {
            client,
            runtime: Handle::current(),
            outage: Arc::default(),
        })
    }

    async fn exchange(self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let request = request.try_into()?;
        let mut answer = self.client.execute(request).await?;
        let mut response = Response::builder().status(answer.status());
        if let Some(headers) = response.headers_mut() {
            *headers = std::mem::take(answer.headers_mut());
        }
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await? {
            if body.len() + chunk.len() > LONGEST_ANSWER {
                return Err("the collector's answer has no end".into());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(response.body(body.into())?)
    }

    /// Tells when sending begins to fail, and when it works again.
    fn note(&self, outcome: &Result<Response<Bytes>, HttpError>) {
        let error = match outcome {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("HTTP {}", answer.status())),
            Err(error) => Some(error.to_string()),
        };
        match error {
            Some(error) if self.outage.begins(1) => {
                warn!(error, "the collector of otlp_endpoint takes no spans");
            }
            Some(_) => {}
            None => {
                if let Some(lost_batches) = self.outage.ends() {
                    info!(lost_batches, "the collector of otlp_endpoint takes spans again");
                }
            }
        }
    }
}

#[async_trait]
impl HttpClient for Sender {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        // Whoever waits here has no runtime.
        let sent = self.runtime.spawn(self.clone().exchange(request)).await;
        let outcome = sent.unwrap_or_else(|error| Err(error.into()));
        self.note(&outcome);
        outcome
    }
}
