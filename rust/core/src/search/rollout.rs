//! Labelled positions for training: games in which no guess kills, weighed by their risks.
//!
//! After each guess the rest of the board is drawn anew among the boards in which it survives, so
//! every game goes to its end. The product of the safeties of all later guesses is then an unbiased
//! estimate of the chance to win, with much less noise than whether one game was won.

use crate::analysis::Limit;
use crate::frontier::Fixed;
use crate::generate::{self, Rng};
use crate::play::{Match, Mines};
use crate::search::features::Features;
use crate::search::guess::{candidates, Pick, Searcher};
use crate::search::player::Table;
use crate::topology::Graph;

/// How labelled games stray from the best guess, to see positions that the search looks at.
#[derive(Debug, Clone, Copy)]
pub struct Straying {
    /// The chance that a guess is one of the other cells considered.
    pub chance: f64,
    /// How much of a label comes from the rest of the game; what is missing to 1 comes from the
    /// search's own estimate at the next guess. 1 only where there is no network to estimate.
    pub lambda: f32,
}

/// A position after a guess, and its label.
#[derive(Debug, Clone)]
pub struct Labelled {
    pub features: Features,
    pub label: f32,
}

/// Plays one game to its end; None where a position was too wide.
pub fn labelled(
    searcher: &mut Searcher,
    table: &mut Table,
    graph: &Graph,
    game: &Match,
    straying: Straying,
    seed: u64,
) -> Option<Vec<Labelled>> {
    let mut rng = Rng::new(seed);
    let Mines::Total(mines) = game.mines else { return None };
    let told = Some(mines);
    let mut mined = generate::uniform(graph.len(), mines, &game.clear, rng.next_u64()).ok()?;
    let mut numbers = graph.numbers(&mined);
    table.reset(graph.len());
    let safe = graph.len() - mines;
    table.open(graph, &numbers, game.first);
    let mut features: Vec<Option<Features>> = Vec::new();
    let mut end = 1.0;
    // Of each guess after the first: what the search gave its best cell; the safety of the cell
    // opened; whether it strayed.
    let mut guesses: Vec<(f32, f32, bool)> = Vec::new();
    while table.cells.iter().filter(|&&c| c != b'.').count() < safe {
        let found = searcher.engine.analyze(graph, &table.cells, told, Limit::default()).ok()?;
        if !found.is_exact() {
            return None;
        }
        if !found.safe.is_empty() {
            for &cell in &found.safe {
                table.open(graph, &numbers, cell as usize);
            }
            continue;
        }
        let guess = searcher.guess(graph, &mut table.cells, told);
        let best = *guess.picks.first()?;
        if guess.exact {
            // Nothing that follows could tell more.
            end = best.value;
            break;
        }
        let mut cell = best.cell as usize;
        let strays = rng.unit() < straying.chance;
        if strays {
            cell = stray(searcher, graph, &mut table.cells, told, &guess.picks, &mut rng)?;
        }
        guesses.push((best.value, 1.0 - found.p_mine[cell] as f32, strays));
        if mined[cell] == 1 {
            let fixed = [(cell, Fixed::Clear)];
            mined = redrawn(searcher, graph, &table.cells, told, &fixed, &mut rng)?;
            numbers = graph.numbers(&mined);
        }
        table.cells[cell] = b'0' + numbers[cell];
        features.push(searcher.features(graph, &table.cells, told, cell));
        table.cells[cell] = b'.';
        table.open(graph, &numbers, cell);
    }
    Some(returns(features, &guesses, end, straying.lambda))
}

/// Labels from the last guess back, after which the chance to win was `end`: what the rest of the
/// game was worth, as far as it was played as the search would.
fn returns(
    features: Vec<Option<Features>>,
    guesses: &[(f32, f32, bool)],
    end: f32,
    lambda: f32,
) -> Vec<Labelled> {
    let mut out = Vec::with_capacity(features.len());
    let mut label = Some(end);
    for (features, &(estimate, safety, strayed)) in features.into_iter().zip(guesses).rev() {
        if let (Some(features), Some(label)) = (features, label) {
            out.push(Labelled { features, label });
        }
        let played = label.filter(|_| !strayed).map(|l| safety * l);
        label = if lambda < 1.0 {
            Some(played.map_or(estimate, |p| lambda * p + (1.0 - lambda) * estimate))
        } else {
            played
        };
    }
    out
}

/// An unbiased estimate of the chance to win a position by the searcher's play, after opening
/// `first` if a cell is given; None where a position was too wide.
pub fn survival(
    searcher: &mut Searcher,
    table: &mut Table,
    graph: &Graph,
    (cells, mines): (&[u8], Option<usize>),
    first: Option<usize>,
    seed: u64,
) -> Option<f64> {
    let mut rng = Rng::new(seed);
    table.cells.clear();
    table.cells.extend(cells.iter().map(|&c| if c == b'F' { b'.' } else { c }));
    let mut mined = redrawn(searcher, graph, &table.cells, mines, &[], &mut rng)?;
    let mut numbers = graph.numbers(&mined);
    let mut first = first;
    let mut weight = 1.0;
    loop {
        let found = searcher.engine.analyze(graph, &table.cells, mines, Limit::default()).ok()?;
        if !found.is_exact() {
            return None;
        }
        let left = table.cells.iter().filter(|&&c| c == b'.').count();
        if found.mined.len() == left {
            return Some(weight);
        }
        let chosen = first.take();
        if chosen.is_none() && !found.safe.is_empty() {
            for &cell in &found.safe {
                table.open(graph, &numbers, cell as usize);
            }
            continue;
        }
        let cell = match chosen {
            Some(cell) => cell,
            None => {
                let guess = searcher.guess(graph, &mut table.cells, mines);
                let best = guess.picks.first()?;
                if guess.exact {
                    return Some(weight * f64::from(best.value));
                }
                best.cell as usize
            }
        };
        weight *= 1.0 - found.p_mine[cell];
        if weight <= 0.0 {
            return Some(0.0);
        }
        if mined[cell] == 1 {
            let fixed = [(cell, Fixed::Clear)];
            mined = redrawn(searcher, graph, &table.cells, mines, &fixed, &mut rng)?;
            numbers = graph.numbers(&mined);
        }
        table.open(graph, &numbers, cell);
    }
}

/// A board drawn among those that fit.
fn redrawn(
    searcher: &mut Searcher,
    graph: &Graph,
    cells: &[u8],
    mines: Option<usize>,
    fixed: &[(usize, Fixed)],
    rng: &mut Rng,
) -> Option<Vec<u8>> {
    let (seed, limit) = (rng.next_u64(), Limit::default());
    searcher.engine.sample(graph, cells, mines, fixed, 1, seed, limit).ok()?.pop()
}

/// Some other cell: one of those considered, or now and then one further off.
fn stray(
    searcher: &mut Searcher,
    graph: &Graph,
    cells: &mut [u8],
    mines: Option<usize>,
    picks: &[Pick],
    rng: &mut Rng,
) -> Option<usize> {
    if rng.unit() < 0.7 {
        return Some(picks[rng.below(picks.len() as u64) as usize].cell as usize);
    }
    let mut view = Default::default();
    if !searcher.engine.look(graph, cells, mines, &mut view) {
        return None;
    }
    let wide = candidates(graph, &view, 0.25, 40);
    Some(wide[rng.below(wide.len() as u64) as usize].cell as usize)
}
