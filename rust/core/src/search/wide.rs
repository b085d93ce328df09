//! Perfect play on any number of solutions.

use super::frame::{ones, size, Frame, Tells};
use super::key::Keys;
use super::matrix::{mix, Matrix};
use super::memory::{Key, Known, Memory};
use super::narrow::{Narrow, WIDTH};
use super::regions::{Region, Regions};
use super::rivals::{Groups, Rivals};
use super::spent::{Spent, Stopped};

/// Sets of up to so many solutions are thought over without a look at the memory.
const SMALL: usize = 10;
/// Buffers of the search over large sets; small ones go to `Narrow`.
#[derive(Debug, Default)]
pub(super) struct Wide {
    memory: Memory,
    narrow: Narrow,
    keys: Keys,
    rivals: Rivals,
    regions: Regions,
    /// Frames that are not in use.
    frames: Vec<Frame>,
    /// A random word for every solution: sums of them are keys of sets by their members.
    members: Vec<u64>,
    /// Matrices so far: keys by members are good for one only.
    matrices: u64,
    /// Stacks: sets of the current frame, its columns still open, and candidates by their bound.
    sets: Vec<u64>,
    open: Vec<u32>,
    candidates: Vec<(u32, u32)>,
    /// For each set of a sum a bound of its wins.
    bounds: Vec<u32>,
    groups: Groups,
}

/// The columns of a frame that tell something about a set: a run of the stack.
#[derive(Debug, Clone, Copy)]
struct Open {
    from: usize,
    to: usize,
}

