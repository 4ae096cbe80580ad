//! What happens to a link and its meter.

use jackpot::{
    Award, AwardNumber, Balances, Cause, Checklist, Contribution, Counts, Custody, Destination, DueDiligence,
    EntryId, Event, Evidence, Fault, FaultKind, FaultNumber, FixedPrize, Funding, Pair, Raised, Release,
    Restoration, Ruling, Shown, Signature, Signed, Terms, Wager,
};
use journal::{LinkEvent, Moment, Winner};
use money::Money;

use crate::stored::leaves::Leaves;
use crate::stored::listed::{
    CAUSES, DEPARTMENTS, HANDS, MEANS, OFFICES, PAID_BY, REJECT_CAUSES, STATES, STEPS,
};

pub(super) fn number(leaves: &mut Leaves) -> AwardNumber {
    AwardNumber(leaves.number(12, u64::MAX))
}

pub(super) fn signature(leaves: &mut Leaves) -> Signature {
    let (person, office) = (leaves.person("ng"), leaves.pick(OFFICES));
    Signature { person, office, department: leaves.pick(DEPARTMENTS), acting: false }
}

pub(super) fn pair(leaves: &mut Leaves) -> Pair {
    Pair { first: signature(leaves), second: Signature { person: leaves.person("lim"), ..signature(leaves) } }
}

fn entry(leaves: &mut Leaves) -> EntryId {
    EntryId { table: leaves.table(), round: leaves.number(41, u64::MAX) }
}

fn balances(leaves: &mut Leaves) -> Balances {
    Balances {
        meter: leaves.pool(1_284_077_350_123),
        reserve: leaves.pool(5_000_001),
        overflow: leaves.pool(7),
    }
}

fn contribution(leaves: &mut Leaves, plain: u64) -> Contribution {
    Contribution {
        meter: leaves.pool(plain),
        overflow: leaves.pool(plain + 1),
        reserve: leaves.pool(plain + 2),
    }
}

fn funding(leaves: &mut Leaves) -> Funding {
    Funding { reserve: leaves.cents(400_000), house: leaves.cents(9_600_000), overflow: Money::ZERO }
}

fn restoration(leaves: &mut Leaves) -> Restoration {
    Restoration { award: number(leaves), amount: leaves.money(), reset: funding(leaves) }
}

fn checklist(leaves: &mut Leaves) -> Checklist {
    Checklist { cards_checked: leaves.flag(true), deck_cards: leaves.byte(52), custody: None }
}

/// A check list as it is filled in since custody is recorded.
pub(super) fn full_checklist(leaves: &mut Leaves) -> Checklist {
    let custody = Custody {
        camera: leaves.text("camera 7, 21:14"),
        seal: leaves.text("S-00417"),
        deck_in_order: leaves.flag(true),
        held_by: leaves.text("lim, Security"),
    };
    Checklist { custody: Some(custody), ..checklist(leaves) }
}

/// Everything an adjustment can refer to.
pub(super) fn evidence(leaves: &mut Leaves) -> Vec<Evidence> {
    vec![
        Evidence::Fault { entry: leaves.number(41, u64::MAX) },
        Evidence::Award { award: number(leaves) },
        Evidence::Round { entry: entry(leaves) },
        Evidence::Count { reference: leaves.text("count sheet 88") },
    ]
}

/// Awards in every state, of every hand, signed for every step.
fn awards(leaves: &mut Leaves) -> Vec<Award> {
    let signed = |leaves: &mut Leaves| -> Vec<Signed> {
        STEPS.iter().map(|step| Signed { step: *step, by: signature(leaves) }).collect()
    };
    let diligence =
        |leaves: &mut Leaves| DueDiligence { reference: leaves.text("passport 5"), by: signature(leaves) };
    let award = |leaves: &mut Leaves, hand, state| Award {
        number: number(leaves),
        entry: entry(leaves),
        position: leaves.position(),
        hand,
        percent: leaves.percent(),
        amount: leaves.money(),
        clause: leaves.clause(),
        displayed: leaves.cents(128_407_735),
        sharers: usize::try_from(leaves.number(1, u64::MAX)).expect("64 bits"),
        before: leaves.pool(1_284_077_350_123),
        after: leaves.pool(1_155_669_620_123),
        reset: leaves.perhaps(funding),
        state,
        checklist: leaves.perhaps(checklist),
        due_diligence: leaves.perhaps(diligence),
        corrects: None,
        paid_before: None,
        released: None,
        ruling: None,
        signatures: signed(leaves),
    };
    let [states @ .., replaced] = STATES else { panic!("an award has several states") };
    let each = HANDS.iter().zip(states.iter().cycle());
    let mut awards: Vec<Award> = each.map(|(hand, state)| award(leaves, *hand, *state)).collect();
    let bare = Award {
        reset: None,
        checklist: None,
        due_diligence: None,
        signatures: Vec::new(),
        ..award(leaves, HANDS[0], STATES[0])
    };
    awards.push(bare);
    let release =
        |leaves: &mut Leaves| Release { words: leaves.text("award 1 is disputed"), by: pair(leaves) };
    awards.push(Award {
        corrects: Some(number(leaves)),
        paid_before: Some(leaves.money()),
        released: Some(release(leaves)),
        ..award(leaves, HANDS[0], *replaced)
    });
    awards
}

