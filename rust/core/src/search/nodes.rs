//! The cells in play as a graph: the local inputs of the win chance network.
//!
//! The cells in play are informative unopened cells (floating ones only if next to a cell that does
//! not float) and the opened numbers next to them. The network passes messages between neighbours
//! among these nodes, so the same weights fit any topology.

use crate::search::features::{tallied, tallied_live, Fact, Kind, Place, NO_NODE};
use crate::topology::MAX_DEGREE;

/// Inputs of a node.
pub const INPUTS: usize = 24;
/// The inputs that describe a frontier cell's component come last.
const OWN: usize = 18;

/// The nodes of a position, and their neighbours.
#[derive(Debug, Clone, Default)]
pub struct Nodes {
    /// `INPUTS` numbers per node.
    pub inputs: Vec<f32>,
    /// The start of each node's neighbours in `links`, and the end of the last.
    pub starts: Vec<u32>,
    /// The neighbours. What follows the last is scratch.
    pub links: Vec<u32>,
    /// Each node's cell.
    pub cells: Vec<u32>,
}

/// The component of a frontier cell.
pub(super) struct Part {
    /// ln(1 + unsettled cells) / 3.
    pub unsettled: f32,
    /// The risk of the safest way into it, and whether no cell outside leads into it.
    pub toll: f32,
    pub is_closed: bool,
    /// Whether its mine count is known.
    pub is_counted: bool,
}

/// Sums over a cell's neighbours.
#[derive(Debug)]
pub(super) struct Near {
    /// The kinds of the neighbours.
    pub sum: u32,
    /// The chance that the cell and all its neighbours are clear.
    pub zero: f32,
    /// Over the unsettled neighbours: the sums of `p` and p(1-p), the least and the most `p`.
    mines: f32,
    spread: f32,
    least: f32,
    most: f32,
}

impl Near {
    /// Adds up the neighbours of the next node, and links it to those that are nodes.
    #[inline]
    pub fn new(
        places: &[Place],
        facts: &[Fact],
        own: Fact,
        around: &[u32],
        nodes: &mut Nodes,
    ) -> Near {
        let mut near =
            Near { sum: 0, zero: own.clear, mines: 0.0, spread: 0.0, least: 1.0, most: 0.0 };
        let from = nodes.starts.last().map_or(0, |&start| start as usize);
        if nodes.links.len() < from + MAX_DEGREE {
            nodes.links.resize(2 * from + MAX_DEGREE, 0);
        }
        let links = &mut nodes.links[from..from + MAX_DEGREE];
        let mut linked = 0;
        // Settled cells add zeros, so that the loop needs no branches, which are hard to predict.
        for &n in around {
            let Place { fact, node } = places[n as usize];
            let fact = &facts[fact as usize];
            near.sum += fact.tally;
            near.zero *= fact.clear;
            near.mines += fact.p;
            near.spread += fact.spread;
            near.least = if fact.low < near.least { fact.low } else { near.least };
            near.most = if fact.p > near.most { fact.p } else { near.most };
            links[linked % MAX_DEGREE] = node;
            linked += usize::from(node != NO_NODE);
        }
        nodes.starts.push((from + linked) as u32);
        near
    }
}

impl Nodes {
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Starts to write the inputs of the cells listed.
    pub(super) fn begin(&mut self) {
        self.inputs.clear();
        self.inputs.reserve(INPUTS * self.len());
        self.starts.clear();
        self.starts.push(0);
    }

    /// Writes the inputs of the next node.
    #[inline]
    pub(super) fn push(&mut self, kind: Kind, shown: u8, own: Fact, near: &Near, degree: usize) {
        let tally = |kind| tallied(near.sum, kind) as f32 / 4.0;
        let is = |other| f32::from(u8::from(kind == other));
        let (zero, mines) = if kind == Kind::OPENED {
            // The number's mines among the cells in play, rounded.
            (0.0, f32::from(shown - b'0') - tallied(near.sum, Kind::MINE) as f32)
        } else {
            (near.zero, near.mines)
        };
        self.inputs.extend([
            is(Kind::FRONTIER),
            is(Kind::FLOATING),
            is(Kind::SAFE),
            is(Kind::OPENED),
            own.p,
            4.0 * own.spread,
            own.toll,
            zero,
            tallied_live(near.sum) as f32 / 4.0,
            tally(Kind::MINE),
            tally(Kind::FRONTIER),
            tally(Kind::FLOATING),
            tally(Kind::SAFE),
            mines / 2.0,
            near.spread,
            near.least,
            near.most,
            degree as f32 / 8.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
        ]);
    }

