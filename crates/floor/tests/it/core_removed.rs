//! A hand is removed after its round was settled and entered (5.7). Whatever was entered and paid by then, the round ends
//! as a record of the same facts is settled: the winners get the same to the cent, and the meter stands the same.

use floor::DeskCommand;
use floor::audit::Options;
use jackpot::{Award, AwardNumber, AwardState, Parameters};
use journal::{Dealing, Proposal};
use money::{Money, Pool, Rate};
use record::{Books, Record, settle};
use round::{Effect, Place, Ruling};
use rulebook::Position;
use serde_json::{Value, json};

use crate::audit_support::{given, sealed};
use crate::support::{
    Cards, Hall, MSSP9, MTHB6, MTHB9, accountant, checked, dealer, link, manager, parameters, player, setup,
    shift_manager, staff, supervisor, table,
};

const PLAYERS: [&str; 3] = ["Ann", "Bob", "Cat"];

/// The figures of the link, and its opening in ten-thousandths of a cent.
const OPENING: u64 = 1_000_000_370_123;

/// How a hand is removed.
#[derive(Clone, Copy, Debug)]
enum Removal {
    /// A wrong number of cards (5.7).
    Count(u8),
    /// Its Player withdraws, after another hand was removed (5.7.1).
    Withdrawn(u8),
    /// A ruling (6.1).
    Ruled(u8),
}

impl Removal {
    const fn position(self) -> u8 {
        match self {
            Removal::Count(position) | Removal::Withdrawn(position) | Removal::Ruled(position) => position,
        }
    }
}

struct Case {
    book: &'static str,
    cards: Cards,
    removals: Vec<Removal>,
    /// The awards paid before the first removal, by number.
    paid: Vec<u64>,
    /// Whether another table wins a tenth before the first removal.
    between: bool,
    /// Whether the link has a reserve, and a cap that the round reaches.
    capped: bool,
}

/// Two straight flushes on one board.
fn two_straight_flushes() -> Cards {
    Cards::default().hand(1, "5h 6h").hand(2, "Th Jh").community("7h 8h 9h 2c 3d")
}

/// A royal and a straight flush on one board.
fn royal_and_straight_flush() -> Cards {
    Cards::default().hand(1, "Ah Kh").hand(2, "8h 9h").community("Th Jh Qh 2c 3d")
}

fn stud(hands: [&str; 3]) -> Cards {
    let numbered = (1..).zip(hands);
    numbered.fold(Cards::default(), |cards, (position, hand)| cards.hand(position, hand))
}

/// Straight flushes, royals, and cards that win nothing.
const FLUSHES: [&str; 3] = ["5h 6h 7h 8h 9h", "5s 6s 7s 8s 9s", "2c 3c 4c 5c 6c"];
const ROYALS: [&str; 3] = ["Ah Kh Qh Jh Th", "As Ks Qs Js Ts", "Ac Kc Qc Jc Tc"];
const NOTHING: &str = "2d 4s 9c Jd Kc";

fn figures(case: &Case) -> Parameters {
    let mut figures = parameters();
    if case.capped {
        figures.reserve = Some(Rate::from_basis_points(777).expect("a rate"));
        // Room for two and a half of the three contributions of 50 cents.
        figures.cap = Some(Money::from_cents(OPENING / 10_000 + 125));
    }
    figures
}

fn opened(case: &Case) -> Hall {
    let mut hall = Hall::open();
    let (books, settings) = (vec![case.book.to_owned()], figures(case));
    let opening = Pool::from_ten_thousandths(OPENING);
    let open = Proposal::OpenLink { link: link("test"), books, settings, opening };
    hall.two_sign(&shift_manager(), &accountant(), open).expect("two people may");
    for name in ["A", "B"] {
        let setup = setup(case.book, Dealing::Live, Some("test"));
        hall.open_table(name, setup);
    }
    hall
}

fn awards(hall: &Hall) -> &[Award] {
    hall.floor.link(&link("test")).expect("a link").link().awards()
}

/// Takes an award through the desk.
fn pay(hall: &mut Hall, award: AwardNumber) {
    for award in crate::core_jackpot::unchecked(hall, "test", award) {
        hall.desk(&supervisor(), "test", DeskCommand::Verify { award, checklist: checked() });
    }
    hall.desk(&manager(), "test", DeskCommand::Approve { award });
    let place = usize::try_from(award.0 - 1).expect("few");
    if awards(hall)[place].needs_due_diligence() && awards(hall)[place].due_diligence.is_none() {
        let reference = "file 7".to_owned();
        hall.desk(&supervisor(), "test", DeskCommand::RecordDueDiligence { award, reference });
    }
    hall.desk(&dealer(), "test", DeskCommand::Pay { award, means: None });
}

