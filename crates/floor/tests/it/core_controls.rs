//! Evidence and signatures around the meter: what an adjustment refers to, what a proposal changes and until when it holds,
//! who verifies, what a slip says, and what is asked of a Player's day.

use floor::view::{DeskView, JackpotView, LinkView, PitView, SlipView, TableView, Viewer};
use floor::{Command, DeskCommand, HouseCommand};
use jackpot::{
    AwardNumber, Cause, Checklist, Custody, Department, Evidence, PaidBy, Parameters, Person, RejectCause,
    Settings,
};
use journal::{Event, HouseEvent, HouseLimits, LinkEvent, PlayerKind, Proposal, TableEvent, Version};
use money::{Money, Pool, Rate};
use round::{Command as C, Decision, Stage};
use rulebook::{Means, Office, PlayingArea, Position};

use crate::core_jackpot::{awards, royal};
use crate::support::{
    Cards, Hall, accountant, checked, counted, dealer, dollars, link, manager, parameters, player,
    shift_manager, staff, supervisor, table,
};

fn adjust(cause: Cause, words: &str, about: Option<Evidence>) -> Proposal {
    let amount = Pool::try_from(dollars(1)).expect("fits");
    Proposal::AdjustMeter { link: link("mega"), cause, amount, words: words.to_owned(), about }
}

fn propose(proposal: Proposal) -> Command {
    Command::House(HouseCommand::Propose { proposal })
}

fn newest(hall: &Hall) -> u64 {
    hall.floor.house().proposals().map(|(number, _)| number).max().expect("proposed")
}

/// Two signatures and the word "x" lowered a meter: now it takes a sentence, and what shows the cause.
#[test]
fn an_adjustment_names_what_shows_its_cause() {
    let mut hall = Hall::open();
    hall.whole_round("H1", &["Ann"], &royal());
    let words = "the display stood still for an hour";
    let mut refused = |proposal: Proposal| hall.refused(&manager(), &propose(proposal)).reason;
    assert_eq!(refused(adjust(Cause::MalfunctionTooHigh, "x", Some(counted()))), "WordsAreTooFew");
    assert_eq!(
        refused(adjust(Cause::MalfunctionTooHigh, "  nine ltrs  ", Some(counted()))),
        "WordsAreTooFew"
    );
    let award = |number| Some(Evidence::Award { award: AwardNumber(number) });
    let blank = Some(Evidence::Count { reference: " ".to_owned() });
    for about in [None, award(1), blank] {
        assert_eq!(refused(adjust(Cause::MalfunctionTooHigh, words, about.clone())), "EvidenceIsMissing");
        assert_eq!(refused(adjust(Cause::MalfunctionTooLow, words, about)), "EvidenceIsMissing");
    }
    for about in [None, Some(counted())] {
        assert_eq!(refused(adjust(Cause::SeedRecovery, words, about)), "EvidenceIsMissing");
    }
    assert_eq!(refused(adjust(Cause::SeedRecovery, words, award(2))), "NoSuchEvidence");
    let round = |round| Some(Evidence::Round { entry: jackpot::EntryId { table: table("H1"), round } });
    assert_eq!(refused(adjust(Cause::OverTheCap, words, round(2))), "NoSuchEvidence");
    assert_eq!(
        refused(adjust(Cause::MalfunctionTooLow, words, Some(Evidence::Fault { entry: 1 }))),
        "NoSuchEvidence"
    );
    // A fault is named by its entry in the link's log.
    hall.desk(&dealer(), "mega", DeskCommand::LoseTable { table: table("H2") });
    let of_link = |one: &&floor::Happened| matches!(one.event, Event::Link(_));
    let in_log =
        hall.log.iter().filter(of_link).filter(|one| one.stream == journal::Stream::Link(link("mega")));
    let entry = u64::try_from(in_log.count()).expect("few");
    let about = Some(Evidence::Fault { entry });
    hall.two_sign(&manager(), &accountant(), adjust(Cause::MalfunctionTooLow, words, about)).expect("shown");
    hall.done(&manager(), &propose(adjust(Cause::OverTheCap, words, None)));
    hall.done(&manager(), &propose(adjust(Cause::OverTheCap, words, round(1))));
}

