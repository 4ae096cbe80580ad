//! What happens to a link and its meter.

use jackpot::{
    Award, AwardNumber, Balances, Cause, Checklist, Contribution, Custody, DueDiligence, EntryId, Event,
    Evidence, Funding, Pair, Release, Restoration, Signature, Signed, Terms, Wager,
};
use journal::{LinkEvent, Winner};

use crate::stored::leaves::Leaves;
use crate::stored::listed::{
    CAUSES, DEPARTMENTS, HANDS, MEANS, OFFICES, PAID_BY, REJECT_CAUSES, STATES, STEPS,
};

pub(super) fn number(leaves: &mut Leaves) -> AwardNumber {
    AwardNumber(leaves.number(12, u64::MAX))
}

pub(super) fn signature(leaves: &mut Leaves) -> Signature {
    let (person, office) = (leaves.person("ng"), leaves.pick(OFFICES));
    Signature { person, office, department: leaves.pick(DEPARTMENTS) }
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
    Funding { reserve: leaves.cents(400_000), house: leaves.cents(9_600_000) }
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
    events
}

fn entered(leaves: &mut Leaves) -> Vec<Event> {
    let wager = |leaves: &mut Leaves| Wager { position: leaves.position(), amount: leaves.money() };
    let mut events = vec![
        Event::RoundEntered {
            entry: entry(leaves),
            book: leaves.citation(),
            terms: Terms(leaves.u32(2)),
            wagers: leaves.several(wager),
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
        Event::TableLost { table: leaves.table() },
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
        Event::SettingsApplied { settings: leaves.settings() },
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
        LinkEvent::SlipPrinted {
            award: number(leaves),
            copy: leaves.number(2, u64::MAX),
            by: signature(leaves),
        },
    ]
}
