//! The cells in play as a graph: the local inputs of the win chance network.
//!
//! The cells in play are informative unopened cells (floating ones only if next to a cell that does
//! not float) and the opened numbers next to them. The network passes messages between neighbours
//! among these nodes, so the same weights fit any topology.

use crate::frontier::Frontier;
use crate::search::features::{tallied, Kind, Reader};
use crate::search::view::View;
use crate::topology::Graph;

/// Inputs of a node.
pub const INPUTS: usize = 24;

/// The nodes of a position, and their neighbours.
#[derive(Debug, Clone, Default)]
pub struct Nodes {
    /// `INPUTS` numbers per node.
    pub inputs: Vec<f32>,
    /// The start of each node's neighbours in `links`, and the end of the last.
    pub starts: Vec<u32>,
    pub links: Vec<u32>,
    /// Each node's cell, and each cell's node.
    pub cells: Vec<u32>,
    nodes: Vec<u32>,
    /// For each frontier cell: the size of its box, whether a neighbour is equivalent, and its
    /// component's unsettled cells, toll, lack of a safe way in (0 or 1) and known mine count (0 or
    /// 1).
    parts: Vec<[f32; 6]>,
}

const NONE: u32 = u32::MAX;

impl Nodes {
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }
}

impl Reader {
    /// The nodes of the position whose features were computed last; `cells` is the position.
    pub fn nodes(
        &self,
        graph: &Graph,
        frontier: &Frontier,
        view: &View,
        cells: &[u8],
        out: &mut Nodes,
    ) {
        self.list(cells, out);
        self.parts(graph, frontier, view, out);
        out.inputs.clear();
        out.links.clear();
        out.starts.clear();
        out.starts.push(0);
        for &cell in &out.cells {
            let index = cell as usize;
            let around = graph.neighbours(index);
            let kind = self.kinds[index];
            let mut sum = 0;
            let mut live = 0.0;
            let mut zero = self.clear[index];
            let (mut mines, mut spread, mut least, mut most) = (0.0f32, 0.0f32, 1.0f32, 0.0f32);
            for &n in around {
                let n = n as usize;
                sum += self.tallies[n];
                zero *= self.clear[n];
                match self.kinds[n] {
                    Kind::Frontier | Kind::Floating => {
                        let p = view.p_mine[n];
                        mines += p;
                        spread += p * (1.0 - p);
                        least = least.min(p);
                        most = most.max(p);
                    }
                    Kind::Opened => live += f32::from(u8::from(out.nodes[n] != NONE)),
                    Kind::Safe | Kind::Mine => {}
                }
                if out.nodes[n] != NONE {
                    out.links.push(out.nodes[n]);
                }
            }
            out.starts.push(out.links.len() as u32);
            let tally = |kind| tallied(sum, kind) as f32 / 4.0;
            let is = |other| f32::from(u8::from(kind == other));
            let p = if kind == Kind::Opened { 0.0 } else { view.p_mine[index] };
            if kind == Kind::Opened {
                // The number's mines among the cells in play, rounded.
                mines = f32::from(cells[index] - b'0') - tallied(sum, Kind::Mine) as f32;
                zero = 0.0;
            }
            let part = if kind == Kind::Frontier { out.parts[index] } else { [0.0; 6] };
            out.inputs.extend([
                is(Kind::Frontier),
                is(Kind::Floating),
                is(Kind::Safe),
                is(Kind::Opened),
                p,
                4.0 * p * (1.0 - p),
                (-(1.0 - p).ln()).min(3.0),
                zero,
                live / 4.0,
                tally(Kind::Mine),
                tally(Kind::Frontier),
                tally(Kind::Floating),
                tally(Kind::Safe),
                mines / 2.0,
                spread,
                least,
                most,
                around.len() as f32 / 8.0,
            ]);
            out.inputs.extend(part);
        }
    }

    fn list(&self, cells: &[u8], out: &mut Nodes) {
        out.cells.clear();
        out.nodes.clear();
        out.nodes.resize(self.kinds.len(), NONE);
        for (cell, (&kind, &near)) in self.kinds.iter().zip(&self.near).enumerate() {
            let counts = match kind {
                Kind::Frontier | Kind::Safe => true,
                Kind::Floating => near != 0,
                // An opened mine is not a number.
                Kind::Opened => near & 1 != 0 && cells[cell] != b'*',
                Kind::Mine => false,
            };
            if counts {
                out.nodes[cell] = out.cells.len() as u32;
                out.cells.push(cell as u32);
            }
        }
    }

    fn parts(&self, graph: &Graph, frontier: &Frontier, view: &View, out: &mut Nodes) {
        out.parts.clear();
        out.parts.resize(graph.len(), [0.0; 6]);
        for (i, component) in view.components.iter().enumerate() {
            let cells = frontier.cells(i);
            let (mut unsettled, mut least, mut leads) = (0, 1.0f32, 0);
            for &cell in cells {
                if self.kinds[cell as usize] != Kind::Frontier {
                    continue;
                }
                unsettled += 1;
                least = least.min(view.p_mine[cell as usize]);
                let around = graph.neighbours(cell as usize).iter();
                let sum = around.map(|&n| self.tallies[n as usize]).sum();
                leads += tallied(sum, Kind::Floating) + tallied(sum, Kind::Safe);
            }
            if unsettled == 0 {
                continue;
            }
            let mut at = 0;
            for &size in &component.sizes {
                let own = &cells[at..at + usize::from(size)];
                at += usize::from(size);
                for &cell in own {
                    let alike = own.len() > 1
                        && own
                            .iter()
                            .any(|&other| other != cell && self.are_alike(graph, cell, other));
                    out.parts[cell as usize] = [
                        f32::from(size) / 3.0,
                        f32::from(u8::from(alike)),
                        (1.0 + unsettled as f32).ln() / 3.0,
                        (-(1.0 - least).ln()).min(3.0),
                        f32::from(u8::from(leads == 0)),
                        f32::from(u8::from(component.counts.len() == 1)),
                    ];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Engine;
    use crate::frontier::Mark;
    use crate::search::features::FEATURES;
    use crate::testing::{position, random_position};

    fn read(graph: &Graph, cells: &[u8], mines: usize) -> Option<(Engine, View, Nodes)> {
        let (mut engine, mut view) = (Engine::new(), View::default());
        if !engine.look(graph, cells, Some(mines), &mut view) {
            return None;
        }
        let (mut reader, mut nodes) = (Reader::default(), Nodes::default());
        reader.read(graph, &engine.frontier, &view, Some(mines), 0, &mut [0.0; FEATURES]);
        reader.nodes(graph, &engine.frontier, &view, cells, &mut nodes);
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
