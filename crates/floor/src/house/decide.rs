//! What a command does to the house, or why it is refused. Pure, like the rules of a round and a link, so that an auditor
//! gets the same answer from the same house.

use jackpot::{Department, Evidence, Pair, Person, Post, Signature};
use journal::checkpoint::is_public_key;
use journal::{
    AccountHolder, Actor, Amount, Change, CredentialChange, Currency, DayChecks, DayRule, Hash, HouseCommand,
    HouseEvent, HouseLimits, Moment, PlayLimits, PlayerKind, Proposal, SecondFactorChange, SignInMeans,
};
use money::Money;
use round::PlayerId;
use rulebook::{Clause, Means, Office};

use super::{Acting, House, KeptRow, likened};
use crate::decide::{
    AMOUNT_MAX, WAGER_MAX, check_amount, check_free, check_name, check_text, is_practice_name,
};
use crate::permissions::{self, Permission, RESET_OF_PLAYER, Signatures, Who};
use crate::refusal::{Reason, Refusal};
use crate::rules;

/// From this amount on a Player's identity must be on record when cash changes hands.
const IDENTITY_FROM: Money = jackpot::DUE_DILIGENCE_FROM;

/// How many letters a sentence has at least that says why a meter is adjusted.
const SENTENCE_MIN: usize = 10;

/// For how many days somebody acts in an office at most: a vacancy that lasts longer is filled by an appointment.
const ACTING_DAYS_MAX: u16 = 14;

/// How many Gaming Shift Managers a house keeps: one alone could neither appoint nor invite anybody.
const SHIFT_MANAGERS_MIN: usize = 2;

/// What a decision needs to know beyond the house.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts<'a> {
    /// When it is decided.
    pub(crate) at: Moment,
    /// What the Player's debt account holds, zero or below. Without it the rules about debts are not checked: an auditor
    /// who reads one stream does not know it. What a wallet holds is checked where money moves.
    pub(crate) owed: Option<Amount>,
    /// What the Player's credits are, where the command depends on it and it is known.
    pub(crate) holds: Option<Amount>,
    /// Whether an auditor reads what may have been logged before there were departments.
    pub(crate) may_be_earlier: bool,
    /// Every value that a proposal changes.
    pub(crate) changes: &'a [Change],
    /// What the Player of a command was paid of awards on the gaming day.
    pub(crate) paid: Money,
}

/// Cash that changes hands.
#[derive(Clone, Copy, Debug)]
struct CashMove<'a> {
    player: &'a PlayerId,
    amount: Money,
    means: Means,
    identity: Option<&'a str>,
}

impl House {
    /// What `command` does to the house, or why it is refused. A command that opens a table or a link does nothing to the
    /// house, and is refused here only where the actor may not give it.
    pub(crate) fn decide(
        &self,
        actor: &Actor,
        command: &HouseCommand,
        facts: Facts<'_>,
    ) -> Result<Vec<HouseEvent>, Refusal> {
        if let HouseCommand::OpenHouse { name, key, money, gaming_day } = command {
            self.check_known(actor, facts.at)?;
            check_may(actor, permissions::of_house(command))?;
            return self.open(name, *key, *money, *gaming_day);
        }
        self.check_actor(actor, facts.at)?;
        check_may(actor, permissions::of_house(command))?;
        let event = match command {
            HouseCommand::AcceptRollback { to, seen, lost, reason, streams, to_be_signed } => {
                check_text(reason)?;
                let (lost, reason, streams) = (lost.clone(), reason.clone(), streams.clone());
                let (to, seen, to_be_signed) = (*to, *seen, *to_be_signed);
                HouseEvent::RollbackAccepted { to, seen, lost, reason, streams, to_be_signed }
            }
            HouseCommand::SignRollback {} => {
                self.loss_to_sign().ok_or_else(|| Reason::NothingChanges.refuse())?;
                HouseEvent::RollbackSigned { by: signature(actor)? }
            }
            HouseCommand::NoteFinding { day, about, words } => {
                self.check_day_is_over(*day, facts.at)?;
                check_text(about)?;
                check_words(words)?;
                let (about, words) = (about.clone(), words.clone());
                HouseEvent::FindingNoted { day: *day, about, words, by: signature(actor)? }
            }
            HouseCommand::MakeDeviceKey { device, scope, key, until } => {
                self.make_device_key(device, scope, *key, (facts.at, *until))?
            }
            HouseCommand::RevokeDeviceKey { device } => self.revoke_device_key(device)?,
            HouseCommand::OpenHouse { .. } | HouseCommand::OpenTable { .. } => return Ok(Vec::new()),
            HouseCommand::OpenLink { .. } => {
                self.check_setting_up()?;
                return Ok(Vec::new());
            }
            HouseCommand::Appoint { person, office, department } => {
                self.check_setting_up()?;
                self.appoint(person, Post::new(*department, *office))?
            }
            HouseCommand::EndActing { person } => self.end_acting(actor, person, facts.at)?,
            HouseCommand::Invite { who, row } => self.invite(actor, who, *row, facts)?,
            HouseCommand::SetCredential { who, how, row } => self.set_credential(actor, who, *how, *row)?,
            HouseCommand::SetSecondFactor { person, how, row } => {
                self.set_second_factor(actor, person, *how, *row)?
            }
            HouseCommand::EndSession { who, session } => self.end_session(actor, who, *session)?,
            HouseCommand::BeginSession { who, session, how, from } => {
                self.begin_session(actor, who, *session, *how, from)?
            }
            HouseCommand::RefuseSignIn { who, from, why, times } => {
                check_counted(*times, from.as_deref(), None)?;
                let (who, from, why) = (who.clone(), from.clone(), *why);
                HouseEvent::SignInRefused { who, from, why, times: *times }
            }
            HouseCommand::DenyCommand { who, what, reason, times } => {
                check_counted(*times, what.as_deref(), reason.as_deref())?;
                let (who, what, reason) = (who.clone(), what.clone(), reason.clone());
                HouseEvent::CommandDenied { who, what, reason, times: *times }
            }
            HouseCommand::StartService { node, identity, settings } => {
                self.start_service(node, identity, settings)?
            }
            HouseCommand::StopService { node } => {
                check_text(node)?;
                HouseEvent::ServiceStopped { node: node.clone() }
            }
            HouseCommand::RegisterPlayer { player, kind } => self.register(player, *kind)?,
            HouseCommand::ForgetGuest { player, credits } => self.forget(player, *credits, facts)?,
            HouseCommand::BuyIn { player, amount, means, identity } => {
                let cash = CashMove { player, amount: *amount, means: *means, identity: identity.as_deref() };
                self.check_cash_limit(cash, facts)?;
                self.buy_in(cash, facts)?
            }
            HouseCommand::GrantCredits { player, amount, means } => self.grant(player, *amount, *means)?,
            HouseCommand::CashOut { player, amount, means, identity } => {
                let cash = CashMove { player, amount: *amount, means: *means, identity: identity.as_deref() };
                self.check_cash_limit(cash, facts)?;
                self.cash_out(cash, facts)?
            }
            HouseCommand::SetPlayLimits { player, limits } => {
                self.set_play_limits(actor, player, *limits, facts.at)?
            }
            HouseCommand::RepayDebt { player, amount } => self.repay(player, *amount, facts.owed)?,
            HouseCommand::Propose { proposal } => self.propose(proposal, signature(actor)?, facts)?,
            HouseCommand::Confirm { number } => return self.confirm(*number, signature(actor)?, facts),
            HouseCommand::WithdrawProposal { number } => self.withdraw(*number, signature(actor)?)?,
        };
        Ok(vec![event])
    }

