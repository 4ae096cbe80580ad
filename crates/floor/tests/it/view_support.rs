//! What the tests of views share: every viewer, the log as entries, and a random round played from a seed.

use cards::Card;
use floor::Table;
use floor::view::{Context, EventView, HouseView, LinkView, PlayersPage, TableView, Viewer, feed};
use jackpot::Person;
use journal::{CommandId, Entry, GENESIS, Head, Moment, Proposal, Stream, Version};
use round::{Command, Decision, Effect, Place, Ruling, Stage};
use rulebook::{Office, PlayingArea, Position};
use serde::Serialize;

use crate::support::{
    Hall, MEMBERS, STAFF, by_player, dealer, dollars, player, shift_manager, staff, supervisor, table,
};

/// Everybody who may look.
pub(crate) fn viewers() -> Vec<Viewer> {
    let players = MEMBERS.iter().map(|name| Viewer::Player(player(name)));
    let staff = STAFF.iter().map(|(name, office)| Viewer::Staff(Person::new(name), *office));
    std::iter::once(Viewer::Public).chain(players).chain(staff).collect()
}

pub(crate) fn as_player(name: &str) -> Viewer {
    Viewer::Player(player(name))
}

pub(crate) fn as_staff(name: &str) -> Viewer {
    let office = STAFF.iter().find(|(person, _)| *person == name).map(|(_, office)| *office);
    Viewer::Staff(Person::new(name), office.expect("one of STAFF"))
}

pub(crate) fn is_supervisor(viewer: &Viewer) -> bool {
    matches!(viewer, Viewer::Staff(_, office) if Office::PitSupervisor <= *office)
}

pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a view can be written")
}

pub(crate) fn the_table<'h>(hall: &'h Hall, name: &str) -> &'h Table {
    hall.floor.table(&table(name)).expect("a table")
}

/// A table as a viewer sees it.
pub(crate) fn seen(hall: &Hall, name: &str, viewer: &Viewer) -> TableView {
    let link = hall.floor.link_of(&table(name)).and_then(|link| hall.floor.link(link));
    TableView::of(
        the_table(hall, name),
        link.map(AsRef::as_ref),
        hall.floor.house().limits(),
        Version(1),
        viewer,
    )
}

/// Everything a viewer is sent about a table: the view, the sign of its link, the house.
pub(crate) fn all_seen(hall: &Hall, name: &str, viewer: &Viewer) -> String {
    let link = hall.floor.link_of(&table(name)).map(|link| LinkView::of(&hall.floor, link, Version(1)));
    let page = PlayersPage { limit: 100, ..PlayersPage::default() };
    let house = HouseView::of(&hall.floor, &std::collections::BTreeMap::new(), &page, viewer);
    format!("{}\n{}\n{}", json(&seen(hall, name, viewer)), json(&link), json(&house))
}

/// A stream of the log as entries; all are the Dealer's doing, a second apart.
pub(crate) fn entries(hall: &Hall, stream: &Stream) -> Vec<Entry> {
    let mut head = Head { stream: stream.clone(), version: Version(0), hash: GENESIS };
    let mut all = Vec::new();
    for happened in hall.log.iter().filter(|happened| happened.stream == *stream) {
        let (id, at) = (CommandId([7; 16]), Moment(1_800_000_000_000 + 1000 * head.version.0));
        let body = journal::encode(&happened.event);
        let entry = Entry::after(&head, id, dealer(), at, body, happened.transfers.clone());
        head = entry.head();
        all.push(entry);
    }
    all
}

/// A stream as a viewer is told of it from the beginning.
pub(crate) fn told(hall: &Hall, stream: &Stream, viewer: &Viewer) -> Vec<EventView> {
    let mut context = Context::new(hall.floor.library().clone());
    feed(&mut context, &entries(hall, stream), viewer).expect("a log that was written can be told")
}

pub(crate) fn of_table(name: &str) -> Stream {
    Stream::Table(table(name))
}

/// Numbers from a seed (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }

    pub(crate) fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }

    pub(crate) fn deck(&mut self) -> Vec<Card> {
        let mut deck: Vec<Card> = (0..52).map(|index| Card::from_index(index).expect("a card")).collect();
        for place in (1..deck.len()).rev() {
            let other = usize::try_from(self.below(place as u64 + 1)).expect("small");
            deck.swap(place, other);
        }
        deck
    }
}

