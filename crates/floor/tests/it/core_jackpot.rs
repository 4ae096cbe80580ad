//! The jackpot from the table to the payment: entries in order, shared awards, the desk, the link lost and restored.
#![expect(clippy::inconsistent_digit_grouping, reason = "cents are written apart from their dollars")]

use floor::audit::Options;
use floor::{Command, DeskCommand, HouseCommand, OwnCommand, TableCommand};
use jackpot::{
    AwardNumber, AwardState, Cause, Checklist, EntryId, Parameters, RejectCause, Settings, Signature, TableId,
};
use journal::{Account, Actor, Event, HouseEvent, LinkEvent, Moment, Proposal, Stream};
use money::{Money, Pool, Rate};
use round::Decision;
use rulebook::{Means, Office, PlayingArea, Position};

use crate::audit_support::{given, sealed};
use crate::support::{
    Cards, Hall, MTHB9, accountant, by_player, checked, counted, dealer, dollars, fine, link, manager,
    parameters, player, shift_manager, staff, supervisor, table, wager,
};

/// A royal flush takes all of the meter as displayed, and the meter restarts.
#[test]
fn a_royal_flush_takes_the_meter() {
    let mut hall = Hall::open();
    hall.whole_round("H1", &["Ann", "Bob"], &royal());
    let award = awards(&hall)[0].clone();
    // Two Jackpot wagers of S$5.00 brought a tenth each before the award was taken.
    assert_eq!(award.amount, dollars(100_001));
    assert_eq!(hall.meter("mega").displayed(), dollars(50_000));
    assert_eq!(hall.memory.holds(&Account::Awards(link("mega"))), fine(100_001));
    let winner = hall.floor.link(&link("mega")).expect("a link").winner(award.number).expect("a winner");
    assert_eq!((winner.player.clone(), winner.means), (player("Ann"), Means::Credits));
}

/// Rounds are entered in the order they are settled: who settles first is paid first, from what is there then.
#[test]
fn awards_follow_the_order_of_entry() {
    let mut hall = Hall::open();
    hall.ready("H1", &["Ann"]);
    hall.ready("S1", &["Bob"]);
    hall.finish("S1", &Cards::default().hand(1, "5h 6h 7h 8h 9h"), |_, _| Decision::Wager);
    hall.finish("H1", &royal(), |_, _| Decision::Wager);
    let slips: Vec<_> = awards(&hall).iter().map(|award| (award.number.0, award.entry.clone())).collect();
    let entry = |name: &str| EntryId { table: TableId::new(name), round: 1 };
    assert_eq!(slips, [(1, entry("S1")), (2, entry("H1"))]);
    // A tenth of S$100,000.50, then all that is left with the next contribution.
    let amounts: Vec<u64> = awards(&hall).iter().map(|award| award.amount.cents()).collect();
    assert_eq!(amounts, [10_000_05, 90_000_95]);
}

/// Two straight flushes at one table in one round share equally (MTHB9 3.15.1); two royals divide the meter and a
/// reset amount more (MSSP9 3.15.1).
#[test]
fn winners_at_one_table_share() {
    let mut hall = Hall::open();
    let both = Cards::default().hand(1, "5h 6h").hand(2, "Th Jh").community("7h 8h 9h 2c 3d");
    hall.whole_round("H1", &["Ann", "Bob"], &both);
    let amounts: Vec<u64> = awards(&hall).iter().map(|award| award.amount.cents()).collect();
    // 10% of S$100,001.00 and 10% of what is left, divided by two; the odd cent stays on the meter.
    assert_eq!(amounts, [9_500_09, 9_500_09]);
    assert!(awards(&hall).iter().all(|award| award.sharers == 2));
    let mut hall = Hall::open();
    let royals = Cards::default().hand(1, "Ah Kh Qh Jh Th").hand(2, "As Ks Qs Js Ts");
    hall.whole_round("S1", &["Ann", "Bob"], &royals);
    let amounts: Vec<u64> = awards(&hall).iter().map(|award| award.amount.cents()).collect();
    assert_eq!(amounts, [75_000_50, 75_000_50]);
    assert_eq!(hall.meter("mega").displayed(), dollars(50_000));
}

