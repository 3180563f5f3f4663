//! Rows on stdout: as a table for people, as CSV or JSON for programs.

use std::{
    fmt::Write as _,
    io::{self, IsTerminal, Write},
};

use clap::ValueEnum;
use comfy_table::{CellAlignment, ContentArrangement, Table};

use crate::{
    backend::{ResultColumn, SqlType, Value},
    error::{turns, visible},
};

/// The narrowest terminal that tables are fitted into, in characters.
const NARROWEST: u16 = 40;

/// The form of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    Table,
    /// Comma separated, with a header line; NULL is an empty field.
    Csv,
    /// One array of objects.
    Json,
    /// One object a line.
    Jsonl,
    /// A table for documents in Markdown.
    Markdown,
}

/// Writes rows as they come.
pub(super) struct Rows<'a> {
    out: Box<dyn Write + 'a>,
    columns: Vec<ResultColumn>,
    form: Form,
    count: usize,
}

enum Form {
    Table(Box<Table>),
    Csv(Box<csv::Writer<Vec<u8>>>),
    Json { names: Vec<String>, lines: bool },
    Markdown,
}

impl<'a> Rows<'a> {
    /// Begins a result.
    pub(super) fn begin(format: Format, columns: &[ResultColumn], out: impl Write + 'a) -> io::Result<Self> {
        let mut out: Box<dyn Write + 'a> = Box::new(out);
        let form = match format {
            Format::Table => Form::Table(Box::new(table(columns))),
            Format::Csv => {
                let mut csv = csv::WriterBuilder::new().from_writer(Vec::new());
                csv.write_record(columns.iter().map(|column| column.name.as_str()))?;
                Form::Csv(Box::new(csv))
            }
            Format::Json => {
                out.write_all(b"[")?;
                Form::Json {
                    names: distinct(columns),
                    lines: false,
                }
            }
            Format::Jsonl => Form::Json {
                names: distinct(columns),
                lines: true,
            },
            Format::Markdown => {
                let heads = columns.iter().map(|column| markdown(&column.name));
                let rules = columns.iter().map(|column| {
                    let rule = if is_number(column.ty) { "--:" } else { "---" };
                    rule.to_owned()
                });
                write_cells(&mut out, heads)?;
                write_cells(&mut out, rules)?;
                Form::Markdown
            }
        };
        Ok(Self {
            out,
            columns: columns.to_vec(),
            form,
            count: 0,
        })
    }

    /// One more row.
    pub(super) fn row(&mut self, row: &[Value]) -> io::Result<()> {
        let cells = row.iter().zip(&self.columns);
        match &mut self.form {
            Form::Table(table) => {
                table.add_row(cells.map(|(value, column)| visible(&text(value, column.ty)).into_owned()));
            }
            Form::Csv(csv) => {
                csv.write_record(cells.map(|(value, column)| text(value, column.ty)))?;
                csv.flush()?;
                let lines =
                    std::mem::replace(csv, Box::new(csv::WriterBuilder::new().from_writer(Vec::new())));
                let lines = lines
                    .into_inner()
                    .map_err(|error| io::Error::other(error.to_string()))?;
                self.out.write_all(&lines)?;
            }
            Form::Json { names, lines } => {
                let object: Vec<String> = names
                    .iter()
                    .zip(cells)
                    .map(|(name, (value, column))| {
                        format!(
                            "{}: {}",
                            serde_json::Value::from(name.as_str()),
                            json(value, column.ty)
                        )
                    })
                    .collect();
                if *lines {
                    writeln!(self.out, "{{{}}}", object.join(", "))?;
                } else {
                    let separator = if self.count == 0 { "" } else { "," };
                    write!(self.out, "{separator}\n  {{{}}}", object.join(", "))?;
                }
            }
            Form::Markdown => write_cells(
                &mut self.out,
                cells.map(|(value, column)| markdown(&text(value, column.ty))),
            )?,
        }
        self.count += 1;
        Ok(())
    }

