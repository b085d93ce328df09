//! Perfect play on any number of solutions.
//!
//! A set is solved from memory, by its independent regions, or in a separate frame, in which
//! `best_opening` finds the best opening and `sets` computes the results of openings.

mod best_opening;
mod sets;

use super::frame::{ones, size, Frame};
use super::key::Keys;
use super::matrix::{mix, Matrix};
use super::memory::{Key, Known, Memory};
use super::narrow::{Narrow, WIDTH};
use super::regions::{Region, Regions};
use super::rivals::{Groups, Rivals};
use super::search_budget::{SearchBudget, Stopped};

/// Sets of up to this many solutions are solved without a lookup in the memory.
const SMALL: usize = 10;

/// Buffers of the search over large sets; small sets go to `Narrow`.
#[derive(Debug, Default)]
pub(super) struct Wide {
    memory: Memory,
    narrow: Narrow,
    keys: Keys,
    rivals: Rivals,
    regions: Regions,
    /// Unused frames.
    frames: Vec<Frame>,
    /// A random word for every solution; the sum over a set's members is the set's key.
    members: Vec<u64>,
    /// The number of matrices so far, because keys by members are valid for one matrix only.
    matrices: u64,
    /// Stacks of the current frame's sets, its remaining columns, and candidates by their bound.
    sets: Vec<u64>,
    open: Vec<u32>,
    candidates: Vec<(u32, u32)>,
    /// A bound on the wins of each set in a sum.
    bounds: Vec<u32>,
    groups: Groups,
}

/// The columns of a frame that are informative for a set: a run of the stack.
#[derive(Debug, Clone, Copy)]
struct Open {
    from: usize,
    to: usize,
}

impl Wide {
    /// Prepares to search a matrix, with memory for this many states.
    pub fn start(
        &mut self,
        matrix: &Matrix,
        states: u64,
        budget: &mut SearchBudget,
    ) -> Result<(), Stopped> {
        self.memory.allow(states);
        self.matrices += 1;
        let nonce = mix(self.matrices);
        self.members.clear();
        self.members.extend((0..matrix.solutions as u64).map(|i| mix(nonce ^ i)));
        self.sets.clear();
        self.open.clear();
        self.candidates.clear();
        self.bounds.clear();
        if matrix.solutions > WIDTH {
            self.rivals.fill(matrix, budget)?;
        }
        Ok(())
    }

    /// The wins of perfect play on some solutions; exact if above `alpha`, otherwise a bound.
    pub fn solve(
        &mut self,
        matrix: &Matrix,
        solutions: &[u32],
        columns: &[u32],
        alpha: i64,
        budget: &mut SearchBudget,
    ) -> Result<i64, Stopped> {
        if solutions.len() == 1 {
            return Ok(1);
        }
        self.keys.look(matrix, solutions, columns, budget)?;
        if self.keys.columns.is_empty() {
            // No cell is informative, so any opening wins one solution.
            return Ok(1);
        }
        if !self.keys.free && i64::from(self.keys.clear) <= alpha {
            return Ok(i64::from(self.keys.clear));
        }
        if solutions.len() <= SMALL {
            return self.narrow.solve(matrix, solutions, &self.keys.columns, alpha, budget);
        }
        let key = self.keys.key(matrix, solutions, budget)?;
        match self.memory.get(key) {
            Some(Known::Exactly(wins)) => return Ok(wins),
            Some(Known::AtMost(wins)) if wins <= alpha => return Ok(wins),
            _ => {}
        }
        let wins = if let Some(distinct) = self.keys.distinct(solutions) {
            let columns = self.keys.columns.clone();
            self.solve(matrix, &distinct, &columns, alpha, budget)?
        } else if let Some(regions) = self.regions(matrix, solutions, budget)? {
            self.product(matrix, &regions, alpha, budget)?
        } else if solutions.len() <= WIDTH {
            self.narrow.solve(matrix, solutions, &self.keys.columns, alpha, budget)?
        } else {
            self.frame(matrix, solutions, alpha, budget)?
        };
        let known = if wins > alpha { Known::Exactly(wins) } else { Known::AtMost(wins) };
        self.memory.put(key, known);
        Ok(wins)
    }

    /// The independent regions of the last set read, if there are several.
    fn regions(
        &mut self,
        matrix: &Matrix,
        solutions: &[u32],
        budget: &mut SearchBudget,
    ) -> Result<Option<Vec<Region>>, Stopped> {
        if self.keys.whole {
            return Ok(None);
        }
        self.regions.find(matrix, solutions, &self.keys.columns, budget)
    }

    /// The wins of a set that is a product of regions.
    fn product(
        &mut self,
        matrix: &Matrix,
        regions: &[Region],
        alpha: i64,
        budget: &mut SearchBudget,
    ) -> Result<i64, Stopped> {
        let mut bound: i64 = regions.iter().map(|region| region.solutions.len() as i64).product();
        for region in regions {
            let others = bound / region.solutions.len() as i64;
            // The product exceeds `alpha` only if this region wins more than this.
            let least = alpha.max(0) / others;
            bound =
                others * self.solve(matrix, &region.solutions, &region.columns, least, budget)?;
            if bound <= alpha {
                break;
            }
        }
        Ok(bound)
    }

