//! `optimal`: the number of solutions that perfect play wins, by exact expectimax over sets of
//! solutions.
//!
//! A state of play is the set of solutions that are still possible. Opening a cell splits the set
//! by the number it shows, and play continues in each part; the solutions with a mine there are
//! lost. A cell that is clear in the whole set costs nothing and is opened first; a cell that can
//! show only one number gives no information and is opened last. See `wide` and `narrow`.

use crate::clock::Instant;

use super::listing::Listing;
use super::matrix::Matrix;
use super::search_budget::{SearchBudget, Stopped};
use super::weighted::{Stage, Weighted};
use super::wide::Wide;
use crate::budget::Interrupt;
use crate::error::BoardError;
use crate::frontier::{Frontier, Mark};
use crate::mines::{Knowledge, Mines};
use crate::topology::Graph;

/// The limits of an exact search.
#[derive(Debug, Clone, Copy)]
pub struct OptimalLimit {
    /// The maximum number of solutions of the position.
    pub solutions: usize,
    /// The maximum number of states to search.
    pub states: u64,
    pub deadline: Option<Instant>,
}

/// The results to compute besides the wins of perfect play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ask {
    /// One best cell.
    Cell,
    /// Every best cell.
    Best,
    /// The wins of every cell.
    Wins,
}

/// The result of perfect play.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Solved {
    /// The number of solutions it wins; 0 with a density, which uses `chances` instead.
    pub wins: u64,
    pub solutions: u64,
    /// The states searched.
    pub states: u64,
    /// A best cell; None if nothing is left to open.
    pub cell: Option<u32>,
    /// Every best cell, if requested, in cell order.
    pub best: Vec<u32>,
    /// If requested, every cell that can be opened, in cell order, with its wins: the solutions won
    /// by opening the cell and then playing perfectly.
    pub cell_wins: Vec<(u32, u64)>,
    /// With a density, the win chances, computed with weighted solutions.
    pub chances: Option<Chances>,
}

/// The result of perfect play when solutions are weighted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chances {
    pub win: f64,
    /// The number of solutions that are possible.
    pub solutions: u64,
    /// As in `Solved`.
    pub cell: Option<u32>,
    pub best: Vec<u32>,
    pub cells: Vec<(u32, f64)>,
}

impl Solved {
    /// The chance of winning.
    pub fn value(&self) -> f32 {
        match &self.chances {
            Some(chances) => chances.win as f32,
            None => self.wins as f32 / self.solutions as f32,
        }
    }
}

/// An exact search with its buffers, and the results remembered between positions.
#[derive(Debug, Default)]
pub struct EndGame {
    frontier: Frontier,
    listing: Listing,
    matrix: Matrix,
    wide: Wide,
    weighted: Weighted,
    interrupt: Option<Interrupt>,
}

impl EndGame {
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the function that ends later searches early, as if their time were up.
    pub fn set_interrupt(&mut self, interrupt: Option<Interrupt>) {
        self.interrupt = interrupt;
    }

    /// Solves a position of ASCII cells (see `Frontier::read`); None past the limit, or if neither
    /// total nor density is known. A game that is over because only mines are unopened is won.
    pub fn solve(
        &mut self,
        graph: &Graph,
        cells: &[u8],
        known: impl Into<Knowledge>,
        limit: OptimalLimit,
        ask: Ask,
    ) -> Result<Option<Solved>, BoardError> {
        let Knowledge { mines, running } = known.into().settled(cells);
        if mines == Mines::Unknown {
            return Ok(None);
        }
        let mut budget = SearchBudget::new(limit.states, limit.deadline, self.interrupt.clone());
        self.frontier.read(graph, cells, &[])?;
        if !self.listing.fill(graph, &self.frontier, mines, limit.solutions, &mut budget)? {
            return Ok(None);
        }
        if mines.total().is_none() {
            let filled = self.matrix.fill(graph, &self.frontier, &self.listing, &mut budget);
            let stage = match self.frontier.marks.contains(&Mark::Opened) {
                false => Stage::Unbegun,
                true if running => Stage::Running,
                true => Stage::Reached,
            };
            return Ok(filled.and_then(|()| self.weigh(mines, stage, ask, &mut budget)).ok());
        }
        let found = self
            .matrix
            .fill(graph, &self.frontier, &self.listing, &mut budget)
            .and_then(|()| self.wide.start(&self.matrix, limit.states, &mut budget))
            .and_then(|()| self.play(ask, &mut budget));
        Ok(found.ok().map(|found| Solved { states: budget.states, ..found }))
    }

