//! Laws of a round whose hands are removed after it was entered: the others get what the rules give without those hands.

use jackpot::{Award, AwardState, Checklist, Command, Entry, Event, Link, Signature, TableId, Terms, Undone};
use proptest::prelude::*;
use rulebook::{Office, Position, Rule};

use crate::histories::{able, entry, links};

/// Verifies, approves, identifies and pays an award, as far as that is accepted.
fn pay(link: &mut Link, award: &Award) {
    let award = award.number;
    let by = |person: &str| Signature::in_office(person, Office::PitManager);
    let checklist = Checklist { cards_checked: true, deck_cards: 52, custody: None };
    let reference = "file 7".to_owned();
    let steps = [
        Command::Verify { award, checklist, by: by("ann") },
        Command::Approve { award, by: by("bob") },
        Command::RecordDueDiligence { award, reference, by: by("ann") },
        Command::Pay { award, means: None, by: by("dan") },
    ];
    for step in steps {
        let _ = link.apply(&step);
    }
}

/// Removes hands of a round. Returns what meter and overflow could not give back of their contributions.
fn remove(link: &mut Link, entry: &Entry, hands: Vec<Position>) -> Result<i128, TestCaseError> {
    let (undone, rule) = (Undone::Hands(hands), Rule::new([5, 7, 0, 0]));
    let reverse = Command::ReverseEntry { entry: entry.id.clone(), undone, rule, by: able("gus", "gil") };
    match link.apply(&reverse).as_deref() {
        Ok([.., Event::EntryReversed { shortfall, .. }]) => {
            let lacking =
                [shortfall.meter, shortfall.overflow].map(|part| i128::from(part.ten_thousandths()));
            Ok(lacking.iter().sum())
        }
        other => Err(TestCaseError::fail(format!("{other:?}"))),
    }
}

/// What the link holds for awards: the meter, and the overflow that feeds the next restart.
fn held(link: &Link) -> i128 {
    [link.meter(), link.balances().overflow].map(|part| i128::from(part.ten_thousandths())).iter().sum()
}

fn is_paid(award: &Award) -> bool {
    award.state == AwardState::Paid
}

fn is_won(award: &Award) -> bool {
    is_paid(award) || award.is_open()
}

/// What some awards of a hand come to, in cents.
fn sum(link: &Link, hand: &Award, which: fn(&Award) -> bool) -> u64 {
    let same = |award: &&Award| {
        (&award.entry, award.position, award.hand, award.percent)
            == (&hand.entry, hand.position, hand.hand, hand.percent)
    };
    let of_hand = link.awards().iter().filter(same);
    of_hand.filter(|award| which(award)).map(|award| award.amount.cents()).sum()
}

/// Each hand has what it would have had, or what it was paid if that is more. Returns what was paid too much.
fn check_hands(link: &Link, without: &Link) -> Result<i128, TestCaseError> {
    let mut too_much = 0;
    for due in without.awards() {
        let (paid, cents) = (sum(link, due, is_paid), due.amount.cents());
        prop_assert_eq!(sum(link, due, is_won), cents.max(paid), "{:?}", due);
        let open = link.open_awards().filter(|award| {
            (&award.entry, award.position, award.hand) == (&due.entry, due.position, due.hand)
        });
        for award in open {
            prop_assert_eq!(award.sharers, due.sharers);
        }
        too_much += i128::from(paid.saturating_sub(cents)) * 10_000;
    }
    Ok(too_much)
}

