//! Independent regions: the wins of a product of sets are the product of their wins.
//!
//! If the cells split into regions whose arrangements are independent of each other, numbers in one
//! region give no information about another. Each region is therefore solved alone.

use super::matrix::Matrix;
use super::search_budget::{SearchBudget, Stopped};

/// A region: its columns, and its solutions when the other regions are fixed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub solutions: Vec<u32>,
    pub columns: Vec<u32>,
}

/// Finds the regions of a set; owns the buffers.
#[derive(Debug, Default)]
pub(super) struct Regions {
    /// A forest: for each column, another column of its region, or itself.
    joined: Vec<usize>,
    tally: Vec<u32>,
    joint: Vec<u32>,
    rows: Vec<u64>,
}

impl Regions {
    /// The regions of a set; None if there is only one. The solutions must have distinct rows.
    pub fn find(
        &mut self,
        matrix: &Matrix,
        set: &[u32],
        columns: &[u32],
        budget: &mut SearchBudget,
    ) -> Result<Option<Vec<Region>>, Stopped> {
        self.join(matrix, set, columns, budget)?;
        let roots: Vec<usize> = (0..columns.len()).filter(|&at| self.root(at) == at).collect();
        if roots.len() < 2 {
            return Ok(None);
        }
        let mut regions = Vec::with_capacity(roots.len());
        let mut product = 1usize;
        for root in roots {
            budget.work((2 * set.len() + 1) * columns.len())?;
            let (own, other): (Vec<usize>, Vec<usize>) =
                (0..columns.len()).partition(|&at| self.root(at) == root);
            let own: Vec<u32> = own.into_iter().map(|at| columns[at]).collect();
            let first = matrix.row(set[0]);
            let same = |row: &[u8]| {
                other.iter().all(|&at| row[columns[at] as usize] == first[columns[at] as usize])
            };
            let alone: Vec<u32> =
                set.iter().copied().filter(|&solution| same(matrix.row(solution))).collect();
            // Columns may be pairwise independent, but dependent in larger groups.
            if alone.len() != self.distinct(matrix, set, &own) {
                return Ok(None);
            }
            let Some(larger) = product.checked_mul(alone.len()) else { return Ok(None) };
            product = larger;
            regions.push(Region { solutions: alone, columns: own });
        }
        Ok((product == set.len()).then_some(regions))
    }

    /// Joins the columns that are not independent of each other.
    fn join(
        &mut self,
        matrix: &Matrix,
        set: &[u32],
        columns: &[u32],
        budget: &mut SearchBudget,
    ) -> Result<(), Stopped> {
        self.joined.clear();
        self.joined.extend(0..columns.len());
        matrix.tally(set, columns, &mut self.tally, budget)?;
        for one in 0..columns.len() {
            for other in one + 1..columns.len() {
                budget.work(1)?;
                let (a, b) = (self.root(one), self.root(other));
                if a == b {
                    continue;
                }
                budget.work(set.len())?;
                if !self.independent(matrix, set, columns, [one, other]) {
                    self.joined[b] = a;
                }
            }
        }
        Ok(())
    }

    fn independent(
        &mut self,
        matrix: &Matrix,
        set: &[u32],
        columns: &[u32],
        [one, other]: [usize; 2],
    ) -> bool {
        let labels = matrix.labels;
        let of = |column: usize, label: usize| u64::from(self.tally[column * labels + label]);
        // The solutions with two labels are a whole number, which few pairs of columns allow.
        let size = set.len() as u64;
        let divides = |a: usize, b: usize| of(one, a) * of(other, b) % size == 0;
        if !(0..labels).all(|a| (0..labels).all(|b| divides(a, b))) {
            return false;
        }
        self.joint.clear();
        self.joint.resize(labels * labels, 0);
        for &solution in set {
            let row = matrix.row(solution);
            let (a, b) = (row[columns[one] as usize], row[columns[other] as usize]);
            self.joint[usize::from(a) * labels + usize::from(b)] += 1;
        }
        self.joint.iter().enumerate().all(|(at, &both)| {
            let (a, b) = (of(one, at / labels), of(other, at % labels));
            u64::from(both) * size == a * b
        })
    }

