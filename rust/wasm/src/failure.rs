//! `Failure`: the error that JavaScript turns into a `SapperError`.

use sapper_core::error::{BoardError, Inconsistency};
use sapper_core::sample::SampleError;
use wasm_bindgen::prelude::*;

/// An error with a code of Python's `sapper.errors`, and the indices of the cells at fault.
#[wasm_bindgen]
#[derive(Debug, Clone)]
pub struct Failure {
    code: &'static str,
    message: String,
    cause: &'static str,
    cells: Vec<u32>,
}

#[wasm_bindgen]
impl Failure {
    #[wasm_bindgen(getter)]
    pub fn code(&self) -> String {
        self.code.into()
    }

    #[wasm_bindgen(getter)]
    pub fn message(&self) -> String {
        self.message.clone()
    }

    /// Why a position is inconsistent; empty for other errors.
    #[wasm_bindgen(getter)]
    pub fn cause(&self) -> String {
        self.cause.into()
    }

    #[wasm_bindgen(getter)]
    pub fn cells(&self) -> Vec<u32> {
        self.cells.clone()
    }
}

impl Failure {
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Failure { code, message: message.into(), cause: "", cells: Vec::new() }
    }

    pub fn setting(message: impl Into<String>) -> Self {
        Self::new("bad_setting", message)
    }

    pub fn limit(message: impl Into<String>) -> Self {
        Self::new("limit_reached", message)
    }
}

impl From<BoardError> for Failure {
    fn from(error: BoardError) -> Self {
        let message = error.to_string();
        let code = match error {
            BoardError::Graph(_) | BoardError::Shape(_) => "bad_setting",
            BoardError::Cell { .. } => "bad_position",
            BoardError::Mines(_) => "bad_level",
            BoardError::Inconsistent(why) => {
                let (cause, cells) = match why {
                    Inconsistency::Number { cell, .. } => ("number", vec![cell as u32]),
                    Inconsistency::Component { numbers } => {
                        ("component", numbers.into_iter().map(|cell| cell as u32).collect())
                    }
                    Inconsistency::Total { .. } => ("total", vec![]),
                    Inconsistency::Over => ("over", vec![]),
                };
                return Failure { code: "inconsistent_position", message, cause, cells };
            }
        };
        Failure::new(code, message)
    }
}

impl From<SampleError> for Failure {
    fn from(error: SampleError) -> Self {
        match error {
            SampleError::Board(error) => error.into(),
            SampleError::Budget => Failure::limit(
                "the position is too wide, or too many boards were asked for, for the limit",
            ),
        }
    }
}
