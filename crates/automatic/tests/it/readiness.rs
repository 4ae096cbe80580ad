//! Players who are ready: bets close and the next round begins as soon as everybody is, and not before.

use std::time::Duration;

use automatic::{Pace, Strategy};
use floor::OpenTable;
use round::{Command, Decision, Stage};
use rulebook::{Means, PlayingArea, Position};

use crate::evening::{Evening, automatic, house_player, millis};
use crate::support::{Hall, MSSP9, MTHB9, by_player, dollars, player, table, wager};

const PACE: Pace = Pace::demonstration();
const ANN: Position = Position(1);

impl Evening {
    fn says_ready(&mut self, who: &str, ready: bool) {
        let on_table = self.hall.floor.table(&table("A")).expect("a table").wagers_of(&player(who));
        self.schedule.player_is_ready(self.now, &table("A"), player(who), ready.then_some(on_table));
        self.pass(Duration::ZERO);
    }

    fn sits(&mut self, position: u8, who: &str) {
        let position = Position(position);
        self.play(&by_player(who), Command::TakePosition { position, player: player(who) });
    }

    fn antes(&mut self, position: u8, who: &str) {
        let ante = wager(position, who, PlayingArea::Ante, dollars(25), Means::Credits);
        self.play(&by_player(who), ante);
    }

    fn until_bets_open(&mut self) {
        self.pass(millis(PACE.before_bets_ms));
        assert_eq!(self.stage(), Stage::BetsOpen);
    }
}

fn solo(book: &str) -> Evening {
    let setup = OpenTable { positions: 1, ..automatic(book, None) };
    let mut evening = Evening::at_table_of(Hall::demonstration(), setup, PACE, Vec::new());
    evening.sits(1, "Ann");
    evening.until_bets_open();
    evening
}

/// At a table with one position no timer closes the bets: its Player says when.
#[test]
fn one_position_deals_when_its_player_says_so() {
    let mut evening = solo(MTHB9);
    evening.says_ready("Ann", true);
    assert_eq!(evening.stage(), Stage::BetsOpen, "there is no wager to deal for");
    evening.antes(1, "Ann");
    evening.says_ready("Ann", false);
    evening.pass(Duration::from_hours(1));
    assert_eq!(evening.stage(), Stage::BetsOpen);
    evening.says_ready("Ann", true);
    assert_eq!(evening.stage(), Stage::Dealing);
}

/// Nobody is dealt a round on another stake than was meant: whoever changes a wager says again when to go on.
#[test]
fn a_changed_wager_waits_for_its_player() {
    let mut evening = solo(MTHB9);
    evening.says_ready("Ann", true);
    evening.antes(1, "Ann");
    evening.pass(Duration::from_mins(1));
    assert_eq!(evening.stage(), Stage::BetsOpen, "Ann was ready without a wager");
    evening.says_ready("Ann", true);
    assert_eq!(evening.stage(), Stage::Dealing);
}

/// A round in which every decision is made at once, from the wager to the next bets, takes less than eight seconds.
#[test]
fn a_round_takes_less_than_eight_seconds() {
    for book in [MTHB9, MSSP9] {
        let mut evening = solo(book);
        let began = evening.now;
        evening.antes(1, "Ann");
        evening.says_ready("Ann", true);
        while evening.stage() != Stage::Concluded {
            match evening.stage() {
                Stage::Deciding(_) => {
                    let decision = Decision::Wager;
                    evening.play(&by_player("Ann"), Command::Decide { position: ANN, decision });
                }
                Stage::Showing => {
                    evening.play(&by_player("Ann"), Command::ShowHand { position: ANN });
                }
                _ => evening.pass(millis(10)),
            }
        }
        evening.says_ready("Ann", true);
        assert_eq!(evening.stage(), Stage::BetsOpen, "{book}: the next round is open at once");
        let took = evening.now.saturating_sub(began);
        assert!(took < Duration::from_secs(8), "{book} took {took:?}");
    }
}

/// Of several Players each must be ready. One who changes their mind is not.
#[test]
fn a_shared_table_waits_for_everybody() {
    let mut evening = Evening::at_one_table(MTHB9, PACE, Vec::new());
    evening.sits(1, "Ann");
    evening.sits(2, "Bob");
    evening.until_bets_open();
    evening.antes(1, "Ann");
    evening.says_ready("Ann", true);
    assert_eq!(evening.stage(), Stage::BetsOpen, "Bob is not ready");
    evening.says_ready("Ann", false);
    evening.says_ready("Bob", true);
    assert_eq!(evening.stage(), Stage::BetsOpen, "Ann is not ready any more");
    evening.says_ready("Ann", true);
    assert_eq!(evening.stage(), Stage::Dealing);
}

/// Who was ready for one round is not ready for the bets of the next.
#[test]
fn readiness_ends_with_what_it_was_for() {
    let mut evening = solo(MSSP9);
    evening.antes(1, "Ann");
    evening.says_ready("Ann", true);
    while evening.stage() != Stage::Concluded {
        if let Stage::Deciding(_) = evening.stage() {
            let decision = Decision::Fold;
            evening.play(&by_player("Ann"), Command::Decide { position: ANN, decision });
        }
        evening.pass(millis(100));
    }
    evening.pass(millis(PACE.next_round_ms - 1_000));
    assert_eq!(evening.stage(), Stage::Concluded, "the next round waits its time");
    evening.says_ready("Ann", true);
    assert_eq!(evening.stage(), Stage::BetsOpen);
    evening.antes(1, "Ann");
    evening.pass(millis(60_000));
    assert_eq!(evening.stage(), Stage::BetsOpen, "ready for the round is not ready for the deal");
}

/// House players never keep a person waiting longer than their own wagers take.
#[test]
fn house_players_are_ready_once_they_have_wagered() {
    let players = vec![
        house_player("Dewi", "A", 3, Strategy::Casual),
        house_player("Edwin", "A", 5, Strategy::Perfect),
    ];
    let mut evening = Evening::at_one_table(MTHB9, PACE, players);
    evening.sits(1, "Ann");
    while evening.stage() != Stage::BetsOpen {
        evening.pass(millis(100));
    }
    evening.antes(1, "Ann");
    evening.says_ready("Ann", true);
    let began = evening.now;
    while evening.stage() == Stage::BetsOpen {
        evening.pass(millis(50));
    }
    let took = evening.now.saturating_sub(began);
    assert!(took < millis(PACE.bets_ms_min), "bets closed after {took:?}");
    let wagered =
        |position| evening.hall.round("A").seat(Position(position)).is_some_and(round::Seat::has_wagers);
    assert!(wagered(3) && wagered(5), "the house players wagered first");
}
