//! Unknown keys, types, precedence, masks.

use std::time::Duration;

use super::*;

fn load(file: &str, variables: &[(&str, &str)]) -> Result<Settings, ConfigError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("querent.toml");
    std::fs::write(&path, file).unwrap();
    let environment = Environment {
        variables: variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        folder: folder.path().to_path_buf(),
    };
    Settings::load(None, &environment, &[])
}

fn refusal(file: &str, variables: &[(&str, &str)]) -> String {
    let error = load(file, variables).expect_err(file);
    format!("{} | {}", error.message, error.hint.unwrap_or_default())
}

#[test]
fn defaults_are_local_and_trusting() {
    let settings = Settings::default();
    assert_eq!(settings.listen, [ListenAddress::parse("127.0.0.1:7432").unwrap()]);
    assert!(settings.questions && !settings.ask_keyword && !settings.allow_in_writes);
    assert_eq!(settings.tls.mode, TlsMode::Off);
    assert!(settings.check_sqlite().is_ok());
    assert!(
        settings
            .entries()
            .all(|entry| entry.source == SettingSource::Default)
    );
}

#[test]
fn the_environment_wins_over_the_file_and_arguments_over_both() {
    let file =
        "listen = \"127.0.0.1:1\"\nquestions = false\n[limits]\nrows = 5\nstatement_timeout = \"2s\"\n";
    let settings = load(
        file,
        &[("QUERENT_LIMITS__ROWS", "7"), ("QUERENT_LISTEN", "127.0.0.1:2")],
    )
    .unwrap();
    assert_eq!(settings.limits.rows, Some(7));
    assert_eq!(settings.limits.statement_timeout, Duration::from_secs(2));
    assert!(!settings.questions);
    assert_eq!(settings.listen[0].to_string(), "127.0.0.1:2");

    let environment = Environment {
        variables: BTreeMap::from([("QUERENT_LISTEN".to_owned(), "127.0.0.1:2".to_owned())]),
        ..Environment::default()
    };
    let arguments = [("listen", "127.0.0.1:3,/tmp".to_owned(), "--listen")];
    let settings = Settings::load(None, &environment, &arguments).unwrap();
    assert_eq!(settings.listen.len(), 2);
    let entry = settings.entries().find(|entry| entry.name == "listen").unwrap();
    assert_eq!(entry.source.to_string(), "argument --listen");
}

#[test]
fn sources_name_the_line() {
    let settings = load("# first\n[limits]\nrows = 5\n", &[]).unwrap();
    let entry = settings
        .entries()
        .find(|entry| entry.name == "limits.rows")
        .unwrap();
    assert!(
        entry.source.to_string().ends_with("querent.toml:3"),
        "{}",
        entry.source
    );
}

