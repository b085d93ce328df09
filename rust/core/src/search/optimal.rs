//! `optimal`: of how many solutions perfect play wins, by exact expectimax over sets of solutions.
//!
//! A state of play is the set of solutions that it could still be. Opening a cell splits the set by
//! what the cell shows, and play goes on in each part; the solutions with a mine there are lost.
//! A cell that is clear in the whole set costs nothing and is opened first, and one that can show
//! but one number tells nothing and is left to the end: see `wide` and `narrow`.

use std::time::Instant;

use super::listing::Listing;
use super::matrix::Matrix;
use super::spent::{Spent, Stopped};
use super::wide::Wide;
use crate::budget::Interrupt;
use crate::error::BoardError;
use crate::frontier::Frontier;
use crate::topology::Graph;

/// How much an exact search may spend.
#[derive(Debug, Clone, Copy)]
pub struct OptimalLimit {
    /// The most solutions that the position may have.
    pub solutions: usize,
    /// The most states to search.
    pub states: u64,
    pub deadline: Option<Instant>,
}

/// What is asked for besides the wins of perfect play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ask {
    /// One best cell.
    Cell,
    /// Every best cell.
    Best,
    /// The wins of every cell.
    Wins,
}

/// What perfect play comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Solved {
    /// The solutions that it wins.
    pub wins: u64,
    pub solutions: u64,
    /// The states searched.
    pub states: u64,
    /// A best cell; None where nothing is left to be opened.
    pub cell: Option<u32>,
    /// Every best cell, if asked for, in the order of cells.
    pub best: Vec<u32>,
    /// Every cell that can be opened with what opening it and perfect play thereafter win, if asked
    /// for, in the order of cells.
    pub cell_wins: Vec<(u32, u64)>,
}

/// An exact search with its buffers, and what it remembers from one position to the next.
#[derive(Debug, Default)]
pub struct EndGame {
    frontier: Frontier,
    listing: Listing,
    matrix: Matrix,
    wide: Wide,
    interrupt: Option<Interrupt>,
}

impl EndGame {
    pub fn new() -> Self {
        Self::default()
    }

    /// What ends a search early from now on, as if its time were up.
    pub fn set_interrupt(&mut self, interrupt: Option<Interrupt>) {
        self.interrupt = interrupt;
    }

    /// Plays out a position of ASCII cells (see `Frontier::read`); None past the limit.
    pub fn solve(
        &mut self,
        graph: &Graph,
        cells: &[u8],
        mines: usize,
        limit: OptimalLimit,
        ask: Ask,
    ) -> Result<Option<Solved>, BoardError> {
        self.frontier.read(graph, cells, &[])?;
        if !self.listing.fill(graph, &self.frontier, mines, limit.solutions)? {
            return Ok(None);
        }
        self.matrix.fill(graph, &self.frontier, &self.listing);
        let mut spent = Spent::new(limit.states, limit.deadline, self.interrupt.clone());
        let found = self
            .wide
            .start(&self.matrix, limit.states, &mut spent)
            .and_then(|()| self.play(ask, &mut spent));
        Ok(found.ok().map(|found| Solved { states: spent.states, ..found }))
    }

    fn play(&mut self, ask: Ask, spent: &mut Spent) -> Result<Solved, Stopped> {
        let all: Vec<u32> = (0..self.matrix.solutions as u32).collect();
        let columns: Vec<u32> = (0..self.matrix.cells.len() as u32).collect();
        let clear = self.clear();
        let mut out = Solved { solutions: all.len() as u64, ..Solved::default() };
        // A cell that is clear in every solution loses nothing: the set's wins are its own.
        let whole = clear.contains(&(all.len() as u32)) || clear.iter().all(|&clear| clear == 0);
        let mut wins = 0;
        if whole {
            wins = self.wide.solve(&self.matrix, &all, &columns, -1, spent)?;
        }
        let mut order = columns.clone();
        order.sort_by_key(|&column| std::cmp::Reverse(clear[column as usize]));
        for column in order {
            let cell = self.matrix.cells[column as usize];
            let here = i64::from(clear[column as usize]);
            let alpha = match ask {
                Ask::Cell => wins,
                Ask::Best => wins - 1,
                Ask::Wins => -1,
            };
            let value = if here == all.len() as i64 {
                wins
            } else if here <= alpha || here == 0 {
                0
            } else {
                self.wins_of(column, &columns, here, alpha, spent)?
            };
            if value > wins || (value == wins && here > 0 && out.cell.is_none()) {
                out.best.clear();
                out.cell = Some(cell);
                wins = value;
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

    /// The wins of opening one cell first, exact if over `alpha`, else a bound of them.
    fn wins_of(
        &mut self,
        column: u32,
        columns: &[u32],
        clear: i64,
        alpha: i64,
        spent: &mut Spent,
    ) -> Result<i64, Stopped> {
        let mut parts = vec![Vec::new(); self.matrix.labels];
        for solution in 0..self.matrix.solutions as u32 {
            parts[usize::from(self.matrix.row(solution)[column as usize])].push(solution);
        }
        let mut bound = clear;
        for part in parts.iter().skip(1).filter(|part| !part.is_empty()) {
            bound -= part.len() as i64;
            bound += self.wide.solve(&self.matrix, part, columns, alpha - bound, spent)?;
            if bound <= alpha {
                break;
            }
        }
        Ok(bound)
    }

    /// In how many solutions each column is clear.
    fn clear(&self) -> Vec<u32> {
        let mut clear = vec![0; self.matrix.cells.len()];
        for solution in 0..self.matrix.solutions as u32 {
            for (clear, &label) in clear.iter_mut().zip(self.matrix.row(solution)) {
                *clear += u32::from(label != super::matrix::MINE);
            }
        }
        clear
    }
}

#[cfg(test)]
mod tests {
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
    fn a_position_that_cannot_be_is_an_error() {
        let solved =
            |cells: &[u8]| EndGame::new().solve(&board(3), cells, 2, limit(9, 9), Ask::Cell);
        assert!(solved(b"3........").is_err());
        assert!(solved(b"........").is_err());
    }
}
