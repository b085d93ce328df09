//! `Engine` and `Analysis`.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

use num_bigint::BigUint;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sapper_core::analysis::{self, Limit, DEFAULT_STATES};
use sapper_core::budget::Budget;
use sapper_core::frontier::Fixed;
use sapper_core::mines::{Knowledge, Mines};
use sapper_core::sample::SampleError;

use crate::cancel::{Cancel, Watch};
use crate::errors::to_py;
use crate::graph::Graph;

/// What is known about a position besides its cells.
pub fn knowledge(
    py: Python<'_>,
    mines: Option<usize>,
    density: Option<f64>,
    running: bool,
) -> PyResult<Knowledge> {
    let mines = Mines::new(mines, density).map_err(|e| to_py(py, e))?;
    Ok(Knowledge { mines, running })
}

#[pyclass(frozen, module = "sapper._core")]
pub struct Analysis {
    inner: analysis::Analysis,
}

#[pymethods]
impl Analysis {
    #[getter]
    fn exact(&self) -> bool {
        self.inner.is_exact()
    }

    #[getter]
    fn p_mine<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.inner.p_mine.clone().into_pyarray(py)
    }

    #[getter]
    fn p_mine_error<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.inner.p_mine_error.clone().map(|e| e.into_pyarray(py))
    }

    #[getter]
    fn safe(&self) -> Vec<u32> {
        self.inner.safe.clone()
    }

    #[getter]
    fn mined(&self) -> Vec<u32> {
        self.inner.mined.clone()
    }

    #[getter]
    fn log_weight(&self) -> f64 {
        self.inner.log_weight
    }

    #[getter]
    fn unsolved_count(&self) -> usize {
        self.inner.unsolved.len()
    }

    fn unsolved(&self, number: usize) -> PyResult<Unsolved> {
        match self.inner.unsolved.get(number) {
            Some(inner) => Ok(Unsolved { inner: inner.clone() }),
            None => Err(PyIndexError::new_err("there is no such component")),
        }
    }

    /// None if not exact, or if there is no time to write a long number.
    #[pyo3(signature = (seconds=None, cancel=None))]
    fn solutions(
        &self,
        py: Python<'_>,
        seconds: Option<f64>,
        cancel: Option<&Cancel>,
    ) -> PyResult<Option<BigUint>> {
        let watch = Watch::new(cancel);
        let limit = Limit { seconds, ..Limit::default() };
        let budget = Mutex::new(Budget::new(limit, Some(watch.interrupt.clone())));
        let counted = py.detach(|| {
            let budget = budget.lock().unwrap_or_else(PoisonError::into_inner);
            self.inner.solutions_within(&budget)
        });
        watch.outcome(py)?;
        Ok(counted)
    }
}

#[pyclass(frozen, module = "sapper._core")]
pub struct Unsolved {
    inner: analysis::Unsolved,
}

/// A constraint: the number of mines among some cells.
#[pyclass(get_all, frozen, module = "sapper._core")]
pub struct Constraint {
    mines: u32,
    cells: Vec<u32>,
}

#[pymethods]
impl Unsolved {
    #[getter]
    fn constraints(&self) -> Vec<Constraint> {
        let all = self.inner.constraints.iter().cloned();
        all.map(|(mines, cells)| Constraint { mines, cells }).collect()
    }

    #[getter]
    fn numbers(&self) -> Vec<u32> {
        self.inner.numbers.clone()
    }

    #[getter]
    fn seen_mined(&self) -> Vec<u32> {
        self.inner.seen_mined.clone()
    }

    #[getter]
    fn seen_clear(&self) -> Vec<u32> {
        self.inner.seen_clear.clone()
    }
}

#[pyclass(frozen, module = "sapper._core")]
pub struct Engine {
    inner: Mutex<analysis::Engine>,
}

#[pymethods]
impl Engine {
    #[new]
    fn new() -> Self {
        Engine { inner: Mutex::new(analysis::Engine::new()) }
    }

