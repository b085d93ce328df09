//! Rivals: pairs of solutions of which any line of play wins at most one.
//!
//! To tell two solutions apart without losing either, a cell must be clear in both and show
//! different numbers. Solutions without such a cell are rivals. Rivals are few, so they are listed
//! once for all solutions and looked up for every set.

use std::cmp::Ordering;

use super::matrix::{Matrix, MINE};
use super::search_budget::{SearchBudget, Stopped};

/// The maximum number of pairs to keep: a total, or a number per solution if that allows more. If a
/// pair is missing, bounds are weaker but still valid.
const PAIRS: usize = 1 << 21;
const PAIRS_EACH: usize = 16;
/// Runs with at most this many pairs are compared pair by pair.
const FEW: usize = 64;
/// The number of items to sort in one batch.
const RUN: usize = 1 << 14;
/// The index of a solution outside the set.
const NOWHERE: u32 = u32::MAX;

/// The rivals of every solution of a matrix.
#[derive(Debug, Default)]
pub(super) struct Rivals {
    /// The later rivals of each solution, and the start of each one's list.
    after: Vec<u32>,
    from: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    /// The solutions in the order of their rows.
    order: Vec<u32>,
    /// The index of each solution in the current set.
    place: Vec<u32>,
}

/// The rivals within one set of solutions, by their indices in it.
#[derive(Debug, Default)]
pub(super) struct Within {
    /// The later rivals of each solution, as the non-zero words of a bit set.
    words: Vec<(u32, u64)>,
    from: Vec<u32>,
}

/// Buffers for `Within::groups`.
#[derive(Debug, Default)]
pub(super) struct Groups {
    left: Vec<u64>,
    group: Vec<(u32, u64)>,
}

/// A run of `order` with equal rows up to some column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Run {
    from: usize,
    to: usize,
}

impl Run {
    fn len(self) -> usize {
        self.to - self.from
    }
}

impl Rivals {
    /// Lists the rivals among all solutions of a matrix.
    pub fn fill(&mut self, matrix: &Matrix, budget: &mut SearchBudget) -> Result<(), Stopped> {
        let solutions = matrix.solutions as u32;
        self.order.clear();
        self.order.extend(0..solutions);
        let by_row = |&a: &u32, &b: &u32| matrix.row(a).cmp(matrix.row(b));
        sort(&mut self.order, matrix.cells.len(), by_row, budget)?;
        self.place.clear();
        self.place.resize(matrix.solutions, NOWHERE);
        self.pairs.clear();
        let most = PAIRS.max(PAIRS_EACH * matrix.solutions);
        let all = Run { from: 0, to: matrix.solutions };
        self.join(matrix, [all, all], 0, most, budget)?;
        sort(&mut self.pairs, 1, Ord::cmp, budget)?;
        self.after.clear();
        self.after.extend(self.pairs.iter().map(|pair| pair.1));
        self.from.clear();
        let mut at = 0;
        for solution in 0..=solutions {
            while self.pairs.get(at).is_some_and(|pair| pair.0 < solution) {
                at += 1;
            }
            self.from.push(at as u32);
        }
        Ok(())
    }

    /// Adds the rivals between two runs that no column before `column` tells apart without a loss.
    fn join(
        &mut self,
        matrix: &Matrix,
        [a, b]: [Run; 2],
        column: usize,
        most: usize,
        budget: &mut SearchBudget,
    ) -> Result<(), Stopped> {
        budget.work(matrix.labels)?;
        if self.pairs.len() >= most {
            return Ok(());
        }
        if column == matrix.cells.len() || a.len() * b.len() <= FEW {
            self.compare(matrix, [a, b], column);
            return budget.work(a.len() * b.len());
        }
        let (parts_a, parts_b) = (self.split(matrix, a, column), self.split(matrix, b, column));
        let mine = usize::from(MINE);
        for (i, &one) in parts_a.iter().enumerate().filter(|(_, part)| part.len() > 0) {
            for (j, &other) in parts_b.iter().enumerate().filter(|(_, part)| part.len() > 0) {
                // Within one run, visit each pair of parts only once.
                let seen = a == b && j < i;
                if !seen && (i == mine || j == mine || i == j) {
                    self.join(matrix, [one, other], column + 1, most, budget)?;
                }
            }
        }
        Ok(())
    }

