//! A frontier saved after reading a position, so that several openings can be tried from it.

use super::{Frontier, Mark};

/// The state needed to read the next position of a game.
#[derive(Debug, Default)]
pub struct Saved {
    followed: Option<u64>,
    mines: usize,
    marks: Vec<Mark>,
    last: Vec<u8>,
    need: Vec<i8>,
    unknown: Vec<i8>,
}

impl Frontier {
    /// Saves the state after the last position read.
    pub fn save(&self, to: &mut Saved) {
        to.followed = self.followed;
        to.mines = self.mines;
        to.marks.clone_from(&self.marks);
        to.last.clone_from(&self.last);
        to.need.clone_from(&self.need);
        to.unknown.clone_from(&self.unknown);
    }

    /// Restores a saved state, from which `read` can continue.
    pub fn restore(&mut self, from: &Saved) {
        self.followed = from.followed;
        self.mines = from.mines;
        self.marks.clone_from(&from.marks);
        self.last.clone_from(&from.last);
        self.need.clone_from(&from.need);
        self.unknown.clone_from(&from.unknown);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::position;

    /// A frontier's results for a position.
    fn told(frontier: &Frontier) -> (Vec<Mark>, usize, usize, Vec<Vec<u32>>) {
        let keys = (0..frontier.components()).map(|i| frontier.key(i).to_vec()).collect();
        (frontier.marks.clone(), frontier.mines, frontier.floating, keys)
    }

    #[test]
    fn each_opening_tried_from_a_saved_position_is_read_as_if_afresh() {
        let (graph, before) = position(&["......", ".12...", "......"]);
        let (mut frontier, mut saved) = (Frontier::default(), Saved::default());
        frontier.read(&graph, &before, &[]).unwrap();
        frontier.save(&mut saved);
        for cell in (0..before.len()).filter(|&cell| before[cell] == b'.') {
            for shown in [b'0', b'1', b'2', b'*'] {
                let mut cells = before.clone();
                cells[cell] = shown;
                let mut fresh = Frontier::default();
                let can_be = fresh.read(&graph, &cells, &[]).is_ok();
                frontier.restore(&saved);
                assert_eq!(frontier.read(&graph, &cells, &[]).is_ok(), can_be);
                if can_be {
                    assert_eq!(told(&frontier), told(&fresh));
                }
            }
        }
    }

    #[test]
    fn a_position_with_fixed_cells_saves_nothing_to_continue_from() {
        let (graph, cells) = position(&["...", "121"]);
        let (mut frontier, mut saved) = (Frontier::default(), Saved::default());
        frontier.read(&graph, &cells, &[(0, crate::frontier::Fixed::Mine)]).unwrap();
        frontier.save(&mut saved);
        frontier.restore(&saved);
        frontier.read(&graph, &cells, &[]).unwrap();
        let mut fresh = Frontier::default();
        fresh.read(&graph, &cells, &[]).unwrap();
        assert_eq!(told(&frontier), told(&fresh));
    }
}
