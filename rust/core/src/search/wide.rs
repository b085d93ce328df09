//! Perfect play on any number of solutions: a set of them is a run of their indices.

use super::matrix::{mix, Matrix, MINE};
use super::memory::{Key, Known, Memory};
use super::narrow::{Narrow, WIDTH};
use super::spent::{Spent, Stopped};

/// Buffers of the search over large sets; small ones go to `Narrow`.
#[derive(Debug, Default)]
pub(super) struct Wide {
    pub memory: Memory,
    narrow: Narrow,
    /// Stacks: the sets that openings leave, one after the other, where each ends, the columns
    /// that still tell something, and candidates by how many solutions they lose.
    solutions: Vec<u32>,
    ends: Vec<usize>,
    open: Vec<u32>,
    candidates: Vec<(u32, u32)>,
    // Scratch of one look at a set.
    tally: Vec<u32>,
    ranks: Vec<[u8; 32]>,
    codes: Vec<(u64, u32)>,
    starts: Vec<usize>,
}

/// A run of a stack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub from: usize,
    pub to: usize,
}

impl Run {
    fn len(self) -> i64 {
        (self.to - self.from) as i64
    }
}

/// What a look at all columns finds: the tops of stacks before it, and the summary.
struct Seen {
    open: Run,
    candidates: usize,
    /// How many columns are clear in all solutions and tell some apart: the first of `open`.
    free: usize,
    /// The most solutions in which any one cell that tells something is clear.
    clear: i64,
}

impl Wide {
    /// Starts with all solutions of a matrix; gives the runs of its solutions and its columns.
    pub fn start(&mut self, matrix: &Matrix) -> (Run, Run) {
        self.solutions.clear();
        self.solutions.extend(0..matrix.solutions as u32);
        self.open.clear();
        self.open.extend(0..matrix.cells.len() as u32);
        self.ends.clear();
        self.candidates.clear();
        (Run { from: 0, to: self.solutions.len() }, Run { from: 0, to: self.open.len() })
    }

    /// The wins of perfect play on a run of solutions, exact if over `alpha`, else a bound of them.
    pub fn wins(
        &mut self,
        matrix: &Matrix,
        set: Run,
        open: Run,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        if set.len() == 1 {
            return Ok(1);
        }
        let seen = self.look(matrix, set, open);
        let found = self.decide(matrix, set, &seen, alpha, spent);
        self.open.truncate(seen.open.from);
        self.candidates.truncate(seen.candidates);
        found
    }

    fn decide(
        &mut self,
        matrix: &Matrix,
        set: Run,
        seen: &Seen,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        if seen.open.len() == 0 {
            // No cell tells anything, so whatever is opened wins one solution.
            return Ok(1);
        }
        if seen.free == 0 && seen.clear <= alpha {
            return Ok(seen.clear);
        }
        let key = self.key(matrix, set, seen.open);
        match self.memory.get(key) {
            Some(Known::Exactly(wins)) => return Ok(wins),
            Some(Known::AtMost(wins)) if wins <= alpha => return Ok(wins),
            _ => {}
        }
        let wins = if set.len() <= WIDTH as i64 {
            let solutions = &self.solutions[set.from..set.to];
            let open = &self.open[seen.open.from..seen.open.to];
            self.narrow.solve(matrix, solutions, open, alpha, spent)?
        } else {
            spent.state()?;
            if seen.free > 0 {
                self.open_free(matrix, set, seen, alpha, spent)?
            } else {
                self.open_best(matrix, set, seen, alpha, spent)?
            }
        };
        let known = if wins > alpha { Known::Exactly(wins) } else { Known::AtMost(wins) };
        self.memory.put(key, known);
        Ok(wins)
    }

    /// Counts what every column shows.
    fn count(&mut self, matrix: &Matrix, set: Run, open: Run) {
        let labels = matrix.labels;
        let columns = &self.open[open.from..open.to];
        self.tally.clear();
        self.tally.resize(columns.len() * labels, 0);
        for &solution in &self.solutions[set.from..set.to] {
            let row = matrix.row(solution);
            for (tally, &column) in self.tally.chunks_exact_mut(labels).zip(columns) {
                tally[usize::from(row[column as usize])] += 1;
            }
        }
    }

    /// Puts the columns that tell something on the stacks, the free ones first.
    fn look(&mut self, matrix: &Matrix, set: Run, open: Run) -> Seen {
        self.count(matrix, set, open);
        let n = set.len() as u32;
        let (from, candidates) = (self.open.len(), self.candidates.len());
        let mut free = 0;
        let mut most = 1;
        self.ranks.clear();
        for (i, tally) in self.tally.chunks_exact(matrix.labels).enumerate() {
            let column = self.open[open.from + i];
            let mut ranks = [0; 32];
            let mut shown = 0;
            for (label, _) in tally.iter().enumerate().skip(1).filter(|(_, &count)| count > 0) {
                shown += 1;
                ranks[label] = shown;
            }
            if shown < 2 {
                continue;
            }
            let clear = n - tally[usize::from(MINE)];
            self.open.push(column);
            self.ranks.push(ranks);
            if clear == n {
                let (last, at) = (self.open.len() - 1, from + free);
                self.open.swap(at, last);
                self.ranks.swap(free, last - from);
                free += 1;
            } else {
                most = most.max(clear);
                self.candidates.push((clear, column));
            }
        }
        let open = Run { from, to: self.open.len() };
        Seen { open, candidates, free, clear: i64::from(most) }
    }

