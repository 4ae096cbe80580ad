//! Clauses whose proof needs more than a script: who placed a wager for whom, what a seated Player is offered, and every
//! line of a pay table at every multiple.

use std::sync::Arc;

use cards::Card;
use money::{Money, Odds, Percent};
use round::{Asker, Command, Event, PlayerId, Round, Stage, TableMemory, TableRules};
use rulebook::{Limits, Means, Office, Pays, PlayingArea, Position, Rulebook};

pub(crate) const DEALER: Asker = Asker::Staff(Office::Dealer);

pub(crate) fn dollars(dollars: u64) -> Money {
    Money::from_cents(dollars * 100)
}

/// A round of a book with bets open: six positions, 25 to 1,000, a Jackpot minimum of 5.
pub(crate) fn open(citation: &str) -> Round {
    let book = rulebook::embedded().into_iter().find(|book| book.citation.to_string() == citation);
    let book: Arc<Rulebook> = Arc::new(book.expect("an embedded book"));
    let has_bonus = book.areas().contains(&PlayingArea::Bonus);
    let limits =
        Limits { ante: dollars(25)..=dollars(1_000), bonus: has_bonus.then(|| dollars(5)..=dollars(500)) };
    let rules = TableRules::new(book, 6, limits, None, Some(dollars(5))).expect("a table of the book");
    let mut round = Round::new(&rules, TableMemory::default());
    give(&mut round, &DEALER, &Command::OpenBets {});
    round
}

pub(crate) fn give(round: &mut Round, by: &Asker, command: &Command) -> Vec<Event> {
    round.apply(by, command).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"))
}

pub(crate) fn sit(round: &mut Round, position: u8, player: &str) -> PlayerId {
    let player = PlayerId::new(player);
    let take = Command::TakePosition { position: Position(position), player: player.clone() };
    give(round, &Asker::Player(player.clone()), &take);
    player
}

pub(crate) fn wager(position: u8, area: PlayingArea, owner: &PlayerId, amount: Money) -> Command {
    let (position, owner, means) = (Position(position), owner.clone(), Means::Credits);
    Command::PlaceWager { position, area, owner, amount, means }
}

/// A wager that staff place at a Player's request is the Player's: the log has both, the money is the Player's.
fn placed_at_request(citation: &str) {
    for office in [Office::Dealer, Office::PitSupervisor, Office::PitManager, Office::GamingShiftManager] {
        let mut round = open(citation);
        let ann = sit(&mut round, 1, "Ann");
        let staff = Asker::Staff(office);
        let events = give(&mut round, &staff, &wager(1, PlayingArea::Ante, &ann, dollars(25)));
        let [Event::WagerPlaced { owner, by, amount, .. }] = &events[..] else {
            panic!("{office}: {events:?}");
        };
        assert_eq!((owner, by, *amount), (&ann, &staff, dollars(25)), "{citation}, {office}");
        let ben = Asker::Player(PlayerId::new("Ben"));
        let other = round.decide(&ben, &wager(1, PlayingArea::Ante, &ann, dollars(25)));
        assert_eq!(other.expect_err("not Ben's").clause.rule.to_string(), "3.6", "{citation}");
        give(&mut round, &DEALER, &Command::CloseBets {});
        let cards = Cards::any(&round);
        play_out(&mut round, &cards);
        let settlement = round.settlement().expect("settled");
        assert!(settlement.lines.iter().all(|line| line.owner == ann), "{citation}: {:?}", settlement.lines);
    }
}

/// Until bets close, a seated Player with an Ante may place any Jackpot wager of the book; nobody else may, there.
fn offered_to_the_seated(citation: &str) {
    let mut round = open(citation);
    let (ann, ben) = (sit(&mut round, 1, "Ann"), PlayerId::new("Ben"));
    give(&mut round, &DEALER, &wager(1, PlayingArea::Ante, &ann, dollars(25)));
    give(&mut round, &DEALER, &wager(1, PlayingArea::Ante, &ben, dollars(25)));
    let offered = |round: &Round, player: &PlayerId| -> Vec<Money> {
        let legal = round.legal_commands(&Asker::Player(player.clone()), std::slice::from_ref(player));
        let amount = |command: &Command| match command {
            Command::PlaceWager {
                area: PlayingArea::Jackpot,
                amount,
                means: Means::Credits,
                position,
                ..
            } if *position == Position(1) => Some(*amount),
            _ => None,
        };
        legal.iter().filter_map(|legal| amount(&legal.command)).collect()
    };
    let multiples = round.book().jackpot.multiples.clone();
    let all: Vec<Money> = multiples.map(|times| dollars(5 * u64::from(times))).collect();
    assert_eq!(offered(&round, &ann), all, "{citation}: what the seated Player is offered");
    assert_eq!(offered(&round, &ben), [], "{citation}: what a Player beside the position is offered");
    give(&mut round, &DEALER, &Command::CloseBets {});
    assert_eq!(offered(&round, &ann), [], "{citation}: after bets are closed");
}

/// The cards of a round with one Player.
struct Cards {
    hand: Vec<Card>,
    board: Vec<Card>,
    dealer: Vec<Card>,
}

