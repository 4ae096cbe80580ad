//! A settled round and its link: entered once, and taken back where it did not stand after all.

use jackpot::{Claim, EntryId, TableId, Undone, Wager};
use journal::{LinkEvent, LinkId, Winner};
use round::Settlement;
use rulebook::{Means, PlayingArea, Position, R3_5_3, R3_14, R6_1, Rule};

use super::{Decider, Stop};
use crate::refusal::Reason;

impl Decider<'_> {
    /// A round was settled, or settled anew; `before` are the Jackpot wagers the link counts for it so far.
    pub(super) fn settled(&mut self, id: &TableId, before: &[Position]) -> Result<(), Stop> {
        let table = self.table(id)?;
        let Some(link) = table.setup().link.clone() else {
            return Ok(());
        };
        let now = table.entered();
        let Some(earlier) = table.earlier() else {
            return if now.is_empty() { Ok(()) } else { self.enter(id, &link) };
        };
        let settlement = table.round().settlement().expect("a round is settled anew");
        let claims = |settlement: &Settlement| -> Vec<round::Claim> {
            let standing = settlement.claims.iter().filter(|claim| now.contains(&claim.position));
            standing.cloned().collect()
        };
        let added = now.iter().any(|position| !before.contains(position));
        if added || claims(earlier) != claims(settlement) {
            return Err(Reason::JackpotIsEntered.under(table.book().clause(R3_14)).into());
        }
        let gone: Vec<Position> = before.iter().copied().filter(|position| !now.contains(position)).collect();
        if gone.is_empty() { Ok(()) } else { self.take_back(id, &link, gone) }
    }

    /// Contributions, then awards, in the transaction that settles the round.
    fn enter(&mut self, id: &TableId, link: &LinkId) -> Result<(), Stop> {
        let table = self.table(id)?;
        if !self.link(link)?.link().reaches(id) {
            return Err(Reason::EntryMustWait.under(table.book().clause(R3_5_3)).into());
        }
        let settlement = table.round().settlement().expect("a round is entered when it is settled");
        let wagers = settlement.jackpot_wagers().map(|(position, amount)| Wager { position, amount });
        let claim = |claim: &round::Claim| Claim {
            position: claim.position,
            hand: claim.hand,
            percent: claim.percent,
            rule: claim.rule,
        };
        let entry = jackpot::Entry {
            id: EntryId { table: id.clone(), round: table.number() },
            book: table.book().citation,
            terms: table.terms().expect("a round with Jackpot wagers was begun under a link's terms"),
            wagers: wagers.collect(),
            claims: settlement.claims.iter().map(claim).collect(),
        };
        let claims: Vec<_> =
            settlement.claims.iter().map(|claim| (claim.position, claim.owner.clone())).collect();
        let means = |position: Position| {
            let seat = table.round().seat(position).expect("claims are of positions of the layout");
            let shares = seat.shares(PlayingArea::Jackpot, None);
            shares.first().map_or(Means::Credits, |share| share.means)
        };
        let winners: Vec<_> =
            claims.into_iter().map(|(position, player)| (position, player, means(position))).collect();
        let events = self.link(link)?.link().decide(&jackpot::Command::Enter { entry })?;
        let mut won = Vec::new();
        for event in events {
            if let jackpot::Event::AwardEntered { award, .. } = &event {
                let winner = winners.iter().find(|(position, ..)| *position == award.position);
                let (_, player, means) = winner.expect("an award answers a claim of the round");
                won.push(Winner { award: award.number, player: player.clone(), means: *means });
            }
            self.link_happened(link, LinkEvent::Jackpot(event))?;
        }
        if won.is_empty() { Ok(()) } else { self.link_happened(link, LinkEvent::Won { winners: won }) }
    }

    /// What was entered and no longer stands goes back, signed by two.
    fn take_back(&mut self, id: &TableId, link: &LinkId, gone: Vec<Position>) -> Result<(), Stop> {
        let Some(by) = self.pair.clone() else {
            return Err(Reason::NeedsSecondSignature.refuse().into());
        };
        let table = self.table(id)?;
        let settlement = table.round().settlement().expect("a round is settled anew");
        let rule = undone_under(settlement, &gone);
        let undone = if settlement.void.is_some() { Undone::Round } else { Undone::Hands(gone) };
        let entry = EntryId { table: id.clone(), round: table.number() };
        let command = jackpot::Command::ReverseEntry { entry, undone, rule, by };
        let events = self.link(link)?.link().decide(&command)?;
        events.into_iter().try_for_each(|event| self.link_happened(link, LinkEvent::Jackpot(event)))
    }
}

/// The rule under which Jackpot wagers went back: of the void round, or of their own lines.
fn undone_under(settlement: &Settlement, gone: &[Position]) -> Rule {
    let of_a_line = || {
        let mut lines = settlement.lines.iter();
        let line = lines.find(|line| line.area == PlayingArea::Jackpot && gone.contains(&line.position));
        line.map_or(R6_1, |line| line.rule)
    };
    settlement.void.unwrap_or_else(of_a_line)
}
