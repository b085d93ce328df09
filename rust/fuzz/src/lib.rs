//! Checks of the core on arbitrary bytes, against a simple, slow reference.
//!
//! A check reads a small board from the bytes and panics if the core is wrong. All inputs are
//! valid: missing bytes are read as zero.

pub mod analysis;
pub mod graph;
pub mod no_guess;
mod reader;
mod reference;
pub mod sampling;

/// A check, with the name of its fuzz target and corpus folder.
pub type Check = (&'static str, fn(&[u8]));

/// Every check.
pub const CHECKS: [Check; 4] = [
    ("analysis", analysis::check),
    ("graph", graph::check),
    ("no_guess", no_guess::check),
    ("sampling", sampling::check),
];
