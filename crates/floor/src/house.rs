//! The house: who holds which office, which Players are registered, what waits for a second signature.

mod cash;
mod decide;
mod devices;
mod people;
mod play_limits;
mod service;
mod sessions;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use jackpot::{Department, Person, Post, Signature, TableId};
use journal::acknowledged::LostStream;
use journal::witness::AcceptedRollback;
use journal::{
    Actor, Change, CredentialChange, Currency, DayRule, DeviceId, Hash, HouseEvent, HouseLimits, Moment,
    PlayLimits, PlayerKind, Proposal, RulesChange,
};
use money::Money;
use round::PlayerId;
use rulebook::Office;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use self::cash::Cash;
use self::devices::Devices;
pub use self::devices::{DEVICE_DAYS_MAX, Device};
pub use self::people::KeptRow;
use self::people::People;
use self::play_limits::KeptLimits;
pub use self::play_limits::{ComingLimits, RAISED_AFTER_HOURS};
pub use self::service::ServiceStart;
use self::service::Services;
use self::sessions::EndedSessions;
pub use self::sessions::SESSION_DAYS_MAX;
use crate::shared::{SharedMap, SharedSet};
pub(crate) use decide::{Facts, check_may, check_office, check_words, signature};

/// Something that waits for a second signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposed {
    pub proposal: Proposal,
    /// Who signed first.
    pub by: Signature,
    /// Until when it can be confirmed. Unknown where it was proposed before proposals expired.
    pub expires: Option<Moment>,
    /// Every value that it would change, as it was when it was proposed.
    pub changes: Vec<Change>,
}

impl Proposed {
    /// Whether it can no longer be confirmed at this moment.
    pub fn has_expired(&self, at: Moment) -> bool {
        self.expires.is_none_or(|expires| expires < at)
    }
}

/// What two people signed for a gaming day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedDay {
    /// Who signed first.
    pub by: Person,
    /// Who signed with them.
    pub with: Person,
    pub at: Moment,
    /// The digest over the ends of the streams, as it was when they signed.
    pub log: Hash,
}

/// Somebody of the staff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Member {
    post: Post,
    /// When they were appointed to their department. Unknown of those with whom the house was set up.
    since: Option<Moment>,
    /// The office they were last given for a time, unless it was ended early.
    acting: Option<Acting>,
}

/// An office that somebody holds for a time (6.2). The time of a command counts; nothing happens when it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Acting {
    pub office: Office,
    pub from: Moment,
    pub until: Moment,
}

impl Acting {
    /// Whether the office is held at this moment.
    pub fn is_at(&self, at: Moment) -> bool {
        self.from <= at && at < self.until
    }
}

/// Every Player who is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "CarriedPlayers", into = "CarriedPlayers")]
struct Players {
    kinds: SharedMap<PlayerId, PlayerKind>,
    /// By their names as they are compared, and listed.
    names: SharedMap<String, PlayerId>,
    /// Their names as they are compared with those of the staff.
    likened: SharedSet<String>,
    /// The last who was registered of each kind.
    newest: BTreeMap<PlayerKind, PlayerId>,
    /// When each guest came.
    guests: SharedMap<PlayerId, Moment>,
}

/// The Players as they are carried forward: the rest follows from this.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CarriedPlayers {
    kinds: SharedMap<PlayerId, PlayerKind>,
    newest: BTreeMap<PlayerKind, PlayerId>,
    guests: SharedMap<PlayerId, Moment>,
}

impl Players {
    fn add(&mut self, player: PlayerId, kind: PlayerKind) {
        self.names.insert(compared(player.name()), player.clone());
        self.likened.insert(likened(player.name()), ());
        self.newest.insert(kind, player.clone());
        self.kinds.insert(player, kind);
    }

    fn forget(&mut self, player: &PlayerId) {
        self.names.remove(&compared(player.name()));
        self.likened.remove(&likened(player.name()));
        self.newest.retain(|_, newest| newest != player);
        self.guests.remove(player);
        self.kinds.remove(player);
    }
}

