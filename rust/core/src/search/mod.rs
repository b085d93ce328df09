//! The win chances of perfect play, and of players that only look ahead.
//!
//! `optimal` is exact, for positions with few solutions. Otherwise, `view` reads a position,
//! `features` turns it into the inputs of `network`, which estimates the win chance, and `guess`
//! uses these modules to search for the best guess. `rollout` produces labelled positions for
//! training.

pub mod effort;
pub mod features;
mod filling;
mod frame;
pub mod guess;
mod key;
mod listing;
mod matrix;
mod memory;
mod narrow;
pub mod network;
pub mod nodes;
pub mod optimal;
mod regions;
mod rivals;
pub mod rollout;
mod search_budget;
#[cfg(test)]
mod testing;
pub mod view;
mod weighted;
mod wide;