/// Whoever plays for a meter that two people changed is told so, on the sign and at the table, for a day.
#[test]
fn players_are_told_of_an_adjustment() {
    let mut hall = Hall::open();
    let words = "the display stood still for an hour";
    hall.two_sign(&manager(), &accountant(), adjust(Cause::MalfunctionTooHigh, words, Some(counted())))
        .expect("two");
    let told = |hall: &Hall| -> Vec<String> {
        let sign = LinkView::of(&hall.floor, &link("mega"), Version(1)).expect("a link").notices;
        let jackpot = |name: &str| -> JackpotView {
            let (table, desk) =
                (hall.floor.table(&table(name)).expect("a table"), hall.floor.link(&link("mega")));
            TableView::of(
                table,
                desk.map(AsRef::as_ref),
                hall.floor.house().limits(),
                Version(1),
                &Viewer::Public,
            )
            .jackpot
            .expect("linked")
        };
        assert_eq!(jackpot("H1").notices, sign, "the table says the same");
        assert_eq!(jackpot("S1").notices, sign, "and so does every other");
        sign.into_iter().map(|notice| notice.sentence).collect()
    };
    assert_eq!(
        told(&hall),
        [
            "The meter was adjusted from 100,000.00 to 99,999.00: a malfunction had left it too high. the display stood \
          still for an hour"
        ]
    );
    hall.pass_days(2);
    hall.whole_round("H1", &["Ann"], &Cards::default());
    assert_eq!(told(&hall), [""; 0], "a day later it is over");
}

/// The second signer sees every value that changes, as it is and as it would be; so does the log.
#[test]
fn a_proposal_says_what_changes() {
    let mut hall = Hall::open();
    let cheaper = Parameters {
        contribution: Rate::from_basis_points(999).expect("a rate"),
        reset: dollars(70_000),
        cap: Some(dollars(500_000)),
        ..parameters()
    };
    let settings = Settings::new(cheaper).expect("sound");
    let limits = HouseLimits { waiting_hours: 48, ..HouseLimits::default() };
    let (person, office, department) = (Person::new("Dan"), Office::PitManager, Department::TableGames);
    let cases = [
        (
            Proposal::Reconfigure { link: link("mega"), settings, from: None, check: Vec::new() },
            "contribution 10.00% -> 9.99%; reset amount 50,000.00 -> 70,000.00; cap none -> 500,000.00.",
        ),
        (Proposal::ChangeHouseLimits { limits }, "hours until a new person signs for money 24 -> 48."),
        (Proposal::Appoint { person, office, department }, "office Dealer -> Pit Manager."),
        (
            adjust(Cause::MalfunctionTooLow, "found at the count", Some(counted())),
            "meter 100,000.00 -> 100,001.00.",
        ),
    ];
    for (proposal, changes) in cases {
        let happened = hall.done(&shift_manager(), &propose(proposal));
        let as_abe = Viewer::Department(Person::new("Abe"), Department::Accounting);
        let pit = PitView::of(&hall.floor, &as_abe, journal::Moment(0)).expect("the staff");
        let shown = pit.proposals.last().expect("proposed");
        assert!(shown.sentence.ends_with(&format!("Changes: {changes}")), "{}", shown.sentence);
        assert!(!shown.expired && shown.expires.is_some());
        let Event::House(HouseEvent::Proposed { changes: logged, .. }) = &happened[0].event else { panic!() };
        assert_eq!(*logged, shown.changes, "the log keeps what they saw");
        hall.done(&accountant(), &Command::House(HouseCommand::Confirm { number: shown.number }));
    }
}

/// After its time a proposal is refused, shown as expired, and stands in nobody's way.
#[test]
fn a_proposal_expires() {
    let mut hall = Hall::open();
    hall.whole_round("H1", &["Ann"], &Cards::default());
    hall.done(&manager(), &propose(adjust(Cause::MalfunctionTooLow, "found at the count", Some(counted()))));
    let number = newest(&hall);
    let undo = C::CountCards { counted: 51 };
    hall.done(&supervisor(), &propose(Proposal::UndoRound { table: table("H1"), round: 1, command: undo }));
    let next = hall.at(&dealer(), "H1", C::BeginNextRound {}).expect_err("it waits");
    assert_eq!(next.reason, "UndoingIsProposed");
    hall.pass_days(6);
    let confirm = Command::House(HouseCommand::Confirm { number });
    hall.clone().done(&accountant(), &confirm);
    hall.pass_days(1);
    let late = hall.refused(&accountant(), &confirm);
    assert_eq!(
        (late.reason.as_str(), late.sentence.contains("propose it again")),
        ("ProposalHasExpired", true)
    );
    hall.next_round("H1");
    let register = HouseCommand::RegisterPlayer { player: player("Eve"), kind: PlayerKind::Member };
    hall.done(&dealer(), &Command::House(register));
    let viewer = Viewer::Staff(Person::new("Mia"), Office::PitManager);
    let desk = DeskView::of(&hall.floor, &link("mega"), Version(1), &viewer).expect("a desk");
    assert!(desk.proposals.iter().all(|open| open.expired), "{:?}", desk.proposals);
}

