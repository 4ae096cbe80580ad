//! Who made whom: who appointed or invited a person, and which accounts have a password. Two people sign together only if
//! neither made the other a short time ago.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jackpot::Person;
use journal::{AccountHolder, CredentialChange, Moment, Proposal};

/// The accounts of the house. What their passwords are is kept elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Accounts {
    /// Who has a password.
    set: BTreeSet<AccountHolder>,
    /// Who may choose one with an invitation.
    invited: BTreeSet<AccountHolder>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct People {
    /// For each person those who appointed or invited them, and when they last did. It outlasts the office.
    makers: BTreeMap<Person, BTreeMap<Person, Moment>>,
    /// Whom two people agreed to invite, and these two.
    to_invite: BTreeMap<Person, [Person; 2]>,
    /// Shared, since most of what happens to the house leaves it alone.
    accounts: Arc<Accounts>,
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

    /// The two who agreed to invite a person, until one of them gives the invitation out.
    pub(super) fn agreed_to_invite(&self, person: &Person) -> Option<&[Person; 2]> {
        self.to_invite.get(person)
    }

    /// Whether an account has a password.
    pub(super) fn has_password(&self, who: &AccountHolder) -> bool {
        self.accounts.set.contains(who)
    }

    /// Whether somebody may choose a password with an invitation.
    pub(super) fn is_invited(&self, who: &AccountHolder) -> bool {
        self.accounts.invited.contains(who)
    }

    /// Two people signed a proposal.
    pub(super) fn signed(&mut self, proposal: &Proposal, first: &Person, second: &Person, at: Moment) {
        let (person, invites) = if let Proposal::Appoint { person, .. } = proposal {
            // A new person needs a password; one who has it keeps it in another office.
            (person, !self.has_password(&AccountHolder::Staff(person.clone())))
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
            self.to_invite.insert(person.clone(), [first.clone(), second.clone()]);
        }
    }

    /// Somebody lost their office, and with it every way to sign in.
    pub(super) fn dismissed(&mut self, person: &Person) {
        self.to_invite.remove(person);
        self.credential_set(&AccountHolder::Staff(person.clone()), CredentialChange::Withdrawn);
    }

    /// An invitation was given out.
    pub(super) fn invited(&mut self, who: &AccountHolder) {
        if let AccountHolder::Staff(person) = who {
            self.to_invite.remove(person);
        }
        Arc::make_mut(&mut self.accounts).invited.insert(who.clone());
    }

    /// A password was set or withdrawn: with it every invitation is used up.
    pub(super) fn credential_set(&mut self, who: &AccountHolder, how: CredentialChange) {
        let accounts = Arc::make_mut(&mut self.accounts);
        accounts.invited.remove(who);
        match how {
            CredentialChange::SetUp | CredentialChange::Invitation | CredentialChange::Changed => {
                accounts.set.insert(who.clone());
            }
            CredentialChange::Withdrawn => {
                accounts.set.remove(who);
            }
        }
    }
}
