//! The sets that result from openings.

use super::{Open, Wide};
use crate::search::frame::Frame;
use crate::search::search_budget::{SearchBudget, Stopped};

/// The maximum number of machine words for sets on the stack: half a gigabyte.
const WORDS: usize = 1 << 26;

impl Wide {
    /// Pushes the sets that result from opening a cell.
    pub(super) fn split<const W: usize>(
        &mut self,
        frame: &Frame,
        set: usize,
        column: u32,
    ) -> usize {
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

    /// Pushes the sets that result from opening all cells that are clear in a whole set.
    pub(super) fn split_free<const W: usize>(
        &mut self,
        frame: &Frame,
        set: usize,
        open: Open,
        budget: &mut SearchBudget,
    ) -> Result<usize, Stopped> {
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
                if self.sets.len() > WORDS {
                    return Err(Stopped);
                }
                let numbers = frame.columns[at].to - frame.columns[at].from;
                budget.work(words * numbers as usize)?;
                let mut split = false;
                for number in frame.columns[at].from..frame.columns[at].to {
                    let new = self.sets.len();
                    for (j, shown) in frame.shown::<W>(number).iter().enumerate() {
                        self.sets.push(self.sets[part + j] & shown);
                    }
                    if self.sets[new..].iter().all(|&word| word == 0) {
                        self.sets.truncate(new);
                    } else if !split {
                        // The first piece replaces the part.
                        split = true;
                    }
                }
                // All pieces are on top of the stack, so move the last one down.
                let new = self.sets.len() - words;
                self.sets.copy_within(new.., part);
                self.sets.truncate(new);
            }
        }
        Ok(top)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::search::frame::ones;
    use crate::search::matrix::Matrix;
    use crate::search::testing::{columns, shown, subset, unopened};

    /// A search whose stack holds only the set of all solutions, and the columns of its frame.
    #[allow(clippy::field_reassign_with_default)] // The other fields are private.
    fn started(matrix: &Matrix, set: Vec<u32>) -> (Wide, Frame, Open) {
        let mut wide = Wide::default();
        let mut budget = SearchBudget::new(1, None, None);
        wide.start(matrix, 1, &mut budget).unwrap();
        let mut frame = Frame::default();
        frame.solutions = set;
        frame.fill(matrix, &mut wide.rivals, &columns(matrix), &mut budget).unwrap();
        wide.sets.resize(frame.words, 0);
        (0..frame.solutions.len()).for_each(|at| wide.sets[at / 64] |= 1 << (at % 64));
        wide.open = (0..frame.columns.len() as u32).collect();
        let open = Open { from: 0, to: wide.open.len() };
        (wide, frame, open)
    }

    /// Pops the sets from `top` off the stack.
    fn taken(wide: &mut Wide, frame: &Frame, top: usize) -> Vec<Vec<u32>> {
        let sets = wide.sets.split_off(top);
        let members = |set| ones(set).map(|at| frame.solutions[at]).collect();
        sets.chunks(frame.words).map(members).collect()
    }

    #[test]
    fn an_opening_leaves_one_set_for_each_number_shown() {
        let matrix = unopened(4, 4, 3);
        let (mut wide, frame, open) = started(&matrix, subset(&matrix, 150, 1));
        for column in open.from..open.to {
            let top = wide.split::<3>(&frame, 0, column as u32);
            let expected = shown(&matrix, &frame.solutions, column as u32);
            assert_eq!(taken(&mut wide, &frame, top), expected);
        }
    }

    #[test]
    fn free_cells_split_a_set_by_all_that_they_show() {
        let matrix = unopened(4, 4, 3);
        let all: Vec<u32> = (0..matrix.solutions as u32).collect();
        // Solutions in which cells 0, 1 and 6 are clear.
        let clear = |&s: &u32| [0, 1, 6].iter().all(|&c| matrix.row(s)[c] != 0);
        let set: Vec<u32> = all.into_iter().filter(clear).collect();
        let (mut wide, frame, open) = started(&matrix, set);
        let mut budget = SearchBudget::new(1, None, None);
        let top = wide.split_free::<0>(&frame, 0, open, &mut budget).unwrap();
        let mut found = taken(&mut wide, &frame, top);
        let mut expected = BTreeMap::<[u8; 3], Vec<u32>>::new();
        for &solution in &frame.solutions {
            let row = matrix.row(solution);
            expected.entry([row[0], row[1], row[6]]).or_default().push(solution);
        }
        let mut expected: Vec<_> = expected.into_values().collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
