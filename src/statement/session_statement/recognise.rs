//! Statements are recognised by their first word and read to their end, as PostgreSQL's grammar has them.

use super::{
    super::{Options, StatementError, cursor::TokenCursor, lexer::TokenKind},
    Cursor, Discard, Explain, FetchDirection, IsolationLevel, Scope, SessionStatement, SetValue,
    TransactionModes,
    copy::copy,
    tag::command_tag,
};

type Recognised = Result<SessionStatement, StatementError>;

/// Recognises one statement. An error tells of a statement that begins as one of these and goes on wrongly.
pub fn recognise(statement: &str, options: &Options) -> Recognised {
    let mut cursor = TokenCursor::new(statement, options);
    let Some(first) = cursor.peek() else {
        return Ok(SessionStatement::Empty);
    };
    let word = if first.kind == TokenKind::Word {
        cursor.text_of(first.span)
    } else {
        ""
    };
    // Longer than any of the words: not worth a copy.
    let word = if word.len() > 12 {
        String::new()
    } else {
        word.to_ascii_lowercase()
    };
    let ordinary = |cursor: &mut TokenCursor<'_>| Ok(SessionStatement::Ordinary(command_tag(cursor)));
    if matches!(word.as_str(), "commit" | "rollback" | "prepare") {
        let second = cursor
            .peek_at(1)
            .map(|token| cursor.text_of(token.span).to_ascii_lowercase());
        // Two-phase commit is the database's own.
        let two_phase = if word == "prepare" {
            "transaction"
        } else {
            "prepared"
        };
        if second.as_deref() == Some(two_phase) {
            return ordinary(&mut cursor);
        }
    }
    if word == "set"
        && cursor
            .peek_at(1)
            .is_some_and(|token| token.is_word(statement, "constraints"))
    {
        return ordinary(&mut cursor);
    }
    let parse: fn(&mut TokenCursor<'_>) -> Recognised = match word.as_str() {
        "begin" => begin,
        "start" => start_transaction,
        "commit" | "end" => |cursor| {
            Ok(SessionStatement::Commit {
                chain: chain(cursor)?,
            })
        },
        "rollback" | "abort" => rollback,
        "savepoint" => |cursor| Ok(SessionStatement::Savepoint(cursor.name()?)),
        "release" => |cursor| {
            savepoint_word(cursor);
            Ok(SessionStatement::Release(cursor.name()?))
        },
        "set" => set,
        "show" => |cursor| Ok(SessionStatement::Show(setting_or_all(cursor)?)),
        "reset" => |cursor| Ok(SessionStatement::Reset(setting_or_all(cursor)?)),
        "discard" => discard,
        "prepare" => prepare,
        "execute" => execute,
        "deallocate" => |cursor| {
            if cursor.sees("prepare") && cursor.peek_at(1).is_some() {
                cursor.take("prepare");
            }
            Ok(SessionStatement::Deallocate(name_or(cursor, "all")?))
        },
        "declare" => declare,
        "fetch" => |cursor| {
            let (direction, cursor) = fetch(cursor)?;
            Ok(SessionStatement::Fetch { direction, cursor })
        },
        "move" => |cursor| {
            let (direction, cursor) = fetch(cursor)?;
            Ok(SessionStatement::Move { direction, cursor })
        },
        "close" => |cursor| Ok(SessionStatement::Close(name_or(cursor, "all")?)),
        "listen" => |cursor| Ok(SessionStatement::Listen(cursor.name()?)),
        "unlisten" => |cursor| {
            let all = cursor.take_sign("*");
            Ok(SessionStatement::Unlisten(if all {
                None
            } else {
                Some(cursor.name()?)
            }))
        },
        "notify" => notify,
        "copy" => copy,
        "lock" => super::lock::lock,
        "explain" => explain,
        _ => return ordinary(&mut cursor),
    };
    cursor.next();
    let recognised = parse(&mut cursor)?;
    cursor.finish(recognised)
}

fn begin(cursor: &mut TokenCursor<'_>) -> Recognised {
    let immediate = cursor.take("immediate") || cursor.take("exclusive");
    let deferred = !immediate && cursor.take("deferred");
    let _ = cursor.take("work") || cursor.take("transaction");
    if immediate || deferred {
        return Ok(SessionStatement::Begin(TransactionModes {
            immediate,
            ..TransactionModes::default()
        }));
    }
    Ok(SessionStatement::Begin(transaction_modes(cursor)?))
}

