//! The HTTP interfaces of models: one row each, with what is customary around it.

use crate::statement::words::words;

macro_rules! apis {
    ($($(#[$doc:meta])* $api:ident: $name:literal, key $key:expr, address $address:expr;)*) => {
        words! {
            /// How a model is spoken to.
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub enum ModelApi {
                $($(#[$doc])* $api = $name,)*
            }
        }

        impl ModelApi {
            /// The variable that has its key by custom; `None` where no key is needed.
            pub(super) fn key_variable(self) -> Option<&'static str> {
                match self {
                    $(Self::$api => $key,)*
                }
            }

            /// The variable that has its address by custom.
            pub(super) fn address_variable(self) -> Option<&'static str> {
                match self {
                    $(Self::$api => $address,)*
                }
            }
        }
    };
}

apis! {
    /// OpenAI's chat completions, and every server that is compatible with them.
    OpenAi: "openai", key Some("OPENAI_API_KEY"), address Some("OPENAI_BASE_URL");
    /// Anthropic's messages.
    Anthropic: "anthropic", key Some("ANTHROPIC_API_KEY"), address Some("ANTHROPIC_BASE_URL");
    /// Gemini's `generateContent`.
    Gemini: "gemini", key Some("GEMINI_API_KEY"), address None;
    /// Ollama, through its own chat completions.
    Ollama: "ollama", key None, address Some("OLLAMA_HOST");
}
