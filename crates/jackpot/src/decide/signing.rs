//! Who may sign for what. A higher office may do everything a lower one may (6.2), and a person signs for the
//! same award only once.

use rulebook::{Citation, Office, R6_2};

use crate::award::Award;
use crate::decide::cite;
use crate::names::{Department, Pair, Person, Signature};
use crate::refusal::{Reason, Refusal};

/// The lowest offices that may reject an award or undo a round: changing the meter takes two people.
pub(super) const UNDOING: [Office; 2] = [Office::PitSupervisor, Office::PitManager];

/// The lowest offices that may rule on an amount, adjust a meter or change its settings. The rulebooks do not
/// cover these, so one of the two is the office that decides what no rule covers (6.1).
pub(super) const CONTROL: [Office; 2] = [Office::PitManager, Office::GamingShiftManager];

/// Refuses an office below `least`.
pub(super) fn check_office(by: &Signature, least: Office, book: Citation) -> Result<(), Refusal> {
    if by.office < least {
        return Err(Reason::OfficeIsTooLow.under(cite(book, R6_2)));
    }
    Ok(())
}

/// Refuses two signatures of one person, or offices below `least`.
pub(super) fn check_pair(by: &Pair, least: [Office; 2], book: Citation) -> Result<(), Refusal> {
    let clause = cite(book, R6_2);
    if by.offices().into_iter().zip(least).any(|(office, least)| office < least) {
        return Err(Reason::OfficeIsTooLow.under(clause));
    }
    if by.first.person == by.second.person {
        return Err(Reason::OnePersonTwice.under(clause));
    }
    Ok(())
}

/// Refuses two who may not control a meter together: a Pit Manager of Table Games with somebody of Accounting. Two of
/// Table Games did so before there were departments; whether they still may is for the house to say.
pub(super) fn check_control(by: &Pair, book: Citation) -> Result<(), Refusal> {
    let [first, second] = by.both();
    let of_tables = match (first.department, second.department) {
        (Department::TableGames, Department::TableGames) => return check_pair(by, CONTROL, book),
        (Department::TableGames, Department::Accounting) => first,
        (Department::Accounting, Department::TableGames) => second,
        _ => return Err(Reason::OfficeIsTooLow.under(cite(book, R6_2))),
    };
    if first.person == second.person {
        return Err(Reason::OnePersonTwice.under(cite(book, R6_2)));
    }
    check_office(of_tables, Office::PitManager, book)
}

/// Refuses a person who has already signed the award.
pub(super) fn check_not_signed(award: &Award, person: &Person) -> Result<(), Refusal> {
    if award.is_signed_by(person) {
        return Err(Reason::SignedBefore.under(cite(award.clause.book, R6_2)));
    }
    Ok(())
}

/// Refuses a pair if one of them has already signed the award.
pub(super) fn check_pair_not_signed(award: &Award, by: &Pair) -> Result<(), Refusal> {
    by.both().into_iter().try_for_each(|signature| check_not_signed(award, &signature.person))
}
