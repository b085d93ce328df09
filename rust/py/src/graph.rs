//! `Graph`: the neighbours of every cell.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sapper_core::{error::BoardError, metrics, topology};

use crate::errors::to_py;

#[pyclass(frozen, module = "sapper._core")]
pub struct Graph {
    pub inner: topology::Graph,
}

impl Graph {
    pub fn check(&self, mined: &[u8]) -> Result<(), BoardError> {
        if mined.len() != self.inner.len() {
            return Err(BoardError::Shape(format!(
                "{} cells given for a board of {}",
                mined.len(),
                self.inner.len()
            )));
        }
        match mined.iter().position(|&m| m > 1) {
            Some(cell) => Err(BoardError::Shape(format!("cell {cell} is neither 0 nor 1"))),
            None => Ok(()),
        }
    }
}

/// Measures of a complete board.
#[pyclass(get_all, frozen, module = "sapper._core")]
pub struct BoardMetrics {
    openings: usize,
    bbbv: usize,
}

#[pymethods]
impl Graph {
    #[new]
    fn new(
        py: Python<'_>,
        offsets: PyReadonlyArray1<'_, u32>,
        neighbours: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Self> {
        let (offsets, neighbours) = (offsets.as_slice()?.to_vec(), neighbours.as_slice()?.to_vec());
        py.detach(|| topology::Graph::new(offsets, neighbours))
            .map(|inner| Graph { inner })
            .map_err(|e| to_py(py, e))
    }

    /// Cells in rows that touch at sides and corners, built without neighbour lists.
    #[staticmethod]
    fn rectangle(py: Python<'_>, width: usize, height: usize) -> PyResult<Self> {
        py.detach(|| topology::Graph::rectangle(width, height))
            .map(|inner| Graph { inner })
            .map_err(|e| to_py(py, e))
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn neighbours(&self, cell: usize) -> Vec<u32> {
        if cell < self.inner.len() {
            self.inner.neighbours(cell).to_vec()
        } else {
            Vec::new()
        }
    }

    fn numbers<'py>(&self, py: Python<'py>, mined: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        self.check(mined).map_err(|e| to_py(py, e))?;
        Ok(PyBytes::new(py, &py.detach(|| self.inner.numbers(mined))))
    }

    fn metrics(&self, py: Python<'_>, mined: &[u8]) -> PyResult<BoardMetrics> {
        self.check(mined).map_err(|e| to_py(py, e))?;
        let found = py.detach(|| metrics::metrics(&self.inner, mined));
        Ok(BoardMetrics { openings: found.openings, bbbv: found.bbbv })
    }

    /// The 3BV solved by the open cells; `open` has one byte per cell, which is 1 if the cell is
    /// open.
    fn solved(&self, py: Python<'_>, mined: &[u8], open: &[u8]) -> PyResult<usize> {
        self.check(mined).map_err(|e| to_py(py, e))?;
        self.check(open).map_err(|e| to_py(py, e))?;
        let open: Vec<bool> = open.iter().map(|&cell| cell != 0).collect();
        Ok(py.detach(|| metrics::solved(&self.inner, mined, &open)))
    }
}
