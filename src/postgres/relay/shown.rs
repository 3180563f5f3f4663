//! SHOW of Querent's own settings: a query stands for it, and it ends as SHOW does.

use std::{io, sync::Arc};

use bytes::{BufMut, BytesMut};

use super::{
    exchange::{Disposition, Reply, ReplyTo, Sent, StatementOrigin},
    session::Session,
    side_query::put,
};
use crate::{question::schema::Dialect, service::conversation::Report};

impl Session {
    /// What `SHOW querent.name` returns, as a query.
    pub(super) fn show(&self, name: &str) -> String {
        let value = self
            .conversation
            .show(name)
            .or_else(|| self.shared.service.config().show(&self.settings, name))
            .unwrap_or_default();
        Report::of_text(&format!("querent.{name}"), &value).to_sql(Dialect::Postgres)
    }

    /// Execute of what was prepared for one.
    pub(super) async fn execute_shown(&mut self, body: &[u8]) -> io::Result<()> {
        self.see_answers().await?;
        let mut sent = Sent::default();
        sent.count(StatementOrigin::Shown);
        let mut frame = BytesMut::new();
        put(&mut frame, b'E', |out| out.put_slice(body));
        let reply = Reply::new(ReplyTo::Execute, Disposition::Asked(Arc::new(sent)));
        self.exchange.send(b'E', &frame, Some(reply));
        Ok(())
    }
}
