//! The templates: compiled once, with those of a folder in place of the built-in ones. They see a prompt context alone.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior, syntax::SyntaxConfig, value::Serde};

use super::{Agent, Attempt, Example, FindingNote, Prompt, PromptContext, TaxonomyEntry};
use crate::question::{schema::Dialect, validator::Code};

/// What several templates include.
const INCLUDED: [(&str, &str); 3] = [
    ("database", include_str!("../../../prompts/database.md")),
    ("context", include_str!("../../../prompts/context.md")),
    ("failure", include_str!("../../../prompts/failure.md")),
];

/// What is built in: what is included, then the agents' templates.
fn built_in() -> impl Iterator<Item = (&'static str, &'static str)> {
    let agents = Agent::ALL.iter().map(|agent| (agent.name(), agent.template()));
    INCLUDED.into_iter().chain(agents)
}

/// What a dialect asks of SQL, for the `rules` of a prompt context.
pub fn dialect_rules(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => include_str!("../../../dialects/sqlite/prompt.md").trim_ascii(),
        Dialect::Postgres => include_str!("../../../dialects/postgres/prompt.md").trim_ascii(),
    }
}

/// Why there is no prompt.
#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    /// A folder or file of templates cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file that no agent would read.
    #[error("{}: there is no agent of this name; templates are {}", path.display(), names())]
    Unknown {
        /// Which one.
        path: PathBuf,
    },
    /// A template that cannot be compiled or filled in.
    #[error("{file}:{line}: {message}")]
    Broken {
        /// The file, or the name of the built-in one.
        file: String,
        /// From 1.
        line: usize,
        /// What is wrong there.
        message: String,
    },
}

/// The compiled templates.
#[derive(Debug)]
pub struct Prompts {
    environment: Environment<'static>,
    folder: Option<PathBuf>,
    /// Names of the templates that came from the folder.
    own: BTreeSet<String>,
}

impl Default for Prompts {
    fn default() -> Self {
        Self::new(None).expect("the built-in templates are correct; a test renders them")
    }
}

impl Prompts {
    /// The built-in templates, and in their place those that `folder` has as `AGENT.md`.
    pub fn new(folder: Option<&Path>) -> Result<Self, PromptError> {
        let mut prompts = Self {
            environment: environment(),
            folder: folder.map(Path::to_owned),
            own: BTreeSet::new(),
        };
        for (name, text) in built_in() {
            prompts.add(name, text.to_owned())?;
        }
        if let Some(folder) = folder {
            prompts.read(folder)?;
        }
        for (name, _) in built_in() {
            prompts.check(name)?;
        }
        Ok(prompts)
    }

    /// The prompt of one agent.
    pub fn render(&self, agent: Agent, context: &PromptContext) -> Result<Prompt, PromptError> {
        self.fill(agent.name(), context)
    }

    fn read(&mut self, folder: &Path) -> Result<(), PromptError> {
        let unreadable = |path: &Path| {
            let path = path.to_owned();
            |source| PromptError::Unreadable { path, source }
        };
        for entry in fs::read_dir(folder).map_err(unreadable(folder))? {
            let path = entry.map_err(unreadable(folder))?.path();
            let name = path
                .file_stem()
                .and_then(|stem| stem.to_str())
                .unwrap_or_default();
            if path.extension().is_none_or(|extension| extension != "md") || name == "README" {
                continue;
            }
            if !built_in().any(|(known, _)| known == name) {
                return Err(PromptError::Unknown { path });
            }
            let text = fs::read_to_string(&path).map_err(unreadable(&path))?;
            self.own.insert(name.to_owned());
            self.add(name, text)?;
        }
        Ok(())
    }

    fn add(&mut self, name: &str, text: String) -> Result<(), PromptError> {
        self.environment
            .add_template_owned(name.to_owned(), text)
            .map_err(|error| self.broken(name, &error))
    }