#[test]
fn what_does_not_fit_is_refused_with_a_hint() {
    for (file, expected) in [
        ("lisen = \"x\"", "did you mean listen?"),
        (
            "\n[limits]\nrow = 3",
            "querent.toml:3: unknown key limits.row | did you mean limits.rows?",
        ),
        ("[limit]\nrows = 3", "did you mean limits.rows?"),
        ("[weather]", "unknown key weather"),
        ("[policy]\nfunctions = []", "unknown key policy.functions"),
        (
            "\n[[policy.rule]]\nuser = [\"anna\"]",
            "querent.toml:3: unknown key user in [[policy.rule]] | did you mean users?",
        ),
        (
            "[policy]\nrule = 3",
            "querent.toml:2: policy.rule must be a list of tables | begin each rule with a line [[policy.rule]]",
        ),
        (
            "questions = true\n[[policy.rule]]",
            "a [[policy.rule]] says nothing",
        ),
        (
            "\n[[policy.rule]]\nusers = [\"anna\"]\n",
            "querent.toml:2) | name something in deny or rows, give it allow or questions = \"off\", or take it out",
        ),
        ("[[policy.rule]]\ndeny = []", "a [[policy.rule]] says nothing"),
        (
            "[[policy.rule]]\nquestions = \"on\"\nrows = {}\nusers = [\"anna\"]",
            "a [[policy.rule]] says nothing",
        ),
        (
            "[[policy.rule]]\ndeny = [\"a.b.c.d\"]",
            "has more than three parts",
        ),
        (
            "[[policy.rule]]\nrows = { sale = \" \" }",
            "has no condition for sale",
        ),
        (
            "[[policy.rule]]\nrows = \"x\"",
            "rows of a [[policy.rule]] must be a table of texts",
        ),
        (
            "[policy.roles]\nanalyst = \"anna\"",
            "policy.roles must be a table of lists",
        ),
        (
            "[privacy]\nprivate = [\"a..b\"]",
            "privacy.private is wrong: \"a..b\" has an empty part",
        ),
        ("[limits]\nrows = \"many\"", "limits.rows must be a whole number"),
        ("limits = 3", "unknown key limits"),
        ("questions = \"perhaps\"", "questions must be true or false"),
        (
            "[auth]\nmode = \"md5\"",
            "auth.mode must be one of auto, trust, scram, passthrough",
        ),
        ("[auth]\nmode = \"scram\"", "auth.users names nobody"),
        ("[tls]\nmode = \"require\"", "there is no certificate"),
        ("[tls]\ncert = \"a.pem\"", "tls.cert is given without tls.key"),
        (
            "[tls]\ncert = \"a.pem\"\nkey = \"b.pem\"\nself_signed = true",
            "choose one",
        ),
        (
            "[tls]\nself_signed = true\nclient_ca = \"a.pem\"",
            "clients may connect without TLS",
        ),
        ("function_name = \"n l\"", "function_name is not a name"),
        ("function_name = \"\"", "function_name is not a name"),
        ("[limits]\nquestion_timeout = 0", "limits.question_timeout is 0"),
        ("listen = []", "listen is empty"),
        ("listen = \"nowhere:port\"", "has no port"),
        ("min_confidence = 2", "a number from 0 to 1"),
        ("listen = ", "querent.toml:1"),
        ("[limits]\nrows = 1\nrows = 2", "querent.toml:3: duplicate key"),
    ] {
        let told = refusal(file, &[]);
        assert!(told.contains(expected), "{file:?}: {told}");
    }
    let told = refusal("", &[("QUERENT_LIMITS__ROW", "3")]);
    assert!(
        told.contains("environment QUERENT_LIMITS__ROW: unknown key limits.row"),
        "{told}"
    );
    let told = refusal("", &[("QUERENT_POLICY__RULE", "x")]);
    assert!(told.contains("policy.rule is for the file alone"), "{told}");
}

#[test]
fn secrets_are_never_shown() {
    let file = "[auth]\nmode = \"scram\"\n[auth.users]\nalice = \"hunter2\"\n";
    let settings = load(file, &[]).unwrap();
    assert_eq!(settings.auth.users["alice"].expose(), "hunter2");
    let shown: Vec<String> = settings.entries().map(|entry| entry.value).collect();
    assert!(shown.iter().any(|value| value.contains("alice")));
    assert!(!shown.iter().any(|value| value.contains("hunter2")));
    let told = refusal("[auth.users]\nalice = 12345\n", &[]);
    assert!(!told.contains("12345"), "{told}");
}

#[test]
fn a_certificate_switches_tls_on() {
    let settings = load("[tls]\nself_signed = true\n", &[]).unwrap();
    assert_eq!(settings.tls.mode, TlsMode::Allow);
    assert_eq!(settings.tls.certificate, Some(Certificate::SelfSigned));
    let settings = load("[tls]\nmode = \"off\"\nself_signed = true\n", &[]).unwrap();
    assert_eq!(settings.tls.mode, TlsMode::Off);
}

#[test]
fn trust_stays_on_this_machine_unless_told_otherwise() {
    let file = "listen = \"0.0.0.0:7432\"\n";
    let error = load(file, &[]).unwrap().check_sqlite().unwrap_err();
    assert!(error.hint.unwrap().contains("allow_trust_from_anywhere"));
    let allowed = load(file, &[("QUERENT_AUTH__ALLOW_TRUST_FROM_ANYWHERE", "true")]).unwrap();
    assert!(allowed.check_sqlite().is_ok());
}

