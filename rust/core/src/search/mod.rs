//! Win chances: what perfect play comes to, and how well players do that only look ahead.
//!
//! `optimal` is exact, for positions with few solutions. Everywhere else, `view` reads what a search
//! needs of a position, `features` turns it into the inputs of `network`, which has learned the
//! chance to win; `guess` searches for the best guess with these, and `rollout` makes the labelled positions to learn from.

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
mod spent;
#[cfg(test)]
mod testing;
pub mod view;
mod weighted;
mod wide;
