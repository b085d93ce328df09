//! A frontier as it was after reading one position, to try several openings from it.

use super::{Frontier, Mark};

/// What reading the next position of a game builds on.
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
    /// Copies what the position read last leaves to the next.
    pub fn save(&self, to: &mut Saved) {
        to.followed = self.followed;
        to.mines = self.mines;
        to.marks.clone_from(&self.marks);
        to.last.clone_from(&self.last);
        to.need.clone_from(&self.need);
        to.unknown.clone_from(&self.unknown);
    }

    /// Goes back to a saved position, from which `read` can follow again.
    pub fn restore(&mut self, from: &Saved) {
        self.followed = from.followed;
        self.mines = from.mines;
        self.marks.clone_from(&from.marks);
        self.last.clone_from(&from.last);
        self.need.clone_from(&from.need);
        self.unknown.clone_from(&from.unknown);
    }
}
