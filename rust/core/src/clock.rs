//! The clock that time limits read.
//!
//! WebAssembly has no clock of its own, and `std::time::Instant` panics there: the program that
//! runs the module sets one with `set_clock`.

pub use std::time::Duration;

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

#[cfg(target_family = "wasm")]
pub use given::{set_clock, Instant};

#[cfg(any(test, target_family = "wasm"))]
mod given {
    use std::ops::{Add, Sub};
    use std::sync::OnceLock;

    use super::Duration;

    static CLOCK: OnceLock<fn() -> f64> = OnceLock::new();

    /// Sets the function that returns the milliseconds since a fixed time. Only the first call has
    /// an effect; until then, no time passes.
    pub fn set_clock(now: fn() -> f64) {
        let _ = CLOCK.set(now);
    }

    /// Like `std::time::Instant`: the time since a fixed time.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        pub fn now() -> Self {
            let ms = CLOCK.get().map_or(0.0, |now| now());
            Instant(Duration::try_from_secs_f64(ms / 1000.0).unwrap_or_default())
        }

        pub fn elapsed(&self) -> Duration {
            Self::now() - *self
        }

        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            *self - earlier
        }

        pub fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Instant)
        }

        pub fn checked_sub(&self, time: Duration) -> Option<Self> {
            self.0.checked_sub(time).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Instant(self.0.saturating_add(time))
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::given::{set_clock, Instant};
    use super::Duration;

    #[test]
    fn a_given_clock_counts_milliseconds_and_never_runs_backwards() {
        let before = Instant::now();
        assert_eq!(before, Instant::now(), "no time passes without a clock");
        set_clock(|| 1500.0);
        let second = Duration::from_secs(1);
        assert_eq!(before.elapsed(), Duration::from_millis(1500));
        assert_eq!(before - (before + second), Duration::ZERO);
        assert_eq!(before.checked_sub(second), None);
        assert_eq!(before.checked_add(second), Some(before + second));
        assert_eq!((before + second).saturating_duration_since(before), second);
    }
}
