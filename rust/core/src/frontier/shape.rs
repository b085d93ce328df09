//! The structure of a component, independent of its place on the board.

/// The structure of one component, independent of its place on the board, as integers.
///
/// Witnesses and boxes are numbered in breadth-first order, so equal neighbourhoods usually have
/// equal shapes, and shapes can serve as cache keys. Layout: number of witnesses, number of boxes,
/// each witness's need, then for each box its size, its number of witnesses, and its witnesses.
pub type ShapeKey = [u32];

/// A decoded shape.
#[derive(Debug, Clone)]
pub struct Shape {
    /// The mines each witness still needs.
    pub needs: Vec<u8>,
    /// The cells in each box.
    pub sizes: Vec<u8>,
    starts: Vec<u32>,
    witnesses: Vec<u32>,
}

impl Shape {
    pub fn decode(key: &ShapeKey) -> Shape {
        let (witnesses, boxes) = (key[0] as usize, key[1] as usize);
        let needs = key[2..2 + witnesses].iter().map(|&n| n as u8).collect();
        let mut shape = Shape {
            needs,
            sizes: Vec::with_capacity(boxes),
            starts: Vec::with_capacity(boxes + 1),
            witnesses: Vec::with_capacity(key.len()),
        };
        shape.starts.push(0);
        let mut at = 2 + witnesses;
        for _ in 0..boxes {
            let count = key[at + 1] as usize;
            shape.sizes.push(key[at] as u8);
            shape.witnesses.extend_from_slice(&key[at + 2..at + 2 + count]);
            shape.starts.push(shape.witnesses.len() as u32);
            at += 2 + count;
        }
        shape
    }

    pub fn boxes(&self) -> usize {
        self.sizes.len()
    }

    /// The witnesses of one box.
    #[inline]
    pub fn witnesses(&self, b: usize) -> &[u32] {
        &self.witnesses[self.starts[b] as usize..self.starts[b + 1] as usize]
    }

    pub fn cells(&self) -> usize {
        self.sizes.iter().map(|&s| usize::from(s)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_decoded_to_needs_and_boxes() {
        // Two witnesses need 1 and 2; a box of 3 cells touches the first, a box of 1 cell touches
        // both.
        let shape = Shape::decode(&[2, 2, 1, 2, 3, 1, 0, 1, 2, 0, 1]);
        assert_eq!((&shape.needs[..], &shape.sizes[..]), (&[1, 2][..], &[3, 1][..]));
        assert_eq!((shape.boxes(), shape.cells()), (2, 4));
        assert_eq!([shape.witnesses(0), shape.witnesses(1)], [&[0][..], &[0, 1]]);
    }
}