impl From<CarriedPlayers> for Players {
    fn from(carried: CarriedPlayers) -> Players {
        let mut players = Players::default();
        for (player, kind) in carried.kinds.iter() {
            players.add(player.clone(), *kind);
        }
        Players { newest: carried.newest, guests: carried.guests, ..players }
    }
}

impl From<Players> for CarriedPlayers {
    fn from(players: Players) -> CarriedPlayers {
        CarriedPlayers { kinds: players.kinds, newest: players.newest, guests: players.guests }
    }
}

/// What a house is from its opening on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Opened {
    name: String,
    key: [u8; 32],
    money: Currency,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct House {
    opened: Option<Opened>,
    /// When its gaming days begin. It stays what the house was opened with: limits of loss, cash and days that were signed
    /// for rest on it.
    #[serde(default, skip_serializing_if = "DayRule::is_default")]
    gaming_day: DayRule,
    limits: HouseLimits,
    staff: BTreeMap<Person, Member>,
    people: People,
    /// Cash changed on a day (UTC), for its limit.
    cash: Cash,
    /// Cash changed on a gaming day, for the identity of a Player.
    gaming_cash: Cash,
    ended: EndedSessions,
    /// Shared, since nodes start rarely.
    services: Arc<Services>,
    players: Players,
    /// The Players who are prohibited from play, and the tables where that was decided.
    prohibited: AtTables,
    /// Why, where a reason was given.
    #[serde(default, skip_serializing_if = "SharedMap::is_empty")]
    prohibited_because: SharedMap<PlayerId, String>,
    /// What Players allow themselves.
    #[serde(default, skip_serializing_if = "SharedMap::is_empty")]
    play_limits: SharedMap<PlayerId, KeptLimits>,
    /// The Players whose wager under the minimum was settled once, and the tables where.
    warned: AtTables,
    proposals: BTreeMap<u64, Proposed>,
    proposed: u64,
    /// Whether its proposals take two departments and expire: from the first one that says until when it holds.
    has_departments: bool,
    rollbacks: Vec<(AcceptedRollback, String)>,
    /// The streams that lost what was acknowledged, and when that was accepted.
    losses: Vec<(Moment, LostStream)>,
    /// Why a loss was accepted for which a Gaming Shift Manager has yet to sign.
    loss_to_sign: Option<String>,
    /// The keys that signed the checkpoints before the present one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    former_keys: Vec<[u8; 32]>,
    /// The gaming days that were signed for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    signed_days: BTreeMap<u64, SignedDay>,
    /// The machines that have a key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    devices: Devices,
    /// Who made the newest key of each machine that ever had one: they know it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    key_makers: BTreeMap<DeviceId, Person>,
    /// The changes of rules that two people signed for, in that order.
    #[serde(default, skip_serializing_if = "no_changes")]
    rules: Arc<Vec<RulesChange>>,
    /// Whether people run it: the system appoints and opens links only before that.
    is_running: bool,
    /// When something last happened to it.
    latest: Moment,
}

fn no_changes(changes: &Arc<Vec<RulesChange>>) -> bool {
    changes.is_empty()
}

impl House {
    /// The house's name, once it is open.
    pub fn name(&self) -> Option<&str> {
        self.opened.as_ref().map(|opened| opened.name.as_str())
    }

    /// Who signed for a gaming day, if it is signed for.
    pub fn signed_day(&self, day: u64) -> Option<&SignedDay> {
        self.signed_days.get(&day)
    }

    /// The keys its checkpoints were signed with, one after the other.
    pub fn keys(&self) -> Vec<[u8; 32]> {
        self.former_keys.iter().copied().chain(self.key()).collect()
    }

    /// The key its checkpoints are signed with, once it is open.
    pub fn key(&self) -> Option<[u8; 32]> {
        self.opened.as_ref().map(|opened| opened.key)
    }

    /// What its money is, once it is open.
    pub fn money(&self) -> Option<Currency> {
        self.opened.as_ref().map(|opened| opened.money)
    }

    /// When its gaming days begin.
    pub const fn day_rule(&self) -> DayRule {
        self.gaming_day
    }

