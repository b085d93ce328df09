//! Processor time.

use std::sync::OnceLock;
use std::time::Instant;

/// The processor time that this thread has used, in seconds; wall time on systems other than Linux.
pub fn processor_seconds() -> f64 {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    let used = std::fs::read_to_string("/proc/thread-self/schedstat").ok().and_then(|line| {
        let nanoseconds: f64 = line.split(' ').next()?.parse().ok()?;
        Some(nanoseconds / 1e9)
    });
    used.unwrap_or_else(|| BEGUN.get_or_init(Instant::now).elapsed().as_secs_f64())
}
