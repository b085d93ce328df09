//! Labelled positions for training: games in which no guess is fatal, weighted by their risks.
//!
//! After each guess, the rest of the board is redrawn from the boards on which the guess is safe,
//! so every game is played to its end. The product of the safeties of all later guesses is then an
//! unbiased estimate of the win chance, much less noisy than the outcome of a game.

use crate::analysis::Limit;
use crate::frontier::{is_number, Fixed};
use crate::generate::{self, Rng};
use crate::mines::{Knowledge, Mines};
use crate::play::{Match, Table};
use crate::search::guess::{candidates, Pick, Searcher};
use crate::topology::Graph;

/// A position after a guess, and its label.
#[derive(Debug, Clone)]
pub struct Labelled {
    /// The position, as ASCII cells, right after `opened` was opened, before its zeros are
    /// expanded.
    pub cells: Vec<u8>,
    pub opened: u32,
    /// The value of the rest of the game: an unbiased estimate of the win chance.
    pub label: f32,
    /// The same value mixed, at each later guess, with the search's own estimate, which has the
    /// weight `ESTIMATED`.
    pub mixed: f32,
    pub plain: f32,
    /// The chance that a game reaches this position.
    pub weight: f32,
}

/// A point where a game branches off: the position, its mines, the cell to open, and the weight.
struct Fork {
    cells: Vec<u8>,
    mined: Vec<u8>,
    cell: usize,
    weight: f32,
}

/// A guess: the position after it, the safety of the opened cell, and the search's values of that
/// cell and of the number shown.
struct Step {
    row: Labelled,
    safety: f32,
    estimate: f32,
    shown: f32,
}

/// Plays one game to its end. With probability `forks`, each guess also starts a game that opens
/// another cell. None if a position was too wide.
pub fn labelled(
    searcher: &mut Searcher,
    table: &mut Table,
    graph: &Graph,
    game: &Match,
    forks: f64,
    seed: u64,
) -> Option<Vec<Labelled>> {
    let mut rng = Rng::new(seed);
    let Mines::Total(mines) = game.mines else { return None };
    let told = game.mines;
    let mined = generate::uniform(graph.len(), mines, &game.clear, rng.next_u64()).ok()?;
    table.reset(graph.len());
    table.open(graph, &graph.numbers(&mined), game.first);
    let mut out = Vec::new();
    let mut waiting: Vec<Fork> = Vec::new();
    let mut at = (mined, None, 1.0);
    let mut chance = forks;
    loop {
        out.extend(line(searcher, table, graph, told, at, (chance, &mut waiting), &mut rng)?);
        let Some(fork) = waiting.pop() else { return Some(out) };
        table.cells = fork.cells;
        at = (fork.mined, Some(fork.cell), fork.weight);
        chance = 0.0;
    }
}

/// Plays from the table's position, opening `first` first if it is given.
fn line(
    searcher: &mut Searcher,
    table: &mut Table,
    graph: &Graph,
    told: Mines,
    (mut mined, mut first, mut weight): (Vec<u8>, Option<usize>, f32),
    (forks, waiting): (f64, &mut Vec<Fork>),
    rng: &mut Rng,
) -> Option<Vec<Labelled>> {
    let mut numbers = graph.numbers(&mined);
    let safe = mined.iter().filter(|&&m| m == 0).count();
    let mut end = 1.0;
    let mut steps: Vec<Step> = Vec::new();
    while table.cells.iter().filter(|&&c| c != b'.').count() < safe {
        let found = searcher.engine.analyze(graph, &table.cells, told, Limit::default()).ok()?;
        if !found.is_exact() {
            return None;
        }
        let chosen = first.take();
        if chosen.is_none() && !found.safe.is_empty() {
            for &cell in &found.safe {
                table.open(graph, &numbers, cell as usize);
            }
            continue;
        }
        let (cell, estimate) = match chosen {
            Some(cell) => (cell, 0.0),
            None => {
                let guess = searcher.guess(graph, &mut table.cells, told);
                let best = *guess.picks.first()?;
                if guess.exact {
                    // The value is exact, so later guesses add no information.
                    end = best.value;
                    break;
                }
                if rng.unit() < forks {
                    let cell = stray(searcher, graph, &mut table.cells, told, &guess.picks, rng)?;
                    let (cells, mined) = (table.cells.clone(), mined.clone());
                    waiting.push(Fork { cells, mined, cell, weight });
                }
                (best.cell as usize, best.value)
            }
        };
        let safety = 1.0 - found.p_mine[cell] as f32;
        weight *= safety;
        if mined[cell] == 1 {
            let fixed = [(cell, Fixed::Clear)];
            mined = redrawn(searcher, graph, &table.cells, told, &fixed, rng)?;
            numbers = graph.numbers(&mined);
        }
        table.cells[cell] = b'0' + numbers[cell];
        let cells = table.cells.clone();
        let row =
            Labelled { cells, opened: cell as u32, label: 0.0, mixed: 0.0, plain: 0.0, weight };
        let shown = searcher.value(cell, numbers[cell].into()).unwrap_or(estimate / safety);
        steps.push(Step { row, safety, estimate, shown });
        table.cells[cell] = b'.';
        table.open(graph, &numbers, cell);
    }
    Some(returns(steps, end))
}

