//! `SET`, `SHOW` and `RESET` of Querent's own settings.

use super::{
    Control, Options, Scope, SessionStatement, SetValue, Setting, Settings, StatementError, recognise,
};

const PREFIX: &str = "querent.";

/// The statement as session control; `None` where it is about other settings or something else.
pub(super) fn control(text: &str, options: &Options) -> Result<Option<Control>, StatementError> {
    let statement = match recognise(text, options) {
        Ok(statement) => statement,
        // The database says what is wrong with its own statements, in its own words.
        Err(error) => {
            return if contains(text, PREFIX) {
                Err(error)
            } else {
                Ok(None)
            };
        }
    };
    let (SessionStatement::Set { name, .. }
    | SessionStatement::Show(Some(name))
    | SessionStatement::Reset(Some(name))) = &statement
    else {
        return Ok(None);
    };
    let Some(name) = name.strip_prefix(PREFIX) else {
        return Ok(None);
    };
    let settable = Settings::NAMES.into_iter().find(|known| *known == name);
    let readable = Settings::READ_ONLY.into_iter().find(|known| *known == name);
    let name = settable
        .or(readable)
        .ok_or_else(|| StatementError::unknown_setting(name))?;
    match statement {
        SessionStatement::Show(_) => Ok(Some(Control::Show { name })),
        _ if settable.is_none() => Err(StatementError::ReadOnlySetting(name)),
        SessionStatement::Set {
            scope,
            value: SetValue::Values(values),
            ..
        } => Ok(Some(Control::Set {
            local: scope == Scope::Local,
            setting: Setting::parse(name, &values)?,
        })),
        SessionStatement::Set {
            scope,
            value: SetValue::Default,
            ..
        } => Ok(Some(Control::Reset {
            local: scope == Scope::Local,
            name,
        })),
        _ => Ok(Some(Control::Reset { local: false, name })),
    }
}

/// True if `text` has these ASCII letters in any case.
pub(super) fn contains(text: &str, letters: &str) -> bool {
    let (text, letters) = (text.as_bytes(), letters.as_bytes());
    let Some((first, rest)) = letters.split_first() else {
        return true;
    };
    text.iter().enumerate().any(|(at, byte)| {
        byte.eq_ignore_ascii_case(first)
            && text
                .get(at + 1..at + letters.len())
                .is_some_and(|behind| behind.eq_ignore_ascii_case(rest))
    })
}
