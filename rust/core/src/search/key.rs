//! Keys for sets of solutions; equivalent sets share a key.

use super::matrix::{mix, Matrix, AT_ONCE, MINE};
use super::memory::Key;
use super::search_budget::{SearchBudget, Stopped};

/// With at most this many solutions, columns are ordered by their counts alone, which is faster.
const REFINED: usize = 64;

/// Buffers for reading a set of solutions row by row.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// The informative columns, in an order that does not depend on their location.
    pub columns: Vec<u32>,
    /// The most solutions in which one of their cells is clear, and whether some cell is clear in
    /// all.
    pub clear: u32,
    pub free: bool,
    /// Whether a column is uninformative although its cell is a mine in some solutions.
    dead: bool,
    /// Whether the column counts show that the set is not a product.
    pub whole: bool,
    /// One solution for each distinct row, by its index in the set.
    distinct: Vec<(u64, u32)>,
    tally: Vec<u32>,
    ranked: Vec<Ranked>,
    rows: Vec<u64>,
    sums: Vec<u64>,
}

/// A column with its labels replaced by ranks, and its position in the order.
#[derive(Debug, Clone, Copy)]
struct Ranked {
    order: u64,
    column: u32,
    words: [u64; 32],
    ranks: [u8; 32],
}

impl Keys {
    /// Finds the columns that are informative for a set.
    pub fn look(
        &mut self,
        matrix: &Matrix,
        set: &[u32],
        columns: &[u32],
        budget: &mut SearchBudget,
    ) -> Result<(), Stopped> {
        matrix.tally(set, columns, &mut self.tally, budget)?;
        self.columns.clear();
        self.ranked.clear();
        (self.clear, self.free) = (1, false);
        (self.dead, self.whole) = (false, false);
        for (tally, &column) in self.tally.chunks_exact(matrix.labels).zip(columns) {
            let mut ranks = [0; 32];
            let mut order = u64::from(tally[usize::from(MINE)]);
            let mut shown = 0;
            for (label, &count) in tally.iter().enumerate().skip(1).filter(|(_, &n)| n > 0) {
                shown += 1;
                ranks[label] = shown;
                order = mix(order) ^ u64::from(count);
            }
            if shown < 2 {
                let mines = tally[usize::from(MINE)];
                self.dead |= mines > 0 && mines < set.len() as u32;
                continue;
            }
            let clear = set.len() as u32 - tally[usize::from(MINE)];
            self.clear = self.clear.max(clear);
            self.free |= clear == set.len() as u32;
            // In a product, each count of a column is a multiple of the size of the other factors.
            self.whole |= tally.iter().fold(0, |all, &count| gcd(all, count)) == 1;
            self.columns.push(column);
            self.ranked.push(Ranked { order, column, words: [0; 32], ranks });
        }
        Ok(())
    }

    /// The key of the last set read: its rows over the informative columns, with labels replaced by
    /// ranks and columns in canonical order. Sets that differ only in other columns, or are shifted
    /// or mirrored, usually share a key; sets that share a key have the same wins.
    pub fn key(
        &mut self,
        matrix: &Matrix,
        set: &[u32],
        budget: &mut SearchBudget,
    ) -> Result<Key, Stopped> {
        if set.len() > REFINED {
            self.refine(matrix, set, budget)?;
        }
        self.ranked.sort_by_key(|ranked| ranked.order);
        for (place, ranked) in self.ranked.iter_mut().enumerate() {
            for label in 0..matrix.labels {
                ranked.words[label] = matrix.word(place, ranked.ranks[label]);
            }
        }
        self.sum_rows(matrix, set, budget)?;
        let (mut place, mut check) = (0u64, 0u64);
        for &word in &self.rows {
            place = place.wrapping_add(word);
            check = check.wrapping_add(word.wrapping_mul(word | 1) >> 7);
        }
        Ok(Key { place, check: (check >> 16) as u32 })
    }

