//! Every key of a `[[model]]` with its type, default and meaning.

use super::{
    key::{Key, key},
    model_api::ModelApi,
    value::KeyType,
};

/// The keys of a `[[model]]`, in the order in which they are printed.
pub(super) const MODEL_KEYS: &[Key] = &[
    key("name", KeyType::Text, "", "what tiers and agents call it"),
    key(
        "api",
        KeyType::Choice(ModelApi::NAMES),
        "openai",
        "how it is spoken to; openai is what most servers understand",
    ),
    key(
        "base_url",
        KeyType::List,
        "",
        "where its API is, http:// or https://; several endpoints of one model stand in for each other",
    ),
    key(
        "model",
        KeyType::Text,
        "",
        "what the provider calls it; else its name",
    ),
    key(
        "api_key_env",
        KeyType::Text,
        "",
        "the variable of the environment with the key",
    ),
    key("api_key_file", KeyType::Text, "", "the file with the key"),
    key(
        "allow_insecure",
        KeyType::Bool,
        "off",
        "lets the key travel over plain http to another machine",
    ),
    Key {
        name: "headers",
        kind: KeyType::Map,
        default: "{}",
        secret: true,
        meaning: "headers of each request",
    },
    key(
        "reasoning_effort",
        KeyType::Text,
        "",
        "how long it thinks, in the provider's words, such as low",
    ),
    key(
        "max_tokens",
        KeyType::Count,
        "0",
        "tokens of an answer, those thought included; 0 for what the agents need",
    ),
    key(
        "structured_output",
        KeyType::Choice(&["auto", "schema", "json", "off"]),
        "auto",
        "how it is held to JSON: by a schema, as JSON of any form, by the prompt alone; auto as the API has it",
    ),
    key(
        "price_in",
        KeyType::Money,
        "0",
        "US dollars per million tokens read",
    ),
    key(
        "price_out",
        KeyType::Money,
        "0",
        "US dollars per million tokens written",
    ),
    key(
        "accuracy",
        KeyType::Fraction,
        "0.0",
        "how often its SQL is right, as querent eval measures it; 0 where that is not known",
    ),
    key(
        "terse",
        KeyType::Bool,
        "off",
        "asks for SQL alone, without reasoning and other readings: for small models, which take long to say more",
    ),
    key(
        "timeout",
        KeyType::Duration,
        "2min",
        "time for a call, its retries and its wait for a turn included",
    ),
    key(
        "first_byte_timeout",
        KeyType::Duration,
        "90s",
        "how long it may be silent, before its answer and within",
    ),
    key(
        "retries",
        KeyType::Count,
        "2",
        "how often a call that failed at every endpoint is made again",
    ),
    key(
        "requests_per_minute",
        KeyType::Count,
        "0",
        "requests in a minute; 0 for no limit",
    ),
    key(
        "tokens_per_minute",
        KeyType::Count,
        "0",
        "tokens in a minute; 0 for no limit",
    ),
    key("concurrency", KeyType::Count, "16", "requests at once; more wait"),
    key(
        "ca",
        KeyType::Text,
        "",
        "authorities that are trusted beside the system's, a PEM file; else SSL_CERT_FILE",
    ),
    Key {
        name: "proxy",
        kind: KeyType::Text,
        default: "",
        secret: true,
        meaning: "the HTTP proxy on the way to it, or off; else HTTPS_PROXY and the like",
    },
];