fn start_transaction(cursor: &mut TokenCursor<'_>) -> Recognised {
    cursor.expect("transaction")?;
    Ok(SessionStatement::Begin(transaction_modes(cursor)?))
}

fn transaction_modes(cursor: &mut TokenCursor<'_>) -> Result<TransactionModes, StatementError> {
    let mut modes = TransactionModes::default();
    while !cursor.is_at_end() {
        if cursor.take("isolation level") {
            modes.isolation = Some(isolation_level(cursor)?);
        } else if cursor.take("read only") {
            modes.read_only = Some(true);
        } else if cursor.take("read write") {
            modes.read_only = Some(false);
        } else if cursor.take("deferrable") {
            modes.deferrable = Some(true);
        } else {
            cursor.expect("not deferrable")?;
            modes.deferrable = Some(false);
        }
        if cursor.take_sign(",") && cursor.is_at_end() {
            return Err(cursor.error());
        }
    }
    Ok(modes)
}

fn isolation_level(cursor: &mut TokenCursor<'_>) -> Result<IsolationLevel, StatementError> {
    [
        ("read uncommitted", IsolationLevel::ReadUncommitted),
        ("read committed", IsolationLevel::ReadCommitted),
        ("repeatable read", IsolationLevel::RepeatableRead),
        ("serializable", IsolationLevel::Serializable),
    ]
    .into_iter()
    .find(|(words, _)| cursor.take(words))
    .map(|(_, level)| level)
    .ok_or_else(|| cursor.error())
}

/// `[WORK | TRANSACTION] [AND [NO] CHAIN]`
fn chain(cursor: &mut TokenCursor<'_>) -> Result<bool, StatementError> {
    let _ = cursor.take("work") || cursor.take("transaction");
    if cursor.take("and no chain") {
        return Ok(false);
    }
    let chain = cursor.take("and chain");
    cursor.finish(chain)
}

fn rollback(cursor: &mut TokenCursor<'_>) -> Recognised {
    let to = ["to", "work to", "transaction to"]
        .into_iter()
        .any(|words| cursor.take(words));
    if to {
        savepoint_word(cursor);
        return Ok(SessionStatement::RollbackTo(cursor.name()?));
    }
    Ok(SessionStatement::Rollback {
        chain: chain(cursor)?,
    })
}

/// The optional word SAVEPOINT, which may also be a savepoint's name.
fn savepoint_word(cursor: &mut TokenCursor<'_>) {
    if cursor.peek_at(1).is_some() {
        cursor.take("savepoint");
    }
}

fn set(cursor: &mut TokenCursor<'_>) -> Recognised {
    if cursor.take("session characteristics as transaction") {
        return Ok(SessionStatement::SetTransaction {
            session: true,
            modes: transaction_modes(cursor)?,
        });
    }
    let local = cursor.take("local");
    let scope = if local { Scope::Local } else { Scope::Session };
    // SESSION AUTHORIZATION is a setting, SESSION else a scope.
    if !local && !cursor.sees("session authorization") {
        cursor.take("session");
    }
    let of = |name: &str, value| {
        Ok(SessionStatement::Set {
            scope,
            name: name.to_owned(),
            value,
        })
    };
    if cursor.take("transaction snapshot") {
        return of("transaction_snapshot", SetValue::Values(vec![cursor.string()?]));
    }
    if cursor.take("transaction") {
        return Ok(SessionStatement::SetTransaction {
            session: false,
            modes: transaction_modes(cursor)?,
        });
    }
    if cursor.take("time zone") {
        let value = if cursor.take("local") {
            SetValue::Default
        } else {
            time_zone(cursor)?
        };
        return of("timezone", value);
    }
    for (words, name) in [
        ("session authorization", "session_authorization"),
        ("names", "client_encoding"),
        ("schema", "search_path"),
        ("role", "role"),
        ("seed", "seed"),
        ("xml option", "xmloption"),
    ] {
        // `SET role = x` is the ordinary form of the same setting.
        let ahead = cursor.peek_at(words.split(' ').count());
        let assigned = ahead.is_some_and(|token| {
            let text = cursor.text_of(token.span);
            text == "=" || text == "." || text.eq_ignore_ascii_case("to")
        });
        if !assigned && cursor.take(words) {
            let bare = name == "client_encoding" && cursor.is_at_end();
            let value = if bare { SetValue::Default } else { values(cursor)? };
            return of(name, value);
        }
    }
    let name = cursor.qualified_name()?.to_ascii_lowercase();
    if !cursor.take_sign("=") {
        cursor.expect("to")?;
    }
    Ok(SessionStatement::Set {
        scope,
        name,
        value: values(cursor)?,
    })
}

