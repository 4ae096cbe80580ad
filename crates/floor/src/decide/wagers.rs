//! The wagers of one Player at a table, set by one command: the commands of the round that lead there, all or none.

use std::collections::BTreeSet;

use jackpot::TableId;
use journal::{Actor, OwnWager};
use round::{Command, PlayerId};
use rulebook::{Means, PlayingArea, Position, R3_6};

use super::{Decider, Stop};
use crate::refusal::{Reason, Refusal};
use crate::table::Table;

impl Decider<'_> {
    pub(super) fn set_wagers(
        &mut self,
        id: &TableId,
        player: &PlayerId,
        wagers: &BTreeSet<OwnWager>,
        seen: &BTreeSet<OwnWager>,
    ) -> Result<(), Stop> {
        self.house().check_player(player)?;
        let table = self.table(id)?;
        if let Actor::Player(own) = self.actor
            && own != player
        {
            return Err(round::Reason::NotYourWager.under(table.book().clause(R3_6)).into());
        }
        table.round().check_takes_wagers()?;
        if table.wagers_of(player) != *seen {
            return Err(Reason::WagersHaveChanged.refuse().into());
        }
        to_set(table, player, wagers)?.iter().try_for_each(|command| self.in_round(id, command))
    }
}

/// The commands that make a Player's wagers in credits these: all that is taken back, then all that is placed. A Bonus goes
/// with the same Player's Ante (3.5) and is placed again with it; one in chips is the staff's to move.
pub(crate) fn to_set(
    table: &Table,
    player: &PlayerId,
    wagers: &BTreeSet<OwnWager>,
) -> Result<Vec<Command>, Refusal> {
    let lie = table.wagers_of(player);
    let goes = |wager: &&OwnWager| !wagers.contains(wager);
    let antes: BTreeSet<Position> = lie
        .iter()
        .filter(goes)
        .filter(|wager| wager.area == PlayingArea::Ante)
        .map(|ante| ante.position)
        .collect();
    if antes.iter().any(|position| table.has_chips(player, *position, PlayingArea::Bonus)) {
        return Err(Reason::StaffOnly.under(table.book().clause(R3_6)));
    }
    let with_ante = |wager: &&OwnWager| wager.area == PlayingArea::Bonus && antes.contains(&wager.position);
    let back = lie.iter().filter(|wager| goes(wager) && !with_ante(wager));
    let back = back.map(|&OwnWager { position, area, .. }| Command::TakeBackWager {
        position,
        area,
        owner: player.clone(),
    });
    let new = wagers.iter().filter(|wager| !lie.contains(wager) || with_ante(wager));
    let new = new.map(|&OwnWager { position, area, amount }| Command::PlaceWager {
        position,
        area,
        owner: player.clone(),
        amount,
        means: Means::Credits,
    });
    Ok(back.chain(new).collect())
}
