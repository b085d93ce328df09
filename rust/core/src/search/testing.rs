//! Helpers for the unit tests of the search: small positions as matrices, and brute-force perfect
//! play.

use std::collections::HashMap;

use super::listing::Listing;
use super::matrix::{Matrix, MINE};
use super::search_budget::SearchBudget;
use crate::frontier::Frontier;
use crate::generate::Rng;
use crate::mines::Mines;
use crate::topology::Graph;

/// Lists the solutions of a position.
pub fn listed(graph: &Graph, cells: &[u8], mines: usize) -> (Listing, Matrix) {
    let (mut frontier, mut listing) = (Frontier::default(), Listing::default());
    frontier.read(graph, cells, &[]).expect("a position that can be");
    let mut budget = SearchBudget::new(0, None, None);
    let complete = listing.fill(graph, &frontier, Mines::Total(mines), 100_000, &mut budget);
    assert!(complete.expect("it has solutions"));
    let mut matrix = Matrix::default();
    matrix.fill(graph, &frontier, &listing, &mut budget).expect("it is small");
    (listing, matrix)
}

/// The solutions of an unopened rectangle.
pub fn unopened(width: usize, height: usize, mines: usize) -> Matrix {
    let graph = Graph::rectangle(width, height).expect("a small board");
    listed(&graph, &vec![b'.'; width * height], mines).1
}

/// All columns of a matrix.
pub fn columns(matrix: &Matrix) -> Vec<u32> {
    (0..matrix.cells.len() as u32).collect()
}

/// Random solutions of a matrix, in ascending order.
pub fn subset(matrix: &Matrix, size: usize, seed: u64) -> Vec<u32> {
    let mut rng = Rng::new(seed);
    let mut left: Vec<u32> = (0..matrix.solutions as u32).collect();
    while left.len() > size {
        left.swap_remove(rng.below(left.len() as u64) as usize);
    }
    left.sort_unstable();
    left
}

/// Splits a set of solutions by the number that a column's cell shows; drops those with a mine
/// there.
pub fn shown(matrix: &Matrix, set: &[u32], column: u32) -> Vec<Vec<u32>> {
    let mut parts = vec![Vec::new(); matrix.labels];
    for &solution in set {
        parts[usize::from(matrix.row(solution)[column as usize])].push(solution);
    }
    parts[usize::from(MINE)].clear();
    parts.into_iter().filter(|part| !part.is_empty()).collect()
}

/// Perfect play by definition: it tries every cell in every set.
#[derive(Default)]
pub struct BruteForce {
    known: HashMap<Vec<u32>, i64>,
}

impl BruteForce {
    /// The solutions of a set that perfect play wins.
    pub fn wins(&mut self, matrix: &Matrix, set: &[u32]) -> i64 {
        if set.len() < 2 {
            return set.len() as i64;
        }
        if let Some(&wins) = self.known.get(set) {
            return wins;
        }
        let mut best = 0;
        for column in columns(matrix) {
            let parts = shown(matrix, set, column);
            // A cell that always shows the same number gives no information.
            if parts.first().is_some_and(|part| part.len() < set.len()) {
                best = best.max(parts.iter().map(|part| self.wins(matrix, part)).sum());
            }
        }
        self.known.insert(set.to_vec(), best);
        best
    }
}
