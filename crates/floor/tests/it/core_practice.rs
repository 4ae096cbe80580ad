//! Practice floors: no money for life, and names that say so in every entry.

use floor::{Command, HouseCommand};
use jackpot::Parameters;
use journal::{Actor, Currency, DayRule, LinkId, Staffing};
use money::{Money, Pool, Rate};
use round::Command as C;
use rulebook::Means;

use crate::support::{Hall, empty, player, table};

fn open_house(name: &str) -> Command {
    let (name, key, money) = (name.to_owned(), [7; 32], Currency::Practice);
    let gaming_day = DayRule::default();
    Command::House(HouseCommand::OpenHouse { name, key, money, gaming_day })
}

fn practice() -> Hall {
    let mut hall = empty();
    assert_eq!(hall.refused(&Actor::System, &open_house("The House")).reason, "NotMarkedAsPractice");
    hall.done(&Actor::System, &open_house("PRACTICE FLOOR"));
    hall
}

fn open_link(name: &str) -> Command {
    let parameters = Parameters {
        minimum_wager: Money::from_cents(500),
        contribution: Rate::from_basis_points(2_500).expect("a rate"),
        reset: Money::from_cents(5_000_000),
        reserve: None,
        cap: None,
        round_contribution_max: Pool::from_ten_thousandths(7 * 5 * 500 * 10_000),
    };
    let opening = Money::from_cents(6_000_000).try_into().expect("it fits");
    let books = vec!["megalink-holdem-v9".to_owned()];
    Command::House(HouseCommand::OpenLink { link: LinkId::new(name), books, settings: parameters, opening })
}

#[test]
fn every_name_of_a_practice_floor_says_so() {
    let mut hall = practice();
    assert_eq!(hall.refused(&Actor::System, &open_link("Megalink")).reason, "NotMarkedAsPractice");
    hall.done(&Actor::System, &open_link("PRACTICE Megalink"));
    let setup = |link: Option<&str>| journal::OpenTable {
        rulebook: "megalink-holdem-v9".to_owned(),
        positions: 6,
        layout: None,
        jackpot_means: None,
        limits: rulebook::Limits {
            ante: Money::from_cents(1_000)..=Money::from_cents(50_000),
            bonus: Some(Money::from_cents(500)..=Money::from_cents(10_000)),
        },
        method: None,
        dealing: journal::Dealing::Software,
        staffing: Staffing::Staffed,
        link: link.map(LinkId::new),
        reason: None,
    };
    let open = |name: &str| {
        let setup = setup(Some("PRACTICE Megalink"));
        Command::House(HouseCommand::OpenTable { table: table(name), setup })
    };
    assert_eq!(hall.refused(&Actor::System, &open("H1")).reason, "NotMarkedAsPractice");
    hall.done(&Actor::System, &open("practice-1"));
    // No cash comes in, and no named card lies on a table that is dealt from a shuffle.
    let buy_in = HouseCommand::BuyIn {
        player: player("Ann"),
        amount: Money::from_cents(100),
        means: Means::Chips,
        identity: None,
    };
    assert_eq!(hall.refused(&Actor::System, &Command::House(buy_in)).reason, "PlayMoney");
    let card = Some("As".parse().expect("a card"));
    let command = journal::TableCommand::Round(C::DealCard { card });
    let deal = Command::Table { table: table("practice-1"), command };
    assert_eq!(hall.refused(&Actor::System, &deal).reason, "SoftwareDeals");
}
