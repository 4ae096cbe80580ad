//! The meters regulators require, the latest awards, and the statement that explains the meter.

use jackpot::{Account, Discrepancy, Event, LAST_AWARDS, Movement};

use crate::script::{book, link, link_of, parameters, play, pool, rate};

/// Every meter after a history that touches each.
#[test]
fn all_meters() {
    let mut figures = parameters(5000);
    figures.reserve = Some(rate(1000));
    figures.cap = Some(crate::script::cents_of("10000500"));
    let link = play(
        link(&[book("MSSP9")], figures, "10000000.0000"),
        "
        enter T1/1 1:500 2:1000 => entered 5000000 overflow 250.0000 reserve 150.0000; meter 10000500.0000
        enter T2/1 3:500 | 3:straight-flush
            => entered 0 overflow 250.0000 reserve 50.0000; award 1 P3 straight-flush 1000050 (MSSP9 4.2)
            ; meter 9000450.0000
        enter T2/2 3:500 4:500 | 3:royal-flush 4:royal-flush
            => entered 5000000 reserve 100.0000; award 2 P3 royal-flush 9500475 (MSSP9 3.15.1) reset 300+9999700
            ; award 3 P4 royal-flush 9500475 (MSSP9 3.15.1) reset 10000000 overflow 500; meter 10000500.0000
        verify 1 ann.PS => verified 1
        approve 1 bob.PM => approved 1
        identify 1 bob.PM => identified 1
        pay 1 dan.D => paid 1 1000050
        reject 2 ann.PS bob.PM
            => rejected 2 9500475 undone 300+9999700 (MSSP9 4.2)
            ; replaced by 4: 3 9500475 undone 10000000 overflow 500 (MSSP9 4.2)
            ; award 4 P4 royal-flush 9000950 (MSSP9 4.2) reset 300+9999700 overflow 500; meter 10000500.0000
        ",
    );
    let meters = link.meters();
    assert_eq!((meters.wagers.count, meters.wagers.amount.cents()), (5, 3_000));
    assert_eq!((meters.displayed.cents(), meters.awards.standing()), (10_000_500, 2));
    assert_eq!((meters.awards.amount_standing().cents(), meters.paid.cents()), (10_001_000, 1_000_050));
    assert_eq!((meters.overflow, meters.reserve), (pool("0.0000"), pool("0.0000")));
    assert_eq!((meters.resets_by_house.cents(), meters.resets_by_reserve.cents()), (29_999_400, 600));
    assert_eq!((meters.resets_by_overflow.cents(), meters.resets_reversed.cents()), (1_000, 20_000_500));
}

/// Lifetime meters only grow: what is reversed is counted apart, line by line, fixed payouts too.
#[test]
fn lifetime_meters_only_grow() {
    let link = play(
        link_of("MTHB9", 5000, "10000000.0000"),
        "
        enter T1/1 1:500 2:500 fixed=2/full-house/40000 | 1:straight-flush
            => entered 5000000; award 1 P1 straight-flush 1000050 (MTHB9 4.2); meter 9000450.0000
        reverse T1/1 5.3 ann.PS bob.PM
            => taken back 1 1000050 (MTHB9 5.3); reversed 5000000 (MTHB9 5.3); meter 10000000.0000
        enter T1/2 1:500 fixed=1/full-house/40000 => entered 2500000; meter 10000250.0000
        ",
    );
    let meters = link.meters();
    assert_eq!((meters.wagers.count, meters.wagers.reversed), (3, 2));
    assert_eq!((meters.contributed.cents(), meters.contributions_reversed.cents()), (750, 500));
    let levels: Vec<(bool, u64, u64, u128)> = meters
        .levels
        .iter()
        .map(|((_, share), level)| {
            (share.is_some(), level.hits.count, level.hits.reversed, level.hits.amount_standing().cents())
        })
        .collect();
    assert_eq!(levels, [(false, 2, 1, 40_000), (true, 1, 1, 0)]);
}

/// The last 25 awards, newest first; slips are numbered from 1 without gaps.
#[test]
fn the_latest_awards() {
    let mut link = link_of("MTHB9", 0, "100000000.0000");
    for round in 1..=30 {
        let command = crate::script::parse(&link, &format!("enter T1/{round} 1:500 | 1:straight-flush"));
        link.apply(&command).expect("a straight flush");
    }
    let latest: Vec<u64> = link.last_awards().map(|award| award.number.0).collect();
    assert_eq!(latest, (6..=30).rev().collect::<Vec<u64>>());
    assert_eq!(latest.len(), LAST_AWARDS);
    assert!(link.awards().iter().zip(1..).all(|(award, number)| award.number.0 == number));
}

