//! `querent mcp`: a database as tools for AI agents, by the Model Context Protocol over standard input and output.

use std::{process::ExitCode, sync::Arc};

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
        ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
    },
    service::RequestContext,
    transport::stdio,
};
use serde_json::{Value, json};

use super::{
    Failure,
    models::{MeaningArguments, ModelArguments},
    runtime,
    target::{AttachArguments, Target},
};
use crate::config::Settings;

mod http;
mod lines;
mod tool_error;
mod tools;

pub(super) use http::routes;
use tool_error::ToolError;
use tools::Tools;

/// Give AI agents a database as tools, by the Model Context Protocol on standard input and output
///
/// The tools are ask (a question in plain language), query (one statement that only reads), schema and `semantic_model`. All
/// of them see what the access policy leaves and no private column, and every call that reads rows is in the audit.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  querent mcp shop.db
  querent mcp postgres://ann@db.example/shop --model openai:gpt-4.1-mini

An agent starts it itself; its configuration names the program and these arguments.
A password that is not in the address is taken from PGPASSWORD.")]
pub(super) struct Arguments {
    /// The database: a SQLite file, or postgres://[user[:password]@]host[:port][/db], or "host=… dbname=…"
    backend: Target,
    #[command(flatten)]
    attach: AttachArguments,
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    meaning: MeaningArguments,
}

impl Arguments {
    /// Settings that arguments override.
    pub(super) fn overrides(&self) -> Vec<(&'static str, String, &'static str)> {
        let mut overrides = self.attach.overrides();
        overrides.extend(self.model.overrides());
        overrides.extend(self.meaning.overrides());
        overrides
    }
}

/// What agents are told of the server.
const INSTRUCTIONS: &str = "Answers questions about one database. Prefer `ask` with the user's own words: its SQL is \
                            validated and its confidence is told. Use `schema` and `semantic_model` before you write SQL \
                            for `query`. Nothing here can write.";

/// The server of the protocol.
enum Server {
    /// Of a database that is open as long as it.
    Own(Arc<Tools>),
    /// Of one that a server serves.
    Served(Arc<http::Served>),
}

impl Server {
    async fn tools(&self) -> Result<Arc<Tools>, ToolError> {
        match self {
            Self::Own(tools) => Ok(Arc::clone(tools)),
            Self::Served(served) => served.tools().await,
        }
    }

    async fn call(&self, name: &str, given: &JsonObject) -> Option<Result<Value, ToolError>> {
        let text = |name: &str| given.get(name).and_then(Value::as_str).unwrap_or_default();
        if !["ask", "query", "schema", "semantic_model"].contains(&name) {
            return None;
        }
        let tools = match self.tools().await {
            Ok(tools) => tools,
            Err(refused) => return Some(Err(refused)),
        };
        Some(match name {
            "ask" => tools.ask(text("question")).await,
            "query" => tools.query(text("sql")).await,
            "schema" => tools.schema(given.get("table").and_then(Value::as_str)).await,
            _ => tools.semantic_model().await,
        })
    }
}

pub(super) fn run(arguments: &Arguments, settings: &Settings) -> Result<ExitCode, Failure> {
    if !settings.questions {
        return Err(
            Failure::new("questions are switched off").hint("set questions = true in the configuration")
        );
    }
    runtime()?.block_on(async {
        let tools = Arc::new(Tools::open(&arguments.backend, settings, || true).await?);
        tools.check_meaning().await?;
        let failed =
            |error: &dyn std::error::Error| Failure::new(format!("the agent cannot be spoken to: {error}"));
        let (input, output) = stdio();
        let (read, write, said) = lines::answered(input, output);
        let running = Box::pin(Server::Own(Arc::clone(&tools)).serve((read, write))).await;
        let ended = match running {
            Ok(running) => running
                .waiting()
                .await
                .map(|_| ())
                .map_err(|error| failed(&error)),
            Err(error) => Err(failed(&error)),
        };
        // It fails only if it panics, and then there is nothing left to write.
        let _ = said.await;
        ended?;
        tools.finish().await;
        Ok(ExitCode::SUCCESS)
    })
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("querent", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(listed()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let given = request.arguments.unwrap_or_default();
        let Some(outcome) = Box::pin(self.call(&request.name, &given)).await else {
            let message = format!("there is no tool {}", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let result = match outcome {
            Ok(told) => CallToolResult::structured(told),
            Err(refused) => CallToolResult::error(vec![ContentBlock::text(refused.to_string())]),
        };
        Ok(result.into())
    }
}

/// The tools, as agents see them.
fn listed() -> Vec<Tool> {
    let text = |name: &str, meaning: &str| -> JsonObject {
        object(json!({
            "type": "object",
            "properties": { name: { "type": "string", "description": meaning } },
            "required": [name],
        }))
    };
    let nothing = || object(json!({ "type": "object", "properties": {} }));
    let tools = [
        (
            "ask",
            "Answer a question in plain language: rows, the SQL, the confidence (0 to 1) and the steps to check.",
            text("question", "The question, in the user's own words"),
        ),
        (
            "query",
            "Run one SQL statement that only reads. It is checked against the schema and the access policy first.",
            text("sql", "One SELECT statement in the database's own dialect"),
        ),
        (
            "schema",
            "The tables and columns with types, comments and keys, as far as they may be read; of one table also what its \
             columns hold.",
            object(json!({
                "type": "object",
                "properties": { "table": {
                    "type": "string",
                    "description": "A table's name: it alone, with figures and common values of its columns",
                } },
            })),
        ),
        (
            "semantic_model",
            "What tables and columns mean: roles, metrics with their expressions, other names.",
            nothing(),
        ),
    ];
    let reads = || {
        let mut hints = ToolAnnotations::new();
        hints.read_only_hint = Some(true);
        hints
    };
    tools
        .into_iter()
        .map(|(name, meaning, parameters)| Tool::new(name, meaning, parameters).with_annotations(reads()))
        .collect()
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}
