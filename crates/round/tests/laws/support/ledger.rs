//! A second set of books: what was staked and what became of it, kept from the events alone.

use std::collections::{BTreeMap, BTreeSet};

use money::Money;
use round::{Decision, Effect, Event, PlayerId, RuledOutcome};
use rulebook::{PlayingArea, Position, R5_12_2, Rule};

/// One Player's wager on one area.
pub(crate) type Wager = (Position, PlayingArea, PlayerId);

/// The events of a round, added up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    /// Every wager on the table.
    pub(crate) wagers: BTreeMap<Wager, Money>,
    /// Hands out of the round, and the rule that came first.
    pub(crate) hands_out: BTreeMap<Position, Rule>,
    /// Players' parts out of the round.
    pub(crate) shares_out: BTreeMap<(Position, PlayerId), Rule>,
    /// Jackpot wagers without an Ante.
    pub(crate) lone: BTreeSet<Position>,
    /// Bonus wagers that an absent Player lost.
    pub(crate) forfeited: BTreeSet<Position>,
    /// Wagers ended by a ruling.
    pub(crate) ruled: BTreeMap<(Position, PlayingArea), RuledOutcome>,
    /// The rule under which the round is void.
    pub(crate) void: Option<Rule>,
    /// What each Player has put down and not taken back.
    pub(crate) staked: BTreeMap<PlayerId, i128>,
    closed: bool,
}

impl Ledger {
    pub(crate) fn of(events: &[Event]) -> Ledger {
        let mut ledger = Ledger::default();
        for event in events {
            ledger.enter(event);
        }
        ledger
    }

    fn enter(&mut self, event: &Event) {
        match event {
            Event::WagerPlaced { position, area, owner, amount, .. } => {
                assert!(!self.closed, "no wager is placed after the close (5.5)");
                self.stake((*position, *area, owner.clone()), *amount);
            }
            Event::BetsClosed => self.closed = true,
            Event::WagerTakenBack { position, area, owner, .. } => {
                assert!(!self.closed, "no wager is taken back after the close (5.6)");
                let taken = self.wagers.remove(&(*position, *area, owner.clone()));
                let taken = taken.expect("only a wager that lies there is taken back");
                *self.staked.entry(owner.clone()).or_default() -= cents(taken);
            }
            Event::Decided { position, area, decision: Decision::Wager, .. } => self.follow(*position, *area),
            Event::DecisionCorrected { position, area, before, decision, .. } => {
                if *before == Decision::Wager {
                    self.unfollow(*position, *area);
                }
                if *decision == Decision::Wager {
                    self.follow(*position, *area);
                }
            }
            Event::WagerCorrected { position, area, owner, before, amount, .. } => {
                let lay = self.wagers.insert((*position, *area, owner.clone()), *amount);
                assert_eq!(lay, Some(*before), "only a wager that lies there is corrected");
                *self.staked.entry(owner.clone()).or_default() += cents(*amount) - cents(*before);
            }
            Event::JackpotWagerInvalid { position, .. } => {
                self.lone.insert(*position);
            }
            Event::HandOut { position, rule } => {
                self.hands_out.entry(*position).or_insert(*rule);
            }
            Event::BonusForfeited { position, .. } => {
                self.forfeited.insert(*position);
            }
            Event::ShareOut { position, owner, rule } => self.share_out(*position, owner, *rule),
            Event::RulingMade { ruling, .. } => {
                for effect in &ruling.effects {
                    if let Effect::Wager { position, area, outcome } = effect {
                        self.ruled.insert((*position, *area), *outcome);
                    }
                }
            }
            Event::RoundVoided { rule } => self.void = Some(*rule),
            _ => {}
        }
    }

    fn stake(&mut self, wager: Wager, amount: Money) {
        *self.staked.entry(wager.2.clone()).or_default() += cents(amount);
        let earlier = self.wagers.insert(wager, amount);
        assert_eq!(earlier, None, "one wager an area and Player");
    }

    /// Each participant who is still in puts down their own: twice the Ante to stay in, once for Turn and River.
    fn follow(&mut self, position: Position, area: PlayingArea) {
        let times = match area {
            PlayingArea::Flop | PlayingArea::Bet => 2,
            PlayingArea::Turn | PlayingArea::River => 1,
            PlayingArea::Ante | PlayingArea::Bonus | PlayingArea::Jackpot => panic!("{area} follows nothing"),
        };
        for (owner, amount) in self.shares(position, PlayingArea::Ante) {
            if !self.shares_out.contains_key(&(position, owner.clone())) {
                self.stake((position, area, owner), amount.times(times).expect("wagers are bounded"));
            }
        }
    }

    /// What follows the Ante on an area goes back.
    fn unfollow(&mut self, position: Position, area: PlayingArea) {
        for (owner, amount) in self.shares(position, area) {
            self.wagers.remove(&(position, area, owner.clone()));
            *self.staked.entry(owner).or_default() -= cents(amount);
        }
    }

    /// A hand nobody has a part in any more is out.
    fn share_out(&mut self, position: Position, owner: &PlayerId, rule: Rule) {
        self.shares_out.entry((position, owner.clone())).or_insert(rule);
        let antes = self.shares(position, PlayingArea::Ante);
        if antes.iter().all(|(owner, _)| self.shares_out.contains_key(&(position, owner.clone()))) {
            self.hands_out.entry(position).or_insert(rule);
        }
    }

    /// What lies on an area, by Player.
    pub(crate) fn shares(&self, position: Position, area: PlayingArea) -> Vec<(PlayerId, Money)> {
        let on = |((at, on, owner), amount): (&Wager, &Money)| {
            (*at == position && *on == area).then(|| (owner.clone(), *amount))
        };
        self.wagers.iter().filter_map(on).collect()
    }

    /// Every rule under which a wager goes back by now, the round's and the hand's before the Player's own.
    pub(crate) fn returned_under(&self, wager: &Wager) -> Vec<Rule> {
        let (position, area, owner) = wager;
        let hand = self.hands_out.get(position).filter(|_| !self.is_forfeited(wager));
        let share =
            self.shares_out.get(&(*position, owner.clone())).filter(|_| *area != PlayingArea::Jackpot);
        let lone = (*area == PlayingArea::Jackpot && self.lone.contains(position)).then_some(R5_12_2);
        [self.void, hand.copied(), share.copied(), lone].into_iter().flatten().collect()
    }

    /// Whether a wager is a Bonus that an absent Player lost.
    pub(crate) fn is_forfeited(&self, (position, area, _): &Wager) -> bool {
        *area == PlayingArea::Bonus && self.forfeited.contains(position)
    }

    /// The Players with a wager that has neither gone back nor been forfeited.
    pub(crate) fn standing_players(&self) -> BTreeSet<PlayerId> {
        let standing = |wager: &&Wager| self.returned_under(wager).is_empty() && !self.is_forfeited(wager);
        self.wagers.keys().filter(standing).map(|(_, _, owner)| owner.clone()).collect()
    }
}

pub(crate) fn cents(amount: Money) -> i128 {
    i128::from(amount.cents())
}
