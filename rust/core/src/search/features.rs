//! A position as numbers: the inputs of the win chance network.
//!
//! The position is taken right after a guess, before its zeros are expanded. Everything is counted
//! over unsettled cells, so the same inputs work on any board.

use crate::bytes::{self, each_set};
use crate::float::ln;
use crate::frontier::{Frontier, Mark};
use crate::mines::Mines;
use crate::search::nodes::{Near, Nodes, Part};
use crate::search::view::View;
use crate::topology::{Graph, MAX_DEGREE};

/// Number of inputs.
pub const FEATURES: usize = 64;

pub type Features = [f32; FEATURES];

/// Upper bounds of the bins for frontier chances.
const BINS: [f32; 8] = [0.06, 0.12, 0.2, 0.3, 0.42, 0.58, 0.75, 1.0];

/// The kind of a cell. A number instead of an enum, so that the compiler can vectorise `sort`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind(u8);

impl Kind {
    pub const OPENED: Kind = Kind(0);
    pub const SAFE: Kind = Kind(1);
    pub const MINE: Kind = Kind(2);
    pub const FRONTIER: Kind = Kind(3);
    pub const FLOATING: Kind = Kind(4);

    /// The kind of a cell that has this mark, if its chance of being a mine is unsettled.
    #[inline]
    fn of(mark: Mark) -> Kind {
        const {
            assert!(Mark::Safe as u8 == 2 && Mark::Mine as u8 == 3);
            assert!(Mark::Frontier as u8 == 4 && Mark::Floating as u8 == 5);
        }
        // Both marks of opened cells become the same kind.
        Kind((mark as u8).saturating_sub(1))
    }

    /// The kind of an unopened cell, which is this one if its chance of being a mine is unsettled.
    fn at(self, p: f32) -> Kind {
        if p <= 0.0 {
            Kind::SAFE
        } else if p >= 1.0 {
            Kind::MINE
        } else {
            self
        }
    }

    /// Whether opening the cell may give information.
    pub fn can_tell(self) -> bool {
        matches!(self, Kind::SAFE | Kind::FRONTIER | Kind::FLOATING)
    }

    fn is_unsettled(self) -> bool {
        matches!(self, Kind::FRONTIER | Kind::FLOATING)
    }
}

/// The width of the bit fields that count neighbours by kind when they are added up; a cell has at
/// most 26.
const FIELD: u32 = 5;
const _: () = assert!(MAX_DEGREE < 1 << FIELD);
/// The field of opened numbers in play, which are counted in addition to their kind.
pub(super) const LIVE: u32 = 1 << (5 * FIELD);

pub(super) fn tallied(sum: u32, kind: Kind) -> u32 {
    (sum >> (FIELD * u32::from(kind.0))) & ((1 << FIELD) - 1)
}

pub(super) fn tallied_live(sum: u32) -> u32 {
    sum / LIVE
}

/// Stands for a cell that is not in play.
pub(super) const NO_NODE: u32 = u32::MAX;

/// What a cell adds to the sums over the neighbours of another one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fact {
    /// Its kind, as a bit field.
    pub tally: u32,
    /// Its chance of being clear; 1 if opened.
    pub clear: f32,
    /// If it is not settled: its mine chance `p`, p(1-p), and -ln(1-p), at most 3; otherwise 0.
    pub p: f32,
    pub spread: f32,
    pub toll: f32,
    /// Its mine chance, or 1 if it is settled.
    pub low: f32,
}

impl Fact {
    fn new(kind: Kind, p: f32) -> Fact {
        let p = if kind.is_unsettled() { p } else { 0.0 };
        Fact {
            tally: 1 << (FIELD * u32::from(kind.0)),
            clear: if kind == Kind::MINE { 0.0 } else { 1.0 - p },
            p,
            spread: p * (1.0 - p),
            toll: if p > 0.0 { (-ln(1.0 - p)).min(3.0) } else { 0.0 },
            low: if kind.is_unsettled() { p } else { 1.0 },
        }
    }
}

/// If there are more floating cells than this, sealed ones are very rare.
const MANY_FLOATING: f32 = 100.0;

/// The cells of a graph by degree.
#[derive(Debug, Default)]
struct Degrees {
    graph: Option<u64>,
    /// The degree of most cells, and the other cells with their degrees.
    common: usize,
    others: Vec<(u32, u32)>,
}

