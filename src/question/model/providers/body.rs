//! A request on its way, and the body of its answer. Nobody waits for a silent provider for ever.

use reqwest::{Response, Url};
use serde_json::Value;
use tokio::time::timeout;

use super::{Http, failure::Failure};
use crate::question::model::ModelError;

/// Bytes of an error that are read.
const MOST_OF_ERROR: usize = 64 << 10;

/// Sends JSON; an answer that is no success is a failure.
pub(super) async fn send(http: &Http, address: &Url, request: &Value) -> Result<Response, Failure> {
    let sent = http.client.post(address.clone()).json(request).send();
    let silence = http.settings.first_byte_timeout;
    let response = timeout(silence, sent)
        .await
        .map_err(|_| Failure::again(ModelError::Timeout(silence)))?
        .map_err(|error| Failure::unreachable(error, http.secrets()))?;
    if response.status().is_success() {
        return Ok(response);
    }
    let (status, headers) = (response.status(), response.headers().clone());
    // Its status says enough where no words come.
    let text = timeout(silence, error_text(response)).await.unwrap_or_default();
    Err(Failure::of_status(status, &headers, &text, http.secrets()))
}

/// What an error's body says, as far as it comes.
async fn error_text(mut response: Response) -> String {
    let mut text = vec![];
    while let Ok(Some(bytes)) = response.chunk().await {
        text.extend_from_slice(&bytes);
        if text.len() > MOST_OF_ERROR {
            text.truncate(MOST_OF_ERROR);
            break;
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// The next piece of a body; `None` at its end.
pub(super) async fn piece(http: &Http, response: &mut Response) -> Result<Option<bytes::Bytes>, Failure> {
    let silence = http.settings.first_byte_timeout;
    match timeout(silence, response.chunk()).await {
        Err(_) => Err(Failure::again(ModelError::Timeout(silence))),
        Ok(Err(error)) => Err(Failure::unreachable(error, http.secrets())),
        Ok(Ok(piece)) => Ok(piece),
    }
}

/// A body as a whole.
pub(super) async fn whole(http: &Http, mut response: Response, most: usize) -> Result<Vec<u8>, Failure> {
    let mut whole = vec![];
    while let Some(piece) = piece(http, &mut response).await? {
        whole.extend_from_slice(&piece);
        if whole.len() > most {
            return Err(Failure::last(ModelError::Malformed("an endless answer".into())));
        }
    }
    Ok(whole)
}
