//! The layered graph of partial solutions of one component.
//!
//! Boxes are processed one by one. A state holds the number of mines each open witness still needs.
//! The states of a layer are kept sorted; taking `m` mines subtracts the same number from every
//! state, so the next layer is a merge of sorted runs, without hashing.

use crate::budget::Budget;
use crate::frontier::Shape;
use crate::generate::Rng;
use crate::thin::{carried, choose, keep};

/// Why a lattice could not be completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// No arrangement fits the component.
    Empty,
    /// The budget ran out, or more witnesses are open at once than a state can hold.
    Budget,
}

#[derive(Debug, Clone, Copy)]
pub struct Layer {
    /// The box processed in this layer.
    pub b: u32,
    /// Its number of cells.
    pub size: u8,
    /// Number of states before it.
    pub states: u32,
    /// The index of its first state among all layers' states.
    pub first: u32,
    /// The start of its rows in `next`.
    pub at: u32,
}

/// Marks a step that is not part of any solution.
pub const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Default)]
pub struct Lattice {
    pub layers: Vec<Layer>,
    /// A row of `size + 1` entries per state: the state of the next layer after `m` mines, or
    /// `NONE`.
    next: Vec<u32>,
    /// Number of states, including the final one.
    pub states: u32,
    /// If states were thinned out (see `Lattice::thinned`): the factor of each kept state.
    pub factors: Option<Vec<f64>>,
}

impl Lattice {
    /// The states that follow a state of a layer, by mines taken.
    #[inline]
    pub fn next(&self, layer: &Layer, state: usize) -> &[u32] {
        let row = usize::from(layer.size) + 1;
        let from = layer.at as usize + state * row;
        &self.next[from..from + row]
    }

    /// The number of steps tried between states.
    pub fn steps(&self) -> usize {
        self.next.len()
    }

    /// The complete lattice for this order of boxes, or the reason why there is none.
    pub fn build(shape: &Shape, order: &[u32], budget: &mut Budget) -> Result<Lattice, Stopped> {
        Self::build_in(shape, order, budget, None)
    }

    /// A lattice in which no layer keeps more than `most` states, chosen at random so that the
    /// expectation of every count computed with `factors` is the true count.
    pub fn thinned(
        shape: &Shape,
        order: &[u32],
        most: usize,
        rng: &mut Rng,
        budget: &mut Budget,
    ) -> Result<Lattice, Stopped> {
        Self::build_in(shape, order, budget, Some((most, rng)))
    }

    fn build_in(
        shape: &Shape,
        order: &[u32],
        budget: &mut Budget,
        thin: Option<(usize, &mut Rng)>,
    ) -> Result<Lattice, Stopped> {
        // Use the narrowest state that can hold all simultaneously open witnesses.
        if let Some(plan) = Plan::<1>::new(shape, order) {
            plan.run(shape, order, budget, thin)
        } else if let Some(plan) = Plan::<2>::new(shape, order) {
            plan.run(shape, order, budget, thin)
        } else if let Some(plan) = Plan::<4>::new(shape, order) {
            plan.run(shape, order, budget, thin)
        } else if let Some(plan) = Plan::<16>::new(shape, order) {
            plan.run(shape, order, budget, thin)
        } else {
            Err(Stopped::Budget)
        }
    }
}

/// The mines still needed by each open witness, one bit field per witness.
type Key<const W: usize> = [u64; W];

/// One witness's part of a step.
#[derive(Clone, Copy)]
struct Field {
    word: u8,
    shift: u8,
    mask: u8,
    /// The number of its cells in later boxes, which is an upper bound on its need.
    room: u8,
}

struct Plan<const W: usize> {
    /// The needs of the witnesses that open in a layer, added to each of its states.
    open: Vec<Key<W>>,
    /// Subtracted for each mine taken.
    unit: Vec<Key<W>>,
    fields: Vec<Field>,
    starts: Vec<u32>,
}

impl<const W: usize> Plan<W> {
    fn new(shape: &Shape, order: &[u32]) -> Option<Self> {
        let witnesses = shape.needs.len();
        let mut room = vec![0u32; witnesses];
        let mut left = vec![0u32; witnesses];
        for b in 0..shape.boxes() {
            for &w in shape.witnesses(b) {
                room[w as usize] += u32::from(shape.sizes[b]);
                left[w as usize] += 1;
            }
        }
        let mut place: Vec<Option<(u8, u8)>> = vec![None; witnesses];
        let mut used = [0u64; W];
        let mut plan = Plan {
            open: Vec::with_capacity(order.len()),
            unit: Vec::with_capacity(order.len()),
            fields: Vec::new(),
            starts: vec![0],
        };
        for &b in order {
            let b = b as usize;
            let (mut open, mut unit) = ([0u64; W], [0u64; W]);
            for &w in shape.witnesses(b) {
                let w = w as usize;
                let width = bits(shape.needs[w]);
                let (word, shift) = match place[w] {
                    Some(at) => at,
                    None => {
                        let at = free(&mut used, width)?;
                        place[w] = Some(at);
                        open[usize::from(at.0)] |= u64::from(shape.needs[w]) << at.1;
                        at
                    }
                };
                unit[usize::from(word)] |= 1 << shift;
                room[w] -= u32::from(shape.sizes[b]);
                left[w] -= 1;
                plan.fields.push(Field {
                    word,
                    shift,
                    mask: ((1u32 << width) - 1) as u8,
                    room: room[w].min(255) as u8,
                });
            }
            // Fields are freed only after the whole step, so that a closed witness's field is zero
            // before it is reused.
            for &w in shape.witnesses(b) {
                let w = w as usize;
                if left[w] == 0 {
                    let (word, shift) = place[w]?;
                    used[usize::from(word)] &= !(((1 << bits(shape.needs[w])) - 1) << shift);
                }
            }
            plan.open.push(open);
            plan.unit.push(unit);
            plan.starts.push(plan.fields.len() as u32);
        }
        Some(plan)
    }