    /// One solution for each distinct row of the set whose key was computed last; None if all rows
    /// differ. Solutions with equal rows cannot be distinguished, so together they count as one. If
    /// the columns were informative for a larger set with distinct rows, two rows can be equal only
    /// if a column has become dead.
    pub fn distinct(&mut self, set: &[u32]) -> Option<Vec<u32>> {
        if !self.dead {
            return None;
        }
        self.distinct.clear();
        self.distinct.extend(self.rows.iter().copied().zip(0..));
        self.distinct.sort_unstable();
        self.distinct.dedup_by_key(|&mut (row, _)| row);
        if self.distinct.len() == set.len() {
            return None;
        }
        let mut kept: Vec<u32> =
            self.distinct.iter().map(|&(_, place)| set[place as usize]).collect();
        kept.sort_unstable();
        Some(kept)
    }

    /// Orders columns with equal counts by the rows in which their labels occur.
    fn refine(
        &mut self,
        matrix: &Matrix,
        set: &[u32],
        budget: &mut SearchBudget,
    ) -> Result<(), Stopped> {
        let labels = matrix.labels;
        for ranked in &mut self.ranked {
            for label in 0..labels {
                let rank = u64::from(ranked.ranks[label]);
                ranked.words[label] = mix(ranked.order ^ rank << 56);
            }
        }
        self.sum_rows(matrix, set, budget)?;
        self.sums.clear();
        self.sums.resize(self.ranked.len() * labels, 0);
        for (set, rows) in set.chunks(AT_ONCE).zip(self.rows.chunks(AT_ONCE)) {
            budget.work(set.len() * self.ranked.len())?;
            for (&solution, &word) in set.iter().zip(rows) {
                let row = matrix.row(solution);
                for (sums, ranked) in self.sums.chunks_exact_mut(labels).zip(&self.ranked) {
                    let sum = &mut sums[usize::from(row[ranked.column as usize])];
                    *sum = sum.wrapping_add(word);
                }
            }
        }
        for (sums, ranked) in self.sums.chunks_exact(labels).zip(&mut self.ranked) {
            for (label, &sum) in sums.iter().enumerate().filter(|(_, &sum)| sum != 0) {
                let rank = u64::from(ranked.ranks[label]);
                ranked.order = ranked.order.wrapping_add(mix(sum ^ rank));
            }
        }
        Ok(())
    }

