//! Enums that people write as words: variant and word stand together, and everything else follows from them.

/// Declares an enum with a word for each variant.
macro_rules! words {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $($(#[$note:meta])* $variant:ident = $word:literal,)*
        }
    ) => {
        $(#[$meta])*
        $vis enum $name {
            $($(#[$note])* $variant,)*
        }

        impl $name {
            /// Every one, in the order in which people are told of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];
            /// The words, in the same order.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word for it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// The one that a word means, in capitals or not.
            pub fn of_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name().eq_ignore_ascii_case(word))
            }
        }
    };
}

pub(crate) use words;
