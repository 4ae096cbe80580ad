//! How much memory a piece of work holds at once, counted by the allocator.
#![expect(unsafe_code, reason = "an allocator is unsafe by its trait; this one counts and hands on")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// What this thread holds now and the most it held, since it began to be watched. Memory that another thread gives
    /// back leaves a count too high or too low, so a watch counts from where it begins.
    static HELD: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

/// The system's allocator, counting by thread. A program that fuzzes makes it its own.
pub struct Counting;

impl Counting {
    fn count(by: isize) {
        // A thread that ends has no count any more, and nobody asks for it.
        let _ = HELD.try_with(|held| {
            let (now, most) = held.get();
            let now = now.wrapping_add(by);
            held.set((now, most.max(now)));
        });
    }
}

fn signed(bytes: usize) -> isize {
    isize::try_from(bytes).unwrap_or(isize::MAX)
}

// SAFETY: every call is handed on to the system's allocator as it came; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Counting::count(signed(layout.size()));
        // SAFETY: the caller's promise, handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        Counting::count(signed(layout.size()).wrapping_neg());
        // SAFETY: the caller's promise, handed on.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Counting::count(signed(layout.size()));
        // SAFETY: the caller's promise, handed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Counting::count(signed(size).wrapping_sub(signed(layout.size())));
        // SAFETY: the caller's promise, handed on.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// A watch over this thread's memory.
pub(super) struct Watch(isize);

/// Begins to watch.
pub(super) fn watch() -> Watch {
    HELD.with(|held| {
        let (now, _) = held.get();
        held.set((now, now));
        Watch(now)
    })
}

impl Watch {
    /// The most that was held at once since the beginning.
    pub(super) fn most(&self) -> usize {
        let (_, most) = HELD.get();
        usize::try_from(most.wrapping_sub(self.0)).unwrap_or(0)
    }
}