impl Degrees {
    fn read(&mut self, graph: &Graph) {
        if self.graph == Some(graph.id()) {
            return;
        }
        let mut count = [0; MAX_DEGREE + 1];
        graph.rows().for_each(|row| count[row.len()] += 1);
        self.graph = Some(graph.id());
        self.common = (0..=MAX_DEGREE).max_by_key(|&degree| count[degree]).unwrap_or(0);
        let degrees = graph.rows().enumerate().map(|(cell, row)| (cell as u32, row.len()));
        let others = degrees.filter(|&(_, degree)| degree != self.common);
        self.others = others.map(|(cell, degree)| (cell, degree as u32)).collect();
    }
}

/// What a cell adds to sums, as an index, and its index among the cells in play.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub fact: u32,
    pub node: u32,
}

/// The facts of cells that are in no component, by mark, and of opened numbers in play.
const MARKS: usize = 6;
const LIVE_FACT: u32 = MARKS as u32;

/// Computes features; owns the buffers.
#[derive(Debug, Default)]
pub struct Reader {
    kinds: Vec<Kind>,
    places: Vec<Place>,
    /// What cells add to sums: by mark, for live numbers, and for each box.
    facts: Vec<Fact>,
    /// Whether each cell is next to a safe cell or a component (1), or to a mine (2).
    near: Vec<u8>,
    /// The tallies of the neighbours of each cell in play, by cell.
    sums: Vec<u32>,
    degrees: Degrees,
    /// Scratch.
    bytes: Vec<u8>,
    reached: Vec<bool>,
    stack: Vec<u32>,
}

/// The position to read: its analysis, its cells and the last opened cell.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    pub graph: &'a Graph,
    pub frontier: &'a Frontier,
    pub view: &'a View,
    pub cells: &'a [u8],
    pub mines: Mines,
    pub opened: usize,
}

impl Reader {
    /// The features and the cells in play of the last position viewed.
    pub fn read(&mut self, seen: Seen, out: &mut Features, nodes: &mut Nodes) {
        let Seen { graph, view, opened, mines, .. } = seen;
        *out = [0.0; FEATURES];
        self.sort(seen);
        self.list(nodes);
        self.far(graph, view, out);
        self.cells(seen, out, nodes);
        self.components(seen, out, nodes);
        self.regions(graph, out);
        let size = graph.len() as f32;
        out[8] = view.entropy as f32;
        out[42] = bytes::count(&self.kinds, |kind| kind == Kind::OPENED) as f32 / size;
        let around = graph.neighbours(opened);
        let near = |kind: Kind| around.iter().filter(|&&n| self.kinds[n as usize] == kind).count();
        out[44] = (near(Kind::FRONTIER) + near(Kind::FLOATING)) as f32;
        out[45] = near(Kind::SAFE) as f32;
        out[46] = size;
        out[61] = f32::from(u8::from(
            around
                .iter()
                .all(|&n| view.p_mine[n as usize].is_nan() || view.p_mine[n as usize] <= 0.0),
        ));
        out[47] = match mines {
            Mines::Total(mines) => mines as f32 / size,
            Mines::Density(density) => density as f32,
            Mines::Unknown => 0.2,
        };
        out[48] = around.iter().map(|&n| view.p_mine[n as usize]).filter(|p| !p.is_nan()).sum();
    }

