//! The access policy as it is written.

use super::*;

#[test]
fn rules_are_read_in_their_order() {
    let file = "[policy.roles]\nanalyst = [\"anna\", \"bob\"]\n\n[[policy.rule]]\nallow = []\n\n[[policy.rule]]\n\
                roles = [\"analyst\"]\ndeny = [\"customers.email\"]\nquestions = \"off\"\nrows = { orders = \"region = 'EU'\" }\n";
    let settings = load(file, &[]).unwrap();
    let [first, second] = settings.policy.rules.as_slice() else {
        panic!("{:?}", settings.policy);
    };
    assert_eq!(settings.policy.roles["analyst"], ["anna", "bob"]);
    assert!(first.questions && !second.questions);
    assert_eq!(
        (first.allow.as_ref().map(Vec::len), second.allow.is_none()),
        (Some(0), true)
    );
    assert_eq!(second.deny[0].to_string(), "customers.email");
    assert_eq!(second.rows[0].1, "region = 'EU'");
    assert!(
        second.source.to_string().ends_with("querent.toml:7"),
        "{}",
        second.source
    );
    let shown: Vec<String> = settings
        .rule_entries()
        .flatten()
        .map(|entry| format!("{} = {}", entry.name, entry.value))
        .collect();
    assert!(shown.contains(&"allow = []".to_owned()), "{shown:?}");
    assert!(
        shown.contains(&"rows = { orders = \"region = 'EU'\" }".to_owned()),
        "{shown:?}"
    );
}