/// Verified, approved and paid by three people; a winner of S$10,000.00 or more must be known by then. Credits go to
/// the wallet.
#[test]
fn an_award_is_paid_by_three() {
    let mut hall = Hall::open();
    hall.whole_round("H1", &["Ann", "Bob"], &royal());
    let award = AwardNumber(1);
    let desk = |command| Command::Desk { link: link("mega"), command };
    let verify = desk(DeskCommand::Verify { award, checklist: checked() });
    let (approve, pay) =
        (desk(DeskCommand::Approve { award }), desk(DeskCommand::Pay { award, means: None }));
    assert_eq!(hall.refused(&dealer(), &verify).reason, "OfficeIsTooLow");
    assert_eq!(hall.refused(&by_player("Ann"), &verify).reason, "StaffOnly");
    assert_eq!(hall.refused(&Actor::System, &verify).reason, "StaffOnly");
    assert_eq!(hall.refused(&manager(), &approve).reason, "AwardNotVerified");
    let short = desk(DeskCommand::Verify { award, checklist: Checklist { deck_cards: 51, ..checked() } });
    assert_eq!(hall.refused(&supervisor(), &short).reason, "DeckNotComplete");
    hall.done(&manager(), &verify);
    assert_eq!(hall.refused(&manager(), &approve).reason, "SignedBefore");
    hall.done(&staff("Max"), &approve);
    assert_eq!(hall.refused(&dealer(), &pay).reason, "DueDiligenceIsMissing");
    let record = desk(DeskCommand::RecordDueDiligence { award, reference: "file 7".to_owned() });
    hall.done(&supervisor(), &record);
    assert_eq!(hall.refused(&staff("Max"), &pay).reason, "SignedBefore");
    let before = hall.wallet("Ann");
    hall.done(&dealer(), &pay);
    assert_eq!(hall.wallet("Ann"), before + 100_001_00);
    assert_eq!(hall.refused(&staff("Dan"), &pay).reason, "AwardIsPaid");
}

/// An award on chips is paid in cash by an attendant, and booked as cash that went out.
#[test]
fn an_award_on_chips_is_paid_in_cash() {
    let mut hall = Hall::open();
    hall.buy_in("Ann", dollars(1_000), Means::Chips);
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    hall.play(&dealer(), "H1", wager(1, "Ann", PlayingArea::Ante, dollars(50), Means::Chips));
    hall.play(&dealer(), "H1", wager(1, "Ann", PlayingArea::Jackpot, dollars(25), Means::Chips));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.finish("H1", &straight_flush(), |_, _| Decision::Wager);
    // Five times the minimum feeds the meter five times; a percentage is paid whatever was wagered.
    assert_eq!(awards(&hall)[0].amount, Money::from_cents(10_000_25));
    let cash = hall.memory.holds(&Account::Cash);
    let wallet = hall.wallet("Ann");
    pay(&mut hall, 1);
    assert_eq!(hall.memory.holds(&Account::Cash).0 - cash.0, 10_000_25 * 10_000);
    assert_eq!(hall.wallet("Ann"), wallet);
}

/// A rejected award leaves the meter as if it had never been: by two people who signed nothing else.
#[test]
fn a_rejected_award_is_restored_exactly() {
    let mut hall = Hall::open();
    hall.whole_round("H1", &["Ann"], &Cards::default());
    hall.next_round("H1");
    let without = hall.meter("mega").ten_thousandths() + 5_000_00;
    hall.whole_round("H1", &["Ann"], &royal());
    let (award, cause) = (AwardNumber(1), RejectCause::HandNotQualified);
    let proposal = Proposal::RejectAward { link: link("mega"), award, cause };
    hall.done(&supervisor(), &Command::House(HouseCommand::Propose { proposal }));
    assert_eq!(
        hall.refused(&dealer(), &Command::House(HouseCommand::Confirm { number: 1 })).reason,
        "OfficeIsTooLow"
    );
    assert_eq!(
        hall.refused(&staff("Sam"), &Command::House(HouseCommand::Confirm { number: 1 })).reason,
        "OfficeIsTooLow"
    );
    hall.done(&manager(), &Command::House(HouseCommand::Confirm { number: 1 }));
    assert_eq!(awards(&hall)[0].state, AwardState::Rejected);
    assert_eq!(hall.meter("mega").ten_thousandths(), without);
    assert_eq!(hall.memory.holds(&Account::Awards(link("mega"))), fine(0));
    assert_eq!(
        hall.refused(&manager(), &Command::House(HouseCommand::Confirm { number: 1 })).reason,
        "NoSuchProposal"
    );
}