    /// Finds the kind of each cell, and what it adds to sums.
    fn sort(&mut self, Seen { graph, frontier, view, cells, .. }: Seen) {
        let (marks, floating) = (&frontier.marks[..], view.floating_p_mine);
        self.kinds.clear();
        self.kinds.extend(marks.iter().map(|&mark| Kind::of(mark)));
        self.places.clear();
        self.places
            .extend(marks.iter().map(|&mark| Place { fact: u32::from(mark as u8), node: NO_NODE }));
        if view.floating > 0 && Kind::FLOATING.at(floating) != Kind::FLOATING {
            let kind = Kind::FLOATING.at(floating);
            self.kinds.iter_mut().filter(|k| **k == Kind::FLOATING).for_each(|k| *k = kind);
        }
        self.facts.clear();
        let mut at_mark = [Fact::new(Kind::OPENED, 0.0); MARKS];
        at_mark[Mark::Safe as usize] = Fact::new(Kind::SAFE, 0.0);
        at_mark[Mark::Mine as usize] = Fact::new(Kind::MINE, 1.0);
        at_mark[Mark::Floating as usize] = Fact::new(Kind::FLOATING.at(floating), floating);
        self.facts.extend(at_mark);
        let mut live = Fact::new(Kind::OPENED, 0.0);
        live.tally += LIVE;
        self.facts.push(live);
        let mut boxes = view.boxes.iter();
        for (i, component) in view.components.iter().enumerate() {
            let mut own = frontier.cells(i).iter();
            for (&size, &(p, _)) in component.sizes.iter().zip(boxes.by_ref()) {
                let kind = Kind::FRONTIER.at(p);
                let fact = self.facts.len() as u32;
                self.facts.push(Fact::new(kind, p));
                for &cell in own.by_ref().take(usize::from(size)) {
                    self.kinds[cell as usize] = kind;
                    self.places[cell as usize].fact = fact;
                }
            }
        }
        // Bits for the neighbours of each cell.
        self.bytes.clear();
        self.bytes.extend(self.kinds.iter().map(|&kind| {
            u8::from((kind == Kind::SAFE) | (kind == Kind::FRONTIER))
                | u8::from(kind == Kind::MINE) << 1
        }));
        self.near.clear();
        self.near.resize(graph.len(), 0);
        each_set(&self.bytes, |cell| {
            let bit = self.bytes[cell];
            for &n in graph.neighbours(cell) {
                self.near[n as usize] |= bit;
            }
        });
        // An opened mine is not a number, so it is never in play.
        if cells.contains(&b'*') {
            for (near, _) in self.near.iter_mut().zip(cells).filter(|(_, &cell)| cell == b'*') {
                *near = 0;
            }
        }
    }

    /// Lists the cells in play.
    fn list(&mut self, nodes: &mut Nodes) {
        self.bytes.clear();
        self.bytes.extend(self.kinds.iter().zip(&self.near).map(|(&kind, &near)| {
            u8::from((kind == Kind::SAFE) | (kind == Kind::FRONTIER))
                | u8::from((kind == Kind::FLOATING) & (near != 0))
                | u8::from((kind == Kind::OPENED) & (near & 1 != 0))
        }));
        nodes.cells.clear();
        each_set(&self.bytes, |cell| {
            let place = &mut self.places[cell];
            place.node = nodes.cells.len() as u32;
            nodes.cells.push(cell as u32);
            if self.kinds[cell] == Kind::OPENED {
                place.fact = LIVE_FACT;
            }
        });
    }

    /// Adds the features of the floating cells that touch only floating cells, grouped by their
    /// number of neighbours.
    fn far(&mut self, graph: &Graph, view: &View, out: &mut Features) {
        (out[22], out[24]) = least_two(view);
        let p = view.floating_p_mine;
        if view.floating == 0 || p <= 0.0 || p >= 1.0 {
            return;
        }
        self.degrees.read(graph);
        let is_far = |kind: Kind, near: u8| (kind == Kind::FLOATING) & (near == 0);
        self.bytes.clear();
        self.bytes.extend(
            self.kinds.iter().zip(&self.near).map(|(&kind, &near)| u8::from(is_far(kind, near))),
        );
        let mut count = [0u32; MAX_DEGREE + 1];
        for &(cell, degree) in &self.degrees.others {
            count[degree as usize] += u32::from(self.bytes[cell as usize]);
        }
        let rare: u32 = count.iter().sum();
        count[self.degrees.common] += bytes::count(&self.bytes, |far| far > 0) as u32 - rare;
        let doubt = p.min(1.0 - p);
        let mut zero = 1.0 - p;
        for (degree, &count) in count.iter().enumerate() {
            let n = count as f32;
            if count > 0 {
                out[0] += n;
                out[2] += n;
                out[6] += n * p;
                out[27] += n * zero;
                out[49] += n * doubt;
                out[30 + degree.min(3)] += n * doubt;
                out[55] = out[55].max(zero);
                if degree <= 3 {
                    out[40] += n;
                }
                if degree <= 5 {
                    out[41] += n;
                }
                if p <= out[22] + 0.1 {
                    out[26] = out[26].max(zero);
                    out[54] = out[54].max((1.0 - p) * degree as f32);
                }
            }
            zero *= 1.0 - p;
        }
    }

