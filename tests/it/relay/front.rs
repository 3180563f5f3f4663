//! A Querent in this process, in front of a PostgreSQL server.

use std::path::Path;

use querent::{
    config::{Environment, Settings},
    postgres::upstream,
    service::server::{Handle, Server, ServerError},
};
use tempfile::TempDir;

/// A running Querent; dropping it ends it and takes its folder along.
pub(crate) struct Front {
    pub(crate) handle: Handle,
    /// Where it listens on TCP.
    pub(crate) port: u16,
    /// Where its configuration is, and its unix socket if `FOLDER` is listened on.
    pub(crate) folder: TempDir,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Front {
    /// In front of the server at this address, with these lines of configuration. `FOLDER` in them is the front's
    /// own folder.
    pub(crate) fn start(address: &str, toml: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let server: upstream::Server = address.parse().unwrap();
        let settings = settings(folder.path(), toml);
        let (sender, receiver) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let server = Server::bind(server, settings).await.unwrap();
                sender.send((server.handle(), server.addresses())).unwrap();
                server.run().await;
            });
        });
        let (handle, addresses) = receiver.recv().unwrap();
        let port = addresses
            .iter()
            .find_map(|address| address.rsplit_once(':')?.1.parse().ok())
            .unwrap_or(0);
        Self {
            handle,
            port,
            folder,
            thread: Some(thread),
        }
    }

    /// Why it does not start.
    pub(crate) async fn refusal(address: &str, toml: &str) -> ServerError {
        let folder = tempfile::tempdir().unwrap();
        let server: upstream::Server = address.parse().unwrap();
        match Server::bind(server, settings(folder.path(), toml)).await {
            Err(error) => error,
            Ok(_) => panic!("it starts: {address} {toml}"),
        }
    }

    /// Takes other lines of configuration, as SIGHUP does.
    pub(crate) fn reload(&self, toml: &str) -> Result<(), ServerError> {
        self.handle.reload(settings(self.folder.path(), toml))
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.handle.drain();
        if let Some(thread) = self.thread.take()
            && !std::thread::panicking()
        {
            thread.join().unwrap();
        }
    }
}

/// Settings as a configuration file gives them; without a `listen` line, any free port.
fn settings(folder: &Path, toml: &str) -> Settings {
    let file = folder.join("querent.toml");
    let listen = if toml.contains("listen") {
        ""
    } else {
        "listen = [\"127.0.0.1:0\"]\n"
    };
    let toml = toml.replace("FOLDER", folder.to_str().unwrap());
    std::fs::write(&file, format!("{listen}{toml}")).unwrap();
    Settings::load(Some(&file), &Environment::default(), &[]).unwrap()
}