    /// Fills a template in with all and with nothing, so that what is wrong is told at the start.
    fn check(&self, name: &str) -> Result<(), PromptError> {
        static KNOWN: LazyLock<BTreeSet<String>> = LazyLock::new(fields);
        let template = self
            .environment
            .get_template(name)
            .map_err(|error| self.broken(name, &error))?;
        let undeclared = template.undeclared_variables(false);
        let mut undeclared: Vec<&String> = undeclared.iter().filter(|word| !KNOWN.contains(*word)).collect();
        undeclared.sort();
        if let Some(word) = undeclared.first() {
            let line = template
                .source()
                .lines()
                .position(|line| line.contains(word.as_str()));
            return Err(PromptError::Broken {
                file: self.file(name),
                line: line.map_or(1, |line| line + 1),
                message: format!("nothing is called {word}; there is {}", list(&KNOWN)),
            });
        }
        if Agent::named(name).is_some() {
            self.fill(name, &PromptContext::default())?;
            self.fill(name, &full())?;
        }
        Ok(())
    }

    fn fill(&self, name: &str, context: &PromptContext) -> Result<Prompt, PromptError> {
        let broken = |error: minijinja::Error| self.broken(name, &error);
        let template = self.environment.get_template(name).map_err(broken)?;
        let mut captured = template
            .render_captured(Serde(context.cleaned()))
            .map_err(broken)?;
        let mut block = |block: &str| {
            captured
                .with_state_mut(|state| state.render_block(block))
                .map(|text| tidy(&text))
                .map_err(broken)
        };
        Ok(Prompt {
            system: block("system")?,
            user: block("user")?,
        })
    }

    fn broken(&self, name: &str, error: &minijinja::Error) -> PromptError {
        let mut error = error;
        // The innermost error is the one to mend: a template that another includes.
        while let Some(inner) = std::error::Error::source(error).and_then(|source| source.downcast_ref()) {
            error = inner;
        }
        let message = match (error.kind(), error.detail()) {
            (ErrorKind::UnknownBlock, Some(detail)) => {
                format!("{detail}: a template has the blocks system and user")
            }
            (kind, Some(detail)) => format!("{kind}: {detail}"),
            (kind, None) => kind.to_string(),
        };
        PromptError::Broken {
            file: self.file(error.name().unwrap_or(name)),
            line: error.line().unwrap_or(1),
            message,
        }
    }

    fn file(&self, name: &str) -> String {
        match &self.folder {
            Some(folder) if self.own.contains(name) => {
                folder.join(format!("{name}.md")).display().to_string()
            }
            _ => format!("prompts/{name}.md"),
        }
    }
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        // What is included ends its line.
        .keep_trailing_newline(true)
        .build()
        .expect("the usual delimiters differ from each other");
    environment.set_syntax(syntax);
    environment
}

/// No spaces at the ends of lines, no more than one empty line in a row, none at the ends.
fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    let mut empty = 0;
    for line in text.trim().lines().map(str::trim_end) {
        empty = if line.is_empty() { empty + 1 } else { 0 };
        if empty < 2 {
            tidied.push_str(line);
            tidied.push('\n');
        }
    }
    tidied.trim_end().to_owned()
}

/// The names that a template may use.
fn fields() -> BTreeSet<String> {
    let value = serde_json::to_value(PromptContext::default()).unwrap_or_default();
    value
        .as_object()
        .map(|fields| fields.keys().cloned().collect())
        .unwrap_or_default()
}

/// A context in which nothing is empty.
fn full() -> PromptContext {
    let word = || "x".to_owned();
    PromptContext {
        dialect: Dialect::Sqlite.name(),
        rules: word(),
        conventions: word(),
        schema: word(),
        linked: word(),
        evidence: vec![word()],
        today: word(),
        question: word(),
        hint: Some(word()),
        knowledge: vec![word()],
        examples: vec![Example {
            question: word(),
            sql: word(),
        }],
        subproblems: word(),
        plan: word(),
        sql: word(),
        error: word(),
        findings: vec![FindingNote::of_code(Code::SqlSyntaxError, "x")],
        taxonomy: TaxonomyEntry::all(),
        previous: vec![Attempt {
            sql: word(),
            problem: word(),
        }],
        terse: true,
        correction: word(),
    }
}

fn names() -> String {
    let names: Vec<String> = built_in().map(|(name, _)| format!("{name}.md")).collect();
    names.join(", ")
}

fn list(words: &BTreeSet<String>) -> String {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.join(", ")
}
