//! The cells in play as a graph: the local inputs of the learned chance to win.
//!
//! In play are unopened cells that can still tell something, floating ones only next to a cell that
//! does not float, and opened numbers next to them. The network passes messages between neighbours
//! among these nodes, so the same weights fit any topology.

use crate::frontier::Frontier;
use crate::search::features::{tallied, Kind, Reader};
use crate::search::view::View;
use crate::topology::Graph;

/// Inputs of a node.
pub const INPUTS: usize = 24;

/// The nodes of a position, with who is next to whom.
#[derive(Debug, Clone, Default)]
pub struct Nodes {
    /// `INPUTS` numbers a node.
    pub inputs: Vec<f32>,
    /// Where each node's neighbours start among `links`; one more entry ends the last.
    pub starts: Vec<u32>,
    pub links: Vec<u32>,
    /// Each node's cell, and each cell's node.
    pub cells: Vec<u32>,
    nodes: Vec<u32>,
    /// Of each frontier cell: its box's size, whether a neighbour is alike; of its component, the
    /// unsettled cells, the toll, whether nothing leads in, whether its mines are known.
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
    /// The nodes of a position whose features were just read; `cells` is the position itself.
    pub fn nodes(
        &self,
        graph: &Graph,
        frontier: &Frontier,
        view: &View,
        cells: &[u8],
        out: &mut Nodes,
    ) {
        self.list(out);
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
                // Rounded: what its number leaves to the cells in play.
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

    fn list(&self, out: &mut Nodes) {
        out.cells.clear();
        out.nodes.clear();
        out.nodes.resize(self.kinds.len(), NONE);
        for (cell, (&kind, &near)) in self.kinds.iter().zip(&self.near).enumerate() {
            let counts = match kind {
                Kind::Frontier | Kind::Safe => true,
                Kind::Floating => near != 0,
                Kind::Opened => near & 1 != 0,
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
