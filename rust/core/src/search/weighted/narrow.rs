//! Perfect play by weight on up to 64 solutions: a set of them is one machine word.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::analysis::Hashed;
use crate::search::matrix::{mix, Matrix, MINE};
use crate::search::search_budget::{SearchBudget, Stopped};

/// The most solutions.
pub(super) const WIDTH: usize = 64;
/// A table of known sets larger than this is freed when the next solutions are loaded.
const KEPT: usize = 1 << 14;

/// A column: the solutions in which its cell is clear, and where they are stored split by number.
#[derive(Debug, Clone, Copy)]
struct Column {
    clear: u64,
    from: u32,
    to: u32,
}

/// A cell worth opening: its column, the solutions of the set in which it is clear, and their
/// weight.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    column: u16,
    clear: u64,
    weight: f64,
}

#[derive(Debug, Default)]
pub(super) struct Narrow {
    columns: Vec<Column>,
    shown: Vec<u64>,
    /// For each group of eight solutions, the weight of each subset.
    weights: Vec<[f64; 256]>,
    /// A set's wins, and whether they are exact or a bound.
    known: HashMap<u64, (f64, bool), BuildHasherDefault<Hashed>>,
    /// Stacks of remaining columns, and of sets that result from an opening, with their bounds.
    open: Vec<u16>,
    parts: Vec<(u64, f64)>,
}

impl Narrow {
    /// The weight of the solutions that perfect play wins in a set reached by play; exact if above
    /// `alpha`, otherwise a bound.
    pub fn solve(
        &mut self,
        matrix: &Matrix,
        (solutions, weights): (&[u32], &[f64]),
        columns: &[u32],
        alpha: f64,
        budget: &mut SearchBudget,
    ) -> Result<f64, Stopped> {
        self.load(matrix, solutions, columns);
        self.weigh(solutions, weights);
        if self.known.capacity() > KEPT {
            self.known = HashMap::default();
        }
        self.known.clear();
        self.parts.clear();
        self.open.clear();
        self.open.extend(0..self.columns.len() as u16);
        self.reached(u64::MAX >> (WIDTH - solutions.len()), 0, alpha, budget)
    }

    fn load(&mut self, matrix: &Matrix, solutions: &[u32], columns: &[u32]) {
        self.columns.clear();
        self.shown.clear();
        for &column in columns {
            let mut sets = [0u64; 32];
            for (i, &solution) in solutions.iter().enumerate() {
                sets[usize::from(matrix.row(solution)[column as usize])] |= 1 << i;
            }
            let from = self.shown.len();
            let labels = (usize::from(MINE) + 1..matrix.labels).map(|label| sets[label]);
            self.shown.extend(labels.filter(|&set| set != 0));
            let clear = self.shown[from..].iter().fold(0, |all, set| all | set);
            self.columns.push(Column { clear, from: from as u32, to: self.shown.len() as u32 });
        }
    }

    fn weigh(&mut self, solutions: &[u32], weights: &[f64]) {
        self.weights.clear();
        for eight in solutions.chunks(8) {
            let mut sums = [0.0; 256];
            for set in 1..1usize << eight.len() {
                let last = set.trailing_zeros() as usize;
                sums[set] = sums[set & (set - 1)] + weights[eight[last] as usize];
            }
            self.weights.push(sums);
        }
    }

    #[inline]
    fn weight(&self, set: u64) -> f64 {
        let bytes = self.weights.iter().enumerate();
        bytes.map(|(at, sums)| sums[(set >> (8 * at)) as usize & 255]).sum()
    }

    fn reached(
        &mut self,
        set: u64,
        open: usize,
        alpha: f64,
        budget: &mut SearchBudget,
    ) -> Result<f64, Stopped> {
        if set.is_power_of_two() {
            return Ok(self.weight(set));
        }
        let key = mix(set);
        match self.known.get(&key) {
            Some(&(won, exact)) if exact || won <= alpha => return Ok(won),
            _ => {}
        }
        budget.state()?;
        let (columns, parts) = (self.open.len(), self.parts.len());
        let won = self.search(set, open, alpha, budget)?;
        self.open.truncate(columns);
        self.parts.truncate(parts);
        self.known.insert(key, (won, won > alpha));
        Ok(won)
    }

