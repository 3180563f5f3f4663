//! Text out of a file's schema, which is any bytes.

use rusqlite::types::{FromSql, FromSqlResult, ValueRef};

/// What stands for bytes that are no UTF-8.
pub(super) const REPLACED: char = char::REPLACEMENT_CHARACTER;

/// Text of which what is not UTF-8 is replaced, so that one name in a file does not keep all others from being read.
#[derive(Debug, Clone, Default)]
pub(super) struct Lossy(pub(super) String);

impl FromSql for Lossy {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let bytes = match value {
            // Whoever wrote a schema by hand may have left bytes there.
            ValueRef::Blob(bytes) => bytes,
            value => value.as_bytes()?,
        };
        Ok(Self(String::from_utf8_lossy(bytes).into_owned()))
    }
}

/// The text in a column of a row.
pub(super) fn text(row: &rusqlite::Row<'_>, column: impl rusqlite::RowIndex) -> rusqlite::Result<String> {
    Ok(row.get::<_, Lossy>(column)?.0)
}

/// The text in a column of a row, or nothing.
pub(super) fn some_text(
    row: &rusqlite::Row<'_>,
    column: impl rusqlite::RowIndex,
) -> rusqlite::Result<Option<String>> {
    Ok(row.get::<_, Option<Lossy>>(column)?.map(|text| text.0))
}
