//! From checked entries to [`Settings`]: what one key cannot say alone is checked here.

use super::{
    ConfigError, Environment, Settings, policy::PolicyRule, reader::Reader, sources::Entries, specs,
    tables::Tables,
};

/// More threads than any machine has use for.
const MOST_THREADS: usize = 1_024;

impl Settings {
    pub(super) fn build(
        mut entries: Entries,
        tables: Tables,
        environment: &Environment,
    ) -> Result<Self, ConfigError> {
        let cast = specs::cast(&mut entries, &tables.models, environment)?;
        let read = Reader::new(&entries);
        let mut settings = Self {
            tiers: cast.tiers,
            models: cast.models,
            agents: cast.agents,
            embeddings: cast.embeddings,
            ..Self::read(&read)?
        };
        if settings.listen.is_empty() {
            return Err(read.refuse(
                "listen",
                "is empty",
                "give at least one address, such as 127.0.0.1:7432",
            ));
        }
        settings.threads = settings.threads.min(MOST_THREADS);
        let rules = tables.rules.iter().map(PolicyRule::of_table);
        settings.policy.rules = rules.collect::<Result<_, _>>()?;
        settings.console.complete(&read);
        settings.audit.complete(&read)?;
        settings.store.complete(&read, environment)?;
        settings.tls.complete(&read)?;
        settings.sqlite.complete(&read)?;
        settings.auth.check(&read)?;
        settings.check_console(&read)?;
        settings.limits.check(&read)?;
        settings.tables = tables;
        settings.entries = entries;
        Ok(settings)
    }
}

/// The function's name in small letters, as statements are compared with it.
pub(super) fn function_name(read: &Reader<'_>, key: &str) -> Result<String, ConfigError> {
    let name: String = read.value(key)?;
    let identifier = |c: char| c.is_alphanumeric() || c == '_';
    if !name.chars().all(identifier) || !name.starts_with(|c: char| !c.is_numeric()) {
        return Err(read.refuse(
            key,
            "is not a name",
            "use letters, digits and underscores, and no digit first",
        ));
    }
    Ok(name.to_lowercase())
}
