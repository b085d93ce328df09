//! The width and depth of the search for a guess.

/// A setting that can be converted from a number.
trait Setting {
    fn from_number(number: f64) -> Self;
}

impl Setting for f32 {
    fn from_number(number: f64) -> f32 {
        number as f32
    }
}

impl Setting for usize {
    fn from_number(number: f64) -> usize {
        number as usize
    }
}

impl Setting for u64 {
    fn from_number(number: f64) -> u64 {
        number as u64
    }
}

impl Setting for bool {
    fn from_number(number: f64) -> bool {
        number != 0.0
    }
}

/// Declares a struct of settings whose fields can be read by name.
macro_rules! settings {
    ($(#[$about:meta])* pub struct $name:ident { $($(#[$doc:meta])* pub $field:ident: $type:ty,)* }) => {
        $(#[$about])*
        pub struct $name {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl $name {
            /// Reads the fields in order; `number` returns the value for a field's name.
            pub fn read<E>(mut number: impl FnMut(&'static str) -> Result<f64, E>) -> Result<$name, E> {
                Ok($name { $($field: Setting::from_number(number(stringify!($field))?),)* })
            }
        }
    };
}

settings! {
/// The search's width and depth. There is no time limit, so the same position always gets the same
/// guess.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Effort {
    /// A cell is a candidate if its risk exceeds the lowest risk by at most this.
    pub margin: f32,
    /// The most candidates.
    pub cells: usize,
    /// The number of best cells searched two guesses deep, if their values are close to the best.
    pub deep: usize,
    pub near: f32,
    /// The maximum number of candidates for the second guess.
    pub second: usize,
    /// No second guess is searched after numbers less likely than this.
    pub likely: f32,
    /// Positions with at most this many solutions are played perfectly, if that takes at most
    /// `states` states.
    pub solutions: usize,
    pub states: u64,
    /// The same limit for positions within the search, with four states per solution.
    pub leaf_solutions: usize,
    /// The value of surviving a guess if the next choice is another guess, relative to the value if
    /// it is safe; and the exponent of the survival chance that multiplies the network's value.
    pub again: f32,
    pub blend: f32,
    /// Whether every candidate gets its win chance; otherwise, candidates that cannot be the best
    /// are cut off and get a lower value.
    pub every: bool,
}
}
