//! A set of solutions as bit columns: for each cell and number, the solutions in which the cell
//! shows that number. The result of an opening is then a single AND.

use super::matrix::{Matrix, AT_ONCE, MINE};
use super::rivals::{Rivals, Within};
use super::search_budget::{SearchBudget, Stopped};

/// The location of the sets for one cell's numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub column: u32,
    pub from: u32,
    pub to: u32,
}

/// The solutions of a set, renumbered: a subset takes `words` machine words.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub words: usize,
    pub solutions: Vec<u32>,
    pub columns: Vec<Column>,
    clear: Vec<u64>,
    shown: Vec<u64>,
    laid: Vec<u64>,
    pub rivals: Within,
}

/// The information about a set that opening a column's cell gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tells {
    /// No information: the cell can show at most one number.
    Nothing,
    /// Some information; the cell is clear in this many solutions.
    Clear(usize),
}

#[inline(always)]
pub(super) fn size(set: &[u64]) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}

impl Frame {
    /// Builds the bit columns from the numbers in some columns of the matrix.
    pub fn fill(
        &mut self,
        matrix: &Matrix,
        rivals: &mut Rivals,
        columns: &[u32],
        budget: &mut SearchBudget,
    ) -> Result<(), Stopped> {
        // Common widths are rounded up to one with specialised code; see `width`.
        self.words = match self.solutions.len().div_ceil(64) {
            words @ 5..=8 => words.next_power_of_two(),
            words => words,
        };
        let words = self.words;
        self.columns.clear();
        self.clear.clear();
        self.shown.clear();
        self.lay(matrix, columns, budget)?;
        for (i, &column) in columns.iter().enumerate() {
            let from = (self.shown.len() / words) as u32;
            let clear = self.clear.len();
            budget.work(words * matrix.labels)?;
            self.clear.resize(clear + words, 0);
            // Sets of mines, and of labels that do not occur, are omitted.
            for label in usize::from(MINE) + 1..matrix.labels {
                let at = (i * matrix.labels + label) * words;
                let set = &self.laid[at..at + words];
                if set.iter().any(|&word| word != 0) {
                    self.shown.extend_from_slice(set);
                    for (clear, word) in self.clear[clear..].iter_mut().zip(set) {
                        *clear |= word;
                    }
                }
            }
            let to = (self.shown.len() / words) as u32;
            self.columns.push(Column { column, from, to });
        }
        rivals.within(&self.solutions, &mut self.rivals);
        Ok(())
    }

    /// Creates a set for each column and label.
    fn lay(
        &mut self,
        matrix: &Matrix,
        columns: &[u32],
        budget: &mut SearchBudget,
    ) -> Result<(), Stopped> {
        let (words, labels) = (self.words, matrix.labels);
        self.laid.clear();
        self.laid.resize(columns.len() * labels * words, 0);
        for (i, &solution) in self.solutions.iter().enumerate() {
            if i % AT_ONCE == 0 {
                budget.work(AT_ONCE * columns.len())?;
            }
            let row = matrix.row(solution);
            let (word, bit) = (i / 64, 1 << (i % 64));
            let sets = self.laid.chunks_exact_mut(labels * words);
            for (sets, &column) in sets.zip(columns) {
                sets[usize::from(row[column as usize]) * words + word] |= bit;
            }
        }
        Ok(())
    }

    /// The number of words in a set: `W`, or a number known only at run time if `W` is 0.
    #[inline(always)]
    pub fn width<const W: usize>(&self) -> usize {
        if W == 0 {
            self.words
        } else {
            W
        }
    }

    #[inline(always)]
    pub fn clear<const W: usize>(&self, at: usize) -> &[u64] {
        let words = self.width::<W>();
        &self.clear[at * words..][..words]
    }

    #[inline(always)]
    pub fn shown<const W: usize>(&self, number: u32) -> &[u64] {
        let words = self.width::<W>();
        &self.shown[number as usize * words..][..words]
    }

