//! The reference: a list of all arrangements, as bit sets of cells.

use sapper_core::topology::Graph;

/// The arrangements that fit a position of a running game: without a total, not all unopened cells
/// are mines, unless nothing else fits or no number is open.
pub fn arrangements(graph: &Graph, cells: &[u8], mines: Option<usize>) -> Vec<u32> {
    let fits = |set: &u32| fits(graph, cells, mines, *set);
    let mut all: Vec<u32> = (0..1u32 << cells.len()).filter(fits).collect();
    let begun = cells.iter().any(|cell| !b".F*".contains(cell));
    if mines.is_none() && begun && all.len() > 1 {
        let is_clear = |set: u32, c: usize| b".F".contains(&cells[c]) && set >> c & 1 == 0;
        all.retain(|&set| (0..cells.len()).any(|c| is_clear(set, c)));
    }
    all
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
