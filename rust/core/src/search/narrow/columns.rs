//! The columns of up to 64 solutions, and the solutions that they distinguish.

use super::WIDTH;
use crate::search::matrix::{Matrix, MINE};
use crate::search::search_budget::{SearchBudget, Stopped};

/// A column: the solutions in which its cell is clear, together and by the number shown.
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
    /// For each solution, those that can be won together with it, because some cell is clear in
    /// both and shows different numbers.
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

    /// The solutions in a set in which a column's cell is clear, provided the cell shows different
    /// numbers across them; otherwise None.
    #[inline]
    pub fn tells(&self, column: u16, set: u64) -> Option<u64> {
        let column = self.columns[usize::from(column)];
        let clear = set & column.clear;
        if clear == 0 {
            return None;
        }
        // It is informative unless it shows the same number in all of them.
        self.numbers(column).iter().all(|&number| clear & !number != 0).then_some(clear)
    }

    /// A bound on a set's wins: of several solutions that cannot be told apart without a loss, at
    /// most one is won. The set is split greedily into such groups.
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

    /// Pushes the sets that result from opening a cell.
    pub fn split(&self, set: u64, column: u16, parts: &mut Vec<u64>) {
        for &number in self.numbers(self.columns[usize::from(column)]) {
            if set & number != 0 {
                parts.push(set & number);
            }
        }
    }

    /// Pushes the sets that result from opening all cells that are clear in a whole set.
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

    /// Of the candidates from index `from`, drops those that are clear only where a kept one is:
    /// the kept one can be opened first at no greater loss.
    pub fn drop_dominated(
        &self,
        set: u64,
        candidates: &mut Vec<u32>,
        from: usize,
        budget: &mut SearchBudget,
    ) -> Result<(), Stopped> {
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
        budget.work((kept - from) * (kept - from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Rng;
    use crate::search::testing::{self, subset, unopened};

    /// The columns of 50 solutions on 4x3 cells with 3 mines, and these solutions.
    fn loaded() -> (Matrix, Vec<u32>, Columns) {
        let matrix = unopened(4, 3, 3);
        let solutions = subset(&matrix, 50, 1);
        let mut columns = Columns::default();
        columns.load(&matrix, &solutions, &testing::columns(&matrix));
        (matrix, solutions, columns)
    }

    fn members(solutions: &[u32], set: u64) -> Vec<u32> {
        let at = (0..solutions.len()).filter(|at| set >> at & 1 == 1);
        at.map(|at| solutions[at]).collect()
    }

    /// Sets of all sizes.
    fn sets() -> impl Iterator<Item = u64> {
        let mut rng = Rng::new(2);
        (0..60).map(move |i| (0..=i % 5).fold((1 << 50) - 1, |set, _| set & rng.next_u64()))
    }

    #[test]
    fn a_cell_tells_something_where_it_can_show_two_numbers() {
        let (matrix, solutions, columns) = loaded();
        for set in sets() {
            for column in 0..columns.len() as u16 {
                let parts = testing::shown(&matrix, &members(&solutions, set), column.into());
                let clear: usize = parts.iter().map(Vec::len).sum();
                let told = columns.tells(column, set);
                assert_eq!(
                    told.map(|set| set.count_ones() as usize),
                    (parts.len() > 1).then_some(clear)
                );
                let mut split = Vec::new();
                columns.split(set, column, &mut split);
                let split: Vec<_> = split.iter().map(|&part| members(&solutions, part)).collect();
                assert_eq!(split, parts);
            }
        }
    }

    #[test]
    fn free_cells_split_a_set_by_all_that_they_show() {
        let (matrix, solutions, columns) = loaded();
        let all: Vec<u16> = (0..columns.len() as u16).collect();
        let mut split = 0;
        for set in sets().filter(|&set| set != 0) {
            let mut parts = vec![7];
            columns.split_free(set, &all, &mut parts);
            assert_eq!(parts.remove(0), 7, "what was on the stack stays");
            let free: Vec<usize> =
                all.iter().filter(|&&c| set & !columns.clear(c) == 0).map(|&c| c.into()).collect();
            let view = |solution: &u32| -> Vec<u8> {
                free.iter().map(|&column| matrix.row(*solution)[column]).collect()
            };
            let mut seen = std::collections::BTreeMap::<Vec<u8>, Vec<u32>>::new();
            for solution in members(&solutions, set) {
                seen.entry(view(&solution)).or_default().push(solution);
            }
            let mut expected: Vec<_> = seen.into_values().collect();
            let mut found: Vec<_> = parts.iter().map(|&part| members(&solutions, part)).collect();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected);
            split += usize::from(found.len() > 1);
        }
        assert!(split > 5);
    }

    #[test]
    fn no_group_holds_two_solutions_that_a_cell_tells_apart() {
        let (matrix, solutions, columns) = loaded();
        let apart = |one: usize, other: usize| {
            let rows = [matrix.row(solutions[one]), matrix.row(solutions[other])];
            rows[0].iter().zip(rows[1]).any(|(&x, &y)| x != MINE && y != MINE && x != y)
        };
        for one in 0..50 {
            for other in one + 1..50 {
                let groups = columns.groups(1 << one | 1 << other);
                assert_eq!(groups, if apart(one, other) { 2 } else { 1 });
            }
        }
    }

    #[test]
    fn a_candidate_is_dropped_if_it_is_clear_only_where_another_is() {
        let (_, _, columns) = loaded();
        for set in sets().filter(|&set| set != 0) {
            let key =
                |column: u16| (set & columns.clear(column)).count_ones() << 16 | u32::from(column);
            let clear = |key: u32| set & columns.clear((key & 0xFFFF) as u16);
            let all: Vec<u32> = (0..columns.len() as u16).map(key).collect();
            let mut kept = [vec![99], all.clone()].concat();
            columns
                .drop_dominated(set, &mut kept, 1, &mut SearchBudget::new(0, None, None))
                .unwrap();
            assert_eq!(kept.remove(0), 99, "what was on the stack stays");
            assert!(kept.iter().all(|key| all.contains(key)));
            for &candidate in &all {
                let within = |&other: &u32| clear(candidate) & !clear(other) == 0;
                assert_eq!(kept.iter().filter(|other| within(other)).count().min(1), 1);
            }
            for (i, &one) in kept.iter().enumerate() {
                assert!(kept[i + 1..].iter().all(|&other| clear(other) & !clear(one) != 0));
            }
        }
    }
}
