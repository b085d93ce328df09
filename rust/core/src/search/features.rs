//! A position as numbers: the inputs of the win chance network.
//!
//! The position is taken right after a guess, before its zeros are expanded. Everything is counted
//! over unsettled cells, so the same inputs work on any board.

use crate::frontier::Frontier;
use crate::mines::Mines;
use crate::search::view::View;
use crate::topology::{Graph, MAX_DEGREE};

/// Number of inputs.
pub const FEATURES: usize = 64;

pub type Features = [f32; FEATURES];

/// Upper bounds of the bins for frontier chances.
const BINS: [f32; 8] = [0.06, 0.12, 0.2, 0.3, 0.42, 0.58, 0.75, 1.0];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    #[default]
    Opened,
    Safe,
    Mine,
    Frontier,
    Floating,
}

impl Kind {
    /// Whether opening the cell may give information.
    fn can_tell(self) -> bool {
        matches!(self, Kind::Safe | Kind::Frontier | Kind::Floating)
    }
}

/// Bit fields that count neighbours by kind when they are added up; a cell has at most 26.
const TALLY: [u32; 5] = [1, 1 << 6, 1 << 12, 1 << 18, 1 << 24];

pub(super) fn tallied(sum: u32, kind: Kind) -> u32 {
    (sum >> (6 * kind as u32)) & 63
}

/// If there are more floating cells than this, sealed ones are very rare.
const MANY_FLOATING: f32 = 100.0;

/// Computes features; owns the buffers.
#[derive(Debug, Default)]
pub struct Reader {
    pub(super) kinds: Vec<Kind>,
    /// Each cell's kind as a `TALLY`, and its chance of being clear (1 if opened).
    pub(super) tallies: Vec<u32>,
    pub(super) clear: Vec<f32>,
    /// Whether each cell is next to a safe cell or a component (1), or to a mine (2).
    pub(super) near: Vec<u8>,
    listed: Vec<u32>,
    reached: Vec<bool>,
    stack: Vec<u32>,
}

impl Reader {
    /// The features of the last position viewed; `opened` is the last opened cell.
    pub fn read(
        &mut self,
        graph: &Graph,
        frontier: &Frontier,
        view: &View,
        mines: impl Into<Mines>,
        opened: usize,
        out: &mut Features,
    ) {
        *out = [0.0; FEATURES];
        self.sort(graph, frontier, view);
        self.cells(graph, view, out);
        self.components(graph, frontier, view, out);
        self.regions(graph, out);
        let size = graph.len() as f32;
        out[8] = view.entropy as f32;
        out[42] = self.kinds.iter().filter(|&&k| k == Kind::Opened).count() as f32 / size;
        let around = graph.neighbours(opened);
        let near = |kind: Kind| around.iter().filter(|&&n| self.kinds[n as usize] == kind).count();
        out[44] = (near(Kind::Frontier) + near(Kind::Floating)) as f32;
        out[45] = near(Kind::Safe) as f32;
        out[46] = size;
        out[61] = f32::from(u8::from(
            around
                .iter()
                .all(|&n| view.p_mine[n as usize].is_nan() || view.p_mine[n as usize] <= 0.0),
        ));
        out[47] = match mines.into() {
            Mines::Total(mines) => mines as f32 / size,
            Mines::Density(density) => density as f32,
            Mines::Unknown => 0.2,
        };
        out[48] = around.iter().map(|&n| view.p_mine[n as usize]).filter(|p| !p.is_nan()).sum();
    }

    fn sort(&mut self, graph: &Graph, frontier: &Frontier, view: &View) {
        use crate::frontier::Mark;
        self.kinds.clear();
        self.kinds.extend(frontier.marks.iter().zip(&view.p_mine).map(|(&mark, &p)| match mark {
            Mark::Opened | Mark::Exploded => Kind::Opened,
            _ if p <= 0.0 => Kind::Safe,
            _ if p >= 1.0 => Kind::Mine,
            Mark::Floating => Kind::Floating,
            _ => Kind::Frontier,
        }));
        self.near.clear();
        self.near.resize(graph.len(), 0);
        for (cell, &kind) in self.kinds.iter().enumerate() {
            let bit = match kind {
                Kind::Safe | Kind::Frontier => 1,
                Kind::Mine => 2,
                Kind::Opened | Kind::Floating => continue,
            };
            for &n in graph.neighbours(cell) {
                self.near[n as usize] |= bit;
            }
        }
        self.tallies.clear();
        self.tallies.extend(self.kinds.iter().map(|&kind| TALLY[kind as usize]));
        self.clear.clear();
        self.clear.extend(view.p_mine.iter().map(|p| if p.is_nan() { 1.0 } else { 1.0 - p }));
        self.listed.clear();
        let kinds = self.kinds.iter().enumerate();
        self.listed.extend(kinds.filter(|(_, k)| k.can_tell()).map(|(i, _)| i as u32));
    }