/// Whoever dealt the round or entered its cards does not verify its award; and the check list says where the cards are.
#[test]
fn the_verifier_is_nobody_who_dealt() {
    let mut hall = Hall::open();
    hall.ready("H1", &["Ann"]);
    // A Pit Supervisor relieves the Dealer for one card.
    let first = hall.round("H1").next_place().expect("a card is due");
    hall.play(&supervisor(), "H1", C::DealCard { card: Some(royal().at(first)) });
    hall.finish("H1", &royal(), |_, _| Decision::Wager);
    let award = AwardNumber(1);
    let verify = |checklist: Checklist| Command::Desk {
        link: link("mega"),
        command: DeskCommand::Verify { award, checklist },
    };
    let refusal = hall.refused(&supervisor(), &verify(checked()));
    assert_eq!(refusal.reason, "DealtTheRound");
    assert_eq!(refusal.clause.map(|clause| clause.to_string()), Some("MTHB9 4.2".to_owned()));
    let custody = |change: fn(&mut Custody)| {
        let mut checklist = checked();
        checklist.custody.iter_mut().for_each(change);
        checklist
    };
    let none = Checklist { custody: None, ..checked() };
    let incomplete = [
        none,
        custody(|custody| custody.camera.clear()),
        custody(|custody| custody.seal = " ".to_owned()),
        custody(|custody| custody.deck_in_order = false),
        custody(|custody| custody.held_by.clear()),
    ];
    for checklist in incomplete {
        assert_eq!(hall.refused(&staff("Sam"), &verify(checklist)).reason, "CustodyIsMissing");
    }
    hall.done(&staff("Sam"), &verify(checked()));
    // Whoever dealt may still pay.
    hall.desk(&manager(), "mega", DeskCommand::Approve { award });
    hall.desk(
        &staff("Sam"),
        "mega",
        DeskCommand::RecordDueDiligence { award, reference: "file 7".to_owned() },
    );
    hall.desk(&dealer(), "mega", DeskCommand::Pay { award, means: Some(PaidBy::Credits) });
}

/// Nobody is of the staff and a Player, however the name is written.
#[test]
fn staff_do_not_play() {
    let mut hall = Hall::open();
    let register = |name: &str| {
        Command::House(HouseCommand::RegisterPlayer { player: player(name), kind: PlayerKind::Member })
    };
    for name in ["Dora", "DORA", "D o r a", "dor ª"] {
        assert_eq!(hall.refused(&staff("Dan"), &register(name)).reason, "StaffDoNotPlay", "{name}");
    }
    hall.done(&staff("Dan"), &register("Lim Wei²"));
    for name in ["Ann", "aNN", "A nn", "limwei2"] {
        let (person, office) = (Person::new(name), Office::Dealer);
        let appoint = Proposal::Appoint { person, office, department: Department::Accounting };
        assert_eq!(hall.refused(&shift_manager(), &propose(appoint)).reason, "StaffDoNotPlay", "{name}");
    }
}