impl Cards {
    fn of(hand: &str, board: &str, dealer: &str) -> Cards {
        let cards = |text: &str| {
            text.split_whitespace().map(|card| card.parse().expect("a card")).collect::<Vec<Card>>()
        };
        Cards { hand: cards(hand), board: cards(board), dealer: cards(dealer) }
    }

    fn any(round: &Round) -> Cards {
        if round.book().community_cards() == 0 {
            Cards::of("2c 4d 6h 8s Tc", "", "Ac Kd 8h 5s 3c")
        } else {
            Cards::of("2c 3d", "9h 8s 7d Ks Jc", "Kh Qc")
        }
    }
}

/// Deals, stays in with every wager, shows and settles.
fn play_out(round: &mut Round, cards: &Cards) {
    loop {
        let command = match round.stage() {
            Stage::Dealing => {
                let card = match round.next_place().expect("a card is due") {
                    round::Place::Player(_, at) => cards.hand[usize::from(at)],
                    round::Place::Community(at) => cards.board[usize::from(at)],
                    round::Place::Dealer(at) => cards.dealer[usize::from(at)],
                };
                Command::DealCard { card: Some(card) }
            }
            Stage::Deciding(_) => Command::Decide { position: Position(1), decision: round::Decision::Wager },
            Stage::Exposing(_) => Command::Expose {},
            Stage::Showing => Command::ShowHand { position: Position(1) },
            Stage::Settling => Command::Settle {},
            _ => return,
        };
        give(round, &DEALER, &command);
    }
}

/// Every line of the pay table at every multiple: odds multiply the wager, a share of the meter does not.
fn every_line_at_every_multiple(citation: &str, hands: [(&str, &str); 6]) {
    let book = Arc::clone(open(citation).book());
    for times in book.jackpot.multiples.clone() {
        for ((hand, board), line) in hands.iter().zip(&book.jackpot.lines) {
            let dealer = if board.is_empty() { "2c 3d 5h 7c 9d" } else { "2c 3d" };
            let mut round = open(citation);
            let ann = sit(&mut round, 1, "Ann");
            let stake = dollars(5 * u64::from(times));
            give(&mut round, &DEALER, &wager(1, PlayingArea::Ante, &ann, dollars(25)));
            give(&mut round, &DEALER, &wager(1, PlayingArea::Jackpot, &ann, stake));
            give(&mut round, &DEALER, &Command::CloseBets {});
            play_out(&mut round, &Cards::of(hand, board, dealer));
            let settlement = round.settlement().expect("settled");
            let jackpot = settlement.lines.iter().find(|line| line.area == PlayingArea::Jackpot);
            let paid = jackpot.expect("a Jackpot wager").paid;
            let claims: Vec<Percent> = settlement.claims.iter().map(|claim| claim.percent).collect();
            let what = format!("{citation}: {} at {times} times the minimum", line.hand);
            match line.pays {
                Pays::Odds(Odds::For(odds)) => {
                    assert_eq!(paid, stake.times(odds.into()).expect("fits"), "{what}");
                    assert_eq!(claims, [], "{what}");
                }
                Pays::Share(percent) => {
                    assert_eq!(paid, Money::ZERO, "{what}");
                    assert_eq!(claims, [percent], "{what}");
                }
                Pays::Odds(Odds::To(_)) | Pays::Fixed(_) => panic!("{what}: not a line of version 9"),
            }
        }
    }
    assert_eq!(book.jackpot.lines.len(), hands.len(), "{citation}: every line has its hand");
}

mod r3_6 {
    #[test]
    fn mthb9() {
        super::placed_at_request("MTHB9");
    }

    #[test]
    fn mthb6() {
        super::placed_at_request("MTHB6");
    }

    #[test]
    fn mssp9() {
        super::placed_at_request("MSSP9");
    }

    #[test]
    fn thb6() {
        super::placed_at_request("THB6");
    }
}

mod r3_5_1 {
    #[test]
    fn mthb9() {
        super::offered_to_the_seated("MTHB9");
    }

    #[test]
    fn mthb6() {
        super::offered_to_the_seated("MTHB6");
    }

    #[test]
    fn mssp9() {
        super::offered_to_the_seated("MSSP9");
    }

    #[test]
    fn thb6() {
        super::offered_to_the_seated("THB6");
    }
}

mod r3_5_3_1 {
    #[test]
    fn mthb9() {
        let hands = [
            ("As Ks", "Qs Js Ts 4h 5h"),
            ("9s Ks", "Qs Js Ts 4h 5h"),
            ("8s 8h", "8d 8c Ts 4h 5h"),
            ("8s 8h", "8d Tc Ts 4h 5h"),
            ("As 8s", "Qs 4s Ts 4h 5h"),
            ("As Kd", "Qs Js Ts 4h 5h"),
        ];
        super::every_line_at_every_multiple("MTHB9", hands);
    }

    #[test]
    fn mssp9() {
        let hands = [
            ("As Ks Qs Js Ts", ""),
            ("9s Ks Qs Js Ts", ""),
            ("8s 8h 8d 8c Ts", ""),
            ("8s 8h 8d Tc Ts", ""),
            ("As 8s Qs 4s Ts", ""),
            ("As Kd Qs Js Ts", ""),
        ];
        super::every_line_at_every_multiple("MSSP9", hands);
    }
}
