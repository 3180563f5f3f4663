//! The settings of one session: PostgreSQL's and Querent's. They follow transactions.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use crate::{
    pgtypes::{interval_style::IntervalStyle, styles::Styles, zone::Zone},
    sqlite::engine,
    statement::{self, Control, SetValue, Setting, duration::parse_duration},
    wire::Severity,
};

use super::{
    error::SessionError,
    modes,
    variables::{self, VARIABLES},
};

/// What a session has set.
pub(super) struct SessionSettings {
    /// What RESET goes back to.
    defaults: Values,
    now: Arc<Values>,
    /// How it was when the transaction and its savepoints began; the outermost first.
    saved: Vec<Arc<Values>>,
    /// What the thread of the connection was told last.
    published: Option<Arc<Values>>,
    /// What the client was told last of the reported variables.
    told: BTreeMap<&'static str, String>,
}

/// Values at one moment.
#[derive(Clone)]
struct Values {
    /// By name in lower case; those with a dot are made by SET.
    variables: BTreeMap<String, String>,
    querent: statement::Settings,
    /// How values are shown.
    styles: Styles,
    /// What SET LOCAL hides until the transaction's end.
    hidden: Option<Arc<Values>>,
}

impl SessionSettings {
    /// The settings of a session that begins, from the configuration.
    pub(super) fn new(querent: statement::Settings, user: &str) -> Self {
        let variables = VARIABLES
            .iter()
            .map(|variable| (variable.name.to_lowercase(), variable.default.to_owned()))
            .chain([("session_authorization".to_owned(), user.to_owned())])
            .collect();
        let defaults = Values {
            variables,
            querent,
            styles: Styles::default(),
            hidden: None,
        };
        Self {
            now: Arc::new(defaults.clone()),
            defaults,
            saved: vec![],
            published: None,
            told: BTreeMap::new(),
        }
    }

    /// Sets a variable as the startup message does: for the session, and for RESET.
    pub(super) fn start_with(&mut self, name: &str, value: &str) -> Result<(), SessionError> {
        self.set(false, name, &SetValue::Values(vec![value.to_owned()]))?;
        self.defaults = (*self.now).clone();
        Ok(())
    }

    /// `SET [LOCAL] name = value`.
    pub(super) fn set(&mut self, local: bool, name: &str, value: &SetValue) -> Result<(), SessionError> {
        if let Some(own) = name.strip_prefix("querent.") {
            return match value {
                SetValue::Values(values) => {
                    let setting = Setting::parse(own, values)?;
                    self.change(local, |now| now.querent.set(setting.clone()));
                    Ok(())
                }
                SetValue::Default => self.reset_querent(local, own),
            };
        }
        let key = name.to_lowercase();
        let value = match (value, variables::find(name)) {
            (SetValue::Values(values), _) if matches!(key.as_str(), "role" | "session_authorization") => {
                self.role(&key, &values.concat())?
            }
            (SetValue::Values(values), Some(variable)) => variable.check(values)?,
            (SetValue::Values(values), None) if name.contains('.') => values.join(", "),
            // What changes nothing here is kept, so that clients find what they set.
            (SetValue::Values(values), None) => match engine::may_set(name) {
                Some(Ok(())) => values.join(", "),
                Some(Err(why)) => {
                    return Err(SessionError::failed(
                        "55P02",
                        format!("parameter \"{name}\" {why}"),
                    ));
                }
                None => return Err(unknown(name)),
            },
            (SetValue::Default, _) if self.defaults.variables.contains_key(&key) => {
                self.defaults.variables[&key].clone()
            }
            (SetValue::Default, _) if name.contains('.') => String::new(),
            (SetValue::Default, None) => engine::usual_setting(name).ok_or_else(|| unknown(name))?,
            _ => return Err(unknown(name)),
        };
        let zone = (key == "timezone").then(|| Zone::setting(&value)).flatten();
        let style = (key == "intervalstyle")
            .then(|| IntervalStyle::named(&value))
            .flatten();
        self.change(local, |now| {
            now.variables.insert(key.clone(), value.clone());
            if let Some(zone) = &zone {
                now.styles.zone = zone.clone();
            }
            if let Some(style) = style {
                now.styles.intervals = style;
            }
        });
        Ok(())
    }

    /// Nobody can be but who logged in.
    fn role(&self, key: &str, name: &str) -> Result<String, SessionError> {
        let own = &self.defaults.variables["session_authorization"];
        if name == own || (key == "role" && name == "none") {
            return Ok(name.to_owned());
        }
        Err(SessionError::failed(
            "22023",
            format!("role \"{name}\" does not exist"),
        ))
    }

