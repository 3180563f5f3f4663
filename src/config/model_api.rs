//! The HTTP interfaces of models: one row each, with what is customary around it.

macro_rules! apis {
    ($($(#[$doc:meta])* $api:ident: $name:literal, key $key:expr, address $address:expr;)*) => {
        /// How a model is spoken to.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ModelApi {
            $($(#[$doc])* $api,)*
        }

        impl ModelApi {
            /// Every one, in the order in which people are told of them.
            pub const ALL: &[Self] = &[$(Self::$api),*];
            /// Their names.
            pub(super) const NAMES: &[&str] = &[$($name),*];

            /// As it is written.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$api => $name,)*
                }
            }

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

impl ModelApi {
    /// The one of this name.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|api| api.name() == name)
    }
}
