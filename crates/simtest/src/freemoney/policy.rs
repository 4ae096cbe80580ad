//! What Players try.

use clap::ValueEnum;
use lab::lookup::WithoutWager;
use money::Money;
use round::{Asker, Command, Decision, LegalQuery, Stage};
use rulebook::{Means, PlayingArea, Position};

use super::play::{ANTE_CENTS, BONUS_CENTS, JACKPOT_CENTS, Playing};

/// What a Player does at a table. Whatever is refused, they play on as well as they can, so that nothing a trick gains
/// is lost by bad play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Policy {
    /// Decides as the lab advises
    Perfect,
    /// Decides at random, or not at all
    Random,
    /// Decides at random in one round of four, else perfectly
    MostlyPerfect,
    /// Decides at random in three rounds of four, else perfectly
    HardlyPerfect,
    /// Never views a hand and always wagers
    Blind,
    /// Never decides
    AlwaysSilent,
    /// Wagers on hands that win on average, and is silent on all others
    SilentOnLosingHands,
    /// Decides perfectly, and is silent instead of folding or checking
    SilentInsteadOfFolding,
    /// Decides perfectly, but is silent against a high card of the Dealer, or with one of two hands where none is seen
    SilentAgainstTheDealer,
    /// Gives the position up on losing hands, and takes it again
    Leaves,
    /// Takes wagers off on losing hands
    TakesBack,
    /// Adds wagers on winning hands after the cards are seen
    AddsLate,
    /// Shares the Ante with an accomplice, who tries to take the share out of losing hands
    Shares,
    /// Plays three positions and views one hand
    PlaysThree,
    /// Decides on two devices at once, and again when more cards are seen
    TwoDevices,
    /// Withdraws losing hands after a power failure, and asks to at any other time
    WithdrawsAfterFailures,
    /// Declines comparison of losing hands
    Declines,
    /// Gives every command that is taken from a Player with a losing hand
    TriesEverything,
    /// Keeps salts for the shuffle, and withholds them in one round of two; on a whole floor
    WithholdsSalts,
}

impl Policy {
    /// Every policy.
    pub const ALL: &[Policy] = &[
        Policy::Perfect,
        Policy::Random,
        Policy::MostlyPerfect,
        Policy::HardlyPerfect,
        Policy::Blind,
        Policy::AlwaysSilent,
        Policy::SilentOnLosingHands,
        Policy::SilentInsteadOfFolding,
        Policy::SilentAgainstTheDealer,
        Policy::Leaves,
        Policy::TakesBack,
        Policy::AddsLate,
        Policy::Shares,
        Policy::PlaysThree,
        Policy::TwoDevices,
        Policy::WithdrawsAfterFailures,
        Policy::Declines,
        Policy::TriesEverything,
        Policy::WithholdsSalts,
    ];

    /// The name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The positions that the Player takes.
    pub(super) const fn positions(self) -> &'static [Position] {
        match self {
            Policy::PlaysThree => &[Position(1), Position(2), Position(3)],
            _ => &[Position(1)],
        }
    }

    pub(super) const fn views(self) -> bool {
        !matches!(self, Policy::Blind | Policy::AlwaysSilent)
    }

    /// Does what the policy does when a stage begins.
    pub(super) fn act(self, playing: &mut Playing<'_>, stage: Stage) {
        if self == Policy::AddsLate {
            playing.add_late();
        }
        match stage {
            Stage::Deciding(area) => {
                for position in self.positions() {
                    self.decide(playing, *position, area);
                }
            }
            Stage::Showing if self == Policy::Declines => playing.decline_if_bad(),
            Stage::Showing | Stage::Settling => self.try_tricks(playing),
            Stage::BeforeBets
            | Stage::BetsOpen
            | Stage::Dealing
            | Stage::Exposing(_)
            | Stage::Concluded
            | Stage::Void
            | Stage::Closed => {}
        }
    }

    fn decide(self, playing: &mut Playing<'_>, position: Position, area: PlayingArea) {
        if self == Policy::AlwaysSilent {
            return;
        }
        if self.views() && position == Position(1) {
            playing.own(Command::ViewHand { position });
        }
        self.try_tricks(playing);
        let best = playing.best(position, area, WithoutWager::Lost);
        match self {
            Policy::Random => playing.decide_at_random(position),
            Policy::MostlyPerfect if playing.dice.one_in(4) => playing.decide_at_random(position),
            Policy::HardlyPerfect if !playing.dice.one_in(4) => playing.decide_at_random(position),
            Policy::SilentOnLosingHands => {
                let decision = playing.best(position, area, WithoutWager::Returned);
                playing.wager_or_silence(position, decision);
            }
            Policy::SilentInsteadOfFolding => playing.wager_or_silence(position, best),
            Policy::SilentAgainstTheDealer if playing.dealer_looks_strong() => {}
            Policy::TwoDevices => {
                // A fold after the first wager, now that more cards are seen.
                if area != playing.game.book.first_area() {
                    playing.decide(position, Decision::Fold);
                }
                playing.decide(position, best);
                for other in [Decision::Fold, Decision::Check, Decision::Wager] {
                    playing.decide(position, other);
                }
            }
            _ => playing.decide(position, best),
        }
    }

    /// Tries what this policy hopes for, if the hand is bad.
    fn try_tricks(self, playing: &mut Playing<'_>) {
        let position = Position(1);
        if !playing.is_bad(position) {
            return;
        }
        let player = playing.people.player.clone();
        match self {
            Policy::Leaves => {
                playing.own(Command::LeavePosition { position });
                playing.own(Command::TakePosition { position, player });
            }
            Policy::TakesBack => {
                for area in playing.game.book.areas() {
                    playing.own(Command::TakeBackWager { position, area: *area, owner: player.clone() });
                }
            }
            Policy::Shares => playing.take_the_share_out(),
            Policy::WithdrawsAfterFailures => playing.own(Command::Withdraw { player }),
            Policy::TriesEverything => playing.try_everything(),
            _ => {}
        }
    }
}

