//! Who may do what in the console, as it is written.

use super::*;

#[test]
fn roles_are_of_users_and_of_the_roles_of_the_policy() {
    let settings = load(
        "[console_roles]\nsee_all = [\"ann\", \"+clerks\"]\nteach = [\"*\"]\n[policy.roles]\nclerks = [\"bob\"]\n",
        &[],
    )
    .unwrap();
    for (user, expected) in [
        ("ann", [true, true, false]),
        ("bob", [true, true, false]),
        ("clerks", [false, true, false]),
    ] {
        let has = |role: &ConsoleRole| settings.console.has_role(user, *role);
        let has: Vec<bool> = ConsoleRole::ALL.iter().map(has).collect();
        assert_eq!(has, expected, "{user}");
    }
}

#[test]
fn nobody_comes_who_was_not_asked_and_no_password_goes_about() {
    let scram = "[auth]\nmode = \"scram\"\nusers = { ann = \"secret\" }\n";
    let users = "console_auth = \"users\"\n";
    let proxy = "console_auth = \"proxy\"\nconsole_proxy_header = \"X-User\"\n";
    for (file, told) in [
        (users.to_owned(), "auth.mode is not scram"),
        (
            format!("console = \"0.0.0.0:1\"\n{users}{scram}"),
            "unencrypted from other machines",
        ),
        ("console_tls = true\n".to_owned(), "no certificate"),
        (proxy.to_owned(), "console_proxies names none"),
        (
            "console_auth = \"proxy\"\nconsole_proxies = \"127.0.0.1\"\n".to_owned(),
            "no name of a header",
        ),
        (
            format!("{proxy}console_proxies = \"localhost\"\n"),
            "no IP address",
        ),
        ("console_session = 0\n".to_owned(), "is 0"),
        ("console_roles = { rule = [\"ann\"] }\n".to_owned(), "no role"),
        (
            "console_roles = { teach = [\"+clerks\"] }\n".to_owned(),
            "policy.roles has no clerks",
        ),
    ] {
        let refused = refusal(&file, &[]);
        assert!(refused.contains(told), "{file}: {refused}");
    }
    load(&format!("{users}{scram}"), &[]).unwrap();
    load(&format!("{proxy}console_proxies = \"::ffff:10.0.0.1\"\n"), &[]).unwrap();
}
