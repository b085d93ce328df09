//! What an exact search may spend, and what is left of it.

use std::time::Instant;

/// The search ran out of states or time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

/// States and time left to a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spent {
    pub states: u64,
    left: u64,
    deadline: Option<Instant>,
}

/// The clock is read once in so many states.
const CLOCK: u64 = 1 << 10;

impl Spent {
    pub fn new(states: u64, deadline: Option<Instant>) -> Self {
        Spent { states: 0, left: states, deadline }
    }

    /// Charges for one state.
    #[inline]
    pub fn state(&mut self) -> Result<(), Stopped> {
        self.states += 1;
        self.left = self.left.checked_sub(1).ok_or(Stopped)?;
        if self.states % CLOCK == 0 && self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Err(Stopped);
        }
        Ok(())
    }
}
