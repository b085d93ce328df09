//! In which order to sweep a component's boxes, so that few witnesses are open at once.

use crate::frontier::Shape;

/// Which boxes touch each witness, and how much a witness costs while it is open.
struct Links {
    starts: Vec<u32>,
    boxes: Vec<u32>,
    cells: Vec<u32>,
    weight: Vec<f32>,
}

impl Links {
    fn new(shape: &Shape) -> Links {
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
        let weight = (0..witnesses)
            .map(|w| {
                let need = u32::from(shape.needs[w]);
                (need.min(cells[w].saturating_sub(need)) as f32 + 1.0).ln()
            })
            .collect();
        Links { starts, boxes, cells, weight }
    }

    fn boxes(&self, w: usize) -> &[u32] {
        &self.boxes[self.starts[w] as usize..self.starts[w + 1] as usize]
    }
}

/// The best of several greedy orders, and an estimate of the states it takes.
pub fn best(shape: &Shape) -> Vec<u32> {
    let boxes = shape.boxes();
    if boxes <= 2 {
        return (0..boxes as u32).collect();
    }
    let links = Links::new(shape);
    // A short frontier has two ends worth starting from; a wide one deserves more tries.
    let first = greedy(shape, &links, fewest_witnesses(shape));
    if boxes <= 12 {
        return first;
    }
    let mut best = (cost(shape, &links, &first), first);
    let tries = if boxes <= 40 { 1 } else { 6 };
    let mut start = best.1[boxes - 1] as usize;
    for round in 0..tries {
        let order = greedy(shape, &links, start);
        let price = cost(shape, &links, &order);
        // Next from where this one ended, or from places spread over the component.
        start = if round % 2 == 0 {
            order[boxes - 1] as usize
        } else {
            (round * boxes / tries + boxes / 3) % boxes
        };
        if price < best.0 {
            best = (price, order);
        }
    }
    best.1
}

fn fewest_witnesses(shape: &Shape) -> usize {
    (0..shape.boxes()).min_by_key(|&b| shape.witnesses(b).len()).unwrap_or(0)
}

/// Always takes the box that leaves the lightest set of open witnesses, the longest waiting first.
fn greedy(shape: &Shape, links: &Links, start: usize) -> Vec<u32> {
    let boxes = shape.boxes();
    let witnesses = shape.needs.len();
    let mut left: Vec<u32> = (0..witnesses).map(|w| links.boxes(w).len() as u32).collect();
    let mut open = vec![false; witnesses];
    let mut taken = vec![false; boxes];
    let mut waiting = vec![false; boxes];
    let mut candidates: Vec<u32> = vec![start as u32];
    waiting[start] = true;
    let mut order = Vec::with_capacity(boxes);
    while order.len() < boxes {
        let mut pick = (f32::INFINITY, 0);
        for (at, &b) in candidates.iter().enumerate() {
            let mut change = 0.0;
            for &w in shape.witnesses(b as usize) {
                let w = w as usize;
                if open[w] {
                    if left[w] == 1 {
                        change -= links.weight[w];
                    }
                } else if left[w] > 1 {
                    change += links.weight[w];
                }
            }
            if change < pick.0 {
                pick = (change, at);
            }
        }
        // Order kept, so that ties go to the box that has waited longest.
        let b = candidates.remove(pick.1) as usize;
        taken[b] = true;
        order.push(b as u32);
        for &w in shape.witnesses(b) {
            let w = w as usize;
            left[w] -= 1;
            if !open[w] {
                open[w] = true;
                for &n in links.boxes(w) {
                    if !taken[n as usize] && !waiting[n as usize] {
                        waiting[n as usize] = true;
                        candidates.push(n);
                    }
                }
            }
        }
    }
    order
}

/// An upper estimate of the states that an order makes.
fn cost(shape: &Shape, links: &Links, order: &[u32]) -> f64 {
    let witnesses = shape.needs.len();
    let mut done = vec![0u32; witnesses];
    let values = |w: usize, done: u32| {
        let need = u32::from(shape.needs[w]);
        let most = need.min(links.cells[w] - done);
        let least = need.saturating_sub(done);
        f64::from((most + 1).saturating_sub(least).max(1))
    };
    let mut states = 1.0f64;
    let mut total = 0.0;
    for &b in order {
        for &w in shape.witnesses(b as usize) {
            let w = w as usize;
            states /= values(w, done[w]);
            done[w] += u32::from(shape.sizes[b as usize]);
            states *= values(w, done[w]);
        }
        total += states;
    }
    total
}
