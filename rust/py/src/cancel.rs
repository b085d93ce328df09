//! `Cancel`: how a native call is stopped, by a flag or by Ctrl-C.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use pyo3::prelude::*;
use sapper_core::analysis::Interrupt;

/// A flag that ends the native calls it was passed to.
#[pyclass(frozen, module = "sapper._core")]
#[derive(Default)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
}

#[pymethods]
impl Cancel {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn set(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    #[getter]
    fn is_set(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}

/// Milliseconds between two looks at pending signals: taking the interpreter's lock has a price.
const SIGNALS_MS: u64 = 20;

/// What one native call asks whether to stop: its flag, and Python's signal handlers.
#[derive(Clone)]
pub struct Watch {
    raised: Arc<Mutex<Option<PyErr>>>,
    flag: Option<Arc<AtomicBool>>,
    pub interrupt: Interrupt,
}

impl Watch {
    pub fn new(cancel: Option<&Cancel>) -> Self {
        let raised = Arc::new(Mutex::new(None));
        let flag = cancel.map(|c| Arc::clone(&c.flag));
        let (told, set) = (Arc::clone(&raised), flag.clone());
        let (begun, looked) = (Instant::now(), AtomicU64::new(0));
        let interrupt = Interrupt::new(move || {
            if set.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return true;
            }
            let now = begun.elapsed().as_millis() as u64;
            if now < looked.load(Ordering::Relaxed) + SIGNALS_MS {
                return lock(&told).is_some();
            }
            looked.store(now, Ordering::Relaxed);
            // Only the main thread runs signal handlers; in others this does nothing.
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                *lock(&told) = Some(error);
            }
            lock(&told).is_some()
        });
        Watch { raised, flag, interrupt }
    }

    /// The exception to raise in place of an answer, if the call was stopped.
    pub fn outcome(&self, py: Python<'_>) -> PyResult<()> {
        if let Some(error) = lock(&self.raised).take() {
            return Err(error);
        }
        if self.flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            let class = py.import("sapper.errors")?.getattr("Cancelled")?;
            return Err(PyErr::from_value(class.call1(("the call was cancelled",))?));
        }
        Ok(())
    }
}

fn lock(raised: &Mutex<Option<PyErr>>) -> std::sync::MutexGuard<'_, Option<PyErr>> {
    raised.lock().unwrap_or_else(PoisonError::into_inner)
}
