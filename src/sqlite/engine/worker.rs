//! The thread of a connection: serves a session on the file, and another when the file is replaced.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use tokio::sync::mpsc;

use super::{
    Database,
    command::Operation,
    open::{self, Guarded, Identity, Purpose},
    session::{Exit, Session},
    watch::{Control, Watch},
};
use crate::{backend::BackendError, sqlite::catalog::Client, telemetry::metrics};

/// What a thread needs for all its life.
pub(super) struct Worker {
    pub(super) database: Arc<Database>,
    pub(super) control: Arc<Control>,
    pub(super) watch: Arc<Watch>,
    pub(super) client: Client,
    /// Dropped when the thread ends, and not before: the place of a session is taken for as long as it works.
    pub(super) place: ConnectionSlot,
}

/// What a session has taken of the server.
pub type ConnectionSlot = Box<dyn Any + Send>;

impl Worker {
    /// Serves a connection until its handle is gone.
    pub(super) fn serve(self, own: Guarded, identity: Identity, commands: mpsc::Receiver<Operation>) {
        self.ending(|worker| worker.serve_all(own, identity, commands));
    }

    /// Serves, and gives back what is taken of the server however that ends.
    fn ending(self, serve: impl FnOnce(&Self)) {
        // Whoever waits for a reply learns from the channels that there is none.
        let done = catch_unwind(AssertUnwindSafe(|| serve(&self)));
        if let Err(panic) = done {
            let reason = panic
                .downcast_ref::<&str>()
                .copied()
                .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            tracing::error!(reason, "a session on the SQLite file failed and ends");
            metrics::worker_failure();
        }
        self.control.end();
        drop(self.place);
    }

    fn serve_all(&self, own: Guarded, identity: Identity, mut commands: mpsc::Receiver<Operation>) {
        let mut current = Some((own, identity));
        let mut waiting: Option<Operation> = None;
        loop {
            match current.take() {
                Some((own, identity)) => {
                    let session = Session::new(self, &own, identity);
                    match session.serve(&mut commands, waiting.take()) {
                        Exit::Closed => return,
                        Exit::Replaced(operation) => waiting = Some(operation),
                    }
                }
                // Until the new file can be opened, every command fails with the reason.
                None => match self.open_anew() {
                    Ok(opened) => current = Some(opened),
                    Err(error) => {
                        if let Some(operation) = waiting.take() {
                            operation.command.fail(error);
                        }
                        waiting = commands.blocking_recv();
                        if waiting.is_none() {
                            return;
                        }
                    }
                },
            }
        }
    }

    fn open_anew(&self) -> Result<(Guarded, Identity), BackendError> {
        let path = self.database.path();
        tracing::info!(path = %path.display(), "the database file was replaced; opening it anew");
        let identity = self.database.inspect()?;
        let own = open::connect(
            path,
            self.database.options(),
            &self.watch,
            Purpose::Session(&self.client),
        )?;
        let reads_only = own.reads_only(self.database.options());
        self.control.session_context.set_file_reads_only(reads_only);
        Ok((own, identity))
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Weak, time::Duration};

    use super::*;
    use crate::sqlite::engine::{Options, command::Command, waiting};

    /// An error of our own ends the session it happens in with an error, and takes nothing with it.
    #[tokio::test]
    async fn a_panic_ends_its_session_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.db");
        rusqlite::Connection::open(&file)
            .unwrap()
            .execute_batch("CREATE TABLE t(a)")
            .unwrap();
        let database = Database::open(&file, Options::default()).unwrap();
        let control = Arc::new(Control::default());
        let place = Arc::new(());
        let taken: Weak<()> = Arc::downgrade(&place);
        let worker = Worker {
            database: Arc::clone(&database),
            control: Arc::clone(&control),
            watch: Watch::new(Arc::clone(&control), Duration::ZERO),
            client: Client {
                user: "u".into(),
                process_id: 1,
            },
            place: Box::new(place),
        };
        let (commands, mut receiver) = mpsc::channel::<Operation>(1);
        let thread = std::thread::spawn(move || {
            worker.ending(|_| {
                let _asked = receiver.blocking_recv();
                panic!("on purpose");
            });
        });
        let call = || waiting::call(&control, &commands, |reply| Command::Snapshot { reply });
        for _ in 0..2 {
            let told = call().await.unwrap_err();
            assert_eq!(
                (&*told.sqlstate, told.message.as_str()),
                ("XX000", "the session on the database file failed")
            );
        }
        thread.join().unwrap();
        assert!(taken.upgrade().is_none(), "its place is free again");
        assert!(!control.is_stuck());
        database.look().await.unwrap();
    }
}