/// What one winner gets when another is rejected is ruled on by two (6.1).
#[test]
fn the_amount_of_an_award_is_ruled_on() {
    let mut hall = Hall::open();
    hall.whole_round("H1", &["Ann"], &straight_flush());
    let (award, words) = (AwardNumber(1), "as agreed".to_owned());
    let proposal = Proposal::RuleOnAward { link: link("mega"), award, amount: dollars(9_000), words };
    hall.done(&manager(), &Command::House(HouseCommand::Propose { proposal }));
    hall.done(&shift_manager(), &Command::House(HouseCommand::Confirm { number: 1 }));
    assert_eq!(awards(&hall)[0].amount, dollars(9_000));
    assert_eq!(hall.memory.holds(&Account::Awards(link("mega"))), fine(9_000));
}

/// The desk refuses a payment out of order, with its clause, and names the award that is paid first (3.14). A ruling of
/// two releases one award; a rejected award, or one whose round is void, is not waited for (6.1).
#[test]
fn awards_are_paid_in_the_order_of_entry() {
    let mut entered = Hall::open();
    let flush = Cards::default().hand(1, "5h 6h 7h 8h 9h");
    entered.whole_round("S1", &["Bob"], &flush);
    entered.whole_round("H1", &["Ann", "Cat"], &straight_flush());
    approve(&mut entered, 2);
    let desk = |number| Command::Desk {
        link: link("mega"),
        command: DeskCommand::Pay { award: AwardNumber(number), means: None },
    };
    let refusal = entered.refused(&dealer(), &desk(2));
    assert_eq!(refusal.reason, "EarlierAwardIsOpen");
    assert_eq!(refusal.clause.map(|clause| clause.to_string()).as_deref(), Some("MTHB9 3.14"));
    assert!(
        refusal.sentence.starts_with("First award 1 is paid: Straight flush, position 1, table S1, round 1."),
        "{refusal}"
    );

    let mut in_turn = entered.clone();
    pay(&mut in_turn, 1);
    in_turn.done(&dealer(), &desk(2));

    let mut released = entered.clone();
    let words = "Bob's hand is disputed".to_owned();
    let release = Proposal::ReleaseAward { link: link("mega"), award: AwardNumber(2), words };
    let one_manager = released.clone().two_sign(&supervisor(), &shift_manager(), release.clone());
    assert_eq!(one_manager.expect_err("a supervisor").reason, "OfficeIsTooLow");
    let managers = released.clone().two_sign(&manager(), &staff("Max"), release.clone());
    assert_eq!(managers.expect_err("no shift manager").reason, "OfficeIsTooLow");
    released.two_sign(&manager(), &shift_manager(), release).expect("two people may");
    released.done(&dealer(), &desk(2));
    pay(&mut released, 1);

    let mut rejected = entered.clone();
    let (award, cause) = (AwardNumber(1), RejectCause::HandNotQualified);
    let reject = Proposal::RejectAward { link: link("mega"), award, cause };
    rejected.two_sign(&staff("Sam"), &staff("Max"), reject).expect("two people may");
    rejected.done(&dealer(), &desk(2));

    let mut void = entered;
    let command = round::Command::CountCards { counted: 51 };
    let undo = Proposal::UndoRound { table: table("S1"), round: void.number("S1"), command };
    void.two_sign(&staff("Sam"), &staff("Max"), undo).expect("two people may");
    void.done(&dealer(), &desk(2));
}

