//! A table of the rules alone: a round, a shuffled deck, and what the automatic dealer does about silence.

use automatic::on_silence;
use cards::Card;
use round::{Command, PlayerId, Round, Stage, TableMemory};

use super::play::{DEALER, Game, People, Played, Playing, Venue, draw_wagers};
use super::policy::Policy;
use crate::dice::Dice;

struct Table {
    round: Round,
    deck: [u8; 52],
    dealt: usize,
    dice: Dice,
}

/// Plays one round.
pub(super) fn round(game: &Game, policy: Policy, dice: &mut Dice) -> Played {
    let people = People::new();
    let mut table = Table::new(game, policy, &people, dice.fork());
    let wagered = draw_wagers(game, policy, true, dice);
    Playing { game, people: &people, venue: &mut table, dice }.round(policy, wagered)
}

impl Table {
    /// A table with the Player seated and bets open.
    fn new(game: &Game, policy: Policy, people: &People, dice: Dice) -> Table {
        let informed = [people.player.clone()].into_iter().collect();
        let memory = TableMemory { informed, ..TableMemory::default() };
        let deck = std::array::from_fn(|index| u8::try_from(index).expect("a deck has 52 cards"));
        let round = Round::new(&game.rules, memory);
        let mut table = Table { round, deck, dealt: 0, dice };
        for position in policy.positions() {
            table.deal_with(&Command::TakePosition { position: *position, player: people.player.clone() });
        }
        table.deal_with(&Command::OpenBets {});
        table
    }

    /// The Dealer's own work, which the round takes.
    fn deal_with(&mut self, command: &Command) {
        if let Err(refusal) = self.round.apply(&DEALER, command) {
            panic!("{command:?} at {:?}: {:?}", self.round.stage(), refusal.reason);
        }
    }

    /// The next card of the deck, drawn when it is dealt.
    fn next_card(&mut self) -> Card {
        let left = (self.deck.len() - self.dealt) as u64;
        let drawn = self.dealt + usize::try_from(self.dice.below(left)).expect("a deck has 52 cards");
        self.deck.swap(self.dealt, drawn);
        self.dealt += 1;
        Card::from_index(self.deck[self.dealt - 1]).expect("a deck has 52 cards")
    }

    /// Hands that are to be compared are shown by the Dealer.
    fn show(&mut self) {
        let positions: Vec<_> = self.round.seats().map(|(position, _)| position).collect();
        for position in positions {
            // The round refuses hands that are not compared.
            let _ = self.round.apply(&DEALER, &Command::ShowHand { position });
        }
    }
}

impl Venue for Table {
    fn round(&self) -> &Round {
        &self.round
    }

    fn give(&mut self, player: &PlayerId, command: Command) -> bool {
        self.round.apply(&round::Asker::Player(player.clone()), &command).is_ok()
    }

    fn fail(&mut self) {
        self.deal_with(&Command::ReportPowerFailure {});
    }

    fn step(&mut self) {
        if self.round.is_interrupted() {
            let silent = self.round.unanswered().into_iter().next();
            let next = silent.map_or(Command::ResumePlay {}, |player| Command::ReportNoAnswer { player });
            return self.deal_with(&next);
        }
        match self.round.stage() {
            Stage::BetsOpen => self.deal_with(&Command::CloseBets {}),
            Stage::Dealing => {
                let card = Some(self.next_card());
                self.deal_with(&Command::DealCard { card });
            }
            Stage::Deciding(_) => {
                let silence = on_silence(&self.round).expect("a decision is due");
                self.deal_with(&silence);
            }
            Stage::Exposing(_) => self.deal_with(&Command::Expose {}),
            Stage::Showing => self.show(),
            Stage::Settling => self.deal_with(&Command::Settle {}),
            stage @ (Stage::BeforeBets | Stage::Concluded | Stage::Void | Stage::Closed) => {
                panic!("nothing to do at {stage:?}")
            }
        }
    }
}
