//! What the house does for one Player costs the same however many Players it knows, also while others read it as it was.

use std::time::Instant;

use floor::{Floor, Library};
use journal::{AccountHolder, Actor, CredentialChange, Event, Hash, HouseEvent, Moment, PlayerKind, Stream};
use money::Money;
use round::PlayerId;
use rulebook::Means;
use simtest::fuzz::Counting;

/// How many Players come while it is measured.
const COMING: u32 = 2_500;

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
    let (mut known, mut bytes, mut times) = (0_u32, Vec::new(), Vec::new());
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
        let began = Instant::now();
        let asked_for = Counting::asked_for(|| {
            for number in size..size + COMING {
                comes_in(&mut floor, number);
            }
        });
        known = size + COMING;
        times.push(began.elapsed() / COMING);
        bytes.push(asked_for / COMING as usize);
        let page: Vec<&PlayerId> =
            floor.house().players_named("player 8", Some("Player 80")).take(10).collect();
        assert!(page.iter().all(|player| player.name().starts_with("Player 8")), "{page:?}");
    }
    println!("for one who comes in: {bytes:?} bytes, {times:?}");
    let ([few, many, most], [quick, _, slow]) = (bytes.as_slice(), times.as_slice()) else {
        panic!("three sizes")
    };
    // A tree of a thousand times the size is two levels deeper.
    assert!(*many < few * 2 && *most < few * 2, "{bytes:?} bytes");
    // Looking at every Player would take hundreds of times as long; a busy machine does not.
    assert!(*slow < *quick * 100, "{times:?}");
}