    #[inline(always)]
    pub fn tells<const W: usize>(&self, at: usize, set: &[u64]) -> Tells {
        let words = self.width::<W>();
        let set = &set[..words];
        let column = self.columns[at];
        let mut numbers = 0;
        for number in column.from..column.to {
            let shown = self.shown::<W>(number);
            let mut some = 0;
            for i in 0..words {
                some |= shown[i] & set[i];
            }
            if some != 0 {
                numbers += 1;
                if numbers == 2 {
                    let clear = self.clear::<W>(at);
                    let mut count = 0;
                    for i in 0..words {
                        count += (clear[i] & set[i]).count_ones() as usize;
                    }
                    return Tells::Clear(count);
                }
            }
        }
        Tells::Nothing
    }
}

/// The members of a set.
pub(super) fn ones(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(i, &word)| {
        let mut word = word;
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
            word &= word - 1;
            Some(i * 64 + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::{self, columns, subset, unopened};

    fn filled(matrix: &Matrix, set: Vec<u32>) -> Frame {
        let mut rivals = Rivals::default();
        let mut budget = SearchBudget::new(1, None, None);
        rivals.fill(matrix, &mut budget).unwrap();
        let mut frame = Frame { solutions: set, ..Frame::default() };
        frame.fill(matrix, &mut rivals, &columns(matrix), &mut budget).unwrap();
        frame
    }

    /// The solutions in a set given as bits.
    fn members(frame: &Frame, bits: &[u64]) -> Vec<u32> {
        ones(bits).map(|at| frame.solutions[at]).collect()
    }

    /// A random subset of a frame's solutions, as bits.
    fn part(frame: &Frame, seed: u64) -> Vec<u64> {
        let mut rng = crate::generate::Rng::new(seed);
        let mut bits = vec![0; frame.words];
        for at in 0..frame.solutions.len() {
            bits[at / 64] |= rng.below(2) << (at % 64);
        }
        bits
    }

    #[test]
    fn each_number_of_a_cell_has_the_solutions_that_show_it() {
        let matrix = unopened(4, 4, 3);
        for solutions in [65, 200, 330, 560] {
            let frame = filled(&matrix, subset(&matrix, solutions, 1));
            for (at, column) in frame.columns.iter().enumerate() {
                let expected = testing::shown(&matrix, &frame.solutions, column.column);
                let sets = (column.from..column.to).map(|n| members(&frame, frame.shown::<0>(n)));
                assert_eq!(sets.collect::<Vec<_>>(), expected);
                let mut clear = expected.concat();
                clear.sort_unstable();
                assert_eq!(members(&frame, frame.clear::<0>(at)), clear);
            }
        }
    }

    #[test]
    fn a_cell_tells_nothing_unless_it_can_show_two_numbers() {
        let matrix = unopened(4, 4, 3);
        let frame = filled(&matrix, subset(&matrix, 150, 2));
        let mut silent = 0;
        for seed in 0..20 {
            // Include small subsets, in which some cells show only one number.
            let mut bits = part(&frame, seed);
            for more in 0..seed / 4 {
                let fewer = part(&frame, seed + 100 * more + 1000);
                bits.iter_mut().zip(fewer).for_each(|(word, fewer)| *word &= fewer);
            }
            let set = members(&frame, &bits);
            for (at, column) in frame.columns.iter().enumerate() {
                let shown = testing::shown(&matrix, &set, column.column);
                let expected = match shown.len() {
                    0 | 1 => Tells::Nothing,
                    _ => Tells::Clear(shown.iter().map(Vec::len).sum()),
                };
                silent += usize::from(expected == Tells::Nothing);
                assert_eq!(frame.tells::<3>(at, &bits), expected);
                assert_eq!(frame.tells::<0>(at, &bits), expected);
            }
        }
        assert!(silent > 10);
    }

    #[test]
    fn five_to_eight_words_are_made_eight() {
        let matrix = unopened(4, 4, 3);
        let words = |solutions| filled(&matrix, subset(&matrix, solutions, 3)).words;
        assert_eq!([64, 65, 256, 257, 512, 513].map(words), [1, 2, 4, 8, 8, 9]);
    }

    #[test]
    fn the_members_of_a_set_are_its_bits_in_rising_order() {
        let set = [1 << 63 | 0b101, 0, 1];
        assert_eq!(ones(&set).collect::<Vec<_>>(), [0, 2, 63, 128]);
        assert_eq!(size(&set), 4);
    }
}
