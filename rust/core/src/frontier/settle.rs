//! The witnesses, and the cells that single numbers settle.

use super::{is_number, Frontier, Mark, NO_NEED, NO_UNKNOWN, ONE_MINE};
use crate::error::{BoardError, Inconsistency};
use crate::topology::Graph;

/// The unknown cells around a number, and the mines among them.
#[inline]
fn number_and_need(byte: u8, sum: u16) -> (i8, i8) {
    let (mines, unknown) = (sum / u16::from(ONE_MINE), sum % u16::from(ONE_MINE));
    (unknown as i8, (byte.wrapping_sub(b'0') as i8).wrapping_sub(mines as i8))
}

impl Frontier {
    /// Finds the witnesses and the mines that each needs.
    ///
    /// The processor cannot predict which cells are open, so the code does not branch on them: it
    /// computes everything for every cell and keeps what applies. Returns the number of witnesses
    /// that settle their neighbours; they are on the stack.
    pub(super) fn collect_witnesses(
        &mut self,
        graph: &Graph,
        cells: &[u8],
    ) -> Result<usize, BoardError> {
        let sums = &self.sums;
        self.around.clear();
        self.around.extend(
            graph.rows().map(|row| row.iter().map(|&n| u16::from(sums[n as usize])).sum::<u16>()),
        );
        let mut bad = false;
        let slots = self.need.iter_mut().zip(&mut self.unknown);
        for ((&byte, &sum), (need, unknown)) in cells.iter().zip(&self.around).zip(slots) {
            let (around, left) = number_and_need(byte, sum);
            let is_number = is_number(byte);
            bad |= is_number & ((left < 0) | (left > around));
            let is_witness = is_number & (around > 0);
            *need = if is_witness { left } else { NO_NEED };
            *unknown = if is_witness { around } else { NO_UNKNOWN };
        }
        if bad {
            return Err(self.wrong_number(cells));
        }
        self.witnesses.resize(cells.len(), 0);
        // The buffer never shrinks; the part above the top is scratch.
        self.stack.resize(self.stack.len().max(cells.len()), 0);
        let (mut witnesses, mut settled) = (0, 0);
        for (cell, (&need, &unknown)) in self.need.iter().zip(&self.unknown).enumerate() {
            self.witnesses[witnesses] = cell as u32;
            witnesses += usize::from(unknown != NO_UNKNOWN);
            self.stack[settled] = cell as u32;
            settled += usize::from((need == 0) | (need == unknown));
        }
        self.witnesses.truncate(witnesses);
        Ok(settled)
    }

    /// The first impossible number.
    fn wrong_number(&self, cells: &[u8]) -> BoardError {
        let wrong = cells.iter().zip(&self.around).enumerate().find_map(|(cell, (&byte, &sum))| {
            let (unknown, need) = number_and_need(byte, sum);
            let cannot_be = is_number(byte) && (need < 0 || need > unknown);
            cannot_be.then(|| Inconsistency::Number {
                cell,
                number: byte - b'0',
                opened_mines: usize::from(sum / u16::from(ONE_MINE)),
                unopened: unknown as usize,
            })
        });
        // Called only if there is such a number.
        BoardError::Inconsistent(wrong.unwrap_or(Inconsistency::Component { numbers: Vec::new() }))
    }

