//! `GameBatch`: games stepped together, for the Gymnasium environments.

use std::sync::{Mutex, PoisonError};

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sapper_core::batch::{Autoreset, Batch, FirstClick, Outcome, Rewards, Terms};
use sapper_core::error::BoardError;
use sapper_core::mines::Mines;

use crate::errors::to_py;
use crate::graph::Graph;

type Ints<'py> = Bound<'py, PyArray1<i8>>;
type Bools<'py> = Bound<'py, PyArray1<bool>>;

#[pyclass(frozen, module = "sapper._core")]
pub struct GameBatch {
    graph: Py<Graph>,
    inner: Mutex<Batch>,
}

impl GameBatch {
    fn with<T>(&self, work: impl FnOnce(&mut Batch) -> T) -> T {
        work(&mut self.inner.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn check(&self, game: usize) -> PyResult<()> {
        let games = self.with(|batch| batch.len());
        if game < games {
            return Ok(());
        }
        Err(PyValueError::new_err(format!("no game {game} in a batch of {games}")))
    }
}

fn row<T>(all: &[T], game: usize, games: usize) -> &[T] {
    let width = all.len() / games;
    &all[game * width..(game + 1) * width]
}

#[pymethods]
impl GameBatch {
    #[new]
    #[pyo3(signature = (graph, games, mines, density, first_click, flags, max_steps, rewards))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        graph: Py<Graph>,
        games: usize,
        mines: Option<usize>,
        density: Option<f64>,
        first_click: &str,
        flags: bool,
        max_steps: Option<u32>,
        rewards: (f64, f64, f64, f64, f64, f64, f64),
    ) -> PyResult<Self> {
        let mines = Mines::new(mines, density).map_err(|e| to_py(py, e))?;
        let first_click = match first_click {
            "any" => FirstClick::Any,
            "safe" => FirstClick::Safe,
            "opening" => FirstClick::Opening,
            _ => return Err(PyValueError::new_err("unknown first click")),
        };
        let (win, loss, open, cell, floating, flag, invalid) = rewards;
        let rewards = Rewards { win, loss, open, cell, floating, flag, invalid };
        let terms = Terms { mines, first_click, flags, max_steps, rewards };
        let size = graph.get().inner.len();
        let batch = Batch::new(size, games, terms).map_err(|e| to_py(py, e))?;
        Ok(GameBatch { graph, inner: Mutex::new(batch) })
    }

    fn __len__(&self) -> usize {
        self.with(|batch| batch.len())
    }

    #[pyo3(signature = (game, seed=None))]
    fn reset(&self, game: usize, seed: Option<u64>) -> PyResult<()> {
        self.check(game)?;
        self.with(|batch| batch.reset(game, seed));
        Ok(())
    }

    #[pyo3(signature = (game, cells, mined, steps, seed))]
    fn place<'py>(
        &self,
        py: Python<'py>,
        game: usize,
        cells: PyReadonlyArray1<'py, i8>,
        mined: Option<&[u8]>,
        steps: u32,
        seed: u64,
    ) -> PyResult<()> {
        self.check(game)?;
        let cells = cells.as_slice()?;
        self.with(|batch| batch.place(game, cells, mined, steps, seed)).map_err(|e| to_py(py, e))
    }

    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.with(|batch| PyBytes::new(py, &batch.save()))
    }

    fn restore(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        self.with(|batch| batch.restore(saved)).map_err(|e| to_py(py, e))
    }

    fn cells<'py>(&self, py: Python<'py>) -> Ints<'py> {
        self.with(|batch| PyArray1::from_slice(py, batch.cells()))
    }

    fn mask<'py>(&self, py: Python<'py>) -> Ints<'py> {
        self.with(|batch| PyArray1::from_slice(py, batch.mask()))
    }

    fn over<'py>(&self, py: Python<'py>) -> Bools<'py> {
        let over: Vec<bool> =
            self.with(|batch| (0..batch.len()).map(|game| batch.is_over(game)).collect());
        PyArray1::from_vec(py, over)
    }

    fn mined<'py>(&self, py: Python<'py>, game: usize) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.check(game)?;
        Ok(self.with(|batch| batch.mined(game).map(|mined| PyBytes::new(py, mined))))
    }

    /// Cells, mask, reward, won, lost, truncated.
    #[allow(clippy::type_complexity)]
    fn step<'py>(
        &self,
        py: Python<'py>,
        game: usize,
        action: usize,
    ) -> PyResult<(Ints<'py>, Ints<'py>, f64, bool, bool, bool)> {
        self.check(game)?;
        self.with(|batch| {
            let Outcome { reward, won, lost, truncated } =
                batch.step(&self.graph.get().inner, game, action).map_err(|e| to_py(py, e))?;
            let cells = PyArray1::from_slice(py, row(batch.cells(), game, batch.len()));
            let mask = PyArray1::from_slice(py, row(batch.mask(), game, batch.len()));
            Ok((cells, mask, reward, won, lost, truncated))
        })
    }

    /// Cells, mask, rewards, won, lost, truncated, and the last cells of games reset within the
    /// step.
    #[allow(clippy::type_complexity)]
    fn step_all<'py>(
        &self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
        autoreset: &str,
    ) -> PyResult<(
        Ints<'py>,
        Ints<'py>,
        Bound<'py, PyArray1<f64>>,
        Bools<'py>,
        Bools<'py>,
        Bools<'py>,
        Ints<'py>,
    )> {
        let autoreset = match autoreset {
            "NextStep" => Autoreset::NextStep,
            "SameStep" => Autoreset::SameStep,
            "Disabled" => Autoreset::Never,
            _ => return Err(PyValueError::new_err("unknown autoreset mode")),
        };
        let actions = actions.as_slice()?;
        let graph = &self.graph.get().inner;
        let (mut outcomes, mut finals) = (Vec::with_capacity(actions.len()), Vec::new());
        let stepped: Result<(), BoardError> = py.detach(|| {
            self.with(|batch| batch.step_all(graph, actions, autoreset, &mut outcomes, &mut finals))
        });
        stepped.map_err(|e| to_py(py, e))?;
        let (cells, mask) = (self.cells(py), self.mask(py));
        let bools = |of: fn(&Outcome) -> bool| PyArray1::from_iter(py, outcomes.iter().map(of));
        Ok((
            cells,
            mask,
            PyArray1::from_iter(py, outcomes.iter().map(|o| o.reward)),
            bools(|o| o.won),
            bools(|o| o.lost),
            bools(|o| o.truncated),
            PyArray1::from_vec(py, finals),
        ))
    }
}
