//! Who may ask at all.

use crate::conversation::legs::{COUNT, each};

#[test]
fn questions_are_switched_off_for_some() {
    each("", |leg| {
        let mut client = leg.client();
        assert_eq!(client.query(COUNT)[1], "D 3", "{}", leg.name);
        for (rule, asks) in [
            ("users = [\"test\", \"postgres\"]", false),
            ("users = [\"ada\"]", true),
            ("roles = [\"reader\"]", true),
            ("databases = [\"test\", \"postgres\"]", false),
            ("databases = [\"payroll\"]", true),
            (
                "users = [\"test\", \"postgres\"]\ndatabases = [\"payroll\"]",
                true,
            ),
            ("", false),
        ] {
            leg.reload(&format!("[[policy.rule]]\n{rule}\nquestions = \"off\"\n"))
                .unwrap();
            let told = client.query(COUNT);
            if asks {
                assert_eq!(told[1], "D 3", "{}: {rule}", leg.name);
            } else {
                assert!(
                    told[0].starts_with("E ERROR 42501 questions are switched off for"),
                    "{}: {rule}: {told:?}",
                    leg.name
                );
            }
            assert_eq!(client.query("SELECT name FROM planet WHERE id = 1")[1], "D Mars");
        }
        // Another who is in the role.
        leg.reload("[policy.roles]\nreader = [\"test\", \"postgres\"]\n[[policy.rule]]\nroles = [\"reader\"]\nquestions = false\n")
            .unwrap();
        assert!(client.query(COUNT)[0].starts_with("E ERROR 42501"));
        leg.reload("questions = false\n").unwrap();
        let told = client.query(COUNT);
        assert!(
            told[0].starts_with("E ERROR 42501 questions are switched off on this server"),
            "{told:?}"
        );
        leg.reload("").unwrap();
        assert_eq!(client.query(COUNT)[1], "D 3");
    });
}

#[test]
fn what_was_prepared_under_another_policy_does_not_run() {
    each("", |leg| {
        let mut client = leg.client();
        client.query("PREPARE p AS SELECT * FROM nl('how many planets are there')");
        assert_eq!(client.query("EXECUTE p")[1], "D 3", "{}", leg.name);
        leg.reload("notices = \"off\"\n").unwrap();
        assert_eq!(client.query("EXECUTE p")[1], "D 3", "{}", leg.name);
        leg.reload("[[policy.rule]]\ndeny = [\"planet\"]\n").unwrap();
        let told = client.query("EXECUTE p");
        assert!(
            told[0].starts_with("E ERROR 0A000 the access policy has changed"),
            "{}: {told:?}",
            leg.name
        );
        assert_eq!(client.query("SELECT name FROM planet WHERE id = 1")[1], "D Mars");
    });
}