proptest! {
    /// Whatever another table has entered and whatever has been paid in between, and however many hands are removed, at
    /// once or one after the other: each hand that stands has what it would have had without them, or what it was paid
    /// if that is more. Other rounds keep their amounts. The meter moves by what the round would have left on it.
    #[test]
    fn the_hands_that_stand_get_what_the_final_facts_give(
        opened in links(),
        mut entry in entry(),
        mut between in entry(),
        gone in proptest::collection::btree_set((1_u8..7).prop_map(Position), 1..4),
        at_once in any::<bool>(),
        paid in 0_usize..3,
    ) {
        (entry.id.table, entry.terms) = (TableId::new("T1"), Terms(0));
        (between.id.table, between.terms) = (TableId::new("T2"), Terms(0));
        let stood = |at: &Position| entry.wagers.iter().any(|wager| wager.position == *at);
        let gone: Vec<Position> = gone.into_iter().filter(stood).collect();
        let mut standing = entry.clone();
        standing.wagers.retain(|wager| !gone.contains(&wager.position));
        standing.claims.retain(|claim| !gone.contains(&claim.position));
        let (mut link, mut without) = (opened.clone(), opened);
        prop_assume!(!gone.is_empty() && link.apply(&Command::Enter { entry: entry.clone() }).is_ok());
        without.apply(&Command::Enter { entry: standing }).expect("a round with fewer hands can be entered too");
        let moved = held(&without) - held(&link);
        let stays = |award: &&Award| !gone.contains(&award.position);
        link.clone().awards().iter().filter(stays).take(paid).for_each(|award| pay(&mut link, award));
        let _ = link.apply(&Command::Enter { entry: between.clone() });

        let before = link.clone();
        let mut short = 0;
        if at_once {
            short += remove(&mut link, &entry, gone)?;
        } else {
            for hand in gone {
                short += remove(&mut link, &entry, vec![hand])?;
            }
        }
        let too_much = check_hands(&link, &without)?;
        let others = |award: &&Award| award.entry == between.id;
        prop_assert!(before.awards().iter().filter(others).eq(link.awards().iter().filter(others)));
        // A meter that was won in between can be too low to give a reset amount back.
        let expected = held(&before) + moved - too_much + short;
        let empty = link.meter().displayed().is_zero();
        prop_assert!(held(&link) == expected || empty, "{} {}", held(&link), expected);
        let hits = link.awards().iter().filter(|award| is_won(award) && !award.is_supplement()).count();
        prop_assert_eq!(Ok(hits), usize::try_from(link.meters().awards.standing()));
        prop_assert!(link.reconcile().is_ok());
    }

    /// The same where awards are rejected: the wagers stand, and each other hand has what it would have had if the
    /// rejected ones had never been claimed, also after the table has played on.
    #[test]
    fn rejections_leave_the_others_what_the_final_facts_give(
        opened in links(),
        mut entry in entry(),
        mut later in entry(),
        gone in proptest::collection::btree_set((1_u8..7).prop_map(Position), 1..4),
        paid in 0_usize..3,
    ) {
        (entry.id.table, entry.id.round, entry.terms) = (TableId::new("T1"), 1, Terms(0));
        (later.id.table, later.id.round, later.terms) = (TableId::new("T1"), 2, Terms(0));
        let mut standing = entry.clone();
        standing.claims.retain(|claim| !gone.contains(&claim.position));
        let (mut link, mut without) = (opened.clone(), opened);
        prop_assume!(link.apply(&Command::Enter { entry: entry.clone() }).is_ok());
        without.apply(&Command::Enter { entry: standing }).expect("a round with fewer claims can be entered too");
        let moved = held(&without) - held(&link);
        let stays = |award: &&Award| !gone.contains(&award.position);
        for award in link.clone().awards() {
            let checklist = Checklist { cards_checked: true, deck_cards: 52, custody: None };
            let by = Signature::in_office("ann", Office::PitManager);
            let _ = link.apply(&Command::Verify { award: award.number, checklist, by });
        }
        link.clone().awards().iter().filter(stays).take(paid).for_each(|award| pay(&mut link, award));
        later.claims.clear();
        let _ = link.apply(&Command::Enter { entry: later });
        let before = held(&link);
        let to_reject = |link: &Link| {
            let of_gone = |award: &&Award| award.entry == entry.id && gone.contains(&award.position);
            link.open_awards().find(of_gone).map(|award| award.number)
        };
        while let Some(award) = to_reject(&link) {
            let by = able("gus", "gil");
            let cause = jackpot::RejectCause::HandNotQualified;
            link.apply(&Command::Reject { award, cause, by }).expect("an open award can be rejected");
        }
        let too_much = check_hands(&link, &without)?;
        let expected = before + moved - too_much;
        let empty = link.meter().displayed().is_zero();
        prop_assert!(held(&link) == expected || empty, "{} {}", held(&link), expected);
        prop_assert!(link.reconcile().is_ok());
    }
}
