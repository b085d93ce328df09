//! Updates a frontier from one position of a game to the next.

use super::{is_number, is_unopened, Followed, Frontier, Mark, NO_UNKNOWN};
use crate::bytes::each_set;
use crate::topology::Graph;

/// After more changes than this, the position is read from scratch.
const CHANGES: usize = 100;

impl Frontier {
    /// Records the position just read, so that the next one can continue from it.
    pub(super) fn remember(&mut self, graph: &Graph, cells: &[u8]) {
        self.followed = Some(graph.id());
        self.last.clear();
        self.last.extend_from_slice(cells);
    }

    /// Reads a position that differs from the last only in opened cells. Otherwise, or if the
    /// position contains a contradiction, leaves the frontier in an unusable state.
    ///
    /// Settled cells stay settled, because opening cells only adds knowledge.
    pub(super) fn follow(&mut self, graph: &Graph, cells: &[u8]) -> Followed {
        if self.followed != Some(graph.id()) || self.last.len() != cells.len() {
            return Followed::No;
        }
        let mut opened = std::mem::take(&mut self.opened);
        let followed = match self.opened_since(cells, &mut opened) {
            true => self.follow_opened(graph, cells, &opened),
            false => Followed::No,
        };
        self.opened = opened;
        followed
    }

    fn follow_opened(&mut self, graph: &Graph, cells: &[u8], opened: &[u32]) -> Followed {
        for mark in &mut self.marks {
            *mark = if *mark == Mark::Frontier { Mark::Floating } else { *mark };
        }
        let mut top = 0;
        let fits = self.open(graph, opened, cells, &mut top);
        if !fits || self.propagate(graph, top).is_err() {
            return Followed::Contradiction;
        }
        self.forget_components();
        self.gather_witnesses();
        self.finish(graph);
        for &cell in opened {
            self.last[cell as usize] = cells[cell as usize];
        }
        Followed::Yes
    }

    /// Lists the cells opened since the last position; false if there were too many, or if anything
    /// else changed.
    fn opened_since(&self, cells: &[u8], opened: &mut Vec<u32>) -> bool {
        const RUN: usize = 32;
        opened.clear();
        let runs = self.last.chunks(RUN).zip(cells.chunks(RUN));
        for (run, (before, after)) in runs.enumerate() {
            if before == after {
                continue;
            }
            for (i, (&before, &after)) in before.iter().zip(after).enumerate() {
                if before == after || (is_unopened(before) && is_unopened(after)) {
                    continue;
                }
                let to_number = is_number(after);
                if !is_unopened(before) || !(to_number || after == b'*') || opened.len() >= CHANGES
                {
                    return false;
                }
                opened.push((run * RUN + i) as u32);
            }
        }
        true
    }

    /// Subtracts opened cells from their neighbours' counts, and starts counts for the new numbers.
    /// False if a number contradicts settled cells; reading from scratch then finds the cause.
    fn open(&mut self, graph: &Graph, opened: &[u32], cells: &[u8], top: &mut usize) -> bool {
        for &cell in opened {
            let cell = cell as usize;
            let mine = cells[cell] == b'*';
            let before = self.marks[cell];
            if before == if mine { Mark::Safe } else { Mark::Mine } {
                return false;
            }
            self.marks[cell] = if mine { Mark::Exploded } else { Mark::Opened };
            if before == Mark::Floating {
                self.mines += usize::from(mine);
                for &n in graph.neighbours(cell) {
                    self.unknown[n as usize] -= 1;
                    self.need[n as usize] -= i8::from(mine);
                    if self.is_witness(n) && !self.look_at(n, top) {
                        return false;
                    }
                }
            }
        }
        for &cell in opened.iter().filter(|&&c| cells[c as usize] != b'*') {
            let (mut mines, mut unknown) = (0, 0);
            for &n in graph.neighbours(cell as usize) {
                let mark = self.marks[n as usize];
                mines += i8::from(matches!(mark, Mark::Mine | Mark::Exploded));
                unknown += i8::from(mark == Mark::Floating);
            }
            self.need[cell as usize] = (cells[cell as usize] - b'0') as i8 - mines;
            self.unknown[cell as usize] = unknown;
            if !self.look_at(cell, top) {
                return false;
            }
        }
        true
    }