    fn root(&self, mut at: usize) -> usize {
        while self.joined[at] != at {
            at = self.joined[at];
        }
        at
    }

    /// The number of distinct rows of a set over some columns.
    fn distinct(&mut self, matrix: &Matrix, set: &[u32], columns: &[u32]) -> usize {
        self.rows.clear();
        for &solution in set {
            let row = matrix.row(solution);
            let words = columns
                .iter()
                .enumerate()
                .map(|(at, &column)| matrix.word(at, row[column as usize]));
            self.rows.push(words.fold(0, u64::wrapping_add));
        }
        self.rows.sort_unstable();
        self.rows.dedup();
        self.rows.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::optimal::{Ask, EndGame, OptimalLimit, Solved};
    use crate::search::testing::{columns, listed};
    use crate::topology::Graph;

    /// Several rows of unopened cells; each has a number that touches the whole row.
    fn rows(rows: &[(usize, usize)]) -> (Graph, Vec<u8>, usize) {
        let (mut offsets, mut neighbours, mut cells) = (vec![0u32], vec![], vec![]);
        for &(width, mines) in rows {
            let first = cells.len();
            for at in first..first + width {
                neighbours.extend((at > first).then(|| at as u32 - 1));
                neighbours.extend((at + 1 < first + width).then(|| at as u32 + 1));
                neighbours.push((first + width) as u32);
                offsets.push(neighbours.len() as u32);
            }
            neighbours.extend((first..first + width).map(|at| at as u32));
            offsets.push(neighbours.len() as u32);
            cells.extend(vec![b'.'; width]);
            cells.push(b'0' + mines as u8);
        }
        let mines = rows.iter().map(|row| row.1).sum();
        (Graph::new(offsets, neighbours).unwrap(), cells, mines)
    }

    fn solved(all: &[(usize, usize)], states: u64) -> Solved {
        let (graph, cells, mines) = rows(all);
        let limit = OptimalLimit { solutions: 1_000_000, states, deadline: None };
        EndGame::new().solve(&graph, &cells, mines, limit, Ask::Best).unwrap().unwrap()
    }

    #[test]
    fn rows_of_cells_that_do_not_touch_are_regions() {
        let (graph, cells, mines) = rows(&[(4, 2), (5, 1), (4, 1)]);
        let (_, matrix) = listed(&graph, &cells, mines);
        let all: Vec<u32> = (0..matrix.solutions as u32).collect();
        let columns = columns(&matrix);
        let mut budget = SearchBudget::new(0, None, None);
        let mut regions =
            |set: &[u32]| Regions::default().find(&matrix, set, &columns, &mut budget).unwrap();
        let found = regions(&all).unwrap();
        let sizes: Vec<_> =
            found.iter().map(|region| (region.solutions.len(), region.columns.len())).collect();
        assert_eq!(sizes, [(6, 4), (5, 5), (4, 4)]);
        assert_eq!(regions(&all[1..]), None);
    }

    #[test]
    fn regions_are_won_as_often_as_the_product_says() {
        let alone = [solved(&[(8, 4)], 1000).wins, solved(&[(7, 3)], 1000).wins];
        let both = solved(&[(8, 4), (7, 3)], 10_000);
        assert_eq!((both.wins, both.solutions), (alone[0] * alone[1], 70 * 35));
    }

    #[test]
    fn a_set_of_three_regions_takes_few_states() {
        let alone = solved(&[(6, 3)], 1000);
        let three = solved(&[(6, 3), (6, 3), (6, 3)], 200);
        assert_eq!((three.wins, three.solutions), (alone.wins.pow(3), 8000));
    }
}