    /// Solves the last set read in a new frame.
    fn frame(
        &mut self,
        matrix: &Matrix,
        solutions: &[u32],
        alpha: i64,
        budget: &mut SearchBudget,
    ) -> Result<i64, Stopped> {
        let mut frame = self.frames.pop().unwrap_or_default();
        frame.solutions.clear();
        frame.solutions.extend_from_slice(solutions);
        frame.fill(matrix, &mut self.rivals, &self.keys.columns, budget)?;
        let tops = (self.sets.len(), self.open.len(), self.candidates.len());
        let n = solutions.len();
        self.sets.extend((0..frame.words).map(|i| filled(n.saturating_sub(i * 64))));
        self.open.extend(0..frame.columns.len() as u32);
        let open = Open { from: tops.1, to: self.open.len() };
        let set = tops.0;
        let found = match frame.words {
            2 => self.best_opening::<2>(matrix, &frame, set, n, open, alpha, budget),
            3 => self.best_opening::<3>(matrix, &frame, set, n, open, alpha, budget),
            4 => self.best_opening::<4>(matrix, &frame, set, n, open, alpha, budget),
            8 => self.best_opening::<8>(matrix, &frame, set, n, open, alpha, budget),
            _ => self.best_opening::<0>(matrix, &frame, set, n, open, alpha, budget),
        };
        self.sets.truncate(tops.0);
        self.open.truncate(tops.1);
        self.candidates.truncate(tops.2);
        self.frames.push(frame);
        found
    }

    /// The wins of a set on the stack, which is solved in a new frame unless its wins are known.
    fn wins<const W: usize>(
        &mut self,
        matrix: &Matrix,
        frame: &Frame,
        set: usize,
        open: Open,
        alpha: i64,
        budget: &mut SearchBudget,
    ) -> Result<i64, Stopped> {
        let words = &self.sets[set..set + frame.width::<W>()];
        let n = size(words);
        if n == 1 {
            return Ok(1);
        }
        let key = self.key::<W>(frame, set);
        match self.memory.get(key) {
            Some(Known::Exactly(wins)) => return Ok(wins),
            Some(Known::AtMost(wins)) if wins <= alpha => return Ok(wins),
            _ => {}
        }
        let words = &self.sets[set..set + frame.width::<W>()];
        let solutions: Vec<u32> = ones(words).map(|i| frame.solutions[i]).collect();
        let columns = self.open[open.from..open.to].iter();
        let columns: Vec<u32> = columns.map(|&at| frame.columns[at as usize].column).collect();
        let wins = self.solve(matrix, &solutions, &columns, alpha, budget)?;
        let known = if wins > alpha { Known::Exactly(wins) } else { Known::AtMost(wins) };
        self.memory.put(key, known);
        Ok(wins)
    }

    /// The key of a set on the stack, by its members.
    fn key<const W: usize>(&self, frame: &Frame, set: usize) -> Key {
        let members = ones(&self.sets[set..set + frame.width::<W>()]);
        let (mut place, mut check) = (0u64, 0u64);
        for word in members.map(|i| self.members[frame.solutions[i] as usize]) {
            place = place.wrapping_add(word);
            check = check.wrapping_add(word.wrapping_mul(word | 1) >> 7);
        }
        Key { place, check: (check >> 16) as u32 }
    }
}

/// A word with this many low bits set.
fn filled(bits: usize) -> u64 {
    u64::MAX.checked_shr(64 - bits.min(64) as u32).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::{columns, subset, unopened, BruteForce};

    fn solve(wide: &mut Wide, matrix: &Matrix, set: &[u32], alpha: i64) -> i64 {
        let mut budget = SearchBudget::new(1_000_000, None, None);
        wide.start(matrix, 1000, &mut budget).unwrap();
        wide.solve(matrix, set, &columns(matrix), alpha, &mut budget).unwrap()
    }

    #[test]
    fn perfect_play_wins_what_trying_everything_does() {
        // Frames of two and of four words, and sets that need none.
        for (matrix, sizes) in
            [(unopened(3, 3, 4), &[2, 11, 64, 65, 100, 126][..]), (unopened(4, 3, 3), &[130, 220])]
        {
            let mut brute_force = BruteForce::default();
            let mut wide = Wide::default();
            for (seed, &size) in sizes.iter().enumerate() {
                let set = subset(&matrix, size, seed as u64);
                let wins = brute_force.wins(&matrix, &set);
                assert_eq!(solve(&mut wide, &matrix, &set, -1), wins);
                // With and without memory, the result is exact above alpha, otherwise a bound.
                for alpha in [wins - 1, wins, wins + 5] {
                    for wide in [&mut wide, &mut Wide::default()] {
                        let found = solve(wide, &matrix, &set, alpha);
                        assert!(found == wins || (found > wins && found <= alpha));
                    }
                }
            }
        }
    }

    #[test]
    fn a_search_without_states_left_is_stopped() {
        let matrix = unopened(4, 4, 3);
        let mut wide = Wide::default();
        let mut budget = SearchBudget::new(2, None, None);
        wide.start(&matrix, 1000, &mut budget).unwrap();
        let set = subset(&matrix, 560, 0);
        let found = wide.solve(&matrix, &set, &columns(&matrix), -1, &mut budget);
        assert_eq!(found, Err(Stopped));
        // The stacks are empty, so the next search is not affected.
        let small = subset(&matrix, 80, 1);
        let fresh = solve(&mut Wide::default(), &matrix, &small, -1);
        assert_eq!(solve(&mut wide, &matrix, &small, -1), fresh);
    }

    #[test]
    fn a_word_is_filled_from_its_lowest_bit() {
        assert_eq!([filled(0), filled(1), filled(63), filled(64)], [0, 1, u64::MAX >> 1, u64::MAX]);
        assert_eq!(filled(200), u64::MAX);
    }
}
