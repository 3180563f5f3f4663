//! What is told of what happens, and where.

use std::path::PathBuf;

/// How to log.
#[derive(Debug, Clone, Default)]
pub struct LogSettings {
    /// A `tracing` filter; `None` for the default of the command.
    pub filter: Option<String>,
    /// One JSON object per line instead of text.
    pub json: bool,
}

/// Where the agents' runs are told of.
#[derive(Debug, Clone, Default)]
pub struct TraceSettings {
    /// A file of JSON lines.
    pub log: Option<PathBuf>,
    /// Whether prompts are written to it as well.
    pub prompts: bool,
    /// Whether texts and literals are left out of it.
    pub redact: bool,
    /// A collector of OpenTelemetry, by its HTTP address.
    pub otlp_endpoint: Option<String>,
}