    /// How far one person may go alone.
    pub const fn limits(&self) -> &HouseLimits {
        &self.limits
    }

    /// When something last happened to it.
    pub(crate) const fn latest(&self) -> Moment {
        self.latest
    }

    /// The office of Table Games that somebody holds.
    pub fn office(&self, person: &Person) -> Option<Office> {
        self.post(person).and_then(Post::office)
    }

    /// Where somebody of the staff works.
    pub fn post(&self, person: &Person) -> Option<Post> {
        self.staff.get(person).map(|member| member.post)
    }

    /// Everybody of the staff.
    pub fn staff(&self) -> impl Iterator<Item = (&Person, Post)> {
        self.staff.iter().map(|(person, member)| (person, member.post))
    }

    /// The office that somebody was last given for a time, unless it was ended early. It may be over, or still to come.
    pub fn acting(&self, person: &Person) -> Option<Acting> {
        self.staff.get(person).and_then(|member| member.acting)
    }

    /// The actor that somebody of the staff is at a moment: in the office that they hold for a time, while they do.
    pub fn actor(&self, person: &Person, at: Moment) -> Option<Actor> {
        let Post { department, office } = self.post(person)?;
        if let Some(acting) = self.acting(person).filter(|acting| acting.is_at(at)) {
            return Some(Actor::Acting(person.clone(), acting.office));
        }
        Some(match department {
            Department::TableGames => Actor::Staff(person.clone(), office),
            Department::Accounting
            | Department::Surveillance
            | Department::Security
            | Department::Regulator => Actor::Department(person.clone(), department),
        })
    }

    /// What kind of Player somebody is, where they are known.
    pub fn player(&self, player: &PlayerId) -> Option<PlayerKind> {
        self.players.kinds.get(player).copied()
    }

    /// The guests, and when each came.
    pub fn guests(&self) -> impl Iterator<Item = (&PlayerId, Moment)> {
        self.players.guests.iter().map(|(guest, since)| (guest, *since))
    }

    /// Every Player.
    pub fn players(&self) -> impl Iterator<Item = (&PlayerId, PlayerKind)> {
        self.players.kinds.iter().map(|(player, kind)| (player, *kind))
    }

