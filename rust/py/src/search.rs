//! `EndGame`: perfect play of positions with few solutions.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use sapper_core::search::optimal::{self, Ask, OptimalLimit, Solved};

use crate::analysis::knowledge;
use crate::cancel::{after, Cancel, Watch};
use crate::errors::to_py;
use crate::graph::Graph;

/// The result of perfect play; `wins` is None with a density.
#[pyclass(get_all, frozen, module = "sapper._core")]
pub struct PerfectPlay {
    wins: Option<u64>,
    win_chance: f64,
    solutions: u64,
    states: u64,
    cell: Option<u32>,
    best: Vec<u32>,
    win_chances: Vec<(u32, f64)>,
}

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

    #[pyo3(signature = (graph, cells, mines, density, running, solutions, states,
                        seconds=None, best=false, wins=false, cancel=None))]
    #[allow(clippy::too_many_arguments)]
    fn solve(
        &self,
        py: Python<'_>,
        graph: &Graph,
        cells: &[u8],
        mines: Option<usize>,
        density: Option<f64>,
        running: bool,
        solutions: usize,
        states: u64,
        seconds: Option<f64>,
        best: bool,
        wins: bool,
        cancel: Option<&Cancel>,
    ) -> PyResult<Option<PerfectPlay>> {
        let known = knowledge(py, mines, density, running)?;
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
            end.solve(&graph.inner, cells, known, limit, ask)
        });
        watch.outcome(py)?;
        let solved = solved.map_err(|e| to_py(py, e))?;
        Ok(solved.map(PerfectPlay::from))
    }
}

impl From<Solved> for PerfectPlay {
    fn from(s: Solved) -> Self {
        let share = |wins: u64| wins as f64 / s.solutions as f64;
        let (wins, win_chance, win_chances) = match s.chances {
            Some(chances) => (None, chances.win, chances.cells),
            None => {
                let cells = s.cell_wins.iter().map(|&(cell, wins)| (cell, share(wins)));
                (Some(s.wins), share(s.wins), cells.collect())
            }
        };
        let Solved { solutions, states, cell, best, .. } = s;
        PerfectPlay { wins, win_chance, solutions, states, cell, best, win_chances }
    }
}
