//! Opens a board from a start cell by sound logic alone, up to a level of difficulty.

use crate::analysis::{Engine, Limit};
use crate::mines::Knowledge;
use crate::topology::{Graph, MAX_DEGREE};

/// The difficulty level of a deduction. Each level includes the easier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Logic {
    /// One number settles its neighbours.
    Single,
    /// Two numbers that share cells.
    Pairs,
    /// All numbers of a component together.
    Local,
    /// Everything, including the mine total.
    Total,
}

/// One deduction: the cells that it opened or marked, and its difficulty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub logic: Logic,
    /// The numbers that it follows from; empty if it needs all of them.
    pub because: Vec<u32>,
    /// Cells proved clear, in the order in which they are opened.
    pub safe: Vec<u32>,
    pub mined: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Unknown,
    Opened,
    /// Proved a mine.
    Mine,
}

/// A player that sees only opened cells, on a board known only to the generator.
///
/// Buffers are reused from board to board.
#[derive(Debug, Default)]
pub struct Player {
    seen: Vec<Seen>,
    /// For each opened cell: the unknown mines and cells around it.
    need: Vec<i8>,
    unknown: Vec<i8>,
    /// Clear cells not yet opened.
    pub left: usize,
    // Open numbers to check again, by kind of deduction.
    singles: Queue,
    pairs: Queue,
    flood: Vec<u32>,
    shared: Vec<u8>,
    partners: Vec<u32>,
    engine: Engine,
    text: Vec<u8>,
    /// The deductions made, if requested.
    pub path: Option<Vec<Step>>,
}

/// A queue that holds each cell at most once.
#[derive(Debug, Default)]
struct Queue {
    cells: Vec<u32>,
    waiting: Vec<bool>,
}

impl Queue {
    fn reset(&mut self, size: usize) {
        self.cells.clear();
        self.waiting.clear();
        self.waiting.resize(size, false);
    }

    #[inline]
    fn push(&mut self, cell: u32) {
        if !self.waiting[cell as usize] {
            self.waiting[cell as usize] = true;
            self.cells.push(cell);
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let cell = self.cells.pop()?;
        self.waiting[cell as usize] = false;
        Some(cell)
    }
}

impl Logic {
    pub const ALL: [Logic; 4] = [Logic::Single, Logic::Pairs, Logic::Local, Logic::Total];
}

impl Player {
    /// Resets the player to an unopened board.
    pub fn reset(&mut self, graph: &Graph, mined: &[u8]) {
        let size = graph.len();
        self.seen.clear();
        self.seen.resize(size, Seen::Unknown);
        self.need.clear();
        self.need.resize(size, 0);
        self.unknown.clear();
        self.unknown.resize(size, 0);
        self.shared.clear();
        self.shared.resize(size, 0);
        self.left = mined.iter().filter(|&&m| m == 0).count();
        self.singles.reset(size);
        self.pairs.reset(size);
        if let Some(path) = &mut self.path {
            path.clear();
        }
    }

    pub fn is_unknown(&self, cell: usize) -> bool {
        self.seen[cell] == Seen::Unknown
    }

    /// Whether a cell is opened and still has unknown neighbours.
    pub fn is_witness(&self, cell: usize) -> bool {
        self.seen[cell] == Seen::Opened && self.unknown[cell] > 0
    }

    /// Whether a cell was proved a mine.
    pub fn is_wall(&self, cell: usize) -> bool {
        self.seen[cell] == Seen::Mine
    }

    pub fn is_opened(&self, cell: usize) -> bool {
        self.seen[cell] == Seen::Opened
    }