/// Everything that happens to a meter.
pub(in crate::stored) fn jackpot_events(leaves: &mut Leaves) -> Vec<Event> {
    let mut events = entered(leaves);
    events.extend(at_the_desk(leaves));
    events.extend(by_two(leaves));
    events.extend(since_0_3(leaves));
    events
}

/// What was added after 0.2.0: after everything else, so that the older lines stay where they are.
fn since_0_3(leaves: &mut Leaves) -> Vec<Event> {
    let fed = |leaves: &mut Leaves| Funding { overflow: leaves.cents(250), ..funding(leaves) };
    let prize = |leaves: &mut Leaves| FixedPrize {
        position: leaves.position(),
        hand: leaves.pick(HANDS),
        amount: leaves.money(),
    };
    let wager = |leaves: &mut Leaves| Wager { position: leaves.position(), amount: leaves.money() };
    let mut events = vec![
        Event::RoundEntered {
            entry: entry(leaves),
            book: leaves.citation(),
            terms: Terms(leaves.u32(2)),
            wagers: leaves.several(wager),
            fixed: leaves.several(prize),
            shown: Some(shown(leaves)),
            contribution: contribution(leaves, 1_150_000),
            balances: balances(leaves),
        },
        Event::SettingsApplied {
            settings: leaves.settings(),
            raised: Some(Raised { by: fed(leaves), balances: balances(leaves) }),
        },
        Event::AwardRejected {
            restoration: Restoration { reset: fed(leaves), ..restoration(leaves) },
            cause: leaves.pick(REJECT_CAUSES),
            by: pair(leaves),
            clause: leaves.clause(),
            balances: balances(leaves),
        },
        Event::FaultCleared {
            fault: FaultNumber(leaves.number(3, u64::MAX)),
            words: leaves.text("the sensor was replaced"),
            by: pair(leaves),
            clause: leaves.clause(),
        },
        Event::MoneyReceived {
            from: leaves.text("small"),
            meter: leaves.pool(1_000_000),
            overflow: leaves.pool(7),
            by: pair(leaves),
            clause: leaves.clause(),
            balances: balances(leaves),
        },
        Event::TableLost { table: leaves.table(), silent: true },
    ];
    let ruling = Ruling { words: leaves.text("it was paid too little"), by: pair(leaves) };
    let ruled = awards(leaves).into_iter().next().expect("an award of the samples");
    let award = Box::new(Award { ruling: Some(ruling), ..ruled });
    events.push(Event::AwardEntered { award, balances: balances(leaves) });
    let (first, later) = FaultKind::ALL.split_at(5);
    events.extend(first.iter().map(|kind| fault_found(*kind, leaves)));
    for to in destinations(leaves) {
        events.push(Event::ClosingAnnounced {
            to: to.clone(),
            words: leaves.text("the game ends"),
            by: pair(leaves),
            clause: leaves.clause(),
        });
        events.push(Event::LinkClosed {
            to,
            moved: balances(leaves),
            by: pair(leaves),
            clause: leaves.clause(),
            balances: balances(leaves),
        });
    }
    events.extend(later.iter().map(|kind| fault_found(*kind, leaves)));
    let (entry, fixed, clause) = (entry(leaves), leaves.several(prize), leaves.clause());
    events.push(Event::FixedPrizesCorrected { entry, fixed, clause });
    events
}

pub(super) fn shown(leaves: &mut Leaves) -> Shown {
    Shown { entries: leaves.number(9, u64::MAX), displayed: leaves.money() }
}

pub(super) fn destinations(leaves: &mut Leaves) -> Vec<Destination> {
    vec![Destination::Link(leaves.text("mega")), Destination::House]
}

fn entered(leaves: &mut Leaves) -> Vec<Event> {
    let wager = |leaves: &mut Leaves| Wager { position: leaves.position(), amount: leaves.money() };
    let mut events = vec![
        Event::RoundEntered {
            entry: entry(leaves),
            book: leaves.citation(),
            terms: Terms(leaves.u32(2)),
            wagers: leaves.several(wager),
            fixed: Vec::new(),
            shown: None,
            contribution: contribution(leaves, 1_150_000),
            balances: balances(leaves),
        },
        Event::EntryReversed {
            entry: entry(leaves),
            positions: leaves.several(Leaves::position),
            contribution: contribution(leaves, 1_150_000),
            shortfall: contribution(leaves, 10),
            by: pair(leaves),
            clause: leaves.clause(),
            balances: balances(leaves),
        },
        Event::TableLost { table: leaves.table(), silent: false },
        Event::TableRestored { table: leaves.table() },
    ];
    for award in awards(leaves) {
        events.push(Event::AwardEntered { award: Box::new(award), balances: balances(leaves) });
    }
    events
}

