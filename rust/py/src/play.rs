//! Whole games of the native bots, and `ExactPlayer`, the bot `exact`.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use sapper_core::mines::Mines;
use sapper_core::play::{self, Exact, Guesser, Match, Played, Table};

use crate::cancel::{Cancel, Watch};
use crate::errors::to_py;
use crate::graph::Graph;

/// The result of a game; see `play::Played`.
#[pyclass(get_all, frozen, module = "sapper._core")]
pub struct PlayedGame {
    won: bool,
    actions: u32,
    proved: u32,
    risks: Vec<f64>,
    last_guess: Option<bool>,
    bbbv: usize,
    think_s: f64,
}

impl From<Played> for PlayedGame {
    fn from(played: Played) -> Self {
        let Played { won, actions, proved, risks, last_guess, bbbv, think: think_s } = played;
        PlayedGame { won, actions, proved, risks, last_guess, bbbv, think_s }
    }
}

#[pyclass(frozen, module = "sapper._core")]
pub struct ExactPlayer {
    inner: Mutex<(Exact, Table)>,
}

/// The games to play: their boards and seeds.
pub struct Games<'a> {
    pub graph: &'a Graph,
    pub mines: Option<usize>,
    pub density: Option<f64>,
    pub first: usize,
    pub clear: Vec<usize>,
    pub seeds: Vec<u64>,
}

impl Games<'_> {
    /// Plays all games; None for a game with a position that is too wide.
    pub fn play<G: Guesser + Send>(
        self,
        py: Python<'_>,
        player: &Mutex<(G, Table)>,
        cancel: Option<&Cancel>,
    ) -> PyResult<Vec<Option<PlayedGame>>> {
        let mines = Mines::new(self.mines, self.density).map_err(|e| to_py(py, e))?;
        let game = Match { mines, first: self.first, clear: self.clear };
        let graph = &self.graph.inner;
        let watch = Watch::new(cancel);
        let played: Result<Vec<Option<Played>>, _> = py.detach(|| {
            let mut inner = player.lock().unwrap_or_else(PoisonError::into_inner);
            let (player, table) = &mut *inner;
            player.set_interrupt(Some(watch.interrupt.clone()));
            self.seeds
                .iter()
                .take_while(|_| !watch.interrupt.is_set())
                .map(|&seed| play::play(player, table, graph, &game, seed))
                .collect()
        });
        watch.outcome(py)?;
        let played = played.map_err(|e| to_py(py, e))?;
        Ok(played.into_iter().map(|p| p.map(PlayedGame::from)).collect())
    }
}

#[pymethods]
impl ExactPlayer {
    #[new]
    fn new() -> Self {
        ExactPlayer { inner: Mutex::default() }
    }

    #[pyo3(signature = (graph, mines, density, first, clear, seeds, cancel=None))]
    #[allow(clippy::too_many_arguments)]
    fn play(
        &self,
        py: Python<'_>,
        graph: &Graph,
        mines: Option<usize>,
        density: Option<f64>,
        first: usize,
        clear: Vec<usize>,
        seeds: Vec<u64>,
        cancel: Option<&Cancel>,
    ) -> PyResult<Vec<Option<PlayedGame>>> {
        Games { graph, mines, density, first, clear, seeds }.play(py, &self.inner, cancel)
    }
}
