//! `COPY`, in its present and its older spelling (manual, `COPY`).

use super::{
    super::{StatementError, cursor::TokenCursor},
    Copy, CopyFormat, CopyName, CopyOptions, CopySource, CopyTarget, SessionStatement,
};

pub(super) fn copy(cursor: &mut TokenCursor<'_>) -> Result<SessionStatement, StatementError> {
    let (source, is_query) = source(cursor)?;
    let to = cursor.take("to");
    if !to {
        if is_query {
            return Err(cursor.error());
        }
        cursor.expect("from")?;
    }
    let target = if cursor.take("stdout") || cursor.take("stdin") {
        if to {
            CopyTarget::ToClient
        } else {
            CopyTarget::FromClient
        }
    } else {
        cursor.take("program");
        cursor.string()?;
        CopyTarget::ServerFile
    };
    let mut options = CopyOptions::default();
    cursor.take("with");
    if cursor.take_sign("(") {
        listed_options(cursor, &mut options)?;
    } else {
        older_options(cursor, &mut options)?;
    }
    if !to && cursor.sees("where") {
        options.other.push(("where".to_owned(), {
            cursor.take("where");
            let span = cursor.rest()?;
            cursor.text_of(span).to_owned()
        }));
    }
    Ok(SessionStatement::Copy(Copy {
        source,
        target,
        options,
    }))
}

fn source(cursor: &mut TokenCursor<'_>) -> Result<(CopySource, bool), StatementError> {
    if cursor.take_sign("(") {
        let parts = cursor.list()?;
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
            return Err(cursor.error());
        };
        return Ok((CopySource::Query(first.to(*last)), true));
    }
    let mut table = copy_name(cursor)?;
    while cursor.take_sign(".") {
        let part = copy_name(cursor)?;
        table = CopyName {
            written: table.written.to(part.written),
            ..part
        };
    }
    let mut columns = Vec::new();
    if cursor.take_sign("(") {
        columns.push(copy_name(cursor)?);
        while cursor.take_sign(",") {
            columns.push(copy_name(cursor)?);
        }
        cursor.expect_sign(")")?;
    }
    Ok((CopySource::Table { table, columns }, false))
}

fn copy_name(cursor: &mut TokenCursor<'_>) -> Result<CopyName, StatementError> {
    let written = cursor.peek().ok_or_else(|| cursor.error())?.span;
    let name = cursor.name()?;
    Ok(CopyName { written, name })
}

/// `(FORMAT csv, HEADER, …)` from behind the parenthesis.
fn listed_options(cursor: &mut TokenCursor<'_>, options: &mut CopyOptions) -> Result<(), StatementError> {
    let mut said = vec![];
    loop {
        let name = cursor.name()?.to_ascii_lowercase();
        options.repeated |= said.contains(&name);
        said.push(name.clone());
        match name.as_str() {
            "format" => match format(cursor)? {
                Ok(format) => options.format = format,
                Err(unknown) => options.other.push((name, unknown)),
            },
            "header" => (options.header, options.header_match) = header(cursor)?,
            "delimiter" => options.delimiter = Some(cursor.string()?),
            "null" => options.null = Some(cursor.string()?),
            "quote" => options.quote = Some(cursor.string()?),
            "escape" => options.escape = Some(cursor.string()?),
            "force_quote" => {
                if cursor.take_sign("*") {
                    options.force_quote = vec!["*".to_owned()];
                } else {
                    cursor.expect_sign("(")?;
                    options.force_quote = names(cursor)?;
                    cursor.expect_sign(")")?;
                }
            }
            _ => {
                let mut value = String::new();
                if cursor.take_sign("(") {
                    let items = cursor.list()?;
                    value = items
                        .into_iter()
                        .map(|item| cursor.text_of(item))
                        .collect::<Vec<_>>()
                        .join(", ");
                } else if cursor.take_sign("*") {
                    value.push('*');
                } else if !cursor.sees_sign(",") && !cursor.sees_sign(")") {
                    let token = cursor.next().ok_or_else(|| cursor.error())?;
                    cursor.text_of(token.span).clone_into(&mut value);
                }
                options.other.push((name, value));
            }
        }
        if cursor.take_sign(")") {
            return Ok(());
        }
        cursor.expect_sign(",")?;
    }
}

