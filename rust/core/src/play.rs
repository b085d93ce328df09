//! Whole games of the bot `exact`, on boards dealt at the first click.
//!
//! The same games as in Python, choice by choice: `sapper.solver.bots.exact` says how it plays,
//! `sapper.simulation` what is told of a game.

use std::time::Instant;

use crate::analysis::{Engine, Interrupt, Limit};
use crate::error::BoardError;
use crate::generate;
use crate::metrics;
use crate::topology::Graph;

/// Chances that differ by no more are equal but for rounding; as in `exact.py`.
const EQUAL: f64 = 1e-9;

/// How the mines of a board come about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mines {
    /// So many, and the player is told.
    Total(usize),
    /// Every cell on its own with this chance, and the player is told no total.
    Density(f64),
}

/// What all games of a match have in common.
#[derive(Debug, Clone)]
pub struct Match {
    pub mines: Mines,
    /// Where every game's first click goes, made for the bot.
    pub first: usize,
    /// Cells that are dealt no mine.
    pub clear: Vec<usize>,
}

/// What came of a game.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Played {
    pub won: bool,
    /// Clicks that opened something, the first and a fatal one included.
    pub actions: u32,
    /// How often it opened what was proved.
    pub proved: u32,
    /// The chance of a mine at every guess.
    pub risks: Vec<f64>,
    /// Whether the last choice was a guess; None where there was no choice.
    pub last_guess: Option<bool>,
    pub bbbv: usize,
    /// Seconds spent on thinking.
    pub think: f64,
}

/// A player with its buffers.
#[derive(Debug, Default)]
pub struct Exact {
    engine: Engine,
    cells: Vec<u8>,
    zeros: Vec<usize>,
}

impl Exact {
    /// Asks this from time to time whether to stop early; then a game is None.
    pub fn set_interrupt(&mut self, interrupt: Option<Interrupt>) {
        self.engine.set_interrupt(interrupt);
    }

    /// Plays one game; None if a position was too wide for the budget of an analysis.
    pub fn play(
        &mut self,
        graph: &Graph,
        game: &Match,
        seed: u64,
    ) -> Result<Option<Played>, BoardError> {
        let (mined, told) = match game.mines {
            Mines::Total(mines) => {
                (generate::uniform(graph.len(), mines, &game.clear, seed)?, Some(mines))
            }
            Mines::Density(density) => {
                (generate::independent(graph.len(), density, &game.clear, seed)?, None)
            }
        };
        if game.first >= graph.len() {
            return Err(BoardError::Shape(format!("there is no cell {}", game.first)));
        }
        let numbers = graph.numbers(&mined);
        let mut left = mined.iter().filter(|&&m| m == 0).count();
        let bbbv = metrics::metrics(graph, &mined).bbbv;
        let mut out = Played { bbbv, won: left == 0, ..Played::default() };
        if out.won {
            return Ok(Some(out));
        }
        self.cells.clear();
        self.cells.resize(graph.len(), b'.');
        out.actions = 1;
        if mined[game.first] == 1 {
            return Ok(Some(out));
        }
        left -= self.open(graph, &numbers, game.first);
        while left > 0 {
            let began = Instant::now();
            let found = self.engine.analyze(graph, &self.cells, told, Limit::default())?;
            if !found.is_exact() {
                return Ok(None);
            }
            if found.safe.is_empty() {
                let (cell, risk) = least(&found.p_mine);
                out.think += began.elapsed().as_secs_f64();
                out.risks.push(risk);
                out.last_guess = Some(true);
                out.actions += 1;
                if mined[cell] == 1 {
                    return Ok(Some(out));
                }
                left -= self.open(graph, &numbers, cell);
                continue;
            }
            out.think += began.elapsed().as_secs_f64();
            out.proved += 1;
            out.last_guess = Some(false);
            for &cell in &found.safe {
                // The flood of an earlier cell may have opened it.
                if self.cells[cell as usize] == b'.' {
                    out.actions += 1;
                    left -= self.open(graph, &numbers, cell as usize);
                }
            }
        }
        out.won = true;
        Ok(Some(out))
    }

    /// Opens a clear cell, and what its zeros open; gives how many cells that were.
    fn open(&mut self, graph: &Graph, numbers: &[u8], cell: usize) -> usize {
        self.cells[cell] = b'0' + numbers[cell];
        let mut opened = 1;
        if numbers[cell] == 0 {
            self.zeros.push(cell);
        }
        while let Some(zero) = self.zeros.pop() {
            for &n in graph.neighbours(zero) {
                let n = n as usize;
                if self.cells[n] == b'.' {
                    self.cells[n] = b'0' + numbers[n];
                    opened += 1;
                    if numbers[n] == 0 {
                        self.zeros.push(n);
                    }
                }
            }
        }
        opened
    }
}

/// The first cell of least chance, and the least chance; opened cells are nan.
fn least(p_mine: &[f64]) -> (usize, f64) {
    let least = p_mine.iter().fold(f64::INFINITY, |least, &p| least.min(p));
    let cell = p_mine.iter().position(|&p| p <= least + EQUAL);
    (cell.expect("some unopened cell is clear"), least)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three cells in a row.
    fn row() -> Graph {
        Graph::new(vec![0, 1, 3, 4], vec![1, 0, 2, 1]).unwrap()
    }

    #[test]
    fn a_game_without_mines_is_won_by_its_first_click() {
        let game = Match { mines: Mines::Total(0), first: 1, clear: vec![] };
        let played = Exact::default().play(&row(), &game, 7).unwrap().unwrap();
        assert!(played.won && played.actions == 1 && played.last_guess.is_none());
    }

    #[test]
    fn a_coin_toss_is_a_guess_of_one_half() {
        let game = Match { mines: Mines::Total(1), first: 1, clear: vec![1] };
        let mut wins = 0;
        for seed in 0..200 {
            let played = Exact::default().play(&row(), &game, seed).unwrap().unwrap();
            assert_eq!(played.risks, [0.5]);
            wins += usize::from(played.won);
        }
        assert!((60..140).contains(&wins));
    }

    #[test]
    fn a_first_click_off_the_board_is_refused() {
        let game = Match { mines: Mines::Total(1), first: 3, clear: vec![] };
        assert!(Exact::default().play(&row(), &game, 1).is_err());
    }
}
