//! No view and no feed holds a card before its time, for anybody.

use std::collections::BTreeSet;

use cards::Card;
use floor::view::{Context, EventKind, EventView, TableView, Viewer, event_view, feed};
use journal::{Dealing, Event, TableEvent};
use round::{Command, Exposure, Place, Stage};
use rulebook::{PlayingArea, Position};

use crate::support::{Cards, Hall, TABLES, by_player, commit_salts, dealer, dollars, player, supervisor};
use crate::view_support::{
    Chance, all_seen, as_player, as_staff, begin, entries, is_supervisor, json, of_table, seen, step, told,
    viewers,
};

/// The places open to a viewer, worked out from the log alone and from nothing the views use.
fn open_places(hall: &Hall, name: &str, viewer: &Viewer) -> BTreeSet<Place> {
    let round = hall.round(name);
    let cards = u8::try_from(round.book().hand_cards()).expect("at most five");
    let hand = |position: Position| (0..cards).map(move |at| Place::Player(position, at));
    let holder = |position: Position| round.seat(position).and_then(|seat| seat.holder()).cloned();
    let mut open = BTreeSet::new();
    for happened in hall.log.iter().filter(|happened| happened.stream == of_table(name)) {
        let Event::Table(event) = &happened.event else { continue };
        match event {
            TableEvent::RoundBegan { .. } => open.clear(),
            TableEvent::Round(round::Event::HandShown { position }) => open.extend(hand(*position)),
            TableEvent::Round(round::Event::HandViewed { position })
                if holder(*position).is_some_and(|holder| *viewer == Viewer::Player(holder)) =>
            {
                open.extend(hand(*position));
            }
            TableEvent::Round(round::Event::DeclinedHandViewed { position, .. }) if is_supervisor(viewer) => {
                open.extend(hand(*position));
            }
            TableEvent::Round(round::Event::Exposed { what }) => match what {
                Exposure::UpCard => open.extend([Place::Dealer(4)]),
                Exposure::FlopCards => open.extend((0..3).map(Place::Community)),
                Exposure::TurnCard => open.extend([Place::Community(3)]),
                Exposure::RiverCard => open.extend([Place::Community(4)]),
                Exposure::DealerHand => open.extend((0..cards).map(Place::Dealer)),
            },
            _ => {}
        }
    }
    open
}

/// The cards a view shows, by place.
fn shown_places(view: &TableView) -> BTreeSet<(Place, Card)> {
    let numbered = |cards: &[Option<Card>]| {
        let cards: Vec<(u8, Card)> =
            (0..).zip(cards).filter_map(|(at, card)| card.map(|card| (at, card))).collect();
        cards
    };
    let mut shown = BTreeSet::new();
    for seat in &view.seats {
        let position = seat.position;
        shown.extend(numbered(&seat.cards).into_iter().map(|(at, card)| (Place::Player(position, at), card)));
    }
    shown.extend(numbered(&view.community).into_iter().map(|(at, card)| (Place::Community(at), card)));
    shown.extend(numbered(&view.dealer).into_iter().map(|(at, card)| (Place::Dealer(at), card)));
    shown
}

/// Every card named anywhere in a text.
fn named(text: &str) -> BTreeSet<Card> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter(|word| word.len() == 2).filter_map(|word| word.parse().ok()).collect()
}

/// The cards that lie at some places, from the log.
fn cards_at(hall: &Hall, name: &str, places: &BTreeSet<Place>) -> BTreeSet<Card> {
    let mut cards = BTreeSet::new();
    for happened in hall.log.iter().filter(|happened| happened.stream == of_table(name)) {
        match &happened.event {
            Event::Table(TableEvent::RoundBegan { .. }) => cards.clear(),
            Event::Table(TableEvent::Round(
                round::Event::CardDealt { place, card: Some(card) } | round::Event::CardRead { place, card },
            )) if places.contains(place) => {
                cards.insert(*card);
            }
            _ => {}
        }
    }
    cards
}