    /// Splits a run by the labels of a column.
    fn split(&self, matrix: &Matrix, run: Run, column: usize) -> [Run; 32] {
        let mut parts = [Run::default(); 32];
        let mut from = run.from;
        for (label, part) in parts[..matrix.labels].iter_mut().enumerate() {
            let within = |&solution: &u32| usize::from(matrix.row(solution)[column]) <= label;
            let to = from + self.order[from..run.to].partition_point(within);
            *part = Run { from, to };
            from = to;
        }
        parts
    }

    fn compare(&mut self, matrix: &Matrix, [a, b]: [Run; 2], column: usize) {
        for i in a.from..a.to {
            let one = self.order[i];
            let row = &matrix.row(one)[column..];
            for j in if a == b { i + 1 } else { b.from }..b.to {
                let other = self.order[j];
                if !are_told_apart(row, &matrix.row(other)[column..]) {
                    self.pairs.push((one.min(other), one.max(other)));
                }
            }
        }
    }

    /// Looks up the rivals within a sorted set of solutions.
    pub fn within(&mut self, set: &[u32], found: &mut Within) {
        for (i, &solution) in set.iter().enumerate() {
            self.place[solution as usize] = i as u32;
        }
        found.from.clear();
        found.words.clear();
        for &solution in set {
            let from = found.words.len();
            found.from.push(from as u32);
            let run =
                self.from[solution as usize] as usize..self.from[solution as usize + 1] as usize;
            let places = self.after[run].iter().map(|&rival| self.place[rival as usize]);
            for place in places.filter(|&place| place != NOWHERE) {
                let (word, bit) = (place / 64, 1 << (place % 64));
                match found.words[from..].last_mut() {
                    Some(last) if last.0 == word => last.1 |= bit,
                    _ => found.words.push((word, bit)),
                }
            }
        }
        found.from.push(found.words.len() as u32);
        for &solution in set {
            self.place[solution as usize] = NOWHERE;
        }
    }
}

impl Within {
    /// An upper bound on the wins of a subset, given as bits: the number of groups of rivals into
    /// which it is greedily split. No line of play wins two solutions of a group.
    pub fn groups(&self, set: &[u64], Groups { left, group }: &mut Groups) -> usize {
        left.clear();
        left.extend_from_slice(set);
        let mut groups = 0;
        for word in 0..left.len() {
            while left[word] != 0 {
                let one = word * 64 + left[word].trailing_zeros() as usize;
                left[word] &= left[word] - 1;
                groups += 1;
                let rivals = self.of(one).iter();
                let rivals = rivals.map(|&(at, bits)| (at, bits & left[at as usize]));
                group.clear();
                group.extend(rivals.filter(|&(_, bits)| bits != 0));
                let mut next = 0;
                while let Some((at, bits)) = group.get_mut(next) {
                    if *bits == 0 {
                        next += 1;
                        continue;
                    }
                    let (at, bit) = (*at as usize, bits.trailing_zeros());
                    *bits &= *bits - 1;
                    left[at] &= !(1 << bit);
                    meet(&mut group[next..], self.of(at * 64 + bit as usize));
                }
            }
        }
        groups
    }

    /// The maximum amount of work that `groups` does for this subset.
    pub fn work(&self, part: usize) -> usize {
        let whole = self.from.len() - 1;
        part + 2 * self.words.len() * part / whole.max(1)
    }

    #[inline]
    fn of(&self, one: usize) -> &[(u32, u64)] {
        &self.words[self.from[one] as usize..self.from[one + 1] as usize]
    }
}

/// Whether a cell shows different numbers in two rows of labels, which are at most 127.
#[inline]
fn are_told_apart(one: &[u8], other: &[u8]) -> bool {
    const LOW: u64 = u64::from_ne_bytes([127; 8]);
    const { assert!(MINE == 0) };
    let (ones, others) = (one.chunks_exact(8), other.chunks_exact(8));
    let mut rest = ones.remainder().iter().zip(others.remainder());
    // Eight cells at once; the highest bit of a byte is set if the byte is not zero.
    let word = |chunk: &[u8]| u64::from_ne_bytes(chunk.try_into().expect("eight bytes"));
    let are_apart = |x: u64, y: u64| ((x ^ y) + LOW) & (x + LOW) & (y + LOW) & !LOW != 0;
    ones.zip(others).any(|(x, y)| are_apart(word(x), word(y)))
        || rest.any(|(&x, &y)| x != y && x != MINE && y != MINE)
}

