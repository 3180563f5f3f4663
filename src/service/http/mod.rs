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
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream, lookup_host},
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_rustls::TlsAcceptor;
use tracing::{debug, warn};

use crate::{
    config::{ConsoleRole, ConsoleSettings, ListenAddress},
    service::server,
};

mod access;
mod api;
mod asking;
mod assets;
mod benchmarks;
mod callers;
mod events;
mod examples;
mod guesses;
mod health;
mod history;
mod longest_row;
mod metrics;
mod modelling;
mod own_sql;
mod page;
mod parquet;
mod pipeline;
mod recorder;
mod reply;
mod roles;
mod schema;
mod sign_in;
mod suggestions;
mod system;
mod talk;
mod visits;

pub use page::psql_options;

use access::{Access, Wire};
use api::Api;
use benchmarks::Benchmarks;
use callers::{Callers, SignedIn};
use page::Site;
use visits::Visits;

/// How long a caller may take for the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// How long a connection may stay, whatever happens on it.
const CONNECTION_TIME: Duration = Duration::from_secs(300);

/// A console that has its address but does not answer yet.
pub struct Console {
    listener: TcpListener,
    address: ListenAddress,
    router: Router,
    server: server::Handle,
    api: Api,
    /// The token that opens the pages, where the settings have none.
    token: Option<String>,
    is_encrypted: bool,
}

/// The console's address cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("the console cannot listen on {address}: {reason}")]
pub struct ConsoleError {
    address: String,
    reason: io::Error,
}

impl Console {
    /// Takes the address of the settings; `None` if they name none. `agents` is what AI agents call, behind the same checks
    /// as programs. Answers nothing before [`Console::run`].
    pub async fn bind(
        settings: &ConsoleSettings,
        server: server::Handle,
        agents: Router,
    ) -> Result<Option<Self>, ConsoleError> {
        let Some(ListenAddress::Tcp { host, port }) = &settings.address else {
            return Ok(None);
        };
        let (listener, bound) = listen(host, *port).await.map_err(|reason| ConsoleError {
            address: format!("{host}:{port}"),
            reason,
        })?;
        server.feed().open();
        let api = Api::new(server.clone());
        let open = (bound.ip().is_loopback(), settings.tls);
        let guesses = Arc::clone(&api.guesses);
        let access = Arc::new(Access::new(host, open, server.clone(), guesses));
        Ok(Some(Self {
            listener,
            address: ListenAddress::Tcp {
                host: host.clone(),
                port: bound.port(),
            },
            token: access.made().map(str::to_owned),
            is_encrypted: settings.tls,
            router: router(api.clone(), access, bound.port(), agents),
            server,
            api,
        }))
    }

    /// The address for a browser, with the port that the system chose.
    pub fn address(&self) -> String {
        let scheme = if self.is_encrypted { "https" } else { "http" };
        format!("{scheme}://{}", self.address)
    }

    /// The address with the token in it that opens the pages, if it was made for this start.
    pub fn way_in(&self) -> Option<String> {
        let token = self.token.as_deref()?;
        Some(format!("{}/?token={token}", self.address()))
    }

    /// Answers until the future is dropped, which also ends the connections. Cancel safe.
    pub async fn run(self) {
        let mut connections = JoinSet::new();
        connections.spawn(recorder::record(self.server.clone()));
        connections.spawn(events::tell(self.api));
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
            let known = SignedIn::default();
            let router = self.router.clone().layer(Extension(known.clone()));
            let caller = if self.is_encrypted {
                connections.spawn(encrypted(stream, self.server.web_tls(), from, router))
            } else {
                connections.spawn(connection(stream, from, router))
            };
            callers.come(from, known, caller);
        }
    }
}

async fn listen(host: &str, port: u16) -> io::Result<(TcpListener, SocketAddr)> {
    let candidates: Vec<_> = lookup_host((host, port)).await?.collect();
    let listener = TcpListener::bind(candidates.as_slice()).await?;
    let bound = listener.local_addr()?;
    Ok((listener, bound))
}

/// All parts of the console. Health needs no token, so that whoever starts and stops servers can ask.
fn router(api: Api, access: Arc<Access>, port: u16, agents: Router) -> Router {
    let server = api.server.clone();
    let guesses = Arc::clone(&api.guesses);
    let visits = Arc::new(Visits::new(Arc::clone(&access), port, guesses));
    // They ask with the rights of the server's own user.
    let agents = agents.layer(middleware::from_fn_with_state(
        ConsoleRole::Operate,
        roles::needed,
    ));
    let site = Site {
        server: server.clone(),
        visits: Arc::clone(&visits),
    };
    let pages = api::routes(api.clone())
        .merge(schema::routes(api.clone()))
        .merge(talk::routes(api))
        .merge(talk::conversations(Arc::clone(&visits)))
        .merge(parquet::routes())
        .merge(agents)
        .merge(modelling::routes(server.clone()))
        .merge(benchmarks::routes(Benchmarks::new(server.clone())))
        .layer(middleware::from_fn_with_state(visits, visits::program))
        .merge(page::routes(&site))
        .merge(sign_in::routes(site))
        .merge(assets::routes())
        .layer(middleware::from_fn(reply::guarded));
    metrics::routes(server.clone())
        .layer(middleware::from_fn_with_state(Arc::clone(&access), access::token))
        .merge(health::routes(server))
        .merge(pages)
        .fallback(|| async { (StatusCode::NOT_FOUND, "not found\n") })
        .layer(middleware::from_fn_with_state(access, access::origin))
}

/// Closes a connection at once where there is no certificate any more.
async fn encrypted(stream: TcpStream, acceptor: Option<TlsAcceptor>, from: IpAddr, router: Router) {
    let Some(acceptor) = acceptor else { return };
    match timeout(HEAD_TIME, acceptor.accept(stream)).await {
        Ok(Ok(stream)) => connection(stream, from, router).await,
        Ok(Err(error)) => debug!(%error, "a caller of the console cannot be spoken to in secret"),
        Err(_) => debug!("a caller of the console took too long to begin"),
    }
}

async fn connection<S: AsyncRead + AsyncWrite + Unpin>(stream: S, from: IpAddr, router: Router) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    let service = TowerToHyperService::new(router.layer(Extension(Wire(from))));
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