#[test]
fn a_named_file_must_exist() {
    let error = Settings::load(
        Some(Path::new("/nonexistent/q.toml")),
        &Environment::default(),
        &[],
    )
    .unwrap_err();
    assert!(error.message.contains("/nonexistent/q.toml"));
}

const TWO_MODELS: &str = "
[[model]]
name = \"small\"
base_url = \"http://127.0.0.1:8080/v1\"
model = \"qwen2.5-coder\"

[[model]]
name = \"large\"
api = \"anthropic\"
model = \"claude\"
api_key_env = \"LARGE_KEY\"
price_in = 3
price_out = 15.0
headers = { x-team = \"querent-headers\" }
";

#[test]
fn models_are_read_in_their_order() {
    let settings = load(TWO_MODELS, &[("LARGE_KEY", " k-1 \n")]).unwrap();
    assert_eq!(settings.mode, Mode::Adaptive);
    assert_eq!(settings.tiers, ["embedded", "small", "large"]);
    let names: Vec<&str> = settings.models.iter().map(|model| model.name.as_str()).collect();
    assert_eq!(names, ["small", "large"]);
    let small = settings.model("small").unwrap();
    assert_eq!(
        (small.api, small.model.as_str()),
        (ModelApi::OpenAi, "qwen2.5-coder")
    );
    assert_eq!((&small.key, small.is_local()), (&ModelKey::None, true));
    let large = settings.model("large").unwrap();
    assert_eq!(large.key, ModelKey::Known(Secret::new("k-1")));
    assert!(large.base_urls.is_empty() && !large.is_local());
    assert!((large.price_in, large.price_out) == (3.0, 15.0));
    assert_eq!(settings.check_models().unwrap(), [""; 0]);
    let tiers = settings.entries().find(|entry| entry.name == "tiers").unwrap();
    assert_eq!(tiers.value, r#"["embedded", "small", "large"]"#);
    assert_eq!(tiers.source, SettingSource::Implied("model"));
}

#[test]
fn models_are_named_by_their_api_and_take_what_the_environment_has() {
    let environment = [
        ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"),
        ("ANTHROPIC_API_KEY", "a-key"),
        ("GEMINI_API_KEY", "g-key"),
        ("OLLAMA_HOST", "gpu:1234"),
        ("HTTPS_PROXY", "http://ann:pass@proxy:3128"),
        ("NO_PROXY", "localhost"),
        ("SSL_CERT_FILE", "/etc/company.pem"),
        (
            "QUERENT_TIERS",
            "embedded, openai:qwen, anth:claude, gemini:pro, ollama:coder:7b",
        ),
    ];
    let settings = load("", &environment).unwrap();
    assert_eq!(
        settings.tiers,
        [
            "embedded",
            "openai:qwen",
            "anthropic:claude",
            "gemini:pro",
            "ollama:coder:7b"
        ]
    );
    for (name, base_url, key, proxy) in [
        ("openai:qwen", "http://127.0.0.1:9/v1", "", ""),
        ("anthropic:claude", "", "a-key", "http://ann:pass@proxy:3128"),
        ("gemini:pro", "", "g-key", "http://ann:pass@proxy:3128"),
        ("ollama:coder:7b", "http://gpu:1234", "", ""),
    ] {
        let model = settings.model(name).unwrap();
        assert_eq!(model.base_urls.join(" "), base_url, "{name}");
        let known = match &model.key {
            ModelKey::Known(key) => key.expose(),
            _ => "",
        };
        assert_eq!(known, key, "{name}");
        assert_eq!(model.proxy.as_ref().map_or("", Secret::expose), proxy, "{name}");
        assert_eq!(model.ca.as_deref(), Some(Path::new("/etc/company.pem")), "{name}");
    }
    assert_eq!(settings.model("ollama:coder:7b").unwrap().model, "coder:7b");
    assert_eq!(settings.check_models().unwrap(), [""; 0]);
}

#[test]
fn agents_choose_among_the_models() {
    let file = format!("embeddings = \"small\"\n[agents]\nsql = \"large\"\n{TWO_MODELS}");
    let settings = load(&file, &[("QUERENT_AGENTS__QUERY_PLAN", "openai:x")]).unwrap();
    assert_eq!(settings.embeddings.as_deref(), Some("small"));
    assert_eq!(settings.tiers, ["embedded", "large"]);
    let agents: Vec<(&str, &str)> = settings.agents.iter().collect();
    assert_eq!(agents, [("query_plan", "openai:x"), ("sql", "large")]);
    assert!(settings.model("openai:x").is_some());
}

#[test]
fn a_key_that_is_not_there_is_told_before_it_is_needed() {
    let check =
        |file: &str, variables: &[(&str, &str)], refused: &str, warned: &str| match load(file, variables)
            .unwrap()
            .check_models()
        {
            Ok(warnings) => {
                assert_eq!(refused, "", "{file}");
                assert_eq!(warnings.is_empty(), warned.is_empty(), "{warnings:?}");
                assert!(warnings.join(" ").contains(warned), "{warnings:?}");
            }
            Err(error) => {
                let told = format!("{} | {}", error.message, error.hint.unwrap_or_default());
                assert!(!refused.is_empty() && told.contains(refused), "{told}");
            }
        };
    let far = "[[model]]\nname = \"far\"\nbase_url = \"https://far/v1\"\napi_key_env = \"FAR\"\n";
    let near = "[[model]]\nname = \"near\"\nbase_url = \"http://[::1]:1/v1\"\napi_key_env = \"NEAR\"\n";
    let file = "[[model]]\nname = \"file\"\napi_key_file = \"/nonexistent/key\"\n";
    let hint = "the variable FAR has no key";
    check(far, &[], hint, "");
    check(far, &[("FAR", "")], hint, "");
    check(far, &[("FAR", "k")], "", "");
    check(far, &[("FAR", "k\nl")], "what FAR holds is no key", "");
    check(far, &[("QUERENT_MODE", "embedded")], "", hint);
    check(far, &[("QUERENT_TIERS", "embedded")], "", hint);
    check(far, &[("QUERENT_REPLAY", "calls.jsonl")], "", "");
    check(near, &[], "", "the variable NEAR has no key");
    check(file, &[], "cannot read the key in /nonexistent/key", "");
    check(
        "",
        &[("QUERENT_TIERS", "openai:x")],
        "the variable OPENAI_API_KEY has no key",
        "",
    );
    let ours = [
        ("QUERENT_TIERS", "openai:x"),
        ("OPENAI_BASE_URL", "http://gpu/v1"),
    ];
    check("", &ours, "", "");
    let budget = format!("{far}[limits]\nspend_per_day = 1\n");
    check(&budget, &[("FAR", "k")], "", "model far has no price");
    check(&budget.replace("far/v1", "localhost/v1"), &[("FAR", "k")], "", "");
    check("", &[("QUERENT_TIERS", "ollama:x")], "", "");
}

#[test]
fn the_usual_key_goes_to_the_usual_address_alone() {
    let elsewhere = "[[model]]\nname = \"a\"\nbase_url = \"https://elsewhere/v1\"\n";
    let usual = "[[model]]\nname = \"a\"\n";
    for (file, key) in [
        (elsewhere, ModelKey::None),
        (usual, ModelKey::Known(Secret::new("k-2"))),
    ] {
        let settings = load(file, &[("OPENAI_API_KEY", "k-2")]).unwrap();
        assert_eq!(settings.models[0].key, key, "{file}");
    }
}

#[test]
fn keys_of_models_are_never_shown() {
    let file = format!(
        "console_token = \"the-token\"\n[auth.users]\nann = \"the-password\"\n{TWO_MODELS}proxy = \"http://ann:the-proxy@p:1\"\n"
    );
    let settings = load(&file, &[("LARGE_KEY", "the-key")]).unwrap();
    let mut shown = format!("{settings:?}");
    for entry in settings.entries().chain(settings.model_entries().flatten()) {
        shown.push_str(&entry.value);
    }
    for secret in [
        "the-key",
        "querent-headers",
        "the-proxy",
        "the-password",
        "the-token",
    ] {
        assert!(!shown.contains(secret), "{secret}: {shown}");
    }
    assert!(shown.contains("LARGE_KEY"), "{shown}");
}

mod console;
mod models;
mod reload;
mod rules;