/// The desk shows the queue in the order of payment, says what each award waits for, and offers what is accepted: every
/// step and every proposal that it offers somebody is taken from them, and a payment that waits is offered to nobody.
#[test]
fn the_desk_offers_what_is_accepted() {
    let mut hall = Hall::open();
    let both = Cards::default().hand(1, "5h 6h").hand(2, "Th Jh").community("7h 8h 9h 2c 3d");
    hall.whole_round("H1", &["Ann", "Bob"], &both);
    hall.whole_round("S1", &["Cat"], &Cards::default().hand(1, "Ah Kh Qh Jh Th"));
    approve(&mut hall, 3);
    approve(&mut hall, 2);
    let found = round::Command::ReportHandCount { position: Position(1), reconstructed: false };
    let undo = Proposal::UndoRound { table: table("H1"), round: hall.number("H1"), command: found };
    hall.two_sign(&staff("Sam"), &shift_manager(), undo).expect("two people may");
    let seen = |hall: &Hall| view(hall, "Max");
    let queue: Vec<_> =
        seen(&hall).queue.iter().map(|award| (award.award.number.0, award.corrects)).collect();
    assert_eq!(queue, [(4, Some(AwardNumber(2))), (3, None)], "the hand keeps its turn");
    let last = seen(&hall).queue.pop().expect("the royal");
    let wait = last.waits_for.expect("another award is first");
    assert_eq!((wait.award, wait.clause.to_string()), (AwardNumber(4), "MSSP9 3.14".to_owned()));
    assert!(wait.sentence.contains("release this award"), "{}", wait.sentence);
    assert_eq!(last.next, None);
    let replaced = seen(&hall).done.into_iter().find(|award| award.award.number == AwardNumber(2));
    assert_eq!(replaced.and_then(|award| award.replaced_by), Some(AwardNumber(4)));
    for (name, _) in crate::support::STAFF {
        let desk = view(&hall, name);
        for award in &desk.queue {
            if let Some(next) = award.next.as_ref().filter(|next| next.you_may) {
                hall.clone().desk(&staff(name), "mega", next.command.clone());
            }
            for proposal in &award.proposals {
                hall.clone().done(&staff(name), &Command::House(proposal.command.clone()));
            }
        }
    }
    let release = |hall: &Hall, name: &str| {
        let queue = view(hall, name).queue;
        let proposals = queue.iter().flat_map(|award| award.proposals.iter().map(move |one| (award, one)));
        let released = proposals.filter(|(_, one)| format!("{:?}", one.command).contains("ReleaseAward"));
        released.map(|(award, _)| award.award.number.0).collect::<Vec<_>>()
    };
    assert_eq!(release(&hall, "Max"), [3], "only an award that waits can be released");
    assert_eq!(release(&hall, "Sue"), [0; 0], "a supervisor rules on nothing");
    pay(&mut hall, 4);
    let next = view(&hall, "Dora").queue[0].next.clone().expect("its turn has come");
    assert_eq!((next.you_may, next.command), (true, DeskCommand::Pay { award: AwardNumber(3), means: None }));
    assert_eq!(release(&hall, "Max"), [0; 0]);
}

/// The desk of `mega` as one of the staff sees it.
fn view(hall: &Hall, name: &str) -> floor::view::DeskView {
    let Actor::Staff(person, office) = staff(name) else { panic!("{name} is of the staff") };
    let viewer = floor::view::Viewer::Staff(person, office);
    floor::view::DeskView::of(&hall.floor, &link("mega"), journal::Version(1), &viewer).expect("a desk")
}