impl Playing<'_> {
    /// Gives a command as the Player; it may be refused.
    fn own(&mut self, command: Command) {
        let player = self.people.player.clone();
        self.venue.give(&player, command);
    }

    fn decide(&mut self, position: Position, decision: Decision) {
        self.own(Command::Decide { position, decision });
    }

    fn best(&self, position: Position, area: PlayingArea, without: WithoutWager) -> Decision {
        let is_first = area == self.game.book.first_area();
        match (self.wagers(position, without), is_first) {
            (true, _) => Decision::Wager,
            (false, true) => Decision::Fold,
            (false, false) => Decision::Check,
        }
    }

    fn wager_or_silence(&mut self, position: Position, decision: Decision) {
        if decision == Decision::Wager {
            self.decide(position, decision);
        }
    }

    fn decide_at_random(&mut self, position: Position) {
        let decision = self.dice.pick(&[
            None,
            Some(Decision::Fold),
            Some(Decision::Check),
            Some(Decision::Wager),
            Some(Decision::Wager),
        ]);
        if let Some(decision) = decision {
            self.decide(position, decision);
        }
    }

    fn dealer_looks_strong(&mut self) -> bool {
        let up = self.venue.round().exposed_dealer().last().copied();
        up.map_or_else(|| self.dice.one_in(2), |up| cards::Rank::Queen <= up.rank())
    }

    fn add_late(&mut self) {
        let position = Position(1);
        if self.seen(position).is_none() || self.is_bad(position) {
            return;
        }
        let chips = [
            (PlayingArea::Ante, ANTE_CENTS),
            (PlayingArea::Bonus, BONUS_CENTS),
            (PlayingArea::Jackpot, JACKPOT_CENTS),
        ];
        for (area, cents) in chips {
            let (owner, amount, means) =
                (self.people.player.clone(), Money::from_cents(cents), Means::Credits);
            self.own(Command::PlaceWager { position, area, owner, amount, means });
        }
    }

    fn take_the_share_out(&mut self) {
        let (position, accomplice) = (Position(1), self.people.accomplice.clone());
        let (area, owner) = (PlayingArea::Ante, accomplice.clone());
        let tries = [
            Command::TakeBackWager { position, area, owner },
            Command::Withdraw { player: accomplice.clone() },
            Command::LeavePosition { position },
        ];
        for command in tries {
            self.venue.give(&accomplice, command);
        }
    }

    fn decline_if_bad(&mut self) {
        let position = Position(1);
        if self.is_bad(position) {
            self.own(Command::DeclineComparison { position });
        }
    }

    /// Gives every command that a Player's own round takes, but for decisions and the comparison.
    fn try_everything(&mut self) {
        let players = [self.people.player.clone(), self.people.accomplice.clone()];
        let by = Asker::Player(self.people.player.clone());
        let wanted = |command: &Command| {
            !matches!(
                command,
                Command::Decide { .. } | Command::ShowHand { .. } | Command::DeclineComparison { .. }
            )
        };
        let query =
            LegalQuery { by: &by, players: &players, reads_cards: false, every_card: false, wanted: &wanted };
        let legal = self.venue.round().legal(query);
        for one in legal {
            self.own(one.command);
        }
    }
}
