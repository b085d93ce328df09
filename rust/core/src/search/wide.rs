//! Perfect play on any number of solutions.

use super::frame::{ones, size, Frame, Tells};
use super::key::Keys;
use super::matrix::{mix, Matrix};
use super::memory::{Known, Memory};
use super::narrow::{Narrow, WIDTH};
use super::spent::{Spent, Stopped};

/// A set of at most one part in so many of its frame's solutions gets a frame of its own.
const SHRUNK: usize = 3;
/// Slots of the table of subsets that have been thought over.
const SLOTS: usize = 1 << 16;

/// Buffers of the search over large sets; small ones go to `Narrow`.
#[derive(Debug, Default)]
pub(super) struct Wide {
    pub memory: Memory,
    narrow: Narrow,
    keys: Keys,
    /// Frames that are not in use.
    frames: Vec<Frame>,
    nonce: u64,
    /// Subsets that have been thought over: hash, and twice the wins, plus one for a bound.
    slots: Vec<(u64, u32)>,
    /// Stacks: sets of the current frame, its columns still open, and candidates by their bound.
    sets: Vec<u64>,
    open: Vec<u32>,
    candidates: Vec<(u32, u32)>,
    scratch: Vec<u64>,
}

/// The columns of a frame that tell something about a set: a run of the stack.
#[derive(Debug, Clone, Copy)]
struct Open {
    from: usize,
    to: usize,
}

impl Wide {
    /// The wins of perfect play on some solutions, exact if over `alpha`, else a bound of them.
    pub fn solve(
        &mut self,
        matrix: &Matrix,
        solutions: &[u32],
        columns: &[u32],
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        if solutions.len() == 1 {
            return Ok(1);
        }
        self.keys.look(matrix, solutions, columns);
        if self.keys.columns.is_empty() {
            // No cell tells anything, so whatever is opened wins one solution.
            return Ok(1);
        }
        if !self.keys.free && i64::from(self.keys.clear) <= alpha {
            return Ok(i64::from(self.keys.clear));
        }
        let key = self.keys.key(matrix, solutions);
        match self.memory.get(key) {
            Some(Known::Exactly(wins)) => return Ok(wins),
            Some(Known::AtMost(wins)) if wins <= alpha => return Ok(wins),
            _ => {}
        }
        let wins = if solutions.len() <= WIDTH {
            self.narrow.solve(matrix, solutions, &self.keys.columns, alpha, spent)?
        } else {
            self.frame(matrix, solutions, alpha, spent)?
        };
        let known = if wins > alpha { Known::Exactly(wins) } else { Known::AtMost(wins) };
        self.memory.put(key, known);
        Ok(wins)
    }

    /// Solves the set looked at last in a frame of its own.
    fn frame(
        &mut self,
        matrix: &Matrix,
        solutions: &[u32],
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        self.nonce += 1;
        let mut frame = self.frames.pop().unwrap_or_default();
        frame.solutions.clear();
        frame.solutions.extend_from_slice(solutions);
        frame.fill(matrix, &self.keys.columns, mix(self.nonce));
        let tops = (self.sets.len(), self.open.len(), self.candidates.len());
        let n = solutions.len();
        self.sets.extend((0..frame.words).map(|i| u64::MAX >> (64 - (n - i * 64).min(64))));
        self.open.extend(0..frame.columns.len() as u32);
        let open = Open { from: tops.1, to: self.open.len() };
        let found = self.think(matrix, &frame, tops.0, n, open, alpha, spent);
        self.sets.truncate(tops.0);
        self.open.truncate(tops.1);
        self.candidates.truncate(tops.2);
        self.frames.push(frame);
        found
    }

    /// The wins of a set on the stack, wherever they are best worked out.
    fn wins(
        &mut self,
        matrix: &Matrix,
        frame: &Frame,
        set: usize,
        open: Open,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        let words = &self.sets[set..set + frame.words];
        let n = size(words);
        if n == 1 {
            return Ok(1);
        }
        if n <= WIDTH || n * SHRUNK <= frame.solutions.len() {
            let solutions: Vec<u32> = ones(words).map(|i| frame.solutions[i]).collect();
            let columns = self.open[open.from..open.to].iter();
            let columns: Vec<u32> = columns.map(|&c| frame.columns[c as usize].column).collect();
            return self.solve(matrix, &solutions, &columns, alpha, spent);
        }
        let hash = words.iter().fold(frame.nonce, |hash, &word| mix(hash ^ word));
        let slot = hash as usize % SLOTS;
        self.slots.resize(SLOTS, (0, 0));
        if self.slots[slot].0 == hash {
            let known = self.slots[slot].1;
            let wins = i64::from(known >> 1);
            if known & 1 == 0 || wins <= alpha {
                return Ok(wins);
            }
        }
        let tops = (self.open.len(), self.candidates.len());
        let found = self.think(matrix, frame, set, n, open, alpha, spent);
        self.open.truncate(tops.0);
        self.candidates.truncate(tops.1);
        let wins = found?;
        self.slots[slot] = (hash, (wins as u32) << 1 | u32::from(wins <= alpha));
        Ok(wins)
    }

