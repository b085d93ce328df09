//! Win chances: what perfect play comes to, and what can be said of it where that is out of reach.

mod frame;
mod key;
pub mod listing;
mod matrix;
mod memory;
mod narrow;
pub mod optimal;
mod spent;
mod wide;
