//! `EndGame`, perfect play of positions with few solutions, and `SearchPlayer`, guesses by search.

use std::sync::Arc;

use sapper_core::clock::{Duration, Instant};
use sapper_core::play::Table;
use sapper_core::search::effort::Effort;
use sapper_core::search::guess::Searcher;
use sapper_core::search::network::{is_known, Network};
use sapper_core::search::optimal::{self, Ask, OptimalLimit, Solved};
use sapper_core::search::rollout;
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::host::interrupt;
use crate::shape::{knowledge, mines, Shape};

/// The time this many seconds from now; None if that is too far in the future.
fn after(seconds: f64) -> Option<Instant> {
    Instant::now().checked_add(Duration::try_from_secs_f64(seconds.max(0.0)).ok()?)
}

/// The result of perfect play; `wins` is undefined with a density.
#[wasm_bindgen]
pub struct PerfectPlay {
    #[wasm_bindgen(readonly)]
    pub wins: Option<u64>,
    #[wasm_bindgen(readonly, js_name = winChance)]
    pub win_chance: f64,
    #[wasm_bindgen(readonly)]
    pub solutions: u64,
    #[wasm_bindgen(readonly)]
    pub states: f64,
    /// A best cell; undefined if only mines are left.
    #[wasm_bindgen(readonly)]
    pub cell: Option<u32>,
    best: Vec<u32>,
    chances: Vec<(u32, f64)>,
}

#[wasm_bindgen]
impl PerfectPlay {
    #[wasm_bindgen(getter)]
    pub fn best(&self) -> Vec<u32> {
        self.best.clone()
    }

    /// The cells that can be opened, if requested, and the win chance of each.
    #[wasm_bindgen(getter)]
    pub fn cells(&self) -> Vec<u32> {
        self.chances.iter().map(|&(cell, _)| cell).collect()
    }

    #[wasm_bindgen(getter)]
    pub fn chances(&self) -> Vec<f64> {
        self.chances.iter().map(|&(_, chance)| chance).collect()
    }
}

impl From<Solved> for PerfectPlay {
    fn from(s: Solved) -> Self {
        let share = |wins: u64| wins as f64 / s.solutions as f64;
        let (wins, win_chance, chances) = match s.chances {
            Some(chances) => (None, chances.win, chances.cells),
            None => {
                let cells = s.cell_wins.iter().map(|&(cell, wins)| (cell, share(wins)));
                (Some(s.wins), share(s.wins), cells.collect())
            }
        };
        let Solved { solutions, states, cell, best, .. } = s;
        PerfectPlay { wins, win_chance, solutions, states: states as f64, cell, best, chances }
    }
}

/// Plays a position perfectly; undefined if it is past the limit.
#[wasm_bindgen(js_name = playPerfectly)]
#[allow(clippy::too_many_arguments)]
pub fn play_perfectly(
    shape: &Shape,
    cells: &[u8],
    total: Option<u32>,
    density: Option<f64>,
    running: bool,
    solutions: f64,
    states: f64,
    seconds: Option<f64>,
    every_chance: bool,
) -> Result<Option<PerfectPlay>, Failure> {
    let known = knowledge(total, density, running)?;
    let deadline = seconds.and_then(after);
    let limit = OptimalLimit { solutions: solutions as usize, states: states as u64, deadline };
    let ask = if every_chance { Ask::Wins } else { Ask::Best };
    let mut end_game = optimal::EndGame::new();
    end_game.set_interrupt(Some(interrupt()));
    let solved = end_game.solve(&shape.graph, cells, known, limit, ask)?;
    Ok(solved.map(PerfectPlay::from))
}

/// The candidate cells of a search, best first, and whether the first is perfect play.
#[wasm_bindgen]
pub struct Guess {
    picks: Vec<(u32, f64)>,
    #[wasm_bindgen(readonly)]
    pub exact: bool,
}

#[wasm_bindgen]
impl Guess {
    #[wasm_bindgen(getter)]
    pub fn cells(&self) -> Vec<u32> {
        self.picks.iter().map(|&(cell, _)| cell).collect()
    }

    #[wasm_bindgen(getter, js_name = winChances)]
    pub fn win_chances(&self) -> Vec<f64> {
        self.picks.iter().map(|&(_, chance)| chance).collect()
    }
}

#[wasm_bindgen]
pub struct SearchPlayer {
    searcher: Searcher,
    table: Table,
}

#[wasm_bindgen]
impl SearchPlayer {
    /// `effort` returns the value of each field of `Effort` by its name.
    #[wasm_bindgen(constructor)]
    pub fn new(
        network: &[u8],
        names: Vec<String>,
        values: &[f64],
    ) -> Result<SearchPlayer, Failure> {
        let network = Network::from_bytes(network).ok_or_else(|| {
            Failure::new("error", "these bytes are not a network of this version")
        })?;
        let effort = Effort::read(|name| {
            let at = names.iter().position(|given| given == name);
            let value = at.and_then(|at| values.get(at).copied());
            value.ok_or_else(|| Failure::setting(format!("an effort needs {name}")))
        })?;
        let searcher = Searcher::new(Some(Arc::new(network)), effort);
        Ok(SearchPlayer { searcher, table: Table::default() })
    }

    /// Whether values on such a board are chances of winning rather than of surviving.
    pub fn knows(cells: usize, total: Option<u32>, density: Option<f64>) -> Result<bool, Failure> {
        Ok(is_known(cells, mines(total, density)?))
    }

    pub fn guess(
        &mut self,
        shape: &Shape,
        cells: &[u8],
        total: Option<u32>,
        density: Option<f64>,
        running: bool,
        seconds: Option<f64>,
    ) -> Result<Guess, Failure> {
        let known = knowledge(total, density, running)?;
        let mut cells = cells.to_vec();
        self.searcher.set_limits(None, seconds.and_then(after), Some(interrupt()));
        let found = self.searcher.guess(&shape.graph, &mut cells, known);
        let picks = found.picks.iter().map(|pick| (pick.cell, f64::from(pick.value))).collect();
        Ok(Guess { picks, exact: found.exact })
    }

    /// Estimates of the win chance after opening a cell, one for each of `n` consecutive seeds;
    /// fewer if a position is too wide or the time runs out.
    #[allow(clippy::too_many_arguments)]
    pub fn survivals(
        &mut self,
        shape: &Shape,
        cells: &[u8],
        total: Option<u32>,
        density: Option<f64>,
        running: bool,
        first: usize,
        seed: u64,
        n: u32,
        seconds: Option<f64>,
    ) -> Result<Vec<f64>, Failure> {
        let known = knowledge(total, density, running)?;
        shape.check(first)?;
        self.searcher.set_limits(None, seconds.and_then(after), Some(interrupt()));
        let mut found = Vec::new();
        for seed in (0..u64::from(n)).map(|i| seed.wrapping_add(i)) {
            let (searcher, table) = (&mut self.searcher, &mut self.table);
            let game =
                rollout::survival(searcher, table, &shape.graph, (cells, known), Some(first), seed);
            // A game that was stopped early gives no estimate.
            if searcher.is_spent() {
                break;
            }
            found.extend(game);
        }
        Ok(found)
    }
}