    /// Computes the inputs of the cells in play, and their sums over the cells that are not
    /// settled.
    fn cells(&mut self, seen: Seen, out: &mut Features, nodes: &mut Nodes) {
        let Seen { graph, view, cells, .. } = seen;
        let (least, mut least_frontier) = (out[22], 1.0f32);
        self.sums.resize(graph.len(), 0);
        nodes.begin();
        for node in 0..nodes.len() {
            let cell = nodes.cells[node] as usize;
            let around = graph.neighbours(cell);
            let (kind, own) = (self.kinds[cell], self.facts[self.places[cell].fact as usize]);
            let near = Near::new(&self.places, &self.facts, own, around, nodes);
            self.sums[cell] = near.sum;
            nodes.push(kind, cells[cell], own, &near, around.len());
            if kind == Kind::OPENED {
                continue;
            }
            let Near { zero, sum, .. } = near;
            let p = own.p;
            let floating = tallied(sum, Kind::FLOATING);
            let unsettled = tallied(sum, Kind::FRONTIER) + floating;
            let tells = unsettled + tallied(sum, Kind::SAFE);
            if kind == Kind::SAFE {
                out[4] += 1.0;
                out[28] = out[28].max(zero);
                out[29] += zero;
                out[52] += unsettled as f32;
                out[53] = out[53].max(unsettled as f32);
                continue;
            }
            let doubt = p.min(1.0 - p);
            out[0] += 1.0;
            out[6] += p;
            out[27] += zero;
            out[49] += doubt;
            if p <= least + 0.1 {
                out[26] = out[26].max(zero);
                out[54] = out[54].max((1.0 - p) * tells as f32);
            }
            out[30 + tells.min(3) as usize] += doubt;
            if kind == Kind::FLOATING {
                out[2] += 1.0;
                let degree = around.len();
                out[40] += f32::from(u8::from(degree <= 3));
                out[41] += f32::from(u8::from(degree <= 5));
                out[55] = out[55].max(zero);
            } else {
                out[1] += 1.0;
                out[21] += own.spread;
                out[43] += tallied(sum, Kind::OPENED) as f32;
                out[50] += doubt / (1 + tells) as f32;
                out[51] += tallied(sum, Kind::MINE) as f32;
                least_frontier = least_frontier.min(p);
                let bin = BINS.iter().position(|&b| p < b).unwrap_or(BINS.len() - 1);
                out[13 + bin] += 1.0;
                out[25] += f32::from(u8::from(p < 0.1));
            }
        }
        out[3] = if view.floating > 0 { view.floating_p_mine } else { 0.0 };
        out[5] = ln(1.0 + out[4]);
        out[7] = out[6] / out[0].max(1.0);
        if out[0] > 0.0 {
            out[23] = least_frontier;
        } else {
            (out[22], out[24]) = (0.0, 0.0);
        }
    }

    /// Components, and pairs of cells that can be told apart only by opening one of them.
    fn components(&self, seen: Seen, out: &mut Features, nodes: &mut Nodes) {
        let Seen { graph, frontier, view, .. } = seen;
        for (i, component) in view.components.iter().enumerate() {
            let cells = frontier.cells(i);
            let is_alive = |&&cell: &&u32| self.kinds[cell as usize] == Kind::FRONTIER;
            let (mut count, mut floating, mut safe) = (0, 0, 0);
            let mut least = 1.0f32;
            for &cell in cells.iter().filter(is_alive) {
                count += 1;
                least = least.min(self.p(cell));
                let sum = self.sums[cell as usize];
                floating += tallied(sum, Kind::FLOATING);
                safe += tallied(sum, Kind::SAFE);
            }
            if count == 0 {
                continue;
            }
            let unsettled = count as f32;
            out[9] += 1.0;
            out[10] = out[10].max(unsettled);
            // The risk of the safest way into this component.
            let toll = -ln(1.0 - least);
            out[62] += toll;
            if safe == 0 {
                out[56] += toll;
                out[59] += 1.0;
                out[63] = out[63].max(toll);
            }
            let is_counted = component.counts.len() == 1;
            if floating == 0 && safe == 0 {
                out[11] += 1.0;
                out[12] += unsettled;
                out[57] += toll;
                out[58] = out[58].max(toll);
                out[39] += f32::from(u8::from(is_counted));
            }
            let part = Part {
                unsettled: ln(1.0 + unsettled) / 3.0,
                toll: toll.min(3.0),
                is_closed: floating == 0 && safe == 0,
                is_counted,
            };
            let mut at = 0;
            for &size in &component.sizes {
                let own = &cells[at..at + usize::from(size)];
                at += usize::from(size);
                if self.kinds[own[0] as usize] != Kind::FRONTIER {
                    continue;
                }
                let p = self.p(own[0]);
                out[60] += p.min(1.0 - p);
                let mut alike = 0u32;
                for (j, &a) in own.iter().enumerate() {
                    for (k, &b) in own.iter().enumerate().skip(j + 1) {
                        if self.are_alike(graph, a, b) {
                            alike |= 1 << j | 1 << k;
                            if size <= 3 {
                                out[34] -= ln(1.0 - p.min(1.0 - p));
                                out[35] += 1.0;
                            }
                        }
                    }
                }
                for (j, &cell) in own.iter().enumerate() {
                    let node = self.places[cell as usize].node as usize;
                    nodes.set_part(node, size, alike >> j & 1 == 1, &part);
                }
            }
        }
    }

