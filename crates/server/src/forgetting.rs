//! Guests who left are forgotten after a time, so that a house does not carry everybody forward who ever looked in. Their
//! rounds stay in the log.

use std::time::Duration;

use floor::node::Request;
use floor::{Command, HouseCommand};
use journal::{Account, Actor, CommandId, Hash, Moment, Reader};
use round::PlayerId;

use crate::app::App;
use crate::auth::sessions::Subject;

/// How often it is looked for guests who left.
pub(crate) const LOOKED: Duration = Duration::from_mins(10);

/// How many are forgotten at once: the next time it is looked, the next.
const AT_ONCE: usize = 500;

/// Forgets the guests who came long enough ago, have no session and play nowhere.
pub(crate) async fn forget_guests(app: App) {
    let seconds = app.config.floor.guest_forgotten_seconds;
    if seconds == 0 {
        return;
    }
    let before = Moment(Moment::now().0.saturating_sub(seconds.saturating_mul(1000)));
    for (guest, since) in who_left(&app, before) {
        if app.stopping.is_cancelled() {
            return;
        }
        // What cannot be read or written now is tried at the next turn.
        if app.sessions.has_any(&Subject::Player(guest.name().to_owned())).await.unwrap_or(true) {
            continue;
        }
        forget(&app, &guest, since).await;
    }
}

/// Those whom the house would forget. A refusal would be stored too, so nothing is sent that would be refused.
fn who_left(app: &App, before: Moment) -> Vec<(PlayerId, Moment)> {
    let floor = app.board.floor();
    let house = floor.house();
    let left =
        |guest: &PlayerId| !house.is_prohibited(guest) && !house.is_warned(guest) && !floor.is_playing(guest);
    let guests = house.guests().filter(|(guest, since)| *since < before && left(guest));
    guests.take(AT_ONCE).map(|(guest, since)| (guest.clone(), since)).collect()
}

async fn forget(app: &App, guest: &PlayerId, since: Moment) {
    let (wallet, owed) = (Account::Wallet(guest.clone()), Account::Owed(guest.clone()));
    let look = move |reader: &mut dyn Reader| Ok((reader.balance(&wallet)?, reader.balance(&owed)?));
    let Ok((holds, owed)) = app.vault.look_up(look).await else { return };
    let Some(credits) = holds.cents().filter(|_| owed.0 == 0) else { return };
    // Every node that finds the same guest gives the same command, which is done once.
    let id = Hash::of(["a guest is forgotten", guest.name(), &since.0.to_string(), &credits.to_string()]);
    let command = Command::House(HouseCommand::ForgetGuest { player: guest.clone(), credits });
    if let Err(problem) = app.ask(Request::new(CommandId::from(id), Actor::System, command)).await {
        tracing::debug!(guest = guest.name(), reason = problem.reason, "the guest is not forgotten yet");
    }
}