    fn search(
        &mut self,
        set: u64,
        open: usize,
        alpha: f64,
        budget: &mut SearchBudget,
    ) -> Result<f64, Stopped> {
        let mine = self.open.len();
        let mut candidates = Vec::new();
        let (mut free, mut touched) = (false, 0);
        for at in open..mine {
            let column = self.open[at];
            let clear = set & self.columns[usize::from(column)].clear;
            if clear == set {
                if self.tells(column, set) {
                    free = true;
                    self.open.push(column);
                }
            } else if clear != 0 {
                self.open.push(column);
                touched |= clear;
                candidates.push(Candidate { column, clear, weight: 0.0 });
            }
        }
        if free {
            let first = self.split_free(set, mine);
            return self.sum(first, mine, alpha, budget);
        }
        let over = set & !touched;
        if over != 0 {
            // In one solution, all remaining cells are mines, so the game is over there.
            let weight = self.weight(over);
            return Ok(weight + self.reached(set & !over, mine, alpha - weight, budget)?);
        }
        self.sort(&mut candidates);
        let mut best = 0.0f64;
        for candidate in candidates {
            let enough = best.max(alpha);
            if candidate.weight <= enough {
                return Ok(best.max(candidate.weight));
            }
            let first = self.parts.len();
            let Column { from, to, .. } = self.columns[usize::from(candidate.column)];
            for number in from..to {
                let part = set & self.shown[number as usize];
                if part != 0 {
                    self.parts.push((part, 0.0));
                }
            }
            best = best.max(self.sum(first, mine, enough, budget)?);
        }
        Ok(best)
    }

    /// Whether a cell that is clear in a whole set shows different numbers in it.
    fn tells(&self, column: u16, set: u64) -> bool {
        let Column { from, to, .. } = self.columns[usize::from(column)];
        self.shown[from as usize..to as usize].iter().all(|&number| set & !number != 0)
    }

    /// Sorts candidates in descending order of weight, and drops those that are clear only where an
    /// earlier one is: the earlier one can be opened first at no greater loss.
    fn sort(&self, candidates: &mut Vec<Candidate>) {
        candidates.iter_mut().for_each(|c| c.weight = self.weight(c.clear));
        candidates.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.column.cmp(&b.column)));
        let mut kept = 0;
        for at in 0..candidates.len() {
            let one = candidates[at];
            if candidates[..kept].iter().all(|other| one.clear & !other.clear != 0) {
                candidates[kept] = one;
                kept += 1;
            }
        }
        candidates.truncate(kept);
    }

    /// Pushes the sets that result from opening all cells that are clear in a whole set.
    fn split_free(&mut self, set: u64, open: usize) -> usize {
        let first = self.parts.len();
        self.parts.push((set, 0.0));
        for at in open..self.open.len() {
            let Column { clear, from, to } = self.columns[usize::from(self.open[at])];
            if set & !clear != 0 {
                continue;
            }
            for part in first..self.parts.len() {
                let mut left = self.parts[part].0;
                let mut split = false;
                for number in from..to {
                    let same = left & self.shown[number as usize];
                    if same == 0 {
                        continue;
                    }
                    if split {
                        self.parts.push((same, 0.0));
                    } else {
                        self.parts[part].0 = same;
                        split = true;
                    }
                    left &= !same;
                }
            }
        }
        first
    }

    /// The weight won in all sets on the stack from `first`.
    fn sum(
        &mut self,
        first: usize,
        open: usize,
        alpha: f64,
        budget: &mut SearchBudget,
    ) -> Result<f64, Stopped> {
        let mut left = 0.0;
        for at in first..self.parts.len() {
            let most = self.bound(self.parts[at].0, open);
            self.parts[at].1 = most;
            left += most;
        }
        let last = self.parts.len();
        let mut won = 0.0;
        for at in first..last {
            if won + left <= alpha {
                break;
            }
            let (part, most) = self.parts[at];
            left = if at + 1 == last { 0.0 } else { (left - most).max(0.0) };
            won += self.reached(part, open, alpha - won - left, budget)?;
        }
        self.parts.truncate(first);
        Ok(won + left)
    }

    /// A bound on a set's wins, from the loss of its next opening alone.
    fn bound(&self, set: u64, open: usize) -> f64 {
        let whole = self.weight(set);
        if set.is_power_of_two() {
            return whole;
        }
        if let Some(&(won, _)) = self.known.get(&mix(set)) {
            return won;
        }
        let (mut most, mut touched) = (0.0f64, 0);
        for &column in &self.open[open..] {
            let clear = set & self.columns[usize::from(column)].clear;
            if clear == set {
                if self.tells(column, set) {
                    return whole;
                }
            } else if clear != 0 {
                touched |= clear;
                most = most.max(self.weight(clear));
            }
        }
        if touched != set {
            // The game may be over, in which case the next opening loses nothing.
            return whole;
        }
        most
    }
}
