//! What an exact search may spend, and what is left of it.

use std::time::Instant;

use crate::budget::Interrupt;

/// The search ran out of states or time, or was asked to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

/// States and time left to a search.
#[derive(Debug)]
pub(super) struct Spent {
    pub states: u64,
    left: u64,
    deadline: Option<Instant>,
    interrupt: Option<Interrupt>,
    /// Work since the clock was last read.
    work: usize,
}

/// Cells of solutions looked at between two readings of the clock: about a millisecond of work.
const WORK: usize = 1 << 20;
/// What a state costs at least.
const STATE: usize = 1 << 10;

impl Spent {
    pub fn new(states: u64, deadline: Option<Instant>, interrupt: Option<Interrupt>) -> Self {
        Spent { states: 0, left: states, deadline, interrupt, work: 0 }
    }

    /// Charges for one state.
    #[inline]
    pub fn state(&mut self) -> Result<(), Stopped> {
        self.states += 1;
        self.left = self.left.checked_sub(1).ok_or(Stopped)?;
        self.work(STATE)
    }

    /// Charges for a look at this number of cells of solutions.
    #[inline]
    pub fn work(&mut self, cells: usize) -> Result<(), Stopped> {
        self.work += cells;
        if self.work < WORK {
            return Ok(());
        }
        self.work = 0;
        let late = self.deadline.is_some_and(|end| Instant::now() >= end);
        if late || self.interrupt.as_ref().is_some_and(Interrupt::is_set) {
            return Err(Stopped);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_stops_after_its_states() {
        let mut spent = Spent::new(2, None, None);
        assert_eq!([spent.state(), spent.state(), spent.state()], [Ok(()), Ok(()), Err(Stopped)]);
        assert_eq!(spent.states, 3);
    }

    #[test]
    fn a_search_stops_when_it_is_asked_to_or_late() {
        let asked = Some(Interrupt::new(|| true));
        assert_eq!(Spent::new(9, None, asked).work(WORK), Err(Stopped));
        assert_eq!(Spent::new(9, Some(Instant::now()), None).work(WORK), Err(Stopped));
        assert_eq!(Spent::new(9, Some(Instant::now()), None).work(WORK - 1), Ok(()));
    }
}