fn remove(hall: &mut Hall, removal: Removal) {
    let position = Position(removal.position());
    let command = match removal {
        Removal::Count(_) => round::Command::ReportHandCount { position, reconstructed: false },
        Removal::Withdrawn(at) => {
            hall.play(&shift_manager(), "A", round::Command::PermitWithdrawals {});
            round::Command::Withdraw { player: player(PLAYERS[usize::from(at) - 1]) }
        }
        Removal::Ruled(_) => {
            let effects = vec![Effect::HandOut { position }];
            round::Command::MakeRuling { ruling: Ruling { words: "fouled".to_owned(), effects } }
        }
    };
    let proposal = Proposal::UndoRound { table: table("A"), round: hall.number("A"), command };
    hall.two_sign(&staff("Sam"), &shift_manager(), proposal).expect("two people may");
}

/// The same facts as a record: the hands that were removed had the wrong number of cards, or withdrew.
fn recorded(case: &Case) -> Value {
    let cards = |count: u8, place: &dyn Fn(u8) -> Place| -> Vec<String> {
        (0..count).map(|at| case.cards.at(place(at)).to_string()).collect()
    };
    let (in_hand, on_board) = if case.book == MSSP9 { (5, 0) } else { (2, 5) };
    let positions: Vec<Value> = (1..=3_u8)
        .map(|position| {
            let mut record = json!({
                "position": position,
                "player": PLAYERS[usize::from(position) - 1],
                "ante": 10_000,
                "jackpot": 1,
                "cards": cards(in_hand, &|at| Place::Player(Position(position), at)),
                "decision": "bet",
            });
            if on_board != 0 {
                record["turn"] = json!("bet");
                record["river"] = json!("bet");
            }
            record
        })
        .collect();
    let removed: Vec<u8> = case.removals.iter().map(|removal| removal.position()).collect();
    let (first, others) = removed.split_first().expect("a hand is removed");
    // A record knows no cap: what the cap lets onto the meter is put there beforehand.
    let standing = 3 - u64::try_from(removed.len()).expect("few");
    let (meter, rate) =
        if case.capped { (OPENING + (standing * 50).min(125) * 10_000, 0) } else { (OPENING, 1_000) };
    let mut record = json!({
        "id": "the same facts",
        "rulebook": case.book,
        "table": { "positions": 6, "limits": { "ante": [2_500, 100_000] } },
        "jackpot": {
            "meter": meter / 10_000, "fraction": meter % 10_000, "reset": 5_000_000, "minimum_wager": 500,
            "contribution_bps": rate,
        },
        "positions": positions,
        "dealer": cards(in_hand, &Place::Dealer),
        "irregularities": [{ "kind": "player-count", "position": first, "withdraw": others }],
    });
    if on_board != 0 {
        record["community"] = json!(cards(on_board, &Place::Community));
        record["table"]["limits"]["bonus"] = json!([500, 50_000]);
    }
    record
}

/// Plays a case live and settles it from a record, and compares.
fn agree(case: &Case) {
    let mut hall = opened(case);
    hall.whole_round("A", &PLAYERS, &case.cards);
    for award in &case.paid {
        pay(&mut hall, AwardNumber(*award));
    }
    let mut later = 0;
    if case.between {
        let before = hall.meter("test").ten_thousandths();
        let hand = if case.book == MSSP9 { "5d 6d 7d 8d 9d" } else { "5h 6h" };
        hall.whole_round("B", &["Dov"], &Cards::default().hand(1, hand).community("7h 8h 9h 2c 3d"));
        later = i128::from(hall.meter("test").ten_thousandths()) - i128::from(before);
    }
    let of_others = |hall: &Hall| -> Vec<Award> {
        awards(hall).iter().filter(|award| award.entry.table == table("B")).cloned().collect()
    };
    let others = of_others(&hall);
    for removal in &case.removals {
        remove(&mut hall, *removal);
    }
    assert_eq!(of_others(&hall), others, "an award of another round keeps its amount");

    let text = recorded(case).to_string();
    let record: Record<'_> = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let books = Books::new(rulebook::embedded());
    let answer = settle(&books, &record).unwrap_or_else(|error| panic!("{error:?}: {text}"));
    // What was paid is not taken back, though it was a few cents more than is due without another hand's contribution.
    let paid = won(&hall, |award| award.state == AwardState::Paid);
    let paid_to =
        |position| paid.iter().find(|(at, _)| *at == position).map_or(Money::ZERO, |(_, paid)| *paid);
    let awards = answer.jackpot.awards.iter().map(|award| (award.position, award.amount));
    let due: Vec<(u8, Money)> = awards.map(|(at, due)| (at, due.max(paid_to(at)))).collect();
    assert_eq!(won(&hall, stands), due, "{text}");
    let kept: u64 = due.iter().map(|(_, due)| due.cents()).sum::<u64>()
        - answer.jackpot.awards.iter().map(|award| award.amount.cents()).sum::<u64>();
    assert!(kept <= 50, "at most the contribution of a hand that was removed");
    let meter = (answer.jackpot.meter.cents() - kept) * 10_000 + u64::from(answer.jackpot.fraction);
    // What had gone above the cap came back onto the meter when it restarted.
    let fed = self::awards(&hall).iter().filter(|award| stands(award)).filter_map(|award| award.reset);
    let fed: u64 = fed.map(|reset| reset.overflow.cents() * 10_000).sum();
    let expected = i128::from(meter) + later + i128::from(fed);
    assert_eq!(i128::from(hall.meter("test").ten_thousandths()), expected, "{text}");

    pay_the_queue(&mut hall);
    assert_eq!(won(&hall, |award| award.state == AwardState::Paid), due, "what was due is what was paid");
    let database = sealed(&given(&hall));
    let report = database.audit(&Options { key: Some(database.signer.public_key()), ..Options::default() });
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(report.is_well(), "{findings:#?}");
}

