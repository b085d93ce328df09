//! The board shapes of Sapper: repeating patterns of cells, each with the steps to its neighbours.
//!
//! The analysis does not depend on shapes; only programs without their own neighbour lists use them.

use crate::error::BoardError;
use crate::topology::Graph;

/// Rows down and columns to the right.
type Step = (i32, i32);

/// A shape: the steps of the first rows and columns, which repeat, and the sides that touch.
struct Tiling {
    name: &'static str,
    pattern: &'static [&'static [&'static [Step]]],
    /// Whether the first row touches the last, and the first column the last.
    wraps: [bool; 2],
}

const SQUARE: &[Step] = &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
const EVEN: &[Step] = &[(-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0)];
const ODD: &[Step] = &[(-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1)];
#[rustfmt::skip]
const UP: &[Step] = &[
    (-1, -1), (-1, 0), (-1, 1), (0, -2), (0, -1), (0, 1), (0, 2),
    (1, -2), (1, -1), (1, 0), (1, 1), (1, 2),
];
#[rustfmt::skip]
const DOWN: &[Step] = &[
    (-1, -2), (-1, -1), (-1, 0), (-1, 1), (-1, 2), (0, -2), (0, -1), (0, 1), (0, 2),
    (1, -1), (1, 0), (1, 1),
];

const TILINGS: [Tiling; 5] = [
    Tiling { name: "rectangle", pattern: &[&[SQUARE]], wraps: [false, false] },
    Tiling { name: "torus", pattern: &[&[SQUARE]], wraps: [true, true] },
    Tiling { name: "cylinder", pattern: &[&[SQUARE]], wraps: [false, true] },
    Tiling { name: "hexagon", pattern: &[&[EVEN], &[ODD]], wraps: [false, false] },
    Tiling { name: "triangle", pattern: &[&[UP, DOWN], &[DOWN, UP]], wraps: [false, false] },
];

/// The graph of a board of this shape and size. On a narrow board that wraps onto itself, each
/// neighbour counts once and the cell itself never.
pub fn graph(name: &str, width: usize, height: usize) -> Result<Graph, BoardError> {
    let Some(tiling) = TILINGS.iter().find(|tiling| tiling.name == name) else {
        let names = TILINGS.map(|tiling| tiling.name).join(", ");
        return Err(BoardError::Graph(format!("unknown topology '{name}'; choose from: {names}")));
    };
    if name == "rectangle" {
        return Graph::rectangle(width, height);
    }
    let size = width.checked_mul(height).filter(|&size| 0 < size && size < 1 << 28);
    let Some(size) = size else {
        return Err(BoardError::Graph(format!("there is no board of {width}x{height} cells")));
    };
    let mut offsets = Vec::with_capacity(size + 1);
    let mut neighbours = Vec::new();
    offsets.push(0);
    for (row, col) in (0..height).flat_map(|row| (0..width).map(move |col| (row, col))) {
        let begun = neighbours.len();
        let line = tiling.pattern[row % tiling.pattern.len()];
        for &(down, right) in line[col % line.len()] {
            let row_to = moved(row, down, height, tiling.wraps[0]);
            let col_to = moved(col, right, width, tiling.wraps[1]);
            if let (Some(r), Some(c)) = (row_to, col_to) {
                if (r, c) != (row, col) {
                    neighbours.push((r * width + c) as u32);
                }
            }
        }
        neighbours[begun..].sort_unstable();
        let mut kept = begun;
        for at in begun..neighbours.len() {
            if at == begun || neighbours[at] != neighbours[kept - 1] {
                neighbours[kept] = neighbours[at];
                kept += 1;
            }
        }
        neighbours.truncate(kept);
        offsets.push(kept as u32);
    }
    Graph::new(offsets, neighbours)
}

/// The row or column after a step; None off the board.
fn moved(from: usize, step: i32, size: usize, wraps: bool) -> Option<usize> {
    let to = from as i64 + i64::from(step);
    if wraps {
        return Some(to.rem_euclid(size as i64) as usize);
    }
    usize::try_from(to).ok().filter(|&to| to < size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_the_neighbours_of_their_shape() {
        let degree =
            |name, width, height, cell| graph(name, width, height).unwrap().neighbours(cell).len();
        assert_eq!(["rectangle", "torus", "cylinder"].map(|name| degree(name, 9, 9, 0)), [3, 8, 5]);
        assert_eq!([0, 4].map(|cell| degree("hexagon", 3, 3, cell)), [2, 6]);
        assert_eq!(degree("triangle", 9, 9, 40), 12);
    }

    #[test]
    fn a_narrow_torus_counts_each_neighbour_once() {
        assert_eq!(graph("torus", 2, 2).unwrap().neighbours(0), [1, 2, 3]);
        assert!(graph("torus", 1, 1).unwrap().neighbours(0).is_empty());
    }

    #[test]
    fn unknown_shapes_and_sizes_are_refused() {
        assert!(graph("sphere", 3, 3).is_err());
        assert!(graph("hexagon", 0, 3).is_err());
        assert!(graph("hexagon", usize::MAX, 3).is_err());
    }
}