    /// The chance of an unsettled cell.
    fn p(&self, cell: u32) -> f32 {
        self.facts[self.places[cell as usize].fact as usize].p
    }

    /// Whether both cells have the same informative neighbours, apart from each other.
    fn are_alike(&self, graph: &Graph, a: u32, b: u32) -> bool {
        let tells = |of: u32, other: u32| {
            let around = graph.neighbours(of as usize).iter().copied();
            around.filter(move |&n| n != other && self.kinds[n as usize].can_tell())
        };
        tells(a, b).eq(tells(b, a))
    }

    /// The number of connected groups of floating cells, and of those that no other cell touches.
    fn regions(&mut self, graph: &Graph, out: &mut Features) {
        if out[2] > MANY_FLOATING {
            out[36] = 1.0;
            return;
        }
        self.reached.clear();
        self.reached.resize(graph.len(), false);
        for first in 0..graph.len() as u32 {
            if self.kinds[first as usize] != Kind::FLOATING || self.reached[first as usize] {
                continue;
            }
            let (mut size, mut sealed) = (0, true);
            self.reached[first as usize] = true;
            self.stack.push(first);
            while let Some(cell) = self.stack.pop() {
                size += 1;
                for &n in graph.neighbours(cell as usize) {
                    match self.kinds[n as usize] {
                        Kind::FLOATING if !self.reached[n as usize] => {
                            self.reached[n as usize] = true;
                            self.stack.push(n);
                        }
                        Kind::SAFE | Kind::FRONTIER => sealed = false,
                        _ => {}
                    }
                }
            }
            out[36] += 1.0;
            if sealed {
                out[37] += 1.0;
                out[38] += size as f32;
            }
        }
    }
}