    fn run(
        &self,
        shape: &Shape,
        order: &[u32],
        budget: &mut Budget,
        mut thin: Option<(usize, &mut Rng)>,
    ) -> Result<Lattice, Stopped> {
        let mut lattice = Lattice::default();
        let mut factors: Vec<f64> = Vec::new();
        lattice.layers.reserve(order.len());
        let mut now: Vec<Key<W>> = vec![[0; W]];
        let mut then: Vec<Key<W>> = Vec::new();
        let mut limits: Vec<(u8, u8)> = Vec::new();
        // The true weight of each state so far, if states are thinned out.
        let mut weight: Vec<f64> = vec![1.0];
        for (step, &b) in order.iter().enumerate() {
            let size = shape.sizes[b as usize];
            let layer = Layer {
                b,
                size,
                states: now.len() as u32,
                first: lattice.states,
                at: lattice.next.len() as u32,
            };
            lattice.states += layer.states;
            let fields = &self.fields[self.starts[step] as usize..self.starts[step + 1] as usize];
            limits.clear();
            for key in &mut now {
                for (k, o) in key.iter_mut().zip(&self.open[step]) {
                    *k += o;
                }
                let (mut least, mut most) = (0, size);
                for f in fields {
                    let need = (key[usize::from(f.word)] >> f.shift) as u8 & f.mask;
                    most = most.min(need);
                    least = least.max(need.saturating_sub(f.room));
                }
                limits.push((least, most));
            }
            let row = usize::from(size) + 1;
            let rows = now.len() * row;
            if lattice.next.len() + rows > u32::MAX as usize / 2 {
                return Err(Stopped::Budget);
            }
            lattice.next.resize(layer.at as usize + rows, NONE);
            let next = &mut lattice.next[layer.at as usize..];
            then.clear();
            if size == 1 {
                merge_two(&now, &limits, &self.unit[step], &mut then, next);
            } else {
                merge(&now, &limits, &self.unit[step], row, &mut then, next);
            }
            lattice.layers.push(layer);
            if then.is_empty() {
                return Err(Stopped::Empty);
            }
            budget.states = budget.states.saturating_sub(then.len() as u64);
            if budget.states == 0 || budget.is_late_after(rows) {
                return Err(Stopped::Budget);
            }
            if let Some((most, rng)) = &mut thin {
                weight = carried(&weight, next, size, then.len());
                factors.extend(choose(&mut weight, *most, rng));
                keep(&mut then, &mut weight, &mut factors, next);
            }
            std::mem::swap(&mut now, &mut then);
        }
        lattice.states += 1;
        if thin.is_some() {
            // The first factor is that of the initial state, which is never thinned out.
            factors.insert(0, 1.0);
            lattice.factors = Some(factors);
        }
        Ok(lattice)
    }
}

fn bits(need: u8) -> u32 {
    8 - need.leading_zeros()
}

/// Allocates `width` free bits within one word.
fn free<const W: usize>(used: &mut [u64; W], width: u32) -> Option<(u8, u8)> {
    let mask = (1u64 << width) - 1;
    for (word, bits) in used.iter_mut().enumerate() {
        for shift in 0..=(64 - width) {
            if *bits & (mask << shift) == 0 {
                *bits |= mask << shift;
                return Some((word as u8, shift as u8));
            }
        }
    }
    None
}

#[inline]
fn minus<const W: usize>(key: &Key<W>, unit: &Key<W>, mines: u64) -> Key<W> {
    let mut out = *key;
    for (o, u) in out.iter_mut().zip(unit) {
        *o -= u * mines;
    }
    out
}

