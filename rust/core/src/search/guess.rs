//! The best guess if no cell is proved safe: the value of a cell is its chance of winning, summed
//! over the numbers it may show.
//!
//! On boards that the network does not cover, the chance of surviving the next guess replaces the
//! chance of winning.

use crate::clock::Instant;
use std::collections::HashMap;
use std::sync::Arc;

use crate::analysis::{Analysis, Engine, Hashed, Interrupt};
use crate::frontier::Saved;
use crate::mines::{Knowledge, Mines};
use crate::play::Guesser;
use crate::search::effort::Effort;
use crate::search::features::{Features, Reader, Seen, FEATURES};
use crate::search::network::{is_known, Network, TOLD};
use crate::search::nodes::Nodes;
use crate::search::optimal::{Ask, EndGame, OptimalLimit, Solved};
use crate::search::view::View;
use crate::topology::Graph;

/// A search result.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Guess {
    /// The candidate cells, best first; empty if the position is too wide. After an early stop, it
    /// lists only the cells searched so far.
    pub picks: Vec<Pick>,
    /// Whether the first cell is perfect play; its value is then exact.
    pub exact: bool,
}

/// A candidate cell and its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pick {
    pub cell: u32,
    pub risk: f32,
    /// The estimated chance of winning by opening the cell, including its own risk.
    pub value: f32,
}

/// The evaluation of a position after a guess.
#[derive(Debug, Clone, Copy)]
struct Leaf {
    log_weight: f64,
    value: f32,
    settled: bool,
}

/// One position on the search path, and the saved state for reading its successors.
#[derive(Debug, Default)]
struct Level {
    view: View,
    saved: Saved,
}

/// Searches for guesses; owns the buffers and the engine's memory.
#[derive(Debug)]
pub struct Searcher {
    pub engine: Engine,
    end_game: EndGame,
    network: Option<Arc<Network>>,
    pub effort: Effort,
    levels: [Level; 3],
    reader: Reader,
    nodes_read: Nodes,
    told: Vec<[f32; TOLD]>,
    /// Positions evaluated for the current guess, by the openings that led to them.
    memo: HashMap<u64, Leaf, std::hash::BuildHasherDefault<Hashed>>,
    /// Number of positions evaluated so far.
    pub nodes: u64,
    deadline: Option<Instant>,
    /// Whether the current guess was stopped early.
    stopped: bool,
}

/// A position whose candidate cells are compared.
#[derive(Debug, Clone, Copy)]
struct At<'a> {
    graph: &'a Graph,
    mines: Mines,
    level: &'a Level,
    /// The number of guesses since the root, and their key in `memo`.
    depth: usize,
    path: u64,
}

impl Searcher {
    pub fn new(network: Option<Arc<Network>>, effort: Effort) -> Searcher {
        Searcher {
            engine: Engine::new(),
            end_game: EndGame::new(),
            network,
            effort,
            levels: Default::default(),
            reader: Reader::default(),
            nodes_read: Nodes::default(),
            told: Vec::new(),
            memo: HashMap::default(),
            nodes: 0,
            deadline: None,
            stopped: false,
        }
    }

    /// Sets the limits of later searches: the states of all analyses together, a deadline, and a
    /// stop function.
    pub fn set_limits(
        &mut self,
        states: Option<u64>,
        deadline: Option<Instant>,
        interrupt: Option<Interrupt>,
    ) {
        self.engine.set_states(states.unwrap_or(u64::MAX));
        self.engine.set_deadline(deadline);
        self.engine.set_interrupt(interrupt.clone());
        self.end_game.set_interrupt(interrupt);
        self.deadline = deadline;
    }

    /// Whether a limit has been reached.
    pub fn is_spent(&self) -> bool {
        self.engine.is_spent()
    }

    /// The deadline for perfect play, which leaves half of the time for the search.
    fn half_time(&self) -> Option<Instant> {
        let now = Instant::now();
        self.deadline.map(|end| now + end.saturating_duration_since(now) / 2)
    }

