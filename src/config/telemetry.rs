//! What is told of what happens, and where.

use std::path::PathBuf;

use super::declare::settings;
use crate::statement::words::words;

settings! {
    /// How to log.
    #[derive(Debug, Clone, Default)]
    pub struct LogSettings in "" {
        pub filter("log"): Option<String> =
            "", "log filter, such as info or querent=debug; else RUST_LOG, else warn (serve: info)";
        pub format("log_format"): LogFormat = "text", "the form of a log line on stderr";
    }
}

words! {
    /// The form of a log line.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum LogFormat {
        /// For people.
        #[default]
        Text = "text",
        /// One JSON object.
        Json = "json",
    }
}

settings! {
    /// Where the agents' runs are told of.
    #[derive(Debug, Clone, Default)]
    pub struct TraceSettings in "trace_" {
        pub log: Option<PathBuf> =
            "", "file that each agent's run is appended to as a line of JSON, with the question and what the agent said";
        pub prompts: bool = "off", "whether trace_log has the prompts too";
        pub redact: bool =
            "off", "whether trace_log leaves out questions, prompts, literals and what agents say beside SQL";
        pub otlp_endpoint("otlp_endpoint"): Option<String> =
            "", "address of an OpenTelemetry collector that gets a span per question and agent: http://HOST:4318";
    }
}
