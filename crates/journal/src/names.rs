//! Identifiers of entries: streams, commands, people and moments.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use jackpot::{Department, Person, TableId};
use round::{Asker, PlayerId};
use rulebook::Office;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A link, by its name on the floor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = String))]
#[serde(transparent)]
pub struct LinkId(Arc<str>);

impl LinkId {
    /// The link with this name.
    pub fn new(name: &str) -> LinkId {
        LinkId(Arc::from(name))
    }

    /// The name as text.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for LinkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A machine with a key of its own, by its name: a card-reading shoe, a sign, a program that reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = String))]
#[serde(transparent)]
pub struct DeviceId(Arc<str>);

impl DeviceId {
    /// The device with this name.
    pub fn new(name: &str) -> DeviceId {
        DeviceId(Arc::from(name))
    }

    /// The name as text.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DeviceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A server that runs tables, by its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(Arc<str>);

impl NodeId {
    /// The node with this name.
    pub fn new(name: &str) -> NodeId {
        NodeId(Arc::from(name))
    }

    /// The name as text.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// The owner of events. The order is the order in which a transaction locks streams.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stream {
    /// The house: people, wallets, proposals.
    House,
    /// A table and its rounds.
    Table(TableId),
    /// A link and its meter.
    Link(LinkId),
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stream::House => f.write_str("house"),
            Stream::Table(table) => write!(f, "table/{table}"),
            Stream::Link(link) => write!(f, "link/{link}"),
        }
    }
}

impl Serialize for Stream {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Stream {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Stream, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A text that is not the name of a stream.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a stream; write \"house\", \"table/NAME\" or \"link/NAME\"")]
pub struct StreamError(String);

impl FromStr for Stream {
    type Err = StreamError;

    fn from_str(text: &str) -> Result<Stream, StreamError> {
        match text.split_once('/') {
            None if text == "house" => Ok(Stream::House),
            Some(("table", name)) if !name.is_empty() => Ok(Stream::Table(TableId::new(name))),
            Some(("link", name)) if !name.is_empty() => Ok(Stream::Link(LinkId::new(name))),
            Some(_) | None => Err(StreamError(text.to_owned())),
        }
    }
}

/// The number of an entry in its stream, from 1 without gaps; zero is the empty stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u64);

impl Version {
    /// The version after this one.
    pub fn next(self) -> Version {
        Version(self.0.checked_add(1).expect("a stream has fewer than 2 to the 64th entries"))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The id that a sender gives a command and keeps until it is answered. Any 128 bits work; ids that rise with
/// time (UUID version 7) keep the index of commands compact.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(pub [u8; 16]);

/// The id of what a node does on its own: the first half of a hash that identifies the action. Every node that
/// does the same uses the same id, so it is done once.
impl From<Hash> for CommandId {
    fn from(hash: Hash) -> CommandId {
        CommandId(hash.0.first_chunk().copied().expect("a hash has 32 bytes"))
    }
}

impl fmt::Display for CommandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&uuid::Uuid::from_bytes(self.0), f)
    }
}

impl Serialize for CommandId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&uuid::Uuid::from_bytes(self.0).simple())
    }
}

impl<'de> Deserialize<'de> for CommandId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<CommandId, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Debug for CommandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for CommandId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<CommandId, uuid::Error> {
        uuid::Uuid::parse_str(text).map(|id| CommandId(id.into_bytes()))
    }
}

