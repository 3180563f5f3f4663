//! Which models there are and who may use which: `[[model]]` tables, tiers, agents; `API:MODEL` wherever a name stands.

use std::collections::BTreeSet;

use super::{
    ConfigError, Environment, SettingSource,
    agents::{self, AgentModels},
    declare,
    model_api::ModelApi,
    models::ModelSettings,
    reader::Reader,
    sources::Entries,
    tables::Table,
    value::Setting,
};

/// The name of what needs no model.
const EMBEDDED: &str = "embedded";

/// The models, and who uses them by name.
pub(super) struct Cast {
    pub(super) models: Vec<ModelSettings>,
    pub(super) tiers: Vec<String>,
    pub(super) agents: AgentModels,
    pub(super) embeddings: Option<String>,
}

/// Puts together what `entries` name and `tables` describe. Where nobody chose tiers, the effective ones are written
/// into `entries`.
pub(super) fn cast(
    entries: &mut Entries,
    tables: &[Table],
    environment: &Environment,
) -> Result<Cast, ConfigError> {
    let mut models = Vec::new();
    let mut names = BTreeSet::new();
    for table in tables {
        let model = ModelSettings::of_table(table, environment)?;
        check_name(&model)?;
        if !names.insert(model.name.clone()) {
            return Err(ConfigError {
                message: format!("there are two models named {} ({})", model.name, model.source),
                hint: Some("give each [[model]] a name of its own".into()),
            });
        }
        models.push(model);
    }
    let embeddings = Reader::new(entries).value::<Option<String>>("embeddings")?;
    if entries["tiers"].1 == SettingSource::Default && !models.is_empty() {
        let answering = models.iter().map(|model| &model.name);
        let answering = answering
            .filter(|name| embeddings.as_ref() != Some(name))
            .cloned();
        let tiers = std::iter::once(EMBEDDED.to_owned()).chain(answering).collect();
        entries.insert("tiers", (Setting::List(tiers), SettingSource::Implied("model")));
    }
    let mut finder = Finder {
        entries,
        environment,
        models,
    };
    let mut tiers = Vec::new();
    for name in Reader::new(entries).value::<Vec<String>>("tiers")? {
        let name = finder.find("tiers", &name)?;
        if !tiers.contains(&name) {
            tiers.push(name);
        }
    }
    if tiers.is_empty() {
        return Err(ConfigError {
            message: format!("tiers is empty ({})", entries["tiers"].1),
            hint: Some("name at least one: embedded, or a model".into()),
        });
    }
    let mut agents = AgentModels::read(&Reader::new(entries))?;
    for (agent, model) in agents.iter_mut() {
        *model = finder.find_model(&format!("{}{agent}", agents::SECTION), model)?;
    }
    let embeddings = embeddings.map(|name| finder.find_model("embeddings", &name));
    let embeddings = embeddings.transpose()?;
    let mut models = finder.models;
    let place = |model: &ModelSettings| {
        let at = tiers.iter().position(|name| *name == model.name);
        at.unwrap_or(tiers.len())
    };
    models.sort_by_key(place);
    Ok(Cast {
        models,
        tiers,
        agents,
        embeddings,
    })
}

fn check_name(model: &ModelSettings) -> Result<(), ConfigError> {
    let plain = |c: char| c.is_alphanumeric() || "-_./@+".contains(c);
    let reason = match model.name.as_str() {
        "" => "has no name",
        EMBEDDED => "has the name of what needs no model",
        name if !name.chars().all(plain) => "has a name that cannot stand in a list",
        _ => return Ok(()),
    };
    Err(ConfigError {
        message: format!("a [[model]] {reason} ({})", model.source),
        hint: Some(
            "set name to letters, digits and the signs - _ . / @ +; what the provider calls it stands in model".into(),
        ),
    })
}

/// Finds models by name, and makes those that are named as `API:MODEL`.
struct Finder<'a> {
    entries: &'a Entries,
    environment: &'a Environment,
    models: Vec<ModelSettings>,
}

impl Finder<'_> {
    /// The name under which the model is known from now on.
    fn find(&mut self, key: &str, name: &str) -> Result<String, ConfigError> {
        let is_known = |name: &str| name == EMBEDDED || self.models.iter().any(|model| model.name == name);
        if is_known(name) {
            return Ok(name.to_owned());
        }
        let Some((api, model)) = spec(name) else {
            return Err(self.unknown(key, name));
        };
        let name = format!("{}:{model}", api.name());
        if !is_known(&name) {
            let source = self.entries[key].1.clone();
            let table = Table::of_model(&name, api, model, &source);
            self.models
                .push(ModelSettings::of_table(&table, self.environment)?);
        }
        Ok(name)
    }

    /// The same for what has to be a model.
    fn find_model(&mut self, key: &str, name: &str) -> Result<String, ConfigError> {
        if name == EMBEDDED {
            return Err(ConfigError {
                message: format!("{key} is embedded ({})", self.entries[key].1),
                hint: Some("name a model, or leave it out".into()),
            });
        }
        self.find(key, name)
    }

    fn unknown(&self, key: &str, name: &str) -> ConfigError {
        let mut known = vec![EMBEDDED];
        known.extend(self.models.iter().map(|model| model.name.as_str()));
        let spelled: Vec<_> = ModelApi::WORDS.iter().map(|api| format!("{api}:MODEL")).collect();
        let near = match declare::nearest_of(known.iter().copied(), name) {
            Some(near) => format!("did you mean {near}? "),
            None => String::new(),
        };
        let message = match &self.entries[key].1 {
            SettingSource::Argument(argument) => {
                format!("{argument} names {name:?}, and no model is called so")
            }
            source => format!("{key} names {name:?}, and no model is called so ({source})"),
        };
        ConfigError {
            message,
            hint: Some(format!(
                "{near}known are {}; or write {}",
                known.join(", "),
                spelled.join(", ")
            )),
        }
    }
}

/// Reads `API:MODEL`.
fn spec(text: &str) -> Option<(ModelApi, &str)> {
    let (prefix, model) = text.split_once(':')?;
    let api = match prefix {
        "anth" => ModelApi::Anthropic,
        prefix => ModelApi::of_word(prefix)?,
    };
    (!model.trim().is_empty()).then_some((api, model.trim()))
}