    #[pyo3(signature = (graph, cells, mines=None, density=None, running=true, states=None, seconds=None,
                        cancel=None))]
    #[allow(clippy::too_many_arguments)]
    fn analyze(
        &self,
        py: Python<'_>,
        graph: &Graph,
        cells: &[u8],
        mines: Option<usize>,
        density: Option<f64>,
        running: bool,
        states: Option<u64>,
        seconds: Option<f64>,
        cancel: Option<&Cancel>,
    ) -> PyResult<Analysis> {
        let known = knowledge(py, mines, density, running)?;
        let limit = Limit { states: states.unwrap_or(DEFAULT_STATES), seconds };
        let watch = Watch::new(cancel);
        let found = py.detach(|| {
            // A panic can only affect scratch space, which is cleared before each use.
            let mut engine = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            engine.set_interrupt(Some(watch.interrupt.clone()));
            engine.analyze(&graph.inner, cells, known, limit)
        });
        watch.outcome(py)?;
        found.map(|inner| Analysis { inner }).map_err(|e| to_py(py, e))
    }

    /// Boards as bytes, 1 for a mine; None if a component is too wide for the budget.
    #[pyo3(signature = (graph, cells, mines, density, running, clear, mined, n, seed, states=None,
                        seconds=None, cancel=None))]
    #[allow(clippy::too_many_arguments)]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        graph: &Graph,
        cells: &[u8],
        mines: Option<usize>,
        density: Option<f64>,
        running: bool,
        clear: Vec<usize>,
        mined: Vec<usize>,
        n: usize,
        seed: u64,
        states: Option<u64>,
        seconds: Option<f64>,
        cancel: Option<&Cancel>,
    ) -> PyResult<Option<Vec<Bound<'py, PyBytes>>>> {
        let known = knowledge(py, mines, density, running)?;
        let limit = Limit { states: states.unwrap_or(DEFAULT_STATES), seconds };
        let fixed: Vec<(usize, Fixed)> = clear
            .into_iter()
            .map(|cell| (cell, Fixed::Clear))
            .chain(mined.into_iter().map(|cell| (cell, Fixed::Mine)))
            .collect();
        let watch = Watch::new(cancel);
        let drawn = py.detach(|| {
            let mut engine = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            engine.set_interrupt(Some(watch.interrupt.clone()));
            engine.sample(&graph.inner, cells, known, &fixed, n, seed, limit)
        });
        watch.outcome(py)?;
        match drawn {
            Ok(boards) => Ok(Some(boards.iter().map(|b| PyBytes::new(py, b)).collect())),
            Err(SampleError::Budget) => Ok(None),
            Err(SampleError::Board(error)) => Err(to_py(py, error)),
        }
    }
}

thread_local! {
    /// The engine for analyses from scratch: its memory is cleared, but its buffers are reused.
    static SCRATCH: RefCell<analysis::Engine> = RefCell::default();
}

/// Analyses a position from scratch.
#[pyfunction]
#[pyo3(signature = (graph, cells, mines=None, density=None, running=true, states=None, seconds=None,
                    cancel=None))]
#[allow(clippy::too_many_arguments)]
pub fn analyze(
    py: Python<'_>,
    graph: &Graph,
    cells: &[u8],
    mines: Option<usize>,
    density: Option<f64>,
    running: bool,
    states: Option<u64>,
    seconds: Option<f64>,
    cancel: Option<&Cancel>,
) -> PyResult<Analysis> {
    let known = knowledge(py, mines, density, running)?;
    let limit = Limit { states: states.unwrap_or(DEFAULT_STATES), seconds };
    let watch = Watch::new(cancel);
    let found = py.detach(|| {
        with_scratch(|engine| {
            engine.set_interrupt(Some(watch.interrupt.clone()));
            engine.analyze(&graph.inner, cells, known, limit)
        })
    });
    watch.outcome(py)?;
    found.map(|inner| Analysis { inner }).map_err(|e| to_py(py, e))
}

/// Calls a function with an engine whose memory is empty.
fn with_scratch<T>(run: impl FnOnce(&mut analysis::Engine) -> T) -> T {
    SCRATCH.with(|scratch| match scratch.try_borrow_mut() {
        Ok(mut engine) => {
            engine.forget();
            run(&mut engine)
        }
        // A signal handler that runs during the call may call this function again.
        Err(_) => run(&mut analysis::Engine::new()),
    })
}

/// The minimum and maximum possible number of mines.
#[pyclass(get_all, frozen, module = "sapper._core")]
pub struct MineRange {
    fewest: usize,
    most: usize,
}

/// The mines next to the numbers; None beyond the budget.
#[pyfunction]
#[pyo3(signature = (graph, cells, states=None, seconds=None, cancel=None))]
pub fn frontier_mines(
    py: Python<'_>,
    graph: &Graph,
    cells: &[u8],
    states: Option<u64>,
    seconds: Option<f64>,
    cancel: Option<&Cancel>,
) -> PyResult<Option<MineRange>> {
    let limit = Limit { states: states.unwrap_or(DEFAULT_STATES), seconds };
    let watch = Watch::new(cancel);
    let found = py.detach(|| {
        with_scratch(|engine| {
            engine.set_interrupt(Some(watch.interrupt.clone()));
            engine.frontier_mines(&graph.inner, cells, limit)
        })
    });
    watch.outcome(py)?;
    let found = found.map_err(|e| to_py(py, e))?;
    Ok(found.map(|(fewest, most)| MineRange { fewest, most }))
}

/// Formats a natural number in decimal: Python rejects more than 4300 digits.
#[pyfunction]
pub fn decimal(py: Python<'_>, number: BigUint) -> String {
    py.detach(|| number.to_string())
}