    #[allow(clippy::too_many_arguments)]
    fn think(
        &mut self,
        matrix: &Matrix,
        frame: &Frame,
        set: usize,
        n: usize,
        open: Open,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        spent.state()?;
        let (from, candidates) = (self.open.len(), self.candidates.len());
        let (mut free, mut most) = (false, 1);
        let words = &self.sets[set..set + frame.words];
        for i in open.from..open.to {
            let column = self.open[i];
            let Tells::Clear(clear) = frame.tells(column as usize, words) else { continue };
            self.open.push(column);
            if clear == n {
                free = true;
            } else {
                most = most.max(clear as i64);
                self.candidates.push((clear as u32, column));
            }
        }
        let open = Open { from, to: self.open.len() };
        if from == self.open.len() {
            Ok(1)
        } else if free {
            self.open_free(matrix, frame, set, open, alpha, spent)
        } else if most <= alpha {
            Ok(most)
        } else {
            self.open_best(matrix, frame, set, open, candidates, alpha, spent)
        }
    }

    /// Opens all cells that are clear in the whole set and tell something.
    fn open_free(
        &mut self,
        matrix: &Matrix,
        frame: &Frame,
        set: usize,
        open: Open,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        let words = frame.words;
        let top = self.sets.len();
        self.sets.extend_from_within(set..set + words);
        for i in open.from..open.to {
            let at = self.open[i] as usize;
            let whole = &self.sets[set..set + words];
            if whole.iter().zip(frame.clear(at)).any(|(set, clear)| set & !clear != 0) {
                continue;
            }
            let last = self.sets.len();
            for part in (top..last).step_by(words) {
                let mut split = false;
                for number in frame.columns[at].from..frame.columns[at].to {
                    let new = self.sets.len();
                    for (j, shown) in frame.shown(number).iter().enumerate() {
                        self.sets.push(self.sets[part + j] & shown);
                    }
                    if self.sets[new..].iter().all(|&word| word == 0) {
                        self.sets.truncate(new);
                    } else if !split {
                        // The first piece will take the part's place.
                        split = true;
                    }
                }
                // All pieces are on top: the last one moves down.
                let new = self.sets.len() - words;
                self.sets.copy_within(new.., part);
                self.sets.truncate(new);
            }
        }
        self.sum(matrix, frame, top, open, alpha, spent)
    }

    /// Opens the candidate that wins most, the most promising ones first.
    #[allow(clippy::too_many_arguments)]
    fn open_best(
        &mut self,
        matrix: &Matrix,
        frame: &Frame,
        set: usize,
        open: Open,
        candidates: usize,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        for i in candidates..self.candidates.len() {
            let (clear, column) = self.candidates[i];
            if i64::from(clear) > alpha {
                let top = self.split(frame, set, column);
                self.candidates[i].0 = self.bounds(frame, top, open, alpha) as u32;
                self.sets.truncate(top);
            }
        }
        self.candidates[candidates..].sort_unstable_by(|a, b| b.cmp(a));
        let (mut floor, mut best) = (alpha, 0);
        for i in candidates..self.candidates.len() {
            let (bound, column) = self.candidates[i];
            if i64::from(bound) <= floor {
                best = best.max(i64::from(bound));
                break;
            }
            let top = self.split(frame, set, column);
            let wins = self.sum(matrix, frame, top, open, floor, spent)?;
            best = best.max(wins);
            floor = floor.max(wins);
        }
        Ok(best)
    }

    /// Puts what opening a cell leaves of a set on the stack.
    fn split(&mut self, frame: &Frame, set: usize, column: u32) -> usize {
        let top = self.sets.len();
        let column = frame.columns[column as usize];
        for number in column.from..column.to {
            let new = self.sets.len();
            for (i, shown) in frame.shown(number).iter().enumerate() {
                self.sets.push(self.sets[set + i] & shown);
            }
            if self.sets[new..].iter().all(|&word| word == 0) {
                self.sets.truncate(new);
            }
        }
        top
    }

    /// A bound of a set's wins, by what the next opening alone loses.
    fn bound(&mut self, frame: &Frame, set: usize, open: Open) -> i64 {
        let words = &self.sets[set..set + frame.words];
        let n = size(words);
        if n == 1 {
            return 1;
        }
        let mut most = 1;
        for &column in &self.open[open.from..open.to] {
            if let Tells::Clear(clear) = frame.tells(column as usize, words) {
                most = most.max(clear);
                if clear == n {
                    break;
                }
            }
        }
        most.min(frame.groups(words, &mut self.scratch)) as i64
    }

    /// A bound of the wins over all sets from `top` up on the stack; once it is at most `alpha`
    /// it may be higher than it could.
    fn bounds(&mut self, frame: &Frame, top: usize, open: Open, alpha: i64) -> i64 {
        let mut bound = size(&self.sets[top..]) as i64;
        for set in (top..self.sets.len()).step_by(frame.words) {
            bound -= size(&self.sets[set..set + frame.words]) as i64;
            bound += self.bound(frame, set, open);
            if bound <= alpha {
                break;
            }
        }
        bound
    }

    /// The wins over all sets from `top` up on the stack, and takes them off it.
    fn sum(
        &mut self,
        matrix: &Matrix,
        frame: &Frame,
        top: usize,
        open: Open,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        let mut bound = self.bounds(frame, top, open, alpha);
        let last = self.sets.len();
        for set in (top..last).step_by(frame.words) {
            if bound <= alpha {
                break;
            }
            bound -= self.bound(frame, set, open);
            bound += self.wins(matrix, frame, set, open, alpha - bound, spent)?;
        }
        self.sets.truncate(top);
        Ok(bound)
    }
}
