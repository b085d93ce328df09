//! The reference: a list of all arrangements, as bit sets of cells.

use sapper_core::topology::Graph;

/// The arrangements that fit a position.
pub fn arrangements(graph: &Graph, cells: &[u8], mines: Option<usize>) -> Vec<u32> {
    (0..1u32 << cells.len()).filter(|&set| fits(graph, cells, mines, set)).collect()
}

fn fits(graph: &Graph, cells: &[u8], mines: Option<usize>, set: u32) -> bool {
    let mined = |cell: usize| set >> cell & 1 == 1;
    mines.is_none_or(|mines| set.count_ones() as usize == mines)
        && cells.iter().enumerate().all(|(cell, &byte)| match byte {
            b'.' | b'F' => true,
            b'*' => mined(cell),
            _ => {
                let around = graph.neighbours(cell).iter();
                let number = around.filter(|&&n| mined(n as usize)).count();
                !mined(cell) && number == usize::from(byte - b'0')
            }
        })
}
