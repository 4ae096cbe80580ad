//! What a table asks a round: which cards lie where, which of them are face up, which must be read first, and who may do
//! something. Screens and card readers depend on the answers.

use std::sync::Arc;

use cards::{Card, HandOrder};
use round::{
    Asker, CardFault, Command, Decision, Effect, Exposure, Place, PlayerId, Round, Ruling, Stage,
    TableMemory, TableRules, TableRulesError, bonus_cards, hand_order,
};
use rulebook::{Limits, Means, Office, PlayingArea, Position, Rulebook};

use crate::by_hand::{DEALER, dollars, give, open, sit, wager};

const ANN: Position = Position(1);
const BEN: Position = Position(2);
const SUPERVISOR: Asker = Asker::Staff(Office::PitSupervisor);

fn card(text: &str) -> Card {
    text.parse().expect("a card")
}

/// Ann at position 1 and Ben at position 2, each with an Ante; Ann with a Jackpot wager too. Bets are closed.
fn closed(citation: &str) -> Round {
    let mut round = open(citation);
    for position in [ANN, BEN] {
        let player = sit(&mut round, position.0, if position == ANN { "Ann" } else { "Ben" });
        give(&mut round, &DEALER, &wager(position.0, PlayingArea::Ante, &player, dollars(25)));
        if position == ANN {
            give(&mut round, &DEALER, &wager(position.0, PlayingArea::Jackpot, &player, dollars(5)));
        }
    }
    give(&mut round, &DEALER, &Command::CloseBets {});
    round
}

/// Deals every card that is due now, the community cards and the Dealer's face known, the Players' unread.
fn deal(round: &mut Round) {
    let mut known = ["2c", "7d", "9h", "Js", "Kc", "3d", "8s", "Ac", "4h", "5d"].into_iter().map(card);
    while let Some(place) = round.next_place() {
        let card = match place {
            Place::Player(..) => None,
            Place::Community(_) | Place::Dealer(_) => known.next(),
        };
        give(round, &DEALER, &Command::DealCard { card });
    }
}

fn decide(round: &mut Round, position: Position, decision: Decision) {
    give(round, &DEALER, &Command::Decide { position, decision });
}

fn cards(texts: &[&str]) -> Vec<Card> {
    texts.iter().map(|text| card(text)).collect()
}

/// A card lies at a place once it was dealt there, and not before (3.7.1.1).
#[test]
fn a_card_lies_where_it_was_dealt() {
    let mut round = closed("MTHB9");
    let order = round.deal_order().to_vec();
    for dealt in 0..=order.len() {
        for (at, place) in order.iter().enumerate() {
            assert_eq!(round.has_dealt(*place), at < dealt, "{place:?} after {dealt} cards");
        }
        if dealt < order.len() {
            give(&mut round, &DEALER, &Command::DealCard { card: None });
        }
    }
}

/// Only a card that was corrected was misread; one that is read for the first time was not.
#[test]
fn a_corrected_card_was_misread() {
    let mut round = closed("MTHB9");
    deal(&mut round);
    let (unread, read) = (Place::Player(ANN, 0), Place::Community(0));
    give(&mut round, &DEALER, &Command::ReadCard { place: unread, card: card("Qc") });
    assert!(!round.was_misread(unread) && !round.was_misread(read));
    give(&mut round, &SUPERVISOR, &Command::ReadCard { place: read, card: card("2d") });
    assert!(round.was_misread(read) && !round.was_misread(unread));
}

