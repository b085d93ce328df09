//! Sapper's core: everything that must be fast.
//!
//! The core works on cells and their neighbours, and does not depend on Python. An analysis uses
//! these modules: `frontier` reads the position; `order` and `lattice` lay out each component's
//! partial solutions; `tally` counts small components and `sweep` large ones, both behind
//! `component`; `allowed` and `total` combine the components with the mine total; `analysis`
//! assembles the result and `solutions` counts the solutions. When the budget runs out, `estimate`
//! takes over. `sample` draws complete boards, and `round` is a game with its rules.

pub mod allowed;
pub mod analysis;
pub mod batch;
pub mod binomial;
pub mod budget;
mod bytes;
pub mod clock;
pub mod component;
pub mod error;
pub mod estimate;
pub mod float;
pub mod frontier;
pub mod generate;
pub mod lattice;
pub mod logic;
pub mod metrics;
pub mod mines;
pub mod noguess;
pub mod order;
pub mod play;
pub mod round;
pub mod sample;
pub mod search;
pub mod seeds;
pub mod share;
pub mod solutions;
pub mod sweep;
pub mod tally;
#[cfg(test)]
mod testing;
pub mod thin;
pub mod tiling;
pub mod topology;
pub mod total;
pub mod weight;
