//! Boards named on the command line.

use sapper_core::topology::Graph;

pub fn rectangle(width: usize, height: usize) -> Graph {
    let (mut offsets, mut neighbours) = (vec![0], Vec::new());
    for row in 0..height {
        for col in 0..width {
            for r in row.saturating_sub(1)..(row + 2).min(height) {
                for c in col.saturating_sub(1)..(col + 2).min(width) {
                    if (r, c) != (row, col) {
                        neighbours.push((r * width + c) as u32);
                    }
                }
            }
            offsets.push(neighbours.len() as u32);
        }
    }
    Graph::new(offsets, neighbours).expect("a rectangle is a graph")
}

/// Width, height and mines of "30x16:99".
pub fn board(text: &str) -> (usize, usize, usize) {
    let (shape, mines) = text.split_once(':').expect("WxH:MINES");
    let (width, height) = shape.split_once('x').expect("WxH:MINES");
    (width.parse().unwrap(), height.parse().unwrap(), mines.parse().unwrap())
}