/// The table sees the community cards as they are turned, and the Dealer's only for the comparison (3.9.2, 3.10).
#[test]
fn hold_em_cards_are_face_up_once_they_are_turned() {
    let mut round = closed("MTHB9");
    deal(&mut round);
    let board = cards(&["2c", "7d", "9h", "Js", "Kc"]);
    let seen = |open: usize| -> Vec<Option<Card>> {
        board.iter().enumerate().map(|(at, card)| Some(*card).filter(|_| at < open)).collect()
    };
    let streets = [
        (Decision::Wager, Exposure::FlopCards, 0..3),
        (Decision::Check, Exposure::TurnCard, 3..4),
        (Decision::Check, Exposure::RiverCard, 4..5),
    ];
    assert_eq!((round.community(), round.exposed_community()), (seen(0), Vec::new()));
    for (decision, what, turned) in streets {
        assert_eq!(
            round.places_needed(&Command::Expose {}),
            Vec::new(),
            "nothing is turned before the decisions"
        );
        decide(&mut round, ANN, decision);
        decide(&mut round, BEN, decision);
        let places: Vec<Place> = turned.clone().map(Place::Community).collect();
        assert_eq!(round.places_exposed(what), places);
        assert_eq!(round.places_needed(&Command::Expose {}), places);
        give(&mut round, &DEALER, &Command::Expose {});
        let open = usize::from(turned.end);
        assert_eq!((round.community(), round.exposed_community()), (seen(open), board[..open].to_vec()));
        assert_eq!((round.dealer_cards(), round.exposed_dealer()), (vec![None; 2], Vec::new()));
    }
    let dealer = cards(&["3d", "8s"]);
    assert_eq!(round.places_needed(&Command::Expose {}), [Place::Dealer(0), Place::Dealer(1)]);
    give(&mut round, &DEALER, &Command::Expose {});
    assert_eq!((round.dealer_cards(), round.exposed_dealer()), (seen_all(&dealer), dealer));
    let hand = [Place::Player(ANN, 0), Place::Player(ANN, 1)];
    assert_eq!(round.places_needed(&Command::ShowHand { position: ANN }), hand);
    assert_eq!(round.places_needed(&Command::Settle {}), Vec::new(), "hands are still to be shown");
}

fn seen_all(cards: &[Card]) -> Vec<Option<Card>> {
    cards.iter().copied().map(Some).collect()
}

/// In stud the Dealer's last card alone is face up while Players decide (3.7, 3.9).
#[test]
fn stud_shows_the_dealers_last_card() {
    let mut round = closed("MSSP9");
    deal(&mut round);
    assert_eq!(round.dealer_cards(), [None; 5]);
    give(&mut round, &DEALER, &Command::Expose {});
    assert_eq!(round.dealer_cards(), [None, None, None, None, Some(card("Kc"))]);
    assert_eq!((round.exposed_dealer(), round.community()), (cards(&["Kc"]), Vec::new()));
}

/// A folded hand with a Jackpot wager is turned over for it (3.9.1, 4.2): its cards must be read before the settlement,
/// and those of a folded hand without one need not be.
#[test]
fn the_settlement_needs_the_unread_cards_of_a_jackpot_wager() {
    let mut round = closed("MTHB9");
    deal(&mut round);
    let hand = [Place::Player(ANN, 0), Place::Player(ANN, 1)];
    assert_eq!(round.places_needed(&Command::ViewHand { position: ANN }), hand);
    decide(&mut round, ANN, Decision::Fold);
    decide(&mut round, BEN, Decision::Fold);
    give(&mut round, &DEALER, &Command::Expose {});
    assert_eq!(
        (round.cards_to_read(), round.places_needed(&Command::Settle {})),
        (hand.to_vec(), hand.to_vec())
    );
    give(&mut round, &DEALER, &Command::ReadCard { place: hand[0], card: card("Qc") });
    assert_eq!(round.cards_to_read(), hand[1..]);
    give(&mut round, &DEALER, &Command::ReadCard { place: hand[1], card: card("Qd") });
    assert_eq!(round.cards_to_read(), Vec::new());
}

/// The lowest office that may do a thing is the one its rule names; what a Player decides needs none (3.6, 6.2).
#[test]
fn a_permission_names_its_office() {
    let round = open("MTHB9");
    let player = PlayerId::new("Ann");
    let office = |command: &Command| round.who_may(command).office();
    assert_eq!(office(&Command::OpenBets {}), Some(Office::Dealer));
    assert_eq!(office(&Command::ViewDeclinedHand { position: ANN }), Some(Office::PitSupervisor));
    assert_eq!(office(&Command::RestrictPlayer { player: player.clone() }), Some(Office::PitManager));
    assert_eq!(
        office(&Command::ProhibitPlayer { player: player.clone(), reason: None }),
        Some(Office::GamingShiftManager)
    );
    assert_eq!(office(&wager(1, PlayingArea::Ante, &player, dollars(25))), None);
    assert_eq!(office(&Command::ShowHand { position: ANN }), None);
}