    /// The Players whose name begins like this one, after a name: by name, upper and lower case alike.
    pub fn players_named<'a>(
        &'a self,
        begin: &str,
        after: Option<&str>,
    ) -> impl Iterator<Item = &'a PlayerId> + use<'a> {
        let (begin, after) = (compared(begin), after.map(compared));
        let from = match after.as_deref().filter(|after| begin.as_str() <= *after) {
            Some(after) => self.players.names.after(Bound::Excluded(after)),
            None => self.players.names.after(Bound::Included(begin.as_str())),
        };
        from.take_while(move |(name, _)| name.starts_with(&begin)).map(|(_, player)| player)
    }

    /// One of the Players of a kind.
    pub(crate) fn one_of(&self, kind: PlayerKind) -> Option<&PlayerId> {
        self.players.newest.get(&kind)
    }

    /// How many Players are known.
    pub fn players_count(&self) -> usize {
        self.players.kinds.len()
    }

    /// The cash that a Player changed on the gaming day of this moment.
    pub(crate) fn cash_of_gaming_day(&self, player: &PlayerId, at: Moment) -> Money {
        self.gaming_cash.of(player, self.gaming_day.day_of(at))
    }

    /// Whether a Player goes by this name, or by one that looks like it.
    pub fn is_player_name(&self, name: &str) -> bool {
        self.players.names.contains_key(&compared(name))
    }

    /// Whether a Player is prohibited from play (5.9): at every table, while any prohibition stands.
    pub fn is_prohibited(&self, player: &PlayerId) -> bool {
        self.prohibited.0.contains_key(player)
    }

    /// Why a Player was last prohibited, where a reason was given.
    pub fn prohibited_because(&self, player: &PlayerId) -> Option<&str> {
        self.prohibited_because.get(player).map(String::as_str)
    }

    /// What a Player allows themselves on a gaming day, at this moment.
    pub fn play_limits(&self, player: &PlayerId, at: Moment) -> PlayLimits {
        self.play_limits.get(player).map(|kept| kept.at(at)).unwrap_or_default()
    }

    /// The limits that a Player has asked for and that do not hold yet.
    pub fn coming_limits(&self, player: &PlayerId, at: Moment) -> Option<ComingLimits> {
        self.play_limits.get(player)?.to_come(at)
    }

    /// Whether a wager of this Player under the minimum was settled once at any table (5.13).
    pub fn is_warned(&self, player: &PlayerId) -> bool {
        self.warned.0.contains_key(player)
    }

    /// Every Player who is prohibited from play.
    pub fn prohibited(&self) -> impl Iterator<Item = &PlayerId> {
        self.prohibited.0.keys()
    }

    /// Who appointed or invited whom, and when they last did.
    pub(crate) fn makers(&self) -> impl Iterator<Item = (&Person, &Person, Moment)> {
        self.people.makers()
    }

    /// Every Player who was warned of a wager under the minimum.
    pub(crate) fn warned(&self) -> impl Iterator<Item = &PlayerId> {
        self.warned.0.keys()
    }

    /// Whether people run it: then the set-up is over.
    pub const fn is_running(&self) -> bool {
        self.is_running
    }

    /// Whether a session ended before its time, by the digest of its token.
    pub fn has_ended(&self, session: &Hash) -> bool {
        self.ended.contains(session)
    }

    /// An open proposal.
    pub fn proposal(&self, number: u64) -> Option<&Proposed> {
        self.proposals.get(&number)
    }

    /// Every open proposal, by number.
    pub fn proposals(&self) -> impl Iterator<Item = (u64, &Proposed)> {
        self.proposals.iter().map(|(number, proposed)| (*number, proposed))
    }

    /// The older logs that were restored on purpose, each with the reason given.
    pub fn rollbacks(&self) -> &[(AcceptedRollback, String)] {
        &self.rollbacks
    }

    /// The streams that lost what was acknowledged, each with when that was accepted.
    pub fn losses(&self) -> &[(Moment, LostStream)] {
        &self.losses
    }

    /// The reason given for a loss that a Gaming Shift Manager has yet to sign for. Until then no table takes wagers.
    pub fn loss_to_sign(&self) -> Option<&str> {
        self.loss_to_sign.as_deref()
    }

    /// The changes of rules that two people signed for, in that order. Each holds from its own hour on.
    pub fn rules(&self) -> &[RulesChange] {
        &self.rules
    }

    /// The number the next proposal gets.
    pub(crate) fn next_proposal(&self) -> u64 {
        self.proposed.saturating_add(1)
    }

    /// Writes one event, which happened at this time.
    #[expect(clippy::too_many_lines, reason = "one arm an event, in the order of the events")]
    pub(crate) fn evolve(&mut self, event: &HouseEvent, at: Moment) {
        self.latest = self.latest.max(at);
        self.is_running |= is_of_people(event);
        match event {
            HouseEvent::Opened { name, key, money, gaming_day } => {
                self.opened = Some(Opened { name: name.clone(), key: *key, money: *money });
                self.gaming_day = *gaming_day;
            }
            HouseEvent::SigningKeyChanged { key } => {
                self.former_keys.extend(self.key());
                let opened = self.opened.as_mut().expect("a house that is open changes its key");
                opened.key = key.0;
            }
            HouseEvent::LimitsChanged { limits } => self.limits = *limits,
            HouseEvent::Appointed { person, office, department } => {
                self.appointed(person, Post::new(*department, *office), at);
            }
            HouseEvent::ActingAppointed { person, office, from, until } => {
                let acting = Acting { office: *office, from: *from, until: *until };
                self.acts(person, Some(acting));
            }
            HouseEvent::ActingEnded { person } => self.acts(person, None),
            HouseEvent::Dismissed { person } => {
                self.staff.remove(person);
                self.people.dismissed(person);
            }
            HouseEvent::Invited { who, row, half_by } => self.people.invited(who, *row, half_by.as_ref()),
            HouseEvent::CredentialSet { who, how, row } => self.people.credential_set(who, *how, *row),
            HouseEvent::SecondFactorSet { person, how, row } => {
                self.people.second_factor_set(person, *how, *row);
            }
            HouseEvent::SessionEnded { session, .. } => self.ended.ended(*session, at),
            HouseEvent::ServiceStarted { node, identity, settings, .. } => {
                Arc::make_mut(&mut self.services).started(node, identity, settings);
            }
            HouseEvent::ServiceStopped { node } => Arc::make_mut(&mut self.services).stopped(node),
            HouseEvent::PlayerRegistered { player, kind } => {
                self.players.add(player.clone(), *kind);
                if *kind == PlayerKind::Guest {
                    self.players.guests.insert(player.clone(), at);
                }
            }
            HouseEvent::GuestForgotten { player, .. } => {
                self.players.forget(player);
                self.play_limits.remove(player);
            }
            HouseEvent::PlayLimitsSet { player, limits } => {
                let mut kept = self.play_limits.get(player).copied().unwrap_or_default();
                kept.set(*limits, at);
                self.play_limits.insert(player.clone(), kept);
            }
            HouseEvent::PlayerProhibited { player, at, reason } => {
                self.prohibited.set(player, at, true);
                if let Some(reason) = reason {
                    self.prohibited_because.insert(player.clone(), reason.clone());
                }
            }
            HouseEvent::PlayerReadmitted { player, at } => {
                self.prohibited.set(player, at, false);
                if !self.is_prohibited(player) {
                    self.prohibited_because.remove(player);
                }
            }
            HouseEvent::WarningSet { player, at, stands } => self.warned.set(player, at, *stands),
            HouseEvent::Proposed { number, proposal, by, expires, changes } => {
                let (proposal, by, changes) = (proposal.clone(), by.clone(), changes.clone());
                self.was_proposed(*number, Proposed { proposal, by, expires: *expires, changes });
            }
            HouseEvent::Confirmed { number, by } => {
                if let Some(done) = self.proposals.remove(number) {
                    let (first, second) = (done.by.person, by.person.clone());
                    self.people.signed(&done.proposal, &first, &second, at);
                    if let Proposal::SignDay { day, log, .. } = done.proposal {
                        self.signed_days.insert(day, SignedDay { by: first, with: second, at, log });
                    }
                }
            }
            HouseEvent::Withdrawn { number, .. } => {
                self.proposals.remove(number);
            }
            HouseEvent::RollbackAccepted { to, seen, lost, reason, streams, to_be_signed } => {
                let rollback = AcceptedRollback { to: *to, seen: *seen, lost: lost.clone() };
                self.rollbacks.push((rollback, reason.clone()));
                self.losses.extend(streams.iter().map(|lost| (at, lost.clone())));
                if *to_be_signed {
                    self.loss_to_sign = Some(reason.clone());
                }
            }
            HouseEvent::RollbackSigned { .. } => self.loss_to_sign = None,
            HouseEvent::DeviceKeyMade { device, scope, key, until } => {
                let made = Device { scope: scope.clone(), key: *key, since: at, until: *until };
                self.devices.insert(device.clone(), made);
            }
            HouseEvent::DeviceKeyRevoked { device } => {
                self.devices.remove(device);
            }
            HouseEvent::RulesChanged { change } => Arc::make_mut(&mut self.rules).push(change.clone()),
            HouseEvent::BoughtIn { player, amount, .. } | HouseEvent::CashedOut { player, amount, .. } => {
                self.cash.changed(player, *amount, at.day());
                self.gaming_cash.changed(player, *amount, self.gaming_day.day_of(at));
            }
            // Money: the ledger knows. Who came and who was turned away: for those who read the log.
            HouseEvent::CreditsGranted { .. }
            | HouseEvent::DaySigned { .. }
            | HouseEvent::FindingNoted { .. }
            | HouseEvent::DebtRepaid { .. }
            | HouseEvent::SessionBegan { .. }
            | HouseEvent::SignInRefused { .. }
            | HouseEvent::CommandDenied { .. } => {}
        }
    }
}

