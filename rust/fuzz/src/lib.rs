//! Checks of the core on arbitrary bytes, each against the slowest and plainest reference.
//!
//! A check reads a small board from the bytes, and panics if the core is wrong. Any bytes are
//! valid: what is missing is zero.

pub mod analysis;
pub mod graph;
pub mod no_guess;
mod reader;
mod reference;
pub mod sampling;

/// A check, by the name of its fuzz target and of the folder of its corpus.
pub type Check = (&'static str, fn(&[u8]));

/// Every check.
pub const CHECKS: [Check; 4] = [
    ("analysis", analysis::check),
    ("graph", graph::check),
    ("no_guess", no_guess::check),
    ("sampling", sampling::check),
];