/// The lowest chance of an unsettled cell, and the second lowest.
fn least_two(view: &View) -> (f32, f32) {
    let (mut least, mut second) = (1.0f32, 1.0f32);
    let mut see = |p: f32, cells: usize| {
        if cells > 0 && p > 0.0 {
            if p < least {
                second = if cells > 1 { p } else { least };
                least = p;
            } else if p < second {
                second = p;
            }
        }
    };
    see(view.floating_p_mine, view.floating);
    for &(p, size) in &view.boxes {
        see(p, usize::from(size));
    }
    (least, second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Engine;
    use crate::generate::uniform;
    use crate::play::Table;
    use crate::testing::position;

    struct Case {
        graph: Graph,
        engine: Engine,
        view: View,
        found: Features,
        opened: usize,
    }

    fn read(graph: Graph, cells: &[u8], mines: usize, opened: usize) -> Case {
        let (mut engine, mut view) = (Engine::new(), View::default());
        assert!(engine.look(&graph, cells, Some(mines), &mut view));
        let mut found = [0.0; FEATURES];
        let (frontier, mines) = (&engine.frontier, Mines::Total(mines));
        let seen = Seen { graph: &graph, frontier, view: &view, cells, mines, opened };
        Reader::default().read(seen, &mut found, &mut Nodes::default());
        Case { graph, engine, view, found, opened }
    }

    /// A 9x9 board after a few random openings.
    fn random(seed: u64) -> Case {
        let graph = Graph::rectangle(9, 9).unwrap();
        let mined = uniform(81, 14, &[40], seed).unwrap();
        let numbers = graph.numbers(&mined);
        let mut table = Table::default();
        table.reset(81);
        table.open(&graph, &numbers, 40);
        let safe = (0..81).filter(|&cell| mined[cell] == 0).step_by(29);
        safe.for_each(|cell| {
            table.open(&graph, &numbers, cell);
        });
        read(graph, &table.cells, 14, 40)
    }

    fn close(found: f32, expected: f32) -> bool {
        (found - expected).abs() < 1e-4 * expected.abs().max(1.0)
    }

    #[test]
    fn sums_are_those_of_a_look_at_each_cell() {
        for seed in 0..40 {
            let Case { graph, engine, view, found, opened } = random(seed);
            let p = &view.p_mine;
            let is_open = |cell: usize| p[cell].is_nan();
            let around = |cell: usize| graph.neighbours(cell).iter().map(|&n| n as usize);
            let zero = |cell: usize| -> f32 {
                let clear = |cell: usize| if is_open(cell) { 1.0 } else { 1.0 - p[cell] };
                clear(cell) * around(cell).map(clear).product::<f32>()
            };
            let unsettled: Vec<usize> =
                (0..81).filter(|&cell| p[cell] > 0.0 && p[cell] < 1.0).collect();
            let safe: Vec<usize> = (0..81).filter(|&cell| p[cell] == 0.0).collect();
            let floats =
                |cell: usize| engine.frontier.marks[cell] == crate::frontier::Mark::Floating;
            let floating: Vec<usize> =
                unsettled.iter().copied().filter(|&cell| floats(cell)).collect();
            let sum = |cells: &[usize], of: &dyn Fn(usize) -> f32| -> f32 {
                cells.iter().map(|&cell| of(cell)).sum()
            };
            let mut risks: Vec<f32> = unsettled.iter().map(|&cell| p[cell]).collect();
            risks.sort_by(f32::total_cmp);
            let count = |n: usize| n as f32;
            let expected = [
                (0, count(unsettled.len())),
                (1, count(unsettled.len() - floating.len())),
                (2, count(floating.len())),
                (4, count(safe.len())),
                (6, sum(&unsettled, &|cell| p[cell])),
                (8, view.log_solutions as f32),
                (21, sum(&unsettled, &|c| if floats(c) { 0.0 } else { p[c] * (1.0 - p[c]) })),
                (22, risks.first().copied().unwrap_or(0.0)),
                (24, risks.get(1).copied().unwrap_or(if risks.is_empty() { 0.0 } else { 1.0 })),
                (27, sum(&unsettled, &zero)),
                (28, safe.iter().map(|&cell| zero(cell)).fold(0.0, f32::max)),
                (29, sum(&safe, &zero)),
                (40, count(floating.iter().filter(|&&c| around(c).count() <= 3).count())),
                (41, count(floating.iter().filter(|&&c| around(c).count() <= 5).count())),
                (42, count((0..81).filter(|&cell| is_open(cell)).count()) / 81.0),
                (45, count(around(opened).filter(|&n| p[n] == 0.0).count())),
                (46, 81.0),
                (47, 14.0 / 81.0),
                (48, around(opened).map(|n| p[n]).filter(|p| !p.is_nan()).sum()),
                (49, sum(&unsettled, &|cell| p[cell].min(1.0 - p[cell]))),
                (55, floating.iter().map(|&cell| zero(cell)).fold(0.0, f32::max)),
            ];
            for (at, expected) in expected {
                assert!(close(found[at], expected), "{seed}, {at}: {} {expected}", found[at]);
            }
        }
    }

    #[test]
    fn a_pair_of_like_cells_with_no_way_in_is_a_coin_toss() {
        // The two cells of the first column touch the same numbers and nothing else.
        let (graph, cells) = position(&[".1", ".1"]);
        let Case { found, .. } = read(graph, &cells, 1, 1);
        let half = std::f32::consts::LN_2;
        // One component with a known mine count and without a safe way in, and its toll.
        assert_eq!(
            [found[9], found[10], found[11], found[12], found[39]],
            [1.0, 2.0, 1.0, 2.0, 1.0]
        );
        assert!([62, 57, 58, 34].iter().all(|&at| close(found[at], half)));
        assert_eq!(found[35], 1.0, "one pair");
    }

    #[test]
    fn floating_cells_behind_mines_are_sealed() {
        // The 2s prove both mines above them, behind which two cells float.
        let (graph, cells) = position(&["..", "..", "22", "00"]);
        let Case { found, .. } = read(graph, &cells, 3, 4);
        assert_eq!([found[36], found[37], found[38]], [1.0, 1.0, 2.0]);
        // Cells behind a 50/50 are not sealed: opening its clear cell gives information about them.
        let (graph, cells) = position(&["..", "..", "11", "00"]);
        let Case { found, .. } = read(graph, &cells, 2, 4);
        assert_eq!([found[36], found[37], found[38]], [1.0, 0.0, 0.0]);
    }
}
