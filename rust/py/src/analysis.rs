//! `Engine` and `Analysis`.

use std::sync::{Mutex, PoisonError};

use num_bigint::BigUint;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use sapper_core::analysis::{self, Limit, DEFAULT_STATES};

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

    /// Constraints `(mines, cells)`, cells seen with a mine, cells seen clear, for each.
    #[getter]
    #[allow(clippy::type_complexity)]
    fn unsolved(&self) -> Vec<(Vec<(u32, Vec<u32>)>, Vec<u32>, Vec<u32>)> {
        self.inner
            .unsolved
            .iter()
            .map(|u| (u.constraints.clone(), u.seen_mined.clone(), u.seen_clear.clone()))
            .collect()
    }

    fn solutions(&self, py: Python<'_>) -> Option<BigUint> {
        py.detach(|| self.inner.solutions())
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
}

/// A natural number in decimal: Python itself refuses above 4300 digits.
#[pyfunction]
pub fn decimal(py: Python<'_>, number: BigUint) -> String {
    py.detach(|| number.to_string())
}
