//! COPY … TO STDOUT in text and CSV (PostgreSQL manual, "COPY", file formats).

use bytes::{BufMut, BytesMut};

use crate::{
    backend::{ResultColumn, Value},
    pgtypes::{Format, encode_value, styles::Styles, text_of},
    statement::{Copy, CopyFormat, CopySource, sqlite_lexer},
};

use super::{
    copy_options,
    copy_reader::Spelling,
    error::SessionError,
    portal::{Outcome, Rows, Tag},
    run::Session,
    sql::Sql,
};

const CHUNK: usize = 1_000;
/// Signature, flags and the length of what may follow.
const BINARY_HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";

/// How a line is written and read.
pub(super) struct Layout {
    csv: bool,
    delimiter: char,
    null: String,
    quote: char,
    escape: char,
    /// One per column.
    force_quote: Vec<bool>,
}

impl Session {
    pub(super) async fn copy_out(
        &mut self,
        sql: &Sql,
        copy: &Copy,
        parameters: Vec<Value>,
    ) -> Result<Outcome, SessionError> {
        copy_options::check(copy, true)?;
        if copy.options.header_match {
            let message = "cannot use \"match\" with HEADER in COPY TO";
            return Err(SessionError::failed("0A000", message));
        }
        let (query, before) = match &copy.source {
            CopySource::Query(span) => (sql.part(*span), String::new()),
            CopySource::Table { table, columns } => {
                let names: Vec<_> = columns
                    .iter()
                    .map(|column| column_text(sql, column.written))
                    .collect();
                let table = sql.part(table.written);
                let own = self.columns_not_computed(&table, columns).await?;
                let columns = if !names.is_empty() {
                    names.join(", ")
                } else if let Some(own) = own {
                    let quoted = own.iter().map(|name| sqlite_lexer::quote(name));
                    quoted.collect::<Vec<_>>().join(", ")
                } else {
                    "*".to_owned()
                };
                (table, format!("SELECT {columns} FROM "))
            }
        };
        let started = self.run_sql(&query, &before, parameters).await?;
        if started.cursor.columns().is_empty() {
            let message = "COPY query must have a RETURNING clause";
            return Err(SessionError::failed("0A000", message));
        }
        let mut outcome = self.database_outcome(&query, started, Tag::Empty);
        let columns = std::mem::take(&mut outcome.columns);
        let copied: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        copy_options::check_columns(copy, &copied, None)?;
        let layout = Layout::new(copy, &columns)?;
        let binary = copy.options.format == CopyFormat::Binary;
        self.client.out.copy_out(columns.len(), binary);
        // A message of its own for each row. The header of the binary format is no row: as PostgreSQL sends it, it
        // opens the first message, whatever that holds, and there are clients who rely on it.
        let mut opening = BytesMut::new();
        if binary {
            opening.put_slice(BINARY_HEADER);
        } else if copy.options.header {
            let names: Vec<_> = columns.iter().map(|column| Some(column.name.clone())).collect();
            let line = layout.line(&names, true);
            self.client.out.copy_data(line.as_bytes());
        }
        let opening = binary.then_some(opening);
        let sent = self
            .copy_rows(&mut outcome.rows, &columns, &layout, opening)
            .await;
        outcome.rows.ended_by(&sent);
        let count = sent?;
        self.client.out.copy_done();
        Ok(Outcome::words(format!("COPY {count}")))
    }

    /// Sends a message for each row, and returns how many there were. In the binary format the first message begins
    /// with `opening`, and an end comes after the last.
    async fn copy_rows(
        &mut self,
        rows: &mut Rows,
        columns: &[ResultColumn],
        layout: &Layout,
        mut opening: Option<BytesMut>,
    ) -> Result<u64, SessionError> {
        let mut count = 0_u64;
        loop {
            let (rows, done) = self.next_rows(rows, CHUNK).await?;
            for row in &rows {
                if let Some(opening) = &mut opening {
                    let mut message = std::mem::take(opening);
                    put_tuple(row, columns, &mut message)?;
                    self.client.out.copy_data(&message);
                    self.flush_if_full().await?;
                    continue;
                }
                let texts = row
                    .iter()
                    .zip(columns)
                    .map(|(value, column)| text_of(value, column.ty, self.settings.styles()))
                    .collect::<Result<Vec<_>, _>>()?;
                self.client.out.copy_data(layout.line(&texts, false).as_bytes());
                self.flush_if_full().await?;
            }
            count += rows.len() as u64;
            if done {
                break;
            }
        }
        if let Some(mut message) = opening {
            message.put_i16(-1);
            self.client.out.copy_data(&message);
        }
        Ok(count)
    }
}

/// A row in the binary format.
fn put_tuple(row: &[Value], columns: &[ResultColumn], out: &mut BytesMut) -> Result<(), SessionError> {
    out.put_i16(columns.len() as i16);
    for (value, column) in row.iter().zip(columns) {
        encode_value(value, column.ty, Format::Binary, &Styles::default(), out)?;
    }
    Ok(())
}

fn column_text(sql: &Sql, span: crate::statement::Span) -> String {
    sql.part(span).as_str().to_owned()
}

