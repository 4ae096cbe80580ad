//! How much memory a piece of work uses at most, counted by the allocator.
#![expect(
    unsafe_code,
    reason = "the allocator trait is unsafe; this allocator only counts and calls the system's"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// What this thread has allocated now, and at most since its watch started. Memory that another thread frees makes
    /// the count too high or too low, so a watch counts from its own start.
    static ALLOCATED: Cell<(isize, isize)> = const { Cell::new((0, 0)) };

    /// All bytes this thread has ever asked for, freed or not.
    static ASKED_FOR: Cell<usize> = const { Cell::new(0) };
}

/// The system allocator, with a count for each thread. A program that fuzzes sets it as its global allocator.
pub struct Counting;

impl Counting {
    fn count(by: isize) {
        // A thread that is ending has no count any more, and needs none.
        let _ = ALLOCATED.try_with(|allocated| {
            let (now, most) = allocated.get();
            let now = now.wrapping_add(by);
            allocated.set((now, most.max(now)));
        });
        if let Ok(more) = usize::try_from(by) {
            let _ = ASKED_FOR.try_with(|bytes| bytes.set(bytes.get().wrapping_add(more)));
        }
    }

    /// How many bytes this thread asks for while `work` is done, freed or not: what is copied and kept, counted in the
    /// same way on every machine.
    pub fn asked_for(work: impl FnOnce()) -> usize {
        let before = ASKED_FOR.get();
        work();
        ASKED_FOR.get().wrapping_sub(before)
    }
}

fn signed(bytes: usize) -> isize {
    isize::try_from(bytes).unwrap_or(isize::MAX)
}

// SAFETY: every call goes unchanged to the system allocator, and counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Counting::count(signed(layout.size()));
        // SAFETY: the caller keeps the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        Counting::count(signed(layout.size()).wrapping_neg());
        // SAFETY: the caller keeps the same contract.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Counting::count(signed(layout.size()));
        // SAFETY: the caller keeps the same contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Counting::count(signed(size).wrapping_sub(signed(layout.size())));
        // SAFETY: the caller keeps the same contract.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// A watch over this thread's memory.
pub(super) struct Watch(isize);

pub(super) fn watch() -> Watch {
    ALLOCATED.with(|allocated| {
        let (now, _) = allocated.get();
        allocated.set((now, now));
        Watch(now)
    })
}

impl Watch {
    /// The most memory in use since the watch started.
    pub(super) fn most(&self) -> usize {
        let (_, most) = ALLOCATED.get();
        usize::try_from(most.wrapping_sub(self.0)).unwrap_or(0)
    }
}
