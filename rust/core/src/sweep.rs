//! Sweeps of a lattice: how many ways each state can be completed, and what share of the
//! solutions each box holds.

use num_bigint::BigUint;

use crate::lattice::{binomial, Lattice, Layer, NONE};
use crate::weight::{Limbs, Weight, SCALE_BITS};

/// For each state of one layer, the ways to complete it by the mines still to be laid.
///
/// A state that cannot be completed has an empty run.
#[derive(Debug, Clone)]
pub struct Runs<V> {
    ends: Vec<u32>,
    least: Vec<u32>,
    values: Vec<V>,
}

impl<V: Weight> Runs<V> {
    fn finished() -> Self {
        Runs { ends: vec![1], least: vec![0], values: vec![V::one()] }
    }

    #[inline]
    fn range(&self, state: usize) -> (usize, usize) {
        let from = if state == 0 { 0 } else { self.ends[state - 1] as usize };
        (from, self.ends[state] as usize)
    }

    /// The fewest mines that complete a state, and the ways from that count up.
    #[inline]
    pub fn of(&self, state: usize) -> (u32, &[V]) {
        let (from, to) = self.range(state);
        (self.least[state], &self.values[from..to])
    }

    /// The runs of a layer from those of the next. With `graded` off all mine counts are thrown
    /// together, as if no mines were counted.
    fn before(next: &Runs<V>, lattice: &Lattice, layer: &Layer, graded: bool) -> Self {
        let states = layer.states as usize;
        let mut runs = Runs {
            ends: Vec::with_capacity(states),
            least: Vec::with_capacity(states),
            values: Vec::with_capacity(next.values.len() + 2 * states),
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
            if high > 0 {
                runs.values.resize(at + (high - low) as usize, V::zero());
                let run = &mut runs.values[at..];
                for (m, &to) in row.iter().enumerate() {
                    if to == NONE {
                        continue;
                    }
                    let (least, ways) = next.of(to as usize);
                    if ways.is_empty() {
                        continue;
                    }
                    let shift = if graded { m as u32 } else { 0 } + least - low;
                    let times = binomial(layer.size, m as u8);
                    for (to, way) in run[shift as usize..].iter_mut().zip(ways) {
                        to.add(way, times);
                    }
                }
                if let Some(factors) = &lattice.factors {
                    let factor = factors[layer.first as usize + i];
                    run.iter_mut().for_each(|v| v.stand_for(factor));
                }
            }
            runs.least.push(low);
            runs.ends.push(runs.values.len() as u32);
        }
        runs
    }
}

/// The runs of every layer.
#[derive(Debug, Clone)]
pub struct Completions<V> {
    /// The last is the finished state's.
    layers: Vec<Runs<V>>,
    graded: bool,
    /// All values of the first layer are to be multiplied by two to this power.
    pub exponent: i64,
}

impl<V: Weight> Completions<V> {
    pub fn new(lattice: &Lattice, graded: bool) -> Self {
        let mut layers = Vec::with_capacity(lattice.layers.len() + 1);
        layers.push(Runs::finished());
        let mut exponent = 0;
        for layer in lattice.layers.iter().rev() {
            let mut runs = Runs::before(&layers[layers.len() - 1], lattice, layer, graded);
            if V::rescale(&mut runs.values) {
                exponent += i64::from(SCALE_BITS);
            }
            layers.push(runs);
        }
        layers.reverse();
        Completions { layers, graded, exponent }
    }

    /// The solutions of the whole component by mine count: the least count, and the ways.
    pub fn total(&self) -> (u32, &[V]) {
        self.layers[0].of(0)
    }

    /// The runs of the states before a layer is taken.
    pub fn before(&self, layer: usize) -> &Runs<V> {
        &self.layers[layer]
    }