/// A meter is adjusted by two, with a cause and words; a proposal may be withdrawn instead.
#[test]
fn a_meter_is_adjusted_by_two() {
    let mut hall = Hall::open();
    let adjust = |cause, amount: u64| {
        let (link, words) = (link("mega"), "found at the count".to_owned());
        let amount = Pool::try_from(dollars(amount)).expect("fits");
        Command::House(HouseCommand::Propose {
            proposal: Proposal::AdjustMeter { link, cause, amount, words, about: Some(counted()) },
        })
    };
    hall.done(&manager(), &adjust(Cause::MalfunctionTooLow, 1_000));
    assert_eq!(hall.meter("mega").displayed(), dollars(100_000));
    assert_eq!(
        hall.refused(&manager(), &Command::House(HouseCommand::Confirm { number: 1 })).reason,
        "OnePersonTwice"
    );
    hall.done(&accountant(), &Command::House(HouseCommand::Confirm { number: 1 }));
    assert_eq!(hall.meter("mega").displayed(), dollars(101_000));
    hall.done(&manager(), &adjust(Cause::ReserveTransfer, 1));
    let refusal = hall.refused(&accountant(), &Command::House(HouseCommand::Confirm { number: 2 }));
    assert_eq!(refusal.reason, "ReserveIsTooLow");
    hall.done(&manager(), &Command::House(HouseCommand::WithdrawProposal { number: 2 }));
    assert_eq!(
        hall.refused(&accountant(), &Command::House(HouseCommand::Confirm { number: 2 })).reason,
        "NoSuchProposal"
    );
    let too_much = adjust(Cause::MalfunctionTooLow, 1_000_000_001);
    assert_eq!(hall.refused(&manager(), &too_much).reason, "AmountTooLarge");
}

/// New settings wait until the award that restarts the meter is paid. A round begun before that is entered under the
/// terms its Players saw, while a round begun after it takes the new minimum.
#[test]
fn settings_change_between_jackpots() {
    let mut hall = Hall::open();
    let settings = Parameters { minimum_wager: dollars(10), reset: dollars(70_000), ..parameters() };
    let settings = Settings::new(settings).expect("they do not contradict themselves");
    let proposal = Proposal::Reconfigure { link: link("mega"), settings, from: None, check: Vec::new() };
    hall.done(&manager(), &Command::House(HouseCommand::Propose { proposal }));
    hall.done(&accountant(), &Command::House(HouseCommand::Confirm { number: 1 }));
    hall.ready("S1", &["Bob"]);
    hall.whole_round("H1", &["Ann"], &royal());
    assert_eq!(
        hall.meter("mega").displayed(),
        dollars(50_000),
        "it restarts under the terms it was played for"
    );
    pay(&mut hall, 1);
    assert_eq!(hall.meter("mega").displayed(), dollars(70_000));
    hall.finish("S1", &Cards::default(), |_, _| Decision::Wager);
    assert_eq!(hall.meter("mega").displayed(), Money::from_cents(70_000_50));
    hall.next_round("S1");
    hall.play(&dealer(), "S1", round::Command::OpenBets {});
    let five = wager(1, "Bob", PlayingArea::Jackpot, dollars(5), Means::Credits);
    assert_eq!(hall.at(&by_player("Bob"), "S1", five).expect_err("too little").reason, "NotAMultiple");
    hall.bet("S1", 1, "Bob", PlayingArea::Jackpot, dollars(10));
}

/// Figures under which a full table brings 1,050.00 a round, with that bound.
fn bounded(most: Money) -> Parameters {
    let contribution = Rate::from_basis_points(6_000).expect("six tenths");
    let round_contribution_max = Pool::try_from(most).expect("fits");
    Parameters { minimum_wager: dollars(50), contribution, round_contribution_max, ..parameters() }
}

