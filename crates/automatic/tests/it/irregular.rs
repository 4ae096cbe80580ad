//! Whatever happens at an automatic table, the dealer finishes the round.

use std::time::Duration;

use automatic::{Act, Dealer, Pace};
use floor::{Command, HouseCommand};
use journal::Actor;
use proptest::prelude::*;
use round::{CardFault, Decision, Stage};
use rulebook::{Means, PlayingArea, Position};

use crate::evening::automatic;
use crate::support::{
    Hall, MSSP9, MTHB6, MTHB9, THB6, by_player, dollars, manager, player, shift_manager, table, wager,
};

const WHO: [&str; 3] = ["Ann", "Bob", "Cat"];

/// Something that may happen: accepted or refused according to the rules.
fn anything() -> impl Strategy<Value = (Actor, round::Command)> {
    let position = (1_u8..=4).prop_map(Position);
    let who = prop::sample::select(WHO.to_vec());
    let decision = prop::sample::select(vec![Decision::Fold, Decision::Wager, Decision::Check]);
    let by_manager = |command| (shift_manager(), command);
    prop_oneof![
        6 => (position.clone(), decision)
            .prop_map(move |(position, decision)| by_manager(round::Command::Decide { position, decision })),
        2 => position.clone().prop_map(move |position| by_manager(round::Command::ViewHand { position })),
        2 => position.clone().prop_map(move |position| by_manager(round::Command::ShowHand { position })),
        2 => position.clone()
            .prop_map(move |position| by_manager(round::Command::DeclineComparison { position })),
        1 => position.clone().prop_map(move |position| by_manager(round::Command::ReportAbsent { position })),
        1 => (position.clone(), any::<bool>()).prop_map(move |(position, reconstructed)| {
            by_manager(round::Command::ReportHandCount { position, reconstructed })
        }),
        1 => Just(by_manager(round::Command::ReportPowerFailure {})),
        1 => Just(by_manager(round::Command::PermitWithdrawals {})),
        1 => Just(by_manager(round::Command::ReportExposedCards { cards: 1 })),
        1 => Just(by_manager(round::Command::DeclareBadCards { fault: CardFault::Extra })),
        1 => Just(by_manager(round::Command::CountCards { counted: 52 })),
        2 => prop::collection::vec((position.clone(), prop::sample::select(vec![2_u8, 5])), 1..4)
            .prop_map(move |piles| {
                let found = |(position, cards)| round::FoundPile { position, cards };
                by_manager(round::Command::ReportMisdeal {
                    piles: piles.into_iter().map(found).collect(),
                    also: Vec::new(),
                })
            }),
        2 => who.clone().prop_map(|who| (by_player(who), round::Command::Withdraw { player: player(who) })),
        1 => who.clone().prop_map(move |who| by_manager(round::Command::StopAction { player: player(who), reason: Some("showed the hand".to_owned()) })),
        1 => who.clone().prop_map(move |who| by_manager(round::Command::ProhibitPlayer { player: player(who), reason: Some("showed the hand".to_owned()) })),
        1 => position.clone()
            .prop_map(move |position| by_manager(round::Command::InvalidateHands { positions: vec![position] })),
        1 => (position, who).prop_map(|(position, who)| {
            let (area, owner) = (PlayingArea::Ante, player(who));
            (by_player(who), round::Command::TakeBackWager { position, area, owner })
        }),
    ]
}

/// A round at a table of a book: which Players place which wagers, and what happens after how many actions of the
/// dealer.
fn check(book: &str, antes: &[bool], jackpots: &[bool], happens: &[(usize, (Actor, round::Command))]) {
    let mut hall = Hall::demonstration();
    let link = match book {
        THB6 => "own",
        MTHB6 => "six",
        _ => "mega",
    };
    hall.done(
        &manager(),
        &Command::House(HouseCommand::OpenTable { table: table("A"), setup: automatic(book, Some(link)) }),
    );
    for (position, who) in (1..).zip(WHO) {
        hall.seat("A", position, who);
    }
    let dealer = Dealer { pace: Pace::demonstration() };
    let mut acts = 0;
    let mut happens = happens.iter().peekable();
    let mut placed = false;
    while hall.floor.table(&table("A")).expect("a table").number() < 2 {
        assert!(acts < 80, "stuck at {:?}", hall.round("A").stage());
        if hall.round("A").stage() == Stage::BetsOpen && !placed {
            placed = true;
            for (position, who) in (1..).zip(WHO) {
                let at = usize::from(position) - 1;
                let areas = [(antes[at], PlayingArea::Ante, 25), (jackpots[at], PlayingArea::Jackpot, 5)];
                for (_, area, amount) in areas.into_iter().filter(|(places, ..)| *places) {
                    hall.play(
                        &by_player(who),
                        "A",
                        wager(position, who, area, dollars(amount), Means::Credits),
                    );
                }
            }
        }
        while let Some((_, (actor, command))) = happens.next_if(|(after, _)| *after <= acts) {
            // The rules may refuse it; then it has not happened.
            let _ = hall.at(actor, "A", command.clone());
        }
        let at = hall.floor.table(&table("A")).expect("a table");
        let Some(Act::Now(command)) = dealer.next(at, Duration::from_hours(24)) else {
            let wagered = at.round().seats().any(|(_, seat)| seat.has_wagers());
            assert_eq!((at.round().stage(), wagered), (Stage::BetsOpen, false), "only an idle table waits");
            return;
        };
        hall.table(&Actor::System, "A", command);
        acts += 1;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, ..ProptestConfig::default() })]

    /// Any round with any events in it is finished, and no action of the dealer is refused on the way.
    #[test]
    fn every_round_ends(
        book in prop::sample::select(vec![MTHB9, MTHB6, THB6, MSSP9]),
        antes in prop::collection::vec(prop::bool::weighted(0.8), 3),
        jackpots in prop::collection::vec(any::<bool>(), 3),
        mut happens in prop::collection::vec((4_usize..26, anything()), 0..14),
    ) {
        happens.sort_by_key(|(after, _)| *after);
        check(book, &antes, &jackpots, &happens);
    }
}
