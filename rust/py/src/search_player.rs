//! `SearchPlayer`: guesses by search, and whole games of the bots that search.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sapper_core::mines::Mines;
use sapper_core::play::Table;
use sapper_core::search::effort::Effort;
use sapper_core::search::guess::{self, Searcher};
use sapper_core::search::network::{self, Network};
use sapper_core::search::rollout;

use crate::analysis::knowledge;
use crate::cancel::{after, Cancel, Watch};
use crate::errors::to_py;
use crate::graph::Graph;
use crate::play::{Games, PlayedGame};

/// A candidate cell: its chance of being a mine, and the chance of winning by opening it.
#[pyclass(get_all, frozen, eq, module = "sapper._core")]
#[derive(Clone, PartialEq)]
pub struct Pick {
    index: u32,
    risk: f32,
    win_chance: f32,
}

impl From<guess::Pick> for Pick {
    fn from(guess::Pick { cell: index, risk, value: win_chance }: guess::Pick) -> Self {
        Pick { index, risk, win_chance }
    }
}

/// The candidate cells, best first (none if the position is too wide), and whether the first is
/// perfect play.
#[pyclass(get_all, frozen, eq, module = "sapper._core")]
#[derive(PartialEq)]
pub struct Guess {
    picks: Vec<Pick>,
    exact: bool,
}

#[pyclass(frozen, module = "sapper._core")]
pub struct SearchPlayer {
    inner: Mutex<(Searcher, Table)>,
}

#[pymethods]
impl SearchPlayer {
    /// Reads the fields of `Effort` from the attributes of a Python object.
    #[new]
    fn new(network: &[u8], effort: &Bound<'_, PyAny>) -> PyResult<Self> {
        let network = Network::from_bytes(network).ok_or_else(|| {
            PyValueError::new_err("these bytes are not a network of this version")
        })?;
        let effort = Effort::read(|name| effort.getattr(name)?.extract())?;
        let searcher = Searcher::new(Some(Arc::new(network)), effort);
        Ok(SearchPlayer { inner: Mutex::new((searcher, Table::default())) })
    }

    /// If time or states run out, it lists only the cells searched so far.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (graph, cells, mines, density, running, most_states=None, seconds=None,
                        cancel=None))]
    fn guess(
        &self,
        py: Python<'_>,
        graph: &Graph,
        cells: &[u8],
        mines: Option<usize>,
        density: Option<f64>,
        running: bool,
        most_states: Option<u64>,
        seconds: Option<f64>,
        cancel: Option<&Cancel>,
    ) -> PyResult<Guess> {
        let known = knowledge(py, mines, density, running)?;
        let mut cells = cells.to_vec();
        let (deadline, watch) = (seconds.and_then(after), Watch::new(cancel));
        let found = py.detach(|| {
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            inner.0.set_limits(most_states, deadline, Some(watch.interrupt.clone()));
            inner.0.guess(&graph.inner, &mut cells, known)
        });
        watch.outcome(py)?;
        let picks = found.picks.into_iter().map(Pick::from).collect();
        Ok(Guess { picks, exact: found.exact })
    }

    /// Whether values on such a board are chances of winning rather than of surviving.
    #[staticmethod]
    #[pyo3(signature = (cells, mines, density))]
    fn knows(
        py: Python<'_>,
        cells: usize,
        mines: Option<usize>,
        density: Option<f64>,
    ) -> PyResult<bool> {
        let mines = Mines::new(mines, density).map_err(|e| to_py(py, e))?;
        Ok(network::is_known(cells, mines))
    }

    /// Estimates of the win chance, one for each of `n` consecutive seeds, each from a game in
    /// which no guess is fatal. There are fewer if a position is too wide, or if time or states run
    /// out.
    #[pyo3(signature = (graph, cells, mines, density, running, first, seed, n,
                        most_states=None, seconds=None, cancel=None))]
    #[allow(clippy::too_many_arguments)]
    fn survivals(
        &self,
        py: Python<'_>,
        graph: &Graph,
        cells: &[u8],
        mines: Option<usize>,
        density: Option<f64>,
        running: bool,
        first: Option<usize>,
        seed: u64,
        n: u64,
        most_states: Option<u64>,
        seconds: Option<f64>,
        cancel: Option<&Cancel>,
    ) -> PyResult<Vec<f64>> {
        let known = knowledge(py, mines, density, running)?;
        let (deadline, watch) = (seconds.and_then(after), Watch::new(cancel));
        let found = py.detach(|| {
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            let (searcher, table) = &mut *inner;
            searcher.set_limits(most_states, deadline, Some(watch.interrupt.clone()));
            let position = (cells, known);
            let mut found = Vec::new();
            for seed in (0..n).map(|i| seed.wrapping_add(i)) {
                let game = rollout::survival(searcher, table, &graph.inner, position, first, seed);
                // A game that was stopped early gives no estimate.
                if searcher.is_spent() {
                    break;
                }
                found.extend(game);
            }
            found
        });
        watch.outcome(py)?;
        Ok(found)
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
