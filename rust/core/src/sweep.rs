//! Sweeps of a lattice: the ways to complete each state, and each box's share of the solutions.

use num_bigint::BigUint;

use crate::binomial::binomial;
use crate::budget::Budget;
use crate::lattice::NONE;
use crate::lattice::{Lattice, Layer};
use crate::weight::{Factor, Run, Weight, SCALE_BITS};

/// Lattices with more states than this keep only the runs of some layers, and recompute the others.
const KEEP_ALL_STATES: u32 = 1 << 18;

/// For each state of a layer, the number of ways to complete it, by the number of mines still to
/// place.
///
/// A state that cannot be completed has an empty run.
#[derive(Debug, Clone)]
pub struct Runs<V> {
    /// Elements per number.
    width: usize,
    // Counted in numbers, not elements.
    ends: Vec<u32>,
    least: Vec<u32>,
    values: Vec<V>,
}

impl<V: Weight> Runs<V> {
    fn finished() -> Self {
        Runs { width: 1, ends: vec![1], least: vec![0], values: vec![V::ONE] }
    }

    #[inline]
    fn range(&self, state: usize) -> (usize, usize) {
        let from = if state == 0 { 0 } else { self.ends[state - 1] as usize };
        (from, self.ends[state] as usize)
    }

    /// The fewest mines that complete a state, and the number of ways for each mine count from
    /// there.
    #[inline]
    pub fn of(&self, state: usize) -> (u32, &[V]) {
        let (from, to) = self.range(state);
        (self.least[state], &self.values[from * self.width..to * self.width])
    }

    #[inline]
    fn is_live(&self, state: usize) -> bool {
        let (from, to) = self.range(state);
        to > from
    }

    /// Computes a layer's runs from those of the next layer. Without `graded`, all mine counts are
    /// summed.
    fn before(
        next: &Runs<V>,
        lattice: &Lattice,
        layer: &Layer,
        graded: bool,
        width: usize,
        budget: &Budget,
    ) -> Option<Self> {
        let states = layer.states as usize;
        let mut runs = Runs {
            width,
            ends: Vec::with_capacity(states),
            least: Vec::with_capacity(states),
            values: Vec::with_capacity((next.values.len() / next.width + 2 * states) * width),
        };
        for i in 0..states {
            let row = lattice.next(layer, i);
            let (mut low, mut high) = (u32::MAX, 0);
            for (m, &to) in row.iter().enumerate() {
                if to == NONE {
                    continue;
                }
                let (from, end) = next.range(to as usize);
                if end > from {
                    let m = if graded { m as u32 } else { 0 };
                    low = low.min(next.least[to as usize] + m);
                    high = high.max(next.least[to as usize] + m + (end - from) as u32);
                }
            }
            let at = runs.values.len();
            if budget.is_late_after(row.len() + high.saturating_sub(low) as usize * width) {
                return None;
            }
            if high > 0 {
                runs.values.resize(at + (high - low) as usize * width, V::ZERO);
                let run = &mut runs.values[at..];
                for (m, &to) in row.iter().enumerate() {
                    if to == NONE {
                        continue;
                    }
                    let (least, ways) = next.of(to as usize);
                    if ways.is_empty() {
                        continue;
                    }
                    let shift = (if graded { m as u32 } else { 0 } + least - low) as usize;
                    let times = binomial(layer.size, m as u8);
                    let to = Run { values: &mut run[shift * width..], width };
                    V::accumulate(to, ways, next.width, times);
                }
                if let Some(factors) = &lattice.factors {
                    let factor = factors[layer.first as usize + i];
                    run.iter_mut().for_each(|v| v.stand_for(factor));
                }
            }
            runs.least.push(low);
            runs.ends.push((runs.values.len() / width) as u32);
        }
        Some(runs)
    }
}

/// The runs of every layer, or of enough layers to recompute the others.
#[derive(Debug, Clone)]
pub struct Completions<V> {
    /// The runs before layers 0, `stride`, 2 `stride` ..., and those of the finished state.
    kept: Vec<Runs<V>>,
    stride: usize,
    graded: bool,
    /// The true values of the first layer are these times two to this power.
    pub exponent: i64,
    /// For each layer, an upper bound on the binary digits of its values.
    bits: Vec<u32>,
}

