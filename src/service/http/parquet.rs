//! Rows as a Parquet file. The page that has them sends them: rows are kept nowhere else.

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    extract::DefaultBodyLimit,
    http::{
        StatusCode,
        header::{CONTENT_DISPOSITION, CONTENT_TYPE},
    },
    response::{IntoResponse, Response},
    routing::post,
};
use parquet::{
    basic::{LogicalType, Repetition, Type as Physical},
    data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type},
    errors::ParquetError,
    file::writer::SerializedFileWriter,
    schema::types::Type,
};
use serde::Deserialize;

use super::reply;

/// More than any answer has that is shown, as JSON.
const BYTES: usize = 48 << 20;
/// Digits that a floating-point number keeps.
const DIGITS: usize = 15;

pub(super) fn routes() -> Router {
    Router::new()
        .route("/api/v1/parquet", post(parquet))
        .layer(DefaultBodyLimit::max(BYTES))
}

/// Rows as the page has them.
#[derive(Deserialize)]
struct Rows {
    columns: Vec<String>,
    rows: Vec<Vec<Option<String>>>,
}

/// What a column holds, by its values.
enum Column {
    Whole(Vec<i64>),
    Number(Vec<f64>),
    Text(Vec<ByteArray>),
}

async fn parquet(body: Bytes) -> Response {
    let rows = match serde_json::from_slice::<Rows>(&body) {
        Ok(rows) if rows.rows.iter().all(|row| row.len() == rows.columns.len()) => rows,
        _ => {
            return reply::error(
                StatusCode::BAD_REQUEST,
                "there are no columns and rows of as many values",
                None,
            );
        }
    };
    match tokio::task::spawn_blocking(move || written(&rows)).await {
        Ok(Ok(file)) => {
            let headers = [
                (CONTENT_TYPE, "application/vnd.apache.parquet"),
                (CONTENT_DISPOSITION, "attachment; filename=\"answer.parquet\""),
            ];
            (headers, file).into_response()
        }
        Ok(Err(error)) => reply::error(StatusCode::UNPROCESSABLE_ENTITY, &error.to_string(), None),
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// The file.
fn written(rows: &Rows) -> Result<Vec<u8>, ParquetError> {
    let columns: Vec<Column> = (0..rows.columns.len())
        .map(|at| Column::of(rows.rows.iter().filter_map(|row| row[at].as_deref())))
        .collect();
    let fields = names(&rows.columns).into_iter().zip(&columns);
    let fields = fields.map(|(name, column)| column.field(&name).map(Arc::new));
    let schema = Type::group_type_builder("answer")
        .with_fields(fields.collect::<Result<_, _>>()?)
        .build()?;
    let mut file = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut file, Arc::new(schema), Arc::default())?;
    let mut group = writer.next_row_group()?;
    for (at, column) in columns.iter().enumerate() {
        let defined: Vec<i16> = rows.rows.iter().map(|row| i16::from(row[at].is_some())).collect();
        let Some(mut into) = group.next_column()? else {
            break;
        };
        match column {
            Column::Whole(values) => into
                .typed::<Int64Type>()
                .write_batch(values, Some(&defined), None)?,
            Column::Number(values) => into
                .typed::<DoubleType>()
                .write_batch(values, Some(&defined), None)?,
            Column::Text(values) => {
                into.typed::<ByteArrayType>()
                    .write_batch(values, Some(&defined), None)?
            }
        };
        into.close()?;
    }
    group.close()?;
    writer.close()?;
    Ok(file)
}

impl Column {
    /// Numbers where every value is one that keeps its digits so; `007` is a text.
    fn of<'v>(values: impl Iterator<Item = &'v str> + Clone) -> Self {
        let is_empty = values.clone().next().is_none();
        let whole = |value: &str| {
            value
                .parse()
                .ok()
                .filter(|number: &i64| number.to_string() == value)
        };
        if !is_empty && let Some(numbers) = values.clone().map(whole).collect() {
            return Self::Whole(numbers);
        }
        if !is_empty && let Some(numbers) = values.clone().map(decimal).collect() {
            return Self::Number(numbers);
        }
        Self::Text(values.map(ByteArray::from).collect())
    }

    fn field(&self, name: &str) -> Result<Type, ParquetError> {
        let (physical, logical) = match self {
            Self::Whole(_) => (Physical::INT64, None),
            Self::Number(_) => (Physical::DOUBLE, None),
            Self::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()
    }
}

/// A number of digits, a point and an exponent, of which nothing is lost.
fn decimal(value: &str) -> Option<f64> {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let (whole, rest) = digits.split_at(
        digits
            .find(|sign: char| !sign.is_ascii_digit())
            .unwrap_or(digits.len()),
    );
    let is_plain = !whole.is_empty() && (whole == "0" || !whole.starts_with('0'));
    let count = digits
        .split(['e', 'E'])
        .next()?
        .bytes()
        .filter(u8::is_ascii_digit)
        .count();
    let has_form = rest.is_empty() || rest.starts_with(['.', 'e', 'E']);
    if !is_plain || !has_form || count > DIGITS {
        return None;
    }
    value.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Columns of a file have names of their own.
fn names(columns: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(columns.len());
    for column in columns {
        let mut name = column.clone();
        let mut count = 1;
        while names.contains(&name) {
            count += 1;
            name = format!("{column}_{count}");
        }
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use parquet::{
        file::reader::{FileReader, SerializedFileReader},
        record::RowAccessor,
    };

    use super::*;

    #[test]
    fn rows_come_back_as_what_they_are() {
        let text = |text: &str| Some(text.to_owned());
        let rows = Rows {
            columns: ["n", "n", "price", "code", "none"].map(str::to_owned).to_vec(),
            rows: vec![
                vec![text("1"), text("-2"), text("1.50"), text("007"), None],
                vec![None, text("3"), text("-0.25"), text("é\"\n"), None],
            ],
        };
        let file = written(&rows).unwrap();
        let read = SerializedFileReader::new(Bytes::from(file)).unwrap();
        let read: Vec<_> = read.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        let names: Vec<_> = read[0].get_column_iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["n", "n_2", "price", "code", "none"]);
        assert_eq!(
            (read[0].get_long(0).unwrap(), read[0].get_long(1).unwrap()),
            (1, -2)
        );
        assert!(read[1].get_long(0).is_err());
        let prices = read.iter().map(|row| row.get_double(2).unwrap());
        assert_eq!(prices.collect::<Vec<_>>(), [1.5, -0.25]);
        assert_eq!(read[0].get_string(3).unwrap(), "007");
        assert_eq!(read[1].get_string(3).unwrap(), "é\"\n");
        assert!(read[0].get_string(4).is_err());
    }

    #[test]
    fn no_digit_of_a_number_is_lost() {
        for (value, is_number) in [
            ("1.5", true),
            ("-0", true),
            ("1e10", true),
            ("2.5E-3", true),
            ("0.1234567890123456789", false),
            ("01.5", false),
            ("1.", true),
            (".5", false),
            ("inf", false),
            ("NaN", false),
            ("1e999", false),
            ("", false),
            ("2024-01-02", false),
        ] {
            assert_eq!(decimal(value).is_some(), is_number, "{value}");
        }
    }
}