/// Sorts distinct items; `each` is the work of one comparison.
///
/// Runs are sorted one by one and then merged, so that a long sort can be stopped.
fn sort<T: Copy>(
    items: &mut Vec<T>,
    each: usize,
    compare: impl Fn(&T, &T) -> Ordering,
    budget: &mut SearchBudget,
) -> Result<(), Stopped> {
    for run in items.chunks_mut(RUN) {
        budget.work(run.len() * (RUN.ilog2() as usize + each))?;
        run.sort_unstable_by(&compare);
    }
    let mut run = RUN;
    while run < items.len() {
        let mut merged = Vec::with_capacity(items.len());
        for pair in items.chunks(2 * run) {
            let (mut a, mut b) = pair.split_at(run.min(pair.len()));
            while let (Some(one), Some(other)) = (a.first(), b.first()) {
                let from = if compare(one, other).is_lt() { &mut a } else { &mut b };
                merged.push(from[0]);
                *from = &from[1..];
                budget.work(each)?;
            }
            merged.extend_from_slice(a);
            merged.extend_from_slice(b);
        }
        *items = merged;
        run *= 2;
    }
    Ok(())
}

/// Intersects a group with another set, given as words.
#[inline]
fn meet(group: &mut [(u32, u64)], words: &[(u32, u64)]) {
    let mut words = words.iter().peekable();
    for (at, bits) in group {
        while words.next_if(|word| word.0 < *at).is_some() {}
        *bits &= words.next_if(|word| word.0 == *at).map_or(0, |word| word.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::unopened;

    /// An unopened 4x4 board.
    fn matrix(mines: usize) -> Matrix {
        unopened(4, 4, mines)
    }

    fn rivals(matrix: &Matrix) -> Rivals {
        let mut rivals = Rivals::default();
        rivals.fill(matrix, &mut SearchBudget::new(1, None, None)).unwrap();
        rivals
    }

    #[test]
    fn rivals_are_the_pairs_that_no_cell_tells_apart() {
        for mines in [2, 4, 5] {
            let matrix = matrix(mines);
            let mut pairs = vec![];
            for one in 0..matrix.solutions as u32 {
                for other in one + 1..matrix.solutions as u32 {
                    let mut cells = matrix.row(one).iter().zip(matrix.row(other));
                    if !cells.any(|(&x, &y)| x != MINE && y != MINE && x != y) {
                        pairs.push((one, other));
                    }
                }
            }
            assert_eq!(rivals(&matrix).pairs, pairs);
        }
    }

    #[test]
    fn runs_are_merged_in_order() {
        let mut rng = crate::generate::Rng::new(1);
        for size in [0, 1, RUN, RUN + 1, 3 * RUN + 7] {
            let mut items: Vec<u64> = (0..size).map(|_| rng.next_u64()).collect();
            let mut expected = items.clone();
            expected.sort_unstable();
            sort(&mut items, 1, Ord::cmp, &mut SearchBudget::new(0, None, None)).unwrap();
            assert_eq!(items, expected);
        }
        let late = &mut SearchBudget::new(0, Some(crate::clock::Instant::now()), None);
        let mut items: Vec<u64> = (0..1 << 20).collect();
        assert_eq!(sort(&mut items, 1, Ord::cmp, late), Err(Stopped));
    }

    #[test]
    fn groups_are_of_solutions_that_are_all_rivals_of_each_other() {
        let matrix = matrix(5);
        let mut rivals = rivals(&matrix);
        let set: Vec<u32> = (0..matrix.solutions as u32).step_by(3).collect();
        let mut within = Within::default();
        rivals.within(&set, &mut within);
        let groups = |places: &[usize]| {
            let mut bits = vec![0; set.len().div_ceil(64)];
            places.iter().for_each(|place| bits[place / 64] |= 1u64 << (place % 64));
            within.groups(&bits, &mut Groups::default())
        };
        for one in (0..set.len()).step_by(40) {
            for other in one + 1..set.len() {
                let rivals = rivals.pairs.binary_search(&(set[one], set[other])).is_ok();
                assert_eq!(groups(&[one, other]), if rivals { 1 } else { 2 });
            }
        }
    }
}