    /// Opens a clear cell, and the cells opened by its zeros.
    pub fn open(&mut self, graph: &Graph, mined: &[u8], cell: usize) {
        self.flood.push(cell as u32);
        while let Some(cell) = self.flood.pop() {
            let cell = cell as usize;
            if self.seen[cell] != Seen::Unknown {
                continue;
            }
            debug_assert_eq!(mined[cell], 0, "logic opened a mine");
            self.seen[cell] = Seen::Opened;
            self.left -= 1;
            let (mut number, mut need, mut unknown) = (0, 0, 0);
            for &n in graph.neighbours(cell) {
                let at = n as usize;
                number += mined[at] as i8;
                match self.seen[at] {
                    Seen::Unknown => {
                        unknown += 1;
                        need += mined[at] as i8;
                    }
                    Seen::Opened => {
                        self.unknown[at] -= 1;
                        self.singles.push(n);
                    }
                    Seen::Mine => {}
                }
            }
            self.need[cell] = need;
            self.unknown[cell] = unknown;
            if number == 0 {
                self.flood.extend_from_slice(graph.neighbours(cell));
            } else if unknown > 0 {
                self.singles.push(cell as u32);
            }
        }
    }

    fn mark(&mut self, graph: &Graph, cell: usize) {
        self.seen[cell] = Seen::Mine;
        for &n in graph.neighbours(cell) {
            if self.seen[n as usize] == Seen::Opened {
                self.unknown[n as usize] -= 1;
                self.need[n as usize] -= 1;
                self.singles.push(n);
            }
        }
    }

    /// Deduces and opens cells until it is stuck or the board is solved; true if solved.
    pub fn play(&mut self, graph: &Graph, mined: &[u8], ceiling: Logic) -> bool {
        loop {
            while let Some(w) = self.singles.pop() {
                self.single(graph, mined, w);
            }
            if self.left == 0 {
                return true;
            }
            if ceiling >= Logic::Pairs {
                if let Some(w) = self.pairs.pop() {
                    self.pair(graph, mined, w);
                    continue;
                }
            }
            if ceiling < Logic::Local || !self.whole(graph, mined, ceiling) {
                return false;
            }
        }
    }

    fn single(&mut self, graph: &Graph, mined: &[u8], w: u32) {
        let at = w as usize;
        if self.unknown[at] == 0 {
            return;
        }
        if self.need[at] != 0 && self.need[at] != self.unknown[at] {
            self.pairs.push(w);
            return;
        }
        let mine = self.need[at] != 0;
        let cells: Around = self.unknown_around(graph, at);
        self.settle(graph, mined, Logic::Single, &[w], cells.as_slice(), mine);
    }

    fn unknown_around(&self, graph: &Graph, cell: usize) -> Around {
        let mut out = Around::default();
        for &n in graph.neighbours(cell) {
            if self.seen[n as usize] == Seen::Unknown {
                out.push(n);
            }
        }
        out
    }

    /// Makes all deductions from pairs of this number and another that shares cells with it.
    fn pair(&mut self, graph: &Graph, mined: &[u8], a: u32) {
        let at = a as usize;
        if self.unknown[at] == 0 {
            return;
        }
        let cells = self.unknown_around(graph, at);
        let mut partners = std::mem::take(&mut self.partners);
        for &cell in cells.as_slice() {
            for &b in graph.neighbours(cell as usize) {
                if b != a && self.seen[b as usize] == Seen::Opened {
                    if self.shared[b as usize] == 0 {
                        partners.push(b);
                    }
                    self.shared[b as usize] += 1;
                }
            }
        }
        let mut found = false;
        for &b in &partners {
            let shared = std::mem::take(&mut self.shared[b as usize]) as i8;
            if !found {
                found = self.deduce(graph, mined, a, b, shared, &cells);
            }
        }
        partners.clear();
        self.partners = partners;
        if found {
            // The number's other cells may now be settled, so it is checked again.
            self.singles.push(a);
        }
    }

