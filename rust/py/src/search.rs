//! `EndGame`: perfect play of positions with few solutions.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use sapper_core::mines::Mines;
use sapper_core::search::optimal::{self, Ask, OptimalLimit, Solved};

use crate::cancel::{after, Cancel, Watch};
use crate::errors::to_py;
use crate::graph::Graph;

/// Wins (None with a density), win chance, solutions, states, a best cell, every best cell, the win
/// chance of every cell.
type PySolved = (Option<u64>, f64, u64, u64, Option<u32>, Vec<u32>, Vec<(u32, f64)>);

#[pyclass(frozen, module = "sapper._core")]
pub struct EndGame {
    inner: Mutex<optimal::EndGame>,
}

#[pymethods]
impl EndGame {
    #[new]
    fn new() -> Self {
        EndGame { inner: Mutex::new(optimal::EndGame::new()) }
    }

    #[pyo3(signature = (graph, cells, mines, density, solutions, states, seconds=None,
                        best=false, wins=false, cancel=None))]
    #[allow(clippy::too_many_arguments)]
    fn solve(
        &self,
        py: Python<'_>,
        graph: &Graph,
        cells: &[u8],
        mines: Option<usize>,
        density: Option<f64>,
        solutions: usize,
        states: u64,
        seconds: Option<f64>,
        best: bool,
        wins: bool,
        cancel: Option<&Cancel>,
    ) -> PyResult<Option<PySolved>> {
        let mines = Mines::new(mines, density).map_err(|e| to_py(py, e))?;
        let limit = OptimalLimit { solutions, states, deadline: seconds.and_then(after) };
        let ask = match (wins, best) {
            (true, _) => Ask::Wins,
            (false, true) => Ask::Best,
            (false, false) => Ask::Cell,
        };
        let watch = Watch::new(cancel);
        let solved = py.detach(|| {
            // A panic can only affect scratch space, which is cleared before each use.
            let mut end = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            end.set_interrupt(Some(watch.interrupt.clone()));
            end.solve(&graph.inner, cells, mines, limit, ask)
        });
        watch.outcome(py)?;
        let solved = solved.map_err(|e| to_py(py, e))?;
        Ok(solved.map(tuple))
    }
}

fn tuple(s: Solved) -> PySolved {
    let share = |wins: u64| wins as f64 / s.solutions as f64;
    let (wins, win, cells) = match s.chances {
        Some(chances) => (None, chances.win, chances.cells),
        None => {
            let cells = s.cell_wins.iter().map(|&(cell, wins)| (cell, share(wins)));
            (Some(s.wins), share(s.wins), cells.collect())
        }
    };
    (wins, win, s.solutions, s.states, s.cell, s.best, cells)
}
