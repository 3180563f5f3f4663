//! Who may ask what: the access policy of the configuration, as it is for one user, and which columns models never see.
//!
//! It governs questions. A user's ordinary SQL runs with that user's own rights and is not looked at.

use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
    time::Duration,
};

use moka::sync::Cache;

use crate::{
    config::{NamePattern, PolicyRule, PolicySettings, Settings},
    error::{ClientError, SqlState},
    question::schema::Snapshot,
};

mod check;
mod view;

pub use check::problems;

/// Views that are kept at most, those that were used last.
const VIEWS: u64 = 200;
/// A view that nobody asked for is dropped after this time.
const IDLE: Duration = Duration::from_secs(3_600);

/// Who asks, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Asker {
    /// The user who has logged in, whatever role the session has taken since; empty for nobody in particular.
    pub user: String,
    /// The database.
    pub database: String,
    /// The roles that the database knows the user to be in, directly or through others.
    pub roles: Vec<String>,
}

/// The configured policy, until the configuration changes.
#[derive(Debug)]
pub struct Access {
    policy: PolicySettings,
    private: Vec<NamePattern>,
    views: Cache<ViewKey, View>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct ViewKey {
    asker: Asker,
    fingerprint: u64,
    /// Where the stored values and their figures are kept, and the keys that follow from those: they are read anew although
    /// the fingerprint stays as it is.
    read: [usize; 3],
}

/// A view with what it is of, which lives as long, so that its key means nothing else meanwhile.
#[derive(Debug, Clone)]
struct View {
    snapshot: Snapshot,
    _of: Snapshot,
}

/// Why a question is not worked on.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// Nobody may ask.
    #[error("questions are switched off on this server")]
    Off,
    /// This user may not.
    #[error("questions are switched off for {user} in this database")]
    OffForUser {
        /// The user.
        user: String,
    },
    /// A rule cannot be obeyed as it is written.
    #[error("the access policy cannot be applied")]
    Unusable {
        /// Which rule, and what is wrong with it; for the log, not for who asks.
        reason: String,
    },
}

impl ClientError for AccessError {
    fn sqlstate(&self) -> SqlState {
        SqlState::new("42501")
    }

    fn detail(&self) -> Option<String> {
        match self {
            Self::Unusable { .. } => {
                Some("A rule for this user does not fit the database as it is now, so that no question is answered.".into())
            }
            Self::Off | Self::OffForUser { .. } => None,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Off => {
                "Ordinary SQL works. questions = true in the server's configuration switches them on.".into()
            }
            Self::OffForUser { .. } => {
                "Ordinary SQL works. A [[policy.rule]] of the server's configuration switches questions off."
                    .into()
            }
            Self::Unusable { .. } => "The owner of this proxy sees more with querent check.".into(),
        })
    }
}

impl Access {
    /// The policy of these settings.
    pub fn new(settings: &Settings) -> Self {
        Self {
            policy: settings.policy.clone(),
            private: settings.privacy.private.clone(),
            views: Cache::builder().max_capacity(VIEWS).time_to_idle(IDLE).build(),
        }
    }

    /// Whether this user may ask at all.
    pub fn may_ask(&self, asker: &Asker) -> Result<(), AccessError> {
        if self.rules_for(asker).all(|rule| rule.questions) {
            return Ok(());
        }
        let user = asker.user.clone();
        Err(AccessError::OffForUser { user })
    }

    /// The database as this user's questions may see it.
    pub fn view(&self, asker: &Asker, snapshot: &Snapshot) -> Result<Snapshot, AccessError> {
        let rules: Vec<&PolicyRule> = self.rules_for(asker).collect();
        let limits =
            |rule: &&PolicyRule| rule.allow.is_some() || !rule.deny.is_empty() || !rule.rows.is_empty();
        if self.private.is_empty() && !rules.iter().any(limits) {
            return Ok(snapshot.clone());
        }
        let key = ViewKey {
            asker: asker.clone(),
            fingerprint: snapshot.fingerprint,
            read: [
                Arc::as_ptr(&snapshot.values) as usize,
                Arc::as_ptr(&snapshot.profile) as usize,
                Arc::as_ptr(&snapshot.schema) as usize,
            ],
        };
        if let Some(view) = self.views.get(&key) {
            return Ok(view.snapshot);
        }
        let fingerprint = {
            let mut hasher = DefaultHasher::new();
            key.hash(&mut hasher);
            hasher.finish()
        };
        let view = view::view(snapshot, asker, &rules, &self.private)?;
        let view = Snapshot { fingerprint, ..view };
        let kept = View {
            snapshot: view.clone(),
            _of: snapshot.clone(),
        };
        self.views.insert(key, kept);
        Ok(view)
    }

    /// The rules that are about somebody here.
    fn rules_for<'a>(&'a self, asker: &'a Asker) -> impl Iterator<Item = &'a PolicyRule> {
        let own = self
            .policy
            .roles
            .iter()
            .filter(|(_, users)| users.contains(&asker.user));
        let roles: BTreeSet<&str> = own
            .map(|(role, _)| role.as_str())
            .chain(asker.roles.iter().map(String::as_str))
            .collect();
        self.policy.rules.iter().filter(move |rule| {
            let here = rule.databases.is_empty() || rule.databases.contains(&asker.database);
            let everybody = rule.users.is_empty() && rule.roles.is_empty();
            here && (everybody
                || rule.users.contains(&asker.user)
                || rule.roles.iter().any(|role| roles.contains(role.as_str())))
        })
    }
}
