//! Models that cannot be configured so.

use super::*;

#[test]
fn models_that_do_not_fit_are_refused_with_a_hint() {
    for (file, expected) in [
        (
            "[model]\nname = \"x\"",
            "querent.toml:1: model must be a list of tables | begin each model with a line [[model]]",
        ),
        ("model = 3", "begin each model with a line [[model]]"),
        (
            "[[model]]\nmodel = \"x\"",
            "a [[model]] has no name (…/querent.toml:1)",
        ),
        (
            "\n\n[[model]]\nname = \"a\"\npricein = 1",
            "querent.toml:5: unknown key pricein in [[model]] | did you mean price_in?",
        ),
        (
            "[[model]]\nname = \"a\"\ntiers = []",
            "write it above the first [section]",
        ),
        (
            "[[model]]\nname = \"a\"\napi = \"ollama\"\nstructured_output = \"grammar\"",
            "structured_output of model \"a\" is grammar, which only servers built on llama.cpp take, and they speak openai",
        ),
        (
            "[[model]]\nname = \"a\"\nzzz = 1",
            "a model has name, api, base_url",
        ),
        (
            "[[model]]\nname = \"a\"\nprice_in = -1",
            "querent.toml:3: price_in of a [[model]] must be a number of US dollars",
        ),
        (
            "[[model]]\nname = \"a\"\napi = \"azure\"",
            "api of a [[model]] must be one of openai, anthropic, gemini, ollama",
        ),
        (
            "[[model]]\nname = \"a\"\nheaders = { a = 5 }",
            "must be a table of texts, not a value",
        ),
        ("[[model]]\nname = \"a b\"", "cannot stand in a list"),
        ("[[model]]\nname = \"embedded\"", "what needs no model"),
        (
            "[[model]]\nname = \"a\"\n[[model]]\nname = \"a\"",
            "two models named a (…/querent.toml:3)",
        ),
        (
            "[[model]]\nname = \"a\"\nbase_url = \"localhost:80\"",
            "base_url of model \"a\"",
        ),
        (
            "[[model]]\nname = \"a\"\nbase_url = \"ftp://a\"",
            "no address of HTTP",
        ),
        (
            "[[model]]\nname = \"a\"\nbase_url = \"https://u:p@a\"",
            "a key belongs in api_key_env",
        ),
        (
            "[[model]]\nname = \"a\"\nbase_url = \"https://a/v1?api_key=hunter2\"",
            "has a secret in it: api_key",
        ),
        (
            "[[model]]\nname = \"a\"\nheaders = { \"a b\" = \"c\" }",
            "cannot be sent",
        ),
        (
            "[[model]]\nname = \"a\"\napi_key_env = \"A\"\napi_key_file = \"b\"",
            "choose one",
        ),
        (
            "[[model]]\nname = \"a\"\nbase_url = \"http://far/v1\"\napi_key_env = \"A\"",
            "anybody on the way could read the key (…/querent.toml:3) | use https://, or say allow_insecure = true",
        ),
        (
            "[[model]]\nname = \"a\"\ntimeout = 0",
            "timeout of model \"a\" is 0",
        ),
        (
            "tiers = [\"smal\"]\n[[model]]\nname = \"small\"",
            "querent.toml:1) | did you mean small? known are embedded, small; or write openai:MODEL",
        ),
        ("tiers = [\"openia:x\"]", "no model is called so"),
        ("tiers = [\"openai:\"]", "no model is called so"),
        ("tiers = []", "tiers is empty"),
        ("[agents]\nsql = \"x\"", "agents.sql names \"x\""),
        ("[agents]\nsqll = \"x\"", "did you mean agents.sql?"),
        ("embeddings = \"embedded\"", "name a model"),
        ("[agents]\nsql = \"embedded\"", "agents.sql is embedded"),
        (
            "mode = \"plain\"",
            "mode must be one of embedded, single, sot, adaptive",
        ),
        (
            "[limits]\nspend_per_day = -1",
            "a number of US dollars, 0 or more",
        ),
        ("[limits]\nprompt_tokens = 0", "limits.prompt_tokens is 0"),
    ] {
        let told = refusal(file, &[]);
        for part in expected.split('…') {
            assert!(told.contains(part), "{file:?}: {told}");
        }
    }
    let told = refusal("", &[("QUERENT_MODEL", "x")]);
    assert!(
        told.contains("environment QUERENT_MODEL: model is for the file alone"),
        "{told}"
    );
}
