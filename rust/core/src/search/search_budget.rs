//! The budget of an exact search.

use crate::clock::Instant;

use crate::budget::{Interrupt, SMALL_MEMORY};

/// The search ran out of states, nodes, memory or time, or was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

/// The remaining budget of a search.
#[derive(Debug)]
pub(super) struct SearchBudget {
    pub states: u64,
    left: u64,
    /// Nodes for listing solutions, including dead ends.
    nodes: u64,
    /// Bytes for the listing and the data derived from it.
    bytes: usize,
    deadline: Option<Instant>,
    interrupt: Option<Interrupt>,
    /// Work since the clock was last read.
    work: usize,
}

/// The number of cells to read between readings of the clock: about a millisecond of work.
const WORK: usize = 1 << 20;
/// The minimum costs of a state and of a listing node.
const STATE: usize = 1 << 10;
const NODE: usize = 1 << 5;
/// The number of nodes a listing may visit for each filling it is allowed to find, and the minimum
/// number of nodes. A listing with many dead ends stops at this limit even if time is left. In
/// games, listings visit less than a tenth of that.
const NODES_EACH: u64 = 64;
const NODES: u64 = 1 << 18;
/// The maximum size of a listing, in bytes.
const BYTES: usize = if SMALL_MEMORY { 64 << 20 } else { 256 << 20 };

impl SearchBudget {
    pub fn new(states: u64, deadline: Option<Instant>, interrupt: Option<Interrupt>) -> Self {
        SearchBudget {
            states: 0,
            left: states,
            nodes: NODES,
            bytes: BYTES,
            deadline,
            interrupt,
            work: 0,
        }
    }

    /// Allows a listing enough nodes for this many fillings.
    pub fn allow_fillings(&mut self, fillings: usize) {
        self.nodes = NODES.max((fillings as u64).saturating_mul(NODES_EACH));
    }

    /// Charges for a node of the listing.
    #[inline]
    pub fn node(&mut self) -> Result<(), Stopped> {
        self.nodes = self.nodes.checked_sub(1).ok_or(Stopped)?;
        self.work(NODE)
    }

    /// Charges for this many bytes of memory and for writing to them.
    #[inline]
    pub fn bytes(&mut self, bytes: usize) -> Result<(), Stopped> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Stopped)?;
        self.work(bytes)
    }

    /// Charges for one state.
    #[inline]
    pub fn state(&mut self) -> Result<(), Stopped> {
        self.states += 1;
        self.left = self.left.checked_sub(1).ok_or(Stopped)?;
        self.work(STATE)
    }

    /// Charges for reading this many cells of solutions.
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
        let mut budget = SearchBudget::new(2, None, None);
        assert_eq!(
            [budget.state(), budget.state(), budget.state()],
            [Ok(()), Ok(()), Err(Stopped)]
        );
        assert_eq!(budget.states, 3);
    }

    #[test]
    fn a_listing_stops_after_its_nodes_and_its_bytes() {
        let mut budget = SearchBudget::new(0, None, None);
        assert_eq!((0..NODES).find(|_| budget.node().is_err()), None);
        assert_eq!(budget.node(), Err(Stopped));
        budget.allow_fillings(1 << 20);
        assert_eq!((0..NODES_EACH << 20).find(|_| budget.node().is_err()), None);
        assert_eq!(budget.node(), Err(Stopped));
        assert_eq!([budget.bytes(BYTES), budget.bytes(1)], [Ok(()), Err(Stopped)]);
    }

    #[test]
    fn a_search_stops_when_it_is_asked_to_or_late() {
        let asked = Some(Interrupt::new(|| true));
        assert_eq!(SearchBudget::new(9, None, asked).work(WORK), Err(Stopped));
        assert_eq!(SearchBudget::new(9, Some(Instant::now()), None).work(WORK), Err(Stopped));
        assert_eq!(SearchBudget::new(9, Some(Instant::now()), None).work(WORK - 1), Ok(()));
    }
}
