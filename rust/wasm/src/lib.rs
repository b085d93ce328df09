//! The JavaScript binding: converts between JavaScript and `sapper_core`, and contains no logic of
//! its own.
//!
//! `src/sapper/web/static/engine/` checks arguments and gives results their final form.

mod analysis;
mod boards;
mod failure;
mod game;
mod host;
#[cfg(feature = "search")]
mod search;
mod shape;
