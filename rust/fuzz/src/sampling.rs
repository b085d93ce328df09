//! Sampling: every drawn board fits, and if there are few solutions, each is drawn.

use sapper_core::analysis::{Engine, Limit};
use sapper_core::error::BoardError;
use sapper_core::sample::SampleError;

use crate::reader::Reader;
use crate::reference::arrangements;

/// With this many draws, the chance of missing one of up to four solutions is at most 4 * 0.75^200
/// = 4e-25.
const DRAWS: usize = 200;

/// Draws boards for a position.
pub fn check(data: &[u8]) {
    let mut reader = Reader::new(data);
    let graph = reader.graph();
    let mined = reader.board(&graph);
    let (cells, mines) = if reader.byte() % 4 == 0 {
        reader.position(&graph)
    } else {
        let total = mined.iter().map(|&m| usize::from(m)).sum();
        (reader.seen(&graph, &mined), (reader.byte() % 2 == 0).then_some(total))
    };
    let seed = u64::from(reader.byte());
    let all = arrangements(&graph, &cells, mines);
    let mut engine = Engine::new();
    match engine.sample(&graph, &cells, mines, &[], DRAWS, seed, Limit::default()) {
        Ok(boards) => {
            assert_eq!(boards.len(), DRAWS);
            let mut drawn: Vec<u32> = boards
                .iter()
                .map(|board| board.iter().enumerate().map(|(c, &m)| u32::from(m) << c).sum())
                .collect();
            assert!(drawn.iter().all(|set| all.contains(set)));
            drawn.sort_unstable();
            drawn.dedup();
            assert!(all.len() > 4 || drawn.len() == all.len());
        }
        Err(SampleError::Board(BoardError::Inconsistent(_))) => assert!(all.is_empty()),
        Err(other) => panic!("{other:?}"),
    }
}
