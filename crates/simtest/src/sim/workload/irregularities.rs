//! Irregularities at a table, usually handled as the guide says.

use floor::{Floor, Table};
use money::Odds;
use round::{CardFault, Command, Effect, FoundPile, Irregularity, PlayerId, RuledOutcome, Ruling, guide};
use rulebook::{PlayingArea, Position};

use super::Workload;

impl Workload {
    /// An irregularity, handled by the guide or by a random command.
    pub(super) fn irregularity_at(&mut self, floor: &Floor, table: &Table) -> Command {
        if self.dice.one_in(4) {
            return self.random_command(floor, table);
        }
        let irregularity = self.irregularity(table);
        match guide(table.round(), &irregularity) {
            Ok(choices) if !choices.is_empty() => self.dice.pick(&choices).command,
            _ => self.random_command(floor, table),
        }
    }

    fn irregularity(&mut self, table: &Table) -> Irregularity {
        let (position, player) = (self.position(table), self.wagering(table));
        let area = self.dice.pick(&[PlayingArea::Ante, PlayingArea::Bonus, PlayingArea::Jackpot]);
        match self.dice.below(18) {
            0 => Irregularity::BadCards { fault: self.fault() },
            1 => Irregularity::CardsCounted { counted: self.dice.pick(&[51, 52, 52, 53]) },
            2 => Irregularity::Misdeal { piles: misdealt(table), also: Vec::new() },
            3 => Irregularity::TableCount {},
            4 => Irregularity::ExposedCards { cards: self.dice.pick(&[1, 1, 2]) },
            5 | 6 => Irregularity::HandCount { position },
            7 => Irregularity::NotConfidential { player },
            8 | 9 => Irregularity::SeveralHands { player },
            10 => Irregularity::Absent { position },
            11 => Irregularity::LateWager { position, area, player },
            12 => Irregularity::WagerTakenOff { position, area, player },
            13 => Irregularity::LoneJackpotWager { position },
            14 => Irregularity::Declined { position },
            15 => Irregularity::TooManyPositions { player },
            // In stud this takes long to evaluate, so it is sent rarely.
            16 if self.dice.one_in(if table.book().community_cards() == 0 { 30 } else { 2 }) => {
                Irregularity::PowerFailure {}
            }
            _ => Irregularity::Uncovered { words: "an unforeseen event".to_owned() },
        }
    }

    fn fault(&mut self) -> CardFault {
        self.dice.pick(&[CardFault::Extra, CardFault::Missing, CardFault::Foreign, CardFault::Unshuffled])
    }

    /// A random command, whether or not there is a reason for it.
    fn random_command(&mut self, floor: &Floor, table: &Table) -> Command {
        let (position, player) = (self.position(table), self.wagering(table));
        let prohibited: Vec<PlayerId> = floor.house().prohibited().cloned().collect();
        match self.dice.below(19) {
            0 => Command::CountCards { counted: self.dice.pick(&[51, 52, 52]) },
            1 => Command::ReportHandCount { position, reconstructed: self.dice.one_in(3) },
            2 => Command::PermitWithdrawals {},
            3 | 4 => Command::Withdraw { player },
            5 => Command::ResumePlay {},
            16 => Command::ReportNoAnswer { player },
            17 => Command::ReportHandled { position },
            18 => Command::ViewHand { position },
            6 => Command::RestrictPlayer { player },
            7 => Command::LiftRestriction { player },
            8 if self.dice.one_in(3) => {
                Command::ProhibitPlayer { player, reason: Some("showed the hand".to_owned()) }
            }
            8 | 9 => Command::ReadmitPlayer { player: self.dice.any(&prohibited).unwrap_or(player) },
            10 => Command::InvalidateHands { positions: vec![last_of_several(table, position)] },
            11 if self.dice.one_in(3) => {
                Command::StopAction { player, reason: Some("showed the hand".to_owned()) }
            }
            12 => Command::ReportExposedCards { cards: 1 },
            13 => Command::BeginNextRound {},
            _ => Command::MakeRuling { ruling: self.ruling(position) },
        }
    }

    fn ruling(&mut self, position: Position) -> Ruling {
        let area = self.dice.pick(&PlayingArea::ALL);
        let outcome = self.dice.pick(&[
            RuledOutcome::Collected,
            RuledOutcome::StandOff,
            RuledOutcome::Returned,
            RuledOutcome::Paid(Odds::To(3)),
            RuledOutcome::Paid(Odds::For(10)),
        ]);
        let effect = match self.dice.below(8) {
            0 => Effect::Void,
            1 => Effect::HandOut { position },
            _ => Effect::Wager { position, area, outcome },
        };
        let effects = if self.dice.one_in(4) { Vec::new() } else { vec![effect] };
        Ruling { words: "so ruled".to_owned(), effects }
    }

    /// A command that undoes a settled round.
    pub(super) fn undoing(&mut self, table: &Table) -> Command {
        let position = self.position(table);
        match self.dice.below(6) {
            0 => Command::DeclareBadCards { fault: self.fault() },
            1 => Command::CountCards { counted: 51 },
            2 => Command::ReportTableCount { reconstructed: false },
            3 | 4 => Command::ReportHandCount { position, reconstructed: false },
            _ => Command::MakeRuling { ruling: self.ruling(position) },
        }
    }
}

/// Every hand one position too far to the right.
fn misdealt(table: &Table) -> Vec<FoundPile> {
    let cards = u8::try_from(table.book().hand_cards()).expect("a hand is small");
    let hands = table.round().seats().filter(|(_, seat)| seat.is_dealt_in());
    hands.map(|(position, _)| FoundPile { position: Position(position.0 + 1), cards }).collect()
}

/// The last hand of a Player who holds several, or else the given one.
fn last_of_several(table: &Table, position: Position) -> Position {
    let hands: Vec<_> = table.round().seats().filter(|(_, seat)| seat.is_active()).collect();
    let several = hands.iter().enumerate().rev().find(|(place, (_, seat))| {
        hands.iter().take(*place).any(|(_, earlier)| earlier.holder() == seat.holder())
    });
    several.map_or(position, |(_, (position, _))| *position)
}
