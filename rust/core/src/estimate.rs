//! Handles positions beyond the budget: proves the cells it can, and estimates the others with a
//! margin of error.
//!
//! A component too wide to count is swept with its states thinned out at random, so that the
//! expectation of every count is its true value. Several such sweeps give a ratio estimate of each
//! chance and, by the jackknife, its error. Estimates never prove a cell, but the arrangements
//! found along the way speed up proofs.
//!
//! A component is left out if there is no time to sweep it, or if no kept state leads to a
//! solution: its cells count as floating, with an error of 1.

use std::sync::Arc;

use crate::allowed::Allowed;
use crate::analysis::{wrong_total, Analysis, Counted, Engine, Unsolved};
use crate::budget::Budget;
use crate::component::Component;
use crate::error::BoardError;
use crate::frontier::{Frontier, Mark, Shape};
use crate::generate::Rng;
use crate::lattice::{Lattice, Stopped};
use crate::order;
use crate::share::BoxShare;
use crate::total::{Part, Weights};

/// Number of sweeps; their spread gives the error.
const SWEEPS: usize = 16;
/// Student's t, 97.5 %, by number of sweeps minus one.
const T: [f64; SWEEPS] = [
    f64::INFINITY,
    12.71,
    4.303,
    3.182,
    2.776,
    2.571,
    2.447,
    2.365,
    2.306,
    2.262,
    2.228,
    2.201,
    2.179,
    2.160,
    2.145,
    2.131,
];
/// The number of states that a sweep keeps in all layers, and its bounds for a single layer.
const SWEEP_STATES: usize = 400_000;
const LAYER_STATES: (usize, usize) = (50, 4_000);
/// The fraction of the time for sweeps; the rest is for proofs.
const SWEEP_PART: f64 = 0.8;
/// A component is left out after this many consecutive sweeps without a solution.
const DEATHS: usize = 3;
/// The minimum error under a mine total with components left out: their unknown mine count shifts
/// all other chances. Indexed by the share of unsettled cells left out; `benchmarks/left_out.py`
/// checks that no cell has a larger error.
const LEFT_OUT_ERROR: f64 = 1.5;
const LEFT_OUT_MOST: f64 = 0.5;

/// A component that was not counted.
struct Wide {
    index: usize,
    shape: Shape,
    /// Empty if no order was found in time.
    order: Vec<u32>,
    /// The number of sweeps in which no kept state led to a solution, and whether any sweep found a
    /// solution.
    deaths: usize,
    is_left_out: bool,
    seen_mined: Vec<bool>,
    seen_clear: Vec<bool>,
}

impl Wide {
    /// None if there is no time to find an order.
    fn new(
        frontier: &Frontier,
        index: usize,
        known: Option<Vec<u32>>,
        budget: &Budget,
    ) -> Option<Wide> {
        if known.is_none() && budget.is_late() {
            return None;
        }
        let mut made = Wide::unreached(frontier, index);
        made.order = known.or_else(|| order::best(&made.shape, budget))?;
        made.is_left_out = false;
        Some(made)
    }

    fn unreached(frontier: &Frontier, index: usize) -> Wide {
        let shape = Shape::decode(frontier.key(index));
        let unseen = vec![false; shape.boxes()];
        Wide {
            index,
            shape,
            order: Vec::new(),
            deaths: 0,
            is_left_out: true,
            seen_mined: unseen.clone(),
            seen_clear: unseen,
        }
    }
}

/// One sweep's outcome: the logarithm of its count, and each cell's chance.
struct Sweep {
    log_count: f64,
    p_mine: Vec<f64>,
}

impl Engine {
    pub(crate) fn estimate(
        &mut self,
        mut counted: Counted,
        budget: Budget,
    ) -> Result<Analysis, BoardError> {
        let frontier = &self.frontier;
        let mut in_time = budget.part(SWEEP_PART);
        in_time.reserve(counted.reading);
        let (mut wide, mut unreached) = (Vec::new(), Vec::new());
        for index in 0..counted.components.len() {
            if counted.components[index].is_some() {
                continue;
            }
            match Wide::new(frontier, index, counted.orders[index].take(), &in_time) {
                Some(made) => wide.push(made),
                None => unreached.push(index),
            }
        }
        let allowed = bounds(frontier, &counted, &budget)?;
        // A fixed seed, so that the same position gets the same estimate.
        let mut rng = Rng::new(0x5A99E7);
        let mut sweeps = Vec::new();
        for done in 0..SWEEPS {
            if done > 0 && in_time.is_late() {
                break;
            }
            // The first sweep is limited: when time is up it leaves out the remaining components.
            match sweep(frontier, &counted, &mut wide, &unreached, &mut rng, &in_time, done == 0) {
                Ok(made) => sweeps.push(made),
                Err(Late) => break,
            }
        }
        let (p_mine, error) = combine(&sweeps, frontier, &counted, &wide, &unreached);
        let mut out = Analysis::empty(frontier.floating, counted.mines);
        out.p_mine = p_mine;
        out.p_mine_error = Some(error);
        // Smallest first, because there may not be time to prove all of them.
        wide.extend(
            unreached
                .iter()
                .map_while(|&index| (!budget.is_late()).then(|| Wide::unreached(frontier, index))),
        );
        wide.sort_by_key(|w| w.shape.boxes());
        out.unsolved =
            wide.iter().map_while(|w| (!budget.is_late()).then(|| unsolved(frontier, w))).collect();
        self.prove(&counted, &allowed, &budget, &mut out);
        Ok(out)
    }

