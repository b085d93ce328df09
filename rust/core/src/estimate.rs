//! When the budget runs out: what is still proved, and what can be estimated, with its error.
//!
//! A component too wide to count is swept with its states thinned out at random, so that every
//! count has the true one as its expectation. Several such sweeps give a ratio estimate of each
//! chance and, by the jackknife, its error. Nothing here ever proves a cell; what an estimate saw
//! in a real arrangement only saves the proof a question.

use std::sync::Arc;

use crate::allowed::Allowed;
use crate::analysis::{wrong_total, Analysis, Counted, Engine, Unsolved};
use crate::component::{BoxShare, Component};
use crate::error::BoardError;
use crate::frontier::{Frontier, Mark, Shape};
use crate::generate::Rng;
use crate::lattice::{Budget, Lattice};
use crate::order;
use crate::total::{Part, Weights};

/// Sweeps to take; their spread is the error.
const SWEEPS: usize = 16;
/// Student's t, 97.5 %, by sweeps less one.
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
/// States that all layers of one sweep may keep together, and the bounds of a single layer.
const SWEEP_STATES: usize = 400_000;
const LAYER_STATES: (usize, usize) = (50, 4_000);

/// A component that was not counted.
struct Wide {
    index: usize,
    shape: Shape,
    order: Vec<u32>,
    seen_mined: Vec<bool>,
    seen_clear: Vec<bool>,
}

/// One sweep's outcome: the logarithm of its count, and each cell's chance.
struct Sweep {
    log_count: f64,
    p_mine: Vec<f64>,
}

impl Engine {
    pub(crate) fn estimate(
        &mut self,
        counted: Counted,
        mines: Option<usize>,
        budget: Budget,
    ) -> Result<Analysis, BoardError> {
        let frontier = &self.frontier;
        let mut wide: Vec<Wide> = (0..counted.components.len())
            .filter(|&i| counted.components[i].is_none())
            .map(|index| {
                let shape = Shape::decode(frontier.key(index));
                let order = order::best(&shape, || budget.is_late());
                let boxes = shape.boxes();
                let unseen = || vec![false; boxes];
                Wide { index, shape, order, seen_mined: unseen(), seen_clear: unseen() }
            })
            .collect();
        let allowed = bounds(frontier, &counted, &wide, mines)?;
        // The seed is fixed: the same position has the same estimate.
        let mut rng = Rng::new(0x5A99E7);
        let mut sweeps = Vec::new();
        for done in 0..SWEEPS {
            if done >= 3 && budget.is_late() {
                break;
            }
            sweeps.push(sweep(frontier, &counted, &mut wide, &mut rng));
        }
        let (p_mine, error) = combine(&sweeps, frontier, &counted);
        let mut out = Analysis::empty(frontier.floating, counted.mines);
        out.p_mine = p_mine;
        out.p_mine_error = Some(error);
        out.unsolved = wide.iter().map(|w| unsolved(frontier, w)).collect();
        self.prove(&counted, &allowed, &mut out);
        Ok(out)
    }

