//! Boards read from bytes.

use sapper_core::topology::Graph;

/// The maximum number of cells for which all arrangements can be listed.
const MOST: usize = 14;

/// Reads numbers from bytes; returns zeros after their end.
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader(bytes)
    }

    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((&first, rest)) => {
                self.0 = rest;
                first
            }
            None => 0,
        }
    }

    /// A number below `bound`, which is at most 256.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }

    /// A rectangle, or a graph whose neighbours are given by the bytes.
    pub fn graph(&mut self) -> Graph {
        let kind = self.byte();
        if kind % 2 == 0 {
            let width = 1 + self.below(7);
            let height = 1 + self.below(MOST / width);
            return Graph::rectangle(width, height).unwrap();
        }
        let cells = 1 + self.below(MOST);
        let mut touch = vec![false; cells * cells];
        for a in 0..cells {
            for b in a + 1..cells {
                touch[a * cells + b] = self.byte() % 4 == 0;
                touch[b * cells + a] = touch[a * cells + b];
            }
        }
        let (mut offsets, mut neighbours) = (vec![0], Vec::new());
        for a in 0..cells {
            neighbours.extend((0..cells).filter(|b| touch[a * cells + b]).map(|b| b as u32));
            offsets.push(neighbours.len() as u32);
        }
        Graph::new(offsets, neighbours).unwrap()
    }

    /// A position, which may not fit any board, and possibly a mine total.
    pub fn position(&mut self, graph: &Graph) -> (Vec<u8>, Option<usize>) {
        const CELLS: &[u8; 16] = b"....F.0112213*.4";
        let cells = (0..graph.len()).map(|_| CELLS[self.below(16)]).collect();
        let mines = (self.byte() % 2 == 0).then(|| self.below(graph.len() + 2));
        (cells, mines)
    }

    /// A board: 1 for a mine.
    pub fn board(&mut self, graph: &Graph) -> Vec<u8> {
        (0..graph.len()).map(|_| u8::from(self.byte() % 4 == 0)).collect()
    }

    /// The player's view of a board with some open cells.
    pub fn seen(&mut self, graph: &Graph, mined: &[u8]) -> Vec<u8> {
        let numbers = graph.numbers(mined);
        (0..graph.len())
            .map(|c| match (self.byte() % 4, mined[c]) {
                (0 | 1, 0) => b'0' + numbers[c].min(9),
                (0, 1) => b'*',
                (2, _) => b'F',
                _ => b'.',
            })
            .collect()
    }
}
