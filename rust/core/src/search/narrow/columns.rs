//! The columns of up to 64 solutions: which solutions they tell apart.

use super::WIDTH;
use crate::search::matrix::{Matrix, MINE};

/// A column: the solutions in which its cell is clear, and these by what it shows.
#[derive(Debug, Clone, Copy)]
struct Column {
    clear: u64,
    from: u32,
    to: u32,
}

#[derive(Debug, Default)]
pub(super) struct Columns {
    columns: Vec<Column>,
    shown: Vec<u64>,
    /// For each solution those that can be won along with it: some cell, clear in both, shows
    /// different numbers.
    along: Vec<u64>,
}

impl Columns {
    /// Reads some columns of some solutions.
    pub fn load(&mut self, matrix: &Matrix, solutions: &[u32], columns: &[u32]) {
        debug_assert!(solutions.len() <= WIDTH);
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
                    let own = self.numbers(*column).iter().find(|&&set| set & here != 0);
                    along |= column.clear & !own.unwrap_or(&0);
                }
            }
            self.along.push(along);
        }
    }

    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// The solutions in which a column's cell is clear.
    #[inline]
    pub fn clear(&self, column: u16) -> u64 {
        self.columns[usize::from(column)].clear
    }

    #[inline]
    fn numbers(&self, column: Column) -> &[u64] {
        &self.shown[column.from as usize..column.to as usize]
    }

    /// The solutions of a set in which a column's cell is clear, if it shows different numbers in
    /// them; None if it tells nothing.
    #[inline]
    pub fn tells(&self, column: u16, set: u64) -> Option<u64> {
        let column = self.columns[usize::from(column)];
        let clear = set & column.clear;
        if clear == 0 {
            return None;
        }
        // It tells something unless one number has all.
        self.numbers(column).iter().all(|&number| clear & !number != 0).then_some(clear)
    }

    /// A bound of a set's wins: of solutions that cannot be told apart without a loss, no play
    /// wins more than one. The set is cut into groups of such, greedily.
    pub fn groups(&self, set: u64) -> i64 {
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

    /// Pushes the sets that opening a cell leaves.
    pub fn split(&self, set: u64, column: u16, parts: &mut Vec<u64>) {
        for &number in self.numbers(self.columns[usize::from(column)]) {
            if set & number != 0 {
                parts.push(set & number);
            }
        }
    }

    /// Pushes the sets that opening all cells that are clear in a whole set leaves.
    pub fn split_free(&self, set: u64, open: &[u16], parts: &mut Vec<u64>) {
        let first = parts.len();
        parts.push(set);
        for &column in open {
            let column = self.columns[usize::from(column)];
            if set & !column.clear != 0 {
                continue;
            }
            for part in first..parts.len() {
                let mut left = parts[part];
                let mut split = false;
                for &number in self.numbers(column) {
                    let same = left & number;
                    if same == 0 {
                        continue;
                    }
                    if split {
                        parts.push(same);
                    } else {
                        parts[part] = same;
                        split = true;
                    }
                    left &= !number;
                    if left == 0 {
                        break;
                    }
                }
            }
        }
    }

    /// Keeps, of candidates from `from` up, those that are not clear only where a kept one is as
    /// well: that one can be opened first at no greater loss, and this one after it.
    pub fn drop_dominated(&self, set: u64, candidates: &mut Vec<u32>, from: usize) {
        candidates[from..].sort_unstable_by(|a, b| b.cmp(a));
        let mut kept = from;
        for i in from..candidates.len() {
            let clear = |key: u32| set & self.clear((key & 0xFFFF) as u16);
            let own = clear(candidates[i]);
            if candidates[from..kept].iter().all(|&other| own & !clear(other) != 0) {
                candidates[kept] = candidates[i];
                kept += 1;
            }
        }
        candidates.truncate(kept);
    }
}
