//! Lists all solutions of a position, if there are few.
//!
//! First, boxes are filled with mine counts, component by component; then only the counts that fit
//! the total are expanded cell by cell. Dead ends therefore occur only within a component.

use super::filling::fill_boxes;
use super::search_budget::{SearchBudget, Stopped};
use crate::binomial::binomial;
use crate::error::{BoardError, Inconsistency};
use crate::frontier::{Frontier, Mark, Shape};
use crate::mines::Mines;
use crate::topology::Graph;

/// A component may have more fillings than the position has solutions, because the total rules out
/// most of them; beyond this multiple of the limit, listing stops.
const SLACK: usize = 4;

/// The solutions of the last position read.
#[derive(Debug, Default)]
pub struct Listing {
    /// The mines of each solution, run by run, except those proved by single numbers.
    pub mined: Vec<u32>,
    /// The solutions by number of mines: a single run if there is a mine total.
    pub runs: Vec<Run>,
    pub solutions: usize,
    // The cells of each box, the floating cells last.
    cells: Vec<u32>,
    boxes: Vec<(u32, u32)>,
    // By component: the start of its boxes, and its fillings, with one byte per box.
    parts: Vec<Part>,
    // The filling being expanded, and the mines placed so far.
    chosen: Vec<u8>,
    // For each component on the path: the filling to try next, and the mines left for it and later
    // ones.
    tried: Vec<(usize, usize)>,
    laid: Vec<Laid>,
}

/// A mine of the filling being expanded, as indices into `Listing::cells`.
#[derive(Debug)]
struct Laid {
    at: u32,
    /// The mine's first and last possible indices.
    first: u32,
    last: u32,
    /// Whether it follows the previous mine in the same box.
    follows: bool,
}

/// Solutions that have the same number of mines: `width` cells each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    pub width: usize,
    pub solutions: usize,
}

#[derive(Debug, Default)]
pub(super) struct Part {
    first: usize,
    boxes: usize,
    pub fillings: Vec<u8>,
    pub mines: Vec<u32>,
    /// Whether this component and the later ones, including floating cells, can hold this many
    /// mines.
    reach: Vec<bool>,
}

impl Listing {
    /// Lists the solutions; false if there are more than `most`, or if the budget runs out.
    pub(super) fn fill(
        &mut self,
        graph: &Graph,
        frontier: &Frontier,
        mines: Mines,
        most: usize,
        budget: &mut SearchBudget,
    ) -> Result<bool, BoardError> {
        let found = self.list(graph, frontier, mines, most, budget);
        // Only the solutions are needed from here on.
        self.parts.clear();
        match found {
            Ok(complete) => Ok(complete),
            Err(Unlisted::Stopped) => Ok(false),
            Err(Unlisted::Board(error)) => Err(error),
        }
    }

