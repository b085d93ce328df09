//! `SearchPlayer`: guesses by search, and whole games of the bots that search.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sapper_core::mines::Mines;
use sapper_core::play::Table;
use sapper_core::search::effort::Effort;
use sapper_core::search::guess::Searcher;
use sapper_core::search::network::{self, Network};
use sapper_core::search::rollout;

use crate::cancel::{after, Cancel, Watch};
use crate::errors::to_py;
use crate::graph::Graph;
use crate::play::{Games, PyPlayed};

#[pyclass(frozen, module = "sapper._core")]
pub struct SearchPlayer {
    inner: Mutex<(Searcher, Table)>,
}

#[pymethods]
impl SearchPlayer {
    #[new]
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (network, *, margin, cells, deep, near, second, likely, solutions, states, leaf_solutions, again, blend, every))]
    fn new(
        network: &[u8],
        margin: f32,
        cells: usize,
        deep: usize,
        near: f32,
        second: usize,
        likely: f32,
        solutions: usize,
        states: u64,
        leaf_solutions: usize,
        again: f32,
        blend: f32,
        every: bool,
    ) -> PyResult<Self> {
        let network = Network::from_bytes(network).ok_or_else(|| {
            PyValueError::new_err("these bytes are not a network of this version")
        })?;
        let effort = Effort {
            margin,
            cells,
            deep,
            near,
            second,
            likely,
            solutions,
            states,
            leaf_solutions,
            again,
            blend,
            every,
        };
        let searcher = Searcher::new(Some(Arc::new(network)), effort);
        Ok(SearchPlayer { inner: Mutex::new((searcher, Table::default())) })
    }

    /// (cell, risk, value) of the considered cells, best first, none if the position is too wide;
    /// and whether the first is perfect play. Past the time or the states, only the cells searched
    /// by then.
    #[allow(clippy::type_complexity, clippy::too_many_arguments)]
    #[pyo3(signature = (graph, cells, mines, density, most_states=None, seconds=None, cancel=None))]
    fn guess(
        &self,
        py: Python<'_>,
        graph: &Graph,
        cells: &[u8],
        mines: Option<usize>,
        density: Option<f64>,
        most_states: Option<u64>,
        seconds: Option<f64>,
        cancel: Option<&Cancel>,
    ) -> PyResult<(Vec<(u32, f32, f32)>, bool)> {
        let mines = Mines::new(mines, density).map_err(|e| to_py(py, e))?;
        let mut cells = cells.to_vec();
        let (deadline, watch) = (seconds.and_then(after), Watch::new(cancel));
        let found = py.detach(|| {
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            inner.0.set_limits(most_states, deadline, Some(watch.interrupt.clone()));
            let guess = inner.0.guess(&graph.inner, &mut cells, mines);
            let picks = guess.picks.into_iter().map(|p| (p.cell, p.risk, p.value)).collect();
            (picks, guess.exact)
        });
        watch.outcome(py)?;
        Ok(found)
    }

    /// Whether values on such a board are chances to win rather than to survive.
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

    /// Estimates of the win chance, one for each of `n` consecutive seeds, each from a game in which
    /// no guess is fatal; fewer if a position is too wide, or past the time or the states.
    #[pyo3(signature = (graph, cells, mines, density, first, seed, n, most_states=None,
                        seconds=None, cancel=None))]
    #[allow(clippy::too_many_arguments)]
    fn survivals(
        &self,
        py: Python<'_>,
        graph: &Graph,
        cells: &[u8],
        mines: Option<usize>,
        density: Option<f64>,
        first: Option<usize>,
        seed: u64,
        n: u64,
        most_states: Option<u64>,
        seconds: Option<f64>,
        cancel: Option<&Cancel>,
    ) -> PyResult<Vec<f64>> {
        let mines = Mines::new(mines, density).map_err(|e| to_py(py, e))?;
        let (deadline, watch) = (seconds.and_then(after), Watch::new(cancel));
        let found = py.detach(|| {
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            let (searcher, table) = &mut *inner;
            searcher.set_limits(most_states, deadline, Some(watch.interrupt.clone()));
            let position = (cells, mines);
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
    ) -> PyResult<Vec<Option<PyPlayed>>> {
        Games { graph, mines, density, first, clear, seeds }.play(py, &self.inner, cancel)
    }
}
