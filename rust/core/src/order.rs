//! The order in which a component's boxes are processed, chosen to keep the number of states low.
//!
//! The estimated number of states of a layer is the product, over partly processed witnesses, of
//! the number of possible needs. Greedy orders from several starting boxes are compared by the sum
//! over all layers. The more expensive the best order so far, the more are tried.

use std::sync::LazyLock;

use crate::budget::Budget;
use crate::frontier::Shape;
use crate::topology::MAX_DEGREE;

/// With at most this many boxes, any order is good enough.
const SHORT: usize = 12;
/// The number of tries grows with the square root of the number of states that they may save,
/// measured in units of this.
const FREE_STATES: f64 = 3e3;
const TRIES: usize = 1000;
/// The maximum number of boxes to order in all tries together, which limits the time on the largest
/// boards.
const WORK: usize = 2_000_000;
/// Above this estimate, more tries do not help.
const HOPELESS: f64 = 1e15;

/// The cheapest order found in the time; None if none was found.
pub fn best(shape: &Shape, budget: &Budget) -> Option<Vec<u32>> {
    let boxes = shape.boxes();
    if boxes <= 2 {
        return Some((0..boxes as u32).collect());
    }
    let mut search = Search::new(shape);
    let fewest = (0..boxes).min_by_key(|&b| shape.witnesses(b).len()).unwrap_or(0);
    let mut order = search.closing(fewest, budget)?;
    if boxes <= SHORT {
        return Some(order);
    }
    let mut price = search.price(&order);
    // A good order often ends where another good one starts.
    let mut start = order[boxes - 1] as usize;
    let mut round = 1;
    let most = (WORK / boxes).clamp(1, TRIES);
    while round < 2 + ((price / FREE_STATES).sqrt() as usize).min(most) {
        if (price > HOPELESS && round > 20) || budget.is_late() {
            break;
        }
        let Some(other) = search.closing(start, budget) else { break };
        let others = search.price(&other);
        start = if round % 2 == 0 {
            other[boxes - 1] as usize
        } else {
            // Multiples of the golden ratio spread evenly over the boxes.
            ((round as f64 * 0.618_034).fract() * boxes as f64) as usize % boxes
        };
        if others < price {
            (price, order) = (others, other);
        }
        round += 1;
    }
    Some(order)
}

/// Logarithms of the number of possible needs, which is at most one more than the witness's degree.
static LN: LazyLock<[f32; MAX_DEGREE + 2]> =
    LazyLock::new(|| std::array::from_fn(|values| (values.max(1) as f32).ln()));

fn ln(values: u32) -> f32 {
    LN[values as usize]
}

struct Search<'a> {
    shape: &'a Shape,
    // For each witness, the boxes that touch it (in compressed rows), and the number of its cells.
    starts: Vec<u32>,
    boxes: Vec<u32>,
    cells: Vec<u32>,
    // Scratch: processed cells of each witness, and cells added by a candidate step.
    done: Vec<u32>,
    added: Vec<u32>,
    touched: Vec<u32>,
}

impl<'a> Search<'a> {
    fn new(shape: &'a Shape) -> Self {
        let witnesses = shape.needs.len();
        let mut starts = vec![0u32; witnesses + 1];
        let mut cells = vec![0u32; witnesses];
        for b in 0..shape.boxes() {
            for &w in shape.witnesses(b) {
                starts[w as usize + 1] += 1;
                cells[w as usize] += u32::from(shape.sizes[b]);
            }
        }
        for w in 0..witnesses {
            starts[w + 1] += starts[w];
        }
        let mut place = starts.clone();
        let mut boxes = vec![0u32; starts[witnesses] as usize];
        for b in 0..shape.boxes() {
            for &w in shape.witnesses(b) {
                boxes[place[w as usize] as usize] = b as u32;
                place[w as usize] += 1;
            }
        }
        let (done, added) = (vec![0; witnesses], vec![0; witnesses]);
        Search { shape, starts, boxes, cells, done, added, touched: Vec::new() }
    }

    fn boxes(&self, w: u32) -> &[u32] {
        &self.boxes[self.starts[w as usize] as usize..self.starts[w as usize + 1] as usize]
    }

    /// The number of possible needs of a witness after this many of its cells were processed.
    #[inline]
    fn values(&self, w: u32, done: u32) -> u32 {
        let need = u32::from(self.shape.needs[w as usize]);
        let most = need.min(self.cells[w as usize] - done);
        (most + 1).saturating_sub(need.saturating_sub(done)).max(1)
    }