    /// Searches a position in which nothing is proved safe.
    pub fn guess(&mut self, graph: &Graph, cells: &mut [u8], known: impl Into<Knowledge>) -> Guess {
        let known = known.into();
        let mines = known.mines;
        self.memo.clear();
        self.stopped = false;
        let mut root = std::mem::take(&mut self.levels[0]);
        let mut picks = Vec::new();
        if self.engine.look(graph, cells, known, &mut root.view) {
            self.engine.frontier.save(&mut root.saved);
            let effort = self.effort;
            let perfect = (effort.solutions, effort.states);
            if let Some(found) = self.perfect(graph, cells, known, &root.view, perfect) {
                if let Some(cell) = found.cell {
                    let value = found.value();
                    let risk = root.view.p_mine[cell as usize];
                    self.levels[0] = root;
                    return Guess { picks: vec![Pick { cell, risk, value }], exact: true };
                }
            }
            picks = candidates(graph, &root.view, effort.margin, effort.cells);
            let at = At { graph, mines, level: &root, depth: 0, path: 0 };
            let best = self.best(at, cells, &mut picks);
            if effort.deep > 0 && picks.len() > 1 {
                for pick in picks.iter_mut().take(effort.deep) {
                    if pick.value >= best - effort.near {
                        let deeper = self.worth(at, cells, pick.cell, true, -1.0);
                        if self.stopped {
                            break;
                        }
                        pick.value = deeper;
                    } else {
                        pick.value = pick.value.min(best - effort.near);
                    }
                }
                picks.sort_by(|a, b| b.value.total_cmp(&a.value));
            }
        }
        self.levels[0] = root;
        Guess { picks, exact: false }
    }

    /// Plays perfectly, if there are few enough solutions.
    fn perfect(
        &mut self,
        graph: &Graph,
        cells: &[u8],
        known: Knowledge,
        view: &View,
        (solutions, states): (usize, u64),
    ) -> Option<Solved> {
        if known.mines == Mines::Unknown || view.log_solutions > (solutions as f64 + 0.5).ln() {
            return None;
        }
        let limit = OptimalLimit { solutions, states, deadline: self.half_time() };
        self.end_game.solve(graph, cells, known, limit, Ask::Cell).ok().flatten()
    }

    /// The value that the last search gave the position after a cell shows a number, if it
    /// evaluated that position.
    pub fn value(&self, cell: usize, number: usize) -> Option<f32> {
        self.memo.get(&mark(cell as u32, number)).map(|leaf| leaf.value)
    }

    /// Computes the features of a position whose last opened cell is `opened`, without searching.
    pub fn features(
        &mut self,
        graph: &Graph,
        cells: &[u8],
        mines: impl Into<Mines>,
        opened: usize,
    ) -> Option<(Features, &Nodes)> {
        let mines = mines.into();
        let mut features = [0.0; FEATURES];
        let view = &mut self.levels[0].view;
        if !self.engine.look(graph, cells, mines, view) {
            return None;
        }
        let frontier = &self.engine.frontier;
        let seen = Seen { graph, frontier, view, cells, mines, opened };
        self.reader.read(seen, &mut features, &mut self.nodes_read);
        Some((features, &self.nodes_read))
    }

    /// Computes the value of each cell, sorts the cells, and returns the best value. If the search
    /// is stopped, the remaining cells are left out.
    fn best(&mut self, at: At, cells: &mut [u8], picks: &mut Vec<Pick>) -> f32 {
        let mut best = -1.0f32;
        for number in 0..picks.len() {
            let enough = if self.effort.every && at.depth == 0 { -1.0 } else { best };
            let value = self.worth(at, cells, picks[number].cell, false, enough);
            if self.stopped {
                picks.truncate(number);
                break;
            }
            picks[number].value = value;
            best = best.max(value);
        }
        picks.sort_by(|a, b| b.value.total_cmp(&a.value));
        best
    }

    /// The chance of winning by opening a cell, or a lower value if it cannot exceed `enough`. The
    /// result is meaningless if the search is stopped.
    fn worth(&mut self, at: At, cells: &mut [u8], cell: u32, deep: bool, enough: f32) -> f32 {
        let index = cell as usize;
        let view = &at.level.view;
        let around = at.graph.neighbours(index);
        let near = |known: bool| {
            let is = |p: f32| if known { p >= 1.0 } else { p > 0.0 };
            let mines = around.iter().filter(|&&n| is(view.p_mine[n as usize])).count();
            mines + around.iter().filter(|&&n| cells[n as usize] == b'*').count()
        };
        let (least, most) = (near(true), near(false));
        let before = cells[index];
        let (mut worth, mut left) = (0.0, 1.0 - view.p_mine[index]);
        let (mut most_seen, mut seen) = (0.0f32, 0);
        for number in least..=most {
            // Larger numbers rarely lead to a higher value than smaller ones.
            let cap = if seen < 2 { 1.0 } else { (RISE * most_seen).min(1.0) };
            if worth + left * cap <= enough || left < 1e-5 {
                break;
            }
            self.stopped = self.stopped || self.is_spent();
            if self.stopped {
                break;
            }
            cells[index] = b'0' + number as u8;
            let key = at.path ^ mark(cell, number);
            if let Some(leaf) = self.leaf(at, cells, key, index) {
                let chance = (leaf.log_weight - view.log_weight).exp() as f32;
                let mut value = leaf.value;
                if deep && !leaf.settled && chance >= self.effort.likely {
                    value = self.second(at, cells, key);
                }
                worth += chance * value;
                most_seen = most_seen.max(value);
                seen += 1;
                left -= chance;
            }
        }
        cells[index] = before;
        // The position may have been abandoned only because of a limit.
        self.stopped = self.stopped || self.is_spent();
        worth
    }