/// Options that change nothing here.
pub(super) fn is_harmless(name: &str, value: &str) -> bool {
    let value = value.trim_matches('\'').to_ascii_lowercase();
    name == "encoding" && matches!(value.as_str(), "utf8" | "utf-8" | "unicode")
}

impl Layout {
    pub(super) fn new(copy: &Copy, columns: &[ResultColumn]) -> Result<Self, SessionError> {
        let options = &copy.options;
        let csv = match options.format {
            // Binary values have no layout.
            CopyFormat::Text | CopyFormat::Binary => false,
            CopyFormat::Csv => true,
        };
        let one = |text: &Option<String>, name: &str, default: char| match text {
            None => Ok(default),
            Some(text) => {
                let mut characters = text.chars();
                match (characters.next(), characters.next()) {
                    (Some(c), None) if c.is_ascii() && !matches!(c, '\r' | '\n') => Ok(c),
                    _ => Err(SessionError::failed(
                        "0A000",
                        format!("COPY {name} must be a single one-byte character"),
                    )),
                }
            }
        };
        let quote = one(&options.quote, "quote", '"')?;
        let all = options.force_quote.iter().any(|name| name == "*");
        Ok(Self {
            csv,
            delimiter: one(&options.delimiter, "delimiter", if csv { ',' } else { '\t' })?,
            null: options
                .null
                .clone()
                .unwrap_or_else(|| if csv { "" } else { "\\N" }.to_owned()),
            quote,
            escape: one(&options.escape, "escape", quote)?,
            force_quote: columns
                .iter()
                .map(|column| all || options.force_quote.contains(&column.name))
                .collect(),
        })
    }

    /// How lines are read.
    pub(super) fn spelling(&self) -> Spelling {
        Spelling {
            csv: self.csv,
            delimiter: self.delimiter as u8,
            null: self.null.clone().into_bytes(),
            quote: self.quote as u8,
            escape: self.escape as u8,
        }
    }

    fn line(&self, texts: &[Option<String>], header: bool) -> String {
        let mut line = String::new();
        for (at, text) in texts.iter().enumerate() {
            if at > 0 {
                line.push(self.delimiter);
            }
            match text {
                None => line.push_str(&self.null),
                Some(text) if self.csv => {
                    self.csv_field(text, self.force_quote[at] && !header, texts.len() == 1, &mut line);
                }
                Some(text) => self.text_field(text, &mut line),
            }
        }
        line.push('\n');
        line
    }

    fn csv_field(&self, text: &str, force: bool, alone: bool, line: &mut String) {
        let special = |c: char| c == self.delimiter || c == self.quote || matches!(c, '\n' | '\r');
        // `\.` alone on a line would end the data.
        if !(force || text == self.null || text.contains(special) || (alone && text == "\\.")) {
            line.push_str(text);
            return;
        }
        line.push(self.quote);
        for c in text.chars() {
            if c == self.quote || c == self.escape {
                line.push(self.escape);
            }
            line.push(c);
        }
        line.push(self.quote);
    }

    fn text_field(&self, text: &str, line: &mut String) {
        for c in text.chars() {
            match c {
                '\\' => line.push_str("\\\\"),
                '\n' => line.push_str("\\n"),
                '\r' => line.push_str("\\r"),
                '\t' => line.push_str("\\t"),
                '\u{8}' => line.push_str("\\b"),
                '\u{b}' => line.push_str("\\v"),
                '\u{c}' => line.push_str("\\f"),
                c if c == self.delimiter => {
                    line.push('\\');
                    line.push(c);
                }
                c => line.push(c),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        backend::SqlType,
        statement::{CopyOptions, CopyTarget, Span},
    };

    fn check(options: CopyOptions, texts: &[Option<&str>], expected: &str) {
        let copy = Copy {
            source: CopySource::Query(Span::default()),
            target: CopyTarget::ToClient,
            options,
        };
        let columns: Vec<_> = (0..texts.len())
            .map(|at| crate::backend::column(&format!("c{at}"), SqlType::Text))
            .collect();
        let texts: Vec<_> = texts.iter().map(|text| text.map(str::to_owned)).collect();
        assert_eq!(
            Layout::new(&copy, &columns).unwrap().line(&texts, false),
            expected
        );
    }

    #[test]
    fn lines_are_postgresql_s() {
        let text = CopyOptions::default();
        check(
            text.clone(),
            &[Some("a\tb\\"), None, Some("x\ny")],
            "a\\tb\\\\\t\\N\tx\\ny\n",
        );
        let csv = CopyOptions {
            format: CopyFormat::Csv,
            ..text.clone()
        };
        check(
            csv.clone(),
            &[Some("a,b"), None, Some("say \"hi\""), Some("")],
            "\"a,b\",,\"say \"\"hi\"\"\",\"\"\n",
        );
        check(csv.clone(), &[Some("\\.")], "\"\\.\"\n");
        let forced = CopyOptions {
            force_quote: vec!["c1".into()],
            null: Some("-".into()),
            ..csv
        };
        check(forced, &[Some("a"), Some("b"), None], "a,\"b\",-\n");
    }
}
