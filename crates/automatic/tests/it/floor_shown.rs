//! The demonstration floor, running by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use automatic::{HOUSE_NAME, Pace, demonstration, house_players};
use floor::{Command, HouseCommand, TableCommand};
use jackpot::TableId;
use journal::{Actor, Currency, DayRule, PlayerKind, Staffing};
use round::{Exposure, Stage};
use rulebook::{Game, PlayingArea};

use crate::evening::Evening;
use crate::support::{Hall, empty, table};

fn demonstration_floor() -> Hall {
    let mut hall = empty();
    hall.done(
        &Actor::System,
        &Command::House(HouseCommand::OpenHouse {
            name: HOUSE_NAME.to_owned(),
            key: [7; 32],
            money: Currency::Play,
            gaming_day: DayRule::default(),
        }),
    );
    for (_, command) in demonstration(&hall.floor) {
        hall.done(&Actor::System, &command);
    }
    hall
}

/// The setup runs once, and continues where it was interrupted; every command has its own id, the same each time.
#[test]
fn set_up_once() {
    let mut hall = empty();
    hall.done(
        &Actor::System,
        &Command::House(HouseCommand::OpenHouse {
            name: HOUSE_NAME.to_owned(),
            key: [7; 32],
            money: Currency::Play,
            gaming_day: DayRule::default(),
        }),
    );
    let all = demonstration(&hall.floor);
    let ids: BTreeSet<_> = all.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids.len(), all.len());
    for (_, command) in all.iter().take(all.len() / 2) {
        hall.done(&Actor::System, command);
    }
    let rest = demonstration(&hall.floor);
    assert!(rest.len() < all.len() && rest.iter().all(|one| all.contains(one)));
    for (_, command) in rest {
        hall.done(&Actor::System, &command);
    }
    assert_eq!(demonstration(&hall.floor), []);
}

/// All four books are played without staff, with two to four house players at a table and positions free for
/// guests; one Player alone has a table of each game, and the staff a live-dealt one.
#[test]
fn what_is_there() {
    let hall = demonstration_floor();
    let (mut books, mut live, mut alone) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for table in hall.floor.tables() {
        let here = house_players().into_iter().filter(|player| player.table == *table.id()).count();
        match table.setup().staffing {
            Staffing::Automatic if table.setup().positions == 1 => {
                alone.insert(matches!(table.book().game, Game::Stud(_)));
                assert_eq!(here, 0);
            }
            Staffing::Automatic => {
                books.insert(table.setup().rulebook.clone());
                assert!((2..=4).contains(&here) && here < usize::from(table.setup().positions));
            }
            Staffing::Staffed => {
                live.insert(matches!(table.book().game, Game::Stud(_)));
                assert_eq!((here, table.is_software_dealt()), (0, false));
            }
        }
    }
    assert_eq!((books.len(), live.len(), alone.len()), (4, 2, 2));
    let house = hall.floor.house();
    assert!(house_players().iter().all(|player| house.player(&player.player) == Some(PlayerKind::House)));
    let posts: BTreeSet<_> = house.staff().map(|(_, post)| post).collect();
    assert_eq!(posts.len(), 8, "four offices, and four departments beside Table Games");
}

/// Hours of play: thousands of rounds of all books, every stage reached, each round in time, and the money
/// checked after every command.
#[test]
fn plays_by_itself() {
    const HOURS: u64 = 4;
    let hall = demonstration_floor();
    let meters: Vec<_> = hall.floor.links().map(|(id, desk)| (id.clone(), desk.link().meter())).collect();
    let mut evening = Evening::begin(hall, Pace::demonstration(), house_players());
    evening.pass(Duration::from_hours(HOURS));
    let mut rounds: BTreeMap<TableId, u64> = BTreeMap::new();
    for played in evening.hall.floor.tables() {
        rounds.insert(played.id().clone(), played.number());
    }
    for live in ["MTHB9-LIVE", "MSSP9-LIVE"] {
        assert_eq!(rounds.remove(&table(live)), Some(1), "a staffed table waits for its staff");
    }
    for alone in ["MTHB9-SOLO", "MSSP9-SOLO"] {
        assert_eq!(rounds.remove(&table(alone)), Some(1), "a table for one waits for its Player");
    }
    // A round takes 20 to 35 seconds.
    assert!(rounds.values().all(|played| (102 * HOURS..=180 * HOURS).contains(played)), "{rounds:?}");
    assert!(2_000 < rounds.values().sum::<u64>());
    let reached: BTreeSet<String> = evening.stages.iter().map(|(.., stage)| format!("{stage:?}")).collect();
    for stage in [
        Stage::BeforeBets,
        Stage::BetsOpen,
        Stage::Dealing,
        Stage::Deciding(PlayingArea::Flop),
        Stage::Exposing(Exposure::FlopCards),
        Stage::Deciding(PlayingArea::Turn),
        Stage::Exposing(Exposure::TurnCard),
        Stage::Deciding(PlayingArea::River),
        Stage::Exposing(Exposure::RiverCard),
        Stage::Exposing(Exposure::UpCard),
        Stage::Deciding(PlayingArea::Bet),
        Stage::Exposing(Exposure::DealerHand),
        Stage::Showing,
        Stage::Settling,
        Stage::Concluded,
    ] {
        assert!(reached.contains(&format!("{stage:?}")), "{stage:?} was never reached");
    }
    for (link, before) in meters {
        let desk = evening.hall.floor.link(&link).expect("a link");
        let awarded = desk.link().open_awards().next().is_some();
        assert!(before < desk.link().meter() || awarded, "{link} stood still");
    }
    let silent = |actor: &Actor, command: &Command| {
        let Command::Table { command: TableCommand::Round(command), .. } = command else { return false };
        *actor == Actor::System
            && matches!(command, round::Command::ReportAbsent { .. } | round::Command::Decide { .. })
    };
    assert!(
        !evening.given.iter().any(|(_, actor, command)| silent(actor, command)),
        "the house's Players decide in time"
    );
}

/// The same floor plays the same evening: what house players do depends only on their names and the cards.
#[test]
fn plays_the_same_again() {
    let mut evenings =
        [(), ()].map(|()| Evening::begin(demonstration_floor(), Pace::demonstration(), house_players()));
    for evening in &mut evenings {
        evening.pass(Duration::from_mins(5));
    }
    let [one, other] = evenings;
    assert_eq!(one.given, other.given);
}