    /// Evaluates the position after one more opened cell.
    fn leaf(&mut self, at: At, cells: &[u8], key: u64, opened: usize) -> Option<Leaf> {
        let At { graph, mines, depth, .. } = at;
        if let Some(leaf) = self.memo.get(&key) {
            return Some(*leaf);
        }
        self.engine.frontier.restore(&at.level.saved);
        let view = &mut self.levels[depth + 1].view;
        self.nodes += 1;
        // The game may be over, so all arrangements count towards the chance of the number.
        let known = Knowledge { mines, running: false };
        if !self.engine.look(graph, cells, known, view) {
            return None;
        }
        let leaf = if view.is_settled() {
            Leaf { log_weight: view.log_weight, value: 1.0, settled: true }
        } else {
            let (over, least) = view.going_on();
            let settled = least <= 0.0;
            let few = self.effort.leaf_solutions;
            if mines != Mines::Unknown && view.log_solutions <= (few as f64 + 0.5).ln() {
                let (states, deadline) = (4 * few as u64, self.deadline);
                let limit = OptimalLimit { solutions: few, states, deadline };
                let solved = self.end_game.solve(graph, cells, known, limit, Ask::Cell).ok();
                if let Some(solved) = solved.flatten() {
                    let value = solved.value();
                    let leaf = Leaf { log_weight: view.log_weight, value, settled: true };
                    self.memo.insert(key, leaf);
                    return Some(leaf);
                }
            }
            let survival = if settled { 1.0 } else { self.effort.again * (1.0 - least) };
            let network = self.network.as_ref().filter(|_| is_known(graph.len(), mines));
            let value = match network {
                Some(network) => {
                    let mut features = [0.0; FEATURES];
                    let (frontier, nodes) = (&self.engine.frontier, &mut self.nodes_read);
                    let seen = Seen { graph, frontier, view, cells, mines, opened };
                    self.reader.read(seen, &mut features, nodes);
                    network.win_chance(&features, nodes, &mut self.told)
                        * survival.powf(self.effort.blend)
                }
                None => survival,
            };
            let value = over + (1.0 - over) * value;
            Leaf { log_weight: view.log_weight, value, settled }
        };
        self.memo.insert(key, leaf);
        Some(leaf)
    }

    /// The best second guess after one more opened cell.
    fn second(&mut self, at: At, cells: &mut [u8], key: u64) -> f32 {
        let At { graph, mines, depth, .. } = at;
        let mut level = std::mem::take(&mut self.levels[depth + 1]);
        self.engine.frontier.restore(&at.level.saved);
        // The position was evaluated before, so it is consistent.
        self.engine.look(graph, cells, mines, &mut level.view);
        self.engine.frontier.save(&mut level.saved);
        let mut picks = candidates(graph, &level.view, self.effort.margin, self.effort.second);
        let next = At { level: &level, depth: depth + 1, path: key, ..at };
        let over = level.view.over as f32;
        let best = over + (1.0 - over) * self.best(next, cells, &mut picks);
        self.levels[depth + 1] = level;
        best
    }
}

impl Guesser for Searcher {
    fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    fn set_interrupt(&mut self, interrupt: Option<Interrupt>) {
        self.set_limits(None, None, interrupt);
    }

    fn guess(
        &mut self,
        graph: &Graph,
        cells: &mut [u8],
        mines: Mines,
        found: &Analysis,
    ) -> Option<(usize, f64)> {
        let guess = Searcher::guess(self, graph, cells, mines);
        guess.picks.first().map(|pick| (pick.cell as usize, found.p_mine[pick.cell as usize]))
    }
}