    /// Cells proved even though some components are uncounted and may hold any number of mines.
    fn prove(&mut self, counted: &Counted, allowed: &Allowed, budget: &Budget, out: &mut Analysis) {
        let floating = BoxShare {
            p_mine: 0.0,
            can_be_mine: allowed.floating_can_be_mine,
            can_be_clear: allowed.floating_can_be_clear,
        };
        for (cell, &mark) in self.frontier.marks.iter().enumerate() {
            let mark = match mark {
                Mark::Floating => floating.proves(),
                Mark::Safe | Mark::Mine => Some(mark),
                _ => None,
            };
            out.settle(cell as u32, mark);
        }
        for (i, component) in counted.components.iter().enumerate() {
            let Some(component) = component else { continue };
            let counts = allowed.counts.as_ref().map(|a| &a[i][..]);
            let weights = vec![1.0; component.counts.len()];
            if !component.shares(&weights, counts, budget, &mut self.shares) {
                continue;
            }
            let mut cells = self.frontier.cells(i).iter();
            for (share, &size) in self.shares.iter().zip(&component.sizes) {
                for &cell in cells.by_ref().take(usize::from(size)) {
                    out.settle(cell, share.proves());
                }
            }
        }
        out.safe.sort_unstable();
        out.mined.sort_unstable();
    }
}

/// The counts that the total allows, with uncounted components unrestricted.
fn bounds(frontier: &Frontier, counted: &Counted, budget: &Budget) -> Result<Allowed, BoardError> {
    let Some(mines) = counted.known.total() else { return Ok(Allowed::all(frontier)) };
    let largest = (0..frontier.components()).map(|i| frontier.cells(i).len()).max().unwrap_or(0);
    let free = vec![1.0; largest + 1];
    let parts: Vec<Part> = counted
        .components
        .iter()
        .enumerate()
        .map(|(i, component)| match component {
            Some(component) => component.part(),
            None => Part { least: 0, counts: &free[..=frontier.cells(i).len()] },
        })
        .collect();
    // If time is up, nothing is ruled out.
    let support = |i: usize| {
        let known = counted.components[i].as_ref().and_then(|c| c.support(budget));
        known.unwrap_or_else(|| vec![true; parts[i].counts.len()])
    };
    Allowed::new(&parts, counted.rest, support).ok_or_else(|| {
        wrong_total(mines, frontier, counted.components.iter().map(Option::as_deref))
    })
}

/// Time ran out.
struct Late;

