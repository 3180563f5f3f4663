//! Names that are longer than PostgreSQL keeps, told and cut off before anybody reads a statement. Those that the file has
//! all the same, which other programs have made, stay as they are.

use std::{borrow::Cow, sync::Arc};

use crate::{
    backend::{BackendError, Value},
    statement::{self, Dialect},
    wire::{Fields, Severity},
};

use super::{error::SessionError, run::Session};

/// Tables, indexes and columns with such names.
const KEPT: &str = "SELECT relname FROM pg_catalog.pg_class WHERE octet_length(relname) > 63 \
                    UNION ALL SELECT attname FROM pg_catalog.pg_attribute WHERE octet_length(attname) > 63";

impl Session {
    /// A client's text with its long names cut off.
    pub(super) async fn with_short_names<'t>(&mut self, text: &'t str) -> Result<Cow<'t, str>, SessionError> {
        if self.settings.querent().dialect == Dialect::Sqlite
            || statement::truncated(text, &self.options(), |_| false).is_none()
        {
            return Ok(text.into());
        }
        let connection = Arc::clone(&self.connection);
        let kept: Vec<String> = self
            .work(async move {
                let mut found = connection.run(KEPT, vec![]).await?;
                let names = found.next(0).await?.rows.into_iter().flatten();
                Ok::<_, BackendError>(
                    names
                        .filter_map(|name| match name {
                            Value::Text(name) => String::from_utf8(name).ok(),
                            _ => None,
                        })
                        .collect(),
                )
            })
            .await?;
        let exists = |name: &str| kept.iter().any(|kept| kept.eq_ignore_ascii_case(name));
        let Some(cut) = statement::truncated(text, &self.options(), exists) else {
            return Ok(text.into());
        };
        for (name, kept) in cut.names {
            let message = format!("identifier \"{name}\" will be truncated to \"{kept}\"");
            self.notice(&Fields::new(Severity::Notice, "42622", message));
        }
        Ok(cut.text.into())
    }
}