/// A hash of opening a cell and seeing this number (SplitMix64's mixing).
fn mark(cell: u32, number: usize) -> u64 {
    let mut z = (u64::from(cell) * 32 + number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// After two numbers, each remaining one is assumed to be worth at most this many times the best so
/// far.
const RISE: f32 = 1.1;
/// Each unsettled neighbour lowers a cell's priority by the first amount, and each opened one
/// raises it by the second: a number is worth more if it constrains few cells and touches known
/// ones.
const UNSETTLED: f32 = 0.0125;
const OPENED: f32 = 0.04;
/// The number of equivalent cells to consider.
const ALIKE: usize = 2;

/// The unopened cells worth searching, the most promising first.
pub fn candidates(graph: &Graph, view: &View, margin: f32, most: usize) -> Vec<Pick> {
    let p_mine = &view.p_mine;
    let least = p_mine.iter().copied().fold(1.0, f32::min);
    let mut picks: Vec<(f32, f32, u32, Pick)> = Vec::new();
    // Most cells that touch no number are equivalent to an earlier one.
    let mut floating: Vec<((f32, f32), usize)> = Vec::new();
    for (cell, &p) in p_mine.iter().enumerate() {
        if !(p <= least + margin && p < 1.0) {
            continue;
        }
        let mut zero = 1.0 - p;
        let (mut opened, mut unsettled) = (0, 0);
        for &n in graph.neighbours(cell) {
            let other = p_mine[n as usize];
            if other.is_nan() {
                opened += 1;
            } else {
                zero *= 1.0 - other;
                unsettled += u32::from(other > 0.0 && other < 1.0);
            }
        }
        let known = if opened > 0 { OPENED } else { 0.0 };
        let promise = 1.0 - p - UNSETTLED * unsettled as f32 + known;
        if opened == 0 {
            match floating.iter_mut().find(|(same, _)| *same == (promise, zero)) {
                Some((_, cells)) if *cells == ALIKE => continue,
                Some((_, cells)) => *cells += 1,
                None => floating.push(((promise, zero), 1)),
            }
        }
        picks.push((promise, zero, opened, Pick { cell: cell as u32, risk: p, value: 0.0 }));
    }
    picks.sort_by(|a, b| {
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.3.cell.cmp(&b.3.cell))
    });
    let (mut alike, mut last) = (0, (f32::NAN, f32::NAN, u32::MAX));
    let mut out = Vec::with_capacity(most);
    for (promise, zero, opened, pick) in picks {
        let near = (promise - last.0).abs() < 1e-6 && (zero - last.1).abs() < 1e-6;
        alike = if near && opened == last.2 { alike + 1 } else { 0 };
        last = (promise, zero, opened);
        if alike < ALIKE {
            out.push(pick);
            if out.len() == most {
                break;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::position;

    fn considered(rows: &[&str], mines: usize, margin: f32, most: usize) -> Vec<Pick> {
        let (graph, cells) = position(rows);
        let mut view = View::default();
        assert!(Engine::new().look(&graph, &cells, Some(mines), &mut view));
        candidates(&graph, &view, margin, most)
    }

    const ROWS: [&str; 6] =
        ["..........", "..........", ".....1....", "..........", "..........", ".........."];

    #[test]
    fn cells_with_few_unsettled_neighbours_come_first() {
        // On an unopened board, all cells are equally risky: corners come first, then edges.
        let picks = considered(&["........"; 6], 10, 0.1, 40);
        let degree = |pick: &Pick| {
            let (row, col) = (pick.cell / 8, pick.cell % 8);
            (if row % 5 == 0 { 2 } else { 3 }) * (if col % 7 == 0 { 2 } else { 3 })
        };
        let degrees: Vec<u32> = picks.iter().map(degree).collect();
        // Of several equivalent cells, two are candidates.
        assert_eq!(degrees, [4, 4, 6, 6, 9, 9]);
    }

    #[test]
    fn of_cells_as_risky_the_one_next_to_a_number_comes_first() {
        let picks = considered(&ROWS, 12, 0.2, 40);
        assert!(picks.iter().any(|p| p.cell == 0) && picks.len() > 4);
        // Around the number the risk is 1/8, elsewhere 11/51.
        assert!(picks[0].risk < 0.13 && picks[0].cell.abs_diff(25) <= 11);
    }

    #[test]
    fn riskier_cells_and_more_than_wanted_are_left_out() {
        let wide = considered(&ROWS, 12, 0.2, 40);
        let narrow = considered(&ROWS, 12, 0.01, 40);
        assert!(narrow.len() < wide.len() && narrow.iter().all(|p| p.risk < 0.13));
        assert_eq!(considered(&ROWS, 12, 0.2, 3), wide[..3]);
    }

    #[test]
    fn a_search_ends_with_its_states_and_when_asked() {
        let (graph, mut cells) = position(&ROWS);
        let effort =
            Effort { margin: 1.0, cells: 40, again: 1.0, every: true, ..Effort::default() };
        let mut searcher = Searcher::new(None, effort);
        let whole = searcher.guess(&graph, &mut cells, 12).picks;
        searcher.set_limits(Some(200), None, None);
        let part = searcher.guess(&graph, &mut cells, 12).picks;
        assert!(!part.is_empty() && part.len() < whole.len(), "{} {}", part.len(), whole.len());
        searcher.set_limits(None, None, Some(Interrupt::new(|| true)));
        assert!(searcher.guess(&graph, &mut cells, 12).picks.is_empty());
        searcher.set_limits(None, Some(Instant::now()), None);
        assert!(searcher.guess(&graph, &mut cells, 12).picks.is_empty());
        searcher.set_limits(None, None, None);
        assert_eq!(searcher.guess(&graph, &mut cells, 12).picks, whole);
    }
}