    /// A Player sets their own limits, and nobody else does.
    fn set_play_limits(
        &self,
        actor: &Actor,
        player: &PlayerId,
        limits: PlayLimits,
        at: Moment,
    ) -> Result<HouseEvent, Refusal> {
        self.check_player(player)?;
        if !is_holder(actor, &AccountHolder::Player(player.clone())) {
            return Err(Reason::NotYourLimits.refuse());
        }
        if limits.loss.is_some_and(|loss| AMOUNT_MAX < loss) {
            return Err(Reason::AmountTooLarge.refuse());
        }
        let asked = self.coming_limits(player, at).map(|coming| coming.limits);
        if asked.unwrap_or_else(|| self.play_limits(player, at)) == limits {
            return Err(Reason::NothingChanges.refuse());
        }
        Ok(HouseEvent::PlayLimitsSet { player: player.clone(), limits })
    }

    /// Refuses everybody while the house is not open, and those it does not know.
    pub(crate) fn check_actor(&self, actor: &Actor, at: Moment) -> Result<(), Refusal> {
        if self.name().is_none() {
            return Err(Reason::HouseIsNotOpen.refuse());
        }
        self.check_known(actor, at)
    }

    /// Refuses a Player who is not registered, and staff who claim an office they do not hold at this moment.
    fn check_known(&self, actor: &Actor, at: Moment) -> Result<(), Refusal> {
        match actor {
            Actor::Player(player) if self.player(player).is_none() => Err(Reason::NotAPlayer.refuse()),
            Actor::Staff(person, office) if !self.holds(person, *office) => {
                Err(Reason::NotOfTheStaff.refuse())
            }
            Actor::Acting(person, office) if !self.acts_in(person, *office, at) => {
                Err(Reason::NotActing.refuse())
            }
            Actor::Department(person, department) if !self.is_of(person, *department) => {
                Err(Reason::NotOfTheStaff.refuse())
            }
            Actor::Device(device) if self.device(device).is_none_or(|known| !known.holds(at)) => {
                Err(Reason::NoSuchDevice.refuse())
            }
            Actor::System
            | Actor::Device(_)
            | Actor::Player(_)
            | Actor::Staff(..)
            | Actor::Acting(..)
            | Actor::Department(..) => Ok(()),
        }
    }

    /// Whether somebody holds an office for good, or a higher one.
    fn holds(&self, person: &Person, office: Office) -> bool {
        self.office(person).is_some_and(|held| office <= held)
    }

    /// Whether somebody acts in an office at a moment, or in a higher one.
    fn acts_in(&self, person: &Person, office: Office, at: Moment) -> bool {
        self.acting(person).is_some_and(|acting| acting.is_at(at) && office <= acting.office)
    }

    /// Whether somebody is of a department.
    fn is_of(&self, person: &Person, department: Department) -> bool {
        self.post(person).is_some_and(|post| post.department == department)
    }

    /// Whether whoever signed is still where they signed. Who has been appointed to the office they acted in is.
    fn still_holds(&self, signed: &Signature, at: Moment) -> bool {
        let person = &signed.person;
        match signed.post().office() {
            Some(office) if signed.acting => self.acts_in(person, office, at) || self.holds(person, office),
            Some(office) => self.holds(person, office),
            None => self.is_of(&signed.person, signed.department),
        }
    }

    /// Refuses what is no key, and a key that has signed for the house already.
    fn check_signing_key(&self, key: Hash) -> Result<(), Refusal> {
        let wrong = |what: &str| Err(Reason::SigningKeyIsWrong.because(&what));
        if !is_public_key(&key.0) {
            return wrong("These 32 bytes are not a public key; `megalink signing-key` prints one.");
        }
        if self.key() == Some(key.0) || self.former_keys.contains(&key.0) {
            return wrong("It has signed for this house already.");
        }
        Ok(())
    }

    fn open(
        &self,
        name: &str,
        key: [u8; 32],
        money: Currency,
        gaming_day: DayRule,
    ) -> Result<Vec<HouseEvent>, Refusal> {
        if self.name().is_some() {
            return Err(Reason::HouseIsOpen.refuse());
        }
        check_name(name)?;
        if money == Currency::Practice && !is_practice_name(name) {
            return Err(Reason::NotMarkedAsPractice.refuse());
        }
        Ok(vec![HouseEvent::Opened { name: name.to_owned(), key, money, gaming_day }])
    }

