//! The number that each unopened cell shows in each solution: the input of an exact search.

use super::listing::Listing;
use super::search_budget::{SearchBudget, Stopped};
use crate::frontier::{Frontier, Mark};
use crate::topology::{Graph, MAX_DEGREE};

/// The label of a mine. The numbers of a cell are labelled from 1, in ascending order.
pub(super) const MINE: u8 = 0;
/// Placeholder while a row is built: higher than any number.
const MINED: u8 = 31;
/// The number of solutions to process between checks of the budget.
pub(super) const AT_ONCE: usize = 1 << 10;

/// A row per solution, and a column per unopened cell, except those that single numbers prove to be
/// mines.
#[derive(Debug, Default)]
pub(super) struct Matrix {
    /// The cell of each column, in cell order.
    pub cells: Vec<u32>,
    pub solutions: usize,
    /// The most labels of any column, including that of a mine.
    pub labels: usize,
    rows: Vec<u8>,
    /// A random word for each column position and label rank, for hashing rows.
    words: Vec<u64>,
    column_of: Vec<u32>,
    base: Vec<u8>,
    present: Vec<u32>,
    renamed: Vec<[u8; 32]>,
}

impl Matrix {
    /// Fills the matrix.
    pub fn fill(
        &mut self,
        graph: &Graph,
        frontier: &Frontier,
        listing: &Listing,
        budget: &mut SearchBudget,
    ) -> Result<(), Stopped> {
        let open = |cell: &u32| {
            matches!(frontier.marks[*cell as usize], Mark::Safe | Mark::Frontier | Mark::Floating)
        };
        self.cells.clear();
        self.cells.extend((0..graph.len() as u32).filter(open));
        self.column_of.clear();
        self.column_of.resize(graph.len(), u32::MAX);
        self.base.clear();
        for (column, &cell) in self.cells.iter().enumerate() {
            self.column_of[cell as usize] = column as u32;
            let mined =
                |&&n: &&u32| matches!(frontier.marks[n as usize], Mark::Mine | Mark::Exploded);
            self.base.push(graph.neighbours(cell as usize).iter().filter(mined).count() as u8);
        }
        self.solutions = listing.solutions;
        self.count_mines(graph, listing, budget)?;
        self.label(budget)?;
        let ranks = self.labels;
        self.words.clear();
        self.words.extend(
            (0..self.cells.len() * ranks).map(|i| mix((((i / ranks) << 8) | (i % ranks)) as u64)),
        );
        Ok(())
    }

    /// Fills in the numbers of each solution.
    fn count_mines(
        &mut self,
        graph: &Graph,
        listing: &Listing,
        budget: &mut SearchBudget,
    ) -> Result<(), Stopped> {
        let width = self.cells.len();
        self.rows.clear();
        budget.bytes(width.saturating_mul(self.solutions))?;
        self.rows.reserve(width * self.solutions);
        for mined in listing.each() {
            budget.work(width + MAX_DEGREE * mined.len())?;
            let from = self.rows.len();
            self.rows.extend_from_slice(&self.base);
            let row = &mut self.rows[from..];
            for &mine in mined {
                for &n in graph.neighbours(mine as usize) {
                    if let Some(shown) = row.get_mut(self.column_of[n as usize] as usize) {
                        *shown += 1;
                    }
                }
            }
            for &mine in mined {
                row[self.column_of[mine as usize] as usize] = MINED;
            }
        }
        Ok(())
    }

    /// Replaces numbers by labels.
    fn label(&mut self, budget: &mut SearchBudget) -> Result<(), Stopped> {
        let width = self.cells.len();
        self.present.clear();
        self.present.resize(width, 0);
        if width == 0 {
            self.labels = 1;
            return Ok(());
        }
        for row in self.rows.chunks_exact(width) {
            budget.work(width)?;
            for (present, &shown) in self.present.iter_mut().zip(row) {
                *present |= 1 << shown;
            }
        }
        self.renamed.clear();
        self.labels = 1;
        for &present in &self.present {
            let mut names = [MINE; 32];
            let mut next = MINE;
            for shown in (0..MINED).filter(|&shown| present >> shown & 1 == 1) {
                next += 1;
                names[usize::from(shown)] = next;
            }
            self.labels = self.labels.max(usize::from(next) + 1);
            self.renamed.push(names);
        }
        for row in self.rows.chunks_exact_mut(width) {
            budget.work(width)?;
            for (names, shown) in self.renamed.iter().zip(row) {
                *shown = names[usize::from(*shown)];
            }
        }
        Ok(())
    }

    #[inline]
    pub fn row(&self, solution: u32) -> &[u8] {
        let width = self.cells.len();
        &self.rows[solution as usize * width..(solution as usize + 1) * width]
    }

    /// Counts the labels in some columns of some solutions, with `labels` counts per column.
    pub fn tally(
        &self,
        solutions: &[u32],
        columns: &[u32],
        tally: &mut Vec<u32>,
        budget: &mut SearchBudget,
    ) -> Result<(), Stopped> {
        tally.clear();
        tally.resize(columns.len() * self.labels, 0);
        for solutions in solutions.chunks(AT_ONCE) {
            budget.work(solutions.len() * columns.len())?;
            for &solution in solutions {
                let row = self.row(solution);
                for (counts, &column) in tally.chunks_exact_mut(self.labels).zip(columns) {
                    counts[usize::from(row[column as usize])] += 1;
                }
            }
        }
        Ok(())
    }

    /// The random words of a column position, by label rank.
    #[inline]
    pub fn word(&self, place: usize, rank: u8) -> u64 {
        self.words[place * self.labels + usize::from(rank)]
    }
}

/// Mixes the bits of a word: the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
#[inline]
pub(super) fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_counted_by_column_over_all_solutions() {
        // Two unopened cells beside a 1: the mine is in one of them.
        let graph = Graph::rectangle(3, 1).unwrap();
        let (_, matrix) = crate::search::testing::listed(&graph, b".1.", 1);
        assert_eq!((matrix.solutions, matrix.cells.as_slice()), (2, &[0, 2][..]));
        let mut tally = vec![7];
        let mut budget = SearchBudget::new(0, None, None);
        matrix.tally(&[0, 1], &[0, 1], &mut tally, &mut budget).unwrap();
        // Each cell is a mine in one solution, and shows a 0 in the other.
        assert_eq!((matrix.labels, tally.as_slice()), (2, &[1, 1, 1, 1][..]));
        matrix.tally(&[0], &[1], &mut tally, &mut budget).unwrap();
        assert_eq!(tally.iter().sum::<u32>(), 1);
    }
}