    /// Perfect play with a weight for each solution, given by a density.
    fn weigh(
        &mut self,
        mines: Mines,
        stage: Stage,
        ask: Ask,
        budget: &mut SearchBudget,
    ) -> Result<Solved, Stopped> {
        let counts: Vec<u32> = self.listing.each().map(|mined| mined.len() as u32).collect();
        let weights = (mines.log_odds(), &counts[..]);
        let chances = self.weighted.play(&self.matrix, weights, stage, ask, budget)?;
        Ok(Solved {
            solutions: chances.solutions,
            states: budget.states,
            cell: chances.cell,
            best: chances.best.clone(),
            chances: Some(chances),
            ..Solved::default()
        })
    }

    fn play(&mut self, ask: Ask, budget: &mut SearchBudget) -> Result<Solved, Stopped> {
        let all: Vec<u32> = (0..self.matrix.solutions as u32).collect();
        let columns: Vec<u32> = (0..self.matrix.cells.len() as u32).collect();
        let clear = self.clear(budget)?;
        let mut out = Solved { solutions: all.len() as u64, ..Solved::default() };
        // A cell that is clear in every solution loses nothing, so it has the wins of the set.
        let whole = clear.contains(&(all.len() as u32)) || clear.iter().all(|&clear| clear == 0);
        let (mut wins, mut most) = (0, i64::MAX);
        if whole || ask == Ask::Cell {
            most = self.wide.solve(&self.matrix, &all, &columns, -1, budget)?;
            wins = if whole { most } else { 0 };
        }
        let mut order = columns.clone();
        order.sort_by_key(|&column| std::cmp::Reverse(clear[column as usize]));
        for column in order {
            let cell = self.matrix.cells[column as usize];
            let here = i64::from(clear[column as usize]);
            let alpha = match ask {
                // Only the first cell with the most wins is needed, so worse ones can be cut off.
                Ask::Cell => wins.max(most - 1),
                Ask::Best => wins - 1,
                Ask::Wins => -1,
            };
            let value = if here == all.len() as i64 {
                wins
            } else if here <= alpha || here == 0 {
                0
            } else {
                self.wins_of(column, &columns, here, alpha, budget)?
            };
            if value > wins || (value == wins && here > 0 && out.cell.is_none()) {
                out.best.clear();
                out.cell = Some(cell);
                wins = value;
            }
            if ask == Ask::Cell && wins == most && out.cell.is_some() {
                break;
            }
            if ask >= Ask::Best && value == wins && here > 0 {
                out.best.push(cell);
            }
            if ask == Ask::Wins {
                out.cell_wins.push((cell, value as u64));
            }
        }
        out.wins = wins as u64;
        out.best.sort_unstable();
        out.cell_wins.sort_unstable();
        Ok(out)
    }

    /// The wins of opening one cell first; exact if above `alpha`, otherwise a bound.
    fn wins_of(
        &mut self,
        column: u32,
        columns: &[u32],
        clear: i64,
        alpha: i64,
        budget: &mut SearchBudget,
    ) -> Result<i64, Stopped> {
        budget.work(self.matrix.solutions)?;
        let mut parts = vec![Vec::new(); self.matrix.labels];
        for solution in 0..self.matrix.solutions as u32 {
            parts[usize::from(self.matrix.row(solution)[column as usize])].push(solution);
        }
        let mut bound = clear;
        for part in parts.iter().skip(1).filter(|part| !part.is_empty()) {
            bound -= part.len() as i64;
            bound += self.wide.solve(&self.matrix, part, columns, alpha - bound, budget)?;
            if bound <= alpha {
                break;
            }
        }
        Ok(bound)
    }