impl House {
    /// A proposal waits for its second signature.
    fn was_proposed(&mut self, number: u64, proposed: Proposed) {
        self.proposed = number;
        self.has_departments |= proposed.expires.is_some();
        self.proposals.insert(number, proposed);
    }

    /// Somebody works here from this moment on. Another office of the same department makes nobody new.
    fn appointed(&mut self, person: &Person, post: Post, at: Moment) {
        let stays = self.staff.get(person).filter(|member| member.post.department == post.department);
        let since = match stays {
            Some(member) => member.since,
            None => self.is_running.then_some(at),
        };
        self.staff.insert(person.clone(), Member { post, since, acting: None });
    }

    /// Somebody is given an office for a time, or it ends.
    fn acts(&mut self, person: &Person, acting: Option<Acting>) {
        if let Some(member) = self.staff.get_mut(person) {
            member.acting = acting;
        }
    }
}

/// What was decided about Players at single tables and holds at all of them, while it stands at any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct AtTables(SharedMap<PlayerId, BTreeSet<TableId>>);

impl AtTables {
    fn set(&mut self, player: &PlayerId, at: &TableId, stands: bool) {
        let mut tables = self.0.get(player).cloned().unwrap_or_default();
        if stands {
            tables.insert(at.clone());
        } else {
            tables.remove(at);
        }
        if tables.is_empty() {
            self.0.remove(player);
        } else {
            self.0.insert(player.clone(), tables);
        }
    }
}