    /// Calls `visit(box, mines)` for every step of some solution, whatever its total.
    pub fn steps(&self, lattice: &Lattice, mut visit: impl FnMut(u32, usize)) {
        for (t, layer) in lattice.layers.iter().enumerate() {
            for i in 0..layer.states as usize {
                for (m, &to) in lattice.next(layer, i).iter().enumerate() {
                    if to != NONE && !self.layers[t + 1].of(to as usize).1.is_empty() {
                        visit(layer.b, m);
                    }
                }
            }
        }
    }

    /// Sweeps from the first layer with a weight for each mine count of the component, and calls
    /// `visit(box, share)` with the weight of the solutions that hold 0, 1, ... mines in the box.
    ///
    /// Shares of different boxes may be scaled differently: only their proportions matter.
    pub fn shares(&self, lattice: &Lattice, weights: &[V], mut visit: impl FnMut(u32, &[V])) {
        let mut now: Vec<V> = weights.to_vec();
        let mut then: Vec<V> = Vec::new();
        let mut share: Vec<V> = Vec::new();
        for (t, layer) in lattice.layers.iter().enumerate() {
            let (runs, next) = (&self.layers[t], &self.layers[t + 1]);
            then.clear();
            then.resize(next.values.len(), V::zero());
            share.clear();
            share.resize(usize::from(layer.size) + 1, V::zero());
            for i in 0..layer.states as usize {
                let (from, to) = runs.range(i);
                if from == to {
                    continue;
                }
                let least = runs.least[i];
                if let Some(factors) = &lattice.factors {
                    let factor = factors[layer.first as usize + i];
                    now[from..to].iter_mut().for_each(|v| v.stand_for(factor));
                }
                let ways = &now[from..to];
                for (m, &to) in lattice.next(layer, i).iter().enumerate() {
                    if to == NONE {
                        continue;
                    }
                    let (from, end) = next.range(to as usize);
                    if from == end {
                        continue;
                    }
                    let laid = if self.graded { m as u32 } else { 0 };
                    let skip = (next.least[to as usize] + laid - least) as usize;
                    let times = binomial(layer.size, m as u8);
                    let mut sum = V::zero();
                    let rest = &next.values[from..end];
                    for ((out, way), rest) in
                        then[from..end].iter_mut().zip(&ways[skip..]).zip(rest)
                    {
                        out.add(way, times);
                        sum.add_product(way, rest);
                    }
                    share[m].add(&sum, times);
                }
            }
            visit(layer.b, &share);
            V::rescale(&mut then);
            std::mem::swap(&mut now, &mut then);
        }
    }
}

/// The exact number of solutions by mine count; the first entry is for the least count.
///
/// `bits` bounds the binary digits of the largest entry.
pub fn exact_counts(lattice: &Lattice, graded: bool, bits: u64) -> Vec<BigUint> {
    match bits {
        0..=63 => limbs(counts::<Limbs<1>>(lattice, graded)),
        64..=127 => limbs(counts::<Limbs<2>>(lattice, graded)),
        128..=255 => limbs(counts::<Limbs<4>>(lattice, graded)),
        256..=511 => limbs(counts::<Limbs<8>>(lattice, graded)),
        512..=1023 => limbs(counts::<Limbs<16>>(lattice, graded)),
        1024..=2047 => limbs(counts::<Limbs<32>>(lattice, graded)),
        2048..=4095 => limbs(counts::<Limbs<64>>(lattice, graded)),
        _ => counts::<BigUint>(lattice, graded),
    }
}

/// One layer at a time: big integers of every layer would not fit in memory.
fn counts<V: Weight>(lattice: &Lattice, graded: bool) -> Vec<V> {
    let mut runs = Runs::<V>::finished();
    for layer in lattice.layers.iter().rev() {
        runs = Runs::before(&runs, lattice, layer, graded);
    }
    runs.of(0).1.to_vec()
}

fn limbs<const N: usize>(counts: Vec<Limbs<N>>) -> Vec<BigUint> {
    let digits =
        |l: &Limbs<N>| l.0.iter().flat_map(|&l| [l as u32, (l >> 32) as u32]).collect::<Vec<_>>();
    counts.iter().map(|l| BigUint::from_slice(&digits(l))).collect()
}
