//! Exact integer counts for a small component: its solutions by mine count, and their mines by box.
//!
//! There are two passes over the lattice. The backward pass counts the ways to complete each state,
//! the forward pass the ways to reach it. A solution that puts `m` mines into a box takes one step
//! of that box's layer. The number of solutions through the step is the product of the ways to
//! reach its start, to place its mines and to complete its end. The sum of these numbers times `m`
//! over a layer's steps gives the mines in the box over all solutions.

use std::ops::RangeInclusive;

use crate::binomial::binomial;
use crate::lattice::NONE;
use crate::lattice::{Lattice, Layer};
use crate::share::BoxShare;

/// The solutions of a small component, in exact integers.
#[derive(Debug)]
pub struct Tallies {
    /// The fewest mines in a solution.
    pub least: usize,
    /// The number of solutions by mine count, from `least`.
    pub counts: Vec<u64>,
    /// For each box, a row as long as `counts`: the mines in the box, summed over the solutions
    /// with that mine count.
    mines: Vec<u64>,
}

impl Tallies {
    /// Counts a component; None if it has no solution.
    ///
    /// Every count must fit in a `u64`, which is enough for 56 cells: 2^56 solutions of at most 26
    /// mines per box.
    pub fn new(lattice: &Lattice, sizes: &[u8]) -> Option<Self> {
        let completions = completions(lattice);
        let all = completions.spans[0];
        if all.is_empty() {
            return None;
        }
        let counts = completions.row(0, 0)[all.counts()].to_vec();
        let least = usize::from(all.low);
        let mines = mines_by_box(lattice, sizes.len(), &completions, least, counts.len());
        Some(Tallies { least, counts, mines })
    }

    /// Appends every box's share, given the weight of each mine count and the counts `allowed` by
    /// the rest of the board (None: all).
    pub fn shares(
        &self,
        sizes: &[u8],
        weights: &[f64],
        allowed: Option<&[bool]>,
        out: &mut Vec<BoxShare>,
    ) {
        let weigh =
            |row: &[u64]| -> f64 { row.iter().zip(weights).map(|(&n, w)| n as f64 * w).sum() };
        let total = weigh(&self.counts);
        for (row, &size) in self.mines.chunks_exact(self.counts.len()).zip(sizes) {
            let (mut can_be_mine, mut can_be_clear) = (false, false);
            for (k, (&mines, &count)) in row.iter().zip(&self.counts).enumerate() {
                if allowed.is_none_or(|allowed| allowed[k]) {
                    can_be_mine |= mines > 0;
                    can_be_clear |= mines < count * u64::from(size);
                }
            }
            let p_mine = weigh(row) / (total * f64::from(size));
            out.push(BoxShare { p_mine, can_be_mine, can_be_clear });
        }
    }
}

/// For every state of a lattice, a row with the number of ways for each number of mines.
struct Ways {
    values: Vec<u64>,
    /// For each layer and the final state, the start of its rows in `values`, and their width.
    layers: Vec<(usize, usize)>,
    /// The non-zero range of each state's row.
    spans: Vec<Span>,
}

/// The mine counts from `low` to `high`.
#[derive(Clone, Copy)]
struct Span {
    low: u8,
    high: u8,
}

impl Span {
    const EMPTY: Span = Span { low: u8::MAX, high: 0 };

    #[inline]
    fn is_empty(self) -> bool {
        self.low > self.high
    }

    #[inline]
    fn counts(self) -> RangeInclusive<usize> {
        usize::from(self.low)..=usize::from(self.high)
    }

    /// Extends the span to cover another one, shifted up by `mines`.
    #[inline]
    fn cover(&mut self, other: Span, mines: u8) {
        self.low = self.low.min(other.low + mines);
        self.high = self.high.max(other.high + mines);
    }
}

impl Ways {
    /// Zero ways for every state. The rows of a layer are as wide as needed for the mines of all
    /// layers `before` it, or of itself and all later ones.
    fn none(lattice: &Lattice, before: bool) -> Self {
        let sizes = lattice.layers.iter().map(|layer| usize::from(layer.size));
        let cells: usize = sizes.clone().sum();
        let states = lattice.layers.iter().map(|layer| layer.states as usize).chain([1]);
        let (mut end, mut passed) = (0, 0);
        let layers = states.zip(sizes.chain([0])).map(|(states, size)| {
            let width = 1 + if before { passed } else { cells - passed };
            passed += size;
            end += states * width;
            (end - states * width, width)
        });
        let layers = layers.collect();
        Ways { values: vec![0; end], layers, spans: vec![Span::EMPTY; lattice.states as usize] }
    }

    /// Sets the first value of a state's row to one way without mines.
    fn start(&mut self, value: usize, state: usize) {
        self.values[value] = 1;
        self.spans[state] = Span { low: 0, high: 0 };
    }

    /// The row of a layer's state.
    #[inline]
    fn row(&self, layer: usize, state: usize) -> &[u64] {
        let (from, width) = self.layers[layer];
        &self.values[from + state * width..from + (state + 1) * width]
    }
}