/// A slip has every step with its time, how it was paid, why it was rejected, the words and the hash of a ruling, and marks
/// what was printed again.
#[test]
fn a_slip_is_complete() {
    let mut hall = Hall::open();
    hall.whole_round("H1", &["Ann"], &royal());
    let award = AwardNumber(1);
    let slip = |hall: &Hall, award| {
        let log = crate::view_support::entries(hall, &journal::Stream::Link(link("mega")));
        let desk = hall.floor.link(&link("mega")).expect("a link");
        let entered = log.iter().find(|entry| {
            let event = journal::decode(&entry.body).expect("it was written");
            matches!(event, Event::Link(LinkEvent::Jackpot(jackpot::Event::AwardEntered { .. })))
        });
        SlipView::of("The House", &link("mega"), desk, award, entered.expect("entered"), &log, &[])
            .expect("a slip")
    };
    let (amount, words) = (dollars(90_000), "the other hand was fouled".to_owned());
    let rule = Proposal::RuleOnAward { link: link("mega"), award, amount, words };
    hall.two_sign(&shift_manager(), &staff("Gia"), rule).expect("two people");
    hall.desk(&supervisor(), "mega", DeskCommand::Verify { award, checklist: checked() });
    hall.wait(60_000);
    hall.desk(&manager(), "mega", DeskCommand::Approve { award });
    hall.desk(
        &supervisor(),
        "mega",
        DeskCommand::RecordDueDiligence { award, reference: "file 7".to_owned() },
    );
    let wrong = Command::Desk {
        link: link("mega"),
        command: DeskCommand::Pay { award, means: Some(PaidBy::Cheque) },
    };
    assert_eq!(hall.refused(&dealer(), &wrong).reason, "MeansAreWrong");
    hall.desk(&dealer(), "mega", DeskCommand::Pay { award, means: None });
    let paid = slip(&hall, award);
    assert_eq!(paid.paid_by, Some(PaidBy::Credits));
    assert!(paid.paid_local.as_ref().is_some_and(|at| at.ends_with("(UTC+8)")), "{paid:?}");
    let steps: Vec<&str> = paid.signed.iter().map(|signed| signed.person.name()).collect();
    assert_eq!(steps, ["Gus", "Gia", "Sue", "Mia", "Dora"]);
    assert!(paid.signed[2].at < paid.signed[3].at, "each with its own time");
    assert_eq!(paid.custody, checked().custody);
    // The amount and the meter agree: what was entered left the meter, and the ruling brought the rest back.
    let [ruling] = paid.rulings.as_slice() else { panic!("{:?}", paid.rulings) };
    assert_eq!(paid.amount_entered, Money::from_cents(10_000_050));
    assert_eq!((ruling.amount_before, ruling.amount), (paid.amount_entered, paid.amount));
    let back = paid.amount_entered.minus(paid.amount).expect("less");
    assert_eq!(
        ruling.meter_after,
        ruling.meter_before.plus(Pool::try_from(back).expect("fits")).expect("fits")
    );
    assert_eq!(ruling.words, "the other hand was fouled");
    assert!(ruling.log_hash.is_some(), "the entry of the ruling is named");
    // Each print is in the log.
    let mut copies = vec![paid.copy];
    for _ in 0..3 {
        hall.desk(&dealer(), "mega", DeskCommand::PrintSlip { award });
        copies.push(slip(&hall, award).copy);
    }
    assert_eq!(copies, ["original", "original", "duplicate 1", "duplicate 2"]);
    hall.next_round("H1");
    hall.whole_round("H1", &["Ann"], &royal());
    let (award, cause) = (AwardNumber(2), RejectCause::DeckIncomplete);
    hall.two_sign(&supervisor(), &manager(), Proposal::RejectAward { link: link("mega"), award, cause })
        .expect("two");
    assert_eq!(slip(&hall, award).rejected, Some(cause));
}

/// Plays H1 up to the settlement with four of a kind on a Jackpot wager of S$25.00: 400 for 1.
pub(crate) fn four_of_a_kind(hall: &mut Hall, jackpot: u64) {
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", C::OpenBets {});
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(100));
    hall.bet("H1", 1, "Ann", PlayingArea::Jackpot, dollars(jackpot));
    hall.play(&dealer(), "H1", C::CloseBets {});
    let cards = Cards::default().hand(1, "9c 9d").community("9h 9s 2c 3d 4h");
    loop {
        let (position, decision) = (Position(1), Decision::Wager);
        let command = match hall.round("H1").stage() {
            Stage::Settling => return,
            Stage::Dealing => {
                hall.deal("H1", &cards);
                continue;
            }
            Stage::Exposing(_) => C::Expose {},
            Stage::Deciding(_) => C::Decide { position, decision },
            _ => C::ShowHand { position },
        };
        hall.play(&dealer(), "H1", command);
    }
}

