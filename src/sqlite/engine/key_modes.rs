//! What SET CONSTRAINTS has said in a transaction: which foreign keys wait for its end.

use crate::sqlite::catalog::Named;

/// Of all keys that may wait, and of some by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyModes {
    all: Option<bool>,
    named: Vec<(String, bool)>,
}

impl KeyModes {
    /// Lets them wait, or not: those of these names, or all.
    pub(super) fn set(&mut self, names: Option<&[String]>, deferred: bool) {
        let Some(names) = names else {
            *self = Self {
                all: Some(deferred),
                named: vec![],
            };
            return;
        };
        self.named.retain(|(name, _)| !names.contains(name));
        self.named
            .extend(names.iter().map(|name| (name.clone(), deferred)));
    }

    /// True where keys are looked at as they are declared.
    pub(super) fn are_declared(&self) -> bool {
        *self == Self::default()
    }

    /// True where keys may wait that would not by themselves.
    pub(super) fn let_wait(&self) -> bool {
        self.all == Some(true) || self.named.iter().any(|(_, deferred)| *deferred)
    }

    /// True for a key that waits.
    pub(super) fn waits(&self, key: &Named) -> bool {
        let named = self.named.iter().find(|(name, _)| *name == key.name);
        key.deferrable
            && named
                .map(|(_, deferred)| *deferred)
                .or(self.all)
                .unwrap_or(key.deferred)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_counts_until_all_are_said() {
        let key = |name: &str, deferrable, deferred| Named {
            schema: "main".into(),
            table: "t".into(),
            name: name.into(),
            kind: 'f',
            columns: vec![],
            target: None,
            actions: (' ', ' '),
            expression: String::new(),
            deferrable,
            deferred,
        };
        let (late, early, fixed) = (
            key("l", true, true),
            key("e", true, false),
            key("f", false, false),
        );
        let check = |modes: &KeyModes, expected: [bool; 3]| {
            assert_eq!(
                [&late, &early, &fixed].map(|key| modes.waits(key)),
                expected,
                "{modes:?}"
            );
        };
        let mut modes = KeyModes::default();
        check(&modes, [true, false, false]);
        modes.set(Some(&["e".into()]), true);
        check(&modes, [true, true, false]);
        modes.set(None, false);
        check(&modes, [false, false, false]);
        modes.set(Some(&["l".into()]), true);
        check(&modes, [true, false, false]);
        modes.set(None, true);
        check(&modes, [true, true, false]);
    }
}