/// Computes the next layer for a box of one cell by merging two sorted runs.
fn merge_two<const W: usize>(
    now: &[Key<W>],
    limits: &[(u8, u8)],
    unit: &Key<W>,
    then: &mut Vec<Key<W>>,
    next: &mut [u32],
) {
    let n = now.len();
    let (mut clear, mut mine) = (0, 0);
    let ahead = |mut at: usize, mines: u8| {
        while at < n && (limits[at].0 > mines || limits[at].1 < mines) {
            at += 1;
        }
        at
    };
    clear = ahead(clear, 0);
    mine = ahead(mine, 1);
    while clear < n || mine < n {
        let id = then.len() as u32;
        if mine == n {
            then.push(now[clear]);
            next[2 * clear] = id;
            clear = ahead(clear + 1, 0);
            continue;
        }
        let key = minus(&now[mine], unit, 1);
        if clear == n || key < now[clear] {
            then.push(key);
            next[2 * mine + 1] = id;
            mine = ahead(mine + 1, 1);
        } else if key == now[clear] {
            then.push(key);
            next[2 * mine + 1] = id;
            next[2 * clear] = id;
            mine = ahead(mine + 1, 1);
            clear = ahead(clear + 1, 0);
        } else {
            then.push(now[clear]);
            next[2 * clear] = id;
            clear = ahead(clear + 1, 0);
        }
    }
}

/// Computes the next layer for a box of any size, with a sorted run for each number of mines taken.
fn merge<const W: usize>(
    now: &[Key<W>],
    limits: &[(u8, u8)],
    unit: &Key<W>,
    row: usize,
    then: &mut Vec<Key<W>>,
    next: &mut [u32],
) {
    const RUNS: usize = crate::topology::MAX_DEGREE + 1;
    let mut at = [0usize; RUNS];
    let mut head = [[u64::MAX; W]; RUNS];
    let seek = |m: usize, at: &mut usize, head: &mut Key<W>| {
        let mines = m as u8;
        while let Some(&(least, most)) = limits.get(*at) {
            if least <= mines && mines <= most {
                *head = minus(&now[*at], unit, m as u64);
                return;
            }
            *at += 1;
        }
        *head = [u64::MAX; W];
    };
    for m in 0..row {
        seek(m, &mut at[m], &mut head[m]);
    }
    loop {
        let mut key = [u64::MAX; W];
        let mut alive = false;
        for m in 0..row {
            if at[m] < now.len() {
                alive = true;
                key = key.min(head[m]);
            }
        }
        if !alive {
            return;
        }
        let id = then.len() as u32;
        then.push(key);
        for m in 0..row {
            if at[m] < now.len() && head[m] == key {
                next[at[m] * row + m] = id;
                at[m] += 1;
                seek(m, &mut at[m], &mut head[m]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binomial::binomial;
    use crate::budget::Limit;
    use crate::order;
    use crate::testing::{all, random_shape, solved};

    /// The solutions represented by the lattice's paths, with their factors.
    fn count(lattice: &Lattice) -> f64 {
        let factor = |state: usize| lattice.factors.as_ref().map_or(1.0, |f| f[state]);
        let mut now = vec![1.0];
        for (t, layer) in lattice.layers.iter().enumerate() {
            let states = lattice.layers.get(t + 1).map_or(1, |next| next.states as usize);
            let mut then = vec![0.0; states];
            for (i, ways) in now.iter().enumerate() {
                for (m, &to) in lattice.next(layer, i).iter().enumerate() {
                    if to != NONE {
                        then[to as usize] += ways * f64::from(binomial(layer.size, m as u8));
                    }
                }
            }
            let first = lattice.layers.get(t + 1).map_or(lattice.states - 1, |next| next.first);
            for (i, ways) in then.iter_mut().enumerate() {
                *ways *= factor(first as usize + i);
            }
            now = then;
        }
        now[0]
    }

    #[test]
    fn its_paths_are_all_arrangements() {
        for seed in 0..200 {
            let shape = random_shape(seed);
            let ways: u64 = all(&shape).iter().map(|a| a.ways).sum();
            match solved(&shape) {
                Some(lattice) => assert_eq!(count(&lattice), ways as f64),
                None => assert_eq!(ways, 0),
            }
        }
    }

    #[test]
    fn thinned_out_it_counts_the_same_on_average() {
        let shape = (0..).map(random_shape).find(|s| all(s).len() > 8).unwrap();
        let ways: u64 = all(&shape).iter().map(|a| a.ways).sum();
        let order = order::best(&shape, &Budget::unlimited()).unwrap();
        let (mut rng, mut sum, mut thinned) = (Rng::new(1), 0.0, 0);
        for _ in 0..4000 {
            let mut budget = Budget::unlimited();
            // If no kept state leads to a solution, nothing is left, and the sample counts as zero.
            if let Ok(made) = Lattice::thinned(&shape, &order, 2, &mut rng, &mut budget) {
                thinned += usize::from(made.layers.iter().any(|l| l.states > 1));
                sum += count(&made);
            }
        }
        assert!(thinned > 1000);
        assert!((sum / 4000.0 / ways as f64 - 1.0).abs() < 0.05, "{} {ways}", sum / 4000.0);
    }

    #[test]
    fn without_states_or_time_it_is_given_up() {
        let shape = (0..).map(random_shape).find(|s| all(s).len() > 8).unwrap();
        let order = order::best(&shape, &Budget::unlimited()).unwrap();
        let mut budget = Budget::new(Limit { states: 2, seconds: None }, None);
        assert_eq!(Lattice::build(&shape, &order, &mut budget).unwrap_err(), Stopped::Budget);
    }
}