    /// The system appoints and opens links in a house that nobody runs yet.
    fn check_setting_up(&self) -> Result<(), Refusal> {
        if self.is_running { Err(Reason::SetUpIsOver.refuse()) } else { Ok(()) }
    }

    fn appoint(&self, person: &Person, post: Post) -> Result<HouseEvent, Refusal> {
        check_name(person.name())?;
        let others = self.staff().map(|(other, _)| other).filter(|other| *other != person);
        check_free(person.name(), others.map(Person::name))?;
        if self.post(person) == Some(post) {
            return Err(Reason::NothingChanges.refuse());
        }
        if self.players.likened.contains_key(&likened(person.name())) {
            return Err(Reason::StaffDoNotPlay.refuse());
        }
        if self.office(person) == Some(Office::GamingShiftManager) {
            self.check_another_manager(person)?;
        }
        let Post { department, office } = post;
        Ok(HouseEvent::Appointed { person: person.clone(), office, department })
    }

    /// Somebody of Table Games acts in a higher office for a time. Other departments stay apart from those who play.
    fn appoint_acting(&self, person: &Person, acting: Acting, at: Moment) -> Result<HouseEvent, Refusal> {
        let Some(held) = self.check_person(person)?.office() else {
            return Err(Reason::NotYourDepartment.because(&format_args!("({person} is not of Table Games)")));
        };
        let Acting { office, from, until } = acting;
        if office <= held || self.acting(person) == Some(acting) {
            return Err(Reason::NothingChanges.refuse());
        }
        if until <= from || until <= at || from.plus_days(ACTING_DAYS_MAX) < until {
            return Err(Reason::ActingTimeIsWrong.refuse());
        }
        Ok(HouseEvent::ActingAppointed { person: person.clone(), office, from, until })
    }

    /// Somebody no longer acts in an office. One person is enough, because nobody gains by it: they themselves, or whoever
    /// may propose to give an office.
    fn end_acting(&self, actor: &Actor, person: &Person, at: Moment) -> Result<HouseEvent, Refusal> {
        self.check_person(person)?;
        if !is_holder(actor, &AccountHolder::Staff(person.clone())) {
            check_may(actor, permissions::END_OF_ANOTHERS_ACTING)?;
        }
        if self.acting(person).is_none_or(|acting| acting.until <= at) {
            return Err(Reason::NotActing.refuse());
        }
        Ok(HouseEvent::ActingEnded { person: person.clone() })
    }

    fn dismiss(&self, person: &Person) -> Result<Vec<HouseEvent>, Refusal> {
        self.check_person(person)?;
        if self.office(person) == Some(Office::GamingShiftManager) {
            self.check_another_manager(person)?;
        }
        let (who, how) = (AccountHolder::Staff(person.clone()), CredentialChange::Withdrawn);
        let withdrawn = HouseEvent::CredentialSet { who, how, row: None };
        Ok(vec![HouseEvent::Dismissed { person: person.clone() }, withdrawn])
    }

    /// Refuses somebody who is not of the staff.
    fn check_person(&self, person: &Person) -> Result<Post, Refusal> {
        self.post(person).ok_or_else(|| Reason::NoSuchPerson.refuse())
    }

    /// Without its highest office a floor could never appoint anybody again.
    fn check_another_manager(&self, person: &Person) -> Result<(), Refusal> {
        let others = self.staff().filter(|(other, _)| *other != person);
        let managers = others.filter(|(_, post)| post.office() == Some(Office::GamingShiftManager));
        if managers.count() < SHIFT_MANAGERS_MIN { Err(Reason::LastShiftManager.refuse()) } else { Ok(()) }
    }

    /// Whether an account has a password.
    pub fn has_password(&self, who: &AccountHolder) -> bool {
        self.people.has_password(who)
    }

    /// Whether somebody may choose a password with an invitation.
    pub fn is_invited(&self, who: &AccountHolder) -> bool {
        self.people.is_invited(who)
    }

    /// The row of somebody's password.
    pub fn credential(&self, who: &AccountHolder) -> Option<KeptRow> {
        self.people.credential(who)
    }

    /// The row of the password that somebody's sessions must have begun by. Guests have no password, and old logs do not
    /// name the row.
    pub fn session_credential(&self, who: &AccountHolder) -> Option<Hash> {
        match self.credential(who)? {
            KeptRow::Row(row) => Some(row),
            KeptRow::Unknown => None,
        }
    }

    /// The row of somebody's invitation.
    pub fn invitation(&self, who: &AccountHolder) -> Option<KeptRow> {
        self.people.invitation(who)
    }

    /// The row of somebody's second factor.
    pub fn second_factor(&self, person: &Person) -> Option<KeptRow> {
        self.people.second_factor(person)
    }

    /// Every password, with its row.
    pub fn credentials(&self) -> impl Iterator<Item = (&AccountHolder, KeptRow)> {
        self.people.credentials()
    }

    /// Every invitation, with its row.
    pub fn invitations(&self) -> impl Iterator<Item = (&AccountHolder, KeptRow)> {
        self.people.invitations()
    }

    /// Every second factor, with its row.
    pub fn second_factors(&self) -> impl Iterator<Item = (&Person, KeptRow)> {
        self.people.second_factors()
    }

    /// Whether this person may give out a half of the invitation of another, to which two people agreed.
    pub fn may_invite(&self, by: &Person, person: &Person) -> bool {
        self.people.agreed_to_invite(person).is_some_and(|agreed| agreed.by(by))
    }