    /// The sum of the words in each row, with its bits mixed.
    fn sum_rows(
        &mut self,
        matrix: &Matrix,
        set: &[u32],
        budget: &mut SearchBudget,
    ) -> Result<(), Stopped> {
        self.rows.clear();
        for set in set.chunks(AT_ONCE) {
            budget.work(set.len() * self.ranked.len())?;
            for &solution in set {
                let row = matrix.row(solution);
                let word = |sum: u64, ranked: &Ranked| {
                    sum.wrapping_add(ranked.words[usize::from(row[ranked.column as usize])])
                };
                self.rows.push(mix(self.ranked.iter().fold(0, word)));
            }
        }
        Ok(())
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 {
        a
    } else {
        gcd(b, a % b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::{columns, listed, shown, subset, unopened, BruteForce};
    use crate::topology::Graph;

    fn budget() -> SearchBudget {
        SearchBudget::new(0, None, None)
    }

    #[test]
    fn columns_that_tell_something_are_those_with_two_numbers() {
        let matrix = unopened(4, 4, 3);
        let all = columns(&matrix);
        let mut keys = Keys::default();
        for (seed, size) in [(1, 3), (2, 10), (3, 60), (4, 200), (5, 560)] {
            let set = subset(&matrix, size, seed);
            keys.look(&matrix, &set, &all, &mut budget()).unwrap();
            let parts = |column: &u32| shown(&matrix, &set, *column);
            let telling: Vec<u32> =
                all.iter().copied().filter(|column| parts(column).len() > 1).collect();
            let clear = |column: &u32| parts(column).iter().map(Vec::len).sum::<usize>();
            let most = telling.iter().map(clear).max().unwrap_or(1);
            assert_eq!((&keys.columns, keys.clear as usize), (&telling, most));
            assert_eq!(keys.free, telling.iter().any(|column| clear(column) == set.len()));
        }
    }

    #[test]
    fn mirrored_and_turned_sets_share_a_key() {
        // The results of opening a cell next to a corner: eight images of one set.
        let matrix = unopened(4, 4, 3);
        let all: Vec<u32> = (0..matrix.solutions as u32).collect();
        let mut keys = Keys::default();
        let mut key = |cell: u32, part: usize| {
            let set = shown(&matrix, &all, cell).swap_remove(part);
            keys.look(&matrix, &set, &columns(&matrix), &mut budget()).unwrap();
            keys.key(&matrix, &set, &mut budget()).unwrap()
        };
        for part in 0..3 {
            let first = key(1, part);
            assert!([2, 4, 7, 8, 11, 13, 14].iter().all(|&cell| key(cell, part) == first));
            assert!([0, 5].iter().all(|&cell| key(cell, part) != first));
        }
    }

    #[test]
    fn sets_that_share_a_key_are_won_alike() {
        let matrix = unopened(3, 3, 3);
        let all: Vec<u32> = (0..matrix.solutions as u32).collect();
        let mut brute_force = BruteForce::default();
        let mut keys = Keys::default();
        let mut known = std::collections::HashMap::new();
        let mut shared = 0;
        // The results of any two openings.
        for first in columns(&matrix).iter().flat_map(|&cell| shown(&matrix, &all, cell)) {
            for set in columns(&matrix).iter().flat_map(|&cell| shown(&matrix, &first, cell)) {
                keys.look(&matrix, &set, &columns(&matrix), &mut budget()).unwrap();
                let key = keys.key(&matrix, &set, &mut budget()).unwrap();
                if keys.distinct(&set).is_some() {
                    continue;
                }
                let wins = brute_force.wins(&matrix, &set);
                let (other, before) =
                    known.entry((key.place, key.check)).or_insert_with(|| (set.clone(), wins));
                assert_eq!(*before, wins);
                shared += usize::from(*other != set);
            }
        }
        assert!(shared > 100, "{shared}");
    }

    #[test]
    fn solutions_that_nothing_tells_apart_count_once() {
        // Cells 0 and 1 touch, as do cells 2 and 3. Each pair has one mine; which cell has it makes
        // no difference.
        let graph = Graph::new(vec![0, 1, 2, 3, 4], vec![1, 0, 3, 2]).unwrap();
        let (_, matrix) = listed(&graph, b"....", 2);
        let one_each: Vec<u32> = (0..matrix.solutions as u32)
            .filter(|&s| matrix.row(s)[..2].iter().filter(|&&shown| shown == MINE).count() == 1)
            .collect();
        assert_eq!(one_each.len(), 4);
        let mut keys = Keys::default();
        keys.look(&matrix, &one_each, &columns(&matrix), &mut budget()).unwrap();
        keys.key(&matrix, &one_each, &mut budget()).unwrap();
        assert!(keys.columns.is_empty(), "each cell shows a 1 or is a mine");
        assert_eq!(keys.distinct(&one_each).map(|kept| kept.len()), Some(1));
        let all: Vec<u32> = (0..matrix.solutions as u32).collect();
        keys.look(&matrix, &all, &columns(&matrix), &mut budget()).unwrap();
        keys.key(&matrix, &all, &mut budget()).unwrap();
        assert_eq!(keys.distinct(&all), None);
    }

    #[test]
    fn greatest_common_divisors() {
        assert_eq!([gcd(12, 18), gcd(0, 7), gcd(7, 0), gcd(9, 4)], [6, 7, 7, 1]);
    }
}
