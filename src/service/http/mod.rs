//! The console port: HTTP for whoever asks, watches and operates the server. Each part has a router of its own; all are behind the
//! checks of `access`.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::{Extension, Router, http::StatusCode, middleware};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream, lookup_host},
    task::{AbortHandle, JoinSet},
    time::{sleep, timeout},
};
use tracing::{debug, warn};

use crate::{
    config::{ConsoleSettings, ListenAddress},
    service::server,
};

mod access;
mod api;
mod asking;
mod assets;
mod examples;
mod health;
mod history;
mod metrics;
mod page;
mod pipeline;
mod reply;
mod schema;
mod system;
mod visits;

pub use page::psql_options;

use access::Access;
use api::{Api, Peer};
use page::Site;
use visits::Visits;

/// Callers at once. For one more, the first of those from the address that has the most goes.
const CONNECTIONS: usize = 64;
/// How long a caller may take for the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// How long a connection may stay, whatever happens on it.
const CONNECTION_TIME: Duration = Duration::from_secs(300);

/// A console that has its address but does not answer yet.
pub struct Console {
    listener: TcpListener,
    address: ListenAddress,
    router: Router,
    /// The token that opens the pages, where the settings have none.
    token: Option<String>,
}

/// The console's address cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("the console cannot listen on {address}: {reason}")]
pub struct ConsoleError {
    address: String,
    reason: io::Error,
}

impl Console {
    /// Takes the address of the settings; `None` if they name none. Answers nothing before [`Console::run`].
    pub async fn bind(
        settings: &ConsoleSettings,
        server: server::Handle,
    ) -> Result<Option<Self>, ConsoleError> {
        let Some(ListenAddress::Tcp { host, port }) = &settings.address else {
            return Ok(None);
        };
        let (listener, bound) = listen(host, *port).await.map_err(|reason| ConsoleError {
            address: format!("{host}:{port}"),
            reason,
        })?;
        let access = Arc::new(Access::new(host, bound.ip().is_loopback(), server.clone()));
        server.feed().open();
        Ok(Some(Self {
            listener,
            address: ListenAddress::Tcp {
                host: host.clone(),
                port: bound.port(),
            },
            token: access.made().map(str::to_owned),
            router: router(server, access, bound.port()),
        }))
    }

    /// The address, with the port that the system chose.
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// The address with the token in it that opens the pages, if it was made for this start.
    pub fn way_in(&self) -> Option<String> {
        let token = self.token.as_deref()?;
        Some(format!("http://{}/?token={token}", self.address))
    }

    /// Answers until the future is dropped, which also ends the connections. Cancel safe.
    pub async fn run(self) {
        let mut connections = JoinSet::new();
        let mut callers = Callers::default();
        loop {
            let (stream, from) = tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, from)) => (stream, from.ip()),
                    Err(error) => {
                        warn!(%error, "the console cannot accept");
                        sleep(Duration::from_millis(100)).await;
                        continue;
                    }
                },
                Some(_) = connections.join_next() => continue,
            };
            let caller = connections.spawn(connection(stream, from, self.router.clone()));
            callers.come(from, caller);
        }
    }
}

/// Who is connected, in the order in which they came. Callers that say nothing keep nobody out: whoever asks for health is let
/// in, and has long been answered when it would be that one's turn to go.
#[derive(Default)]
struct Callers(Vec<(IpAddr, AbortHandle)>);

impl Callers {
    fn come(&mut self, from: IpAddr, caller: AbortHandle) {
        self.0.retain(|(_, caller)| !caller.is_finished());
        if self.0.len() >= CONNECTIONS {
            let addresses: Vec<IpAddr> = self.0.iter().map(|(address, _)| *address).collect();
            if let Some(first) = first_to_go(&addresses) {
                self.0.remove(first).1.abort();
            }
        }
        self.0.push((from, caller));
    }
}

/// The first of those from the address that has the most.
fn first_to_go(addresses: &[IpAddr]) -> Option<usize> {
    let count = |address: &IpAddr| addresses.iter().filter(|other| *other == address).count();
    let most = addresses.iter().map(count).max()?;
    addresses.iter().position(|address| count(address) == most)
}

async fn listen(host: &str, port: u16) -> io::Result<(TcpListener, SocketAddr)> {
    let candidates: Vec<_> = lookup_host((host, port)).await?.collect();
    let listener = TcpListener::bind(candidates.as_slice()).await?;
    let bound = listener.local_addr()?;
    Ok((listener, bound))
}

/// All parts of the console. Health needs no token, so that whoever starts and stops servers can ask.
fn router(server: server::Handle, access: Arc<Access>, port: u16) -> Router {
    let visits = Arc::new(Visits::new(Arc::clone(&access), port));
    let site = Site {
        server: server.clone(),
        visits: Arc::clone(&visits),
    };
    let pages = api::routes(Api::new(server.clone()))
        .layer(middleware::from_fn_with_state(visits, visits::program))
        .merge(page::routes(site))
        .merge(assets::routes())
        .layer(middleware::from_fn(reply::guarded));
    metrics::routes(server.clone())
        .layer(middleware::from_fn_with_state(Arc::clone(&access), access::token))
        .merge(health::routes(server))
        .merge(pages)
        .fallback(|| async { (StatusCode::NOT_FOUND, "not found\n") })
        .layer(middleware::from_fn_with_state(access, access::origin))
}

async fn connection(stream: TcpStream, from: IpAddr, router: Router) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    let service = TowerToHyperService::new(router.layer(Extension(Peer(from))));
    match timeout(
        CONNECTION_TIME,
        http.serve_connection(TokioIo::new(stream), service),
    )
    .await
    {
        Ok(Ok(())) => {}
        Ok(Err(error)) => debug!(%error, "a caller of the console is lost"),
        Err(_) => debug!("a caller of the console stayed too long"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_the_most_goes_first() {
        let addresses = |last: &[u8]| -> Vec<IpAddr> {
            let address = |last: &u8| IpAddr::from([10, 0, 0, *last]);
            last.iter().map(address).collect()
        };
        assert_eq!(first_to_go(&addresses(&[1, 2, 3, 2])), Some(1));
        assert_eq!(first_to_go(&addresses(&[1, 2, 3])), Some(0));
        assert_eq!(first_to_go(&[]), None);
    }
}