/// What a viewer sees is exactly what is open to them, and no text of theirs names another card.
fn check_sight(hall: &Hall, name: &str) {
    for viewer in viewers() {
        let open = open_places(hall, name, &viewer);
        let view = seen(hall, name, &viewer);
        let shown: BTreeSet<Place> = shown_places(&view).into_iter().map(|(place, _)| place).collect();
        assert!(shown.is_subset(&open), "{viewer:?} sees {:?}", shown.difference(&open));
        let cards = cards_at(hall, name, &open);
        let seen: BTreeSet<Card> = shown_places(&view).into_iter().map(|(_, card)| card).collect();
        assert_eq!(seen, cards, "{viewer:?} at {:?}", hall.round(name).stage());
        let text = json(&view);
        assert!(
            named(&text).is_subset(&cards),
            "{viewer:?}: {:?} in {text}",
            named(&text).difference(&cards)
        );
    }
}

/// No entry of a feed names a card that was not open to its viewer by then.
fn check_feeds(hall: &Hall, name: &str) {
    for viewer in viewers() {
        let open = cards_at(hall, name, &open_places(hall, name, &viewer));
        for entry in told(hall, &of_table(name), &viewer) {
            let text = json(&entry);
            assert!(named(&text).is_subset(&open), "{viewer:?}: {text}");
        }
    }
}

/// Random rounds of every book, live and dealt by software, with a hand viewed, a blind one, folds, declined hands and
/// voids: everybody sees what is open to them at each step and no more.
#[test]
fn nobody_sees_more_than_lies_open() {
    let opened = Hall::open();
    for (name, ..) in TABLES {
        for seed in 0..6 {
            let (mut hall, mut chance) = (opened.clone(), Chance(seed));
            let deck = chance.deck();
            begin(&mut hall, name, &mut chance);
            check_sight(&hall, name);
            while step(&mut hall, name, &mut chance, &deck) {
                check_sight(&hall, name);
            }
            check_feeds(&hall, name);
        }
    }
}

/// Plays a round up to a step.
fn played(opened: &Hall, name: &str, seed: u64, steps: usize, deck: &[Card]) -> Hall {
    let (mut hall, mut chance) = (opened.clone(), Chance(seed));
    begin(&mut hall, name, &mut chance);
    let _ = (0..steps).take_while(|_| step(&mut hall, name, &mut chance, deck)).count();
    hall
}

/// The deck with every card moved about that is not open to the viewer. After the settlement a folded hand's Jackpot
/// wager has been paid or not, which tells of its cards: those stay.
fn rearranged(hall: &Hall, name: &str, viewer: &Viewer, deck: &[Card], chance: &mut Chance) -> Vec<Card> {
    let open = open_places(hall, name, viewer);
    let round = hall.round(name);
    let told_by_settlement = |place: &Place| match place {
        Place::Player(position, _) => {
            let seat = round.seat(*position).expect("of the layout");
            round.settlement().is_some() && seat.has_folded() && seat.has(PlayingArea::Jackpot)
        }
        Place::Community(_) | Place::Dealer(_) => false,
    };
    let order = round.deal_order();
    let free: Vec<usize> = (0..deck.len())
        .filter(|at| order.get(*at).is_none_or(|place| !open.contains(place) && !told_by_settlement(place)))
        .collect();
    let mut other = deck.to_vec();
    for last in (1..free.len()).rev() {
        let with = usize::try_from(chance.below(last as u64 + 1)).expect("small");
        other.swap(free[last], free[with]);
    }
    other
}

