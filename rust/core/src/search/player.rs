//! Whole games of the bots that search, on boards dealt at the first click.
//!
//! The same games as in Python, choice by choice: `sapper.simulation.match` says what is told of a game.

use std::time::Instant;

use crate::analysis::Limit;
use crate::error::BoardError;
use crate::generate;
use crate::metrics;
use crate::play::{Match, Mines, Played};
use crate::search::guess::Searcher;
use crate::topology::Graph;

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

    /// Opens a clear cell, and what its zeros open; gives how many cells that were.
    pub fn open(&mut self, graph: &Graph, numbers: &[u8], cell: usize) -> usize {
        if self.cells[cell] != b'.' {
            return 0;
        }
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

/// Plays one game; None if a position was too wide.
pub fn play(
    searcher: &mut Searcher,
    table: &mut Table,
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
    table.reset(graph.len());
    out.actions = 1;
    if mined[game.first] == 1 {
        return Ok(Some(out));
    }
    left -= table.open(graph, &numbers, game.first);
    while left > 0 {
        let began = Instant::now();
        let found = searcher.engine.analyze(graph, &table.cells, told, Limit::default())?;
        if !found.is_exact() {
            return Ok(None);
        }
        out.last_guess = Some(found.safe.is_empty());
        if found.safe.is_empty() {
            let guess = searcher.guess(graph, &mut table.cells, told);
            let Some(pick) = guess.picks.first() else { return Ok(None) };
            out.think += began.elapsed().as_secs_f64();
            let cell = pick.cell as usize;
            out.risks.push(found.p_mine[cell]);
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
            let opened = table.open(graph, &numbers, cell as usize);
            out.actions += u32::from(opened > 0);
            left -= opened;
        }
    }
    out.won = true;
    Ok(Some(out))
}