    /// `SET` and `RESET` of Querent's own.
    pub(super) fn control(&mut self, control: &Control) -> Result<(), SessionError> {
        match control {
            Control::Set { local, setting } => {
                self.change(*local, |now| now.querent.set(setting.clone()));
                Ok(())
            }
            Control::Reset { local, name } => self.reset_querent(*local, name),
            Control::Show { .. } => Ok(()),
        }
    }

    /// `RESET name`.
    pub(super) fn reset(&mut self, name: &str) -> Result<(), SessionError> {
        if let Some(variable) = variables::find(name)
            && matches!(variable.kind, variables::VariableType::Fixed)
        {
            return Err(SessionError::failed(
                "55P02",
                format!("parameter \"{}\" cannot be changed", variable.name),
            ));
        }
        self.set(false, name, &SetValue::Default)
    }

    /// `RESET ALL`.
    pub(super) fn reset_all(&mut self) {
        let mut defaults = Values {
            hidden: None,
            ..self.defaults.clone()
        };
        // What the transaction is stays as it is, until its end.
        let now = self.now.variables.iter().filter(|(name, _)| modes::is_mode(name));
        let kept: Vec<(String, String)> = now.map(|(name, value)| (name.clone(), value.clone())).collect();
        if kept
            .iter()
            .any(|(name, value)| defaults.variables.get(name) != Some(value))
        {
            defaults.hidden = Some(Arc::new(defaults.clone()));
            defaults.variables.extend(kept);
        }
        self.now = Arc::new(defaults);
    }

    fn reset_querent(&mut self, local: bool, name: &str) -> Result<(), SessionError> {
        if !statement::Settings::NAMES.contains(&name) {
            // Tells the unknown from the unchangeable.
            Setting::parse(name, &[])?;
        }
        let defaults = self.defaults.querent.clone();
        self.change(local, |now| now.querent.reset(name, &defaults));
        Ok(())
    }

    /// LOCAL changes the present alone, others also what is behind it.
    fn change(&mut self, local: bool, apply: impl Fn(&mut Values)) {
        let now = Arc::make_mut(&mut self.now);
        if local {
            if now.hidden.is_none() {
                now.hidden = Some(Arc::new(now.clone()));
            }
        } else if let Some(hidden) = &mut now.hidden {
            apply(Arc::make_mut(hidden));
        }
        apply(now);
    }

    /// The value of a variable that always exists.
    pub(super) fn value(&self, name: &str) -> &str {
        self.now.variables.get(name).map_or("", String::as_str)
    }

    /// The time zone by which moments are shown.
    pub(super) fn zone(&self) -> &Zone {
        &self.now.styles.zone
    }

    /// How values are shown.
    pub(super) fn styles(&self) -> &Styles {
        &self.now.styles
    }

    /// The value as SHOW prints it.
    pub(super) fn show(&self, name: &str) -> Result<String, SessionError> {
        self.now
            .variables
            .get(&name.to_lowercase())
            .cloned()
            .or_else(|| engine::usual_setting(name))
            .ok_or_else(|| unknown(name))
    }

    /// The spelling of a variable's name.
    pub(super) fn spelling(name: &str) -> String {
        variables::find(name).map_or_else(|| name.to_owned(), |variable| variable.name.to_owned())
    }

    /// Every variable of PostgreSQL's with its value.
    pub(super) fn all(&self) -> impl Iterator<Item = (String, String)> {
        self.now
            .variables
            .iter()
            .map(|(name, value)| (Self::spelling(name), value.clone()))
    }

    /// Querent's own.
    pub(super) fn querent(&self) -> &statement::Settings {
        &self.now.querent
    }

    /// All values by their names in lower case, where they have changed since the last time.
    pub(super) fn unpublished(&mut self) -> Option<BTreeMap<String, String>> {
        let is_known = |published: &Arc<Values>| Arc::ptr_eq(published, &self.now);
        if self.published.as_ref().is_some_and(is_known) {
            return None;
        }
        self.published = Some(Arc::clone(&self.now));
        let mut values = self.now.variables.clone();
        for name in statement::Settings::NAMES {
            let value = self.now.querent.show(name).unwrap_or_default();
            values.insert(format!("querent.{name}"), value);
        }
        Some(values)
    }

