//! Exact analysis: solutions, chances, proofs and contradictions, from scratch and move by move.

use num_bigint::BigUint;
use sapper_core::analysis::{Analysis, Engine, Limit};
use sapper_core::error::{BoardError, Inconsistency};
use sapper_core::topology::Graph;

use crate::reader::Reader;
use crate::reference::arrangements;

/// Analyses several positions of one graph with one engine, which may remember earlier ones.
pub fn check(data: &[u8]) {
    let mut reader = Reader::new(data);
    let graph = reader.graph();
    let mut engine = Engine::new();
    for _ in 0..=reader.below(4) {
        let (cells, mines) = if reader.byte() % 2 == 0 {
            reader.position(&graph)
        } else {
            let mined = reader.board(&graph);
            let total = mined.iter().map(|&m| usize::from(m)).sum();
            (reader.seen(&graph, &mined), (reader.byte() % 2 == 0).then_some(total))
        };
        let limit = match reader.byte() % 4 {
            0 => Limit { states: u64::from(reader.byte()), seconds: None },
            _ => Limit::default(),
        };
        let found = engine.analyze(&graph, &cells, mines, limit);
        compare(&graph, &cells, mines, limit.states < Limit::default().states, found);
    }
}

fn compare(
    graph: &Graph,
    cells: &[u8],
    mines: Option<usize>,
    limited: bool,
    found: Result<Analysis, BoardError>,
) {
    let all = arrangements(graph, cells, mines);
    let text = String::from_utf8_lossy(cells);
    match found {
        // Beyond the limit, a contradiction may be missed.
        Ok(found) if all.is_empty() => {
            assert!(!found.is_exact(), "{text} {mines:?} has no arrangement");
        }
        Ok(found) => {
            agrees(&found, cells, &all);
        }
        Err(BoardError::Inconsistent(why)) => {
            assert!(all.is_empty(), "{text} {mines:?}: {why}");
            // Within the limit, the most local cause is reported.
            let numbers_fit = !arrangements(graph, cells, None).is_empty();
            let is_total = matches!(why, Inconsistency::Total { .. });
            assert!(is_total || !numbers_fit, "{text} {mines:?}: {why}");
            assert!(limited || !is_total || numbers_fit, "{text} {mines:?}: {why}");
        }
        Err(other) => panic!("{text} {mines:?}: {other}"),
    }
}

fn agrees(found: &Analysis, cells: &[u8], all: &[u32]) {
    if found.is_exact() {
        assert_eq!(found.solutions(), Some(BigUint::from(all.len())));
    }
    for (cell, &byte) in cells.iter().enumerate() {
        let of = |list: &[u32]| list.contains(&(cell as u32));
        let (safe, mined) = (of(&found.safe), of(&found.mined));
        if byte != b'.' && byte != b'F' {
            assert!(found.p_mine[cell].is_nan() && !safe && !mined);
            continue;
        }
        let mines = all.iter().filter(|&&set| set >> cell & 1 == 1).count();
        if found.is_exact() {
            let p = mines as f64 / all.len() as f64;
            assert!((found.p_mine[cell] - p).abs() < 1e-12);
            assert_eq!((safe, mined), (mines == 0, mines == all.len()));
        } else {
            // Beyond the limit, some cells may stay unproved, but all proofs are correct.
            assert!((!safe || mines == 0) && (!mined || mines == all.len()));
            assert!((0.0..=1.0).contains(&found.p_mine[cell]));
        }
    }
}
