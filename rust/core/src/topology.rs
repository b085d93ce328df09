//! A board's cells and their neighbours, as a graph in compressed rows.
//!
//! No module of the core depends on rows, columns, or eight neighbours.

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

/// The maximum number of neighbours of a cell, so that counts of neighbours fit in small integers.
pub const MAX_DEGREE: usize = 26;

impl Graph {
    /// Creates a graph after checking that the lists are in range, sorted, loop-free and symmetric.
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

    /// The classic board: cells touch at sides and corners. It is valid by construction and needs
    /// no check, so a million cells take a few hundredths of a second.
    pub fn rectangle(width: usize, height: usize) -> Result<Self, BoardError> {
        let size = width.checked_mul(height).filter(|&size| 0 < size && size < 1 << 28);
        let Some(size) = size else {
            return Err(BoardError::Graph(format!("there is no board of {width}x{height} cells")));
        };
        let mut offsets = Vec::with_capacity(size + 1);
        let mut neighbours = Vec::with_capacity(8 * size);
        offsets.push(0);
        for row in 0..height {
            for col in 0..width {
                for r in row.saturating_sub(1)..height.min(row + 2) {
                    for c in col.saturating_sub(1)..width.min(col + 2) {
                        if (r, c) != (row, col) {
                            neighbours.push((r * width + c) as u32);
                        }
                    }
                }
                offsets.push(neighbours.len() as u32);
            }
        }
        Ok(Graph { id: NEXT.fetch_add(1, Ordering::Relaxed), offsets, neighbours })
    }

    /// Identifies a graph without comparing its contents; a clone has the same id.
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

    /// Every cell's neighbours, in cell order.
    pub fn rows(&self) -> impl Iterator<Item = &[u32]> {
        self.offsets.windows(2).map(|w| &self.neighbours[w[0] as usize..w[1] as usize])
    }

    /// The number of mines among each cell's neighbours.
    pub fn numbers(&self, mined: &[u8]) -> Vec<u8> {
        (0..self.len())
            .map(|cell| self.neighbours(cell).iter().map(|&n| mined[n as usize]).sum())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_is_a_graph_as_any_other() {
        for (width, height) in [(1, 1), (1, 5), (5, 1), (2, 2), (4, 3)] {
            let made = Graph::rectangle(width, height).unwrap();
            assert_eq!(made.len(), width * height);
            let checked = Graph::new(made.offsets.clone(), made.neighbours.clone());
            assert!(checked.is_ok());
        }
        assert_eq!(Graph::rectangle(3, 3).unwrap().neighbours(4), [0, 1, 2, 3, 5, 6, 7, 8]);
        assert_eq!(Graph::rectangle(3, 2).unwrap().neighbours(0), [1, 3, 4]);
    }

    #[test]
    fn a_rectangle_without_cells_or_with_too_many_is_refused() {
        assert!(Graph::rectangle(0, 3).is_err());
        assert!(Graph::rectangle(usize::MAX, 2).is_err());
    }

    #[test]
    fn lists_that_are_no_graph_are_refused() {
        assert!(Graph::new(vec![0, 1, 1], vec![1]).is_err(), "one way only");
        assert!(Graph::new(vec![0, 1], vec![0]).is_err(), "a cell that touches itself");
        assert!(Graph::new(vec![0, 2], vec![1]).is_err(), "offsets that end elsewhere");
    }

    #[test]
    fn numbers_count_the_mines_around() {
        let graph = Graph::rectangle(3, 1).unwrap();
        assert_eq!(graph.numbers(&[1, 0, 1]), [0, 2, 0]);
    }
}
