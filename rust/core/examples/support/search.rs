//! The searchers of the bots, and hashes of results.

use std::sync::Arc;

use sapper_core::search::effort::Effort;
use sapper_core::search::guess::Searcher;
use sapper_core::search::network::Network;

const WEIGHTS: &[u8] = include_bytes!("../../../../src/sapper/solver/search/win_chance.net");

/// The effort of `swift`, as in `sapper.solver.search.guesses`.
pub fn swift() -> Effort {
    Effort {
        margin: 0.1,
        cells: 5,
        solutions: 2_000,
        states: 20_000,
        leaf_solutions: 30,
        again: 0.8,
        ..Effort::default()
    }
}

/// The effort of `champion`, as in `sapper.solver.search.guesses`.
pub fn champion() -> Effort {
    Effort {
        margin: 0.2,
        cells: 24,
        solutions: 20_000,
        states: 200_000,
        leaf_solutions: 200,
        ..swift()
    }
}

/// Returns a searcher with the shipped network.
pub fn searcher(effort: Effort) -> Searcher {
    let network = Network::from_bytes(WEIGHTS).expect("the weights are a network");
    Searcher::new(Some(Arc::new(network)), effort)
}

/// Returns a hash with another word added.
pub fn mixed(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