/// Two rounds that differ in hidden cards alone are the same to the byte, in every view and every entry of every feed.
#[test]
fn rounds_that_differ_in_hidden_cards_look_alike() {
    let opened = Hall::open();
    let live = TABLES.iter().filter(|(_, _, dealing, _)| *dealing == Dealing::Live);
    for (name, ..) in live {
        for seed in 0..5 {
            let deck = Chance(seed).deck();
            let whole = {
                let (mut hall, mut chance) = (opened.clone(), Chance(seed));
                begin(&mut hall, name, &mut chance);
                std::iter::from_fn(|| step(&mut hall, name, &mut chance, &deck).then_some(())).count()
            };
            for (number, viewer) in (0..).zip(viewers()) {
                let mut chance = Chance(1000 * seed + number);
                let steps = 1 + usize::try_from(chance.below(whole as u64)).expect("small");
                let one = played(&opened, name, seed, steps, &deck);
                let other = rearranged(&one, name, &viewer, &deck, &mut chance);
                let other = played(&opened, name, seed, steps, &other);
                let about = format!("{name}, seed {seed}, step {steps} of {whole}, {viewer:?}");
                assert_eq!(all_seen(&one, name, &viewer), all_seen(&other, name, &viewer), "{about}");
                let (one, other) =
                    (told(&one, &of_table(name), &viewer), told(&other, &of_table(name), &viewer));
                assert_eq!(json(&one), json(&other), "{about}");
            }
        }
    }
}

/// The law above would notice a leak: the whole log, told to nobody in particular, does differ.
#[test]
fn hidden_cards_do_differ() {
    let opened = Hall::open();
    let (one, other) = (Chance(1).deck(), Chance(2).deck());
    let one = played(&opened, "H1", 3, 20, &one);
    let other = played(&opened, "H1", 3, 20, &other);
    assert_ne!(entries(&one, &of_table("H1")), entries(&other, &of_table("H1")));
    assert_eq!(all_seen(&one, "H1", &Viewer::Public), all_seen(&other, "H1", &Viewer::Public));
}

fn seat_cards(hall: &Hall, name: &str, position: usize, viewer: &Viewer) -> Vec<Option<Card>> {
    seen(hall, name, viewer).seats[position - 1].cards.clone()
}

/// 3.4.1: a Player on two positions sees the one hand they viewed; the blind one stays hidden from them too, also
/// where the shoe has read every card.
#[test]
fn a_blind_hand_is_hidden_from_its_own_player() {
    for name in ["H1", "H2"] {
        let mut hall = Hall::open();
        begin(&mut hall, name, &mut Chance(5));
        hall.deal(name, &Cards::default().hand(1, "Ah Kh").hand(3, "Ac Kc"));
        hall.play(&by_player("Ann"), name, Command::ViewHand { position: Position(1) });
        let (ann, bob) = (as_player("Ann"), as_player("Bob"));
        assert!(seat_cards(&hall, name, 1, &ann).iter().all(Option::is_some));
        assert_eq!(seat_cards(&hall, name, 3, &ann), [None, None]);
        assert_eq!(seat_cards(&hall, name, 1, &bob), [None, None]);
        assert_eq!(seat_cards(&hall, name, 1, &as_staff("Gus")), [None, None]);
        assert_eq!(seat_cards(&hall, name, 2, &bob), [None, None], "not viewed, not seen");
    }
}

/// 3.10.1: a declined hand is seen by supervisors after one of them viewed it, by its Player if viewed, by nobody else.
#[test]
fn a_declined_hand_is_for_supervisors_alone() {
    let mut hall = Hall::open();
    let cards = Cards::default().hand(1, "Ah Kh").hand(2, "9c 9d");
    hall.ready("H1", &["Ann", "Bob"]);
    loop {
        match hall.round("H1").stage() {
            Stage::Dealing => hall.deal("H1", &cards),
            Stage::Exposing(_) => drop(hall.play(&dealer(), "H1", Command::Expose {})),
            Stage::Deciding(_) => {
                for position in [Position(1), Position(2)] {
                    let decision = round::Decision::Wager;
                    hall.play(&dealer(), "H1", Command::Decide { position, decision });
                }
            }
            _ => break,
        }
    }
    hall.play(&dealer(), "H1", Command::DeclineComparison { position: Position(1) });
    let hidden = |hall: &Hall, viewer: &Viewer| seat_cards(hall, "H1", 1, viewer) == [None, None];
    assert!(viewers().iter().all(|viewer| hidden(&hall, viewer)));
    hall.play(&supervisor(), "H1", Command::ViewDeclinedHand { position: Position(1) });
    for viewer in viewers() {
        assert_eq!(hidden(&hall, &viewer), !is_supervisor(&viewer), "{viewer:?}");
    }
    hall.play(&dealer(), "H1", Command::ShowHand { position: Position(2) });
    hall.play(&dealer(), "H1", Command::Settle {});
    for viewer in viewers() {
        assert_eq!(hidden(&hall, &viewer), !is_supervisor(&viewer), "{viewer:?} after the settlement");
    }
}

