//! The components and their boxes.

use super::{Frontier, Mark, Span, NONE};
use crate::topology::Graph;

impl Frontier {
    /// Finds the components among the unsettled cells, and their boxes.
    pub(super) fn divide(&mut self, graph: &Graph) {
        for i in 0..self.witnesses.len() {
            let first = self.witnesses[i] as usize;
            if self.unknown[first] == 0 || self.local[first] != NONE {
                continue;
            }
            let numbers_from = self.numbers.len();
            self.found.clear();
            self.local[first] = 0;
            self.numbers.push(first as u32);
            let mut next = numbers_from;
            while next < self.numbers.len() {
                for &cell in graph.neighbours(self.numbers[next] as usize) {
                    if self.marks[cell as usize] != Mark::Floating {
                        continue;
                    }
                    self.marks[cell as usize] = Mark::Frontier;
                    self.found.push(cell);
                    for &n in graph.neighbours(cell as usize) {
                        if self.is_witness(n) && self.local[n as usize] == NONE {
                            self.local[n as usize] = (self.numbers.len() - numbers_from) as u32;
                            self.numbers.push(n);
                        }
                    }
                }
                next += 1;
            }
            self.gather_boxes(graph);
            self.store(numbers_from);
        }
    }

    /// Groups the cells into boxes by their witnesses.
    fn gather_boxes(&mut self, graph: &Graph) {
        self.cell_box.clear();
        self.box_size.clear();
        self.box_at.clear();
        self.box_witnesses.clear();
        self.box_hash.clear();
        // Uses a linear search for few cells and a hash table for many.
        let buckets =
            if self.found.len() > 24 { (self.found.len() * 2).next_power_of_two() } else { 0 };
        self.table.clear();
        self.table.resize(buckets, NONE);
        for i in 0..self.found.len() {
            let from = self.box_witnesses.len();
            let mut hash = 0u64;
            for &n in graph.neighbours(self.found[i] as usize) {
                if self.is_witness(n) {
                    let local = self.local[n as usize];
                    self.box_witnesses.push(local);
                    hash = (hash ^ u64::from(local)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    hash ^= hash >> 29;
                }
            }
            let mine = &self.box_witnesses[from..];
            let same = |b: usize| {
                let (start, end) = self.box_at[b];
                self.box_hash[b] == hash
                    && self.box_witnesses[start as usize..end as usize] == *mine
            };
            let mut slot = 0;
            let known = if buckets == 0 {
                (0..self.box_at.len()).find(|&b| same(b))
            } else {
                slot = hash as usize & (buckets - 1);
                loop {
                    match self.table[slot] {
                        NONE => break None,
                        b if same(b as usize) => break Some(b as usize),
                        _ => slot = (slot + 1) & (buckets - 1),
                    }
                }
            };
            match known {
                Some(b) => {
                    self.box_witnesses.truncate(from);
                    self.box_size[b] += 1;
                    self.cell_box.push(b as u32);
                }
                None => {
                    let b = self.box_at.len() as u32;
                    if buckets > 0 {
                        self.table[slot] = b;
                    }
                    self.cell_box.push(b);
                    self.box_size.push(1);
                    self.box_hash.push(hash);
                    self.box_at.push((from as u32, self.box_witnesses.len() as u32));
                }
            }
        }
    }

    fn store(&mut self, numbers_from: usize) {
        let key_from = self.keys.len();
        let cells_from = self.cells.len();
        let witnesses = self.numbers.len() - numbers_from;
        self.keys.push(witnesses as u32);
        self.keys.push(self.box_at.len() as u32);
        for &number in &self.numbers[numbers_from..] {
            self.keys.push(self.need[number as usize] as u32);
        }
        // A counting sort that puts cells in the order of their boxes; each counter starts at the
        // first index of its box.
        let mut start = cells_from as u32;
        for (b, &(from, to)) in self.box_at.iter().enumerate() {
            let size = self.box_size[b];
            self.keys.push(size);
            self.keys.push(to - from);
            self.keys.extend_from_slice(&self.box_witnesses[from as usize..to as usize]);
            self.box_size[b] = start;
            start += size;
        }
        self.cells.resize(start as usize, 0);
        for (i, &cell) in self.found.iter().enumerate() {
            let place = &mut self.box_size[self.cell_box[i] as usize];
            self.cells[*place as usize] = cell;
            *place += 1;
        }
        self.spans.push(Span {
            key: (key_from as u32, self.keys.len() as u32),
            cells: (cells_from as u32, start),
            numbers: (numbers_from as u32, self.numbers.len() as u32),
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::frontier::Shape;
    use crate::testing::random_position;

    #[test]
    fn cells_share_a_box_where_they_touch_the_same_numbers() {
        let mut frontier = Frontier::default();
        for seed in 0..100 {
            let (graph, cells, _) = random_position(seed);
            frontier.read(&graph, &cells, &[]).unwrap();
            let witnesses = |cell: u32| -> Vec<u32> {
                let near = graph.neighbours(cell as usize).iter().copied();
                near.filter(|&n| frontier.is_witness(n) && frontier.unknown[n as usize] > 0)
                    .collect()
            };
            for i in 0..frontier.components() {
                let shape = Shape::decode(frontier.key(i));
                let mut left = frontier.cells(i).iter();
                let mut seen = HashSet::new();
                for b in 0..shape.boxes() {
                    let own: Vec<u32> =
                        left.by_ref().take(shape.sizes[b].into()).copied().collect();
                    let locals = shape.witnesses(b).iter();
                    let mut expected: Vec<u32> =
                        locals.map(|&local| frontier.numbers(i)[local as usize]).collect();
                    expected.sort_unstable();
                    assert!(own.iter().all(|&cell| witnesses(cell) == expected));
                    assert!(seen.insert(expected), "two boxes with the same numbers");
                }
                assert!(left.next().is_none());
            }
        }
    }

    #[test]
    fn numbers_that_share_no_unopened_cell_are_in_different_components() {
        let (graph, cells) = crate::testing::position(&["..11...11..", "..11...11.."]);
        let mut frontier = Frontier::default();
        frontier.read(&graph, &cells, &[]).unwrap();
        assert_eq!((frontier.components(), frontier.floating), (4, 6));
        assert!((0..4).all(|i| frontier.cells(i).len() == 2));
    }
}
