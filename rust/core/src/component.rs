//! A solved component: its solutions by mine count, and each box's share of them.

use std::sync::OnceLock;

use num_bigint::BigUint;

use crate::budget::Budget;
use crate::frontier::Shape;
use crate::lattice::{Lattice, Stopped};
use crate::share::BoxShare;
use crate::sweep::Completions;
use crate::tally::Tallies;

/// Components with at most this many cells are counted in `u64`s, which cannot overflow at this
/// size.
const SMALL_CELLS: usize = 56;
/// Above this number of steps, a weighted sweep on each use is cheaper than a table of tallies.
const SMALL_STEPS: usize = 1500;

/// A component whose solutions have been counted.
#[derive(Debug)]
pub struct Component {
    pub lattice: Lattice,
    pub sizes: Vec<u8>,
    /// The fewest mines in a solution.
    pub least: u32,
    /// Solutions by mine count from `least`, scaled: the true count is this times two to the power
    /// `exponent`.
    pub counts: Vec<f64>,
    pub exponent: i64,
    table: Table,
}

#[derive(Debug)]
enum Table {
    /// Exact integer counts, computed once.
    Tallies(Tallies),
    /// For larger components, which are swept on each use with the weights given for that use.
    Sweeps { ways: Completions<f64>, possible: OnceLock<Completions<bool>>, graded: bool },
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
            let tallies = Tallies::new(&lattice, &sizes).ok_or(Stopped::Empty)?;
            return Ok(Component {
                lattice,
                sizes,
                least: tallies.least as u32,
                counts: tallies.counts.iter().map(|&count| count as f64).collect(),
                exponent: 0,
                table: Table::Tallies(tallies),
            });
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

    /// The most mines in a solution.
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
            // Another thread may finish first, with the same result.
            let _ = possible.set(Completions::new(&self.lattice, graded, budget)?);
        }
        possible.get()
    }

    /// Whether each mine count from `least` has a solution, computed without floats. None if the
    /// time is up.
    pub fn support(&self, budget: &Budget) -> Option<Vec<bool>> {
        match &self.table {
            Table::Tallies(tallies) => Some(tallies.counts.iter().map(|&c| c > 0).collect()),
            Table::Sweeps { possible, graded, .. } => {
                Some(self.possible(possible, *graded, budget)?.total().1.to_vec())
            }
        }
    }

    /// The share of each box, given the weight of each mine count and the counts `allowed` by the
    /// rest of the board (None: all). False if the time is up.
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
            Table::Tallies(tallies) => tallies.shares(&self.sizes, weights, allowed, out),
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

    /// Calls `visit(box, mines)` for every step of every solution with any mine count, until the
    /// time is up.
    pub fn see(&self, budget: &Budget, visit: impl FnMut(u32, usize)) {
        if let Table::Sweeps { ways, .. } = &self.table {
            // The results up to then are valid.
            let _ = ways.steps(&self.lattice, budget, visit);
        }
    }

    /// The exact number of solutions by mine count, from `least`; None if the time is up.
    pub fn exact(&self, budget: &Budget) -> Option<Vec<BigUint>> {
        match &self.table {
            Table::Tallies(tallies) => Some(tallies.counts.iter().map(|&c| c.into()).collect()),
            Table::Sweeps { ways, .. } => ways.exact(&self.lattice, budget),
        }
    }

    /// The number of ways to complete each state, for sampling solutions; None if the time is up.
    pub fn ways(&self, budget: &Budget) -> Option<Completions<f64>> {
        Completions::new(&self.lattice, true, budget)
    }
}

#[cfg(test)]
mod tests {
    use num_traits::ToPrimitive;

    use super::*;
    use crate::budget::Limit;
    use crate::order;
    use crate::testing::random_shape;

    /// One component in both forms: with tallies, and with the sweeps used for larger components.
    fn both(shape: &Shape) -> Option<(Component, Component)> {
        let mut budget = Budget::new(Limit::default(), None);
        let order = order::best(shape, &budget)?;
        let small = Component::solve(shape, &order, true, &mut budget).ok()?;
        let mut lattice = Lattice::build(shape, &order, &mut budget).ok()?;
        // Factors of 1 do not change the counts, but force a sweep.
        lattice.factors = Some(vec![1.0; lattice.states as usize]);
        let large = Component::from_lattice(shape, lattice, true, &budget).ok()?;
        Some((small, large))
    }

    #[test]
    fn tallies_and_sweeps_agree() {
        let mut compared = 0;
        for seed in 0..200 {
            let Some((small, large)) = both(&random_shape(seed)) else { continue };
            let budget = Budget::unlimited();
            assert_eq!((small.least, small.most()), (large.least, large.most()));
            assert_eq!(small.counts, large.counts);
            assert_eq!(small.support(&budget), large.support(&budget));
            let counts: Vec<f64> =
                small.exact(&budget).unwrap().iter().map(|n| n.to_f64().unwrap()).collect();
            assert_eq!(small.counts, counts);
            let weights: Vec<f64> = (0..small.counts.len()).map(|k| 1.0 + k as f64).collect();
            let odd: Vec<bool> = (0..small.counts.len()).map(|k| k % 2 == 0).collect();
            for allowed in [None, Some(&odd[..])] {
                let (mut a, mut b) = (Vec::new(), Vec::new());
                assert!(small.shares(&weights, allowed, &budget, &mut a));
                assert!(large.shares(&weights, allowed, &budget, &mut b));
                for (a, b) in a.iter().zip(&b) {
                    assert!((a.p_mine - b.p_mine).abs() < 1e-12);
                    let flags = |share: &BoxShare| (share.can_be_mine, share.can_be_clear);
                    assert_eq!(flags(a), flags(b));
                }
                compared += 1;
            }
        }
        assert!(compared > 200);
    }
}
