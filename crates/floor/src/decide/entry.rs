//! A settled round and its link: entered once, and taken back where it turns out not to stand.

use std::collections::BTreeSet;

use jackpot::{Claim, EntryId, FixedPrize, Person, TableId, Undone, Wager};
use journal::{DeviceId, LinkEvent, LinkId, Winner};
use round::{PlayerId, Settlement};
use rulebook::{Means, PlayingArea, Position, R3_5_3, R3_14, R6_1, Rule};

use super::{Decider, Stop};
use crate::refusal::Reason;
use crate::table::Table;

impl Decider<'_> {
    /// A round was settled, or settled again; `before` are the Jackpot wagers the link counts for it so far.
    pub(super) fn settled(&mut self, id: &TableId, before: &[Position]) -> Result<(), Stop> {
        let table = self.table(id)?;
        let Some(link) = table.setup().link.clone() else {
            return Ok(());
        };
        let now = table.entered();
        let Some(earlier) = table.earlier() else {
            return if now.is_empty() { Ok(()) } else { self.enter(id, &link) };
        };
        let settlement = table.round().settlement().expect("the round is settled");
        let claims = |settlement: &Settlement| -> Vec<round::Claim> {
            let standing = settlement.claims.iter().filter(|claim| now.contains(&claim.position));
            standing.cloned().collect()
        };
        let added = now.iter().any(|position| !before.contains(position));
        if added || claims(earlier) != claims(settlement) {
            return Err(Reason::JackpotIsEntered.under(table.book().clause(R3_14)).into());
        }
        let gone: Vec<Position> = before.iter().copied().filter(|position| !now.contains(position)).collect();
        let corrected = corrected_prizes(table);
        if !gone.is_empty() {
            self.take_back(id, &link, gone)?;
        }
        corrected.map_or(Ok(()), |command| {
            let events = self.link(&link)?.link().decide(&command)?;
            self.entered(&link, events, Vec::new(), Vec::new())
        })
    }

    /// Contributions, then awards, in the transaction that settles the round.
    fn enter(&mut self, id: &TableId, link: &LinkId) -> Result<(), Stop> {
        let table = self.table(id)?;
        if !self.link(link)?.link().reaches(id) {
            return Err(Reason::EntryMustWait.under(table.book().clause(R3_5_3)).into());
        }
        let entered =
            Entered::of(table).expect("a round is entered when it is settled, under its link's terms");
        self.take_settings(link)?;
        let events =
            self.link(link)?.link().decide(&jackpot::Command::Enter { entry: entered.entry.clone() })?;
        let won = entered.winners_of(&events);
        let dealt_by = self.dealt_by(self.table(id)?);
        self.entered(link, events, won, dealt_by)
    }

    /// Writes what a link answers, and after it who won.
    pub(super) fn entered(
        &mut self,
        link: &LinkId,
        events: Vec<jackpot::Event>,
        winners: Vec<Winner>,
        dealt_by: Vec<Person>,
    ) -> Result<(), Stop> {
        for event in events {
            self.link_happened(link, LinkEvent::Jackpot(event))?;
        }
        if winners.is_empty() {
            return Ok(());
        }
        self.link_happened(link, LinkEvent::Won { winners, dealt_by })
    }

    /// Who had the cards of a round in hand: who dealt or entered them, and who made the key of a machine that did.
    fn dealt_by(&self, table: &Table) -> Vec<Person> {
        let makers = table.read_by().iter().filter_map(|device| self.house().maker_of_key(device));
        let dealt_by: BTreeSet<Person> = table.dealers().into_iter().chain(makers.cloned()).collect();
        dealt_by.into_iter().collect()
    }

    /// What was entered and no longer stands goes back, signed by two; the other hands of the round are entered anew.
    fn take_back(&mut self, id: &TableId, link: &LinkId, gone: Vec<Position>) -> Result<(), Stop> {
        let Some(by) = self.pair.clone() else {
            return Err(Reason::NeedsSecondSignature.refuse().into());
        };
        let table = self.table(id)?;
        let settlement = table.round().settlement().expect("the round is settled");
        let rule = undone_under(settlement, &gone);
        let undone = if settlement.void.is_some() { Undone::Round } else { Undone::Hands(gone) };
        let entry = EntryId { table: id.clone(), round: table.number() };
        let command = jackpot::Command::ReverseEntry { entry, undone, rule, by };
        let desk = self.link(link)?;
        let events = desk.link().decide(&command)?;
        let won = desk.winners_anew(&events);
        let dealt_by = self.dealt_by(self.table(id)?);
        self.entered(link, events, won, dealt_by)
    }
}

