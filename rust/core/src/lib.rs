//! Sapper's core: what must be fast, and nothing that a contributor would want to change.
//!
//! It knows cells and which of them touch, and nothing of Python. The way of an analysis:
//! `frontier` reads the position, `order` and `lattice` lay out each component's partial
//! solutions, `sweep` and `component` count them, `allowed` and `total` set the components
//! against the mine total, `analysis` puts it together and `solutions` counts it all; `estimate`
//! answers where the budget ran out, and `sample` draws complete boards.

pub mod allowed;
pub mod analysis;
pub mod budget;
pub mod component;
pub mod error;
pub mod estimate;
pub mod frontier;
pub mod generate;
pub mod lattice;
pub mod logic;
pub mod metrics;
pub mod noguess;
pub mod order;
pub mod play;
pub mod sample;
pub mod search;
pub mod solutions;
pub mod steps;
pub mod sweep;
pub mod thin;
pub mod topology;
pub mod total;
pub mod weight;