/// The weight of the search's estimate at each guess in a mixed label.
const ESTIMATED: f32 = 0.1;

/// Computes the labels backwards from the last guess, after which the win chance was `end`.
///
/// The luck of a shown number is its value minus the mean, which the search knows exactly.
/// Subtracting the luck makes labels less noisy without changing their mean.
fn returns(mut steps: Vec<Step>, end: f32) -> Vec<Labelled> {
    let (mut label, mut mixed, mut plain) = (end, end, end);
    for step in steps.iter_mut().rev() {
        (step.row.label, step.row.mixed, step.row.plain) = (label, mixed, plain);
        plain *= step.safety;
        label = step.safety * (label - step.shown) + step.estimate;
        mixed = step.safety * (mixed - step.shown) + step.estimate;
        mixed = (1.0 - ESTIMATED) * mixed + ESTIMATED * step.estimate;
    }
    steps.into_iter().map(|step| step.row).collect()
}

/// An unbiased estimate of the searcher's win chance in a position, after opening `first` if given;
/// None if a position was too wide.
pub fn survival(
    searcher: &mut Searcher,
    table: &mut Table,
    graph: &Graph,
    (cells, known): (&[u8], impl Into<Knowledge>),
    first: Option<usize>,
    seed: u64,
) -> Option<f64> {
    let mut rng = Rng::new(seed);
    table.cells.clear();
    table.cells.extend(cells.iter().map(|&c| if c == b'F' { b'.' } else { c }));
    let mut known = known.into();
    let mut mined = redrawn(searcher, graph, &table.cells, known, &[], &mut rng)?;
    let mut numbers = graph.numbers(&mined);
    let mut first = first;
    let mut weight = 1.0;
    let mut ends = table.cells.iter().any(|&cell| is_number(cell)) && first.is_none();
    loop {
        let is_open = |cell: usize| table.cells[cell] != b'.';
        if ends && mined.iter().enumerate().all(|(cell, &mine)| mine == 1 || is_open(cell)) {
            return Some(weight);
        }
        // A game that goes on is not over.
        known.running |= ends;
        ends = true;
        let found = searcher.engine.analyze(graph, &table.cells, known, Limit::default()).ok()?;
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
                let guess = searcher.guess(graph, &mut table.cells, known);
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
            mined = redrawn(searcher, graph, &table.cells, known, &fixed, &mut rng)?;
            numbers = graph.numbers(&mined);
        }
        table.open(graph, &numbers, cell);
    }
}

/// A random board that fits the position.
fn redrawn(
    searcher: &mut Searcher,
    graph: &Graph,
    cells: &[u8],
    known: impl Into<Knowledge>,
    fixed: &[(usize, Fixed)],
    rng: &mut Rng,
) -> Option<Vec<u8>> {
    let (seed, limit) = (rng.next_u64(), Limit::default());
    searcher.engine.sample(graph, cells, known, fixed, 1, seed, limit).ok()?.pop()
}