    /// What is proved though some components were not counted: their mines are anything that
    /// their cells could hold.
    fn prove(&mut self, counted: &Counted, allowed: &Allowed, out: &mut Analysis) {
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
            component.shares(&weights, counts, &mut self.shares);
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

/// Which counts the total allows, with the uncounted components left free.
fn bounds(
    frontier: &Frontier,
    counted: &Counted,
    wide: &[Wide],
    mines: Option<usize>,
) -> Result<Allowed, BoardError> {
    let Some(mines) = mines else { return Ok(Allowed::all(frontier)) };
    let free: Vec<Vec<f64>> = wide.iter().map(|w| vec![1.0; w.shape.cells() + 1]).collect();
    let mut next = free.iter();
    let parts: Vec<Part> = counted
        .components
        .iter()
        .map(|c| match c {
            Some(component) => component.part(),
            None => Part { least: 0, counts: next.next().map_or(&[1.0], |f| f) },
        })
        .collect();
    let support = |i: usize| match &counted.components[i] {
        Some(component) => component.support(),
        None => vec![true; parts[i].counts.len()],
    };
    Allowed::new(&parts, counted.rest, support).ok_or_else(|| {
        wrong_total(mines, frontier, counted.components.iter().map(Option::as_deref))
    })
}

/// One estimate of everything, or None where no kept state led to a solution.
fn sweep(
    frontier: &Frontier,
    counted: &Counted,
    wide: &mut [Wide],
    rng: &mut Rng,
) -> Option<Sweep> {
    let mut components: Vec<Option<Arc<Component>>> = counted.components.clone();
    for w in wide.iter_mut() {
        let most = (SWEEP_STATES / w.order.len()).clamp(LAYER_STATES.0, LAYER_STATES.1);
        let mut budget = Budget { states: u64::MAX, deadline: None };
        let lattice = Lattice::thinned(&w.shape, &w.order, most, rng, &mut budget).ok()?;
        let component = Component::from_lattice(&w.shape, lattice, counted.mines.is_some()).ok()?;
        component.see(|b, mines| {
            w.seen_mined[b as usize] |= mines > 0;
            w.seen_clear[b as usize] |= mines < usize::from(w.shape.sizes[b as usize]);
        });
        components[w.index] = Some(Arc::new(component));
    }
    let components: Vec<Arc<Component>> = components.into_iter().flatten().collect();
    let parts: Vec<Part> = components.iter().map(|c| c.part()).collect();
    let weights = match counted.mines {
        None => Weights::untotalled(&parts, counted.rest.floating),
        Some(_) => Weights::new(&parts, counted.rest),
    };
    let scale: i64 = components.iter().map(|c| c.exponent).sum();
    let log_count = weights.log_total + scale as f64 * std::f64::consts::LN_2;
    if !log_count.is_finite() {
        return None;
    }
    let mut p_mine = vec![weights.floating_p_mine; frontier.marks.len()];
    let mut shares = Vec::new();
    for (i, component) in components.iter().enumerate() {
        component.shares(weights.of(i), None, &mut shares);
        let mut cells = frontier.cells(i).iter();
        for (share, &size) in shares.iter().zip(&component.sizes) {
            for &cell in cells.by_ref().take(usize::from(size)) {
                p_mine[cell as usize] = share.p_mine;
            }
        }
    }
    Some(Sweep { log_count, p_mine })
}

/// The ratio estimate of each chance over all sweeps, and its 95 % half-width by the jackknife.
///
/// A sweep that found no solution counts as one of weight zero.
fn combine(
    sweeps: &[Option<Sweep>],
    frontier: &Frontier,
    counted: &Counted,
) -> (Vec<f64>, Vec<f64>) {
    let cells = frontier.marks.len();
    let top = sweeps.iter().flatten().map(|s| s.log_count).fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> =
        sweeps.iter().map(|s| s.as_ref().map_or(0.0, |s| (s.log_count - top).exp())).collect();
    let total: f64 = weights.iter().sum();
    let n = sweeps.len() as f64;
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
        let value = |i: usize| sweeps[i].as_ref().map_or(0.0, |s| s.p_mine[cell]);
        let sum: f64 = (0..sweeps.len()).map(|i| weights[i] * value(i)).sum();
        let without: Option<Vec<f64>> = (0..sweeps.len())
            .map(|i| {
                let rest = total - weights[i];
                (rest > 1e-9 * total).then(|| (sum - weights[i] * value(i)) / rest)
            })
            .collect();
        let Some(without) = without.filter(|_| total > 0.0) else {
            // One sweep or none says something: no spread to judge it by.
            p_mine[cell] = if total > 0.0 { sum / total } else { unknown };
            error[cell] = 1.0;
            continue;
        };
        let mean: f64 = without.iter().sum::<f64>() / n;
        let variance = without.iter().map(|v| (v - mean).powi(2)).sum::<f64>() * (n - 1.0) / n;
        p_mine[cell] = (sum / total).clamp(0.0, 1.0);
        error[cell] = (T[sweeps.len() - 1] * variance.sqrt()).min(1.0);
    }
    (p_mine, error)
}

/// A chance for cells of which nothing was learned: the density of what is left, or a half.
fn unknown_chance(frontier: &Frontier, counted: &Counted) -> f64 {
    let open =
        frontier.marks.iter().filter(|m| matches!(m, Mark::Frontier | Mark::Floating)).count();
    counted.mines.map_or(0.5, |mines| (mines as f64 / open.max(1) as f64).clamp(0.0, 1.0))
}

/// The component as constraints over cells, for a proof.
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