impl<V: Factor> Completions<V> {
    /// None if the time is up.
    pub fn new(lattice: &Lattice, graded: bool, budget: &Budget) -> Option<Self> {
        let layers = lattice.layers.len();
        let stride =
            if lattice.states > KEEP_ALL_STATES { (layers as f64).sqrt() as usize } else { 1 };
        let mut out =
            Completions { kept: Vec::new(), stride, graded, exponent: 0, bits: Vec::new() };
        let mut runs = Runs::finished();
        for (t, layer) in lattice.layers.iter().enumerate().rev() {
            let before = out.step(&runs, lattice, layer, budget)?;
            let after = std::mem::replace(&mut runs, before.0);
            out.exponent += i64::from(before.1);
            out.bits.push(V::bits(&runs.values) + out.exponent as u32);
            if t + 1 == layers || (t + 1) % stride == 0 {
                out.kept.push(after);
            }
        }
        out.kept.push(runs);
        out.kept.reverse();
        out.bits.reverse();
        Some(out)
    }

    fn step(
        &self,
        next: &Runs<V>,
        lattice: &Lattice,
        layer: &Layer,
        budget: &Budget,
    ) -> Option<(Runs<V>, i32)> {
        let mut runs = Runs::before(next, lattice, layer, self.graded, 1, budget)?;
        let scaled = V::rescale(&mut runs.values);
        Some((runs, if scaled { SCALE_BITS } else { 0 }))
    }

    /// The solutions of the whole component by mine count: the minimum, and the ways.
    pub fn total(&self) -> (u32, &[V]) {
        self.kept[0].of(0)
    }

    /// Calls `visit` for each layer, with the runs before and after it, from the first to the last;
    /// None if the time is up, or `visit` returns None.
    pub fn each_layer(
        &self,
        lattice: &Lattice,
        budget: &Budget,
        mut visit: impl FnMut(&Layer, &Runs<V>, &Runs<V>) -> Option<()>,
    ) -> Option<()> {
        for (block, layers) in lattice.layers.chunks(self.stride).enumerate() {
            // The runs inside the block, recomputed backwards from the ones kept after it.
            let mut inside: Vec<Runs<V>> = Vec::with_capacity(layers.len());
            for layer in layers[1..].iter().rev() {
                let next = inside.last().unwrap_or(&self.kept[block + 1]);
                let (runs, _) = self.step(next, lattice, layer, budget)?;
                inside.push(runs);
            }
            for (i, layer) in layers.iter().enumerate() {
                let at = |i: usize| match i {
                    0 => &self.kept[block],
                    i if i == layers.len() => &self.kept[block + 1],
                    i => &inside[layers.len() - 1 - i],
                };
                visit(layer, at(i), at(i + 1))?;
            }
        }
        Some(())
    }

    /// Calls `visit(box, mines)` for every step of every solution with any mine count; None if the
    /// time is up.
    pub fn steps(
        &self,
        lattice: &Lattice,
        budget: &Budget,
        mut visit: impl FnMut(u32, usize),
    ) -> Option<()> {
        self.each_layer(lattice, budget, |layer, _, next| {
            if budget.is_late_after(layer.states as usize) {
                return None;
            }
            for i in 0..layer.states as usize {
                for (m, &to) in lattice.next(layer, i).iter().enumerate() {
                    if to != NONE && next.is_live(to as usize) {
                        visit(layer.b, m);
                    }
                }
            }
            Some(())
        })
    }

    /// Sweeps from the first layer with a weight for each mine count of the component, and calls
    /// `visit(box, share)` with the weight of the solutions that have 0, 1, ... mines in the box.
    ///
    /// Shares of different boxes may have different scales, because only proportions matter. None
    /// if the time is up.
    pub fn shares(
        &self,
        lattice: &Lattice,
        weights: &[V],
        budget: &Budget,
        mut visit: impl FnMut(u32, &[V]),
    ) -> Option<()> {
        let mut now: Vec<V> = weights.to_vec();
        let mut then: Vec<V> = Vec::new();
        let mut share: Vec<V> = Vec::new();
        self.each_layer(lattice, budget, |layer, runs, next| {
            then.clear();
            then.resize(next.values.len(), V::ZERO);
            share.clear();
            share.resize(usize::from(layer.size) + 1, V::ZERO);
            for i in 0..layer.states as usize {
                let (from, to) = runs.range(i);
                if from == to {
                    continue;
                }
                if budget.is_late_after(to - from) {
                    return None;
                }
                let least = runs.least[i];
                if let Some(factors) = &lattice.factors {
                    let factor = factors[layer.first as usize + i];
                    now[from..to].iter_mut().for_each(|v| v.stand_for(factor));
                }
                for (m, &to) in lattice.next(layer, i).iter().enumerate() {
                    if to == NONE {
                        continue;
                    }
                    let (begin, end) = next.range(to as usize);
                    if begin == end {
                        continue;
                    }
                    let laid = if self.graded { m as u32 } else { 0 };
                    let skip = from + (next.least[to as usize] + laid - least) as usize;
                    let times = binomial(layer.size, m as u8);
                    let ways = &now[skip..skip + end - begin];
                    let out = Run { values: &mut then[begin..end], width: 1 };
                    V::accumulate(out, ways, 1, times);
                    let mut sum = V::ZERO;
                    for (way, rest) in ways.iter().zip(&next.values[begin..end]) {
                        sum.add_product(*way, *rest);
                    }
                    V::accumulate(Run { values: &mut share[m..=m], width: 1 }, &[sum], 1, times);
                }
            }
            visit(layer.b, &share);
            V::rescale(&mut then);
            std::mem::swap(&mut now, &mut then);
            Some(())
        })
    }
}