    /// Sums over the cells that are not settled.
    fn cells(&mut self, graph: &Graph, view: &View, out: &mut Features) {
        let p_mine = &view.p_mine;
        let (mut least, mut second, mut least_frontier) = (1.0f32, 1.0f32, 1.0f32);
        for &cell in &self.listed {
            let p = p_mine[cell as usize];
            if p > 0.0 {
                if p < least {
                    second = least;
                    least = p;
                } else if p < second {
                    second = p;
                }
            }
        }
        self.far(graph, view, least, out);
        for &cell in &self.listed {
            let cell = cell as usize;
            let (kind, p) = (self.kinds[cell], p_mine[cell]);
            let around = graph.neighbours(cell);
            let sum: u32 = around.iter().map(|&n| self.tallies[n as usize]).sum();
            let opened = tallied(sum, Kind::Opened);
            let walls = tallied(sum, Kind::Mine);
            let floating = tallied(sum, Kind::Floating);
            let unsettled = tallied(sum, Kind::Frontier) + floating;
            let tells = unsettled + tallied(sum, Kind::Safe);
            let zero = around.iter().fold(1.0 - p, |zero, &n| zero * self.clear[n as usize]);
            if kind == Kind::Safe {
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
            if kind == Kind::Floating {
                out[2] += 1.0;
                let degree = around.len();
                out[40] += f32::from(u8::from(degree <= 3));
                out[41] += f32::from(u8::from(degree <= 5));
                out[55] = out[55].max(zero);
            } else {
                out[1] += 1.0;
                out[21] += p * (1.0 - p);
                out[43] += opened as f32;
                out[50] += doubt / (1 + tells) as f32;
                out[51] += walls as f32;
                least_frontier = least_frontier.min(p);
                let bin = BINS.iter().position(|&b| p < b).unwrap_or(BINS.len() - 1);
                out[13 + bin] += 1.0;
                out[25] += f32::from(u8::from(p < 0.1));
            }
        }
        out[3] = if view.floating > 0 { view.floating_p_mine } else { 0.0 };
        out[5] = (1.0 + out[4]).ln();
        out[7] = out[6] / out[0].max(1.0);
        if out[0] > 0.0 {
            out[22] = least;
            out[23] = least_frontier;
            out[24] = second;
        }
    }

    /// Adds the features of the floating cells that touch only floating cells, grouped by their
    /// number of neighbours.
    fn far(&mut self, graph: &Graph, view: &View, least: f32, out: &mut Features) {
        let p = view.floating_p_mine;
        if view.floating == 0 || p <= 0.0 || p >= 1.0 {
            return;
        }
        let mut count = [0u32; MAX_DEGREE + 1];
        for (cell, (&kind, &near)) in self.kinds.iter().zip(&self.near).enumerate() {
            if kind == Kind::Floating && near == 0 {
                count[graph.neighbours(cell).len()] += 1;
            }
        }
        let (kinds, near) = (&self.kinds, &self.near);
        self.listed.retain(|&c| kinds[c as usize] != Kind::Floating || near[c as usize] != 0);
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
                if p <= least + 0.1 {
                    out[26] = out[26].max(zero);
                    out[54] = out[54].max((1.0 - p) * degree as f32);
                }
            }
            zero *= 1.0 - p;
        }
    }

    /// Components, and pairs of cells that can be told apart only by opening one of them.
    fn components(&self, graph: &Graph, frontier: &Frontier, view: &View, out: &mut Features) {
        for (i, component) in view.components.iter().enumerate() {
            let cells = frontier.cells(i);
            let alive = |&&c: &&u32| self.kinds[c as usize] == Kind::Frontier;
            let unsettled = cells.iter().filter(alive).count() as f32;
            if unsettled == 0.0 {
                continue;
            }
            out[9] += 1.0;
            out[10] = out[10].max(unsettled);
            let (mut floating, mut safe) = (0, 0);
            let mut least = 1.0f32;
            for &cell in cells.iter().filter(alive) {
                least = least.min(view.p_mine[cell as usize]);
                let around = graph.neighbours(cell as usize).iter();
                let sum = around.map(|&n| self.tallies[n as usize]).sum();
                floating += tallied(sum, Kind::Floating);
                safe += tallied(sum, Kind::Safe);
            }
            // The risk of the safest way into this component.
            let toll = -(1.0 - least).ln();
            out[62] += toll;
            if safe == 0 {
                out[56] += toll;
                out[59] += 1.0;
                out[63] = out[63].max(toll);
            }
            if floating == 0 && safe == 0 {
                out[11] += 1.0;
                out[12] += unsettled;
                out[57] += toll;
                out[58] = out[58].max(toll);
                if component.counts.len() == 1 {
                    out[39] += 1.0;
                }
            }
            let mut at = 0;
            for &size in &component.sizes {
                let p = view.p_mine[cells[at] as usize];
                out[60] += p.min(1.0 - p);
                let own = &cells[at..at + usize::from(size)];
                at += usize::from(size);
                if !(2..=3).contains(&size) || self.kinds[own[0] as usize] != Kind::Frontier {
                    continue;
                }
                let p = view.p_mine[own[0] as usize];
                for (j, &a) in own.iter().enumerate() {
                    for &b in &own[j + 1..] {
                        if self.are_alike(graph, a, b) {
                            out[34] -= (1.0 - p.min(1.0 - p)).ln();
                            out[35] += 1.0;
                        }
                    }
                }
            }
        }
    }

    /// Whether both cells have the same informative neighbours, apart from each other.
    pub(super) fn are_alike(&self, graph: &Graph, a: u32, b: u32) -> bool {
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
            if self.kinds[first as usize] != Kind::Floating || self.reached[first as usize] {
                continue;
            }
            let (mut size, mut sealed) = (0, true);
            self.reached[first as usize] = true;
            self.stack.push(first);
            while let Some(cell) = self.stack.pop() {
                size += 1;
                for &n in graph.neighbours(cell as usize) {
                    match self.kinds[n as usize] {
                        Kind::Floating if !self.reached[n as usize] => {
                            self.reached[n as usize] = true;
                            self.stack.push(n);
                        }
                        Kind::Safe | Kind::Frontier => sealed = false,
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
        let frontier = &engine.frontier;
        Reader::default().read(&graph, frontier, &view, Some(mines), opened, &mut found);
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
