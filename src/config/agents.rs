//! Which model works as which agent.

use std::collections::BTreeMap;

use super::{
    ConfigError,
    declare::{Key, Row, keys_of},
    reader::Reader,
    value::KeyType,
};

/// The section of the keys.
pub(super) const SECTION: &str = "agents.";

/// The models of agents, by the agent's name, where one was chosen: names of [`super::Settings::models`].
#[derive(Debug, Clone, Default)]
pub struct AgentModels(BTreeMap<String, String>);

impl AgentModels {
    pub(super) const ROWS: &'static [Row] = &[
        agent(
            "agents.schema_linking",
            "the model of the agent that finds tables and columns",
        ),
        agent(
            "agents.subproblems",
            "the model of the agent that takes a question apart",
        ),
        agent("agents.query_plan", "the model of the agent that plans"),
        agent("agents.sql", "the model of the agent that writes SQL"),
        agent(
            "agents.correction_plan",
            "the model of the agent that says what is wrong with SQL",
        ),
        agent("agents.correction_sql", "the model of the agent that mends SQL"),
        agent(
            "agents.single",
            "the model of the one call of mode single, and of the first call of adaptive",
        ),
    ];

    pub(super) fn read(read: &Reader<'_>) -> Result<Self, ConfigError> {
        let mut chosen = BTreeMap::new();
        for key in keys_of(Self::ROWS) {
            if let Some(model) = read.value::<Option<String>>(key.name)? {
                chosen.insert(key.name[SECTION.len()..].to_owned(), model);
            }
        }
        Ok(Self(chosen))
    }

    /// Each agent's name with its model's.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(agent, model)| (agent.as_str(), model.as_str()))
    }

    /// The same, to give the models their full names.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut String)> {
        self.0.iter_mut().map(|(agent, model)| (agent.as_str(), model))
    }
}

const fn agent(name: &'static str, meaning: &'static str) -> Row {
    Row::Key(Key {
        name,
        kind: KeyType::Text,
        default: "",
        secret: false,
        meaning,
    })
}
