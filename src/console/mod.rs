//! The console port: HTTP for whoever operates the server. Each part has a router of its own; all are behind the
//! checks of `access`.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, http::StatusCode, middleware};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream, lookup_host},
    sync::Semaphore,
    task::JoinSet,
    time::{sleep, timeout},
};
use tracing::{debug, warn};

use crate::{
    config::{ConsoleSettings, ListenAddress},
    server,
};

mod access;
mod health;
mod metrics;
mod page;

pub use page::psql_options;

use access::Access;

/// Callers at once; others wait.
const CONNECTIONS: usize = 64;
/// How long a caller may take for the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// How long a connection may stay, whatever happens on it.
const CONNECTION_TIME: Duration = Duration::from_secs(300);

/// A console that has its address but does not answer yet.
pub struct Console {
    listener: TcpListener,
    address: ListenAddress,
    router: Router,
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
        let access = Access::new(host, bound.ip().is_loopback(), server.clone());
        Ok(Some(Self {
            listener,
            address: ListenAddress::Tcp {
                host: host.clone(),
                port: bound.port(),
            },
            router: router(server, access),
        }))
    }

    /// The address, with the port that the system chose.
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// Answers until the future is dropped, which also ends the connections. Cancel safe.
    pub async fn run(self) {
        let slots = Arc::new(Semaphore::new(CONNECTIONS));
        let mut connections = JoinSet::new();
        loop {
            let slot = Arc::clone(&slots).acquire_owned().await;
            let stream = tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    Err(error) => {
                        warn!(%error, "the console cannot accept");
                        sleep(Duration::from_millis(100)).await;
                        continue;
                    }
                },
                Some(_) = connections.join_next() => continue,
            };
            let router = self.router.clone();
            connections.spawn(async move {
                let _slot = slot;
                connection(stream, router).await;
            });
        }
    }
}

async fn listen(host: &str, port: u16) -> io::Result<(TcpListener, SocketAddr)> {
    let candidates: Vec<_> = lookup_host((host, port)).await?.collect();
    let listener = TcpListener::bind(candidates.as_slice()).await?;
    let bound = listener.local_addr()?;
    Ok((listener, bound))
}

/// All parts of the console. Health needs no token, so that whoever starts and stops servers can ask; without one the
/// first page tells no more.
fn router(server: server::Handle, access: Access) -> Router {
    let access = Arc::new(access);
    metrics::routes(server.clone())
        .layer(middleware::from_fn_with_state(Arc::clone(&access), access::token))
        .merge(health::routes(server))
        .merge(page::routes(Arc::clone(&access)))
        .fallback(|| async { (StatusCode::NOT_FOUND, "not found\n") })
        .layer(middleware::from_fn_with_state(access, access::origin))
}

async fn connection(stream: TcpStream, router: Router) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    let service = TowerToHyperService::new(router);
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