    /// The thread of the connection has to be told anew.
    pub(super) fn republish(&mut self) {
        self.published = None;
    }

    /// The time a statement may take.
    pub(super) fn statement_timeout(&self) -> Option<Duration> {
        parse_duration(self.value("statement_timeout")).filter(|time| !time.is_zero())
    }

    /// True if the client wants to see a notice of this severity.
    pub(super) fn wants(&self, severity: Severity) -> bool {
        let least = match self.value("client_min_messages") {
            "debug5" | "debug4" | "debug3" | "debug2" | "debug1" => Severity::Debug,
            "log" => Severity::Log,
            "warning" => Severity::Warning,
            "error" => Severity::Error,
            _ => Severity::Notice,
        };
        severity >= least || severity == Severity::Info
    }

    /// A transaction or a savepoint begins.
    pub(super) fn save(&mut self) {
        self.saved.push(Arc::clone(&self.now));
    }

    /// Back to how it was when the savepoint of this depth began, which stays; 0 is the transaction itself.
    pub(super) fn restore(&mut self, depth: usize) {
        if let Some(saved) = self.saved.get(depth) {
            self.now = Arc::clone(saved);
            self.saved.truncate(depth + 1);
        }
    }

    /// Forgets the savepoints from this depth on; their changes stay.
    pub(super) fn release(&mut self, depth: usize) {
        self.saved.truncate(depth);
    }

    /// The transaction ends: SET LOCAL ends with it, and all of it if it failed.
    pub(super) fn end_transaction(&mut self, committed: bool) {
        if !committed {
            self.restore(0);
        }
        self.saved.clear();
        if let Some(hidden) = Arc::make_mut(&mut self.now).hidden.take() {
            self.now = hidden;
        }
    }

    /// The reported variables whose value the client does not know yet.
    pub(super) fn untold(&mut self) -> Vec<(&'static str, String)> {
        let mut untold = vec![];
        for variable in VARIABLES.iter().filter(|variable| variable.reported) {
            let value = self.value(&variable.name.to_lowercase()).to_owned();
            if self.told.get(variable.name) != Some(&value) {
                self.told.insert(variable.name, value.clone());
                untold.push((variable.name, value));
            }
        }
        untold
    }
}

fn unknown(name: &str) -> SessionError {
    SessionError::failed(
        "42704",
        format!("unrecognized configuration parameter \"{name}\""),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> SessionSettings {
        SessionSettings::new(statement::Settings::default(), "alice")
    }

    fn values(value: &str) -> SetValue {
        SetValue::Values(vec![value.to_owned()])
    }

    #[test]
    fn settings_follow_transactions() {
        let mut settings = session();
        settings.save();
        settings.set(false, "application_name", &values("a")).unwrap();
        settings.save();
        settings.set(false, "application_name", &values("b")).unwrap();
        settings.restore(1);
        assert_eq!(settings.value("application_name"), "a");
        settings.end_transaction(true);
        assert_eq!(settings.value("application_name"), "a");
        settings.save();
        settings.set(false, "application_name", &values("c")).unwrap();
        settings.end_transaction(false);
        assert_eq!(settings.value("application_name"), "a");
    }

    #[test]
    fn local_ends_with_the_transaction() {
        let mut settings = session();
        settings.save();
        settings.set(true, "statement_timeout", &values("5s")).unwrap();
        settings.set(false, "application_name", &values("kept")).unwrap();
        assert_eq!(settings.statement_timeout(), Some(Duration::from_secs(5)));
        settings.end_transaction(true);
        assert_eq!(settings.statement_timeout(), None);
        assert_eq!(settings.value("application_name"), "kept");
    }

    #[test]
    fn unknown_names_are_errors_unless_they_have_a_prefix() {
        let mut settings = session();
        assert!(settings.set(false, "no_such", &values("1")).is_err());
        settings.set(false, "my.own", &values("1")).unwrap();
        assert_eq!(settings.show("my.own").unwrap(), "1");
        assert!(settings.set(false, "querent.no_such", &values("1")).is_err());
    }

    #[test]
    fn changes_are_told_once() {
        let mut settings = session();
        assert!(
            settings
                .untold()
                .iter()
                .any(|(name, _)| *name == "server_version")
        );
        assert_eq!(settings.untold(), []);
        settings.set(false, "timezone", &values("Europe/Berlin")).unwrap();
        assert_eq!(settings.untold(), [("TimeZone", "Europe/Berlin".to_owned())]);
    }
}
