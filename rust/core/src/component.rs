//! One component solved: its solutions by mine count, and each box's share of them.

use std::sync::OnceLock;

use num_bigint::BigUint;

use crate::budget::Budget;
use crate::frontier::Shape;
use crate::lattice::{Lattice, Stopped};
use crate::steps::{binomial, NONE};
use crate::sweep::Completions;

/// Up to so many cells every count and tally fits a `u64`: 2^56 solutions of at most 26 mines a box.
const SMALL_CELLS: usize = 56;
/// Above so many steps a weighted sweep at each use is cheaper than a table of tallies.
const SMALL_STEPS: usize = 1500;

/// A component whose solutions have been counted.
#[derive(Debug)]
pub struct Component {
    pub lattice: Lattice,
    pub sizes: Vec<u8>,
    /// The fewest mines it can hold.
    pub least: u32,
    /// Solutions by mine count from `least` up, in proportion: the true count is this times two
    /// to the power `exponent`.
    pub counts: Vec<f64>,
    pub exponent: i64,
    table: Table,
}

#[derive(Debug)]
enum Table {
    /// Exact integers: the solutions by mine count, and for each box and mine count the mines in
    /// the box over all these solutions.
    Tallies { counts: Vec<u64>, tallies: Vec<u64> },
    /// Too large for that: swept anew with the weights of the day.
    Sweeps { ways: Completions<f64>, possible: OnceLock<Completions<bool>>, graded: bool },
}

/// What one analysis wants to know of a box.
#[derive(Debug, Clone, Copy)]
pub struct BoxShare {
    /// The chance that a cell of the box is a mine.
    pub p_mine: f64,
    /// Whether some solution lays a mine here, and whether some leaves a cell clear.
    pub can_be_mine: bool,
    pub can_be_clear: bool,
}

impl Component {
    pub fn solve(
        shape: &Shape,
        order: &[u32],
        graded: bool,
        budget: &mut Budget,
    ) -> Result<Self, Stopped> {
        let lattice = Lattice::build(shape, order, budget)?;
        Self::from_lattice(shape, lattice, graded, budget)
    }

    pub fn from_lattice(
        shape: &Shape,
        lattice: Lattice,
        graded: bool,
        budget: &Budget,
    ) -> Result<Self, Stopped> {
        let cells = shape.cells();
        let sizes = shape.sizes.clone();
        if cells <= SMALL_CELLS && lattice.steps() <= SMALL_STEPS && lattice.factors.is_none() {
            return Self::tally(lattice, sizes).ok_or(Stopped::Empty);
        }
        let ways = Completions::<f64>::new(&lattice, graded, budget).ok_or(Stopped::Budget)?;
        let (least, counts) = ways.total();
        if counts.is_empty() {
            return Err(Stopped::Empty);
        }
        let counts = counts.to_vec();
        let exponent = ways.exponent;
        let table = Table::Sweeps { ways, possible: OnceLock::new(), graded };
        Ok(Component { lattice, sizes, least, counts, exponent, table })
    }

    /// Counts in integers, forward and backward, and multiplies the two out into tallies.
    fn tally(lattice: Lattice, sizes: Vec<u8>) -> Option<Self> {
        let states = lattice.states as usize;
        // Backward: ways to complete a state, by mines, one row a state.
        let width = sizes.iter().map(|&s| usize::from(s)).sum::<usize>() + 1;
        let mut ways = vec![0u64; states * width];
        let mut bounds = vec![(1u8, 0u8); states];
        ways[(states - 1) * width] = 1;
        bounds[states - 1] = (0, 0);
        for layer in lattice.layers.iter().rev() {
            let first = layer.first as usize;
            let then = first + layer.states as usize;
            let (done, rest) = ways.split_at_mut(then * width);
            for i in 0..layer.states as usize {
                let own = &mut done[(first + i) * width..(first + i + 1) * width];
                let (mut low, mut high) = (u8::MAX, 0);
                for (m, &to) in lattice.next(layer, i).iter().enumerate() {
                    if to == NONE {
                        continue;
                    }
                    let (from, until) = bounds[then + to as usize];
                    if from > until {
                        continue;
                    }
                    let times = u64::from(binomial(layer.size, m as u8));
                    let other = &rest[to as usize * width..];
                    for k in usize::from(from)..=usize::from(until) {
                        own[k + m] += times * other[k];
                    }
                    low = low.min(from + m as u8);
                    high = high.max(until + m as u8);
                }
                bounds[first + i] = (low, high);
            }
        }
        let (least, most) = bounds[0];
        if least > most {
            return None;
        }
        let (least, most) = (usize::from(least), usize::from(most));
        let counts = ways[least..=most].to_vec();
        let range = counts.len();
        let mut tallies = vec![0u64; sizes.len() * range];
        // Forward: ways to reach a state, by mines, over the rows that the layer has.
        let mut reached = vec![0u64; states * width];
        let mut bounds_in = vec![(1u8, 0u8); states];
        reached[0] = 1;
        bounds_in[0] = (0, 0);
        for layer in &lattice.layers {
            let first = layer.first as usize;
            let then = first + layer.states as usize;
            let tally = &mut tallies[layer.b as usize * range..(layer.b as usize + 1) * range];
            let (done, rest) = reached.split_at_mut(then * width);
            for i in 0..layer.states as usize {
                let (low, high) = bounds_in[first + i];
                if low > high {
                    continue;
                }
                let own = &done[(first + i) * width..(first + i + 1) * width];
                for (m, &to) in lattice.next(layer, i).iter().enumerate() {
                    if to == NONE {
                        continue;
                    }
                    let to = to as usize;
                    let (from, until) = bounds[then + to];
                    if from > until {
                        continue;
                    }
                    let times = u64::from(binomial(layer.size, m as u8));
                    let onward = &ways[(then + to) * width..(then + to + 1) * width];
                    for k in usize::from(low)..=usize::from(high) {
                        let here = own[k] * times;
                        rest[to * width + k + m] += here;
                        if m > 0 {
                            for j in usize::from(from)..=usize::from(until) {
                                tally[k + m + j - least] += here * onward[j] * m as u64;
                            }
                        }
                    }
                    let bound = &mut bounds_in[then + to];
                    if bound.0 > bound.1 {
                        *bound = (low + m as u8, high + m as u8);
                    } else {
                        *bound = (bound.0.min(low + m as u8), bound.1.max(high + m as u8));
                    }
                }
            }
        }
        Some(Component {
            lattice,
            sizes,
            least: least as u32,
            counts: counts.iter().map(|&c| c as f64).collect(),
            exponent: 0,
            table: Table::Tallies { counts, tallies },
        })
    }