/// The statement lists every way into and out of the meter, and its sums are the meter.
#[test]
fn the_statement() {
    let link = play(
        link_of("MTHB9", 5000, "100000000.2500"),
        "
        enter T1/1 1:500 | 1:royal-flush
            => entered 2500000; award 1 P1 royal-flush 100000250 (MTHB9 4.2) reset 10000000; meter 10000000.2500
        adjust too-low 7.0000 bob.PM gus.GSM => adjusted 7.0000 (MTHB9 6.1); meter 10000007.2500
        ",
    );
    let statement = link.reconcile().expect("adds up");
    let moved = |lines: &[(Movement, jackpot::Total)]| -> Vec<(Movement, u128)> {
        let some = lines.iter().filter(|(_, total)| 0 < total.ten_thousandths());
        some.map(|(movement, total)| (*movement, total.ten_thousandths())).collect()
    };
    let came_in = [
        (Movement::Contribution, 2_500_000),
        (Movement::ResetByHouse, 100_000_000_000),
        (Movement::MeterRaised, 70_000),
    ];
    assert_eq!(moved(&statement.came_in), came_in);
    assert_eq!(moved(&statement.went_out), [(Movement::Award, 1_000_002_500_000)]);
    assert_eq!((statement.opening, statement.meter), (pool("100000000.2500"), pool("10000007.2500")));
}

/// A history that was tampered with does not add up, and the account is named.
#[test]
fn a_false_balance_is_found() {
    let mut link = link_of("MTHB9", 5000, "100000000.0000");
    let command = crate::script::parse(&link, "enter T1/1 1:500");
    let mut events = link.decide(&command).expect("an entry");
    for event in &mut events {
        if let Event::RoundEntered { balances, .. } = event {
            balances.meter = pool("100000250.0001");
        }
    }
    for event in &events {
        link.evolve(event);
    }
    let found: Discrepancy = link.reconcile().expect_err("a ten-thousandth too much");
    assert_eq!(found.account, Account::Meter);
    assert_eq!(found.holds.ten_thousandths() - found.came_in.ten_thousandths(), 1);
}

/// Every transfer has two different ends, so what leaves one account arrives in another.
#[test]
fn movements_have_two_ends() {
    for movement in Movement::ALL {
        assert_ne!(movement.source(), movement.target(), "{movement:?}");
    }
}

/// An event gives a journal what moved, in order, without transfers of zero.
#[test]
fn transfers_of_a_round() {
    let link = link_of("MTHB9", 5000, "100000000.2500");
    let command = crate::script::parse(&link, "enter T1/1 1:500 | 1:royal-flush");
    let events = link.decide(&command).expect("an entry");
    let transfers = events.iter().flat_map(Event::transfers);
    let moved: Vec<(Movement, u64)> =
        transfers.map(|transfer| (transfer.movement, transfer.amount.ten_thousandths())).collect();
    let expected = [
        (Movement::Contribution, 2_500_000),
        (Movement::ResetByHouse, 100_000_000_000),
        (Movement::Award, 1_000_002_500_000),
    ];
    assert_eq!(moved, expected);
}

/// A round that is settled again pays other fixed prizes: what is paid more is added, what was paid too much is reversed,
/// and no meter goes down.
#[test]
fn corrected_fixed_prizes_are_counted() {
    let start = play(
        link_of("MTHB9", 5000, "10000000.0000"),
        "enter T1/1 1:500 2:500 fixed=1/full-house/40000 => entered 5000000; meter 10000500.0000",
    );
    let levels = |rows: &str| {
        let link = play(start.clone(), rows);
        let of = |level: &jackpot::LevelMeters| {
            let hits = level.hits;
            (hits.count, hits.amount.cents(), hits.reversed, hits.amount_reversed.cents(), level.paid.cents())
        };
        link.meters().levels.iter().map(|(_, level)| of(level)).collect::<Vec<_>>()
    };
    assert_eq!(levels(""), [(1, 40_000, 0, 0, 40_000)]);
    let more = "fixed T1/1 6.1 fixed=1/full-house/50000 => fixed prizes 50000 (MTHB9 6.1)";
    assert_eq!(levels(more), [(1, 50_000, 0, 0, 50_000)]);
    let less = "fixed T1/1 6.1 fixed=1/full-house/10000 => fixed prizes 10000 (MTHB9 6.1)";
    assert_eq!(levels(less), [(1, 40_000, 0, 30_000, 40_000)]);
    let another = "
        fixed T1/1 6.1 fixed=1/full-house/40000 fixed=2/flush/500 => fixed prizes 40000 500 (MTHB9 6.1)
        fixed T1/1 6.1 => fixed prizes  (MTHB9 6.1)
        fixed T1/1 6.1 => refused NothingChanges (MTHB9 6.1)
        fixed T1/1 6.1 fixed=3/flush/500 => refused NoSuchEntry (MTHB9 6.1)
        fixed T1/2 6.1 fixed=1/flush/500 => refused NoSuchEntry (MTHB9 3.14)
        fixed T1/1 3.1 fixed=1/flush/500 => refused NotAnIrregularity (MTHB9 6.1)
        ";
    assert_eq!(levels(another), [(1, 500, 1, 500, 500), (1, 40_000, 1, 40_000, 40_000)]);
}
