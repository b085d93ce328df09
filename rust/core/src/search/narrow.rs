//! Perfect play on up to 64 solutions: a set of them is one machine word.

use super::matrix::{Matrix, MINE};
use super::spent::{Spent, Stopped};

/// The most solutions.
pub(super) const WIDTH: usize = 64;
/// Slots of the table of searched sets.
const SLOTS: usize = 1 << 13;

/// A column: the solutions in which its cell is clear, and these by what it shows.
#[derive(Debug, Clone, Copy)]
struct Column {
    clear: u64,
    from: u32,
    to: u32,
}

/// A set's wins, or a bound of them.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    set: u64,
    round: u32,
    wins: u8,
    exact: bool,
}

#[derive(Debug, Default)]
pub(super) struct Narrow {
    columns: Vec<Column>,
    shown: Vec<u64>,
    /// For each solution those that can be won along with it: some cell, clear in both, shows
    /// different numbers.
    along: Vec<u64>,
    slots: Vec<Slot>,
    /// Slots of earlier rounds are empty.
    round: u32,
    /// Stacks: columns still open, candidates as sort keys, and the sets that an opening leaves.
    open: Vec<u16>,
    candidates: Vec<u32>,
    parts: Vec<u64>,
    /// For each of these sets a bound of its wins.
    bounds: Vec<u8>,
}

/// Sets of fewer solutions are searched without tighter bounds first.
const PROBED: i64 = 5;

/// What a look at all columns finds.
struct Seen {
    /// Whether some cell is clear in all solutions and tells some apart.
    free: bool,
    /// The most solutions in which any one cell that tells something is clear.
    clear: i64,
}

#[inline]
fn size(set: u64) -> i64 {
    i64::from(set.count_ones())
}

impl Narrow {
    /// The wins of perfect play on these solutions, exact if over `alpha`, else a bound of them.
    pub fn solve(
        &mut self,
        matrix: &Matrix,
        solutions: &[u32],
        columns: &[u32],
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        self.load(matrix, solutions, columns);
        self.open.clear();
        self.candidates.clear();
        self.parts.clear();
        self.bounds.clear();
        self.open.extend(0..self.columns.len() as u16);
        let all = u64::MAX >> (WIDTH - solutions.len());
        self.wins(all, 0, alpha, spent)
    }