/// Whether only people do this, and not the system that sets a house up.
const fn is_of_people(event: &HouseEvent) -> bool {
    match event {
        HouseEvent::RollbackSigned { .. }
        | HouseEvent::DaySigned { .. }
        | HouseEvent::FindingNoted { .. }
        | HouseEvent::RulesChanged { .. }
        | HouseEvent::Proposed { .. }
        | HouseEvent::Confirmed { .. }
        | HouseEvent::Withdrawn { .. }
        | HouseEvent::SigningKeyChanged { .. }
        | HouseEvent::LimitsChanged { .. }
        | HouseEvent::ActingAppointed { .. }
        | HouseEvent::ActingEnded { .. }
        | HouseEvent::Dismissed { .. }
        | HouseEvent::Invited { .. }
        | HouseEvent::SecondFactorSet { .. }
        | HouseEvent::SessionBegan { .. }
        | HouseEvent::SessionEnded { .. }
        | HouseEvent::BoughtIn { .. }
        | HouseEvent::CashedOut { .. }
        | HouseEvent::DebtRepaid { .. }
        | HouseEvent::PlayLimitsSet { .. }
        | HouseEvent::PlayerProhibited { .. }
        | HouseEvent::DeviceKeyMade { .. }
        | HouseEvent::DeviceKeyRevoked { .. }
        | HouseEvent::PlayerReadmitted { .. } => true,
        HouseEvent::CredentialSet { how, .. } => !matches!(how, CredentialChange::SetUp),
        HouseEvent::Opened { .. }
        | HouseEvent::RollbackAccepted { .. }
        | HouseEvent::ServiceStarted { .. }
        | HouseEvent::ServiceStopped { .. }
        | HouseEvent::SignInRefused { .. }
        | HouseEvent::CommandDenied { .. }
        | HouseEvent::Appointed { .. }
        | HouseEvent::PlayerRegistered { .. }
        | HouseEvent::GuestForgotten { .. }
        | HouseEvent::WarningSet { .. }
        | HouseEvent::CreditsGranted { .. } => false,
    }
}

/// A name as it is compared with others: upper and lower case are the same.
pub(crate) fn compared(name: &str) -> String {
    name.to_lowercase()
}

/// A name as the staff and the Players are compared with each other: nobody is both. Case, spaces and other ways to write
/// the same letter make no difference.
pub(crate) fn likened(name: &str) -> String {
    let letters = name.nfkc().filter(|letter| !letter.is_whitespace());
    letters.collect::<String>().to_uppercase().to_lowercase()
}