    /// Whether the other of the two who agreed to an invitation has given out the first half.
    pub fn is_half_invited(&self, who: &AccountHolder, by: &Person) -> bool {
        match who {
            AccountHolder::Staff(person) => {
                self.people.agreed_to_invite(person).is_some_and(|agreed| agreed.is_given_by_other(by))
            }
            AccountHolder::Player(_) => false,
        }
    }

    /// An invitation is given out. Of the staff it takes two people who agreed to it before, and each gives out one half.
    fn invite(
        &self,
        actor: &Actor,
        who: &AccountHolder,
        row: Option<Hash>,
        facts: Facts<'_>,
    ) -> Result<HouseEvent, Refusal> {
        let half_by = match who {
            AccountHolder::Player(player) => {
                match self.check_player(player)? {
                    PlayerKind::Member => {}
                    PlayerKind::Guest | PlayerKind::House => return Err(Reason::NotAMember.refuse()),
                }
                if self.has_password(who) {
                    check_may(actor, RESET_OF_PLAYER)?;
                }
                None
            }
            AccountHolder::Staff(person) => {
                self.check_person(person)?;
                let Some(agreed) = self.people.agreed_to_invite(person) else {
                    return Err(Reason::NotInvited.refuse());
                };
                let by = signature(actor)?.person;
                if !agreed.by(&by) {
                    return Err(Reason::NotYourInvitation.refuse());
                }
                (!facts.may_be_earlier || self.has_departments).then_some(by)
            }
        };
        Ok(HouseEvent::Invited { who: who.clone(), row, half_by })
    }

    /// A password was set: by its holder, or by the system when it sets the house up.
    fn set_credential(
        &self,
        actor: &Actor,
        who: &AccountHolder,
        how: CredentialChange,
        row: Option<Hash>,
    ) -> Result<HouseEvent, Refusal> {
        let is_holder = is_holder(actor, who);
        match how {
            CredentialChange::SetUp if *actor != Actor::System => return Err(Reason::SystemOnly.refuse()),
            CredentialChange::SetUp => {
                self.check_setting_up()?;
                if let AccountHolder::Staff(person) = who {
                    self.check_person(person)?;
                }
            }
            CredentialChange::Invitation | CredentialChange::Changed if !is_holder => {
                return Err(Reason::NotYourAccount.refuse());
            }
            CredentialChange::Invitation if !self.is_invited(who) => return Err(Reason::NotInvited.refuse()),
            CredentialChange::Changed if !self.has_password(who) => {
                return Err(Reason::NotYourAccount.refuse());
            }
            CredentialChange::Invitation | CredentialChange::Changed => {}
            // It follows from a dismissal, and is never asked for alone.
            CredentialChange::Withdrawn => return Err(Reason::NotYourAccount.refuse()),
        }
        Ok(HouseEvent::CredentialSet { who: who.clone(), how, row })
    }

    /// A second factor was enrolled, used up a recovery code, or was removed: by its holder. That somebody has lost it is
    /// for two others to sign.
    fn set_second_factor(
        &self,
        actor: &Actor,
        person: &Person,
        how: SecondFactorChange,
        row: Option<Hash>,
    ) -> Result<HouseEvent, Refusal> {
        if !is_holder(actor, &AccountHolder::Staff(person.clone())) {
            return Err(Reason::NotYourAccount.refuse());
        }
        let has_one = self.second_factor(person).is_some();
        match how {
            SecondFactorChange::Enrolled => {}
            SecondFactorChange::RecoveryCodeUsed | SecondFactorChange::Removed if has_one => {}
            SecondFactorChange::RecoveryCodeUsed | SecondFactorChange::Removed => {
                return Err(Reason::NoSecondFactor.refuse());
            }
            SecondFactorChange::Lost => return Err(Reason::NotYourAccount.refuse()),
        }
        Ok(HouseEvent::SecondFactorSet { person: person.clone(), how, row })
    }

    /// Two others remove the second factor of somebody who has lost it.
    fn lose_second_factor(&self, person: &Person) -> Result<HouseEvent, Refusal> {
        self.check_person(person)?;
        if self.second_factor(person).is_none() {
            return Err(Reason::NoSecondFactor.refuse());
        }
        Ok(HouseEvent::SecondFactorSet { person: person.clone(), how: SecondFactorChange::Lost, row: None })
    }

    /// Somebody of the staff signed in. The sessions of Players are not in the log.
    fn begin_session(
        &self,
        actor: &Actor,
        who: &AccountHolder,
        session: Hash,
        how: SignInMeans,
        from: &str,
    ) -> Result<HouseEvent, Refusal> {
        if !is_holder(actor, who) || !matches!(who, AccountHolder::Staff(_)) || !self.has_password(who) {
            return Err(Reason::NotYourAccount.refuse());
        }
        check_text(from)?;
        if self.has_ended(&session) {
            return Err(Reason::NothingChanges.refuse());
        }
        Ok(HouseEvent::SessionBegan { who: who.clone(), session, how, from: from.to_owned() })
    }

    /// A session ended before its time: by its holder, or by the system where the office has changed.
    fn end_session(&self, actor: &Actor, who: &AccountHolder, session: Hash) -> Result<HouseEvent, Refusal> {
        if *actor != Actor::System && !is_holder(actor, who) {
            return Err(Reason::NotYourAccount.refuse());
        }
        if self.has_ended(&session) {
            return Err(Reason::NothingChanges.refuse());
        }
        Ok(HouseEvent::SessionEnded { who: who.clone(), session })
    }

    fn register(&self, player: &PlayerId, kind: PlayerKind) -> Result<HouseEvent, Refusal> {
        check_name(player.name())?;
        match kind {
            PlayerKind::Member => {}
            PlayerKind::Guest | PlayerKind::House => self.check_play_money()?,
        }
        if self.is_player_name(player.name()) {
            return Err(Reason::NameIsTaken.refuse());
        }
        let name = likened(player.name());
        if self.staff().any(|(person, _)| likened(person.name()) == name) {
            return Err(Reason::StaffDoNotPlay.refuse());
        }
        Ok(HouseEvent::PlayerRegistered { player: player.clone(), kind })
    }