    /// Lets go of what was written so far.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Ends the result.
    pub(super) fn end(mut self) -> io::Result<()> {
        match &mut self.form {
            Form::Table(table) => {
                write_table(&mut self.out, table)?;
                let plural = if self.count == 1 { "" } else { "s" };
                writeln!(self.out, "({} row{plural})", self.count)?;
            }
            Form::Csv(csv) => {
                // The header, where no row has taken it along.
                csv.flush()?;
                let header = csv.get_ref().clone();
                self.out.write_all(&header)?;
            }
            Form::Json { lines: true, .. } | Form::Markdown => {}
            Form::Json { .. } => self
                .out
                .write_all(if self.count == 0 { b"]\n" } else { b"\n]\n" })?,
        }
        self.out.flush()
    }
}

/// A cell of a table in Markdown: on one line, and without a mark that ends it or begins a tag, an entity, a link or a picture.
fn markdown(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    for character in visible(text).chars() {
        match character {
            '\n' => cell.push_str("<br>"),
            '\\' | '|' | '<' | '&' | '[' => cell.extend(['\\', character]),
            other => cell.push(other),
        }
    }
    cell
}

fn write_cells(out: &mut impl Write, cells: impl Iterator<Item = String>) -> io::Result<()> {
    writeln!(out, "| {} |", cells.collect::<Vec<_>>().join(" | "))
}

/// An empty table in the style of psql.
fn table(columns: &[ResultColumn]) -> Table {
    let mut table = plain_table();
    table.set_header(columns.iter().map(|column| visible(&column.name).into_owned()));
    for (at, column) in columns.iter().enumerate() {
        if let (true, Some(column)) = (is_number(column.ty), table.column_mut(at)) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// A table for people: as wide as it needs, but no wider than the terminal.
pub(super) fn plain_table() -> Table {
    let mut table = Table::new();
    table.load_preset("     -+ |          ");
    // A terminal may not know its width, or be too narrow for any table.
    let width = table.width().unwrap_or(0);
    if io::stdout().is_terminal() && width >= NARROWEST {
        table.set_content_arrangement(ContentArrangement::Dynamic);
    }
    table
}

/// Writes a table without trailing blanks, which are of no use to anybody.
pub(super) fn write_table(out: &mut impl Write, table: &Table) -> io::Result<()> {
    table
        .to_string()
        .lines()
        .try_for_each(|line| writeln!(out, "{}", line.trim_end()))
}

fn is_number(ty: SqlType) -> bool {
    matches!(
        ty,
        SqlType::Int2 | SqlType::Int4 | SqlType::Int8 | SqlType::Float4 | SqlType::Float8 | SqlType::Numeric
    )
}

/// As psql shows it; NULL is empty.
pub(super) fn text(value: &Value, ty: SqlType) -> String {
    match value {
        Value::Null => String::new(),
        Value::Integer(number) if ty == SqlType::Bool => if *number == 0 { "f" } else { "t" }.into(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => String::from_utf8_lossy(text).into_owned(),
        Value::Blob(bytes) => hexadecimal(bytes),
    }
}

fn json(value: &Value, ty: SqlType) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Integer(number) if ty == SqlType::Bool => (*number != 0).to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) if number.is_finite() => serde_json::Value::from(*number).to_string(),
        // JSON has no infinity.
        Value::Real(number) => quoted(&number.to_string()),
        Value::Text(text) => {
            let text = String::from_utf8_lossy(text);
            match (ty, &*text) {
                (SqlType::Bool, "t") => "true".into(),
                (SqlType::Bool, "f") => "false".into(),
                // All digits stay as they are; what JSON does not know, such as NaN, is text.
                _ if is_number(ty) && serde_json::from_str::<serde_json::Number>(&text).is_ok() => {
                    text.into_owned()
                }
                _ => quoted(&text),
            }
        }
        Value::Blob(bytes) => quoted(&hexadecimal(bytes)),
    }
}

fn quoted(text: &str) -> String {
    written(&serde_json::Value::from(text).to_string())
}

