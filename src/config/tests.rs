//! Unknown keys, types, precedence, masks.

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
    assert!(settings.entries().all(|entry| entry.source == Source::Default));
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
        ("[[model]]\nname = \"x\"", "model is not supported yet"),
        ("[policy]\nfunctions = []", "policy is not supported yet"),
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
}

#[test]
fn secrets_are_never_shown() {
    let file = "[auth]\nmode = \"scram\"\n[auth.users]\nalice = \"hunter2\"\n";
    let settings = load(file, &[]).unwrap();
    assert_eq!(settings.auth.users["alice"], "hunter2");
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
