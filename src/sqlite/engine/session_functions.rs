//! The functions that concern a session: settings, notifications, advisory locks, and sleep that can be stopped.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rusqlite::{
    Connection, Error, Result, ffi,
    functions::{Context, FunctionFlags},
    types::{Value, ValueRef},
};

use super::{advisory::Wanted, session_context::SessionEffect, watch::Watch};
use crate::sqlite::{catalog, functions::Failure};

/// How often a sleeping statement looks whether it was stopped.
const LOOK: Duration = Duration::from_millis(20);
/// The longest payload (`NOTIFY_PAYLOAD_MAX_LENGTH`).
const LONGEST_PAYLOAD: usize = 8_000;

/// Adds them to a session's connection.
pub(super) fn add(connection: &Connection, watch: &Arc<Watch>) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8;
    let call = |name: &str, arguments: i32, run: fn(&Watch, &Context<'_>) -> Result<Value>| {
        let watch = Arc::clone(watch);
        connection.create_scalar_function(name, arguments, flags, move |context| run(&watch, context))
    };
    call("current_setting", 1, current_setting)?;
    call("current_setting", 2, current_setting)?;
    call("set_config", 3, set_config)?;
    call("pg_notify", 2, notify)?;
    call("pg_notice", 2, |watch, context| {
        notice(watch, context);
        Ok(Value::Null)
    })?;
    call("pg_sleep", 1, sleep)?;
    call("pg_advisory_unlock_all", 0, |watch, _| {
        watch.session_context().free_locks();
        Ok(Value::Text(String::new()))
    })?;
    for arguments in [1, 2] {
        call("pg_advisory_unlock", arguments, |watch, context| {
            unlock(watch, context, false)
        })?;
        call("pg_advisory_unlock_shared", arguments, |watch, context| {
            unlock(watch, context, true)
        })?;
        for (shared, ending) in [(false, ""), (true, "_shared")] {
            for (transaction, middle) in [(false, ""), (true, "xact_")] {
                for tries in [false, true] {
                    let prefix = if tries { "try_" } else { "" };
                    let name = format!("pg_{prefix}advisory_{middle}lock{ending}");
                    let watch = Arc::clone(watch);
                    connection.create_scalar_function(name.as_str(), arguments, flags, move |context| {
                        let wanted = Wanted {
                            key: key(context)?,
                            shared,
                            transaction,
                        };
                        take(&watch, wanted, tries)
                    })?;
                }
            }
        }
    }
    Ok(())
}

/// An error that is told with this code.
pub(super) fn failed(sqlstate: &'static str, words: impl Into<String>) -> Error {
    let message = words.into();
    Failure { sqlstate, message }.into()
}

fn stopped() -> Error {
    Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_INTERRUPT), None)
}

fn text(context: &Context<'_>, at: usize) -> Option<String> {
    match context.get_raw(at) {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
    }
}

fn truth(context: &Context<'_>, at: usize) -> bool {
    let word = text(context, at).unwrap_or_default().to_ascii_lowercase();
    matches!(word.as_str(), "1" | "t" | "true" | "on" | "yes")
}

fn current_setting(watch: &Watch, context: &Context<'_>) -> Result<Value> {
    let Some(name) = text(context, 0) else {
        return Ok(Value::Null);
    };
    match watch
        .session_context()
        .setting(&name)
        .or_else(|| catalog::usual_setting(&name))
    {
        Some(value) => Ok(Value::Text(value)),
        None if context.len() == 2 && truth(context, 1) => Ok(Value::Null),
        None => Err(failed(
            "42704",
            format!("unrecognized configuration parameter \"{name}\""),
        )),
    }
}

fn set_config(watch: &Watch, context: &Context<'_>) -> Result<Value> {
    let Some(name) = text(context, 0) else {
        return Err(failed("22004", "SET requires parameter name"));
    };
    let value = text(context, 1).unwrap_or_default();
    if watch.session_context().setting(&name).is_none()
        && !name.contains('.')
        && catalog::usual_setting(&name).is_none()
    {
        return Err(failed(
            "42704",
            format!("unrecognized configuration parameter \"{name}\""),
        ));
    }
    watch.session_context().add_effect(SessionEffect::Set {
        name,
        value: value.clone(),
        local: truth(context, 2),
    });
    Ok(Value::Text(value))
}

fn notify(watch: &Watch, context: &Context<'_>) -> Result<Value> {
    let channel = text(context, 0).unwrap_or_default();
    let payload = text(context, 1).unwrap_or_default();
    if channel.is_empty() {
        return Err(failed("22023", "channel name cannot be empty"));
    }
    if payload.len() >= LONGEST_PAYLOAD {
        return Err(failed("22023", "payload string too long"));
    }
    watch
        .session_context()
        .add_effect(SessionEffect::Notify { channel, payload });
    Ok(Value::Text(String::new()))
}

/// Code and words of what the client is told beside the rows.
fn notice(watch: &Watch, context: &Context<'_>) {
    let [sqlstate, message] = [0, 1].map(|at| text(context, at).unwrap_or_default());
    watch
        .session_context()
        .add_effect(SessionEffect::Notice { sqlstate, message });
}

fn sleep(watch: &Watch, context: &Context<'_>) -> Result<Value> {
    let Some(seconds) = text(context, 0) else {
        return Ok(Value::Null);
    };
    let seconds: f64 = seconds.trim().parse().map_err(|_| {
        failed(
            "22P02",
            format!("invalid input syntax for type double precision: \"{seconds}\""),
        )
    })?;
    // A year is for ever here.
    let until = Instant::now() + Duration::from_secs_f64(seconds.clamp(0.0, 31_536_000.0));
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(Value::Text(String::new()));
        }
        if watch.must_stop() {
            return Err(stopped());
        }
        std::thread::sleep(left.min(LOOK));
    }
}

fn key(context: &Context<'_>) -> Result<(bool, i64)> {
    let number = |at| -> Result<i64> {
        let text = text(context, at).unwrap_or_default();
        let parsed = text.trim().parse();
        parsed.map_err(|_| {
            failed(
                "22P02",
                format!("invalid input syntax for type bigint: \"{text}\""),
            )
        })
    };
    if context.len() == 1 {
        return Ok((false, number(0)?));
    }
    // Two `integer` make one key.
    Ok((true, number(0)? << 32 | number(1)? & 0xffff_ffff))
}

fn take(watch: &Watch, wanted: Wanted, tries: bool) -> Result<Value> {
    let Some(holder) = watch.session_context().holder() else {
        return Err(failed("55000", "there are no advisory locks on this connection"));
    };
    if tries {
        return Ok(Value::Integer(holder.try_take(wanted).into()));
    }
    if holder.take(wanted, || watch.must_stop()) {
        Ok(Value::Text(String::new()))
    } else {
        Err(stopped())
    }
}

fn unlock(watch: &Watch, context: &Context<'_>, shared: bool) -> Result<Value> {
    let holder = watch.session_context().holder();
    let given = holder.map(|holder| Ok::<_, Error>(holder.give_back(key(context)?, shared)));
    Ok(Value::Integer(given.transpose()?.unwrap_or(false).into()))
}