    /// Writes the inputs of a node in a component: the size of its box, whether a neighbour is
    /// equivalent, and the component.
    pub(super) fn set_part(&mut self, node: usize, size: u8, is_alike: bool, part: &Part) {
        self.inputs[node * INPUTS + OWN..(node + 1) * INPUTS].copy_from_slice(&[
            f32::from(size) / 3.0,
            f32::from(u8::from(is_alike)),
            part.unsettled,
            part.toll,
            f32::from(u8::from(part.is_closed)),
            f32::from(u8::from(part.is_counted)),
        ]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Engine;
    use crate::frontier::Mark;
    use crate::mines::Mines;
    use crate::search::features::{Reader, Seen, FEATURES};
    use crate::search::view::View;
    use crate::testing::{position, random_position};
    use crate::topology::Graph;

    fn read(graph: &Graph, cells: &[u8], mines: usize) -> Option<(Engine, View, Nodes)> {
        let (mut engine, mut view) = (Engine::new(), View::default());
        if !engine.look(graph, cells, Some(mines), &mut view) {
            return None;
        }
        let mut nodes = Nodes::default();
        let (frontier, mines) = (&engine.frontier, Mines::Total(mines));
        let seen = Seen { graph, frontier, view: &view, cells, mines, opened: 0 };
        Reader::default().read(seen, &mut [0.0; FEATURES], &mut nodes);
        Some((engine, view, nodes))
    }

    #[test]
    fn links_are_the_neighbours_among_the_cells_in_play() {
        for seed in 0..60 {
            let (graph, cells, _) = random_position(seed);
            let (engine, view, nodes) = read(&graph, &cells, 5).unwrap();
            // An informative cell that the frontier reaches, or an opened cell next to one.
            let tells = |cell: usize| view.p_mine[cell] < 1.0;
            let floats = |cell: usize| {
                let p = view.p_mine[cell];
                engine.frontier.marks[cell] == Mark::Floating && p > 0.0 && p < 1.0
            };
            let near = |cell: usize, is: &dyn Fn(usize) -> bool| {
                graph.neighbours(cell).iter().any(|&n| is(n as usize))
            };
            let in_play = |cell: &usize| {
                if view.p_mine[*cell].is_nan() {
                    near(*cell, &|n| tells(n) && !floats(n))
                } else if floats(*cell) {
                    near(*cell, &|n| !view.p_mine[n].is_nan() && !floats(n))
                } else {
                    tells(*cell)
                }
            };
            let expected: Vec<u32> = (0..20).filter(in_play).map(|cell| cell as u32).collect();
            assert_eq!(nodes.cells, expected);
            assert_eq!(nodes.inputs.len(), nodes.len() * INPUTS);
            assert_eq!(nodes.starts.len(), nodes.len() + 1);
            for (node, ends) in nodes.starts.windows(2).enumerate() {
                let links = nodes.links[ends[0] as usize..ends[1] as usize].iter();
                let linked: Vec<u32> = links.map(|&other| nodes.cells[other as usize]).collect();
                let around = graph.neighbours(nodes.cells[node] as usize).iter().copied();
                let expected: Vec<u32> = around.filter(|n| nodes.cells.contains(n)).collect();
                assert_eq!(linked, expected);
            }
        }
    }

    #[test]
    fn the_inputs_of_a_coin_toss() {
        let (graph, cells) = position(&[".1", ".1"]);
        let (_, _, nodes) = read(&graph, &cells, 1).unwrap();
        assert_eq!(nodes.cells, [0, 1, 2, 3]);
        let inputs: Vec<&[f32]> = nodes.inputs.chunks(INPUTS).collect();
        let half = std::f32::consts::LN_2;
        // An unopened cell: in the frontier, a mine with chance 1/2, next to two live numbers.
        assert_eq!(inputs[0][..6], [1.0, 0.0, 0.0, 0.0, 0.5, 1.0]);
        assert_eq!((inputs[0][6], inputs[0][8]), (half, 0.5));
        // It is in a box of two equivalent cells, in a component without a safe way in.
        let part = [2.0 / 3.0, 1.0, 3.0f32.ln() / 3.0, half, 1.0, 1.0];
        assert_eq!(inputs[0][18..], part);
        // A number: opened, with one mine left among two frontier cells.
        assert_eq!(inputs[1][..5], [0.0, 0.0, 0.0, 1.0, 0.0]);
        assert_eq!((inputs[1][7], inputs[1][10], inputs[1][13]), (0.0, 0.5, 0.5));
        assert_eq!(inputs[1][18..], [0.0; 6]);
        assert!(!nodes.is_empty());
    }

    #[test]
    fn an_opened_mine_has_no_number_and_is_not_in_play() {
        let (graph, cells) = position(&[".2*", ".2.", "..."]);
        let (_, _, nodes) = read(&graph, &cells, 2).unwrap();
        assert!(!nodes.cells.contains(&2));
        assert!(nodes.cells.contains(&1));
    }
}
