//! Perfect play on up to 64 solutions: a set of them is one machine word.

mod columns;
mod table;

use super::matrix::Matrix;
use super::search_budget::{SearchBudget, Stopped};
use columns::Columns;
use table::Table;

/// The most solutions.
pub(super) const WIDTH: usize = 64;

#[derive(Debug, Default)]
pub(super) struct Narrow {
    columns: Columns,
    known: Table,
    /// Stacks of remaining columns, candidates as sort keys, and sets that result from an opening.
    open: Vec<u16>,
    candidates: Vec<u32>,
    parts: Vec<u64>,
    /// A bound on the wins of each of these sets.
    bounds: Vec<u8>,
}

/// Sets smaller than this are searched without first computing tighter bounds.
const PROBED: i64 = 5;

/// A summary of all columns.
struct Seen {
    /// Whether some cell is clear in all solutions and distinguishes some.
    free: bool,
    /// The most solutions in which an informative cell is clear.
    clear: i64,
}

#[inline]
fn size(set: u64) -> i64 {
    i64::from(set.count_ones())
}

impl Narrow {
    /// The wins of perfect play on these solutions; exact if above `alpha`, otherwise a bound.
    pub fn solve(
        &mut self,
        matrix: &Matrix,
        solutions: &[u32],
        columns: &[u32],
        alpha: i64,
        budget: &mut SearchBudget,
    ) -> Result<i64, Stopped> {
        // Column numbers have 16 bits.
        if columns.len() > usize::from(u16::MAX) {
            return Err(Stopped);
        }
        budget.work(solutions.len() * columns.len())?;
        self.columns.load(matrix, solutions, columns);
        self.known.clear();
        self.open.clear();
        self.candidates.clear();
        self.parts.clear();
        self.bounds.clear();
        self.open.extend(0..self.columns.len() as u16);
        let all = u64::MAX >> (WIDTH - solutions.len());
        self.wins(all, 0, alpha, budget)
    }

    /// A bound on a set's wins, from the loss of the next opening alone.
    fn bound(&self, set: u64, open: usize) -> i64 {
        let n = size(set);
        if n == 1 {
            return 1;
        }
        if let Some(slot) = self.known.get(set) {
            return i64::from(slot.wins);
        }
        let mut most = 1;
        for &column in &self.open[open..] {
            if let Some(clear) = self.columns.tells(column, set) {
                if clear == set {
                    most = n;
                    break;
                }
                most = most.max(size(clear));
            }
        }
        if n == 2 {
            return most;
        }
        most.min(self.columns.groups(set))
    }

    /// Pushes the informative columns on the stacks.
    fn look(&mut self, set: u64, open: usize) -> Seen {
        let mut seen = Seen { free: false, clear: 1 };
        for i in open..self.open.len() {
            let column = self.open[i];
            let Some(clear) = self.columns.tells(column, set) else { continue };
            if clear == set {
                seen.free = true;
            } else {
                let clear = size(clear);
                seen.clear = seen.clear.max(clear);
                self.candidates.push((clear as u32) << 16 | u32::from(column));
            }
            self.open.push(column);
        }
        seen
    }

    fn wins(
        &mut self,
        set: u64,
        open: usize,
        alpha: i64,
        budget: &mut SearchBudget,
    ) -> Result<i64, Stopped> {
        if size(set) <= 2 {
            return Ok(self.bound(set, open));
        }
        if let Some(slot) = self.known.get(set) {
            let wins = i64::from(slot.wins);
            if slot.exact || wins <= alpha {
                return Ok(wins);
            }
        }
        budget.state()?;
        budget.work(self.open.len() - open)?;
        let (mine, candidates) = (self.open.len(), self.candidates.len());
        let seen = self.look(set, open);
        let wins = if mine == self.open.len() {
            // No cell is informative, so any opening wins one solution.
            1
        } else if seen.free {
            self.open_free(set, mine, alpha, budget)?
        } else if seen.clear <= alpha {
            seen.clear
        } else {
            self.open_best(set, mine, candidates, alpha, budget)?
        };
        self.open.truncate(mine);
        self.candidates.truncate(candidates);
        self.known.put(set, wins, wins > alpha);
        Ok(wins)
    }

    /// Pushes the sets that result from opening all cells that are clear in a whole set.
    fn split_free(&mut self, set: u64, open: usize) -> usize {
        let first = self.parts.len();
        self.columns.split_free(set, &self.open[open..], &mut self.parts);
        first
    }

    /// Pushes the sets that result from opening a cell.
    fn split(&mut self, set: u64, column: u16) -> usize {
        let first = self.parts.len();
        self.columns.split(set, column, &mut self.parts);
        first
    }