/// A salt is in nobody's hands before its Player opens it, and in everybody's after: everybody is to check it.
#[test]
fn salts_are_hidden_until_they_are_opened() {
    let mut hall = Hall::open();
    hall.seat("H2", 1, "Ann");
    hall.done(&by_player("Ann"), &commit_salts("H2", "Ann", 0));
    hall.whole_round("H2", &["Ann"], &Cards::default());
    hall.next_round("H2");
    hall.ready("H2", &["Ann"]);
    let salt = hall.next_salt("H2", "Ann").expect("a chain").to_string();
    let knows = |text: &str| text.contains(&salt);
    for viewer in viewers() {
        assert!(!knows(&json(&seen(&hall, "H2", &viewer))), "{viewer:?}");
        assert!(!knows(&json(&told(&hall, &of_table("H2"), &viewer))), "{viewer:?}");
        let shuffle = seen(&hall, "H2", &viewer).shuffle.expect("dealt by software");
        assert_eq!(shuffle.awaited, vec![player("Ann")]);
        assert_eq!(shuffle.own_anchor.is_some(), viewer == as_player("Ann"));
    }
    hall.opens("H2", "Ann");
    for viewer in viewers() {
        assert!(knows(&json(&seen(&hall, "H2", &viewer))), "{viewer:?}");
        let told = told(&hall, &of_table("H2"), &viewer);
        let kinds: Vec<EventKind> =
            told.iter().filter(|entry| knows(&json(entry))).map(|entry| entry.kind).collect();
        assert_eq!(kinds, vec![EventKind::SaltOpened, EventKind::ShuffleSalted]);
    }
}

/// The seed is in nobody's hands before the round is over, and in everybody's after; with it anybody can deal again.
#[test]
fn an_opened_shuffle_can_be_checked_from_the_view() {
    let mut hall = Hall::open();
    hall.whole_round("H2", &["Ann", "Bob"], &Cards::default());
    let before = seen(&hall, "H2", &as_player("Ann")).shuffle.expect("dealt by software");
    assert_eq!(before.previous, None);
    hall.next_round("H2");
    let opened = seen(&hall, "H2", &Viewer::Public).shuffle.and_then(|shuffle| shuffle.previous);
    let opened = opened.expect("the round is over");
    let seed = floor::dealing::Seed(opened.seed.0);
    let commitment = floor::dealing::commitment(&crate::support::table("H2"), opened.round, seed);
    assert_eq!((opened.commitment, before.commitment), (commitment, commitment));
    let salt = floor::dealing::mixed(commitment, &[]);
    assert_eq!(opened.salt, Some(salt));
}

/// Versions have no gap, whoever asks; an entry that is not for a viewer says nothing but that it is there.
#[test]
fn feeds_have_no_gaps() {
    let mut hall = Hall::open();
    hall.whole_round("H1", &["Ann", "Bob"], &Cards::default());
    let restrict = Command::RestrictPlayer { player: player("Ann") };
    hall.play(&crate::support::manager(), "H1", restrict);
    let streams: BTreeSet<_> = hall.log.iter().map(|happened| happened.stream.clone()).collect();
    for stream in streams {
        for viewer in viewers() {
            let told = told(&hall, &stream, &viewer);
            assert!((1..).zip(&told).all(|(version, entry)| entry.version == version));
            for entry in told.iter().filter(|entry| entry.kind == EventKind::NotForYou) {
                assert_eq!((&entry.by, json(&entry.data).as_str()), (&None, "{}"));
                assert!(!matches!(viewer, Viewer::Staff(..)), "the staff may know of {entry:?}");
            }
        }
    }
    let kinds = |viewer: &Viewer| told(&hall, &of_table("H1"), viewer).last().map(|entry| entry.kind);
    assert_eq!(kinds(&as_player("Ann")), Some(EventKind::PlayerRestricted));
    assert_eq!(kinds(&as_player("Bob")), Some(EventKind::NotForYou));
}

