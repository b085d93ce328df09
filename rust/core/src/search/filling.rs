//! Lists the mine counts of a component's boxes that satisfy its numbers, one filling at a time.

use super::listing::Part;
use super::search_budget::{SearchBudget, Stopped};
use crate::frontier::Shape;

/// Lists the fillings; false if there are more than `most`.
pub(super) fn fill_boxes(
    shape: &Shape,
    most: usize,
    part: &mut Part,
    budget: &mut SearchBudget,
) -> Result<bool, Stopped> {
    let mut filling = Filling {
        shape,
        needs: shape.needs.iter().map(|&n| i32::from(n)).collect(),
        room: vec![0; shape.needs.len()],
        open: Vec::with_capacity(shape.boxes()),
        counts: Vec::with_capacity(shape.boxes()),
        mines: 0,
    };
    for b in 0..shape.boxes() {
        for &w in shape.witnesses(b) {
            filling.room[w as usize] += i32::from(shape.sizes[b]);
        }
    }
    filling.all(most, part, budget)
}

/// The counts that the witnesses of a box still allow.
struct Choice {
    next: i32,
    most: i32,
}

struct Filling<'a> {
    shape: &'a Shape,
    needs: Vec<i32>,
    /// The cells around each witness in boxes not yet open.
    room: Vec<i32>,
    /// The boxes being filled, and the mine counts of the filled ones.
    open: Vec<Choice>,
    counts: Vec<u8>,
    mines: u32,
}

impl Filling<'_> {
    // A loop, because recursion over the boxes could overflow the stack.
    fn all(
        &mut self,
        most: usize,
        part: &mut Part,
        budget: &mut SearchBudget,
    ) -> Result<bool, Stopped> {
        self.open();
        while let Some(choice) = self.open.last_mut() {
            if choice.next > choice.most {
                self.close();
                continue;
            }
            budget.node()?;
            let mines = choice.next;
            choice.next += 1;
            self.put(mines);
            if self.open.len() < self.shape.boxes() {
                self.open();
                continue;
            }
            budget.bytes(self.counts.len() + size_of::<u32>())?;
            part.fillings.extend_from_slice(&self.counts);
            part.mines.push(self.mines);
            if part.mines.len() > most {
                return Ok(false);
            }
            self.take();
        }
        Ok(true)
    }

    /// Opens the next box.
    fn open(&mut self) {
        let b = self.open.len();
        let size = i32::from(self.shape.sizes[b]);
        let mut choice = Choice { next: 0, most: size };
        for &w in self.shape.witnesses(b) {
            let w = w as usize;
            self.room[w] -= size;
            choice.next = choice.next.max(self.needs[w] - self.room[w]);
            choice.most = choice.most.min(self.needs[w]);
        }
        self.open.push(choice);
    }

    /// Closes the last box, and clears the one before it.
    fn close(&mut self) {
        self.open.pop();
        let b = self.open.len();
        for &w in self.shape.witnesses(b) {
            self.room[w as usize] += i32::from(self.shape.sizes[b]);
        }
        if b > 0 {
            self.take();
        }
    }

    /// Puts this many mines into the last box.
    fn put(&mut self, mines: i32) {
        for &w in self.shape.witnesses(self.counts.len()) {
            self.needs[w as usize] -= mines;
        }
        self.counts.push(mines as u8);
        self.mines += mines as u32;
    }

    /// Removes the mines from the last filled box.
    fn take(&mut self) {
        let Some(mines) = self.counts.pop() else { return };
        for &w in self.shape.witnesses(self.counts.len()) {
            self.needs[w as usize] += i32::from(mines);
        }
        self.mines -= u32::from(mines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{all, random_shape, shape};

    #[test]
    fn every_filling_that_meets_the_numbers_is_listed_once() {
        let mut listed = 0;
        for seed in 0..200 {
            let shape = random_shape(seed);
            let (mut part, mut budget) = (Part::default(), SearchBudget::new(0, None, None));
            assert_eq!(fill_boxes(&shape, usize::MAX, &mut part, &mut budget), Ok(true));
            let count = |&mines: &usize| mines as u8;
            let mut expected: Vec<Vec<u8>> =
                all(&shape).iter().map(|found| found.mines.iter().map(count).collect()).collect();
            let mut found: Vec<Vec<u8>> =
                part.fillings.chunks_exact(shape.boxes()).map(<[u8]>::to_vec).collect();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected);
            listed += found.len();
        }
        assert!(listed > 200, "{listed}");
    }

    #[test]
    fn dead_ends_are_charged_like_what_is_found() {
        // A million ways to fill pairs of cells beside 1s, then one cell beside a 2.
        let pairs: Vec<[u32; 1]> = (0..20).map(|number| [number]).collect();
        let mut boxes: Vec<(u32, &[u32])> =
            pairs.iter().flat_map(|number| [(1, &number[..]); 2]).collect();
        boxes.push((1, &[20]));
        let shape = shape(&[vec![1; 20], vec![2]].concat(), &boxes);
        let mut budget = SearchBudget::new(0, None, None);
        let found = fill_boxes(&shape, 1, &mut Part::default(), &mut budget);
        assert_eq!(found, Err(Stopped));
    }
}