fn time_zone(cursor: &mut TokenCursor<'_>) -> Result<SetValue, StatementError> {
    if cursor.take("interval") {
        let value = cursor.string()?;
        let _ = cursor.take("hour to minute");
        return Ok(SetValue::Values(vec![format!("INTERVAL '{value}'")]));
    }
    values(cursor)
}

/// `DEFAULT`, or values with commas in between.
fn values(cursor: &mut TokenCursor<'_>) -> Result<SetValue, StatementError> {
    if cursor.take("default") {
        return Ok(SetValue::Default);
    }
    let mut values = vec![value(cursor)?];
    while cursor.take_sign(",") {
        values.push(value(cursor)?);
    }
    Ok(SetValue::Values(values))
}

fn value(cursor: &mut TokenCursor<'_>) -> Result<String, StatementError> {
    if let Ok(text) = cursor.string().or_else(|_| cursor.name()) {
        return Ok(text);
    }
    let sign = if cursor.take_sign("-") { "-" } else { "" };
    cursor.take_sign("+");
    match cursor.peek() {
        Some(token) if token.kind == TokenKind::Number => {
            cursor.next();
            Ok(format!("{sign}{}", cursor.text_of(token.span)))
        }
        _ => Err(cursor.error()),
    }
}

fn setting_or_all(cursor: &mut TokenCursor<'_>) -> Result<Option<String>, StatementError> {
    for (words, name) in [
        ("time zone", "timezone"),
        ("session authorization", "session_authorization"),
        ("transaction isolation level", "transaction_isolation"),
    ] {
        if cursor.take(words) {
            return Ok(Some(name.to_owned()));
        }
    }
    if cursor.take("all") {
        return Ok(None);
    }
    Ok(Some(cursor.qualified_name()?.to_ascii_lowercase()))
}

fn discard(cursor: &mut TokenCursor<'_>) -> Recognised {
    [
        ("all", Discard::All),
        ("plans", Discard::Plans),
        ("sequences", Discard::Sequences),
        ("temp", Discard::Temporary),
        ("temporary", Discard::Temporary),
    ]
    .into_iter()
    .find(|(word, _)| cursor.take(word))
    .map(|(_, what)| SessionStatement::Discard(what))
    .ok_or_else(|| cursor.error())
}

fn prepare(cursor: &mut TokenCursor<'_>) -> Recognised {
    let name = cursor.name()?;
    let types = if cursor.take_sign("(") {
        cursor.list()?
    } else {
        Vec::new()
    };
    let types = types
        .into_iter()
        .map(|span| cursor.text_of(span).to_owned())
        .collect();
    cursor.expect("as")?;
    Ok(SessionStatement::Prepare {
        name,
        types,
        query: cursor.rest()?,
    })
}

fn execute(cursor: &mut TokenCursor<'_>) -> Recognised {
    let name = cursor.name()?;
    let arguments = if cursor.take_sign("(") {
        cursor.list()?
    } else {
        Vec::new()
    };
    Ok(SessionStatement::Execute { name, arguments })
}

fn name_or(cursor: &mut TokenCursor<'_>, all: &str) -> Result<Option<String>, StatementError> {
    if cursor.take(all) {
        Ok(None)
    } else {
        cursor.name().map(Some)
    }
}