/// `CSV HEADER DELIMITER AS ';' …`, as psql's `\copy` still sends it.
fn older_options(cursor: &mut TokenCursor<'_>, options: &mut CopyOptions) -> Result<(), StatementError> {
    let string = |cursor: &mut TokenCursor<'_>| {
        cursor.take("as");
        cursor.string().map(Some)
    };
    let mut said = vec![];
    while !cursor.is_at_end() && !cursor.sees("where") {
        let first = cursor
            .peek()
            .map(|token| cursor.text_of(token.span).to_ascii_lowercase());
        let second = first
            .filter(|first| first != "force")
            .map(|first| match first.as_str() {
                "binary" => "csv".to_owned(),
                "delimiters" => "delimiter".to_owned(),
                _ => first,
            });
        options.repeated |= second.is_some() && said.contains(&second);
        said.push(second);
        if cursor.take("csv") {
            options.format = CopyFormat::Csv;
        } else if cursor.take("binary") {
            options.format = CopyFormat::Binary;
        } else if cursor.take("header") {
            options.header = true;
        } else if cursor.take("delimiter") || cursor.take("delimiters") {
            options.delimiter = string(cursor)?;
        } else if cursor.take("null") {
            options.null = string(cursor)?;
        } else if cursor.take("quote") {
            options.quote = string(cursor)?;
        } else if cursor.take("escape") {
            options.escape = string(cursor)?;
        } else if cursor.take("encoding") {
            options.other.push(("encoding".to_owned(), cursor.string()?));
        } else if cursor.take("force quote") {
            options.force_quote = if cursor.take_sign("*") {
                vec!["*".to_owned()]
            } else {
                names(cursor)?
            };
        } else if cursor.take("freeze") {
            options.other.push(("freeze".to_owned(), String::new()));
        } else if cursor.take("force null") {
            options
                .other
                .push(("force_null".to_owned(), quoted_names(cursor)?));
        } else if cursor.take("force not null") {
            options
                .other
                .push(("force_not_null".to_owned(), quoted_names(cursor)?));
        } else {
            return Err(cursor.error());
        }
    }
    Ok(())
}

/// The format, or the name of one that there is not.
fn format(cursor: &mut TokenCursor<'_>) -> Result<Result<CopyFormat, String>, StatementError> {
    let name = cursor.name().or_else(|_| cursor.string())?;
    Ok(match name.as_str() {
        "text" => Ok(CopyFormat::Text),
        "csv" => Ok(CopyFormat::Csv),
        "binary" => Ok(CopyFormat::Binary),
        _ => Err(name),
    })
}

/// `HEADER [true | false | on | off | 1 | 0 | MATCH]`
fn header(cursor: &mut TokenCursor<'_>) -> Result<(bool, bool), StatementError> {
    if cursor.sees_sign(",") || cursor.sees_sign(")") {
        return Ok((true, false));
    }
    let wrong = cursor.error();
    let token = cursor.next().ok_or_else(|| cursor.error())?;
    let value = cursor.text_of(token.span).trim_matches('\'').to_ascii_lowercase();
    if !["true", "false", "on", "off", "1", "0", "match"].contains(&value.as_str()) {
        return Err(wrong);
    }
    Ok((!matches!(value.as_str(), "false" | "off" | "0"), value == "match"))
}

fn names(cursor: &mut TokenCursor<'_>) -> Result<Vec<String>, StatementError> {
    let mut names = vec![cursor.name()?];
    while cursor.take_sign(",") {
        names.push(cursor.name()?);
    }
    Ok(names)
}

/// The same, quoted, as one text.
fn quoted_names(cursor: &mut TokenCursor<'_>) -> Result<String, StatementError> {
    let quoted = |name: String| format!("\"{}\"", name.replace('"', "\"\""));
    let names: Vec<String> = names(cursor)?.into_iter().map(quoted).collect();
    Ok(names.join(", "))
}
