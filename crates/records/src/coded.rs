//! Enums that are numbers in the store and words outside it.

/// An enum with a fixed number in the store and a fixed word outside.
macro_rules! coded {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $number:literal, $word:literal;)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$doc])* $variant),* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The word for programs; it never changes.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }

            /// The value of a word.
            pub fn from_word(word: &str) -> Option<$name> {
                match word { $($word => Some($name::$variant),)* _ => None }
            }

            /// The number of the value in the store.
            pub(crate) const fn number(self) -> i64 {
                match self { $($name::$variant => $number),* }
            }

            pub(crate) const fn from_number(number: i64) -> Option<$name> {
                match number { $($number => Some($name::$variant),)* _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.pad(self.word()) }
        }
    };
}
pub(crate) use coded;
