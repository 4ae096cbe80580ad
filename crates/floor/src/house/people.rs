//! Who made whom: who appointed or invited a person, and which accounts have a password. Two people sign together only if
//! neither made the other a short time ago.

use std::collections::BTreeMap;

use jackpot::Person;
use journal::{AccountHolder, CredentialChange, Hash, Moment, Proposal, SecondFactorChange};
use serde::{Deserialize, Serialize};

use crate::shared::SharedMap;

/// What the log knows of a row beside it that opens an account. Logs from before rows had digests know only that there is
/// one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeptRow {
    /// The row of this digest.
    Row(Hash),
    /// Some row.
    Unknown,
}

impl KeptRow {
    fn of(row: Option<Hash>) -> KeptRow {
        row.map_or(KeptRow::Unknown, KeptRow::Row)
    }

    /// Whether a row is this one, as far as is known.
    pub fn is(self, row: Hash) -> bool {
        match self {
            KeptRow::Row(known) => known == row,
            KeptRow::Unknown => true,
        }
    }
}

/// The accounts of the house. What their passwords are is kept elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Accounts {
    /// Who has a password.
    set: SharedMap<AccountHolder, KeptRow>,
    /// Who may choose one with an invitation.
    invited: SharedMap<AccountHolder, KeptRow>,
    /// Who gives a code besides the password.
    second_factors: BTreeMap<Person, KeptRow>,
}

/// Two people who agreed to invite somebody. Each gives out one half of the token, so that neither can take the
/// invitation up alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Agreed {
    two: [Person; 2],
    /// Who has given out their half.
    given: Option<Person>,
}

impl Agreed {
    /// Whether somebody is one of the two.
    pub(super) fn by(&self, person: &Person) -> bool {
        self.two.contains(person)
    }

