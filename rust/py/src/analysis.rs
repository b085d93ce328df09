//! `Engine` and `Analysis`.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

use num_bigint::BigUint;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sapper_core::analysis::{self, Limit, DEFAULT_STATES};
use sapper_core::frontier::Fixed;
use sapper_core::sample::SampleError;

use crate::errors::to_py;
use crate::graph::Graph;

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
    fn unsolved(&self) -> Vec<Unsolved> {
        self.inner.unsolved.iter().map(|u| Unsolved { inner: u.clone() }).collect()
    }

    fn solutions(&self, py: Python<'_>) -> Option<BigUint> {
        py.detach(|| self.inner.solutions())
    }
}

#[pyclass(frozen, module = "sapper._core")]
pub struct Unsolved {
    inner: analysis::Unsolved,
}

#[pymethods]
impl Unsolved {
    #[getter]
    fn constraints(&self) -> Vec<(u32, Vec<u32>)> {
        self.inner.constraints.clone()
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

    #[pyo3(signature = (graph, cells, mines=None, states=None, seconds=None))]
    fn analyze(
        &self,
        py: Python<'_>,
        graph: &Graph,
        cells: &[u8],
        mines: Option<usize>,
        states: Option<u64>,
        seconds: Option<f64>,
    ) -> PyResult<Analysis> {
        let limit = Limit { states: states.unwrap_or(DEFAULT_STATES), seconds };
        py.detach(|| {
            // What a panic leaves behind is scratch space, cleared before each use.
            let mut engine = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            engine.analyze(&graph.inner, cells, mines, limit)
        })
        .map(|inner| Analysis { inner })
        .map_err(|e| to_py(py, e))
    }

    /// Boards as bytes, 1 a mine; None where a component was too wide for the budget.
    #[pyo3(signature = (graph, cells, mines, clear, mined, n, seed, states=None, seconds=None))]
    #[allow(clippy::too_many_arguments)]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        graph: &Graph,
        cells: &[u8],
        mines: Option<usize>,
        clear: Vec<usize>,
        mined: Vec<usize>,
        n: usize,
        seed: u64,
        states: Option<u64>,
        seconds: Option<f64>,
    ) -> PyResult<Option<Vec<Bound<'py, PyBytes>>>> {
        let limit = Limit { states: states.unwrap_or(DEFAULT_STATES), seconds };
        let fixed: Vec<(usize, Fixed)> = clear
            .into_iter()
            .map(|cell| (cell, Fixed::Clear))
            .chain(mined.into_iter().map(|cell| (cell, Fixed::Mine)))
            .collect();
        let drawn = py.detach(|| {
            let mut engine = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            engine.sample(&graph.inner, cells, mines, &fixed, n, seed, limit)
        });
        match drawn {
            Ok(boards) => Ok(Some(boards.iter().map(|b| PyBytes::new(py, b)).collect())),
            Err(SampleError::Budget) => Ok(None),
            Err(SampleError::Board(error)) => Err(to_py(py, error)),
        }
    }
}

thread_local! {
    /// For analyses from scratch: its memory is emptied, its buffers stay.
    static SCRATCH: RefCell<analysis::Engine> = RefCell::default();
}

/// An analysis that remembers nothing of others.
#[pyfunction]
#[pyo3(signature = (graph, cells, mines=None, states=None, seconds=None))]
pub fn analyze(
    py: Python<'_>,
    graph: &Graph,
    cells: &[u8],
    mines: Option<usize>,
    states: Option<u64>,
    seconds: Option<f64>,
) -> PyResult<Analysis> {
    let limit = Limit { states: states.unwrap_or(DEFAULT_STATES), seconds };
    py.detach(|| {
        SCRATCH.with_borrow_mut(|engine| {
            engine.forget();
            engine.analyze(&graph.inner, cells, mines, limit)
        })
    })
    .map(|inner| Analysis { inner })
    .map_err(|e| to_py(py, e))
}

/// The fewest and the most mines around the numbers; None past the budget.
#[pyfunction]
#[pyo3(signature = (graph, cells, states=None, seconds=None))]
pub fn frontier_mines(
    py: Python<'_>,
    graph: &Graph,
    cells: &[u8],
    states: Option<u64>,
    seconds: Option<f64>,
) -> PyResult<Option<(usize, usize)>> {
    let limit = Limit { states: states.unwrap_or(DEFAULT_STATES), seconds };
    py.detach(|| {
        SCRATCH.with_borrow_mut(|engine| {
            engine.forget();
            engine.frontier_mines(&graph.inner, cells, limit)
        })
    })
    .map_err(|e| to_py(py, e))
}

/// A natural number in decimal: Python itself refuses above 4300 digits.
#[pyfunction]
pub fn decimal(py: Python<'_>, number: BigUint) -> String {
    py.detach(|| number.to_string())
}