    /// Who is prohibited or warned stays known: another who takes the name later would inherit it, or be rid of it.
    fn forget(&self, player: &PlayerId, credits: Money, facts: Facts<'_>) -> Result<HouseEvent, Refusal> {
        if self.check_player(player)? != PlayerKind::Guest
            || self.is_prohibited(player)
            || self.is_warned(player)
            || facts.owed.is_some_and(|owed| owed != Amount::ZERO)
            || facts.holds.is_some_and(|holds| holds != crate::moves::fine(credits))
        {
            return Err(Reason::NotToBeForgotten.refuse());
        }
        Ok(HouseEvent::GuestForgotten { player: player.clone(), credits })
    }

    fn grant(&self, player: &PlayerId, amount: Money, means: Means) -> Result<HouseEvent, Refusal> {
        self.check_play_money()?;
        self.check_player(player)?;
        check_amount(amount)?;
        Ok(HouseEvent::CreditsGranted { player: player.clone(), amount, means })
    }

    fn repay(&self, player: &PlayerId, amount: Money, owed: Option<Amount>) -> Result<HouseEvent, Refusal> {
        self.check_player(player)?;
        check_amount(amount)?;
        if let Some(owed) = owed {
            let left = owed.plus(crate::moves::fine(amount)).map_err(|_| Reason::AmountTooLarge.refuse())?;
            if Amount::ZERO < left {
                return Err(Reason::NotSoMuchOwed.refuse());
            }
        }
        Ok(HouseEvent::DebtRepaid { player: player.clone(), amount })
    }

    /// Refuses a Player who is not registered.
    pub(crate) fn check_player(&self, player: &PlayerId) -> Result<PlayerKind, Refusal> {
        self.player(player).ok_or_else(|| Reason::NotAPlayer.refuse())
    }

    /// Refuses play credits, and those who have nothing else, where the money is real.
    fn check_play_money(&self) -> Result<(), Refusal> {
        match self.money() {
            Some(Currency::Real) => Err(Reason::RealMoney.refuse()),
            Some(Currency::Play | Currency::Practice) | None => Ok(()),
        }
    }

    /// Refuses cash where there is none, to those who have none, and more than the house allows at all.
    fn check_cash(&self, cash: CashMove<'_>, facts: Facts<'_>) -> Result<Option<String>, Refusal> {
        if self.money() != Some(Currency::Real) {
            return Err(Reason::PlayMoney.refuse());
        }
        self.check_player(cash.player)?;
        check_amount(cash.amount)?;
        if self.limits.cash_max < cash.amount {
            return Err(
                Reason::AboveCeiling.because(&format_args!("(at most {} at once)", self.limits.cash_max))
            );
        }
        check_identity(self.cash_of_day(cash, facts), cash.identity)
    }

    /// What a Player was paid and changes in cash on a gaming day, with this. Before there were departments each amount
    /// counted alone.
    fn cash_of_day(&self, cash: CashMove<'_>, facts: Facts<'_>) -> Money {
        if facts.may_be_earlier && !self.has_departments {
            return cash.amount;
        }
        let before = self.cash_of_gaming_day(cash.player, facts.at).plus(facts.paid);
        before.and_then(|before| before.plus(cash.amount)).unwrap_or(AMOUNT_MAX)
    }

    /// Refuses more cash than one person may change alone, at once or for one Player on one day.
    fn check_cash_limit(&self, cash: CashMove<'_>, facts: Facts<'_>) -> Result<(), Refusal> {
        self.check_cash(cash, facts)?;
        let limits = &self.limits;
        if limits.cash < cash.amount {
            return Err(Reason::AboveLimit.because(&format_args!("(at most {} at once)", limits.cash)));
        }
        let today = self.cash.of(cash.player, facts.at.day()).plus(cash.amount);
        if today.is_ok_and(|today| today <= limits.cash_per_day) {
            return Ok(());
        }
        let most = limits.cash_per_day;
        Err(Reason::AboveLimit.because(&format_args!("(at most {most} for one Player on one day)")))
    }

    fn buy_in(&self, cash: CashMove<'_>, facts: Facts<'_>) -> Result<HouseEvent, Refusal> {
        let identity = self.check_cash(cash, facts)?;
        let CashMove { player, amount, means, .. } = cash;
        Ok(HouseEvent::BoughtIn { player: player.clone(), amount, means, identity })
    }

    fn cash_out(&self, cash: CashMove<'_>, facts: Facts<'_>) -> Result<HouseEvent, Refusal> {
        let identity = self.check_cash(cash, facts)?;
        if facts.owed.is_some_and(|owed| owed < Amount::ZERO) {
            return Err(Reason::DebtIsOpen.refuse());
        }
        let CashMove { player, amount, means, .. } = cash;
        Ok(HouseEvent::CashedOut { player: player.clone(), amount, means, identity })
    }

    /// The first person signs. What could not be done even with a second signature is refused at once, as far as it
    /// concerns the house.
    fn propose(&self, proposal: &Proposal, by: Signature, facts: Facts<'_>) -> Result<HouseEvent, Refusal> {
        check_not_own(proposal, &by.person)?;
        self.carried_out(proposal, Facts { owed: None, ..facts })?;
        let (number, proposal) = (self.next_proposal(), proposal.clone());
        if facts.may_be_earlier && !self.has_departments {
            let changes = Vec::new();
            return Ok(HouseEvent::Proposed { number, proposal, by, expires: None, changes });
        }
        check_evidence(&proposal)?;
        self.check_somebody_can_confirm(&proposal, &by)?;
        let expires = Some(facts.at.plus_days(self.limits.proposal_days));
        Ok(HouseEvent::Proposed { number, proposal, by, expires, changes: facts.changes.to_vec() })
    }