    /// The change in the logarithm of the states if these boxes were processed next.
    fn change(&mut self, boxes: impl Iterator<Item = u32>) -> f32 {
        for b in boxes {
            let size = u32::from(self.shape.sizes[b as usize]);
            for &w in self.shape.witnesses(b as usize) {
                if self.added[w as usize] == 0 {
                    self.touched.push(w);
                }
                self.added[w as usize] += size;
            }
        }
        let mut change = 0.0;
        while let Some(w) = self.touched.pop() {
            let before = self.done[w as usize];
            let after = before + std::mem::take(&mut self.added[w as usize]);
            change += ln(self.values(w, after)) - ln(self.values(w, before));
        }
        change
    }

    /// The order that always closes the open witness that leaves the fewest states; None if the
    /// time is up.
    ///
    /// Choosing witnesses looks further ahead than choosing boxes, and saves at least 90 % of the
    /// states on wide frontiers.
    fn closing(&mut self, start: usize, budget: &Budget) -> Option<Vec<u32>> {
        let count = self.shape.boxes();
        self.done.fill(0);
        let mut taken = vec![false; count];
        let mut open: Vec<u32> = self.shape.witnesses(start).to_vec();
        let mut waiting = vec![false; self.done.len()];
        for &w in &open {
            waiting[w as usize] = true;
        }
        let mut order = Vec::with_capacity(count);
        let mut left: Vec<u32> = Vec::new();
        while order.len() < count {
            let mut pick = (f32::INFINITY, 0);
            for (at, &w) in open.iter().enumerate() {
                left.clear();
                left.extend(self.boxes(w).iter().filter(|&&b| !taken[b as usize]));
                let change = self.change(left.iter().copied());
                // Ties go to the witness opened first; sums of the same logarithms may differ in
                // the last digit.
                if change < pick.0 - 1e-5 {
                    pick = (change, at);
                }
            }
            if budget.is_late_after(16 * open.len()) {
                return None;
            }
            let w = open.remove(pick.1);
            left.clear();
            left.extend(self.boxes(w).iter().filter(|&&b| !taken[b as usize]));
            while !left.is_empty() {
                let mut pick = (f32::INFINITY, 0);
                for (at, &b) in left.iter().enumerate() {
                    let change = self.change(std::iter::once(b));
                    if change < pick.0 {
                        pick = (change, at);
                    }
                }
                let b = left.remove(pick.1) as usize;
                taken[b] = true;
                order.push(b as u32);
                for &v in self.shape.witnesses(b) {
                    self.done[v as usize] += u32::from(self.shape.sizes[b]);
                    if !waiting[v as usize] {
                        waiting[v as usize] = true;
                        open.push(v);
                    }
                }
            }
        }
        Some(order)
    }

    /// The estimated number of states of an order.
    fn price(&mut self, order: &[u32]) -> f64 {
        self.done.fill(0);
        let mut states = 1.0;
        let mut total = 0.0;
        for &b in order {
            let size = u32::from(self.shape.sizes[b as usize]);
            for &w in self.shape.witnesses(b as usize) {
                let done = self.done[w as usize];
                states *= f64::from(self.values(w, done + size)) / f64::from(self.values(w, done));
                self.done[w as usize] = done + size;
            }
            total += states;
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Limit;
    use crate::testing::random_shape;

    #[test]
    fn an_order_has_every_box_once_and_costs_no_more_than_the_first_one_tried() {
        for seed in 0..200 {
            let shape = random_shape(seed);
            let mut order = best(&shape, &Budget::unlimited()).unwrap();
            let mut search = Search::new(&shape);
            if shape.boxes() > 2 {
                let first = search.closing(0, &Budget::unlimited()).unwrap();
                assert!(shape.boxes() <= SHORT || search.price(&order) <= search.price(&first));
            }
            order.sort_unstable();
            assert!(order.iter().copied().eq(0..shape.boxes() as u32));
        }
    }

    #[test]
    fn the_price_is_at_least_the_number_of_states() {
        for seed in 0..200 {
            let shape = random_shape(seed);
            let order = best(&shape, &Budget::unlimited()).unwrap();
            let Some(lattice) = crate::testing::solved(&shape) else { continue };
            let price = Search::new(&shape).price(&order);
            // The first state is not counted.
            assert!(f64::from(lattice.states - 1) <= price + 1e-6, "seed {seed}");
        }
    }

    #[test]
    fn without_time_there_is_no_order_of_many_boxes() {
        let needs = vec![1; 3000];
        let pairs: Vec<(u32, [u32; 2])> = (1..3000).map(|w| (1, [w - 1, w])).collect();
        let boxes: Vec<(u32, &[u32])> = pairs.iter().map(|(size, w)| (*size, &w[..])).collect();
        let shape = crate::testing::shape(&needs, &boxes);
        let none = Budget::new(Limit { states: 1, seconds: Some(0.0) }, None);
        assert!(best(&shape, &none).is_none());
    }
}