/// JSON in which what a terminal would obey is written as JSON can write it, and means the same.
pub(super) fn written(json: &str) -> String {
    let mut written = String::new();
    for character in json.chars() {
        // Line ends stand between values alone.
        if (character.is_control() && character != '\n') || turns(character) {
            // Writing to a string does not fail.
            let _ = write!(written, "\\u{:04x}", u32::from(character));
        } else {
            written.push(character);
        }
    }
    written
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::from("\\x");
    for byte in bytes {
        let digit = |value: u8| char::from_digit(u32::from(value), 16).expect("half a byte is one digit");
        text.extend([digit(byte >> 4), digit(byte & 15)]);
    }
    text
}

/// Names for the fields of an object: a repeated one gets a number.
fn distinct(columns: &[ResultColumn]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for column in columns {
        let mut name = column.name.clone();
        let mut number = 1;
        while names.contains(&name) {
            number += 1;
            name = format!("{}_{number}", column.name);
        }
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::column;

    #[track_caller]
    fn shown(format: Format, names: &[(&str, SqlType)], rows: &[Vec<Value>]) -> String {
        let columns: Vec<ResultColumn> = names.iter().map(|(name, ty)| column(name, *ty)).collect();
        let mut bytes = Vec::new();
        let mut writer = Rows::begin(format, &columns, &mut bytes).unwrap();
        for row in rows {
            writer.row(row).unwrap();
        }
        writer.end().unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn each_format_shows_nulls_numbers_and_odd_text() {
        let names = [("n", SqlType::Int8), ("n", SqlType::Text)];
        let rows = [
            vec![Value::Integer(7), Value::Text(b"a,\"b\"\x1b[31m".to_vec())],
            vec![Value::Null, Value::Blob(vec![0, 255])],
        ];
        let csv = shown(Format::Csv, &names, &rows);
        assert_eq!(csv, "n,n\n7,\"a,\"\"b\"\"\x1b[31m\"\n,\\x00ff\n");
        let json: serde_json::Value = serde_json::from_str(&shown(Format::Json, &names, &rows)).unwrap();
        assert_eq!(json[0]["n"], 7);
        assert_eq!(json[0]["n_2"], "a,\"b\"\u{1b}[31m");
        assert!(json[1]["n"].is_null());
        let odd = vec![vec![
            Value::Integer(1),
            Value::Text("a|b\nc\u{9b}\u{202e}".into()),
        ]];
        assert_eq!(
            shown(Format::Jsonl, &names, &odd),
            "{\"n\": 1, \"n_2\": \"a|b\\nc\\u009b\\u202e\"}\n"
        );
        assert_eq!(
            shown(Format::Markdown, &names, &odd),
            "| n | n |\n| --: | --- |\n| 1 | a\\|b<br>c\\\\u{9b}\\\\u{202e} |\n"
        );
        let tag = vec![vec![
            Value::Null,
            Value::Text("a < b & ![x](http://evil/) <img src=x>".into()),
        ]];
        assert!(
            shown(Format::Markdown, &names, &tag)
                .ends_with("|  | a \\< b \\& !\\[x](http://evil/) \\<img src=x> |\n")
        );
        let names = [
            ("a", SqlType::Numeric),
            ("b", SqlType::Numeric),
            ("c", SqlType::Bool),
            ("d", SqlType::Text),
        ];
        let row = ["12345678901234567890.10", "NaN", "t", "7"].map(|text| Value::Text(text.into()));
        let json = shown(Format::Json, &names, &[row.to_vec()]);
        assert_eq!(
            json,
            "[\n  {\"a\": 12345678901234567890.10, \"b\": \"NaN\", \"c\": true, \"d\": \"7\"}\n]\n"
        );
        let table = shown(Format::Table, &names, &rows);
        assert!(
            table.contains("(2 rows)") && table.contains("\\u{1b}[31m"),
            "{table}"
        );
    }

    #[test]
    fn an_empty_result_is_well_formed_everywhere() {
        let names = [("a", SqlType::Text), ("b", SqlType::Bool)];
        assert_eq!(shown(Format::Csv, &names, &[]), "a,b\n");
        assert_eq!(shown(Format::Json, &names, &[]), "[]\n");
        assert_eq!(shown(Format::Jsonl, &names, &[]), "");
        assert_eq!(shown(Format::Markdown, &names, &[]), "| a | b |\n| --- | --- |\n");
        assert!(shown(Format::Table, &names, &[]).ends_with("(0 rows)\n"));
    }
}