/// Told at once, told entry by entry as they happen, and told from the beginning of a later round: the same.
#[test]
fn an_entry_is_told_alike_whenever_it_is_told() {
    for (name, ..) in TABLES {
        let mut hall = Hall::open();
        hall.whole_round(name, &["Ann", "Bob"], &Cards::default());
        hall.next_round(name);
        let mut chance = Chance(9);
        let deck = chance.deck();
        hall.play(&dealer(), name, Command::OpenBets {});
        hall.bet(name, 1, "Ann", PlayingArea::Ante, dollars(100));
        hall.play(&dealer(), name, Command::CloseBets {});
        let middle = hall.floor.table(&crate::support::table(name)).expect("a table").clone();
        let told_before = entries(&hall, &of_table(name)).len();
        while step(&mut hall, name, &mut chance, &deck) {}
        let all = entries(&hall, &of_table(name));
        let last_round = all.iter().rposition(|entry| {
            matches!(journal::decode(&entry.body), Ok(Event::Table(TableEvent::RoundBegan { .. })))
        });
        let last_round = last_round.expect("a round began");
        let now = hall.floor.table(&crate::support::table(name)).expect("a table").clone();
        let library = hall.floor.library();
        for viewer in viewers() {
            let whole = told(&hall, &of_table(name), &viewer);
            let mut context = Context::of(library.clone(), middle.clone());
            let tail: Vec<EventView> = all[told_before..]
                .iter()
                .map(|entry| {
                    let event = journal::decode(&entry.body).expect("it was written");
                    context.follow(&entry.stream, &event).expect("it happened");
                    event_view(entry, &event, &viewer, &context)
                })
                .collect();
            assert_eq!(json(&whole[told_before..].to_vec()), json(&tail), "{name}, {viewer:?}");
            let mut context = Context::of(library.clone(), now.clone());
            let again = feed(&mut context, &all[last_round..], &viewer).expect("it happened");
            assert_eq!(json(&whole[last_round..].to_vec()), json(&again), "{name}, {viewer:?}");
        }
    }
}

/// What is a Player's own is told to that Player and to the staff; money and people of the house to nobody else.
#[test]
fn the_house_is_not_told_to_others() {
    let hall = Hall::open();
    let kinds = |viewer: &Viewer| -> BTreeSet<EventKind> {
        told(&hall, &journal::Stream::House, viewer).iter().map(|entry| entry.kind).collect()
    };
    assert_eq!(kinds(&Viewer::Public), BTreeSet::from([EventKind::HouseOpened, EventKind::NotForYou]));
    let own = BTreeSet::from([
        EventKind::HouseOpened,
        EventKind::NotForYou,
        EventKind::PlayerRegistered,
        EventKind::BoughtIn,
    ]);
    assert_eq!(kinds(&as_player("Ann")), own);
    let text = json(&told(&hall, &journal::Stream::House, &as_player("Ann")));
    assert!(text.contains("Ann") && !text.contains("Bob") && !text.contains("Sue"));
    assert!(!kinds(&as_staff("Dora")).contains(&EventKind::NotForYou));
    let by = |viewer: &Viewer| told(&hall, &of_table("H1"), viewer)[0].by.clone();
    assert_eq!(by(&as_player("Ann")).as_deref(), Some("Dealer"));
    assert_eq!(by(&as_staff("Gus")).as_deref(), Some("Dealer Dora"));
}
