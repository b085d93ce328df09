//! The only place that converts core errors to Sapper's Python errors.

use pyo3::prelude::*;
use sapper_core::error::{BoardError, Inconsistency};

/// The matching exception of `sapper.errors`.
pub fn to_py(py: Python<'_>, error: BoardError) -> PyErr {
    let name = match error {
        BoardError::Graph(_) | BoardError::Shape(_) => "BadSetting",
        BoardError::Cell { .. } => "BadPosition",
        BoardError::Mines(_) => "BadLevel",
        BoardError::Inconsistent(_) => "InconsistentPosition",
    };
    let made =
        py.import("sapper.errors").and_then(|m| m.getattr(name)).and_then(|class| match &error {
            BoardError::Inconsistent(why) => {
                let (cause, cells): (_, Vec<usize>) = match why {
                    Inconsistency::Number { cell, .. } => ("number", vec![*cell]),
                    Inconsistency::Component { numbers } => ("component", numbers.clone()),
                    Inconsistency::Total { .. } => ("total", vec![]),
                    Inconsistency::Over => ("over", vec![]),
                };
                class.call1((error.to_string(), cause, cells))
            }
            _ => class.call1((error.to_string(),)),
        });
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(problem) => problem,
    }
}