/// Whether an award was paid or is still to be paid.
fn stands(award: &Award) -> bool {
    award.is_open() || award.state == AwardState::Paid
}

/// What some awards of the round come to for each hand, in the order of their lines.
fn won(hall: &Hall, which: fn(&Award) -> bool) -> Vec<(u8, Money)> {
    let mut won: Vec<(u8, Money)> = Vec::new();
    let mut of_round: Vec<&Award> = awards(hall)
        .iter()
        .filter(|award| award.entry.table == table("A"))
        .filter(|award| which(award))
        .collect();
    of_round.sort_by_key(|award| (award.hand, award.position));
    for award in of_round {
        match won.iter_mut().find(|(position, _)| *position == award.position.0) {
            Some((_, sum)) => *sum = sum.plus(award.amount).expect("fits"),
            None => won.push((award.position.0, award.amount)),
        }
    }
    won
}

/// Everything that is to be paid can be paid, one after the other.
fn pay_the_queue(hall: &mut Hall) {
    loop {
        let queue = hall.floor.link(&link("test")).expect("a link").link().payment_queue();
        let Some(award) = queue.first().map(|award| award.number) else { return };
        pay(hall, award);
    }
}

/// Every way in which the rounds of a book are removed from.
fn every_way(book: &'static str, cards: &Cards, orders: &[&[Removal]], paid: &[&[u64]]) {
    for removals in orders {
        for paid in paid {
            for (between, capped) in [(false, false), (true, false), (true, true)] {
                let (cards, removals, paid) = (cards.clone(), removals.to_vec(), paid.to_vec());
                agree(&Case { book, cards, removals, paid, between, capped });
            }
        }
    }
}

/// Live and recorded agree in a game of one board: two straight flushes, a royal and a straight flush, and a hand that
/// won nothing.
fn on_one_board(book: &'static str) {
    use Removal::{Count, Ruled, Withdrawn};
    let flushes = two_straight_flushes();
    every_way(book, &flushes, &[&[Count(1)], &[Ruled(1)], &[Count(3), Withdrawn(1)]], &[&[], &[2]]);
    every_way(book, &flushes, &[&[Count(2)], &[Count(3)], &[Count(3), Ruled(2)]], &[&[], &[1]]);
    let royal = royal_and_straight_flush();
    every_way(book, &royal, &[&[Count(2)], &[Count(1)], &[Count(3)]], &[&[]]);
    every_way(book, &royal, &[&[Count(1)], &[Count(3)]], &[&[1]]);
}

#[test]
fn mthb9_5_7_live_as_recorded() {
    on_one_board(MTHB9);
}

#[test]
fn mthb6_5_7_live_as_recorded() {
    on_one_board(MTHB6);
}

/// Three share in stud, straight flushes or royals; they go one after the other or stay in part.
#[test]
fn mssp9_5_7_live_as_recorded() {
    use Removal::{Count, Ruled, Withdrawn};
    for hands in [FLUSHES, ROYALS] {
        let orders: [&[Removal]; 4] =
            [&[Count(1)], &[Ruled(2)], &[Count(1), Withdrawn(2)], &[Count(2), Count(1)]];
        every_way(MSSP9, &stud(hands), &orders, &[&[], &[3]]);
        let two = stud([hands[0], NOTHING, hands[1]]);
        every_way(MSSP9, &two, &[&[Count(3)], &[Count(2)], &[Count(2), Count(3)]], &[&[], &[1]]);
    }
    let mixed = stud([ROYALS[0], FLUSHES[1], FLUSHES[2]]);
    every_way(MSSP9, &mixed, &[&[Count(2)], &[Count(1)], &[Count(2), Count(3)]], &[&[]]);
    every_way(MSSP9, &mixed, &[&[Count(1)], &[Count(2)]], &[&[2]]);
}
