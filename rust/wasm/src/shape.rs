//! `Shape`: a board's size and the neighbours of every cell.

use std::sync::Arc;

use sapper_core::mines::{Knowledge, Mines};
use sapper_core::tiling;
use sapper_core::topology::Graph;
use sapper_core::{error::BoardError, metrics};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;

#[wasm_bindgen]
pub struct Shape {
    pub(crate) graph: Arc<Graph>,
}

#[wasm_bindgen]
impl Shape {
    #[wasm_bindgen(constructor)]
    pub fn new(topology: &str, width: usize, height: usize) -> Result<Shape, Failure> {
        Ok(Shape { graph: Arc::new(tiling::graph(topology, width, height)?) })
    }

    pub fn neighbours(&self, cell: usize) -> Result<Vec<u32>, Failure> {
        self.check(cell)?;
        Ok(self.graph.neighbours(cell).to_vec())
    }

    /// The most neighbours of a cell.
    #[wasm_bindgen(getter, js_name = mostNeighbours)]
    pub fn most_neighbours(&self) -> usize {
        self.graph.rows().map(<[u32]>::len).max().unwrap_or_default()
    }

    pub fn numbers(&self, mined: &[u8]) -> Result<Vec<u8>, Failure> {
        self.check_mined(mined)?;
        Ok(self.graph.numbers(mined))
    }

    pub fn metrics(&self, mined: &[u8]) -> Result<BoardMetrics, Failure> {
        self.check_mined(mined)?;
        let found = metrics::metrics(&self.graph, mined);
        Ok(BoardMetrics { openings: found.openings, bbbv: found.bbbv })
    }
}

impl Shape {
    pub fn check(&self, cell: usize) -> Result<(), Failure> {
        if cell < self.graph.len() {
            return Ok(());
        }
        Err(BoardError::Shape(format!("there is no cell {cell}")).into())
    }

    pub fn check_mined(&self, mined: &[u8]) -> Result<(), Failure> {
        if mined.len() == self.graph.len() && mined.iter().all(|&m| m <= 1) {
            return Ok(());
        }
        let cells = self.graph.len();
        Err(BoardError::Shape(format!("a board has {cells} cells, each 0 or 1")).into())
    }
}

/// The measures of a complete board.
#[wasm_bindgen]
pub struct BoardMetrics {
    #[wasm_bindgen(readonly)]
    pub openings: usize,
    #[wasm_bindgen(readonly)]
    pub bbbv: usize,
}

/// A mine total or a density, or neither. The message has no value, because the code that writes
/// floats would be a twentieth of the module.
pub fn mines(total: Option<u32>, density: Option<f64>) -> Result<Mines, Failure> {
    match density {
        None => Ok(total.map(|total| total as usize).into()),
        Some(density) if total.is_none() && (0.0..=1.0).contains(&density) => {
            Ok(Mines::Density(density))
        }
        Some(_) => Err(Failure::setting("expected a mine total or a density from 0 to 1")),
    }
}

/// What is known about a position besides its cells.
pub fn knowledge(
    total: Option<u32>,
    density: Option<f64>,
    running: bool,
) -> Result<Knowledge, Failure> {
    Ok(Knowledge { mines: mines(total, density)?, running })
}