    /// The most mines it can hold.
    pub fn most(&self) -> u32 {
        self.least + self.counts.len() as u32 - 1
    }

    fn possible<'a>(
        &self,
        possible: &'a OnceLock<Completions<bool>>,
        graded: bool,
        budget: &Budget,
    ) -> Option<&'a Completions<bool>> {
        if possible.get().is_none() {
            // Where another thread was faster, its result is the same.
            let _ = possible.set(Completions::new(&self.lattice, graded, budget)?);
        }
        possible.get()
    }

    /// For each mine count from `least` up, whether some solution has it: proved, not rounded.
    /// None if it is too late.
    pub fn support(&self, budget: &Budget) -> Option<Vec<bool>> {
        match &self.table {
            Table::Tallies { counts, .. } => Some(counts.iter().map(|&c| c > 0).collect()),
            Table::Sweeps { possible, graded, .. } => {
                Some(self.possible(possible, *graded, budget)?.total().1.to_vec())
            }
        }
    }

    /// Every box's share, given the weight of each mine count, and which counts are `allowed` by
    /// the rest of the board (all, if None). False if it is too late.
    #[must_use]
    pub fn shares(
        &self,
        weights: &[f64],
        allowed: Option<&[bool]>,
        budget: &Budget,
        out: &mut Vec<BoxShare>,
    ) -> bool {
        self.try_shares(weights, allowed, budget, out).is_some()
    }

    fn try_shares(
        &self,
        weights: &[f64],
        allowed: Option<&[bool]>,
        budget: &Budget,
        out: &mut Vec<BoxShare>,
    ) -> Option<()> {
        out.clear();
        match &self.table {
            Table::Tallies { counts, tallies } => {
                let range = counts.len();
                let total: f64 = counts.iter().zip(weights).map(|(&c, w)| c as f64 * w).sum();
                for (b, &size) in self.sizes.iter().enumerate() {
                    let tally = &tallies[b * range..(b + 1) * range];
                    let mines: f64 = tally.iter().zip(weights).map(|(&t, w)| t as f64 * w).sum();
                    let full = u64::from(size);
                    let (mut can_be_mine, mut can_be_clear) = (false, false);
                    for (k, (&t, &c)) in tally.iter().zip(counts).enumerate() {
                        if allowed.is_none_or(|a| a[k]) {
                            can_be_mine |= t > 0;
                            can_be_clear |= t < c * full;
                        }
                    }
                    let p_mine = mines / (total * f64::from(size));
                    out.push(BoxShare { p_mine, can_be_mine, can_be_clear });
                }
            }
            Table::Sweeps { ways, possible, graded, .. } => {
                let none = BoxShare { p_mine: 0.0, can_be_mine: false, can_be_clear: false };
                out.resize(self.sizes.len(), none);
                ways.shares(&self.lattice, weights, budget, |b, share| {
                    let total: f64 = share.iter().sum();
                    let mines: f64 = share.iter().enumerate().map(|(m, s)| m as f64 * s).sum();
                    let size = f64::from(self.sizes[b as usize]);
                    out[b as usize].p_mine = mines / (total * size);
                })?;
                let Some(allowed) = allowed else {
                    ways.steps(&self.lattice, budget, |b, m| {
                        let found = &mut out[b as usize];
                        found.can_be_mine |= m > 0;
                        found.can_be_clear |= m < usize::from(self.sizes[b as usize]);
                    })?;
                    return Some(());
                };
                let possible = self.possible(possible, *graded, budget)?;
                possible.shares(&self.lattice, allowed, budget, |b, share| {
                    let found = &mut out[b as usize];
                    found.can_be_mine = share[1..].contains(&true);
                    found.can_be_clear = share[..share.len() - 1].contains(&true);
                })?;
            }
        }
        Some(())
    }

    /// Calls `visit(box, mines)` for every step of some solution, whatever the total, as far as
    /// there is time.
    pub fn see(&self, budget: &Budget, visit: impl FnMut(u32, usize)) {
        if let Table::Sweeps { ways, .. } = &self.table {
            // What was seen until then was seen.
            let _ = ways.steps(&self.lattice, budget, visit);
        }
    }

    /// The exact solutions by mine count from `least` up; None if it is too late.
    pub fn exact(&self, budget: &Budget) -> Option<Vec<BigUint>> {
        match &self.table {
            Table::Tallies { counts, .. } => Some(counts.iter().map(|&c| c.into()).collect()),
            Table::Sweeps { ways, .. } => ways.exact(&self.lattice, budget),
        }
    }

    /// Ways to complete each state, for drawing solutions; None if it is too late.
    pub fn ways(&self, budget: &Budget) -> Option<Completions<f64>> {
        Completions::new(&self.lattice, true, budget)
    }
}