/// What a screen calls a hand: the best five of seven in hold'em, the five cards in stud, and nothing while cards are
/// missing (3.10, 3.11).
#[test]
fn a_hand_is_named_once_its_cards_are_known() {
    let hold_em = open("MTHB9");
    let (hand, board) = (cards(&["6c", "5d"]), cards(&["9c", "8d", "7h", "Ks", "2d"]));
    let game = &hold_em.book().game;
    assert_eq!(hand_order(game, &hand, &board), Some(HandOrder::Straight));
    assert_eq!(hand_order(game, &hand, &board[..3]), None);
    assert_eq!(bonus_cards(game, &hand), Some("Six and Five of two suits".to_owned()));
    let stud = open("MSSP9");
    let hand = cards(&["9c", "9d", "7h", "4s", "2d"]);
    assert_eq!(hand_order(&stud.book().game, &hand, &[]), Some(HandOrder::OnePair));
    assert_eq!(hand_order(&stud.book().game, &hand[..4], &[]), None);
    assert_eq!(bonus_cards(&stud.book().game, &hand), None);
}

/// The least wager on an area: the table's, and twice it on the Flop (2.2, 3.9.2). Jackpot wagers have no limits.
#[test]
fn an_area_has_its_minimum() {
    let round = open("MTHB9");
    assert_eq!(round.minimum(PlayingArea::Ante), Some(dollars(25)));
    assert_eq!(round.minimum(PlayingArea::Bonus), Some(dollars(5)));
    assert_eq!(round.minimum(PlayingArea::Flop), Some(dollars(50)));
    assert_eq!(round.minimum(PlayingArea::Turn), Some(dollars(25)));
    assert_eq!(round.minimum(PlayingArea::Jackpot), None);
}

/// Only a wager under the minimum can warn its Player (5.13).
#[test]
fn a_round_may_warn_if_a_wager_is_under_the_minimum() {
    for (amount, may_warn) in [(None, false), (Some(24), true), (Some(25), false), (Some(26), false)] {
        let mut round = open("MTHB9");
        let (ann, ben) = (sit(&mut round, 1, "Ann"), sit(&mut round, 2, "Ben"));
        give(&mut round, &DEALER, &wager(2, PlayingArea::Ante, &ben, dollars(25)));
        if let Some(amount) = amount {
            let (area, amount, means) = (PlayingArea::Ante, dollars(amount), Means::Chips);
            let chips = Command::PlaceWager { position: ANN, area, owner: ann.clone(), amount, means };
            give(&mut round, &DEALER, &chips);
        }
        assert_eq!(round.may_warn(), may_warn, "{amount:?}");
        give(&mut round, &DEALER, &Command::CloseBets {});
        deal(&mut round);
        if amount.is_some() {
            decide(&mut round, ANN, Decision::Fold);
        }
        decide(&mut round, BEN, Decision::Fold);
        give(&mut round, &DEALER, &Command::Settle {});
        assert_eq!(round.may_warn(), may_warn, "{amount:?}, settled");
        assert_eq!(round.memory().warned.contains(&ann), may_warn, "{amount:?}");
    }
}

/// Play waits from a power failure without an outcome until everybody was asked (5.16.1). A failure is reported while a
/// round is in play, so only then is that offered (5.16).
#[test]
fn a_power_failure_interrupts_play() {
    let offered = |round: &Round| {
        let legal = round.legal_commands(&DEALER, &[]);
        legal.iter().any(|legal| legal.command == Command::ReportPowerFailure {})
    };
    assert!(!offered(&open("MTHB9")), "bets are open");
    let mut round = closed("MTHB9");
    assert!(offered(&round) && !round.is_interrupted());
    give(&mut round, &DEALER, &Command::ReportPowerFailure {});
    assert!(!offered(&round) && round.is_interrupted());
    for player in round.unanswered() {
        give(&mut round, &DEALER, &Command::StayIn { player });
    }
    give(&mut round, &DEALER, &Command::ResumePlay {});
    assert!(offered(&round) && !round.is_interrupted());
}

/// Whether a hand was viewed, and viewed again by a supervisor after it declined comparison (3.4.1, 3.10.1).
#[test]
fn a_hand_was_viewed_or_not() {
    let mut round = closed("MTHB9");
    deal(&mut round);
    let viewed = |round: &Round| [ANN, BEN].map(|position| round.seat(position).expect("a seat").is_viewed());
    assert_eq!(viewed(&round), [false, false]);
    give(&mut round, &DEALER, &Command::ViewHand { position: ANN });
    assert_eq!(viewed(&round), [true, false]);
    for decision in [Decision::Wager, Decision::Check, Decision::Check] {
        decide(&mut round, ANN, decision);
        decide(&mut round, BEN, decision);
        give(&mut round, &DEALER, &Command::Expose {});
    }
    give(&mut round, &DEALER, &Command::Expose {});
    give(&mut round, &DEALER, &Command::DeclineComparison { position: ANN });
    let seen = |round: &Round| round.seat(ANN).expect("a seat").was_viewed_declined();
    assert!(!seen(&round));
    give(&mut round, &SUPERVISOR, &Command::ViewDeclinedHand { position: ANN });
    assert!(seen(&round));
}

