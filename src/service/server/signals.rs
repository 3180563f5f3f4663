//! What the server does when it is sent a signal. Reading the settings is never in the way of stopping: their files may lie
//! where nothing answers.

use std::{io, sync::Arc, thread, time::Duration};

use tokio::{
    runtime,
    signal::unix::{Signal, SignalKind, signal},
    sync::oneshot,
    task::JoinSet,
    time::timeout,
};
use tracing::{info, warn};

use super::{Handle, ServerError};
use crate::config::{ConfigError, Settings};

/// How long settings are read before the log tells that they are not there yet.
const READING: Duration = Duration::from_secs(5);

/// The signals that the server obeys, from the moment on in which this is made.
pub(super) struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hangup: Signal,
}

impl Signals {
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// Drains at SIGTERM and SIGINT, and takes new settings at SIGHUP, for as long as `tasks` lives.
    pub(super) fn obey(
        self,
        handle: &Handle,
        reload: impl Fn() -> Result<Settings, ConfigError> + Send + Sync + 'static,
        tasks: &mut JoinSet<()>,
    ) {
        let Self {
            mut terminate,
            mut interrupt,
            mut hangup,
        } = self;
        let (stopped, reloaded) = (handle.clone(), handle.clone());
        tasks.spawn(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            stopped.drain();
        });
        let reload = Arc::new(reload);
        tasks.spawn(async move {
            while hangup.recv().await.is_some() {
                let (reload, handle) = (Arc::clone(&reload), reloaded.clone());
                aside(SETTINGS, move || take(reload(), &handle)).await;
                let handle = reloaded.clone();
                aside(MODELS, move || {
                    runtime::Handle::current().block_on(take_models(&handle));
                })
                .await;
                // The new models count already; nobody who sends the next signal waits for what follows from them.
                let handle = reloaded.clone();
                tokio::spawn(async move { handle.prepare_meanings().await });
            }
        });
    }
}

/// What the log tells of settings and of semantic models that are not there in time.
const SETTINGS: &str = "settings not reloaded: they, or a file that they name, cannot be read in 5s; the old ones stay until they can";
const MODELS: &str =
    "semantic models not reloaded: they cannot be read and checked in 5s; the last good ones stay until then";

/// Works on a thread that nobody waits for at the end, as the runtime would for one of its own. What is not done in time is
/// told as `late`.
async fn aside(late: &str, work: impl FnOnce() + Send + 'static) {
    let (done, mut ended) = oneshot::channel::<()>();
    let runtime = runtime::Handle::current();
    let spawned = thread::Builder::new().name("reload".into()).spawn(move || {
        let _done = done;
        let _inside = runtime.enter();
        work();
    });
    if let Err(error) = spawned {
        warn!(%error, "nothing reloaded");
        return;
    }
    if timeout(READING, &mut ended).await.is_err() {
        warn!("{late}");
        // Its end is all that comes.
        let _ = ended.await;
    }
}

fn take(settings: Result<Settings, ConfigError>, handle: &Handle) {
    let taken = settings
        .and_then(|settings| handle.settings().check_reload(&settings).map(|()| settings))
        .map_err(ServerError::from)
        .and_then(|settings| handle.reload(settings));
    match taken {
        Ok(()) => info!("settings reloaded"),
        Err(error) => warn!(%error, "settings not reloaded"),
    }
}

/// A model that was mended counts although the settings are not.
async fn take_models(handle: &Handle) {
    if let Err(error) = handle.take_meanings().await {
        warn!(%error, "semantic models not reloaded; the last good ones stay");
    }
}
