//! A board's cells and which of them touch, as a graph in compressed rows.
//!
//! Nothing here or above knows rows, columns or that eight neighbours are usual.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::BoardError;

static NEXT: AtomicU64 = AtomicU64::new(0);

/// Each cell's neighbours: sorted, symmetric, without the cell itself.
#[derive(Debug, Clone)]
pub struct Graph {
    id: u64,
    offsets: Vec<u32>,
    neighbours: Vec<u32>,
}

/// The most neighbours a cell may have: what leaves a number one ASCII digit or a u8 of slack.
pub const MAX_DEGREE: usize = 26;

impl Graph {
    /// Checks that the lists are in range, sorted, loop-free and symmetric.
    pub fn new(offsets: Vec<u32>, neighbours: Vec<u32>) -> Result<Self, BoardError> {
        let bad = |what: String| Err(BoardError::Graph(what));
        if offsets.first() != Some(&0) || offsets.last() != Some(&(neighbours.len() as u32)) {
            return bad("offsets must run from 0 to the number of neighbours".into());
        }
        if offsets.windows(2).any(|w| w[0] > w[1]) {
            return bad("offsets must not fall".into());
        }
        let graph = Graph { id: NEXT.fetch_add(1, Ordering::Relaxed), offsets, neighbours };
        for cell in 0..graph.len() {
            let list = graph.neighbours(cell);
            if list.len() > MAX_DEGREE {
                return bad(format!(
                    "cell {cell} has {} neighbours, over {MAX_DEGREE}",
                    list.len()
                ));
            }
            if list.windows(2).any(|w| w[0] >= w[1]) {
                return bad(format!("the neighbours of cell {cell} are not sorted"));
            }
            for &n in list {
                if n as usize >= graph.len() || n as usize == cell {
                    return bad(format!("cell {cell} cannot touch cell {n}"));
                }
                if graph.neighbours(n as usize).binary_search(&(cell as u32)).is_err() {
                    return bad(format!("cell {cell} touches cell {n}, but not the other way"));
                }
            }
        }
        Ok(graph)
    }

    /// Tells graphs apart without comparing them; a clone is the same graph.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub fn neighbours(&self, cell: usize) -> &[u32] {
        &self.neighbours[self.offsets[cell] as usize..self.offsets[cell + 1] as usize]
    }

    /// Every cell's neighbours, in the order of cells.
    pub fn rows(&self) -> impl Iterator<Item = &[u32]> {
        self.offsets.windows(2).map(|w| &self.neighbours[w[0] as usize..w[1] as usize])
    }

    /// The mines among each cell's neighbours.
    pub fn numbers(&self, mined: &[u8]) -> Vec<u8> {
        (0..self.len())
            .map(|cell| self.neighbours(cell).iter().map(|&n| mined[n as usize]).sum())
            .collect()
    }
}