    /// Whether the other one has given out their half.
    pub(super) fn is_given_by_other(&self, person: &Person) -> bool {
        self.by(person) && self.given.as_ref().is_some_and(|given| given != person)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct People {
    /// For each person those who appointed or invited them, and when they last did. It outlasts the office.
    makers: BTreeMap<Person, BTreeMap<Person, Moment>>,
    /// Whom two people agreed to invite.
    to_invite: BTreeMap<Person, Agreed>,
    accounts: Accounts,
}

impl People {
    /// Whether one of two people appointed or invited the other within so many days before this moment.
    pub(super) fn made_each_other(&self, one: &Person, other: &Person, days: u16, at: Moment) -> bool {
        let made = |maker: &Person, made: &Person| {
            let when = self.makers.get(made).and_then(|makers| makers.get(maker));
            when.is_some_and(|when| at < when.plus_days(days))
        };
        made(one, other) || made(other, one)
    }

    /// Who made whom, and when they last did.
    pub(super) fn makers(&self) -> impl Iterator<Item = (&Person, &Person, Moment)> {
        self.makers.iter().flat_map(|(made, makers)| makers.iter().map(move |(maker, at)| (made, maker, *at)))
    }

    /// The two who agreed to invite a person, until both have given out their halves of the token.
    pub(super) fn agreed_to_invite(&self, person: &Person) -> Option<&Agreed> {
        self.to_invite.get(person)
    }

    /// Whether an account has a password.
    pub(super) fn has_password(&self, who: &AccountHolder) -> bool {
        self.accounts.set.contains_key(who)
    }

    /// The row of somebody's password.
    pub(super) fn credential(&self, who: &AccountHolder) -> Option<KeptRow> {
        self.accounts.set.get(who).copied()
    }

    /// The row of somebody's invitation.
    pub(super) fn invitation(&self, who: &AccountHolder) -> Option<KeptRow> {
        self.accounts.invited.get(who).copied()
    }

    /// The row of somebody's second factor.
    pub(super) fn second_factor(&self, person: &Person) -> Option<KeptRow> {
        self.accounts.second_factors.get(person).copied()
    }

    /// Every password, with its row.
    pub(super) fn credentials(&self) -> impl Iterator<Item = (&AccountHolder, KeptRow)> {
        self.accounts.set.iter().map(|(who, row)| (who, *row))
    }

    /// Every invitation, with its row.
    pub(super) fn invitations(&self) -> impl Iterator<Item = (&AccountHolder, KeptRow)> {
        self.accounts.invited.iter().map(|(who, row)| (who, *row))
    }

    /// Every second factor, with its row.
    pub(super) fn second_factors(&self) -> impl Iterator<Item = (&Person, KeptRow)> {
        self.accounts.second_factors.iter().map(|(person, row)| (person, *row))
    }

    /// Whether somebody may choose a password with an invitation.
    pub(super) fn is_invited(&self, who: &AccountHolder) -> bool {
        let is_whole = match who {
            AccountHolder::Staff(person) => !self.to_invite.contains_key(person),
            AccountHolder::Player(_) => true,
        };
        is_whole && self.accounts.invited.contains_key(who)
    }

    /// Two people signed a proposal.
    pub(super) fn signed(&mut self, proposal: &Proposal, first: &Person, second: &Person, at: Moment) {
        let (person, invites) = if let Proposal::Appoint { person, .. } = proposal {
            // A new person needs a password; one who has it keeps it in another office.
            (person, !self.has_password(&AccountHolder::Staff(person.clone())))
        } else if let Proposal::AppointActing { person, .. } = proposal {
            (person, false)
        } else if let Proposal::InviteStaff { person } = proposal {
            (person, true)
        } else {
            return;
        };
        let makers = self.makers.entry(person.clone()).or_default();
        for maker in [first, second] {
            makers.insert(maker.clone(), at);
        }
        if invites {
            let two = [first.clone(), second.clone()];
            self.to_invite.insert(person.clone(), Agreed { two, given: None });
        }
    }

    /// Somebody lost their office, and with it every way to sign in.
    pub(super) fn dismissed(&mut self, person: &Person) {
        self.to_invite.remove(person);
        self.credential_set(&AccountHolder::Staff(person.clone()), CredentialChange::Withdrawn, None);
        self.accounts.second_factors.remove(person);
    }

    /// An invitation was given out, or one half of it.
    pub(super) fn invited(&mut self, who: &AccountHolder, row: Option<Hash>, half_by: Option<&Person>) {
        if let AccountHolder::Staff(person) = who {
            match (self.to_invite.get_mut(person), half_by) {
                (Some(agreed), Some(by)) if agreed.given.as_ref().is_none_or(|given| given == by) => {
                    agreed.given = Some(by.clone());
                }
                (Some(_) | None, _) => {
                    self.to_invite.remove(person);
                }
            }
        }
        self.accounts.invited.insert(who.clone(), KeptRow::of(row));
    }

    /// A password was set or withdrawn: with it every invitation is used up.
    pub(super) fn credential_set(&mut self, who: &AccountHolder, how: CredentialChange, row: Option<Hash>) {
        let accounts = &mut self.accounts;
        accounts.invited.remove(who);
        match how {
            CredentialChange::SetUp | CredentialChange::Invitation | CredentialChange::Changed => {
                accounts.set.insert(who.clone(), KeptRow::of(row));
            }
            CredentialChange::Withdrawn => {
                accounts.set.remove(who);
            }
        }
    }

    /// A second factor was set or removed.
    pub(super) fn second_factor_set(&mut self, person: &Person, how: SecondFactorChange, row: Option<Hash>) {
        let accounts = &mut self.accounts;
        match how {
            SecondFactorChange::Enrolled | SecondFactorChange::RecoveryCodeUsed => {
                accounts.second_factors.insert(person.clone(), KeptRow::of(row));
            }
            SecondFactorChange::Removed | SecondFactorChange::Lost => {
                accounts.second_factors.remove(person);
            }
        }
    }
}