    fn load(&mut self, matrix: &Matrix, solutions: &[u32], columns: &[u32]) {
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, Slot::default());
        }
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.slots.fill(Slot::default());
            self.round = 1;
        }
        self.columns.clear();
        self.shown.clear();
        for &column in columns {
            let mut sets = [0u64; 32];
            for (i, &solution) in solutions.iter().enumerate() {
                sets[usize::from(matrix.row(solution)[column as usize])] |= 1 << i;
            }
            let from = self.shown.len() as u32;
            let labels = (usize::from(MINE) + 1..matrix.labels).map(|label| sets[label]);
            self.shown.extend(labels.filter(|&set| set != 0));
            let to = self.shown.len() as u32;
            let clear = self.shown[from as usize..].iter().fold(0, |all, set| all | set);
            self.columns.push(Column { clear, from, to });
        }
        self.along.clear();
        for i in 0..solutions.len() {
            let here = 1u64 << i;
            let mut along = 0;
            for column in &self.columns {
                if column.clear & here != 0 {
                    let shown = &self.shown[column.from as usize..column.to as usize];
                    let own = shown.iter().find(|&&set| set & here != 0);
                    along |= column.clear & !own.unwrap_or(&0);
                }
            }
            self.along.push(along);
        }
    }

    /// A bound of a set's wins: of solutions that cannot be told apart without a loss, no play
    /// wins more than one. The set is cut into groups of such, greedily.
    fn groups(&self, set: u64) -> i64 {
        let mut left = set;
        let mut groups = 0;
        while left != 0 {
            let mut rivals = left;
            while rivals != 0 {
                let one = rivals.trailing_zeros();
                left &= !(1 << one);
                rivals &= !(1 << one) & !self.along[one as usize];
            }
            groups += 1;
        }
        groups
    }

    #[inline]
    fn slot(set: u64) -> usize {
        (set.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SLOTS.trailing_zeros())) as usize
    }

    /// What is known of a set of this round.
    #[inline]
    fn known(&self, set: u64) -> Option<Slot> {
        let slot = self.slots[Self::slot(set)];
        (slot.round == self.round && slot.set == set).then_some(slot)
    }

    /// Whether a cell that is clear in all of a set shows different numbers, and in how many it is
    /// clear; None if it tells nothing.
    #[inline]
    fn tells(&self, column: u16, set: u64) -> Option<u64> {
        let column = self.columns[usize::from(column)];
        let clear = set & column.clear;
        if clear == 0 {
            return None;
        }
        let shown = &self.shown[column.from as usize..column.to as usize];
        // It tells something unless one number has all.
        shown.iter().all(|&number| clear & !number != 0).then_some(clear)
    }

    /// A bound of a set's wins, by what the next opening alone loses.
    fn bound(&self, set: u64, open: usize) -> i64 {
        let n = size(set);
        if n == 1 {
            return 1;
        }
        if let Some(slot) = self.known(set) {
            return i64::from(slot.wins);
        }
        let mut most = 1;
        for &column in &self.open[open..] {
            if let Some(clear) = self.tells(column, set) {
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
        most.min(self.groups(set))
    }

    /// Puts what tells something on the stacks.
    fn look(&mut self, set: u64, open: usize) -> Seen {
        let mut seen = Seen { free: false, clear: 1 };
        for i in open..self.open.len() {
            let column = self.open[i];
            let Some(clear) = self.tells(column, set) else { continue };
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
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        if size(set) <= 2 {
            return Ok(self.bound(set, open));
        }
        let at =
            (set.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SLOTS.trailing_zeros())) as usize;
        let slot = self.slots[at];
        if slot.round == self.round && slot.set == set {
            let wins = i64::from(slot.wins);
            if slot.exact || wins <= alpha {
                return Ok(wins);
            }
        }
        spent.state()?;
        let (mine, candidates) = (self.open.len(), self.candidates.len());
        let seen = self.look(set, open);
        let wins = if mine == self.open.len() {
            // No cell tells anything, so whatever is opened wins one solution.
            1
        } else if seen.free {
            self.open_free(set, mine, alpha, spent)?
        } else if seen.clear <= alpha {
            seen.clear
        } else {
            self.open_best(set, mine, candidates, alpha, spent)?
        };
        self.open.truncate(mine);
        self.candidates.truncate(candidates);
        let exact = wins > alpha;
        self.slots[Self::slot(set)] = Slot { set, round: self.round, wins: wins as u8, exact };
        Ok(wins)
    }

    /// Puts the sets on the stack that opening all cells that are clear in a whole set leaves.
    fn split_free(&mut self, set: u64, open: usize) -> usize {
        let first = self.parts.len();
        self.parts.push(set);
        for i in open..self.open.len() {
            let Column { clear, from, to } = self.columns[usize::from(self.open[i])];
            if set & !clear != 0 {
                continue;
            }
            for part in first..self.parts.len() {
                let mut left = self.parts[part];
                let mut split = false;
                for &number in &self.shown[from as usize..to as usize] {
                    let same = left & number;
                    if same == 0 {
                        continue;
                    }
                    if split {
                        self.parts.push(same);
                    } else {
                        self.parts[part] = same;
                        split = true;
                    }
                    left &= !number;
                    if left == 0 {
                        break;
                    }
                }
            }
        }
        first
    }

    /// Puts the sets on the stack that opening a cell leaves.
    fn split(&mut self, set: u64, column: usize) -> usize {
        let Column { from, to, .. } = self.columns[column];
        let first = self.parts.len();
        for number in from..to {
            let part = set & self.shown[number as usize];
            if part != 0 {
                self.parts.push(part);
            }
        }
        first
    }

    /// A bound of a set's wins, by what the next two openings lose.
    fn probe(&mut self, set: u64, open: usize, bound: i64) -> i64 {
        let n = size(set);
        if n < PROBED || self.known(set).is_some() {
            return bound;
        }
        let mut most = 1;
        let mut free = false;
        for i in open..self.open.len() {
            let column = self.open[i];
            let Some(clear) = self.tells(column, set) else { continue };
            if clear == set {
                free = true;
                break;
            }
            if size(clear) <= most {
                continue;
            }
            let first = self.split(set, usize::from(column));
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

    /// A bound of the wins over all sets from `first` up; not of use once it is at most `alpha`.
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

    /// Opens all cells that are clear in the whole set and tell something.
    fn open_free(
        &mut self,
        set: u64,
        open: usize,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        let first = self.split_free(set, open);
        self.sum(first, open, size(set), alpha, spent)
    }

    /// Opens the candidate that wins most.
    fn open_best(
        &mut self,
        set: u64,
        open: usize,
        candidates: usize,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        self.drop_dominated(set, candidates);
        let (mut floor, mut top) = (alpha, 0);
        for i in candidates..self.candidates.len() {
            let key = self.candidates[i];
            let clear = i64::from(key >> 16);
            if clear <= floor {
                top = top.max(clear);
                break;
            }
            let first = self.split(set, (key & 0xFFFF) as usize);
            let wins = self.sum(first, open, clear, floor, spent)?;
            top = top.max(wins);
            floor = floor.max(wins);
        }
        Ok(top)
    }

    /// Takes out the candidates that are clear only where another one is as well: that one can be
    /// opened first at no greater loss, and this one after it.
    fn drop_dominated(&mut self, set: u64, candidates: usize) {
        self.candidates[candidates..].sort_unstable_by(|a, b| b.cmp(a));
        let mut kept = candidates;
        for i in candidates..self.candidates.len() {
            let clear = |key: u32| set & self.columns[(key & 0xFFFF) as usize].clear;
            let own = clear(self.candidates[i]);
            if self.candidates[candidates..kept].iter().all(|&other| own & !clear(other) != 0) {
                self.candidates[kept] = self.candidates[i];
                kept += 1;
            }
        }
        self.candidates.truncate(kept);
    }

    /// The wins over all sets from `first` up on the stack, and takes them off it.
    fn sum(
        &mut self,
        first: usize,
        open: usize,
        total: i64,
        alpha: i64,
        spent: &mut Spent,
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
            bound += self.wins(self.parts[i], open, alpha - bound, spent)?;
        }
        self.bounds.truncate(bounds);
        self.parts.truncate(first);
        Ok(bound)
    }
}
