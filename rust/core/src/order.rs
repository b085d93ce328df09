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

/// A witness in a search.
#[derive(Clone, Copy, Default)]
struct Witness {
    /// The start of its boxes in `Search::boxes`, and the end.
    from: u32,
    to: u32,
    /// The index in `Search::logs` of the logarithm of its possible needs now.
    now: u32,
    /// Its cells in the boxes of a candidate step.
    added: u32,
    /// The change in the logarithm of the states if its boxes are processed.
    change: f32,
    is_open: bool,
}

/// The boxes of a witness that have not been taken.
struct Left {
    boxes: [u32; MAX_DEGREE],
    count: usize,
}

impl Left {
    fn boxes(&self) -> &[u32] {
        &self.boxes[..self.count]
    }

    fn remove(&mut self, at: usize) -> u32 {
        let b = self.boxes[at];
        self.boxes.copy_within(at + 1..self.count, at);
        self.count -= 1;
        b
    }
}

struct Search<'a> {
    shape: &'a Shape,
    witnesses: Vec<Witness>,
    /// The boxes that touch each witness.
    boxes: Vec<u32>,
    /// For each witness, the number of its possible needs after 0, 1 ... of its cells were
    /// processed, and its logarithm.
    logs: Vec<f32>,
    values: Vec<u8>,
    /// The index in `logs` of each witness's first logarithm.
    first: Vec<u32>,
    /// For each witness, the witnesses that share a box with it, as a bit set of indices modulo 64.
    near: Vec<u64>,
    /// The open witnesses whose change must be computed again, in the same form. In components of
    /// more than 64 witnesses, some are computed again without need.
    changed: u64,
    // Scratch: the witnesses of a candidate step, the open witnesses, and the boxes taken.
    touched: Vec<u32>,
    open: Vec<u32>,
    taken: Vec<bool>,
}

impl<'a> Search<'a> {
    fn new(shape: &'a Shape) -> Self {
        let count = shape.needs.len();
        let mut witnesses = vec![Witness::default(); count];
        let mut cells = 0;
        for b in 0..shape.boxes() {
            for &w in shape.witnesses(b) {
                let witness = &mut witnesses[w as usize];
                witness.to += 1;
                witness.added += u32::from(shape.sizes[b]);
                cells += usize::from(shape.sizes[b]);
            }
        }
        let mut logs = Vec::with_capacity(cells + count);
        let mut values = Vec::with_capacity(cells + count);
        let mut first = Vec::with_capacity(count);
        let (mut end, ln) = (0, &*LN);
        for (witness, &need) in witnesses.iter_mut().zip(&shape.needs) {
            first.push(logs.len() as u32);
            let cells = std::mem::take(&mut witness.added);
            for done in 0..=cells {
                let possible = needs(need.into(), cells, done);
                values.push(possible);
                logs.push(ln[usize::from(possible)]);
            }
            witness.from = end;
            end += std::mem::replace(&mut witness.to, end);
        }
        let mut boxes = vec![0u32; end as usize];
        let mut near = vec![0u64; count];
        for b in 0..shape.boxes() {
            for &w in shape.witnesses(b) {
                let witness = &mut witnesses[w as usize];
                boxes[witness.to as usize] = b as u32;
                witness.to += 1;
                for &other in shape.witnesses(b) {
                    near[w as usize] |= 1 << (other % 64);
                }
            }
        }
        Search {
            shape,
            witnesses,
            boxes,
            logs,
            values,
            first,
            near,
            changed: 0,
            touched: vec![0; count + 1],
            open: Vec::with_capacity(count),
            taken: vec![false; shape.boxes()],
        }
    }

    /// The boxes of a witness that have not been taken. This and the next function have no
    /// branches, which are hard to predict.
    fn left(&self, w: u32) -> Left {
        let Witness { from, to, .. } = self.witnesses[w as usize];
        let mut left = Left { boxes: [0; MAX_DEGREE], count: 0 };
        for &b in &self.boxes[from as usize..to as usize] {
            left.boxes[left.count % MAX_DEGREE] = b;
            left.count += usize::from(!self.taken[b as usize]);
        }
        left
    }

