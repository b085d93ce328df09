//! The budget of an analysis: states, time and a stop flag.

use crate::clock::{Duration, Instant};
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

/// The limits of an analysis.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// The number of states in all layers and components together.
    pub states: u64,
    /// Wall-clock time.
    pub seconds: Option<f64>,
}

/// Whether memory is limited to half a gigabyte, as in WebAssembly, whose addresses have 32 bits.
pub const SMALL_MEMORY: bool = cfg!(target_pointer_width = "32");

/// This keeps memory below about two gigabytes on the widest boards, or below 512 megabytes with
/// `SMALL_MEMORY`.
pub const DEFAULT_STATES: u64 = if SMALL_MEMORY { 2_500_000 } else { 12_000_000 };

impl Default for Limit {
    fn default() -> Self {
        Limit { states: DEFAULT_STATES, seconds: None }
    }
}

/// Returns whether to stop early. Polled about every millisecond.
#[derive(Clone)]
pub struct Interrupt(Arc<dyn Fn() -> bool + Send + Sync>);

impl Interrupt {
    pub fn new(asked: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Interrupt(Arc::new(asked))
    }

    pub fn is_set(&self) -> bool {
        (self.0)()
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Interrupt").field(&self.is_set()).finish()
    }
}

/// The remaining budget of one call.
#[derive(Debug, Clone)]
pub struct Budget {
    pub states: u64,
    begun: Instant,
    deadline: Option<Instant>,
    interrupt: Option<Interrupt>,
    /// Work since the clock was last read.
    work: Cell<usize>,
    /// Whether the deadline has passed; never reset.
    late: Cell<bool>,
}

/// Elementary steps between readings of the clock: well under a millisecond of work.
const WORK: usize = 1 << 15;

impl Budget {
    pub fn new(limit: Limit, interrupt: Option<Interrupt>) -> Self {
        let begun = Instant::now();
        let deadline = limit
            .seconds
            .and_then(|s| begun.checked_add(Duration::try_from_secs_f64(s.max(0.0)).ok()?));
        Budget {
            states: limit.states,
            begun,
            deadline,
            interrupt,
            work: Cell::new(0),
            late: Cell::new(false),
        }
    }

    /// Never runs out.
    pub fn unlimited() -> Self {
        Self::new(Limit { states: u64::MAX, seconds: None }, None)
    }

    /// The same budget with this fraction of the time.
    pub fn part(&self, part: f64) -> Self {
        let deadline = self.deadline.map(|end| self.begun + (end - self.begun).mul_f64(part));
        Budget { deadline, work: Cell::new(0), late: Cell::new(false), ..self.clone() }
    }

    /// The same budget with a deadline no later than this.
    pub fn until(mut self, end: Option<Instant>) -> Self {
        self.deadline = self.deadline.into_iter().chain(end).min();
        self
    }

    /// Moves the deadline forward by this much, to leave time for later work that does not check
    /// the clock.
    pub fn reserve(&mut self, time: Duration) {
        self.deadline = self.deadline.map(|end| end.checked_sub(time).unwrap_or(self.begun));
    }

    /// The time since creation.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// The same time limit with a different number of states.
    pub fn with_states(&self, states: u64) -> Self {
        Budget { states, ..self.clone() }
    }

    /// Whether a stop was requested.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(Interrupt::is_set)
    }

    /// Whether the time is up or a stop was requested.
    pub fn is_late(&self) -> bool {
        if !self.late.get() {
            let up = self.deadline.is_some_and(|end| Instant::now() >= end);
            self.late.set(up || self.is_interrupted());
        }
        self.late.get()
    }

    /// Counts elementary steps of work, occasionally reads the clock, and returns whether time is
    /// up.
    #[inline]
    pub fn is_late_after(&self, work: usize) -> bool {
        let done = self.work.get() + work;
        if done < WORK {
            self.work.set(done);
            return self.late.get();
        }
        self.work.set(0);
        self.is_late()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn without_a_time_limit_it_is_never_late() {
        assert!(!Budget::unlimited().is_late());
        let endless = Limit { seconds: Some(f64::INFINITY), ..Limit::default() };
        assert!(!Budget::new(endless, None).is_late());
    }

    #[test]
    fn no_time_is_late_at_once_and_so_is_every_part_of_it() {
        let none = Budget::new(Limit { seconds: Some(0.0), ..Limit::default() }, None);
        assert!(none.is_late() && none.part(0.5).is_late());
        let negative = Limit { seconds: Some(-1.0), ..Limit::default() };
        assert!(Budget::new(negative, None).is_late());
    }

    #[test]
    fn reserved_time_is_not_spent() {
        let limit = Limit { seconds: Some(1000.0), ..Limit::default() };
        let mut budget = Budget::new(limit, None);
        budget.reserve(Duration::from_secs(900));
        assert!(!budget.is_late());
        budget.reserve(Duration::from_secs(900));
        assert!(budget.is_late());
    }

    #[test]
    fn the_clock_is_read_once_there_was_enough_work() {
        let none = Budget::new(Limit { seconds: Some(0.0), ..Limit::default() }, None);
        assert!(!none.is_late_after(WORK - 1));
        assert!(none.is_late_after(1));
        assert!(none.is_late_after(0), "once late, always late");
    }

    #[test]
    fn an_interrupt_ends_every_part() {
        let flag = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&flag);
        let stop = Interrupt::new(move || seen.load(Ordering::Relaxed));
        let budget = Budget::new(Limit::default(), Some(stop));
        let part = budget.part(0.5);
        assert!(!budget.is_late() && !part.is_late());
        flag.store(true, Ordering::Relaxed);
        assert!(budget.is_late() && part.is_interrupted());
    }
}
