//! What the module needs from its host: a clock, whether to stop, and a note when memory runs out.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use sapper_core::budget::Interrupt;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "./shared.js")]
extern "C" {
    /// Milliseconds since a fixed time.
    fn now() -> f64;
    /// Whether the running call was cancelled.
    fn cancelled() -> bool;
    /// Called when memory runs out, which ends the instance.
    fn exhausted();
}

#[wasm_bindgen(start)]
fn start() {
    #[cfg(target_family = "wasm")]
    sapper_core::clock::set_clock(now);
}

/// Polled by long calls.
pub fn interrupt() -> Interrupt {
    Interrupt::new(cancelled)
}

/// The bytes in use.
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// The bytes in use, for tests: the memory itself never shrinks.
#[wasm_bindgen(js_name = liveBytes)]
pub fn live_bytes() -> usize {
    LIVE.load(Relaxed)
}

/// Counts the bytes in use, and tells the host that memory ran out: the trap that follows is the
/// same as that of a panic.
struct Reporting;

#[global_allocator]
static ALLOCATOR: Reporting = Reporting;

// SAFETY: all calls are passed on.
unsafe impl GlobalAlloc for Reporting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        reported(System.alloc(layout), layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        reported(System.alloc_zeroed(layout), layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LIVE.fetch_sub(layout.size(), Relaxed);
        reported(System.realloc(old, layout, size), size)
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        System.dealloc(old, layout);
    }
}

fn reported(found: *mut u8, size: usize) -> *mut u8 {
    LIVE.fetch_add(size, Relaxed);
    if found.is_null() {
        exhausted();
    }
    found
}