/// A different cell: usually a candidate, sometimes any other.
fn stray(
    searcher: &mut Searcher,
    graph: &Graph,
    cells: &mut [u8],
    mines: Mines,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::effort::Effort;
    use crate::search::optimal::{Ask, EndGame, OptimalLimit};
    use crate::testing::position;

    /// A searcher that plays positions with at most this many solutions perfectly.
    fn searcher(solutions: usize) -> Searcher {
        let effort = Effort {
            margin: 0.2,
            cells: 20,
            solutions,
            states: 10_000,
            again: 1.0,
            ..Effort::default()
        };
        Searcher::new(None, effort)
    }

    fn step(safety: f32, estimate: f32, shown: f32) -> Step {
        let row =
            Labelled { cells: vec![], opened: 0, label: 0.0, mixed: 0.0, plain: 0.0, weight: 1.0 };
        Step { row, safety, estimate, shown }
    }

    #[test]
    fn labels_without_estimates_of_luck_are_products_of_later_safeties() {
        // The number has its expected value, so nothing is subtracted.
        let steps = vec![step(0.9, 0.45, 0.5), step(0.8, 0.4, 0.5), step(0.5, 0.25, 0.5)];
        let plain: Vec<f32> = returns(steps, 0.6).iter().map(|row| row.plain).collect();
        let expected = [0.8 * 0.5 * 0.6, 0.5 * 0.6, 0.6];
        assert!(plain.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6));
    }

    #[test]
    fn taking_luck_off_leaves_the_mean_of_the_labels() {
        // A guess at 0.9, then one at 0.8 that shows one of two numbers: a won position with
        // probability 1/4, otherwise a coin toss. The search knows both values.
        let value = 0.25 * 1.0 + 0.75 * 0.5;
        let (mut label, mut mixed, mut plain) = (0.0, 0.0, 0.0);
        for (chance, end) in [(0.25, 1.0), (0.75, 0.5)] {
            let steps = vec![step(0.9, 0.9 * value, value), step(0.8, 0.8 * value, end)];
            let first = returns(steps, end).swap_remove(0);
            label += chance * first.label;
            mixed += chance * first.mixed;
            plain += chance * first.plain;
            // The luck is known completely, so the label has no variance.
            assert!((first.label - 0.8 * value).abs() < 1e-6);
        }
        assert!((plain - 0.8 * value).abs() < 1e-6);
        assert!((label - plain).abs() < 1e-6 && (mixed - plain).abs() < 1e-6);
    }

    #[test]
    fn survival_is_the_chance_to_win_on_average() {
        let (graph, cells) = position(&["...", ".1.", "...", "..."]);
        let limit = OptimalLimit { solutions: 1000, states: 10_000, deadline: None };
        let solved = EndGame::new().solve(&graph, &cells, 3, limit, Ask::Wins).unwrap().unwrap();
        let (mut player, mut table) = (searcher(1000), Table::default());
        for &(cell, wins) in solved.cell_wins.iter().step_by(3) {
            let mut sum = 0.0;
            for seed in 0..300 {
                let at = (&cells[..], Mines::Total(3));
                let first = Some(cell as usize);
                sum += survival(&mut player, &mut table, &graph, at, first, seed).unwrap();
            }
            let expected = wins as f64 / solved.solutions as f64;
            assert!((sum / 300.0 - expected).abs() < 0.05, "{cell}: {} {expected}", sum / 300.0);
        }
        // Without a first cell, the value of perfect play is known immediately.
        let at = (&cells[..], Mines::Total(3));
        let found = survival(&mut player, &mut table, &graph, at, None, 1).unwrap();
        assert!((found - solved.wins as f64 / solved.solutions as f64).abs() < 1e-6);
    }

    #[test]
    fn labels_are_the_chance_to_win_on_average() {
        let graph = Graph::rectangle(4, 3).unwrap();
        let game = Match { mines: Mines::Total(3), first: 0, clear: vec![0] };
        let (mut player, mut table) = (searcher(3), Table::default());
        let (mut label, mut plain, mut rows) = (0.0, 0.0, 0);
        for seed in 0..400 {
            for row in labelled(&mut player, &mut table, &graph, &game, 0.3, seed).unwrap() {
                let opened = row.opened as usize;
                assert!(row.cells[opened].is_ascii_digit());
                assert!(row.weight > 0.0 && row.weight <= 1.0);
                label += f64::from(row.label);
                plain += f64::from(row.plain);
                rows += 1;
            }
        }
        assert!(rows > 400);
        let mean = |sum: f64| sum / f64::from(rows);
        assert!((mean(label) - mean(plain)).abs() < 0.02, "{} {}", mean(label), mean(plain));
    }

    #[test]
    fn a_game_without_a_total_is_not_labelled() {
        let graph = Graph::rectangle(4, 3).unwrap();
        let game = Match { mines: Mines::Density(0.2), first: 0, clear: vec![] };
        let found = labelled(&mut searcher(3), &mut Table::default(), &graph, &game, 0.0, 1);
        assert!(found.is_none());
    }
}