impl Completions<f64> {
    /// The exact number of solutions by mine count; the first entry is for the minimum.
    ///
    /// Floats give an upper bound for every number, so each layer uses only as many limbs as it
    /// needs. None if the time is up.
    pub fn exact(&self, lattice: &Lattice, budget: &Budget) -> Option<Vec<BigUint>> {
        let mut runs = Runs::<u64>::finished();
        for (layer, &bits) in lattice.layers.iter().zip(&self.bits).rev() {
            let width = bits as usize / 64 + 1;
            runs = Runs::before(&runs, lattice, layer, self.graded, width, budget)?;
        }
        let digits =
            |limbs: &[u64]| limbs.iter().flat_map(|&l| [l as u32, (l >> 32) as u32]).collect();
        let number = |limbs| BigUint::new(digits(limbs));
        Some(runs.of(0).1.chunks_exact(runs.width).map(number).collect())
    }
}

#[cfg(test)]
mod tests {
    use num_traits::ToPrimitive;

    use super::*;
    use crate::testing::{all, random_shape, solved, Arrangement};

    #[test]
    fn totals_are_those_of_all_arrangements_listed() {
        let budget = Budget::unlimited();
        let mut compared = 0;
        for seed in 0..200 {
            let shape = random_shape(seed);
            let Some(lattice) = solved(&shape) else { continue };
            let listed = all(&shape);
            let mines = |a: &Arrangement| a.mines.iter().sum::<usize>();
            let ways = Completions::<f64>::new(&lattice, true, &budget).unwrap();
            let possible = Completions::<bool>::new(&lattice, true, &budget).unwrap();
            let exact = ways.exact(&lattice, &budget).unwrap();
            let (least, counts) = ways.total();
            assert_eq!(Some(least as usize), listed.iter().map(mines).min());
            for (k, &count) in counts.iter().enumerate() {
                let same = listed.iter().filter(|a| mines(a) == least as usize + k);
                let expected: u64 = same.map(|a| a.ways).sum();
                assert_eq!((count, exact[k].to_u64()), (expected as f64, Some(expected)));
                assert_eq!(possible.total().1[k], expected > 0);
            }
            let ungraded = Completions::<f64>::new(&lattice, false, &budget).unwrap();
            assert_eq!(ungraded.total().1, [counts.iter().sum::<f64>()]);
            compared += 1;
        }
        assert!(compared > 100);
    }

    #[test]
    fn layers_computed_again_are_as_they_were() {
        let budget = Budget::unlimited();
        let shape = (0..).map(random_shape).find(|s| s.boxes() > 4 && solved(s).is_some()).unwrap();
        let lattice = solved(&shape).unwrap();
        let kept = Completions::<f64>::new(&lattice, true, &budget).unwrap();
        let mut sparse = kept.clone();
        sparse.stride = 2;
        let ends = (0..kept.kept.len()).filter(|t| t % 2 == 0 || t + 1 == kept.kept.len());
        sparse.kept = ends.map(|t| kept.kept[t].clone()).collect();
        let shares = |ways: &Completions<f64>| {
            let mut seen = Vec::new();
            let weights = vec![1.0; kept.total().1.len()];
            ways.shares(&lattice, &weights, &budget, |b, share| seen.push((b, share.to_vec())));
            seen
        };
        assert_eq!(shares(&kept), shares(&sparse));
    }
}
