//! Screens that show a meter say what they show. One that shows another amount for longer than is allowed is a fault of
//! its link.
//!
//! Only screens that can be trusted are believed: whose page has the key of the house's signs, or is signed in by the
//! staff. Anybody else could report faults that are none.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use floor::node::{Board, Request};
use floor::view::Viewer;
use floor::{Command, DeskCommand};
use jackpot::{FaultKind, TableId};
use journal::{Actor, Hash, LinkId};
use money::Money;

use crate::app::App;
use crate::departures::random_id;

/// How often it is noted what the meters show.
pub(crate) const NOTED_EVERY: Duration = Duration::from_secs(1);

/// For how long that is remembered.
const REMEMBERED: Duration = Duration::from_mins(10);

/// The amounts of each meter, and from when on it showed them.
type Recent = HashMap<LinkId, VecDeque<(Instant, Money)>>;

/// What each meter showed lately.
#[derive(Clone, Debug, Default)]
pub struct Displays(Arc<Mutex<Recent>>);

impl Displays {
    /// Notes what every meter shows now.
    pub(crate) fn note(&self, board: &Board) {
        let now = Instant::now();
        let mut recent = self.recent();
        for (link, desk) in board.links() {
            let shown = recent.entry(link).or_default();
            let displayed = desk.link().displayed();
            if shown.back().is_none_or(|(_, last)| *last != displayed) {
                shown.push_back((now, displayed));
            }
            while shown.get(1).is_some_and(|(since, _)| REMEMBERED < now.duration_since(*since)) {
                shown.pop_front();
            }
        }
    }

    /// Whether an amount lies between what the meter showed within this time and what it shows now. A screen that rolls its
    /// digits shows amounts in between.
    fn fits(&self, link: &LinkId, amount: Money, present: Money, within: Duration) -> bool {
        let (now, recent) = (Instant::now(), self.recent());
        let shown: Vec<(Instant, Money)> = recent.get(link).into_iter().flatten().copied().collect();
        // An amount was shown until the next one was.
        let until = shown.iter().skip(1).map(|(since, _)| *since).chain([now]);
        let lately = shown.iter().zip(until).filter(|(_, until)| now.duration_since(*until) <= within);
        let (least, most) = lately
            .map(|((_, amount), _)| *amount)
            .fold((present, present), |(least, most), amount| (least.min(amount), most.max(amount)));
        least <= amount && amount <= most
    }

    fn recent(&self) -> MutexGuard<'_, Recent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one screen shows that differs, by the stream it follows, and since when.
#[derive(Debug, Default)]
pub(crate) struct Differing(HashMap<String, Instant>);

/// A meter on a screen: of a link, at a table or on a sign.
#[derive(Clone, Debug)]
pub(crate) struct Screen {
    pub(crate) link: LinkId,
    pub(crate) table: Option<TableId>,
}

/// Whether a screen is believed.
pub(crate) fn is_trusted(app: &App, viewer: &Viewer, key: Option<&str>) -> bool {
    let digest = |key: &str| Hash::of(["key of a sign", key]);
    let has_key = match (&app.config.floor.sign_key, key) {
        (Some(known), Some(given)) => digest(known) == digest(given),
        (Some(_) | None, _) => false,
    };
    has_key || matches!(viewer, Viewer::Staff(..) | Viewer::Department(..))
}

/// A screen says what it shows.
pub(crate) async fn shown(
    app: &App,
    differing: &mut Differing,
    stream: &str,
    screen: Screen,
    displayed: Money,
) {
    let within = Duration::from_secs(app.config.floor.display_seconds);
    let Some(desk) = app.board.link(&screen.link).filter(|_| !within.is_zero()) else { return };
    let present = desk.link().displayed();
    if app.displays.fits(&screen.link, displayed, present, within) {
        differing.0.remove(stream);
        return;
    }
    let since = *differing.0.entry(stream.to_owned()).or_insert_with(Instant::now);
    if since.elapsed() < within {
        return;
    }
    let (kind, table) = (FaultKind::DisplayDiffers, screen.table);
    let known = desk.link().faults().iter().any(|fault| fault.kind == kind && fault.table == table);
    if known {
        return;
    }
    let seen = format!(
        "A screen has shown {displayed} for more than {} s; the meter shows {present}.",
        within.as_secs()
    );
    let command = DeskCommand::ReportFault { kind, table, seen, counted: None };
    let command = Command::Desk { link: screen.link.clone(), command };
    if let Err(problem) = app.ask(Request::new(random_id(), Actor::System, command)).await {
        tracing::warn!(link = %screen.link, reason = problem.reason, "a wrong display could not be reported");
    }
}
