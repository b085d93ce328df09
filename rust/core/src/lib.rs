//! Sapper's core: what must be fast, and nothing that a contributor would want to change.
//!
//! It knows cells and which of them touch, and nothing of Python.

pub mod error;
pub mod generate;
pub mod metrics;
pub mod topology;