/// One estimate of the whole position, or None if no kept state led to a solution.
///
/// With `finish`, components that there is no time to sweep are left out instead of causing a
/// failure.
fn sweep(
    frontier: &Frontier,
    counted: &Counted,
    wide: &mut [Wide],
    unreached: &[usize],
    rng: &mut Rng,
    budget: &Budget,
    finish: bool,
) -> Result<Option<Sweep>, Late> {
    let mut components: Vec<Option<Arc<Component>>> = counted.components.clone();
    let mut died = false;
    for w in wide.iter_mut().filter(|w| !w.is_left_out) {
        match swept(w, counted.known.are_counted(), rng, budget) {
            Ok(component) => {
                w.deaths = 0;
                components[w.index] = Some(Arc::new(component));
            }
            Err(Stopped::Budget) if budget.is_late() && !finish => return Err(Late),
            Err(Stopped::Budget) => w.is_left_out = true,
            Err(Stopped::Empty) => {
                w.deaths += 1;
                w.is_left_out = w.deaths >= DEATHS;
                died = true;
            }
        }
    }
    if died {
        return Ok(None);
    }
    let mut rest = counted.rest;
    for w in wide.iter().filter(|w| w.is_left_out) {
        rest.floating += w.shape.cells() as i64;
    }
    for &i in unreached {
        rest.floating += frontier.cells(i).len() as i64;
    }
    let known: Vec<(usize, Arc<Component>)> = components
        .into_iter()
        .enumerate()
        .filter_map(|(i, component)| Some((i, component?)))
        .collect();
    let parts: Vec<Part> = known.iter().map(|(_, c)| c.part()).collect();
    let weights = match counted.mines {
        None => Weights::untotalled(&parts, rest.floating, counted.known),
        Some(_) => Weights::new(&parts, rest),
    };
    let scale: i64 = known.iter().map(|(_, c)| c.exponent).sum();
    let log_count = weights.log_total + scale as f64 * std::f64::consts::LN_2;
    if !log_count.is_finite() {
        return Ok(None);
    }
    let mut p_mine = vec![weights.floating_p_mine; frontier.marks.len()];
    let mut shares = Vec::new();
    for (at, (i, component)) in known.iter().enumerate() {
        if !component.shares(weights.of(at), None, budget, &mut shares) {
            if !finish {
                return Err(Late);
            }
            continue;
        }
        let mut cells = frontier.cells(*i).iter();
        for (share, &size) in shares.iter().zip(&component.sizes) {
            for &cell in cells.by_ref().take(usize::from(size)) {
                p_mine[cell as usize] = share.p_mine;
            }
        }
    }
    Ok(Some(Sweep { log_count, p_mine }))
}

/// One component with its states thinned out, and the steps it uses.
fn swept(w: &mut Wide, graded: bool, rng: &mut Rng, budget: &Budget) -> Result<Component, Stopped> {
    let most = (SWEEP_STATES / w.order.len()).clamp(LAYER_STATES.0, LAYER_STATES.1);
    // The only limit that a sweep can hit is time: its number of states is fixed.
    let mut own = budget.with_states(u64::MAX);
    let lattice = Lattice::thinned(&w.shape, &w.order, most, rng, &mut own)?;
    let component = Component::from_lattice(&w.shape, lattice, graded, budget)?;
    let (mined, clear, sizes) = (&mut w.seen_mined, &mut w.seen_clear, &w.shape.sizes);
    component.see(budget, |b, mines| {
        mined[b as usize] |= mines > 0;
        clear[b as usize] |= mines < usize::from(sizes[b as usize]);
    });
    Ok(component)
}

/// The ratio estimate of each chance over all sweeps, and its 95 % half-width by the jackknife.
///
/// A sweep that found no solution counts with weight zero.
fn combine(
    sweeps: &[Option<Sweep>],
    frontier: &Frontier,
    counted: &Counted,
    wide: &[Wide],
    unreached: &[usize],
) -> (Vec<f64>, Vec<f64>) {
    let cells = frontier.marks.len();
    let mut is_left_out = vec![false; cells];
    let swept_out = wide.iter().filter(|w| w.is_left_out).map(|w| w.index);
    let mut left_out = 0;
    for i in swept_out.chain(unreached.iter().copied()) {
        left_out += frontier.cells(i).len();
        for &cell in frontier.cells(i) {
            is_left_out[cell as usize] = true;
        }
    }
    let share = left_out as f64 / unsettled(frontier).max(1) as f64;
    let least =
        if counted.mines.is_some() { (LEFT_OUT_ERROR * share).min(LEFT_OUT_MOST) } else { 0.0 };
    let top = sweeps.iter().flatten().map(|s| s.log_count).fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> =
        sweeps.iter().map(|s| s.as_ref().map_or(0.0, |s| (s.log_count - top).exp())).collect();
    let total: f64 = weights.iter().sum();
    let n = sweeps.len() as f64;
    // With fewer than two informative sweeps, there is no spread from which to estimate the error.
    let has_spread = total > 0.0 && weights.iter().all(|w| total - w > 1e-9 * total);
    let unknown = unknown_chance(frontier, counted);
    let mut p_mine = vec![f64::NAN; cells];
    let mut error = vec![f64::NAN; cells];
    for cell in 0..cells {
        match frontier.marks[cell] {
            Mark::Opened | Mark::Exploded => continue,
            // Settled by `prove`.
            Mark::Safe | Mark::Mine => continue,
            Mark::Frontier | Mark::Floating => {}
        }
        if is_left_out[cell] {
            p_mine[cell] = unknown;
            error[cell] = 1.0;
            continue;
        }
        let value = |i: usize| sweeps[i].as_ref().map_or(0.0, |s| s.p_mine[cell]);
        let sum: f64 = (0..sweeps.len()).map(|i| weights[i] * value(i)).sum();
        if !has_spread {
            p_mine[cell] = if total > 0.0 { sum / total } else { unknown };
            error[cell] = 1.0;
            continue;
        }
        let without = |i: usize| (sum - weights[i] * value(i)) / (total - weights[i]);
        let mean: f64 = (0..sweeps.len()).map(without).sum::<f64>() / n;
        let square = |i: usize| (without(i) - mean).powi(2);
        let variance = (0..sweeps.len()).map(square).sum::<f64>() * (n - 1.0) / n;
        p_mine[cell] = (sum / total).clamp(0.0, 1.0);
        error[cell] = (T[sweeps.len() - 1] * variance.sqrt()).clamp(least, 1.0);
    }
    (p_mine, error)
}

