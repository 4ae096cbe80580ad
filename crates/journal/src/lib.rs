//! The log of a floor: append-only streams of events chained by hash, a double-entry ledger, and the stores that
//! keep both.
//!
//! A [`Stream`] holds what happened to one table, to one link, or to the house, as [`Entry`]s numbered from 1
//! without gaps. Each entry says who caused it and by which command, and carries the hash of the previous entry;
//! signed [`checkpoint`]s seal the chains, and a [`witness`] elsewhere keeps them. `event` defines the events, `stored` their form on disk, `ledger`
//! where money is and how it moves. A [`Store`] keeps all of it: one SQLite file ([`sqlite`]), or PostgreSQL for
//! several nodes ([`postgres`]). Everything one command does is one transaction. This is the only crate that
//! gives events a stored form.
#![deny(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::float_arithmetic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm
)]

pub mod acknowledged;
pub mod archive;
mod carried;
pub mod checkpoint;
mod command;
mod day;
mod entry;
mod event;
mod files;
pub mod identity;
mod ledger;
mod migrate;
mod names;
mod packed;
pub mod postgres;
mod row;
mod rules;
pub mod sqlite;
mod store;
mod stored;
mod subject;
pub mod vault;
pub mod verify;
pub mod witness;

pub use carried::{Books, Carried, StateText};
pub use command::{Command, DeskCommand, HouseCommand, OpenTable, OwnCommand, OwnWager, TableCommand};
pub use day::{DayRule, DayRuleError, TimeOfDay, UtcOffset};
pub use entry::{Body, Entry, GENESIS, Head, chained};
pub use event::{
    AccountHolder, Change, CredentialChange, Currency, DayChecks, Dealing, DeviceScope, Event, HouseEvent,
    HouseLimits, LinkEvent, PlayLimits, PlayerKind, Proposal, ReaderFault, SecondFactorChange, SignInFault,
    SignInMeans, Staffing, TableEvent, TableSetup, Winner,
};
pub use identity::{Identity, Manifest, ManifestError, Seal, ServiceChange};
pub use ledger::{Account, AccountError, Amount, Code, Transfer};
pub use names::{
    Actor, ActorError, CommandId, DeviceId, Hash, HashError, LinkId, Moment, NodeId, Stream, StreamError,
    Version, hex,
};
pub use packed::{pack, unpack};
pub use row::packed_content;
pub use rules::{EdgeChange, JackpotCheck, JackpotFigures, LabCheck, RulesChange};
pub use store::{
    Answered, FoundBy, Happened, HappenedText, Lease, Listener, Presence, Reader, Sealed, Sieve, Sifted,
    Store, StoreError, Transaction, Wanted,
};
pub use stored::{
    CARRIED_V1, FormError, code_text, command_from_text, command_text, decode, encode, is_canonical, is_play,
    transfers_from_text, transfers_text,
};
pub use subject::{Direction, Indexed, Subject, is_ordinary, is_reported, subjects};
pub use vault::{VaultKey, VaultKeyError};