fn declare(cursor: &mut TokenCursor<'_>) -> Recognised {
    let name = cursor.name()?;
    let (mut binary, mut scroll) = (false, None);
    while !cursor.take("cursor") {
        if cursor.take("binary") {
            binary = true;
        } else if cursor.take("no scroll") {
            scroll = Some(false);
        } else if cursor.take("scroll") {
            scroll = Some(true);
        } else if !cursor.take("insensitive") {
            cursor.expect("asensitive")?;
        }
    }
    let hold = cursor.take("with hold");
    if !hold {
        cursor.take("without hold");
    }
    cursor.expect("for")?;
    Ok(SessionStatement::Declare(Cursor {
        name,
        binary,
        scroll,
        hold,
        query: cursor.rest()?,
    }))
}

/// `[direction] [FROM | IN] cursor`
fn fetch(cursor: &mut TokenCursor<'_>) -> Result<(FetchDirection, String), StatementError> {
    // A cursor may be called like a direction; then nothing follows it.
    let direction = if cursor.peek_at(1).is_none() {
        FetchDirection::Forward(Some(1))
    } else {
        direction(cursor)?
    };
    let _ = cursor.take("from") || cursor.take("in");
    Ok((direction, cursor.name()?))
}

fn direction(cursor: &mut TokenCursor<'_>) -> Result<FetchDirection, StatementError> {
    use FetchDirection::{Absolute, Backward, Forward, Relative};
    for (word, direction) in [
        ("next", Forward(Some(1))),
        ("prior", Backward(Some(1))),
        ("first", Absolute(1)),
        ("last", Absolute(-1)),
        ("all", Forward(None)),
    ] {
        if cursor.take(word) {
            return Ok(direction);
        }
    }
    let forward = |count: i64| {
        if count < 0 {
            Backward(Some(count.unsigned_abs()))
        } else {
            Forward(Some(count.unsigned_abs()))
        }
    };
    let is_count = |cursor: &TokenCursor<'_>| {
        cursor.sees_sign("-")
            || cursor.sees_sign("+")
            || cursor.peek().is_some_and(|token| token.kind == TokenKind::Number)
    };
    if cursor.take("absolute") {
        return Ok(Absolute(cursor.integer()?));
    }
    if cursor.take("relative") {
        return Ok(Relative(cursor.integer()?));
    }
    let backward = cursor.take("backward");
    if backward || cursor.take("forward") {
        if cursor.take("all") {
            return Ok(if backward { Backward(None) } else { Forward(None) });
        }
        let count = if is_count(cursor) { cursor.integer()? } else { 1 };
        return Ok(forward(if backward { -count } else { count }));
    }
    if is_count(cursor) {
        return Ok(forward(cursor.integer()?));
    }
    Ok(Forward(Some(1)))
}

fn notify(cursor: &mut TokenCursor<'_>) -> Recognised {
    let channel = cursor.name()?;
    let payload = if cursor.take_sign(",") {
        cursor.string()?
    } else {
        String::new()
    };
    Ok(SessionStatement::Notify { channel, payload })
}

fn explain(cursor: &mut TokenCursor<'_>) -> Recognised {
    let mut explain = Explain {
        analyze: false,
        query_plan: false,
        options: Vec::new(),
        query: super::Span::default(),
    };
    let is_query = ["(", ")"].iter().any(|sign| {
        cursor
            .peek_at(1)
            .is_some_and(|token| cursor.text_of(token.span) == *sign)
    }) || ["select", "with", "values"].iter().any(|word| {
        cursor
            .peek_at(1)
            .is_some_and(|token| cursor.text_of(token.span).eq_ignore_ascii_case(word))
    });
    if cursor.sees_sign("(") && !is_query {
        cursor.take_sign("(");
        for option in cursor.list()? {
            let written = cursor.text_of(option);
            let (name, value) = written.split_once(char::is_whitespace).unwrap_or((written, ""));
            let (name, value) = (name.to_ascii_lowercase(), value.trim().to_owned());
            if name == "analyze" || name == "analyse" {
                explain.analyze = !["off", "false", "0"]
                    .iter()
                    .any(|off| value.eq_ignore_ascii_case(off));
            } else {
                explain.options.push((name, value));
            }
        }
    } else if cursor.take("query plan") {
        explain.query_plan = true;
    } else {
        explain.analyze = cursor.take("analyze") || cursor.take("analyse");
        if cursor.take("verbose") {
            explain.options.push(("verbose".to_owned(), String::new()));
        }
    }
    explain.query = cursor.rest()?;
    Ok(SessionStatement::Explain(explain))
}