    /// A second person signs, and what concerns the house is done. The first must still hold the office they signed in,
    /// and neither may have made the other a short time ago.
    fn confirm(&self, number: u64, second: Signature, facts: Facts<'_>) -> Result<Vec<HouseEvent>, Refusal> {
        let Some(open) = self.proposal(number) else {
            return Err(Reason::NoSuchProposal.refuse());
        };
        let (proposal, first) = (&open.proposal, &open.by);
        if first.person == second.person {
            return Err(Reason::OnePersonTwice.refuse());
        }
        if !self.still_holds(first, facts.at) {
            return Err(Reason::NotOfTheStaff.because(&format_args!("({})", first.person)));
        }
        let is_earlier = facts.may_be_earlier && !self.has_departments;
        if is_earlier {
            check_two_of_table_games(permissions::signatures(proposal), first, &second)?;
        } else if open.has_expired(facts.at) {
            return Err(Reason::ProposalHasExpired.refuse());
        } else {
            self.check_signers(proposal, first, &second, facts.at)?;
        }
        check_not_own(proposal, &second.person)?;
        self.check_independent(&first.person, &second.person, facts.at)?;
        let done = self.carried_out(proposal, facts)?;
        Ok(std::iter::once(HouseEvent::Confirmed { number, by: second }).chain(done).collect())
    }

    /// Refuses two people who are not of the departments and offices that sign a proposal, or too new to sign it.
    fn check_signers(
        &self,
        proposal: &Proposal,
        first: &Signature,
        second: &Signature,
        at: Moment,
    ) -> Result<(), Refusal> {
        let needed = permissions::signatures(proposal);
        if needed.with.is_empty() || self.is_first_appointment(proposal) {
            check_two_of_table_games(needed, first, second)?;
        } else {
            check_two_departments(needed, first, second)?;
        }
        if needed.moves_money {
            self.check_waited(&first.person, at)?;
            self.check_waited(&second.person, at)?;
        }
        Ok(())
    }

    /// Refuses somebody who was appointed a short time ago: everybody must have had the time to notice.
    fn check_waited(&self, person: &Person, at: Moment) -> Result<(), Refusal> {
        let hours = match self.money() {
            Some(Currency::Real) => self.limits.waiting_hours,
            Some(Currency::Play | Currency::Practice) | None => return Ok(()),
        };
        let since = self.staff.get(person).and_then(|member| member.since);
        if since.is_some_and(|since| at < since.plus_hours(hours)) {
            return Err(
                Reason::TooNew.because(&format_args!("({person}, {hours} hours after the appointment)"))
            );
        }
        Ok(())
    }

    /// Whether two of Table Games may sign for a person, because apart from that person nobody could sign with one of
    /// them: they appoint somebody of Accounting, and manage the account of whoever is alone outside Table Games.
    fn is_first_appointment(&self, proposal: &Proposal) -> bool {
        let (about, is_outside) = match proposal {
            Proposal::Appoint { person, department, .. } => (person, *department == Department::Accounting),
            Proposal::Dismiss { person }
            | Proposal::InviteStaff { person }
            | Proposal::RemoveSecondFactor { person } => {
                (person, self.post(person).is_some_and(|post| post.office().is_none()))
            }
            Proposal::RejectAward { .. }
            | Proposal::RuleOnAward { .. }
            | Proposal::ReleaseAward { .. }
            | Proposal::AdjustMeter { .. }
            | Proposal::Reconfigure { .. }
            | Proposal::UndoRound { .. }
            | Proposal::Rule { .. }
            | Proposal::BuyIn { .. }
            | Proposal::CashOut { .. }
            | Proposal::OpenLink { .. }
            | Proposal::AppointActing { .. }
            | Proposal::ClearFault { .. }
            | Proposal::AnnounceClosing { .. }
            | Proposal::CloseLink { .. }
            | Proposal::OpenTable { .. }
            | Proposal::ChangeTableLimits { .. }
            | Proposal::SettleRound { .. }
            | Proposal::SignDay { .. }
            | Proposal::ChangeSigningKey { .. }
            | Proposal::ChangeRules { .. }
            | Proposal::ChangeHouseLimits { .. } => return false,
        };
        is_outside && !self.has_others(permissions::signatures(proposal).with, about)
    }

    /// Whether somebody other than this person is of one of these departments.
    fn has_others(&self, departments: &[Department], person: &Person) -> bool {
        self.staff().any(|(other, post)| other != person && departments.contains(&post.department))
    }

    /// Refuses at once what nobody could confirm, because the department that signs has nobody, and says how it gets
    /// somebody.
    fn check_somebody_can_confirm(&self, proposal: &Proposal, by: &Signature) -> Result<(), Refusal> {
        let needed = permissions::signatures(proposal);
        let of_tables = by.department.is_table_games();
        let can_sign = !of_tables
            || needed.with.is_empty()
            || self.is_first_appointment(proposal)
            || self.has_others(needed.with, &by.person);
        if can_sign { Ok(()) } else { Err(Reason::DepartmentIsMissing.refuse()) }
    }

    /// Refuses two people of whom one appointed or invited the other a short time ago.
    pub(crate) fn check_independent(&self, one: &Person, other: &Person, at: Moment) -> Result<(), Refusal> {
        let days = self.limits.independence_days;
        if !self.people.made_each_other(one, other, days, at) {
            return Ok(());
        }
        Err(Reason::NotIndependent.because(&format_args!("({one} and {other}, within {days} days)")))
    }