    fn deduce(
        &mut self,
        graph: &Graph,
        mined: &[u8],
        a: u32,
        b: u32,
        shared: i8,
        cells: &Around,
    ) -> bool {
        let (need_a, need_b) = (self.need[a as usize], self.need[b as usize]);
        let (own_a, own_b) = (self.unknown[a as usize] - shared, self.unknown[b as usize] - shared);
        let least = 0.max(need_a - own_a).max(need_b - own_b);
        let most = shared.min(need_a).min(need_b);
        // For the cells that touch only one of the numbers, and for the shared ones: whether all
        // are clear, and whether all are mines.
        let clear_a = own_a > 0 && need_a == least;
        let full_a = own_a > 0 && need_a - most == own_a;
        let clear_b = own_b > 0 && need_b == least;
        let full_b = own_b > 0 && need_b - most == own_b;
        let clear_both = most == 0;
        let full_both = least == shared;
        if !(clear_a || full_a || clear_b || full_b || clear_both || full_both) {
            return false;
        }
        let near_b = |n: &u32| graph.neighbours(b as usize).binary_search(n).is_ok();
        let near_a = |n: &u32| graph.neighbours(a as usize).binary_search(n).is_ok();
        let (mut only_a, mut both, mut only_b) =
            (Around::default(), Around::default(), Around::default());
        for n in cells.as_slice() {
            if near_b(n) {
                both.push(*n);
            } else {
                only_a.push(*n);
            }
        }
        for n in self.unknown_around(graph, b as usize).as_slice() {
            if !near_a(n) {
                only_b.push(*n);
            }
        }
        for (part, clear, full) in
            [(&only_a, clear_a, full_a), (&only_b, clear_b, full_b), (&both, clear_both, full_both)]
        {
            if clear || full {
                self.settle(graph, mined, Logic::Pairs, &[a, b], part.as_slice(), full && !clear);
            }
        }
        true
    }

    /// Opens or marks the cells that some numbers prove.
    fn settle(
        &mut self,
        graph: &Graph,
        mined: &[u8],
        logic: Logic,
        because: &[u32],
        cells: &[u32],
        mine: bool,
    ) {
        if let Some(path) = &mut self.path {
            let cells: Vec<u32> =
                cells.iter().copied().filter(|&c| self.seen[c as usize] == Seen::Unknown).collect();
            if !cells.is_empty() {
                let (safe, mined) = if mine { (vec![], cells) } else { (cells, vec![]) };
                path.push(Step { logic, because: because.to_vec(), safe, mined });
            }
        }
        for &cell in cells {
            if self.seen[cell as usize] != Seen::Unknown {
                continue;
            }
            if mine {
                self.mark(graph, cell as usize);
            } else {
                self.open(graph, mined, cell as usize);
            }
        }
    }

    /// Runs the exact engine, first without the total; true if it found a cell to open.
    fn whole(&mut self, graph: &Graph, mined: &[u8], ceiling: Logic) -> bool {
        self.text.clear();
        for cell in 0..graph.len() {
            self.text.push(match self.seen[cell] {
                Seen::Unknown => b'.',
                Seen::Mine => b'*',
                // Numbers count all mines, because `*` marks the proved ones.
                Seen::Opened => {
                    b'0' + graph.neighbours(cell).iter().map(|&n| mined[n as usize]).sum::<u8>()
                }
            });
        }
        let total = mined.iter().map(|&m| usize::from(m)).sum();
        let limit = Limit { states: 200_000, seconds: None };
        for (logic, mines) in [(Logic::Local, None), (Logic::Total, Some(total))] {
            if logic > ceiling {
                break;
            }
            // Logic from numbers alone does not use that the game is running.
            let known = Knowledge { mines: mines.into(), running: false };
            let Ok(found) = self.engine.analyze(graph, &self.text, known, limit) else {
                return false;
            };
            if !found.safe.is_empty() {
                for (cells, mine) in [(&found.mined, true), (&found.safe, false)] {
                    self.settle(graph, mined, logic, &[], cells, mine);
                }
                return true;
            }
        }
        false
    }

