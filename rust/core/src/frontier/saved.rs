//! A frontier saved after reading one position, to try several openings from it.

use super::{Frontier, Mark};

/// The state that reading the next position of a game builds on.
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
    /// Saves the state left by the position read last.
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