/// Seats Ann, Bob, Ann again and Cat, with wagers on most areas, and closes bets.
pub(crate) fn begin(hall: &mut Hall, name: &str, chance: &mut Chance) {
    let _ = hall.at(&dealer(), name, Command::InformPlayer { player: player("Ann") });
    for (position, who) in [(1, "Ann"), (2, "Bob"), (3, "Ann"), (4, "Cat")] {
        hall.seat(name, position, who);
    }
    hall.play(&dealer(), name, Command::OpenBets {});
    for (position, who) in [(1, "Ann"), (2, "Bob"), (3, "Ann"), (4, "Cat")] {
        hall.bet(name, position, who, PlayingArea::Ante, dollars(100));
        let bonus = hall.round(name).book().areas().contains(&PlayingArea::Bonus);
        if bonus && chance.one_in(2) {
            hall.bet(name, position, who, PlayingArea::Bonus, dollars(25));
        }
        if chance.one_in(2) {
            hall.bet(name, position, who, PlayingArea::Jackpot, dollars(5));
        }
    }
    hall.play(&dealer(), name, Command::CloseBets {});
}

/// The next thing of a round, whatever the cards are; whether there was one. At a live table the cards come from
/// `deck` in the order of dealing, some of them read only when they are needed.
pub(crate) fn step(hall: &mut Hall, name: &str, chance: &mut Chance, deck: &[Card]) -> bool {
    if chance.one_in(150) {
        let ruling = Ruling { words: "the lights went out".to_owned(), effects: vec![Effect::Void] };
        let proposal = Proposal::Rule { table: table(name), round: hall.number(name), ruling };
        hall.two_sign(&shift_manager(), &staff("Gia"), proposal).expect("two people rule");
    }
    let round = hall.round(name);
    let live = !the_table(hall, name).is_software_dealt();
    let positions: Vec<Position> =
        round.seats().filter(|(_, seat)| seat.is_active()).map(|(position, _)| position).collect();
    match round.stage() {
        Stage::Dealing if live => {
            let place = round.next_place().expect("a card is due");
            let at = round.deal_order().iter().position(|other| *other == place).expect("of the order");
            let card = (!chance.one_in(4)).then_some(deck[at]);
            hall.play(&dealer(), name, Command::DealCard { card });
        }
        Stage::Dealing => hall.deal(name, &crate::support::Cards::default()),
        Stage::Exposing(_) | Stage::Showing | Stage::Settling if live && read_one(hall, name, deck) => {}
        Stage::Exposing(_) => {
            hall.play(&dealer(), name, Command::Expose {});
        }
        Stage::Deciding(area) => {
            let position = positions[usize::try_from(chance.below(positions.len() as u64)).expect("small")];
            let who = hall.round(name).seat(position).and_then(|seat| seat.holder()).expect("held").clone();
            if chance.one_in(3) {
                let _ = hall.at(&by_player(who.name()), name, Command::ViewHand { position });
            }
            let first = area == hall.round(name).book().first_area();
            let decision = match (first, chance.below(3)) {
                (true, 0) => Decision::Fold,
                (false, 0) => Decision::Check,
                (_, _) => Decision::Wager,
            };
            let _ = hall.at(&by_player(who.name()), name, Command::Decide { position, decision });
        }
        Stage::Showing => {
            let position = positions[usize::try_from(chance.below(positions.len() as u64)).expect("small")];
            if chance.one_in(3) {
                let _ = hall.at(&dealer(), name, Command::DeclineComparison { position });
                if chance.one_in(2) {
                    let _ = hall.at(&supervisor(), name, Command::ViewDeclinedHand { position });
                }
            } else {
                let _ = hall.at(&dealer(), name, Command::ShowHand { position });
            }
        }
        Stage::Settling => {
            hall.play(&dealer(), name, Command::Settle {});
        }
        Stage::BeforeBets | Stage::BetsOpen | Stage::Concluded | Stage::Void | Stage::Closed => return false,
    }
    true
}

/// Reads one card that was dealt unread; whether there was one.
fn read_one(hall: &mut Hall, name: &str, deck: &[Card]) -> bool {
    let round = hall.round(name);
    let order = round.deal_order().iter().enumerate();
    let unread: Option<(usize, Place)> = order
        .map(|(at, place)| (at, *place))
        .find(|(_, place)| round.has_dealt(*place) && !round.is_read(*place));
    let Some((at, place)) = unread else {
        return false;
    };
    hall.play(&dealer(), name, Command::ReadCard { place, card: deck[at] });
    true
}