fn at_the_desk(leaves: &mut Leaves) -> Vec<Event> {
    let mut events = vec![
        Event::AwardVerified { award: number(leaves), checklist: checklist(leaves), by: signature(leaves) },
        Event::DueDiligenceRecorded {
            award: number(leaves),
            reference: leaves.text("passport 5"),
            by: signature(leaves),
        },
        Event::AwardPaid {
            award: number(leaves),
            amount: leaves.money(),
            by: signature(leaves),
            means: None,
        },
    ];
    for office in OFFICES {
        let by = Signature { office: *office, ..signature(leaves) };
        events.push(Event::AwardApproved { award: number(leaves), by });
    }
    events
}

fn by_two(leaves: &mut Leaves) -> Vec<Event> {
    let mut events = vec![
        Event::SettingsApplied { settings: leaves.settings(), raised: None },
        Event::ReconfigurationScheduled { settings: leaves.settings(), by: pair(leaves) },
        Event::AwardTakenBack {
            restoration: restoration(leaves),
            by: pair(leaves),
            clause: leaves.clause(),
            balances: balances(leaves),
        },
        Event::RulingMade {
            award: number(leaves),
            amount_before: leaves.cents(5_000),
            amount: leaves.money(),
            words: leaves.text("the other winner's half"),
            by: pair(leaves),
            clause: leaves.clause(),
            balances: balances(leaves),
        },
    ];
    for cause in REJECT_CAUSES {
        events.push(Event::AwardRejected {
            restoration: restoration(leaves),
            cause: *cause,
            by: pair(leaves),
            clause: leaves.clause(),
            balances: balances(leaves),
        });
    }
    for cause in CAUSES {
        events.push(Event::MeterAdjusted {
            cause: *cause,
            amount: leaves.pool(30_000),
            words: leaves.text("the display had stood still"),
            about: None,
            by: pair(leaves),
            clause: leaves.clause(),
            balances: balances(leaves),
        });
    }
    for about in evidence(leaves) {
        events.push(Event::MeterAdjusted {
            cause: Cause::MalfunctionTooHigh,
            amount: leaves.pool(30_000),
            words: leaves.text("the display had stood still"),
            about: Some(about),
            by: pair(leaves),
            clause: leaves.clause(),
            balances: balances(leaves),
        });
    }
    let (award, checklist, by) = (number(leaves), full_checklist(leaves), signature(leaves));
    events.push(Event::AwardVerified { award, checklist, by });
    for means in PAID_BY {
        let (award, amount, by) = (number(leaves), leaves.money(), signature(leaves));
        events.push(Event::AwardPaid { award, amount, by, means: Some(*means) });
    }
    let restored = |leaves: &mut Leaves, replacement| Event::AwardReplaced {
        restoration: restoration(leaves),
        replacement,
        clause: leaves.clause(),
        balances: balances(leaves),
    };
    let replacement = number(leaves);
    events.extend([
        restored(leaves, Some(replacement)),
        restored(leaves, None),
        Event::AwardReleased {
            award: number(leaves),
            words: leaves.text("award 1 is disputed"),
            by: pair(leaves),
            clause: leaves.clause(),
        },
    ]);
    events
}

/// Everything else that happens to a link.
pub(in crate::stored) fn link_events(leaves: &mut Leaves) -> Vec<LinkEvent> {
    let winners =
        MEANS.iter().map(|means| Winner { award: number(leaves), player: leaves.player(), means: *means });
    let winners: Vec<Winner> = winners.collect();
    let books = leaves.several(|leaves| leaves.text("megalink-holdem-v9"));
    vec![
        LinkEvent::Opened { books, settings: leaves.settings(), opening: leaves.pool(100_000_000_000) },
        LinkEvent::Won { winners: winners.clone(), dealt_by: Vec::new() },
        LinkEvent::Won { winners: Vec::new(), dealt_by: Vec::new() },
        LinkEvent::Won { winners, dealt_by: leaves.several(|leaves| leaves.person("ng")) },
        LinkEvent::BookAdded { book: leaves.text("megalink-holdem-v10") },
        LinkEvent::SlipPrinted {
            award: number(leaves),
            copy: leaves.number(2, u64::MAX),
            by: signature(leaves),
        },
        LinkEvent::SettingsPlanned {
            settings: leaves.settings(),
            from: Moment(leaves.number(1_700_000_000_000, u64::MAX)),
            by: pair(leaves),
        },
    ]
}

fn fault_found(kind: FaultKind, leaves: &mut Leaves) -> Event {
    let counted = Counts { wagers: leaves.number(7, u64::MAX), cents: leaves.number(3_500, u64::MAX) };
    let number = FaultNumber(leaves.number(3, u64::MAX));
    let (table, counted) = (leaves.perhaps(Leaves::table), Some(counted));
    Event::FaultFound { fault: Fault { number, kind, table, seen: leaves.text("as measured"), counted } }
}