impl Wide {
    /// Prepares for a matrix, with room to remember this many states.
    pub fn start(
        &mut self,
        matrix: &Matrix,
        states: u64,
        spent: &mut Spent,
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
            self.rivals.fill(matrix, spent)?;
        }
        Ok(())
    }

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
        spent.work(solutions.len() * columns.len())?;
        self.keys.look(matrix, solutions, columns);
        if self.keys.columns.is_empty() {
            // No cell tells anything, so whatever is opened wins one solution.
            return Ok(1);
        }
        if !self.keys.free && i64::from(self.keys.clear) <= alpha {
            return Ok(i64::from(self.keys.clear));
        }
        if solutions.len() <= SMALL {
            return self.narrow.solve(matrix, solutions, &self.keys.columns, alpha, spent);
        }
        let key = self.keys.key(matrix, solutions);
        match self.memory.get(key) {
            Some(Known::Exactly(wins)) => return Ok(wins),
            Some(Known::AtMost(wins)) if wins <= alpha => return Ok(wins),
            _ => {}
        }
        let wins = if let Some(distinct) = self.keys.distinct(solutions) {
            let columns = self.keys.columns.clone();
            self.solve(matrix, &distinct, &columns, alpha, spent)?
        } else if let Some(regions) = self.regions(matrix, solutions, spent)? {
            self.product(matrix, &regions, alpha, spent)?
        } else if solutions.len() <= WIDTH {
            self.narrow.solve(matrix, solutions, &self.keys.columns, alpha, spent)?
        } else {
            self.frame(matrix, solutions, alpha, spent)?
        };
        let known = if wins > alpha { Known::Exactly(wins) } else { Known::AtMost(wins) };
        self.memory.put(key, known);
        Ok(wins)
    }

    /// The independent regions of the set looked at last, if there are several.
    fn regions(
        &mut self,
        matrix: &Matrix,
        solutions: &[u32],
        spent: &mut Spent,
    ) -> Result<Option<Vec<Region>>, Stopped> {
        if self.keys.whole {
            return Ok(None);
        }
        spent.work(solutions.len() * self.keys.columns.len())?;
        Ok(self.regions.find(matrix, solutions, &self.keys.columns))
    }

    /// The wins of a set that is a product of regions.
    fn product(
        &mut self,
        matrix: &Matrix,
        regions: &[Region],
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        let mut bound: i64 = regions.iter().map(|region| region.solutions.len() as i64).product();
        for region in regions {
            let others = bound / region.solutions.len() as i64;
            // More than this many wins here are needed for more than `alpha` in all.
            let least = alpha.max(0) / others;
            bound =
                others * self.solve(matrix, &region.solutions, &region.columns, least, spent)?;
            if bound <= alpha {
                break;
            }
        }
        Ok(bound)
    }

    /// Solves the set looked at last in a frame of its own.
    fn frame(
        &mut self,
        matrix: &Matrix,
        solutions: &[u32],
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        let mut frame = self.frames.pop().unwrap_or_default();
        frame.solutions.clear();
        frame.solutions.extend_from_slice(solutions);
        frame.fill(matrix, &mut self.rivals, &self.keys.columns);
        let tops = (self.sets.len(), self.open.len(), self.candidates.len());
        let n = solutions.len();
        self.sets.extend((0..frame.words).map(|i| filled(n.saturating_sub(i * 64))));
        self.open.extend(0..frame.columns.len() as u32);
        let open = Open { from: tops.1, to: self.open.len() };
        let set = tops.0;
        let found = match frame.words {
            2 => self.think::<2>(matrix, &frame, set, n, open, alpha, spent),
            3 => self.think::<3>(matrix, &frame, set, n, open, alpha, spent),
            4 => self.think::<4>(matrix, &frame, set, n, open, alpha, spent),
            8 => self.think::<8>(matrix, &frame, set, n, open, alpha, spent),
            _ => self.think::<0>(matrix, &frame, set, n, open, alpha, spent),
        };
        self.sets.truncate(tops.0);
        self.open.truncate(tops.1);
        self.candidates.truncate(tops.2);
        self.frames.push(frame);
        found
    }

    /// The wins of a set on the stack, which gets a frame of its own unless it is known.
    fn wins<const W: usize>(
        &mut self,
        matrix: &Matrix,
        frame: &Frame,
        set: usize,
        open: Open,
        alpha: i64,
        spent: &mut Spent,
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
        let wins = self.solve(matrix, &solutions, &columns, alpha, spent)?;
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

    #[allow(clippy::too_many_arguments)]
    fn think<const W: usize>(
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
        spent.work(n * (open.to - open.from))?;
        let (from, candidates) = (self.open.len(), self.candidates.len());
        let (mut free, mut most) = (false, 1);
        let words = &self.sets[set..set + frame.width::<W>()];
        for i in open.from..open.to {
            let column = self.open[i];
            let Tells::Clear(clear) = frame.tells::<W>(column as usize, words) else { continue };
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
            self.open_free::<W>(matrix, frame, set, open, alpha, spent)
        } else if most <= alpha {
            Ok(most)
        } else {
            self.open_best::<W>(matrix, frame, set, open, candidates, alpha, spent)
        }
    }

    /// Opens all cells that are clear in the whole set and tell something.
    fn open_free<const W: usize>(
        &mut self,
        matrix: &Matrix,
        frame: &Frame,
        set: usize,
        open: Open,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        let top = self.split_free::<W>(frame, set, open);
        self.sum::<W>(matrix, frame, top, open, alpha, spent)
    }

    /// Opens the candidate that wins most, the most promising ones first.
    #[allow(clippy::too_many_arguments)]
    fn open_best<const W: usize>(
        &mut self,
        matrix: &Matrix,
        frame: &Frame,
        set: usize,
        open: Open,
        candidates: usize,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        self.drop_dominated::<W>(frame, set, candidates);
        for i in candidates..self.candidates.len() {
            let (clear, column) = self.candidates[i];
            if i64::from(clear) > alpha {
                let top = self.split::<W>(frame, set, column);
                self.candidates[i].0 = self.one_ply::<W>(frame, top, open, alpha) as u32;
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
            let top = self.split::<W>(frame, set, column);
            let wins = self.sum::<W>(matrix, frame, top, open, floor, spent)?;
            best = best.max(wins);
            floor = floor.max(wins);
        }
        Ok(best)
    }

    /// Takes out the candidates that are clear only where another one is as well: that one can be
    /// opened first at no greater loss, and this one after it.
    fn drop_dominated<const W: usize>(&mut self, frame: &Frame, set: usize, candidates: usize) {
        self.candidates[candidates..].sort_unstable_by(|a, b| b.cmp(a));
        let words = frame.width::<W>();
        let set = &self.sets[set..set + words];
        let mut kept = candidates;
        for i in candidates..self.candidates.len() {
            let column = self.candidates[i].1 as usize;
            let dominates = |&(_, other): &(u32, u32)| {
                let (own, other) = (frame.clear::<W>(column), frame.clear::<W>(other as usize));
                (0..words).fold(0, |only, j| only | (set[j] & own[j] & !other[j])) == 0
            };
            if !self.candidates[candidates..kept].iter().any(dominates) {
                self.candidates[kept] = self.candidates[i];
                kept += 1;
            }
        }
        self.candidates.truncate(kept);
    }

    /// Puts what opening a cell leaves of a set on the stack.
    fn split<const W: usize>(&mut self, frame: &Frame, set: usize, column: u32) -> usize {
        let top = self.sets.len();
        let column = frame.columns[column as usize];
        for number in column.from..column.to {
            let new = self.sets.len();
            for (i, shown) in frame.shown::<W>(number).iter().enumerate() {
                self.sets.push(self.sets[set + i] & shown);
            }
            if self.sets[new..].iter().all(|&word| word == 0) {
                self.sets.truncate(new);
            }
        }
        top
    }

    /// Puts the sets on the stack that opening all cells that are clear in a whole set leaves.
    fn split_free<const W: usize>(&mut self, frame: &Frame, set: usize, open: Open) -> usize {
        let words = frame.width::<W>();
        let top = self.sets.len();
        self.sets.extend_from_within(set..set + words);
        for i in open.from..open.to {
            let at = self.open[i] as usize;
            let whole = &self.sets[set..set + words];
            if whole.iter().zip(frame.clear::<W>(at)).any(|(set, clear)| set & !clear != 0) {
                continue;
            }
            let last = self.sets.len();
            for part in (top..last).step_by(words) {
                let mut split = false;
                for number in frame.columns[at].from..frame.columns[at].to {
                    let new = self.sets.len();
                    for (j, shown) in frame.shown::<W>(number).iter().enumerate() {
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
        top
    }

    /// A bound of a set's wins, by what the next opening alone loses.
    fn bound<const W: usize>(&mut self, frame: &Frame, set: usize, open: Open) -> i64 {
        let words = &self.sets[set..set + frame.width::<W>()];
        let n = size(words);
        if n == 1 {
            return 1;
        }
        let large = n > SMALL;
        let known = if large { self.memory.get(self.key::<W>(frame, set)) } else { None };
        if let Some(Known::Exactly(wins) | Known::AtMost(wins)) = known {
            return wins;
        }
        let words = &self.sets[set..set + frame.width::<W>()];
        let mut most = 1;
        for &column in &self.open[open.from..open.to] {
            if let Tells::Clear(clear) = frame.tells::<W>(column as usize, words) {
                most = most.max(clear);
                if clear == n {
                    break;
                }
            }
        }
        most.min(frame.rivals.groups(words, &mut self.groups)) as i64
    }

    /// A bound of the wins over all sets from `top` up on the stack; once it is at most `alpha`
    /// it may be higher than it could.
    fn one_ply<const W: usize>(
        &mut self,
        frame: &Frame,
        top: usize,
        open: Open,
        alpha: i64,
    ) -> i64 {
        let mut bound = size(&self.sets[top..]) as i64;
        for set in (top..self.sets.len()).step_by(frame.width::<W>()) {
            bound -= size(&self.sets[set..set + frame.width::<W>()]) as i64;
            bound += self.bound::<W>(frame, set, open);
            if bound <= alpha {
                break;
            }
        }
        bound
    }

    /// The wins over all sets from `top` up on the stack, and takes them off it.
    fn sum<const W: usize>(
        &mut self,
        matrix: &Matrix,
        frame: &Frame,
        top: usize,
        open: Open,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        let (last, bounds) = (self.sets.len(), self.bounds.len());
        let mut bound = size(&self.sets[top..]) as i64;
        let sets = (top..last).step_by(frame.width::<W>());
        for set in sets.clone() {
            if bound <= alpha {
                break;
            }
            let most = self.bound::<W>(frame, set, open);
            self.bounds.push(most as u32);
            bound -= size(&self.sets[set..set + frame.width::<W>()]) as i64 - most;
        }
        for (set, at) in sets.zip(bounds..) {
            if bound <= alpha {
                break;
            }
            bound -= i64::from(self.bounds[at]);
            bound += self.wins::<W>(matrix, frame, set, open, alpha - bound, spent)?;
        }
        self.bounds.truncate(bounds);
        self.sets.truncate(top);
        Ok(bound)
    }
}

/// A word with so many of its lowest bits set.
fn filled(bits: usize) -> u64 {
    u64::MAX.checked_shr(64 - bits.min(64) as u32).unwrap_or(0)
}
