//! The thread of a connection: serves a session on the file, and another when the file is replaced.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::{
    Database,
    command::Operation,
    open::{self, Guarded, Identity, Purpose},
    session::{Exit, Session},
    watch::{Control, Watch},
};
use crate::{backend::BackendError, catalog::Client};

/// What a thread needs for all its life.
pub(super) struct Worker {
    pub(super) database: Arc<Database>,
    pub(super) control: Arc<Control>,
    pub(super) watch: Arc<Watch>,
    pub(super) client: Client,
}

impl Worker {
    /// Serves a connection until its handle is gone.
    pub(super) fn serve(self, own: Guarded, identity: Identity, mut commands: mpsc::Receiver<Operation>) {
        let mut current = Some((own, identity));
        let mut waiting: Option<Operation> = None;
        loop {
            match current.take() {
                Some((own, identity)) => {
                    let session = Session::new(&self, &own, identity);
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
        Ok((own, identity))
    }
}