/// A bound that a full table may pass would leave its round unsettled: no link is opened with it, and none is changed
/// to it. The refusal names the least that would do, and that is taken.
#[test]
fn a_bound_below_a_full_table_is_refused() {
    let mut hall = Hall::open();
    let open = |most| {
        let opening = Pool::try_from(bounded(most).reset).expect("fits");
        let books = vec![MTHB9.to_owned()];
        let proposal = Proposal::OpenLink { link: link("new"), books, settings: bounded(most), opening };
        Command::House(HouseCommand::Propose { proposal })
    };
    let change = |most| {
        let settings = Settings::new(bounded(most)).expect("they do not contradict themselves");
        Command::House(HouseCommand::Propose {
            proposal: Proposal::Reconfigure { link: link("mega"), settings, from: None, check: Vec::new() },
        })
    };
    let low = Money::from_cents(1_049_99);
    for refusal in [hall.refused(&shift_manager(), &open(low)), hall.refused(&manager(), &change(low))] {
        assert_eq!(refusal.reason, "LinkIsWrong");
        assert!(refusal.sentence.contains("at least 1,050.00"), "{refusal}");
        assert_eq!(refusal.clause.map(|clause| clause.rule.to_string()), Some("3.5.3".to_owned()));
    }
    hall.done(&shift_manager(), &open(dollars(1_050)));
    hall.done(&accountant(), &Command::House(HouseCommand::Confirm { number: 1 }));
    hall.done(&manager(), &change(dollars(1_050)));
    hall.done(&accountant(), &Command::House(HouseCommand::Confirm { number: 2 }));
}

/// A log written before such a bound was refused is read again; what it left open is not confirmed.
#[test]
fn an_older_log_may_have_a_low_bound() {
    let mut hall = Hall::open();
    let settings = Settings::new(bounded(dollars(1_000))).expect("they do not contradict themselves");
    let opened = LinkEvent::Opened { books: vec![MTHB9.to_owned()], settings, opening: Pool::ZERO };
    hall.floor
        .evolve(&Stream::Link(link("old")), &Event::Link(opened), Moment(0), &Actor::System)
        .expect("it was accepted then");
    let by = Signature::in_office("Mia", Office::PitManager);
    let proposal = Proposal::Reconfigure { link: link("old"), settings, from: None, check: Vec::new() };
    let expires = Some(Moment(u64::MAX));
    let proposed = HouseEvent::Proposed { number: 1, proposal, by, expires, changes: Vec::new() };
    hall.floor
        .evolve(&Stream::House, &Event::House(proposed), Moment(0), &manager())
        .expect("it was accepted then");
    assert_eq!(
        hall.refused(&accountant(), &Command::House(HouseCommand::Confirm { number: 1 })).reason,
        "LinkIsWrong"
    );
}

/// A table that loses its link takes no Jackpot wagers and says so; its base game goes on. What lies there already waits
/// to be entered until the link is back, and counts then.
#[test]
fn a_lost_table_takes_no_jackpot_wagers() {
    let mut hall = Hall::open();
    hall.ready("H2", &["Ann"]);
    hall.desk(&dealer(), "mega", DeskCommand::LoseTable { table: table("H2") });
    hall.desk(&dealer(), "mega", DeskCommand::LoseTable { table: table("H1") });
    hall.seat("H1", 1, "Bob");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    let jackpot = wager(1, "Bob", PlayingArea::Jackpot, dollars(5), Means::Credits);
    let refusal = hall.at(&by_player("Bob"), "H1", jackpot).expect_err("lost");
    assert_eq!((refusal.reason.as_str(), refusal.to_string().contains("MTHB9 3.5.3")), ("TableIsLost", true));
    hall.bet("H1", 1, "Bob", PlayingArea::Ante, dollars(100));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.finish("H1", &Cards::default(), |_, _| Decision::Wager);
    hall.table(&dealer(), "H2", TableCommand::Own(OwnCommand::DealAll {}));
    let fold = round::Command::Decide { position: Position(1), decision: Decision::Fold };
    hall.play(&by_player("Ann"), "H2", fold);
    hall.play(&dealer(), "H2", round::Command::Expose {});
    let refusal = hall.at(&dealer(), "H2", round::Command::Settle {}).expect_err("lost");
    assert_eq!(refusal.reason, "EntryMustWait");
    let lost = Command::Desk { link: link("mega"), command: DeskCommand::LoseTable { table: table("H2") } };
    assert_eq!(hall.refused(&dealer(), &lost).reason, "TableIsLost");
    assert_eq!(hall.meter("mega").displayed(), dollars(100_000));
    hall.desk(&supervisor(), "mega", DeskCommand::RestoreTable { table: table("H2") });
    hall.play(&dealer(), "H2", round::Command::Settle {});
    assert_eq!(hall.meter("mega").displayed(), Money::from_cents(100_000_50));
}

