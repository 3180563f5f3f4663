//! Every key is of use, and a wrong one finds the right one.

use super::{
    super::{model_keys::MODEL_KEYS, planned::is_planned, rule_keys::RULE_KEYS},
    *,
};

#[test]
fn every_default_fits_its_kind() {
    for key in KEYS.iter().chain(MODEL_KEYS).chain(RULE_KEYS) {
        assert!(key.kind.read_text(key.default).is_some(), "{}", key.name);
        assert!(!key.meaning.is_empty());
        assert!(!is_planned(key.name), "{}", key.name);
    }
}

#[test]
fn misspelt_and_misplaced_keys_find_their_neighbour() {
    for (wrong, right) in [
        ("lisen", Some("listen")),
        ("limits.row", Some("limits.rows")),
        ("sqlite.busytimeout", Some("sqlite.busy_timeout")),
        ("busy_timeout", Some("sqlite.busy_timeout")),
        ("auth.user", Some("auth.users")),
        ("privat", Some("privacy.private")),
        ("zzz", None),
    ] {
        assert_eq!(nearest(wrong), right, "{wrong}");
    }
}