/// A fixed prize of S$10,000.00 is signed for by two before it is paid, and has a numbered slip; a smaller one is not.
#[test]
fn a_large_fixed_prize_takes_two() {
    let mut hall = Hall::open();
    four_of_a_kind(&mut hall, 20);
    hall.play(&dealer(), "H1", C::Settle {});
    let mut hall = Hall::open();
    four_of_a_kind(&mut hall, 25);
    let before = hall.wallet("Ann");
    let refusal = hall.at(&dealer(), "H1", C::Settle {}).expect_err("alone");
    assert_eq!(refusal.reason, "FixedPrizeNeedsTwo");
    assert!(refusal.clause.is_some(), "{refusal}");
    assert_eq!(hall.wallet("Ann"), before, "nothing is paid");
    let settle = Proposal::SettleRound { table: table("H1"), round: 1 };
    assert_eq!(
        hall.two_sign(&supervisor(), &staff("Sam"), settle).expect_err("too low").reason,
        "OfficeIsTooLow"
    );
    let number = newest(&hall);
    let happened = hall.done(&manager(), &Command::House(HouseCommand::Confirm { number }));
    let slips: Vec<_> = happened
        .iter()
        .filter_map(|one| match &one.event {
            Event::Table(TableEvent::PrizeSigned { slip, player, amount, by, .. }) => {
                Some((*slip, player.name(), *amount, by.both().map(|signed| signed.person.name())))
            }
            _ => None,
        })
        .collect();
    assert_eq!(slips, [(1, "Ann", dollars(10_000), ["Sue", "Mia"])]);
    assert!(before + 1_000_000 < hall.wallet("Ann"), "the prize, and the Ante's winnings");
    let report = crate::audit_support::sealed(&crate::audit_support::given(&hall))
        .audit(&floor::audit::Options::default());
    assert!(report.is_well(), "{report:#?}");
    // Play money needs no slip.
    let mut play = Hall::demonstration();
    four_of_a_kind(&mut play, 25);
    play.play(&dealer(), "H1", C::Settle {});
}

/// 9,999.99 twice on one gaming day, from 06:00 to 06:00 in Singapore, asks for the Player's identity.
#[test]
fn a_players_day_adds_up() {
    let mut hall = Hall::open();
    let begins = |hall: &Hall| {
        const DAY: u64 = 24 * 60 * 60 * 1000;
        let since = (hall.memory.now.0 + 2 * 60 * 60 * 1000) % DAY;
        DAY - since
    };
    let cash = |means| HouseCommand::CashOut {
        player: player("Ann"),
        amount: Money::from_cents(999_999),
        means,
        identity: None,
    };
    // Ten minutes into a gaming day.
    hall.wait(begins(&hall) + 600_000);
    let out = Command::House(cash(Means::Credits));
    hall.done(&supervisor(), &out);
    assert_eq!(hall.refused(&supervisor(), &out).reason, "IdentityIsMissing");
    let one_cent = HouseCommand::BuyIn {
        player: player("Ann"),
        amount: Money::from_cents(1),
        means: Means::Credits,
        identity: None,
    };
    assert_eq!(
        hall.refused(&dealer(), &Command::House(one_cent)).reason,
        "IdentityIsMissing",
        "in and out together"
    );
    // Just before 06:00 it is still the same day, and afterwards another.
    hall.wait(begins(&hall) - 5_000);
    assert_eq!(hall.refused(&supervisor(), &out).reason, "IdentityIsMissing");
    hall.wait(10_000);
    hall.done(&supervisor(), &out);
    // An award counts too: small as it is, it is paid only once the winner is known.
    let limits = HouseLimits { ruling: dollars(1_000_000), ..HouseLimits::default() };
    hall.two_sign(&shift_manager(), &accountant(), Proposal::ChangeHouseLimits { limits }).expect("two");
    hall.whole_round("H1", &["Ann"], &royal());
    let (award, words) = (AwardNumber(1), "half of it is the other's".to_owned());
    let rule = Proposal::RuleOnAward { link: link("mega"), award, amount: dollars(50), words };
    hall.two_sign(&shift_manager(), &staff("Gia"), rule).expect("two people");
    assert!(!awards(&hall)[0].needs_due_diligence());
    hall.desk(&supervisor(), "mega", DeskCommand::Verify { award, checklist: checked() });
    hall.desk(&manager(), "mega", DeskCommand::Approve { award });
    let pay = Command::Desk { link: link("mega"), command: DeskCommand::Pay { award, means: None } };
    assert_eq!(hall.refused(&dealer(), &pay).reason, "IdentityIsMissing");
    hall.desk(
        &supervisor(),
        "mega",
        DeskCommand::RecordDueDiligence { award, reference: "file 7".to_owned() },
    );
    hall.done(&dealer(), &pay);
}
