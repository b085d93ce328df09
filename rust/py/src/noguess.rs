//! `NoGuess`: boards that logic alone can open.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sapper_core::logic::{Logic, Step};
use sapper_core::noguess::{Dealer, Method, Request};

use crate::cancel::{Cancel, Watch};
use crate::errors::to_py;
use crate::graph::Graph;

/// A deduction: its difficulty, the numbers used, and the cells proved.
#[pyclass(get_all, frozen, module = "sapper._core")]
pub struct Deduction {
    logic: usize,
    because: Vec<u32>,
    safe: Vec<u32>,
    mined: Vec<u32>,
}

impl From<Step> for Deduction {
    fn from(step: Step) -> Self {
        let Step { logic, because, safe, mined } = step;
        Deduction { logic: logic as usize, because, safe, mined }
    }
}

/// A board, and how many boards were tried to find it.
#[pyclass(get_all, frozen, module = "sapper._core")]
pub struct Deal {
    mined: Py<PyBytes>,
    tries: u64,
}

#[pyclass(frozen, module = "sapper._core")]
pub struct NoGuess {
    inner: Mutex<Dealer>,
}

fn ceiling(index: usize) -> PyResult<Logic> {
    let found = Logic::ALL.get(index).copied();
    found.ok_or_else(|| PyValueError::new_err(format!("there is no logic {index}")))
}

#[pymethods]
impl NoGuess {
    #[new]
    fn new() -> Self {
        NoGuess { inner: Mutex::new(Dealer::default()) }
    }

    #[pyo3(signature = (graph, mines, start, clear, logic, fast, tries, seed, cancel=None))]
    #[allow(clippy::too_many_arguments)]
    fn deal(
        &self,
        py: Python<'_>,
        graph: &Graph,
        mines: usize,
        start: usize,
        clear: Vec<usize>,
        logic: usize,
        fast: bool,
        tries: u64,
        seed: u64,
        cancel: Option<&Cancel>,
    ) -> PyResult<Option<Deal>> {
        let method = if fast { Method::Fast } else { Method::Uniform };
        let request = Request { mines, start, clear, ceiling: ceiling(logic)?, method, tries };
        let watch = Watch::new(cancel);
        let found = py.detach(|| {
            let mut dealer = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            dealer.set_interrupt(Some(watch.interrupt.clone()));
            dealer.deal(&graph.inner, &request, seed)
        });
        watch.outcome(py)?;
        let found = found.map_err(|e| to_py(py, e))?;
        Ok(found.map(|f| Deal { mined: PyBytes::new(py, &f.mined).unbind(), tries: f.tries }))
    }

    fn prove(
        &self,
        py: Python<'_>,
        graph: &Graph,
        mined: &[u8],
        start: usize,
        logic: usize,
    ) -> PyResult<Option<Vec<Deduction>>> {
        graph.check(mined).map_err(|e| to_py(py, e))?;
        if start >= mined.len() {
            return Err(PyValueError::new_err(format!("there is no cell {start}")));
        }
        let request = Request {
            mines: 0,
            start,
            clear: Vec::new(),
            ceiling: ceiling(logic)?,
            method: Method::Uniform,
            tries: 1,
        };
        let path = py.detach(|| {
            let mut dealer = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            dealer.path(&graph.inner, mined, &request)
        });
        Ok(path.map(|steps| steps.into_iter().map(Deduction::from).collect()))
    }
}
