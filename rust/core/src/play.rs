//! Whole games of the native bots, on boards dealt at the first click.
//!
//! The choices are the same as in Python: `sapper.solver.bots.exact` describes how `exact` plays,
//! and `sapper.simulation` the results of a game.

use crate::clock::Instant;

use crate::analysis::{Analysis, Engine, Interrupt, Limit};
use crate::error::BoardError;
use crate::generate;
use crate::metrics;
use crate::mines::Mines;
use crate::topology::Graph;

/// Chances that differ by no more than this count as equal, as in `exact.py`.
const EQUAL: f64 = 1e-9;

/// The settings of all games of a match.
#[derive(Debug, Clone)]
pub struct Match {
    pub mines: Mines,
    /// The first click of every game, which the bot does not choose.
    pub first: usize,
    /// Cells kept clear.
    pub clear: Vec<usize>,
}

/// The result of a game.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Played {
    pub won: bool,
    /// Clicks that opened a cell, including the first click and a fatal one.
    pub actions: u32,
    /// The number of choices proved safe.
    pub proved: u32,
    /// The chance of a mine at each guess.
    pub risks: Vec<f64>,
    /// Whether the last choice was a guess; None if there was none.
    pub last_guess: Option<bool>,
    pub bbbv: usize,
    /// Seconds spent on choices.
    pub think: f64,
}

/// Chooses a cell if none is proved safe.
pub trait Guesser {
    /// The engine used to prove cells.
    fn engine(&mut self) -> &mut Engine;

    /// Sets the function that later analyses and guesses poll to see whether to stop early.
    fn set_interrupt(&mut self, interrupt: Option<Interrupt>) {
        self.engine().set_interrupt(interrupt);
    }

    /// The cell to open in an analysed position, and its mine chance; None if the position is too
    /// wide.
    fn guess(
        &mut self,
        graph: &Graph,
        cells: &mut [u8],
        mines: Mines,
        found: &Analysis,
    ) -> Option<(usize, f64)>;
}

/// The bot `exact`, which opens a cell with the lowest risk.
#[derive(Debug, Default)]
pub struct Exact {
    engine: Engine,
}

impl Guesser for Exact {
    fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    fn guess(
        &mut self,
        _: &Graph,
        _: &mut [u8],
        _: Mines,
        found: &Analysis,
    ) -> Option<(usize, f64)> {
        Some(least(&found.p_mine))
    }
}

/// A board being opened.
#[derive(Debug, Default)]
pub struct Table {
    pub cells: Vec<u8>,
    zeros: Vec<usize>,
}

impl Table {
    pub fn reset(&mut self, size: usize) {
        self.cells.clear();
        self.cells.resize(size, b'.');
    }

    /// Opens a clear cell and the cells that its zeros open; returns how many.
    pub fn open(&mut self, graph: &Graph, numbers: &[u8], cell: usize) -> usize {
        let mut opened = 0;
        self.open_each(graph, numbers, cell, |_| opened += 1);
        opened
    }

    /// Like `open`, with a function that is called for each opened cell.
    #[inline]
    pub fn open_each(
        &mut self,
        graph: &Graph,
        numbers: &[u8],
        cell: usize,
        mut opened: impl FnMut(usize),
    ) {
        if self.cells[cell] != b'.' {
            return;
        }
        self.cells[cell] = b'0' + numbers[cell];
        opened(cell);
        if numbers[cell] == 0 {
            self.zeros.push(cell);
        }
        while let Some(zero) = self.zeros.pop() {
            for &n in graph.neighbours(zero) {
                let n = n as usize;
                if self.cells[n] == b'.' {
                    self.cells[n] = b'0' + numbers[n];
                    opened(n);
                    if numbers[n] == 0 {
                        self.zeros.push(n);
                    }
                }
            }
        }
    }
}

/// Plays one game; None if a position was too wide for an analysis.
pub fn play(
    player: &mut impl Guesser,
    table: &mut Table,
    graph: &Graph,
    game: &Match,
    seed: u64,
) -> Result<Option<Played>, BoardError> {
    let told = game.mines;
    let mined = generate::dealt(graph.len(), told, &game.clear, seed)?;
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
    table.reset(graph.len());
    out.actions = 1;
    if mined[game.first] == 1 {
        return Ok(Some(out));
    }
    left -= table.open(graph, &numbers, game.first);
    while left > 0 {
        let began = Instant::now();
        let found = player.engine().analyze(graph, &table.cells, told, Limit::default())?;
        if !found.is_exact() {
            return Ok(None);
        }
        out.last_guess = Some(found.safe.is_empty());
        if found.safe.is_empty() {
            let guess = player.guess(graph, &mut table.cells, told, &found);
            let Some((cell, risk)) = guess else { return Ok(None) };
            out.think += began.elapsed().as_secs_f64();
            out.risks.push(risk);
            out.actions += 1;
            if mined[cell] == 1 {
                return Ok(Some(out));
            }
            left -= table.open(graph, &numbers, cell);
            continue;
        }
        out.think += began.elapsed().as_secs_f64();
        out.proved += 1;
        for &cell in &found.safe {
            // Opening an earlier cell may already have opened this one.
            let opened = table.open(graph, &numbers, cell as usize);
            out.actions += u32::from(opened > 0);
            left -= opened;
        }
    }
    out.won = true;
    Ok(Some(out))
}

/// The first cell with the lowest chance of being a mine, and that chance; opened cells are NaN.
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

    fn played(game: &Match, seed: u64) -> Result<Option<Played>, BoardError> {
        play(&mut Exact::default(), &mut Table::default(), &row(), game, seed)
    }

    #[test]
    fn a_game_without_mines_is_won_by_its_first_click() {
        let game = Match { mines: Mines::Total(0), first: 1, clear: vec![] };
        let played = played(&game, 7).unwrap().unwrap();
        assert!(played.won && played.actions == 1 && played.last_guess.is_none());
    }

    #[test]
    fn a_coin_toss_is_a_guess_of_one_half() {
        let game = Match { mines: Mines::Total(1), first: 1, clear: vec![1] };
        let mut wins = 0;
        for seed in 0..200 {
            let played = played(&game, seed).unwrap().unwrap();
            assert_eq!(played.risks, [0.5]);
            wins += usize::from(played.won);
        }
        assert!((60..140).contains(&wins));
    }

    #[test]
    fn a_first_click_off_the_board_is_refused() {
        let game = Match { mines: Mines::Total(1), first: 3, clear: vec![] };
        assert!(played(&game, 1).is_err());
    }
}
