//! `Cancel`, a flag that stops native calls, and the handling of Ctrl-C.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use sapper_core::analysis::Interrupt;

/// A flag that stops the native calls to which it was passed.
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

/// Milliseconds between checks for pending signals; checking more often would be slow, because each
/// check takes the interpreter's lock.
const SIGNALS_MS: u64 = 20;

/// Whether the interpreter is shutting down, and how many native calls are running.
static ENDING: AtomicBool = AtomicBool::new(false);
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// Stops the native calls of all threads, and waits for them briefly. Called at exit, because
/// ending a thread inside a native call would crash the process.
#[pyfunction]
pub fn stop_all(py: Python<'_>) {
    ENDING.store(true, Ordering::SeqCst);
    py.detach(|| {
        let begun = Instant::now();
        while RUNNING.load(Ordering::SeqCst) > 0 && begun.elapsed() < Duration::from_millis(250) {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}

/// Registers `stop_all` to be called at exit.
pub fn stop_at_exit(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let stop = wrap_pyfunction!(stop_all, module)?;
    module.py().import("atexit")?.call_method1("register", (stop,))?;
    Ok(())
}

/// Decides whether a native call stops, from its flag and Python's signal handlers.
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
        RUNNING.fetch_add(1, Ordering::SeqCst);
        let interrupt = Interrupt::new(move || {
            if ENDING.load(Ordering::Relaxed) {
                return true;
            }
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

    /// The exception to raise instead of a result, if the call was stopped.
    pub fn outcome(&self, py: Python<'_>) -> PyResult<()> {
        if let Some(error) = lock(&self.raised).take() {
            return Err(error);
        }
        if ENDING.load(Ordering::SeqCst) {
            // Only daemon threads are left, which nothing joins. This thread waits outside the
            // interpreter until the process ends.
            RUNNING.fetch_sub(1, Ordering::SeqCst);
            py.detach(|| loop {
                std::thread::park();
            });
        }
        if self.flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            let class = py.import("sapper.errors")?.getattr("Cancelled")?;
            return Err(PyErr::from_value(class.call1(("the call was cancelled",))?));
        }
        Ok(())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The time this many seconds from now; None if that is too far in the future.
pub fn after(seconds: f64) -> Option<Instant> {
    Instant::now().checked_add(Duration::try_from_secs_f64(seconds.max(0.0)).ok()?)
}

fn lock(raised: &Mutex<Option<PyErr>>) -> std::sync::MutexGuard<'_, Option<PyErr>> {
    raised.lock().unwrap_or_else(PoisonError::into_inner)
}