    /// Settles cells by single numbers until nothing changes.
    pub(super) fn propagate(&mut self, graph: &Graph, mut top: usize) -> Result<(), BoardError> {
        // Borrowed once, because each access through `self` would reload the array.
        let (need, unknown) = (&mut self.need[..], &mut self.unknown[..]);
        let marks = &mut self.marks[..];
        let mut bad = false;
        while top > 0 {
            top -= 1;
            let w = self.stack[top] as usize;
            if unknown[w] <= 0 {
                continue;
            }
            let mine = i8::from(need[w] > 0);
            let mark = if mine > 0 { Mark::Mine } else { Mark::Safe };
            for &cell in graph.neighbours(w) {
                let cell = cell as usize;
                if marks[cell] != Mark::Floating {
                    continue;
                }
                marks[cell] = mark;
                self.mines += mine as usize;
                // Branch-free as above: each neighbour is written, but kept only if it is settled.
                let around = graph.neighbours(cell);
                if self.stack.len() < top + around.len() {
                    self.stack.resize(2 * top + around.len(), 0);
                }
                for &n in around {
                    let v = n as usize;
                    unknown[v] -= 1;
                    need[v] -= mine;
                    let (need, unknown) = (need[v], unknown[v]);
                    bad |= (need < 0) | (need > unknown);
                    self.stack[top] = n;
                    top += usize::from(((need == 0) | (need == unknown)) & (unknown > 0));
                }
            }
            if bad {
                return Err(self.contradiction(graph));
            }
        }
        Ok(())
    }

    /// Returns the contradiction at a number that does not match its neighbours.
    fn contradiction(&self, graph: &Graph) -> BoardError {
        let is_wrong = |&w: &usize| self.need[w] < 0 || self.need[w] > self.unknown[w];
        // Called only if there is such a number.
        self.conflict(graph, (0..graph.len()).find(is_wrong).unwrap_or(0))
    }

    /// The error for contradictory numbers: lists every number connected to the given one.
    ///
    /// Settled cells connect numbers too: without them, the remaining numbers might be consistent.
    pub fn conflict(&self, graph: &Graph, number: usize) -> BoardError {
        if self.brief {
            return BoardError::Inconsistent(Inconsistency::Component { numbers: Vec::new() });
        }
        let mut numbers = vec![number];
        let mut reached = vec![false; graph.len()];
        reached[number] = true;
        let mut next = 0;
        while next < numbers.len() {
            for &cell in graph.neighbours(numbers[next]) {
                if matches!(self.marks[cell as usize], Mark::Opened | Mark::Exploded) {
                    continue;
                }
                for &n in graph.neighbours(cell as usize) {
                    if self.is_witness(n) && !reached[n as usize] {
                        reached[n as usize] = true;
                        numbers.push(n as usize);
                    }
                }
            }
            next += 1;
        }
        numbers.sort_unstable();
        BoardError::Inconsistent(Inconsistency::Component { numbers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{boards, position, random_position};

    #[test]
    fn single_numbers_settle_only_what_every_board_has() {
        let mut settled = 0;
        for seed in 0..150 {
            let (graph, cells, _) = random_position(seed);
            let mut frontier = Frontier::default();
            frontier.read(&graph, &cells, &[]).unwrap();
            let listed = boards(&graph, &cells, None);
            for (cell, &mark) in frontier.marks.iter().enumerate() {
                let expected = match mark {
                    Mark::Safe => 0,
                    Mark::Mine => 1,
                    _ => continue,
                };
                assert!(listed.iter().all(|board| board[cell] == expected));
                settled += 1;
            }
            // A fixed point: no number settles any more cells.
            for cell in (0..cells.len()).filter(|&c| frontier.is_witness(c as u32)) {
                let (need, unknown) = (frontier.need[cell], frontier.unknown[cell]);
                assert!(unknown == 0 || (0 < need && need < unknown));
            }
        }
        assert!(settled > 100);
    }

    #[test]
    fn an_impossible_number_is_named() {
        let (graph, cells) = position(&[".3", "*2"]);
        let found = Frontier::default().read(&graph, &cells, &[]).unwrap_err();
        let three = Inconsistency::Number { cell: 1, number: 3, opened_mines: 1, unopened: 1 };
        assert_eq!(found, BoardError::Inconsistent(three));
    }

    #[test]
    fn numbers_that_contradict_each_other_are_all_named() {
        let (graph, cells) = position(&["0.1", "1.."]);
        let found = Frontier::default().read(&graph, &cells, &[]).unwrap_err();
        let BoardError::Inconsistent(Inconsistency::Component { numbers }) = found else {
            panic!("{found:?}")
        };
        assert_eq!(numbers, [0, 2, 3]);
    }
}
