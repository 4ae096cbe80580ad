//! What the house does for one Player costs the same however many Players it knows, also while others read it as it was.

use std::time::{Duration, Instant};

use floor::{Floor, Library};
use journal::{AccountHolder, Actor, CredentialChange, Event, Hash, HouseEvent, Moment, PlayerKind, Stream};
use money::Money;
use round::PlayerId;
use rulebook::Means;

/// How many Players come while it is measured, and how often.
const COMING: u32 = 500;
const TIMES: u32 = 5;

fn name(number: u32) -> PlayerId {
    // In no order, as names come.
    PlayerId::new(&format!("Player {:08x}", number.wrapping_mul(2_654_435_761)))
}

fn write(floor: &mut Floor, event: HouseEvent) {
    floor
        .evolve(&Stream::House, &Event::House(event), Moment(1_700_000_000_000), &Actor::System)
        .expect("written");
}

/// Everything that is written for a Player who comes in: registered, a password, cash, a session that ended.
fn comes_in(floor: &mut Floor, number: u32) {
    let player = name(number);
    let who = || AccountHolder::Player(player.clone());
    let amount = Money::from_cents(100);
    let digest = Hash::of([number.to_be_bytes()]);
    let events = [
        HouseEvent::PlayerRegistered { player: player.clone(), kind: PlayerKind::Member },
        HouseEvent::CredentialSet { who: who(), how: CredentialChange::Invitation, row: None },
        HouseEvent::BoughtIn { player: player.clone(), amount, means: Means::Credits, identity: None },
        HouseEvent::SessionEnded { who: who(), session: digest },
    ];
    for event in events {
        // Somebody still reads the house as it was before.
        let before = floor.house().clone();
        write(floor, event);
        drop(before);
    }
}

#[test]
fn registering_a_player_costs_the_same_at_a_million() {
    let mut floor = Floor::new(Library::embedded());
    let (mut known, mut costs) = (0_u32, Vec::new());
    for size in [1_000_u32, 100_000, 1_000_000] {
        for number in known..size {
            write(
                &mut floor,
                HouseEvent::PlayerRegistered { player: name(number), kind: PlayerKind::Member },
            );
            if number % 8 == 0 {
                comes_in(&mut floor, number);
            }
        }
        known = size;
        let mut least = Duration::MAX;
        for _ in 0..TIMES {
            let began = Instant::now();
            for number in known..known + COMING {
                comes_in(&mut floor, number);
            }
            known += COMING;
            least = least.min(began.elapsed() / COMING);
        }
        println!("{size} Players: {} ns for one who comes in", least.as_nanos());
        costs.push(least);
        let page: Vec<&PlayerId> =
            floor.house().players_named("player 8", Some("Player 80")).take(10).collect();
        assert!(page.iter().all(|player| player.name().starts_with("Player 8")), "{page:?}");
    }
    let [few, many, most] = costs.as_slice() else { panic!("three sizes") };
    // A tree of a thousand times the size is two levels deeper.
    let at_most = *few * 6;
    assert!(*many < at_most && *most < at_most, "{few:?} at a thousand, {many:?}, {most:?} at a million");
}