    /// The number of solutions in which each column is clear.
    fn clear(&self, budget: &mut SearchBudget) -> Result<Vec<u32>, Stopped> {
        let mut clear = vec![0; self.matrix.cells.len()];
        for solution in 0..self.matrix.solutions as u32 {
            budget.work(clear.len())?;
            for (clear, &label) in clear.iter_mut().zip(self.matrix.row(solution)) {
                *clear += u32::from(label != super::matrix::MINE);
            }
        }
        Ok(clear)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::Arc;

    use super::*;

    /// A square board.
    fn board(side: usize) -> Graph {
        Graph::rectangle(side, side).unwrap()
    }

    fn limit(solutions: usize, states: u64) -> OptimalLimit {
        OptimalLimit { solutions, states, deadline: None }
    }

    #[test]
    fn every_first_cell_of_a_board_has_its_wins() {
        let solved = EndGame::new().solve(&board(3), b".........", 4, limit(126, 1000), Ask::Wins);
        let solved = solved.unwrap().unwrap();
        assert_eq!((solved.wins, solved.solutions), (27, 126));
        assert_eq!(solved.best, [1, 3, 5, 7]);
        let wins: Vec<u64> = solved.cell_wins.iter().map(|&(_, wins)| wins).collect();
        assert_eq!(wins, [26, 27, 26, 27, 13, 27, 26, 27, 26]);
    }

    #[test]
    fn a_single_cell_asked_for_is_one_of_the_best() {
        let solved = EndGame::new().solve(&board(3), b".........", 4, limit(126, 1000), Ask::Cell);
        assert_eq!(solved.unwrap().unwrap().cell, Some(1));
    }

    #[test]
    fn what_was_remembered_changes_no_answer() {
        let mut end = EndGame::new();
        for mines in [3, 4, 5, 4, 3] {
            let fresh =
                EndGame::new().solve(&board(3), b".........", mines, limit(126, 1000), Ask::Wins);
            let again = end.solve(&board(3), b".........", mines, limit(126, 1000), Ask::Wins);
            let (fresh, again) = (fresh.unwrap().unwrap(), again.unwrap().unwrap());
            assert_eq!((fresh.best, fresh.cell_wins), (again.best, again.cell_wins));
        }
    }

    #[test]
    fn past_a_limit_there_is_no_answer() {
        let past =
            |limit| EndGame::new().solve(&board(3), b".........", 4, limit, Ask::Best).unwrap();
        assert_eq!(past(limit(125, 1000)), None);
        assert_eq!(past(limit(126, 10)), None);
        let late = OptimalLimit { deadline: Some(Instant::now()), ..limit(126, 1000) };
        assert!(past(late).is_some(), "so small a search never reads the clock");
    }

    #[test]
    fn a_listing_that_finds_next_to_nothing_ends_by_its_nodes_alone() {
        let (graph, cells, mines) = dots(25, 25, 187);
        let found = EndGame::new().solve(&graph, &cells, mines, limit(16, 1000), Ask::Best);
        assert_eq!(found, Ok(None));
    }

    #[test]
    fn a_listing_stops_when_it_is_asked_to_or_late() {
        let (graph, cells, mines) = dots(25, 25, 187);
        // At this limit of solutions, searching all nodes would take hours.
        let endless = limit(1 << 40, u64::MAX);
        let late = OptimalLimit { deadline: Some(Instant::now()), ..endless };
        assert_eq!(EndGame::new().solve(&graph, &cells, mines, late, Ask::Best), Ok(None));
        let mut end = EndGame::new();
        let (asked, limit) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(3)));
        let (count, most) = (Arc::clone(&asked), Arc::clone(&limit));
        end.set_interrupt(Some(Interrupt::new(move || {
            count.fetch_add(1, Ordering::Relaxed) + 1 >= most.load(Ordering::Relaxed)
        })));
        assert_eq!(end.solve(&graph, &cells, mines, endless, Ask::Best), Ok(None));
        assert_eq!(asked.load(Ordering::Relaxed), 3);
    }

    /// A board with random mines and every second cell of every second row open.
    fn dots(width: usize, height: usize, mines: usize) -> (Graph, Vec<u8>, usize) {
        let graph = Graph::rectangle(width, height).unwrap();
        let is_open = |cell: usize| cell / width % 2 == 0 && cell % width % 2 == 0;
        let open: Vec<usize> = (0..graph.len()).filter(|&cell| is_open(cell)).collect();
        let mined = crate::generate::uniform(graph.len(), mines, &open, 1).unwrap();
        let numbers = graph.numbers(&mined);
        let shown = |cell| if is_open(cell) { b'0' + numbers[cell] } else { b'.' };
        (graph.clone(), (0..graph.len()).map(shown).collect(), mines)
    }

    #[test]
    fn a_position_that_cannot_be_is_an_error() {
        let solved =
            |cells: &[u8]| EndGame::new().solve(&board(3), cells, 2, limit(9, 9), Ask::Cell);
        assert!(solved(b"3........").is_err());
        assert!(solved(b"........").is_err());
    }
}
