//! Enums whose values have words: the words stand beside the values, and nowhere else.

/// An enum of which each value has a word, by which users and programs choose it and are told it.
///
/// ```
/// servanda_syntax::named! {
///     /// A day without work.
///     #[derive(Clone, Copy, Debug, PartialEq)]
///     pub enum Rest {
///         /// The last of the week.
///         Sunday = "sunday",
///         /// Any other.
///         Holiday = "holiday",
///     }
/// }
/// assert_eq!(Rest::Holiday.word(), "holiday");
/// assert_eq!(Rest::called("sunday"), Some(Rest::Sunday));
/// ```
#[macro_export]
macro_rules! named {
    ($(#[$meta:meta])* $visible:vis enum $Name:ident { $($(#[$about:meta])* $value:ident = $word:literal,)* }) => {
        $(#[$meta])*
        $visible enum $Name {
            $($(#[$about])* $value,)*
        }

        // Not everything is both chosen and told.
        #[allow(dead_code)]
        impl $Name {
            /// All of them, with the words for them.
            $visible const NAMED: [(&'static str, $Name); [$($word),*].len()] = [$(($word, $Name::$value)),*];

            /// The words alone.
            $visible const WORDS: [&'static str; [$($word),*].len()] = [$($word),*];

            /// What a word stands for.
            $visible fn called(word: &str) -> Option<Self> {
                Self::NAMED.into_iter().find_map(|(known, value)| (known == word).then_some(value))
            }

            /// The word for it.
            $visible const fn word(self) -> &'static str {
                match self {
                    $($Name::$value => $word,)*
                }
            }
        }
    };
}