    fn list(
        &mut self,
        graph: &Graph,
        frontier: &Frontier,
        mines: Mines,
        most: usize,
        budget: &mut SearchBudget,
    ) -> Result<bool, Unlisted> {
        self.mined.clear();
        self.cells.clear();
        self.boxes.clear();
        self.parts.clear();
        self.runs.clear();
        self.solutions = 0;
        let fillings = most.saturating_mul(SLACK);
        budget.allow_fillings(fillings);
        for i in 0..frontier.components() {
            budget.work(frontier.key(i).len())?;
            let shape = Shape::decode(frontier.key(i));
            let mut part =
                Part { first: self.boxes.len(), boxes: shape.boxes(), ..Part::default() };
            let mut at = self.cells.len() as u32;
            self.cells.extend_from_slice(frontier.cells(i));
            for &size in &shape.sizes {
                self.boxes.push((at, at + u32::from(size)));
                at += u32::from(size);
            }
            if !fill_boxes(&shape, fillings, &mut part, budget)? {
                return Ok(false);
            }
            if part.mines.is_empty() {
                let number = frontier.numbers(i)[0] as usize;
                return Err(Unlisted::Board(frontier.conflict(graph, number)));
            }
            self.parts.push(part);
        }
        let at = self.cells.len() as u32;
        let floating = |&cell: &u32| frontier.marks[cell as usize] == Mark::Floating;
        self.cells.extend((0..graph.len() as u32).filter(floating));
        self.boxes.push((at, self.cells.len() as u32));
        self.reaches(frontier.floating, budget)?;
        self.chosen.clear();
        self.chosen.resize(self.boxes.len(), 0);
        let Mines::Total(mines) = mines else {
            for width in 0..self.reach(0).len() {
                if !self.run(width, most, budget)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        };
        let possible = |rest: &usize| self.reach(0).get(*rest) == Some(&true);
        let Some(rest) = mines.checked_sub(frontier.mines).filter(possible) else {
            return Err(Unlisted::Board(self.wrong_total(mines, frontier)));
        };
        Ok(self.run(rest, most, budget)?)
    }

    /// Lists the solutions with this many unknown mines; false past the limit.
    fn run(
        &mut self,
        width: usize,
        most: usize,
        budget: &mut SearchBudget,
    ) -> Result<bool, Stopped> {
        if !self.reach(0)[width] {
            return Ok(true);
        }
        let before = self.solutions;
        let complete = self.choose(width, most, budget)?;
        self.runs.push(Run { width, solutions: self.solutions - before });
        Ok(complete)
    }

    /// The unknown mines of each solution, in order.
    pub fn each(&self) -> impl Iterator<Item = &[u32]> {
        let mut at = 0;
        self.runs.iter().flat_map(|run| std::iter::repeat_n(run.width, run.solutions)).map(
            move |width| {
                at += width;
                &self.mined[at - width..at]
            },
        )
    }

    fn reach(&self, part: usize) -> &[bool] {
        &self.parts[part].reach
    }

    /// Computes the totals that each component and later ones can reach.
    fn reaches(&mut self, floating: usize, budget: &mut SearchBudget) -> Result<(), Stopped> {
        let mut after = vec![true; floating + 1];
        // The floating cells follow the last component.
        self.parts.push(Part { reach: after.clone(), ..Part::default() });
        let count = self.parts.len() - 1;
        for part in self.parts[..count].iter_mut().rev() {
            let most = part.mines.iter().max().map_or(0, |&m| m as usize);
            budget.bytes(after.len() + most)?;
            let mut reach = vec![false; after.len() + most];
            let mut seen = vec![false; most + 1];
            for &mines in &part.mines {
                if std::mem::replace(&mut seen[mines as usize], true) {
                    continue;
                }
                budget.work(after.len())?;
                for (total, _) in after.iter().enumerate().filter(|(_, &can)| can) {
                    reach[total + mines as usize] = true;
                }
            }
            part.reach.clone_from(&reach);
            after = reach;
        }
        Ok(())
    }

    fn wrong_total(&self, mines: usize, frontier: &Frontier) -> BoardError {
        let reach = self.reach(0);
        let least = reach.iter().position(|&can| can).unwrap_or(0);
        let (least, most) = (frontier.mines + least, frontier.mines + reach.len() - 1);
        BoardError::Inconsistent(Inconsistency::Total { mines, least, most })
    }

    /// Visits each choice of fillings with `rest` mines in total exactly once.
    fn choose(
        &mut self,
        rest: usize,
        most: usize,
        budget: &mut SearchBudget,
    ) -> Result<bool, Stopped> {
        self.tried.clear();
        self.tried.push((0, rest));
        while let Some(&(next, rest)) = self.tried.last() {
            let part = self.tried.len() - 1;
            if part + 1 == self.parts.len() {
                if !self.spell(rest, most, budget)? {
                    return Ok(false);
                }
                self.tried.pop();
            } else if let Some(i) = self.fitting(part, next, rest, budget)? {
                let here = &self.parts[part];
                let (first, boxes, from) = (here.first, here.boxes, i * here.boxes);
                let filling = &here.fillings[from..from + boxes];
                self.chosen[first..first + boxes].copy_from_slice(filling);
                self.tried[part].0 = i + 1;
                self.tried.push((0, rest - here.mines[i] as usize));
            } else {
                self.tried.pop();
            }
        }
        Ok(true)
    }

    /// The next filling of a component that leaves a feasible number of mines for the others.
    fn fitting(
        &self,
        part: usize,
        next: usize,
        rest: usize,
        budget: &mut SearchBudget,
    ) -> Result<Option<usize>, Stopped> {
        let (mines, after) = (&self.parts[part].mines, self.reach(part + 1));
        let fits = |&i: &usize| {
            let left = rest.checked_sub(mines[i] as usize);
            left.is_some_and(|left| after.get(left) == Some(&true))
        };
        let found = (next..mines.len()).find(fits);
        budget.work(1 + found.unwrap_or(mines.len()) - next)?;
        Ok(found)
    }

    /// Expands the chosen filling cell by cell; false past the limit.
    fn spell(
        &mut self,
        floating: usize,
        most: usize,
        budget: &mut SearchBudget,
    ) -> Result<bool, Stopped> {
        let last = self.boxes.len() - 1;
        let sizes = self.boxes.iter().map(|&(from, to)| (to - from) as usize);
        let counts = self.chosen[..last].iter().map(|&m| usize::from(m)).chain([floating]);
        let ways = sizes.zip(counts).fold(1.0, |ways, (n, m)| ways * ways_of(n, m));
        budget.work(self.boxes.len() + floating)?;
        if self.solutions as f64 + ways > most as f64 {
            return Ok(false);
        }
        self.lay(floating);
        loop {
            budget.bytes(self.laid.len() * size_of::<u32>())?;
            self.mined.extend(self.laid.iter().map(|mine| self.cells[mine.at as usize]));
            self.solutions += 1;
            if !self.shift() {
                return Ok(true);
            }
        }
    }

    fn mines_of(&self, b: usize, floating: usize) -> usize {
        if b + 1 == self.boxes.len() {
            floating
        } else {
            usize::from(self.chosen[b])
        }
    }

    /// Places the mines of all boxes at their first positions.
    fn lay(&mut self, floating: usize) {
        self.laid.clear();
        for (b, &(from, to)) in self.boxes.iter().enumerate() {
            let mines = self.mines_of(b, floating) as u32;
            self.laid.extend((0..mines).map(|i| Laid {
                at: from + i,
                first: from,
                last: to - (mines - i),
                follows: i > 0,
            }));
        }
    }

    /// Moves the mines to the next arrangement; false after the last.
    fn shift(&mut self) -> bool {
        let Some(moved) = self.laid.iter().rposition(|mine| mine.at < mine.last) else {
            return false;
        };
        self.laid[moved].at += 1;
        for i in moved + 1..self.laid.len() {
            let before = self.laid[i - 1].at;
            let mine = &mut self.laid[i];
            mine.at = if mine.follows { before + 1 } else { mine.first };
        }
        true
    }
}

/// The reason why the solutions were not listed.
enum Unlisted {
    Stopped,
    Board(BoardError),
}

impl From<Stopped> for Unlisted {
    fn from(_: Stopped) -> Self {
        Unlisted::Stopped
    }
}

fn ways_of(cells: usize, mines: usize) -> f64 {
    match u8::try_from(cells) {
        Ok(cells) if cells <= 26 => binomial(cells, mines as u8) as f64,
        _ => (0..mines).fold(1.0, |ways, i| ways * (cells - i) as f64 / (i + 1) as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{boards, position, random_position};

    fn filled(
        graph: &Graph,
        cells: &[u8],
        mines: Option<usize>,
        most: usize,
    ) -> Result<(bool, Listing, Frontier), BoardError> {
        let (mut frontier, mut listing) = (Frontier::default(), Listing::default());
        frontier.read(graph, cells, &[])?;
        let mut budget = SearchBudget::new(0, None, None);
        let complete = listing.fill(graph, &frontier, mines.into(), most, &mut budget)?;
        Ok((complete, listing, frontier))
    }

    /// The boards listed, with the mines that single numbers prove.
    fn listed(frontier: &Frontier, listing: &Listing) -> Vec<Vec<u8>> {
        let known: Vec<u8> =
            frontier.marks.iter().map(|&mark| u8::from(mark == Mark::Mine)).collect();
        let board = |mines: &[u32]| {
            let mut board = known.clone();
            mines.iter().for_each(|&cell| board[cell as usize] += 1);
            board
        };
        listing.each().map(board).collect()
    }

    #[test]
    fn every_board_that_fits_is_listed_once() {
        for seed in 0..40 {
            let (graph, cells, _) = random_position(seed);
            let all = boards(&graph, &cells, None);
            for mines in [None, Some(3), Some(4), Some(5), Some(6)] {
                let total = |board: &Vec<u8>| board.iter().filter(|&&m| m == 1).count();
                let fits = |board: &&Vec<u8>| mines.is_none_or(|mines| total(board) == mines);
                let mut expected: Vec<_> = all.iter().filter(fits).cloned().collect();
                match filled(&graph, &cells, mines, 100_000) {
                    Ok((complete, listing, frontier)) => {
                        let mut found = listed(&frontier, &listing);
                        found.sort_unstable();
                        expected.sort_unstable();
                        assert!(complete);
                        assert_eq!(found, expected);
                    }
                    Err(_) => assert!(expected.is_empty()),
                }
            }
        }
    }

    #[test]
    fn a_listing_stops_past_its_limit() {
        // Four mines among nine floating cells: 126 ways.
        let (graph, cells) = position(&["...", "...", "..."]);
        assert!(filled(&graph, &cells, Some(4), 126).unwrap().0);
        assert!(!filled(&graph, &cells, Some(4), 125).unwrap().0);
        // A single component, a row of 1s, has too many fillings.
        let (graph, cells) = position(&["....................", "11111111111111111111"]);
        assert!(!filled(&graph, &cells, Some(7), 0).unwrap().0);
    }

    #[test]
    fn a_total_out_of_reach_is_named_with_what_would_do() {
        // One mine beside each 1, and two cells that no number touches.
        let (graph, cells) = position(&[".1.", "000", "...", ".1."]);
        let wrong = filled(&graph, &cells, Some(9), 10).unwrap_err();
        assert!(matches!(wrong, BoardError::Inconsistent(_)), "{wrong:?}");
        let (graph, cells) = position(&[".1....", "1....."]);
        let Err(BoardError::Inconsistent(Inconsistency::Total { mines, least, most })) =
            filled(&graph, &cells, Some(12), 10)
        else {
            panic!("twelve mines do not fit on ten cells")
        };
        let totals: Vec<usize> =
            (0..=12).filter(|&m| !boards(&graph, &cells, Some(m)).is_empty()).collect();
        assert_eq!((mines, least), (12, totals[0]));
        assert_eq!(most, totals[totals.len() - 1]);
    }

    #[test]
    fn ways_to_place_mines_among_many_cells_are_binomials() {
        assert_eq!(
            [ways_of(5, 2), ways_of(26, 13), ways_of(100, 3)],
            [10.0, 10_400_600.0, 161_700.0]
        );
        assert_eq!([ways_of(0, 0), ways_of(400, 0)], [1.0, 1.0]);
    }
}