/// Each link is for its own games: what is wagered at one feeds no other.
#[test]
fn links_do_not_mix() {
    let mut hall = Hall::open();
    for (name, fed) in [("H2", "mega"), ("T2", "own"), ("X2", "six")] {
        let before = ["mega", "own", "six"].map(|link| hall.meter(link).ten_thousandths());
        hall.whole_round(name, &["Ann", "Bob"], &Cards::default());
        for (link, before) in ["mega", "own", "six"].into_iter().zip(before) {
            let grown = hall.meter(link).ten_thousandths() - before;
            assert_eq!(grown, if link == fed { 1_00 * 10_000 } else { 0 }, "{name} {link}");
        }
    }
}

pub(crate) fn royal() -> Cards {
    Cards::default().hand(1, "Ah Kh").community("Qh Jh Th 2c 3d")
}

fn straight_flush() -> Cards {
    Cards::default().hand(1, "5h 6h").community("7h 8h 9h 2c 3d")
}

pub(crate) fn awards(hall: &Hall) -> &[jackpot::Award] {
    hall.floor.link(&link("mega")).expect("a link").link().awards()
}

/// Takes an award of `mega` through the desk.
pub(crate) fn pay(hall: &mut Hall, number: u64) {
    approve(hall, number);
    hall.desk(&dealer(), "mega", DeskCommand::Pay { award: AwardNumber(number), means: None });
}

/// The awards of an award's round whose cards are not checked yet.
pub(crate) fn unchecked(hall: &Hall, name: &str, award: AwardNumber) -> Vec<AwardNumber> {
    let desk = hall.floor.link(&link(name)).expect("a link").link();
    let round = &desk.award(award).expect("an award").entry;
    let open = desk.open_awards().filter(|other| other.entry == *round);
    open.filter(|other| other.state == jackpot::AwardState::Entered).map(|other| other.number).collect()
}

/// Takes an award of `mega` up to its payment.
fn approve(hall: &mut Hall, number: u64) {
    let award = AwardNumber(number);
    for unchecked in unchecked(hall, "mega", award) {
        hall.desk(&supervisor(), "mega", DeskCommand::Verify { award: unchecked, checklist: checked() });
    }
    hall.desk(&manager(), "mega", DeskCommand::Approve { award });
    if hall.floor.link(&link("mega")).expect("a link").link().award(award).expect("one").needs_due_diligence()
    {
        let reference = "file 7".to_owned();
        hall.desk(&supervisor(), "mega", DeskCommand::RecordDueDiligence { award, reference });
    }
}

/// A link closes, and all that it held comes onto another in the same transaction; every cent is followed by the audit.
#[test]
fn a_closed_link_moves_its_money() {
    let mut hall = Hall::demonstration();
    let opening = Pool::try_from(parameters().reset).expect("fits");
    let (books, settings) = (vec![MTHB9.to_owned()], parameters());
    let open = Proposal::OpenLink { link: link("new"), books, settings, opening };
    hall.two_sign(&staff("Max"), &accountant(), open).expect("two people may");
    let (to, words) = (jackpot::Destination::Link("mega".to_owned()), "the game ends".to_owned());
    let announce = Proposal::AnnounceClosing { link: link("new"), to, words };
    hall.two_sign(&staff("Max"), &accountant(), announce).expect("two people may");
    let before = hall.meter("mega");
    let close = Proposal::CloseLink { link: link("new") };
    hall.two_sign(&staff("Max"), &accountant(), close.clone()).expect("two people may");
    assert_eq!(hall.meter("new"), Pool::ZERO);
    assert_eq!(hall.meter("mega"), before.plus(opening).expect("fits"));
    let again = hall.two_sign(&staff("Max"), &accountant(), close).expect_err("it is closed");
    assert_eq!(again.reason, "LinkIsClosed");
    let database = sealed(&given(&hall));
    let report = database.audit(&Options { key: Some(database.signer.public_key()), ..Options::default() });
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(report.is_well(), "{findings:#?}");
}
