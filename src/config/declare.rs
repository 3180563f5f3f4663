//! How settings are declared: one row gives a key its name, type, default and meaning, and the settings their field.

use std::sync::LazyLock;

use super::{
    Settings,
    value::{KeyType, Setting},
};

/// Declares a struct of settings. A row is a key: `field: Type = "default", "meaning";`. The type says what the key
/// may hold ([`super::typed::Typed`]) unless `as` names another [`KeyType`]; `by` names a function that reads what the
/// type alone cannot tell, and goes with `as`. The key's name is that of the field behind the section's, or what stands in brackets. A row
/// without a default is a section of its own. What is in `beside` comes from no key of its own: it has its type's
/// default until somebody works it out.
macro_rules! settings {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident in $section:literal {
            $(
                $(#[$note:meta])*
                $field_vis:vis $field:ident $(($key:literal))?: $type:ty $(as $kind:ident)?
                $(= $default:expr, $meaning:literal $(, by $parse:ident)?)?;
            )*
        }
        $(beside {
            $($(#[$beside_note:meta])* $beside_vis:vis $beside:ident: $beside_type:ty;)*
        })?
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $(
                $(#[$note])*
                $(#[doc = concat!("```text\n", $meaning, "\n```")])?
                $field_vis $field: $type,
            )*
            $($($(#[$beside_note])* $beside_vis $beside: $beside_type,)*)?
        }

        impl $name {
            /// The keys, in the order in which they are printed.
            pub(in crate::config) const ROWS: &'static [$crate::config::declare::Row] = &[$(
                settings!(
                    @row [$section $field $($key)?] [$type $(as $kind)?] $($default, $meaning $(, $parse)?)?
                ),
            )*];

            /// What each key says by itself.
            pub(in crate::config) fn read(
                read: &$crate::config::reader::Reader<'_>,
            ) -> Result<Self, $crate::config::ConfigError> {
                Ok(Self {
                    $($field: settings!(
                        @value read [$section $field $($key)?] $type $(= $default $(, $parse)?)?
                    ),)*
                    $($($beside: Default::default(),)*)?
                })
            }
        }
    };
    (@name $section:literal $field:ident) => { concat!($section, stringify!($field)) };
    (@name $section:literal $field:ident $key:literal) => { $key };
    (@kind $type:ty) => { <$type as $crate::config::typed::Typed>::KIND };
    (@kind $type:ty as $kind:ident) => { $crate::config::value::KeyType::$kind };
    (@row $name:tt [$type:ty]) => { $crate::config::declare::Row::Section(<$type>::ROWS) };
    (@secret $type:ty) => { <$type as $crate::config::typed::Typed>::SECRET };
    (@secret $type:ty, $parse:ident) => { false };
    (@row [$($name:tt)*] [$type:ty $(as $kind:ident)?] $default:expr, $meaning:literal $(, $parse:ident)?) => {
        $crate::config::declare::Row::Key($crate::config::declare::Key {
            name: settings!(@name $($name)*),
            kind: settings!(@kind $type $(as $kind)?),
            default: $default,
            secret: settings!(@secret $type $(, $parse)?),
            meaning: $meaning,
        })
    };
    (@value $read:ident $name:tt $type:ty) => { <$type>::read($read)? };
    (@value $read:ident [$($name:tt)*] $type:ty = $default:expr) => {
        $read.value::<$type>(settings!(@name $($name)*))?
    };
    (@value $read:ident [$($name:tt)*] $type:ty = $default:expr, $parse:ident) => {
        $parse($read, settings!(@name $($name)*))?
    };
}

pub(super) use settings;

/// What a struct of settings declares.
pub(super) enum Row {
    Key(Key),
    Section(&'static [Self]),
}

/// A setting that this version knows.
pub(super) struct Key {
    /// `section.key`, or the key alone at the top level.
    pub(super) name: &'static str,
    pub(super) kind: KeyType,
    /// The default, written as in an environment variable.
    pub(super) default: &'static str,
    /// True if its value must not be shown.
    pub(super) secret: bool,
    /// What it does, one line.
    pub(super) meaning: &'static str,
}

impl Key {
    /// True if it holds nothing unless somebody says otherwise.
    pub(super) fn is_empty_by_default(&self) -> bool {
        matches!(self.default, "" | "{}")
    }

    /// The default as a value.
    pub(super) fn default(&self) -> Setting {
        let setting = self.kind.read_text(self.default);
        setting.expect("every default fits its kind, as a test shows")
    }
}

/// The keys of rows and of their sections, in their order.
pub(super) fn keys_of(rows: &'static [Row]) -> Vec<&'static Key> {
    let mut keys = Vec::new();
    for row in rows {
        match row {
            Row::Key(key) => keys.push(key),
            Row::Section(rows) => keys.extend(keys_of(rows)),
        }
    }
    keys
}

/// All keys but those of lists of tables, top level first, in the order in which they are printed.
pub(super) fn all() -> &'static [&'static Key] {
    static ALL: LazyLock<Vec<&'static Key>> = LazyLock::new(|| keys_of(Settings::ROWS));
    &ALL
}

/// The key of this name.
pub(super) fn find(name: &str) -> Option<&'static Key> {
    all().iter().copied().find(|key| key.name == name)
}

/// The known key that looks most like this one, if any does.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    nearest_of(all().iter().map(|key| key.name), name)
}

/// The name that looks most like this one, if any does.
pub(super) fn nearest_of<'a>(names: impl Iterator<Item = &'a str>, name: &str) -> Option<&'a str> {
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let likeness = |known: &str| {
        let whole = strsim::jaro_winkler(name, known);
        // A key that stands in the wrong section is as near as a misspelt one.
        let end = strsim::jaro_winkler(&last(name), &last(known)) * 0.95;
        whole.max(end)
    };
    names
        .map(|known| (likeness(known), known))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    //! Every key is of use, and a wrong one finds the right one.

    use super::{
        super::{ModelSettings, PolicyRule, planned::is_planned},
        *,
    };

    #[test]
    fn every_default_fits_its_kind() {
        let tables = keys_of(ModelSettings::ROWS)
            .into_iter()
            .chain(keys_of(PolicyRule::ROWS));
        for key in all().iter().copied().chain(tables) {
            assert!(key.kind.read_text(key.default).is_some(), "{}", key.name);
            assert!(!key.meaning.is_empty());
            assert!(!is_planned(key.name), "{}", key.name);
        }
    }

    #[test]
    fn no_key_is_declared_twice() {
        for rows in [Settings::ROWS, ModelSettings::ROWS, PolicyRule::ROWS] {
            let keys = keys_of(rows);
            let mut names: Vec<&str> = keys.iter().map(|key| key.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), keys.len());
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
}
