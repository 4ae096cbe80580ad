//! How long a table without staff waits before its dealer goes on: Players see the floor's own clock, not one of the page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use automatic::{Act, Dealer, Pace, TimerState};
use floor::Table;
use jackpot::TableId;
use journal::Staffing;
use serde::Serialize;
use utoipa::ToSchema;

/// A timer that runs at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TimerView {
    /// How many milliseconds are left, counted from when this was sent: the reader's clock need not be right.
    pub left_ms: u64,
    /// How many it had at first.
    pub of_ms: u64,
}

/// Since when tables have stood as they stand. A cheap handle.
#[derive(Clone, Debug)]
pub struct Timers {
    dealer: Dealer,
    stood: Arc<Mutex<HashMap<TableId, (TimerState, Instant)>>>,
}

impl Timers {
    /// Of tables that go at this pace.
    pub fn new(pace: Pace) -> Timers {
        Timers { dealer: Dealer { pace }, stood: Arc::default() }
    }

    /// How many milliseconds Players have for a decision.
    pub const fn decide_ms(&self) -> u64 {
        self.dealer.pace.decide_ms_max
    }

    /// A table is as it is from now on. Where it stands as before, its timer runs on.
    pub fn update(&self, table: &Table) {
        if table.setup().staffing != Staffing::Automatic {
            return;
        }
        let standing = TimerState::of(table);
        let mut stood = self.stood();
        if stood.get(table.id()).is_none_or(|(before, _)| *before != standing) {
            stood.insert(table.id().clone(), (standing, Instant::now()));
        }
    }

    /// The timer that runs at a table; none where its state is not known here yet, or where it waits for its Players.
    pub fn of(&self, table: &Table) -> Option<TimerView> {
        let Act::At(wait) = self.dealer.next(table, Duration::ZERO)? else {
            return None;
        };
        let (standing, since) = self.stood().get(table.id()).copied()?;
        if standing != TimerState::of(table) {
            return None;
        }
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Some(TimerView { left_ms: millis(wait.saturating_sub(since.elapsed())), of_ms: millis(wait) })
    }

    fn stood(&self) -> MutexGuard<'_, HashMap<TableId, (TimerState, Instant)>> {
        self.stood.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