/// The mine chance of cells about which nothing is known: the density, or the density of the
/// remaining mines if there is a total.
fn unknown_chance(frontier: &Frontier, counted: &Counted) -> f64 {
    let open = unsettled(frontier).max(1) as f64;
    counted.mines.map_or(counted.known.density(), |mines| (mines as f64 / open).clamp(0.0, 1.0))
}

/// The number of cells not settled by single numbers.
fn unsettled(frontier: &Frontier) -> usize {
    frontier.marks.iter().filter(|m| matches!(m, Mark::Frontier | Mark::Floating)).count()
}

/// The component as constraints on cells, for a proof.
fn unsolved(frontier: &Frontier, wide: &Wide) -> Unsolved {
    let cells = frontier.cells(wide.index);
    let mut constraints: Vec<(u32, Vec<u32>)> =
        wide.shape.needs.iter().map(|&need| (u32::from(need), Vec::new())).collect();
    let (mut seen_mined, mut seen_clear) = (Vec::new(), Vec::new());
    let mut at = 0;
    for b in 0..wide.shape.boxes() {
        let own = &cells[at..at + usize::from(wide.shape.sizes[b])];
        at += own.len();
        for &w in wide.shape.witnesses(b) {
            constraints[w as usize].1.extend_from_slice(own);
        }
        if wide.seen_mined[b] {
            seen_mined.extend_from_slice(own);
        }
        if wide.seen_clear[b] {
            seen_clear.extend_from_slice(own);
        }
    }
    let mut numbers: Vec<u32> = frontier.numbers(wide.index).to_vec();
    numbers.sort_unstable();
    Unsolved { constraints, numbers, seen_mined, seen_clear }
}

#[cfg(test)]
mod tests {
    use crate::analysis::{Engine, Limit};
    use crate::mines::Mines;
    use crate::testing::random_position;

    #[test]
    fn an_estimate_proves_nothing_false_and_its_errors_cover_the_true_chances() {
        let none = Limit { states: 1, seconds: None };
        let (mut covered, mut cells_seen, mut estimates) = (0, 0, 0);
        for seed in 0..100 {
            let (graph, cells, _) = random_position(seed);
            for mines in [Mines::Unknown, Mines::Total(5), Mines::Density(0.2)] {
                let exact = Engine::new().analyze(&graph, &cells, mines, Limit::default()).unwrap();
                let found = Engine::new().analyze(&graph, &cells, mines, none).unwrap();
                let Some(error) = &found.p_mine_error else { continue };
                estimates += 1;
                assert!(found.solutions().is_none());
                assert!(found.safe.iter().all(|cell| exact.safe.contains(cell)));
                assert!(found.mined.iter().all(|cell| exact.mined.contains(cell)));
                for cell in (0..cells.len()).filter(|&c| cells[c] == b'.') {
                    assert!((0.0..=1.0).contains(&found.p_mine[cell]));
                    let off = (found.p_mine[cell] - exact.p_mine[cell]).abs();
                    covered += usize::from(off <= error[cell] + 1e-9);
                    cells_seen += 1;
                }
            }
        }
        assert!(estimates > 50, "{estimates}");
        assert!(covered as f64 > 0.95 * cells_seen as f64, "{covered} of {cells_seen}");
    }

    #[test]
    fn components_without_time_for_a_sweep_have_an_error_of_one() {
        let no_time = Limit { states: 1, seconds: Some(0.0) };
        let (graph, cells) = crate::testing::position(&["....", "1221"]);
        let found = Engine::new().analyze(&graph, &cells, Some(2), no_time).unwrap();
        let error = found.p_mine_error.unwrap();
        assert!(error[..4].iter().all(|&e| e == 1.0), "{error:?}");
    }
}