    /// Pushes a number on the stack if it settles its neighbours; false if it is impossible.
    fn look_at(&mut self, number: u32, top: &mut usize) -> bool {
        let (need, unknown) = (self.need[number as usize], self.unknown[number as usize]);
        if need < 0 || need > unknown {
            return false;
        }
        if unknown > 0 && (need == 0 || need == unknown) {
            if self.stack.len() == *top {
                self.stack.push(0);
            }
            self.stack[*top] = number;
            *top += 1;
        }
        true
    }

    /// Lists the witnesses in cell order, as reading from scratch does.
    fn gather_witnesses(&mut self) {
        let limit = NO_UNKNOWN - crate::topology::MAX_DEGREE as i8;
        self.sums.clear();
        let is_witness = |&unknown: &i8| u8::from((unknown > 0) & (unknown < limit));
        self.sums.extend(self.unknown.iter().map(is_witness));
        self.witnesses.clear();
        each_set(&self.sums, |cell| self.witnesses.push(cell as u32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::{Fixed, Saved};
    use crate::generate::Rng;
    use crate::testing::random_position;

    /// Every public result of a frontier.
    fn told(frontier: &Frontier) -> (Vec<Mark>, usize, usize, Vec<[Vec<u32>; 3]>) {
        let component = |i: usize| {
            [frontier.key(i).to_vec(), frontier.cells(i).to_vec(), frontier.numbers(i).to_vec()]
        };
        let components = (0..frontier.components()).map(component).collect();
        (frontier.marks.clone(), frontier.mines, frontier.floating, components)
    }

    #[test]
    fn a_game_read_move_by_move_is_each_position_read_afresh() {
        let mut following = Frontier::default();
        let mut saved = Saved::default();
        for seed in 0..50 {
            let (graph, mut cells, mined) = random_position(seed);
            let numbers = graph.numbers(&mined);
            let mut rng = Rng::new(seed);
            while let Some(&cell) = {
                let left: Vec<usize> = (0..cells.len()).filter(|&c| cells[c] == b'.').collect();
                let at = rng.below(left.len().max(1) as u64) as usize;
                left.get(at).copied().as_ref()
            } {
                following.read(&graph, &cells, &[]).unwrap();
                following.save(&mut saved);
                cells[cell] = if mined[cell] == 1 { b'*' } else { b'0' + numbers[cell] };
                let mut fresh = Frontier::default();
                fresh.read(&graph, &cells, &[]).unwrap();
                assert_eq!(following.follow(&graph, &cells), Followed::Yes);
                assert_eq!(told(&following), told(&fresh));
                // Try another opening from the saved state.
                following.restore(&saved);
                following.read(&graph, &cells, &[]).unwrap();
                assert_eq!(told(&following), told(&fresh));
            }
        }
    }

    #[test]
    fn what_is_not_one_more_opened_cell_is_read_from_scratch() {
        let (graph, before) = crate::testing::position(&["...", "121"]);
        let mut frontier = Frontier::default();
        frontier.read(&graph, &before, &[]).unwrap();
        assert_eq!(frontier.follow(&graph, b"...12."), Followed::No, "a cell was closed");
        frontier.read(&graph, &before, &[(0, Fixed::Mine)]).unwrap();
        assert_eq!(frontier.follow(&graph, &before), Followed::No, "cells were fixed");
        frontier.read(&graph, &before, &[]).unwrap();
        frontier.forget();
        assert_eq!(frontier.follow(&graph, &before), Followed::No, "the position was forgotten");
    }
}
