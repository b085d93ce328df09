//! The binding layer: converts between Python and `sapper_core`, and contains no logic of its own.

mod analysis;
mod batch;
mod cancel;
mod errors;
mod graph;
mod noguess;
mod play;
mod search;
mod search_player;

use errors::to_py;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sapper_core::generate;

#[pyfunction]
fn uniform_mines<'py>(
    py: Python<'py>,
    cells: usize,
    mines: usize,
    clear: Vec<usize>,
    seed: u64,
) -> PyResult<Bound<'py, PyBytes>> {
    let mined = py.detach(|| generate::uniform(cells, mines, &clear, seed));
    Ok(PyBytes::new(py, &mined.map_err(|e| to_py(py, e))?))
}

#[pyfunction]
fn independent_mines<'py>(
    py: Python<'py>,
    cells: usize,
    density: f64,
    clear: Vec<usize>,
    seed: u64,
) -> PyResult<Bound<'py, PyBytes>> {
    let mined = py.detach(|| generate::independent(cells, density, &clear, seed));
    Ok(PyBytes::new(py, &mined.map_err(|e| to_py(py, e))?))
}

#[pymodule]
fn _core(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_class::<graph::Graph>()?;
    m.add_class::<graph::BoardMetrics>()?;
    m.add_class::<batch::GameBatch>()?;
    m.add_class::<batch::BatchStep>()?;
    m.add_class::<analysis::Analysis>()?;
    m.add_class::<cancel::Cancel>()?;
    cancel::stop_at_exit(m)?;
    m.add_class::<analysis::Engine>()?;
    m.add_class::<analysis::Unsolved>()?;
    m.add_class::<analysis::Constraint>()?;
    m.add_class::<analysis::MineRange>()?;
    m.add_class::<noguess::NoGuess>()?;
    m.add_class::<noguess::Deal>()?;
    m.add_class::<noguess::Deduction>()?;
    m.add_class::<play::ExactPlayer>()?;
    m.add_class::<play::PlayedGame>()?;
    m.add_class::<search::EndGame>()?;
    m.add_class::<search::PerfectPlay>()?;
    m.add_class::<search_player::SearchPlayer>()?;
    m.add_class::<search_player::Guess>()?;
    m.add_class::<search_player::Pick>()?;
    m.add_function(wrap_pyfunction!(analysis::analyze, m)?)?;
    m.add_function(wrap_pyfunction!(analysis::frontier_mines, m)?)?;
    m.add_function(wrap_pyfunction!(analysis::decimal, m)?)?;
    m.add_function(wrap_pyfunction!(uniform_mines, m)?)?;
    m.add_function(wrap_pyfunction!(independent_mines, m)?)?;
    Ok(())
}