    /// A bound on a set's wins, from the loss of the next two openings.
    fn probe(&mut self, set: u64, open: usize, bound: i64) -> i64 {
        let n = size(set);
        if n < PROBED || self.known.get(set).is_some() {
            return bound;
        }
        let mut most = 1;
        let mut free = false;
        for i in open..self.open.len() {
            let column = self.open[i];
            let Some(clear) = self.columns.tells(column, set) else { continue };
            if clear == set {
                free = true;
                break;
            }
            if size(clear) <= most {
                continue;
            }
            let first = self.split(set, column);
            most = most.max(self.one_ply(first, open, size(clear), most));
            self.parts.truncate(first);
            if most >= bound {
                return bound;
            }
        }
        if free {
            let first = self.split_free(set, open);
            most = self.one_ply(first, open, n, 0);
            self.parts.truncate(first);
        }
        most.min(bound)
    }

    /// A bound on the wins of all sets from `first`; stops refining once it is at most `alpha`.
    fn one_ply(&self, first: usize, open: usize, total: i64, alpha: i64) -> i64 {
        let mut bound = total;
        for &part in &self.parts[first..] {
            bound -= size(part) - self.bound(part, open);
            if bound <= alpha {
                break;
            }
        }
        bound
    }

    /// Opens all informative cells that are clear in the whole set.
    fn open_free(
        &mut self,
        set: u64,
        open: usize,
        alpha: i64,
        budget: &mut SearchBudget,
    ) -> Result<i64, Stopped> {
        let first = self.split_free(set, open);
        self.sum(first, open, size(set), alpha, budget)
    }

    /// Finds the wins of the best candidate.
    fn open_best(
        &mut self,
        set: u64,
        open: usize,
        candidates: usize,
        alpha: i64,
        budget: &mut SearchBudget,
    ) -> Result<i64, Stopped> {
        self.columns.drop_dominated(set, &mut self.candidates, candidates, budget)?;
        let (mut floor, mut top) = (alpha, 0);
        for i in candidates..self.candidates.len() {
            let key = self.candidates[i];
            let clear = i64::from(key >> 16);
            if clear <= floor {
                top = top.max(clear);
                break;
            }
            let first = self.split(set, (key & 0xFFFF) as u16);
            let wins = self.sum(first, open, clear, floor, budget)?;
            top = top.max(wins);
            floor = floor.max(wins);
        }
        Ok(top)
    }

    /// Pops all sets from `first` off the stack and returns their wins.
    fn sum(
        &mut self,
        first: usize,
        open: usize,
        total: i64,
        alpha: i64,
        budget: &mut SearchBudget,
    ) -> Result<i64, Stopped> {
        let mut bound = total;
        let bounds = self.bounds.len();
        for i in first..self.parts.len() {
            let most = self.bound(self.parts[i], open);
            self.bounds.push(most as u8);
            bound -= size(self.parts[i]) - most;
            if bound <= alpha {
                break;
            }
        }
        let parts = first..self.parts.len();
        for (i, at) in parts.clone().zip(bounds..) {
            if bound <= alpha {
                break;
            }
            let most = i64::from(self.bounds[at]);
            let less = self.probe(self.parts[i], open, most);
            self.bounds[at] = less as u8;
            bound -= most - less;
        }
        for (i, at) in parts.zip(bounds..) {
            if bound <= alpha {
                break;
            }
            bound -= i64::from(self.bounds[at]);
            bound += self.wins(self.parts[i], open, alpha - bound, budget)?;
        }
        self.bounds.truncate(bounds);
        self.parts.truncate(first);
        Ok(bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::{columns, subset, unopened, BruteForce};

    #[test]
    fn perfect_play_wins_what_trying_everything_does() {
        let mut narrow = Narrow::default();
        for (width, height, mines) in [(3, 3, 2), (3, 3, 3), (4, 2, 3)] {
            let matrix = unopened(width, height, mines);
            let mut brute_force = BruteForce::default();
            for seed in 0..40 {
                let set = subset(&matrix, 1 + seed as usize * 64 / 40, seed);
                let wins = brute_force.wins(&matrix, &set);
                let mut budget = SearchBudget::new(100_000, None, None);
                let mut solve = |alpha| {
                    narrow.solve(&matrix, &set, &columns(&matrix), alpha, &mut budget).unwrap()
                };
                assert_eq!(solve(-1), wins);
                // The result is exact above alpha, otherwise a bound.
                assert_eq!(solve(wins - 1), wins);
                assert!((wins..=wins + 3).contains(&solve(wins + 3)));
            }
        }
    }

    #[test]
    fn a_search_without_states_left_is_stopped() {
        let matrix = unopened(3, 3, 2);
        let set = subset(&matrix, 36, 0);
        let mut budget = SearchBudget::new(3, None, None);
        let found = Narrow::default().solve(&matrix, &set, &columns(&matrix), -1, &mut budget);
        assert_eq!(found, Err(Stopped));
    }
}