/// A SHA-256 digest, shown in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = String))]
#[serde(transparent)]
pub struct Hash(#[serde(with = "hex")] pub [u8; 32]);

/// As long as the parts of most hashes are together.
const PARTS_LENGTH: usize = 1024;

impl Hash {
    /// SHA-256 over the parts, each preceded by its length, so that different lists of parts never give the same
    /// input. The first part names the purpose, and each purpose has its own name.
    pub fn of<P: AsRef<[u8]>>(parts: impl IntoIterator<Item = P>) -> Hash {
        // One long input is hashed faster than many short ones.
        let mut input = Vec::with_capacity(PARTS_LENGTH);
        for part in parts {
            let part = part.as_ref();
            let length = u64::try_from(part.len()).expect("a part is shorter than 2 to the 64th bytes");
            input.extend_from_slice(&length.to_be_bytes());
            input.extend_from_slice(part);
        }
        Hash(Sha256::digest(&input).into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(hex::text(&mut [0; 64], &self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a digest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a digest of 64 lower-case hexadecimal digits")]
pub struct HashError(String);

impl FromStr for Hash {
    type Err = HashError;

    fn from_str(text: &str) -> Result<Hash, HashError> {
        hex::bytes(text).map(Hash).ok_or_else(|| HashError(text.to_owned()))
    }
}

/// A time in milliseconds since 1970 (UTC). No order depends on it. Three rules do: who is independent of whom, how much
/// cash a Player changes on one day, and how long a table waits for salts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = u64))]
#[serde(transparent)]
pub struct Moment(pub u64);

/// The milliseconds of a day.
const HOUR: u64 = 60 * 60 * 1000;
const DAY: u64 = 24 * HOUR;

impl Moment {
    /// What the clock of the operating system says.
    pub fn now() -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    /// The day (UTC), counted from 1970.
    pub const fn day(self) -> u64 {
        self.0 / DAY
    }

    /// This many hours later.
    pub fn plus_hours(self, hours: u16) -> Moment {
        Moment(self.0.saturating_add(HOUR.saturating_mul(u64::from(hours))))
    }

    /// This many days later.
    pub fn plus_days(self, days: u16) -> Moment {
        Moment(self.0.saturating_add(DAY.saturating_mul(u64::from(days))))
    }
}

/// Who or what caused an entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// A Player, by id.
    Player(PlayerId),
    /// A member of staff, in an office of Table Games.
    Staff(Person, Office),
    /// A member of staff of Table Games who acts in a higher office than their own, for a time (6.2).
    Acting(Person, Office),
    /// A member of staff of another department.
    Department(Person, Department),
    /// A machine with a key of its own, within the scope of that key.
    Device(DeviceId),
    /// The system itself: the automatic dealer, recovery after a failure, the first opening.
    System,
}

impl Actor {
    /// How a round treats this actor: the system acts as the Dealer, and so does the shoe of a table. The floor gives a
    /// round no command of another department than Table Games.
    pub fn by(&self) -> Asker {
        match self {
            Actor::Player(player) => Asker::Player(player.clone()),
            Actor::Staff(_, office) | Actor::Acting(_, office) => Asker::Staff(*office),
            Actor::System | Actor::Department(..) | Actor::Device(_) => Asker::Staff(Office::Dealer),
        }
    }
}

impl Actor {
    /// The form in which it is stored and hashed: `system`, `player/NAME`, `device/NAME` or `staff/OFFICE/NAME`, where a department
    /// stands in place of the office outside Table Games, and `acting-` before an office that is held for a time.
    pub fn code(&self) -> String {
        match self {
            Actor::Player(player) => format!("player/{player}"),
            Actor::Staff(person, office) => format!("staff/{}/{person}", office_code(*office)),
            Actor::Acting(person, office) => format!("staff/{ACTING}{}/{person}", office_code(*office)),
            Actor::Department(person, department) => format!("staff/{}/{person}", department.code()),
            Actor::Device(device) => format!("device/{device}"),
            Actor::System => "system".to_owned(),
        }
    }
}

/// Stands before an office that somebody holds for a time.
const ACTING: &str = "acting-";

/// A text that is not an actor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an actor; write \"system\", \"player/NAME\", \"device/NAME\" or \"staff/OFFICE/NAME\"")]
pub struct ActorError(String);

impl FromStr for Actor {
    type Err = ActorError;

    fn from_str(text: &str) -> Result<Actor, ActorError> {
        let wrong = || ActorError(text.to_owned());
        match text.split_once('/') {
            None if text == "system" => Ok(Actor::System),
            Some(("player", name)) => Ok(Actor::Player(PlayerId::new(name))),
            Some(("device", name)) => Ok(Actor::Device(DeviceId::new(name))),
            Some(("staff", rest)) => {
                let (code, name) = rest.split_once('/').ok_or_else(wrong)?;
                let person = Person::new(name);
                let office = |code: &str| Office::ALL.into_iter().find(|office| office_code(*office) == code);
                if let Some(office) = office(code) {
                    return Ok(Actor::Staff(person, office));
                }
                if let Some(code) = code.strip_prefix(ACTING) {
                    return Ok(Actor::Acting(person, office(code).ok_or_else(wrong)?));
                }
                let mut others = Department::ALL.into_iter().filter(|other| !other.is_table_games());
                let department = others.find(|department| department.code() == code);
                Ok(Actor::Department(person, department.ok_or_else(wrong)?))
            }
            Some(_) | None => Err(wrong()),
        }
    }
}

/// An office, as stored.
pub(crate) const fn office_code(office: Office) -> &'static str {
    match office {
        Office::Dealer => "dealer",
        Office::PitSupervisor => "pit-supervisor",
        Office::PitManager => "pit-manager",
        Office::GamingShiftManager => "gaming-shift-manager",
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Actor::Player(player) => write!(f, "player {player}"),
            Actor::Staff(person, office) => write!(f, "{office} {person}"),
            Actor::Acting(person, office) => write!(f, "acting {office} {person}"),
            Actor::Department(person, department) => write!(f, "{department} {person}"),
            Actor::Device(device) => write!(f, "device {device}"),
            Actor::System => f.write_str("system"),
        }
    }
}

/// 32 bytes as 64 lower-case hexadecimal digits: the only place that writes and reads them.
pub mod hex {
    use std::fmt;

    use serde::de::{Deserializer, Error, Visitor};
    use serde::ser::Serializer;

    /// The digits of a byte's halves.
    const DIGITS: &[u8; 16] = b"0123456789abcdef";

    /// Writes the digits into `room`. Avoids `format!`, because a log has several digests per entry.
    pub fn text<'a>(room: &'a mut [u8; 64], bytes: &[u8; 32]) -> &'a str {
        let digit = |half: u8| DIGITS.get(usize::from(half)).copied().unwrap_or(b'0');
        let (pairs, _) = room.as_chunks_mut::<2>();
        for (pair, byte) in pairs.iter_mut().zip(bytes) {
            *pair = [digit(byte >> 4), digit(byte & 15)];
        }
        std::str::from_utf8(room).expect("digits are ASCII")
    }

    /// The bytes of exactly 64 such digits.
    pub fn bytes(text: &str) -> Option<[u8; 32]> {
        let half = |digit: u8| match digit {
            b'0'..=b'9' => digit.checked_sub(b'0'),
            b'a'..=b'f' => digit.checked_sub(b'a')?.checked_add(10),
            _ => None,
        };
        let mut bytes = [0; 32];
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != bytes.len() || !rest.is_empty() {
            return None;
        }
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = half(*high)? << 4 | half(*low)?;
        }
        Some(bytes)
    }

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(text(&mut [0; 64], bytes))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u8; 32], D::Error> {
        struct Digits;

        impl Visitor<'_> for Digits {
            type Value = [u8; 32];

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("64 hexadecimal digits")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<[u8; 32], E> {
                bytes(text).ok_or_else(|| E::custom(format_args!("{text:?} is not 64 hexadecimal digits")))
            }
        }

        deserializer.deserialize_str(Digits)
    }
}