/// The steps from a state of a layer: the mines of each, and the state it leads to in the next
/// layer.
#[inline]
fn steps<'a>(
    lattice: &'a Lattice,
    layer: &Layer,
    state: usize,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let next = lattice.next(layer, state).iter().enumerate();
    next.filter(|(_, &to)| to != NONE).map(|(mines, &to)| (mines, to as usize))
}

/// The number of ways to complete each state, by the number of mines still to be placed.
fn completions(lattice: &Lattice) -> Ways {
    let mut ways = Ways::none(lattice, false);
    ways.start(ways.values.len() - 1, ways.spans.len() - 1);
    for (i, layer) in lattice.layers.iter().enumerate().rev() {
        let first = layer.first as usize;
        let then = first + layer.states as usize;
        let (from, width) = ways.layers[i];
        let (next, next_width) = ways.layers[i + 1];
        let (rows, done) = ways.values.split_at_mut(next);
        for state in 0..layer.states as usize {
            let row = &mut rows[from + state * width..from + (state + 1) * width];
            let mut span = Span::EMPTY;
            for (mines, to) in steps(lattice, layer, state) {
                let rest = ways.spans[then + to];
                if rest.is_empty() {
                    continue;
                }
                let placings = u64::from(binomial(layer.size, mines as u8));
                let onward = &done[to * next_width..];
                for left in rest.counts() {
                    row[left + mines] += placings * onward[left];
                }
                span.cover(rest, mines as u8);
            }
            ways.spans[first + state] = span;
        }
    }
    ways
}

/// For each box, a row of `range` entries: its mines, summed over the solutions with `least`,
/// `least + 1` ... mines in total.
fn mines_by_box(
    lattice: &Lattice,
    boxes: usize,
    completions: &Ways,
    least: usize,
    range: usize,
) -> Vec<u64> {
    let mut mines_in = vec![0u64; boxes * range];
    // The number of ways to reach each state, by the number of mines placed so far.
    let mut reached = Ways::none(lattice, true);
    reached.start(0, 0);
    for (i, layer) in lattice.layers.iter().enumerate() {
        let (from, width) = reached.layers[i];
        let (next, next_width) = reached.layers[i + 1];
        let first = layer.first as usize;
        let then = first + layer.states as usize;
        let row = &mut mines_in[layer.b as usize * range..(layer.b as usize + 1) * range];
        let (done, rest) = reached.values.split_at_mut(next);
        for state in 0..layer.states as usize {
            let placed = reached.spans[first + state];
            if placed.is_empty() {
                continue;
            }
            let ways = &done[from + state * width..from + (state + 1) * width];
            for (mines, to) in steps(lattice, layer, state) {
                let left = completions.spans[then + to];
                if left.is_empty() {
                    continue;
                }
                let placings = u64::from(binomial(layer.size, mines as u8));
                let onward = completions.row(i + 1, to);
                for before in placed.counts() {
                    let here = ways[before] * placings;
                    rest[to * next_width + before + mines] += here;
                    if mines > 0 {
                        for after in left.counts() {
                            row[before + mines + after - least] +=
                                here * onward[after] * mines as u64;
                        }
                    }
                }
                reached.spans[then + to].cover(placed, mines as u8);
            }
        }
    }
    mines_in
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{all, random_shape, solved, Arrangement};

    #[test]
    fn counts_and_shares_are_those_of_all_arrangements_listed() {
        let mut compared = 0;
        for seed in 0..200 {
            let shape = random_shape(seed);
            let listed = all(&shape);
            let Some(lattice) = solved(&shape) else {
                assert!(listed.is_empty());
                continue;
            };
            let tallies = Tallies::new(&lattice, &shape.sizes).expect("it has a solution");
            let mines = |a: &Arrangement| a.mines.iter().sum::<usize>();
            assert_eq!(listed.iter().map(mines).min(), Some(tallies.least));
            for (k, &count) in tallies.counts.iter().enumerate() {
                let same = listed.iter().filter(|a| mines(a) == tallies.least + k);
                assert_eq!(count, same.clone().map(|a| a.ways).sum::<u64>());
                for b in 0..shape.boxes() {
                    let expected: u64 = same.clone().map(|a| a.ways * a.mines[b] as u64).sum();
                    assert_eq!(tallies.mines[b * tallies.counts.len() + k], expected);
                }
            }
            compared += 1;
        }
        assert!(compared > 100);
    }

    #[test]
    fn a_mine_count_that_is_not_allowed_proves_cells() {
        // Boxes of one and of two cells share a 1.
        let shape = crate::testing::shape(&[1], &[(1, &[0]), (2, &[0])]);
        let lattice = solved(&shape).expect("it has a solution");
        let tallies = Tallies::new(&lattice, &shape.sizes).expect("it has a solution");
        let mut shares = Vec::new();
        tallies.shares(&shape.sizes, &[1.0], None, &mut shares);
        assert_eq!(tallies.counts, [3]);
        assert!(shares.iter().all(|share| (share.p_mine - 1.0 / 3.0).abs() < 1e-15));
        assert!(shares.iter().all(|share| share.can_be_mine && share.can_be_clear));
        shares.clear();
        tallies.shares(&shape.sizes, &[1.0], Some(&[false]), &mut shares);
        assert!(shares.iter().all(|share| !share.can_be_mine && !share.can_be_clear));
    }
}