/// A ruling is on record with its words (6.1), and a hand that it takes out is out under that rule.
#[test]
fn a_ruling_is_on_record() {
    let mut round = closed("MTHB9");
    let out = |round: &Round| round.seat(ANN).expect("a seat").out().map(|rule| rule.to_string());
    assert!(round.rulings().is_empty() && out(&round).is_none());
    let ruling = Ruling { words: "jostled".to_owned(), effects: vec![Effect::HandOut { position: ANN }] };
    let shift_manager = Asker::Staff(Office::GamingShiftManager);
    give(&mut round, &shift_manager, &Command::MakeRuling { ruling: ruling.clone() });
    assert_eq!((round.rulings(), out(&round)), (&[ruling][..], Some("6.1".to_owned())));
}

/// A round is in play from "No more bets" to the settlement, and not once it is void (3.2, 5.1.1).
#[test]
fn a_round_is_in_play_after_no_more_bets() {
    let mut round = closed("MTHB9");
    assert!(!open("MTHB9").stage().is_in_play() && round.stage().is_in_play());
    give(&mut round, &DEALER, &Command::DeclareBadCards { fault: CardFault::Foreign });
    assert_eq!(round.stage(), Stage::Void);
    assert!(!round.stage().is_in_play());
}

/// Limits that contradict each other or the book, or that could not be paid, make no table (2.2.2, 3.4).
#[test]
fn a_table_has_possible_limits() {
    const MOST: u64 = 10_000_000_000_000;
    let rules = |citation: &str, ante: [u64; 2], bonus: Option<[u64; 2]>| {
        let range = |[min, max]: [u64; 2]| money::Money::from_cents(min)..=money::Money::from_cents(max);
        let limits = Limits { ante: range(ante), bonus: bonus.map(range) };
        TableRules::new(Arc::clone(open(citation).book()), 6, limits, None, None).is_ok()
    };
    assert!(rules("MTHB9", [1, MOST], Some([1, MOST])));
    assert!(!rules("MTHB9", [1, MOST + 1], Some([1, MOST])));
    assert!(!rules("MTHB9", [1, MOST], Some([1, MOST + 1])));
    assert!(!rules("MTHB9", [2, 1], Some([1, 1])));
    assert!(rules("MTHB9", [1, 1], Some([1, 1])));
    assert!(!rules("MTHB9", [1, 1], None), "hold'em has a Bonus");
    assert!(rules("MSSP9", [1, 1], None) && !rules("MSSP9", [1, 1], Some([1, 1])), "stud has none");
}

/// A table takes the Jackpot wager only in ways that its book names (3.5.3).
#[test]
fn a_book_may_take_jackpot_wagers_in_chips_only() {
    let id = open("MTHB9").book().id.clone();
    let text = rulebook::embedded_text(&id).expect("embedded");
    let both = r#"means = ["credits", "chips"]"#;
    assert!(text.contains(both));
    let book = Rulebook::parse(&id, &text.replace(both, r#"means = ["chips"]"#)).expect("a book");
    let limits = Limits { ante: dollars(25)..=dollars(1_000), bonus: Some(dollars(5)..=dollars(500)) };
    let rules = TableRules::new(Arc::new(book), 6, limits, None, Some(dollars(5))).expect("a table");
    let refused = rules.clone().jackpot_by(Some(Means::Credits));
    assert_eq!(refused, Err(TableRulesError::JackpotMeans(Means::Credits)));
    for rules in [rules.clone().jackpot_by(Some(Means::Chips)), rules.jackpot_by(None)] {
        let mut round = Round::new(&rules.expect("a way of the book"), TableMemory::default());
        give(&mut round, &DEALER, &Command::OpenBets {});
        let owner = sit(&mut round, 1, "Ann");
        let (area, amount) = (PlayingArea::Jackpot, dollars(5));
        let place = |means| Command::PlaceWager { position: ANN, area, owner: owner.clone(), amount, means };
        let refusal = round.decide(&DEALER, &place(Means::Credits)).expect_err("no credits");
        assert_eq!(refusal.clause.rule.to_string(), "3.5.3");
        give(&mut round, &DEALER, &place(Means::Chips));
    }
}