    /// The change in the logarithm of the states if these boxes were processed next.
    fn change_of_all(&mut self, boxes: &[u32]) -> f32 {
        let mut count = 0;
        for &b in boxes {
            let size = u32::from(self.shape.sizes[b as usize]);
            for &w in self.shape.witnesses(b as usize) {
                let added = &mut self.witnesses[w as usize].added;
                self.touched[count] = w;
                count += usize::from(*added == 0);
                *added += size;
            }
        }
        let mut change = 0.0;
        for &w in self.touched[..count].iter().rev() {
            let witness = &mut self.witnesses[w as usize];
            let added = std::mem::take(&mut witness.added);
            let now = witness.now as usize;
            change += self.logs[now + added as usize] - self.logs[now];
        }
        change
    }

    /// The change in the logarithm of the states if this box were processed next.
    fn change_of(&self, b: u32) -> f32 {
        let size = usize::from(self.shape.sizes[b as usize]);
        let change = |change, &w: &u32| {
            let now = self.witnesses[w as usize].now as usize;
            change + (self.logs[now + size] - self.logs[now])
        };
        self.shape.witnesses(b as usize).iter().rev().fold(0.0, change)
    }

    /// The order that always closes the open witness that leaves the fewest states; None if the
    /// time is up.
    ///
    /// Choosing witnesses looks further ahead than choosing boxes, and saves at least 90 % of the
    /// states on wide frontiers.
    fn closing(&mut self, start: usize, budget: &Budget) -> Option<Vec<u32>> {
        let count = self.shape.boxes();
        for (witness, &first) in self.witnesses.iter_mut().zip(&self.first) {
            witness.now = first;
            witness.is_open = false;
        }
        self.changed = u64::MAX;
        self.taken.fill(false);
        self.open.clear();
        self.open.extend(self.shape.witnesses(start));
        for &w in &self.open {
            self.witnesses[w as usize].is_open = true;
        }
        let mut order = Vec::with_capacity(count);
        while order.len() < count {
            let mut pick = (f32::INFINITY, 0);
            for at in 0..self.open.len() {
                let w = self.open[at];
                if self.changed >> (w % 64) & 1 == 1 {
                    self.witnesses[w as usize].change = self.change_of_all(self.left(w).boxes());
                }
                let change = self.witnesses[w as usize].change;
                // Ties go to the witness opened first; sums of the same logarithms may differ in
                // the last digit.
                if change < pick.0 - 1e-5 {
                    pick = (change, at);
                }
            }
            self.changed = 0;
            if budget.is_late_after(16 * self.open.len()) {
                return None;
            }
            let w = self.open.remove(pick.1);
            let mut left = self.left(w);
            while left.count > 0 {
                let mut at = 0;
                if left.count > 1 {
                    let mut least = f32::INFINITY;
                    for (i, &b) in left.boxes().iter().enumerate() {
                        let change = self.change_of(b);
                        if change < least {
                            (least, at) = (change, i);
                        }
                    }
                }
                let b = left.remove(at);
                order.push(b);
                self.take(b);
            }
        }
        Some(order)
    }

    /// Processes a box.
    fn take(&mut self, b: u32) {
        self.taken[b as usize] = true;
        for &w in self.shape.witnesses(b as usize) {
            let witness = &mut self.witnesses[w as usize];
            witness.now += u32::from(self.shape.sizes[b as usize]);
            if !witness.is_open {
                witness.is_open = true;
                self.open.push(w);
            }
            self.changed |= self.near[w as usize];
        }
    }

    /// The estimated number of states of an order.
    fn price(&mut self, order: &[u32]) -> f64 {
        for (witness, &first) in self.witnesses.iter_mut().zip(&self.first) {
            witness.now = first;
        }
        let mut states = 1.0;
        let mut total = 0.0;
        for &b in order {
            let size = u32::from(self.shape.sizes[b as usize]);
            for &w in self.shape.witnesses(b as usize) {
                let now = self.witnesses[w as usize].now;
                let values = |at: u32| f64::from(self.values[at as usize]);
                states *= values(now + size) / values(now);
                self.witnesses[w as usize].now = now + size;
            }
            total += states;
        }
        total
    }
}

/// The number of possible needs of a witness after some of its cells were processed.
#[inline]
fn needs(need: u32, cells: u32, done: u32) -> u8 {
    let most = need.min(cells - done);
    (most + 1).saturating_sub(need.saturating_sub(done)).max(1) as u8
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
