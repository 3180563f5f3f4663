//! What a reload takes, and what it refuses.

use super::*;

const WHOLE: &str = "questions = false
console_token = \"the-token-of-the-console\"

[auth]
mode = \"scram\"
users = { ann = \"her password\" }

[tls]
mode = \"require\"
self_signed = true

[privacy]
private = [\"customers.email\"]
send_values = false

[audit]
required = true

[limits]
spend_per_day = 1.5

[[policy.rule]]
deny = [\"salaries\"]
";

/// What stays as it was for certain, whichever part of the file is read.
fn protections(settings: &Settings) -> [bool; 10] {
    [
        settings.auth.mode == AuthMode::Scram,
        !settings.auth.users.is_empty(),
        settings.tls.mode == TlsMode::Require,
        !settings.privacy.private.is_empty(),
        !settings.privacy.send_values,
        settings.audit.enabled,
        settings.audit.required,
        settings.limits.spend_per_day.is_some(),
        settings.console.token.is_some(),
        !settings.policy.rules.is_empty(),
    ]
}

#[test]
fn a_part_of_the_file_takes_no_protection_away() {
    let whole = load(WHOLE, &[]).unwrap();
    assert_eq!(protections(&whole), [true; 10]);
    let mut refused = 0;
    for end in 0..WHOLE.len() {
        let Ok(part) = load(&WHOLE[..end], &[]) else {
            refused += 1;
            continue;
        };
        match whole.check_reload(&part) {
            Ok(()) => assert_eq!(protections(&part), [true; 10], "{}", &WHOLE[..end]),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > WHOLE.len() / 2, "{refused}");
    assert!(whole.check_reload(&whole).is_ok());
}

#[test]
fn an_empty_file_changes_nothing() {
    let empty = load("", &[("QUERENT_LOG", "info")]).unwrap();
    for file in [
        "questions = false",
        "[limits]\nrows = 10",
        "[[policy.rule]]\ndeny = [\"a\"]",
    ] {
        let before = load(file, &[]).unwrap();
        let told = before.check_reload(&empty).unwrap_err();
        assert_eq!(
            told.message, "the configuration is empty or gone, and was not before",
            "{file}"
        );
    }
    assert!(empty.check_reload(&empty).is_ok(), "there was none before");
}