/// A settled round as its link enters it, and who gets its awards.
#[derive(Clone, Debug)]
pub(crate) struct Entered {
    pub(crate) entry: jackpot::Entry,
    winners: Vec<(Position, PlayerId, Means)>,
    /// Who dealt the round or entered its cards.
    pub(crate) dealt_by: Vec<Person>,
    /// The machines that entered a card of it.
    pub(crate) read_by: BTreeSet<DeviceId>,
}

impl Entered {
    /// The round of a table. `None` unless it is settled and was begun under a link's terms.
    pub(crate) fn of(table: &Table) -> Option<Entered> {
        let settlement = table.round().settlement()?;
        let wagers = settlement.jackpot_wagers().map(|(position, amount)| Wager { position, amount });
        let claims = settlement.claims.iter().map(|claim| Claim {
            position: claim.position,
            hand: claim.hand,
            percent: claim.percent,
            rule: claim.rule,
        });
        let fixed = table.round().fixed_prizes().into_iter();
        let fixed = fixed.map(|(position, hand, amount)| FixedPrize { position, hand, amount });
        let entry = jackpot::Entry {
            id: EntryId { table: table.id().clone(), round: table.number() },
            book: table.book().citation,
            terms: table.terms()?,
            wagers: wagers.collect(),
            claims: claims.collect(),
            fixed: fixed.collect(),
            shown: table.shown(),
            counted: Some(table.counted_before()),
        };
        let means = |position: Position| {
            let seat = table.round().seat(position);
            let shares = seat.map(|seat| seat.shares(PlayingArea::Jackpot, None)).unwrap_or_default();
            shares.first().map_or(Means::Credits, |share| share.means)
        };
        let winners = settlement.claims.iter();
        let winners = winners.map(|claim| (claim.position, claim.owner.clone(), means(claim.position)));
        let (winners, dealt_by) = (winners.collect(), table.dealers());
        Some(Entered { entry, winners, dealt_by, read_by: table.read_by().clone() })
    }

    /// Who gets the awards among the events of the link.
    pub(crate) fn winners_of(&self, events: &[jackpot::Event]) -> Vec<Winner> {
        let winner = |event: &jackpot::Event| {
            let jackpot::Event::AwardEntered { award, .. } = event else {
                return None;
            };
            let claim = self.winners.iter().find(|(position, ..)| *position == award.position);
            let (_, player, means) = claim.expect("an award answers a claim of the round");
            Some(Winner { award: award.number, player: player.clone(), means: *means })
        };
        events.iter().filter_map(winner).collect()
    }
}

/// What the link is told where a round was settled again and hands that stand are now paid other fixed prizes.
pub(crate) fn corrected_prizes(table: &Table) -> Option<jackpot::Command> {
    table.earlier()?;
    let settlement = table.round().settlement()?;
    let (before, fixed) = table.fixed_prizes();
    if before == fixed {
        return None;
    }
    let changed =
        before.iter().chain(&fixed).filter(|prize| !(before.contains(prize) && fixed.contains(prize)));
    let changed: Vec<Position> = changed.map(|prize| prize.position).collect();
    let entry = EntryId { table: table.id().clone(), round: table.number() };
    Some(jackpot::Command::CorrectFixed { entry, fixed, rule: undone_under(settlement, &changed) })
}

/// The rule under which Jackpot wagers went back: of the void round, or of their own lines.
pub(crate) fn undone_under(settlement: &Settlement, gone: &[Position]) -> Rule {
    let of_a_line = || {
        let mut lines = settlement.lines.iter();
        let line = lines.find(|line| line.area == PlayingArea::Jackpot && gone.contains(&line.position));
        line.map_or(R6_1, |line| line.rule)
    };
    settlement.void.unwrap_or_else(of_a_line)
}
