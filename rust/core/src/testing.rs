//! Helpers for unit tests: small components and positions, and all their arrangements by brute
//! force.

use crate::binomial::binomial;
use crate::budget::{Budget, Limit};
use crate::frontier::Shape;
use crate::generate::{uniform, Rng};
use crate::lattice::Lattice;
use crate::order;
use crate::topology::Graph;

/// The mines of each box, and the number of ways to place them within the boxes.
pub struct Arrangement {
    pub mines: Vec<usize>,
    pub ways: u64,
}

/// A component, given the needs of its witnesses, and the size and witnesses of each box.
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
        // Advance like a counter, box by box.
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

/// A rectangle and its cells, from rows of text.
pub fn position(rows: &[&str]) -> (Graph, Vec<u8>) {
    let graph = Graph::rectangle(rows[0].len(), rows.len()).expect("a small board");
    (graph, rows.concat().into_bytes())
}

/// A position of 5x4 cells with 5 mines and some clear cells open, and its mines.
pub fn random_position(seed: u64) -> (Graph, Vec<u8>, Vec<u8>) {
    let graph = Graph::rectangle(5, 4).expect("a small board");
    let mined = uniform(graph.len(), 5, &[], seed).expect("there is room");
    let numbers = graph.numbers(&mined);
    let mut rng = Rng::new(seed);
    let open = |cell: usize| mined[cell] == 0 && rng.below(3) > 0;
    let is_open: Vec<bool> = (0..graph.len()).map(open).collect();
    let cells = (0..graph.len()).map(|c| if is_open[c] { b'0' + numbers[c] } else { b'.' });
    let cells = cells.collect();
    (graph, cells, mined)
}

/// The boards of a position whose game is running: without a total, not the one with mines in all
/// unopened cells, unless it is the only one or no number is open.
pub fn running(cells: &[u8], mines: Option<usize>, mut listed: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let begun = cells.iter().any(|&cell| cell.is_ascii_digit());
    if begun && mines.is_none() && listed.len() > 1 {
        listed.retain(|board| (0..cells.len()).any(|c| cells[c] == b'.' && board[c] == 0));
    }
    listed
}

/// A position of 5x4 cells with a few open ones, in which all others may be mines.
pub fn crowded_position(seed: u64) -> (Graph, Vec<u8>) {
    let graph = Graph::rectangle(5, 4).expect("a small board");
    let mut rng = Rng::new(seed);
    let mut mined = vec![1; graph.len()];
    (0..1 + rng.below(4)).for_each(|_| mined[rng.below(20) as usize] = 0);
    let numbers = graph.numbers(&mined);
    let cells = (0..20).map(|c| if mined[c] == 1 { b'.' } else { b'0' + numbers[c] }).collect();
    (graph, cells)
}

/// Every board that fits a position, by brute force over its unopened cells.
pub fn boards(graph: &Graph, cells: &[u8], mines: Option<usize>) -> Vec<Vec<u8>> {
    let unopened: Vec<usize> = (0..cells.len()).filter(|&c| cells[c] == b'.').collect();
    let board = |bits: u32| {
        let mut mined = vec![0; cells.len()];
        for (place, &cell) in unopened.iter().enumerate() {
            mined[cell] = (bits >> place & 1) as u8;
        }
        mined
    };
    let fits = |mined: &Vec<u8>| {
        let laid: usize = mined.iter().map(|&m| usize::from(m)).sum();
        let numbers = graph.numbers(mined);
        let right = |c: usize| !cells[c].is_ascii_digit() || numbers[c] == cells[c] - b'0';
        mines.is_none_or(|mines| laid == mines) && (0..cells.len()).all(right)
    };
    (0..1 << unopened.len()).map(board).filter(fits).collect()
}
