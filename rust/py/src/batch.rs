//! `GameBatch`: games stepped together, for the Gymnasium environments.

use std::sync::{Mutex, PoisonError};

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict};
use sapper_core::batch::{Autoreset, Batch, FirstClick, Outcome, Rewards, Terms};
use sapper_core::error::BoardError;
use sapper_core::mines::Mines;

use crate::errors::to_py;
use crate::graph::Graph;

type Ints<'py> = Bound<'py, PyArray1<i8>>;
type Bools<'py> = Bound<'py, PyArray1<bool>>;

/// Observation, reward, terminated, truncated and info, as Gymnasium's `Env.step` returns them.
type EnvStep<'py> = (Bound<'py, PyArray2<i8>>, f64, bool, bool, Bound<'py, PyDict>);

/// All games after a step; `last_cells` belong to games that were reset within the step.
#[pyclass(get_all, frozen, module = "sapper._core")]
pub struct BatchStep {
    cells: Py<PyArray1<i8>>,
    mask: Py<PyArray1<i8>>,
    rewards: Py<PyArray1<f64>>,
    won: Py<PyArray1<bool>>,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
    last_cells: Py<PyArray1<i8>>,
}

/// Reads the rewards from the attributes of a Python object.
fn rewards_of(rewards: &Bound<'_, PyAny>) -> PyResult<Rewards> {
    let of = |name| rewards.getattr(name)?.extract();
    Ok(Rewards {
        win: of("win")?,
        loss: of("loss")?,
        open: of("open")?,
        cell: of("cell")?,
        floating: of("floating")?,
        flag: of("flag")?,
        invalid: of("invalid")?,
    })
}

#[pyclass(frozen, module = "sapper._core")]
pub struct GameBatch {
    graph: Py<Graph>,
    inner: Mutex<Batch>,
}

impl GameBatch {
    fn with<T>(&self, work: impl FnOnce(&mut Batch) -> T) -> T {
        work(&mut self.inner.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Calls a function with the batch, after checking that it has this game.
    fn with_game<T>(
        &self,
        game: usize,
        work: impl FnOnce(&mut Batch) -> PyResult<T>,
    ) -> PyResult<T> {
        self.with(|batch| {
            if game < batch.len() {
                return work(batch);
            }
            let games = batch.len();
            Err(PyValueError::new_err(format!("no game {game} in a batch of {games}")))
        })
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
        rewards: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let mines = Mines::new(mines, density).map_err(|e| to_py(py, e))?;
        let first_click = match first_click {
            "any" => FirstClick::Any,
            "safe" => FirstClick::Safe,
            "opening" => FirstClick::Opening,
            _ => return Err(PyValueError::new_err("unknown first click")),
        };
        let rewards = rewards_of(rewards)?;
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
        self.with_game(game, |batch| {
            batch.reset(game, seed);
            Ok(())
        })
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
        let cells = cells.as_slice()?;
        self.with_game(game, |batch| {
            batch.place(game, cells, mined, steps, seed).map_err(|e| to_py(py, e))
        })
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
        self.with_game(game, |batch| Ok(batch.mined(game).map(|mined| PyBytes::new(py, mined))))
    }

    fn steps(&self, game: usize) -> PyResult<u32> {
        self.with_game(game, |batch| Ok(batch.steps(game)))
    }

    fn step<'py>(
        &self,
        py: Python<'py>,
        game: usize,
        height: usize,
        action: &Bound<'py, PyAny>,
    ) -> PyResult<EnvStep<'py>> {
        if action.is_instance_of::<PyBool>() {
            return Err(PyTypeError::new_err("an action must not be a boolean"));
        }
        let action = action.extract()?;
        self.with_game(game, |batch| {
            let outcome = batch.step(&self.graph.get().inner, game, action);
            let Outcome { reward, won, lost, truncated } = outcome.map_err(|e| to_py(py, e))?;
            let array = |all| PyArray1::from_slice(py, row(all, game, batch.len()));
            let info = PyDict::new(py);
            info.set_item(intern!(py, "action_mask"), array(batch.mask()))?;
            if won || lost || truncated {
                info.set_item(intern!(py, "won"), won)?;
            }
            let cells = array(batch.cells());
            let shape = [height, cells.len()? / height.max(1)];
            Ok((cells.reshape(shape)?, reward, won || lost, truncated, info))
        })
    }

    fn step_all<'py>(
        &self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
        autoreset: &str,
    ) -> PyResult<BatchStep> {
        let autoreset = match autoreset {
            "NextStep" => Autoreset::NextStep,
            "SameStep" => Autoreset::SameStep,
            "Disabled" => Autoreset::Never,
            _ => return Err(PyValueError::new_err("unknown autoreset mode")),
        };
        let actions = actions.as_slice()?;
        let graph = &self.graph.get().inner;
        let (mut outcomes, mut last_cells) = (Vec::with_capacity(actions.len()), Vec::new());
        let stepped: Result<(), BoardError> = py.detach(|| {
            self.with(|batch| {
                batch.step_all(graph, actions, autoreset, &mut outcomes, &mut last_cells)
            })
        });
        stepped.map_err(|e| to_py(py, e))?;
        let bools =
            |of: fn(&Outcome) -> bool| PyArray1::from_iter(py, outcomes.iter().map(of)).unbind();
        Ok(BatchStep {
            cells: self.cells(py).unbind(),
            mask: self.mask(py).unbind(),
            rewards: PyArray1::from_iter(py, outcomes.iter().map(|o| o.reward)).unbind(),
            won: bools(|o| o.won),
            terminated: bools(|o| o.won || o.lost),
            truncated: bools(|o| o.truncated),
            last_cells: PyArray1::from_vec(py, last_cells).unbind(),
        })
    }
}
