//! Shared by unit tests: small components, and all their arrangements by brute force.

use crate::budget::{Budget, Limit};
use crate::frontier::Shape;
use crate::generate::Rng;
use crate::lattice::Lattice;
use crate::order;
use crate::steps::binomial;

/// Mines by box, and the number of ways to place them inside the boxes.
pub struct Arrangement {
    pub mines: Vec<usize>,
    pub ways: u64,
}

/// A component from its witnesses' needs, and each box's size and witnesses.
pub fn shape(needs: &[u32], boxes: &[(u32, &[u32])]) -> Shape {
    let mut key = vec![needs.len() as u32, boxes.len() as u32];
    key.extend(needs);
    for (size, witnesses) in boxes {
        key.extend([*size, witnesses.len() as u32]);
        key.extend(*witnesses);
    }
    Shape::decode(&key)
}

/// A component whose witnesses form a chain, which may have no solution.
pub fn random_shape(seed: u64) -> Shape {
    let mut rng = Rng::new(seed);
    let witnesses = 1 + rng.below(4) as u32;
    let chain = (1..witnesses).map(|w| vec![w - 1, w]);
    let ends: Vec<Vec<u32>> =
        (0..=rng.below(3)).map(|_| vec![rng.below(u64::from(witnesses)) as u32]).collect();
    let boxes: Vec<(u32, Vec<u32>)> =
        chain.chain(ends).map(|witnesses| (1 + rng.below(3) as u32, witnesses)).collect();
    let needs: Vec<u32> = (0..witnesses).map(|_| 1 + rng.below(3) as u32).collect();
    let boxes: Vec<(u32, &[u32])> = boxes.iter().map(|(size, w)| (*size, &w[..])).collect();
    shape(&needs, &boxes)
}

/// Every arrangement of a component.
pub fn all(shape: &Shape) -> Vec<Arrangement> {
    let mut found = Vec::new();
    let mut mines = vec![0; shape.boxes()];
    loop {
        let fits = (0..shape.needs.len() as u32).all(|w| {
            let around = (0..shape.boxes()).filter(|&b| shape.witnesses(b).contains(&w));
            around.map(|b| mines[b]).sum::<usize>() == usize::from(shape.needs[w as usize])
        });
        if fits {
            let ways = |(&size, &m): (&u8, &usize)| u64::from(binomial(size, m as u8));
            let ways = shape.sizes.iter().zip(&mines).map(ways).product();
            found.push(Arrangement { mines: mines.clone(), ways });
        }
        // Counts on, box by box.
        let Some(b) = (0..mines.len()).find(|&b| mines[b] < usize::from(shape.sizes[b])) else {
            return found;
        };
        mines[b] += 1;
        mines[..b].fill(0);
    }
}

/// A component's lattice in the best order; None if nothing fits it.
pub fn solved(shape: &Shape) -> Option<Lattice> {
    let mut budget = Budget::new(Limit::default(), None);
    let order = order::best(shape, &budget).expect("there is time");
    Lattice::build(shape, &order, &mut budget).ok()
}