    /// Resets a proved mine to unknown.
    pub fn forget(&mut self, graph: &Graph, cell: usize) {
        self.seen[cell] = Seen::Unknown;
        for &n in graph.neighbours(cell) {
            if self.seen[n as usize] == Seen::Opened {
                self.unknown[n as usize] += 1;
            }
        }
    }

    /// Recounts the mines around a number after a repair has moved some.
    pub fn recount(&mut self, graph: &Graph, mined: &[u8], cell: usize) {
        if self.seen[cell] == Seen::Opened {
            let around = graph.neighbours(cell).iter();
            self.need[cell] = around
                .filter(|&&n| self.seen[n as usize] == Seen::Unknown)
                .map(|&n| mined[n as usize] as i8)
                .sum();
            self.singles.push(cell as u32);
        }
    }
}

/// The cells around one cell, at most `MAX_DEGREE`.
#[derive(Default, Clone, Copy)]
struct Around {
    cells: [u32; MAX_DEGREE],
    count: usize,
}

impl Around {
    #[inline]
    fn push(&mut self, cell: u32) {
        self.cells[self.count] = cell;
        self.count += 1;
    }

    #[inline]
    fn as_slice(&self) -> &[u32] {
        &self.cells[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::uniform;
    use crate::testing::{boards, position};

    /// Opens a board from a cell, using logic up to a level; returns the steps, and whether they
    /// solve it.
    fn played(graph: &Graph, mined: &[u8], start: usize, ceiling: Logic) -> (Vec<Step>, bool) {
        let mut player = Player { path: Some(Vec::new()), ..Player::default() };
        player.reset(graph, mined);
        player.open(graph, mined, start);
        let done = player.play(graph, mined, ceiling);
        (player.path.take().unwrap_or_default(), done)
    }

    #[test]
    fn every_step_holds_on_every_board_that_fits_what_was_seen() {
        let (graph, _) = position(&[".....", ".....", ".....", "....."]);
        let mut steps_seen = [0; 4];
        for seed in 0..150 {
            let mined = uniform(20, 5, &[0, 1, 5, 6], seed).unwrap();
            let numbers = graph.numbers(&mined);
            let mut player = Player::default();
            player.reset(&graph, &mined);
            player.open(&graph, &mined, 0);
            let (mut seen, mut total) = (player, None);
            for step in played(&graph, &mined, 0, Logic::Total).0 {
                let shown = |c: usize| if seen.is_opened(c) { b'0' + numbers[c] } else { b'.' };
                let cells: Vec<u8> = (0..20).map(shown).collect();
                // Any later step may depend on deductions from the total.
                total = total.or((step.logic == Logic::Total).then_some(5));
                for board in boards(&graph, &cells, total) {
                    assert!(step.safe.iter().all(|&c| board[c as usize] == 0));
                    assert!(step.mined.iter().all(|&c| board[c as usize] == 1));
                }
                steps_seen[step.logic as usize] += 1;
                for &cell in &step.safe {
                    seen.open(&graph, &mined, cell as usize);
                }
            }
        }
        assert!(steps_seen.iter().all(|&n| n > 0), "{steps_seen:?}");
    }

    #[test]
    fn a_higher_level_opens_whatever_a_lower_one_does() {
        let (graph, _) = position(&[".....", ".....", ".....", "....."]);
        let mut opened = [0; 4];
        for seed in 0..300 {
            let mined = uniform(20, 5, &[0, 1, 5, 6], seed).unwrap();
            let levels = [Logic::Single, Logic::Pairs, Logic::Local, Logic::Total];
            let done: Vec<bool> = levels.iter().map(|&l| played(&graph, &mined, 0, l).1).collect();
            assert!(done.windows(2).all(|w| w[0] <= w[1]), "{done:?}");
            opened.iter_mut().zip(done).for_each(|(n, done)| *n += u32::from(done));
        }
        assert!(opened.windows(2).all(|w| w[0] < w[1]), "{opened:?}");
    }
}