    /// What a proposal does to the house when two people signed it. What it does to a table or a link is decided there.
    fn carried_out(&self, proposal: &Proposal, facts: Facts<'_>) -> Result<Vec<HouseEvent>, Refusal> {
        let event = match proposal {
            Proposal::Appoint { person, office, department } => {
                self.appoint(person, Post::new(*department, *office))?
            }
            Proposal::AppointActing { person, office, from, until } => {
                let acting = Acting { office: *office, from: *from, until: *until };
                self.appoint_acting(person, acting, facts.at)?
            }
            Proposal::Dismiss { person } => return self.dismiss(person),
            Proposal::InviteStaff { person } => {
                self.check_person(person)?;
                return Ok(Vec::new());
            }
            Proposal::RemoveSecondFactor { person } => self.lose_second_factor(person)?,
            Proposal::BuyIn { player, amount, means, identity } => {
                let identity = identity.as_deref();
                self.buy_in(CashMove { player, amount: *amount, means: *means, identity }, facts)?
            }
            Proposal::CashOut { player, amount, means, identity } => {
                let identity = identity.as_deref();
                self.cash_out(CashMove { player, amount: *amount, means: *means, identity }, facts)?
            }
            Proposal::ChangeHouseLimits { limits } => {
                check_house_limits(limits)?;
                if *limits == self.limits {
                    return Err(Reason::NothingChanges.refuse());
                }
                HouseEvent::LimitsChanged { limits: *limits }
            }
            Proposal::ChangeSigningKey { key } => {
                self.check_signing_key(*key)?;
                HouseEvent::SigningKeyChanged { key: *key }
            }
            Proposal::SignDay { day, log, checks, words } => {
                self.check_day(*day, checks, words, facts.at)?;
                HouseEvent::DaySigned { day: *day, log: *log, checks: *checks, words: words.clone() }
            }
            Proposal::ChangeRules { change } => {
                rules::check(change, facts.at)?;
                HouseEvent::RulesChanged { change: change.clone() }
            }
            Proposal::Reconfigure { from, check, .. } => {
                from.map_or(Ok(()), |from| rules::check_hour(from, facts.at))?;
                rules::check_jackpot(check)?;
                return Ok(Vec::new());
            }
            Proposal::ChangeTableLimits { from, .. } => {
                from.map_or(Ok(()), |from| rules::check_hour(from, facts.at))?;
                return Ok(Vec::new());
            }
            Proposal::RejectAward { .. }
            | Proposal::RuleOnAward { .. }
            | Proposal::ReleaseAward { .. }
            | Proposal::AdjustMeter { .. }
            | Proposal::ClearFault { .. }
            | Proposal::AnnounceClosing { .. }
            | Proposal::CloseLink { .. }
            | Proposal::UndoRound { .. }
            | Proposal::Rule { .. }
            | Proposal::OpenLink { .. }
            | Proposal::SettleRound { .. }
            | Proposal::OpenTable { .. } => return Ok(Vec::new()),
        };
        Ok(vec![event])
    }

    /// Refuses a gaming day that goes on.
    pub fn check_day_is_over(&self, day: u64, at: Moment) -> Result<(), Refusal> {
        if day < self.day_rule().day_of(at) {
            return Ok(());
        }
        Err(Reason::DayIsNotOver.because(&format_args!("(a gaming day is {})", self.day_rule())))
    }

    /// Refuses to sign for a gaming day that goes on or is signed, or without a sentence where a check is not clean.
    fn check_day(&self, day: u64, checks: &DayChecks, words: &str, at: Moment) -> Result<(), Refusal> {
        self.check_day_is_over(day, at)?;
        if self.signed_days.contains_key(&day) {
            return Err(Reason::DayIsSigned.refuse());
        }
        if checks.are_clean() { check_text(words) } else { check_words(words) }
    }

    /// Taken back by the person who proposed it, or turned down by a Pit Manager.
    fn withdraw(&self, number: u64, by: Signature) -> Result<HouseEvent, Refusal> {
        let Some(open) = self.proposal(number) else {
            return Err(Reason::NoSuchProposal.refuse());
        };
        if open.by.person != by.person && by.office < Office::PitManager {
            return Err(Reason::NotYours.refuse());
        }
        Ok(HouseEvent::Withdrawn { number, by })
    }

    /// An open proposal with both signatures, `second` being the one that confirms it.
    pub(crate) fn signed(&self, number: u64, second: &Signature) -> Option<(Proposal, Pair)> {
        let open = self.proposal(number)?;
        Some((open.proposal.clone(), Pair { first: open.by.clone(), second: second.clone() }))
    }
}

/// Refuses words that are no sentence.
pub(crate) fn check_words(words: &str) -> Result<(), Refusal> {
    check_text(words)?;
    if words.trim().chars().count() < SENTENCE_MIN { Err(Reason::WordsAreTooFew.refuse()) } else { Ok(()) }
}

/// Refuses an adjustment of a meter without a sentence that says why, and without what shows its cause.
fn check_evidence(proposal: &Proposal) -> Result<(), Refusal> {
    let Proposal::AdjustMeter { cause, words, about, .. } = proposal else {
        return Ok(());
    };
    if words.trim().chars().count() < SENTENCE_MIN {
        return Err(Reason::WordsAreTooFew.refuse());
    }
    if let Some(Evidence::Count { reference }) = about {
        check_text(reference)?;
        if reference.trim().is_empty() {
            return Err(Reason::EvidenceIsMissing.refuse());
        }
    }
    if cause.is_shown_by(about.as_ref()) { Ok(()) } else { Err(Reason::EvidenceIsMissing.refuse()) }
}

/// Refuses two who are not both of Table Games in the offices that sign.
fn check_two_of_table_games(
    needed: Signatures,
    first: &Signature,
    second: &Signature,
) -> Result<(), Refusal> {
    if !first.department.is_table_games() || !second.department.is_table_games() {
        return Err(Reason::NotYourDepartment.refuse());
    }
    if second.office < needed.each || first.office.max(second.office) < needed.one {
        return Err(Reason::OfficeIsTooLow.refuse());
    }
    Ok(())
}