    /// The key of a set: of its rows, without cells that tell nothing, and with what a cell shows
    /// named by its rank. Sets of the same key are won alike, wherever else they differ.
    fn key(&self, matrix: &Matrix, set: Run, open: Run) -> Key {
        let (mut place, mut check) = (0u64, 0u64);
        let columns = &self.open[open.from..open.to];
        for &solution in &self.solutions[set.from..set.to] {
            let row = matrix.row(solution);
            let word = columns.iter().zip(&self.ranks).fold(0u64, |sum, (&column, ranks)| {
                let rank = ranks[usize::from(row[column as usize])];
                sum.wrapping_add(matrix.words(column)[usize::from(rank)])
            });
            let word = mix(word);
            place = place.wrapping_add(word);
            check = check.wrapping_add(word.wrapping_mul(word | 1) >> 7);
        }
        Key { place, check: (check >> 16) as u32 }
    }

    /// Opens all cells that are clear in the whole set and tell something.
    fn open_free(
        &mut self,
        matrix: &Matrix,
        set: Run,
        seen: &Seen,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        let columns = &self.open[seen.open.from..seen.open.from + seen.free];
        self.codes.clear();
        for &solution in &self.solutions[set.from..set.to] {
            let row = matrix.row(solution);
            let code = columns.iter().fold(0u64, |code, &column| {
                let word = matrix.words(column)[usize::from(row[column as usize])];
                code.wrapping_add(word)
            });
            self.codes.push((code, solution));
        }
        self.codes.sort_unstable();
        let (top, first) = (self.solutions.len(), self.ends.len());
        for (i, &(code, solution)) in self.codes.iter().enumerate() {
            if i > 0 && self.codes[i - 1].0 != code {
                self.ends.push(self.solutions.len());
            }
            self.solutions.push(solution);
        }
        self.ends.push(self.solutions.len());
        let open = Run { from: seen.open.from + seen.free, to: seen.open.to };
        self.sum(matrix, top, first, open, alpha, spent)
    }

    /// Puts the sets that opening a cell leaves on the stacks, without those lost.
    fn split(&mut self, matrix: &Matrix, set: Run, column: u32) {
        self.starts.clear();
        self.starts.resize(matrix.labels + 1, 0);
        for i in set.from..set.to {
            let label = matrix.row(self.solutions[i])[column as usize];
            self.starts[usize::from(label) + 1] += 1;
        }
        let top = self.solutions.len();
        self.starts[1] = top;
        for label in 1..matrix.labels {
            let count = self.starts[label + 1];
            self.starts[label + 1] = self.starts[label] + count;
            if count > 0 {
                self.ends.push(self.starts[label + 1]);
            }
        }
        self.solutions.resize(self.starts[matrix.labels], 0);
        for i in set.from..set.to {
            let solution = self.solutions[i];
            let label = usize::from(matrix.row(solution)[column as usize]);
            if label != usize::from(MINE) {
                self.solutions[self.starts[label]] = solution;
                self.starts[label] += 1;
            }
        }
    }

    /// The wins of opening one cell, exact if over `alpha`, else a bound of them.
    pub fn wins_of(
        &mut self,
        matrix: &Matrix,
        set: Run,
        open: Run,
        column: u32,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        let (top, first) = (self.solutions.len(), self.ends.len());
        self.split(matrix, set, column);
        self.sum(matrix, top, first, open, alpha, spent)
    }

    /// Opens the candidate that wins most.
    fn open_best(
        &mut self,
        matrix: &Matrix,
        set: Run,
        seen: &Seen,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        self.candidates[seen.candidates..].sort_unstable_by(|a, b| b.cmp(a));
        let (mut floor, mut top) = (alpha, 0);
        for i in seen.candidates..self.candidates.len() {
            let (clear, column) = self.candidates[i];
            if i64::from(clear) <= floor {
                top = top.max(i64::from(clear));
                break;
            }
            let wins = self.wins_of(matrix, set, seen.open, column, floor, spent)?;
            top = top.max(wins);
            floor = floor.max(wins);
        }
        Ok(top)
    }

    /// A bound of a set's wins, by what the next opening alone loses.
    fn bound(&mut self, matrix: &Matrix, set: Run, open: Run) -> i64 {
        let n = set.len();
        if n == 1 {
            return 1;
        }
        self.count(matrix, set, open);
        let mut most = 1;
        for tally in self.tally.chunks_exact(matrix.labels) {
            let shown = tally[1..].iter().filter(|&&count| count > 0).count();
            if shown > 1 {
                most = most.max(n - i64::from(tally[usize::from(MINE)]));
            }
        }
        most
    }

    /// The wins over the sets on top of the stacks, and takes them off it.
    fn sum(
        &mut self,
        matrix: &Matrix,
        top: usize,
        first: usize,
        open: Run,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        let last = self.ends.len();
        let mut bound = (self.solutions.len() - top) as i64;
        let mut from = top;
        for i in first..last {
            let set = Run { from, to: self.ends[i] };
            bound -= set.len() - self.bound(matrix, set, open);
            if bound <= alpha {
                break;
            }
            from = set.to;
        }
        if bound > alpha {
            from = top;
            for i in first..last {
                let set = Run { from, to: self.ends[i] };
                bound -= self.bound(matrix, set, open);
                bound += self.wins(matrix, set, open, alpha - bound, spent)?;
                if bound <= alpha {
                    break;
                }
                from = set.to;
            }
        }
        self.ends.truncate(first);
        self.solutions.truncate(top);
        Ok(bound)
    }
}