/// Refuses two of one department, and those of a department or office that does not sign.
fn check_two_departments(needed: Signatures, first: &Signature, second: &Signature) -> Result<(), Refusal> {
    let (of_tables, other) = match (first.department.is_table_games(), second.department.is_table_games()) {
        (true, false) => (first, second),
        (false, true) => (second, first),
        (true, true) | (false, false) => {
            let names: Vec<String> = needed.with.iter().map(Department::to_string).collect();
            let who = format!("({} or higher of Table Games, and one of {})", needed.each, names.join(", "));
            return Err(Reason::OneDepartmentTwice.because(&who));
        }
    };
    if of_tables.office < needed.each {
        return Err(Reason::OfficeIsTooLow.refuse());
    }
    if !needed.with.contains(&other.department) {
        return Err(Reason::NotYourDepartment.refuse());
    }
    Ok(())
}

/// Refuses somebody who signs for their own office or account.
fn check_not_own(proposal: &Proposal, signer: &Person) -> Result<(), Refusal> {
    let is_own = matches!(
        proposal,
        Proposal::Appoint { person, .. }
            | Proposal::AppointActing { person, .. }
            | Proposal::Dismiss { person }
            | Proposal::InviteStaff { person }
            | Proposal::RemoveSecondFactor { person }
            if person == signer
    );
    if is_own { Err(Reason::NotForYourself.refuse()) } else { Ok(()) }
}

/// Refuses a count of nothing, and texts that are too long.
fn check_counted(times: u64, one: Option<&str>, other: Option<&str>) -> Result<(), Refusal> {
    if times == 0 {
        return Err(Reason::NothingChanges.refuse());
    }
    [one, other].into_iter().flatten().try_for_each(check_text)
}

/// Whether somebody acts for their own account.
fn is_holder(actor: &Actor, who: &AccountHolder) -> bool {
    match (actor, who) {
        (
            Actor::Staff(actor, _) | Actor::Acting(actor, _) | Actor::Department(actor, _),
            AccountHolder::Staff(person),
        ) => actor == person,
        (Actor::Player(actor), AccountHolder::Player(player)) => actor == player,
        (
            Actor::Staff(..)
            | Actor::Acting(..)
            | Actor::Department(..)
            | Actor::Player(_)
            | Actor::Device(_)
            | Actor::System,
            _,
        ) => false,
    }
}

/// Refuses limits that contradict each other, or that the ledger could not keep.
fn check_house_limits(limits: &HouseLimits) -> Result<(), Refusal> {
    let wrong = |what: &str| Err(Reason::LimitsAreWrong.because(&what));
    if limits.cash_max < limits.cash || AMOUNT_MAX < limits.cash_max {
        return wrong(
            "The most cash at all is no less than what one person changes, and no more than the ledger keeps.",
        );
    }
    if limits.cash_per_day < limits.cash {
        return wrong("The cash of a day is no less than the cash of one command.");
    }
    if WAGER_MAX < limits.wager {
        return wrong("The largest wager is more than the ledger keeps.");
    }
    if limits.proposal_days == 0 {
        return wrong("A proposal can be confirmed for one day at least.");
    }
    if limits.independence_days == 0 {
        return wrong("Two people are independent after one day at the earliest.");
    }
    Ok(())
}

/// Refuses whoever may not give a command. Whose account or wager it is, is checked where that is known.
pub(crate) fn check_may(actor: &Actor, permission: Permission) -> Result<(), Refusal> {
    match (permission.who, actor) {
        // What a device may do is the scope of its key, which is checked where that is known.
        (_, Actor::Device(_)) => Err(Reason::DeviceMayNot.refuse()),
        (Who::System, Actor::Staff(..) | Actor::Acting(..) | Actor::Department(..) | Actor::Player(_)) => {
            Err(Reason::SystemOnly.refuse())
        }
        (_, Actor::Department(_, department)) if permission.departments.contains(department) => Ok(()),
        (_, Actor::Department(..)) => Err(Reason::NotYourDepartment.refuse()),
        (Who::Staff(office), _) => check_office(actor, office, None),
        (Who::System, Actor::System) | (Who::Player | Who::Holder, _) => Ok(()),
    }
}

/// Refuses anybody below an office; the system may do what any office may. Cites a clause where there is one.
pub(crate) fn check_office(actor: &Actor, least: Office, clause: Option<Clause>) -> Result<(), Refusal> {
    let reason = match actor {
        Actor::Player(_) => Reason::StaffOnly,
        Actor::Department(..) => Reason::NotYourDepartment,
        Actor::Device(_) => Reason::DeviceMayNot,
        Actor::Staff(_, office) | Actor::Acting(_, office) if *office < least => Reason::OfficeIsTooLow,
        Actor::Staff(..) | Actor::Acting(..) | Actor::System => return Ok(()),
    };
    Err(clause.map_or_else(|| reason.refuse(), |clause| reason.under(clause)))
}

/// The actor's signature; the system signs nothing.
pub(crate) fn signature(actor: &Actor) -> Result<Signature, Refusal> {
    match actor {
        Actor::Staff(person, office) => Ok(signed_in(person, Post::new(Department::TableGames, *office))),
        Actor::Acting(person, office) => {
            let post = Post::new(Department::TableGames, *office);
            Ok(Signature { acting: true, ..signed_in(person, post) })
        }
        Actor::Department(person, department) => {
            Ok(signed_in(person, Post::new(*department, Office::Dealer)))
        }
        Actor::Player(_) | Actor::Device(_) | Actor::System => Err(Reason::StaffOnly.refuse()),
    }
}

fn signed_in(person: &Person, Post { department, office }: Post) -> Signature {
    Signature { person: person.clone(), office, department, acting: false }
}

/// The reference of a Player's identity, which large amounts need.
fn check_identity(amount: Money, identity: Option<&str>) -> Result<Option<String>, Refusal> {
    let given = identity.map(str::trim).filter(|identity| !identity.is_empty());
    given.map_or(Ok(()), check_text)?;
    if IDENTITY_FROM <= amount && given.is_none() {
        return Err(Reason::IdentityIsMissing.refuse());
    }
    Ok(given.map(str::to_owned))
}
