//! The configuration: defaults that work without a file, and every key by name.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use automatic::{HOUSE_NAME, Pace};
use floor::{check_name, is_practice_name};
use journal::{Currency, DayRule, TimeOfDay, UtcOffset};
use rulebook::Office;
use serde::{Deserialize, Serialize};

use crate::clock::HouseClock;

/// The whole configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Where and how it listens.
    pub server: Server,
    /// Where the log is kept.
    pub storage: Storage,
    /// The floor itself.
    pub floor: FloorConfig,
    /// Signing in.
    pub sessions: SessionConfig,
    /// What a client may use up.
    pub limits: Limits,
    /// What is written about it.
    pub log: Log,
    /// Who else sees the checkpoints of the log.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub witness: Vec<Witness>,
    /// Why an older log is started although a witness has seen more. Only a flag sets it.
    #[serde(skip)]
    pub accept_rollback: Option<String>,
    /// The time of day. Only tests set it.
    #[serde(skip)]
    pub clock: HouseClock,
}

/// An example with every key, its default and what it does.
pub const EXAMPLE: &str = include_str!("../../../docs/megalink.example.toml");

impl Config {
    /// What cannot be, each in a sentence.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let names = [
            ("floor.manager", &self.floor.manager),
            ("floor.second_manager", &self.floor.second_manager),
            ("floor.accountant", &self.floor.accountant),
            ("floor.regulator", &self.floor.regulator),
        ];
        let house = self.floor.house.iter().map(|name| ("floor.house", name));
        for (key, name) in house.chain(names) {
            if let Err(refusal) = check_name(name) {
                problems.push(format!("{key}: {}", refusal.sentence));
            }
        }
        if let Some(Err(problem)) = self.storage.database.as_deref().map(str::parse::<Database>) {
            problems.push(format!("storage.database: {problem}"));
        }
        let mut unless = |holds: bool, problem: &str| {
            if !holds {
                problems.push(problem.to_owned());
            }
        };
        self.witness_problems(&mut unless);
        self.practice_problems(&mut unless);
        let Config { server, floor, sessions, limits, .. } = self;
        let first = [&floor.manager, &floor.second_manager, &floor.accountant, &floor.regulator];
        let people: BTreeSet<String> = first.into_iter().map(|name| name.to_lowercase()).collect();
        unless(
            people.len() == first.len(),
            "floor.manager, second_manager, accountant, regulator: four different people",
        );
        unless(!floor.node.trim().is_empty(), "floor.node: a node has a name");
        unless(
            is_time_zone(&floor.time_zone),
            "floor.time_zone: the name of a time zone in the IANA database, such as Asia/Singapore",
        );
        unless(
            is_currency(&floor.currency) && is_currency(&floor.currency_on_paper),
            "floor.currency and floor.currency_on_paper: one to four letters or currency signs, such as $ or S$",
        );
        unless(
            1_000 <= floor.lease_milliseconds,
            "floor.lease_milliseconds: at least 1000, or tables move between nodes without need",
        );
        unless(
            server.certificate.is_some() == server.certificate_key.is_some(),
            "server.certificate and server.certificate_key: both or neither",
        );
        let is_origin = |origin: &String| origin.starts_with("http://") || origin.starts_with("https://");
        unless(
            server.origin.as_ref().is_none_or(is_origin),
            "server.origin: begins with http:// or https://",
        );
        let is_plain = |address: &String| address.starts_with("http://");
        unless(
            server.internal_address.as_ref().is_none_or(is_plain),
            "server.internal_address: begins with http://",
        );
        let tls_alone = server.certificate.is_some() && server.internal_listen.is_none() && self.is_shared();
        unless(
            !tls_alone,
            "server.internal_listen: nodes that serve TLS need a plain address for each other",
        );
        unless(0 < sessions.idle_minutes && 0 < sessions.absolute_hours, "sessions: they last some time");
        unless(
            sessions.absolute_hours < ::floor::SESSION_DAYS_MAX * 24,
            "sessions.absolute_hours: less than 32 days, for as long as the log is searched for ended sessions",
        );
        unless(
            0 < limits.requests_burst && 0 < limits.requests_per_second,
            "limits: some requests are allowed",
        );
        unless(
            server.metrics_key.as_ref().is_none_or(|key| 16 <= key.len()),
            "server.metrics_key: at least 16 characters",
        );
        unless(
            floor.sign_key.as_ref().is_none_or(|key| 16 <= key.len()),
            "floor.sign_key: at least 16 characters",
        );
        unless(
            server.manifest_key.as_ref().is_none_or(|key| key.parse::<journal::Hash>().is_ok()),
            "server.manifest_key: a public key of 64 hexadecimal digits",
        );
        unless(
            server.manifest_key.is_none() || server.manifest.is_some(),
            "server.manifest_key: name the manifest too (server.manifest)",
        );
        unless(0 < limits.read_seconds, "limits.read_seconds: a request takes some time to arrive");
        unless(
            0 < limits.connections && 0 < limits.connections_per_address,
            "limits.connections and limits.connections_per_address: some connections are allowed",
        );
        problems
    }

    fn practice_problems(&self, unless: &mut impl FnMut(bool, &str)) {
        let floor = &self.floor;
        unless(
            floor.practice == floor.house.as_deref().is_some_and(is_practice_name),
            "floor.house: the name of a practice floor begins with PRACTICE, and no other name does",
        );
        unless(
            !floor.practice || self.storage.signing_key.is_none() && self.storage.vault_key.is_none(),
            "storage.signing_key and storage.vault_key: a practice floor has keys of its own, in its data directory",
        );
        unless(
            !floor.practice || self.witness.is_empty(),
            "witness: a practice floor has no witness; nothing of it is evidence",
        );
    }

    fn witness_problems(&self, unless: &mut impl FnMut(bool, &str)) {
        for (place, witness) in self.witness.iter().enumerate() {
            let name = &witness.name;
            unless(!name.trim().is_empty(), "witness: each has a name");
            let is_first = self.witness.iter().position(|other| other.name == *name) == Some(place);
            unless(is_first, &format!("witness: there are two of the name {name:?}"));
            unless(1 <= witness.timeout_seconds, &format!("witness {name:?}: timeout_seconds is at least 1"));
            if let Err(problem) = crate::witness::Witness::of(witness) {
                unless(false, &format!("witness {name:?}: {problem}"));
            }
        }
    }

    /// Whether browsers come by TLS, to the server itself or to a proxy.
    pub fn is_secure(&self) -> bool {
        let Server { certificate, origin, .. } = &self.server;
        certificate.is_some() || origin.as_ref().is_some_and(|own| own.starts_with("https:"))
    }

    /// Whether other nodes may share the log.
    pub fn is_shared(&self) -> bool {
        matches!(self.storage.database.as_deref().map(str::parse), Some(Ok(Database::Postgres(_))))
    }

    /// The same without secrets, to show.
    pub fn masked(&self) -> Config {
        let mut config = self.clone();
        config.storage.database = config.storage.database.as_deref().map(masked);
        config.server.metrics_key = config.server.metrics_key.map(|_| "***".to_owned());
        config.floor.sign_key = config.floor.sign_key.map(|_| "***".to_owned());
        config
    }
}

/// Where and how a server listens.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// The address and port of the pages and the API.
    pub listen: SocketAddr,
    /// The address its pages are reached under from outside, such as `https://floor.example`; requests from pages of
    /// another origin are refused. Where it is not given, the Host of the request counts.
    pub origin: Option<String>,
    /// Addresses whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpAddr>,
    /// A certificate chain and its key (PEM), to serve TLS without a proxy.
    pub certificate: Option<PathBuf>,
    /// See `certificate`.
    pub certificate_key: Option<PathBuf>,
    /// A second address and port, without TLS, for the other nodes of the same database on a private network. Where it
    /// is not given they come to `listen`.
    pub internal_listen: Option<SocketAddr>,
    /// How other nodes reach this one, such as `http://10.0.0.5:7777`; where it is not given, `internal_listen` or
    /// `listen`.
    pub internal_address: Option<String>,
    /// The bearer token that `/metrics` asks for. Where it is not given, only this machine itself is answered.
    pub metrics_key: Option<String>,
    /// A signed manifest (`megalink identity --write`). With it, a program or a rulebook that differs does not start.
    pub manifest: Option<PathBuf>,
    /// The public key that the manifest is signed with, in hexadecimal. Where it is not given, the house's.
    pub manifest_key: Option<String>,
    /// For how long it says that it is not ready before it takes no more connections, in seconds: the time a load
    /// balancer needs to notice.
    pub stop_delay_seconds: u64,
    /// How long open requests may take when the server stops, in seconds.
    pub drain_seconds: u64,
}

impl Default for Server {
    fn default() -> Server {
        Server {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 7777)),
            origin: None,
            trusted_proxies: Vec::new(),
            certificate: None,
            certificate_key: None,
            internal_listen: None,
            internal_address: None,
            metrics_key: None,
            manifest: None,
            manifest_key: None,
            stop_delay_seconds: 0,
            drain_seconds: 10,
        }
    }
}

impl Server {
    /// How other nodes reach this one.
    pub fn reached_at(&self) -> String {
        let listen = self.internal_listen.unwrap_or(self.listen);
        self.internal_address.clone().unwrap_or_else(|| format!("http://{listen}"))
    }
}

/// Where the log is kept.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Storage {
    /// A SQLite file, or `postgres://…`. Where it is not given, `megalink.db` in the data directory.
    pub database: Option<String>,
    /// Where the signing key and the sign-in note are kept. Where it is not given, the user's data directory.
    pub directory: Option<PathBuf>,
    /// The key that signs the checkpoints of the log: the house's for its whole life, the same on every node. Where it is not
    /// given, `signing.key` in the data directory, made on the first start.
    pub signing_key: Option<PathBuf>,
    /// The key that encrypts what is kept beside the log, the same on every node: the path of a file, `env:NAME` or
    /// `command:PROGRAM ARGUMENTS`. Where it is not given, it is derived from the signing key.
    pub vault_key: Option<String>,
    /// The folder where this node notes what it has acknowledged, so that a database that comes back without it is noticed.
    /// Best on another disk than the database. Where it is not given, the data directory.
    pub acknowledged: Option<PathBuf>,
    /// A folder for archives: periods that were closed longer ago than `keep_days` are moved there out of the log, a gaming day
    /// to a file. Where it is not given, everything stays in the log. Of several nodes, one has it.
    pub archives: Option<PathBuf>,
    /// How many days stay in the log where there is a folder for archives.
    pub keep_days: u16,
}

impl Default for Storage {
    fn default() -> Storage {
        Storage {
            database: None,
            directory: None,
            signing_key: None,
            vault_key: None,
            acknowledged: None,
            archives: None,
            keep_days: 30,
        }
    }
}

/// The floor itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own in the configuration")]
pub struct FloorConfig {
    /// The name of this node, different from every other's on the same database.
    pub node: String,
    /// The name of a new house, which it keeps for life. Only a demonstration has one where none is given.
    pub house: Option<String>,
    /// The time of day at which the gaming days of a new house begin. The house keeps what it was opened with.
    pub gaming_day_begins: TimeOfDay,
    /// How far the clock by which they begin is ahead of UTC, all year.
    pub gaming_day_utc_offset: UtcOffset,
    /// The time zone of the pages, by its name in the IANA database. It changes no gaming day, and slips are printed in
    /// Singapore's time.
    pub time_zone: String,
    /// What the pages write before an amount; play money has a P before it.
    pub currency: String,
    /// Likewise on paper that leaves the house, where the sign alone could be another country's.
    pub currency_on_paper: String,
    /// Whether a new house is set up for demonstration: with play money, tables of all four rulebooks, staff, Players of the
    /// house. Otherwise it plays for real money. It stays what it was opened as.
    pub demonstration: bool,
    /// Whether a new house plays with play money also where it is not set up for demonstration, to train its staff.
    pub play_money: bool,
    /// Whether it is a practice floor (`megalink practice`): without money, with a log, a key and a data directory of its own,
    /// and with arranged decks. It stays what it was opened as.
    pub practice: bool,
    /// Who runs a new house that is not set up for demonstration: one of its first two Gaming Shift Managers, who appoint
    /// the others together.
    pub manager: String,
    /// The other one.
    pub second_manager: String,
    /// The first person of Accounting of such a house: meters, links and appointments take a signature of theirs.
    pub accountant: String,
    /// Who sees everything in such a house and does nothing: an inspector of the authority.
    pub regulator: String,
    /// Whether the staff may or must have a second factor: `"optional"`, or `{ required-for = "pit-manager" }` from an
    /// office up. Whoever lacks a required one can do nothing but enrol.
    pub second_factor: SecondFactor,
    /// How fast automatic tables go.
    pub pace: Pace,
    /// Whether guests may play with play credits, in a demonstration. A house of real money never takes any.
    pub guests: bool,
    /// How many play credits a guest gets, in cents.
    pub guest_credits: u64,
    /// After how many seconds without a command a guest loses every position, and any Player a table for one, as soon as
    /// each round allows it; 0 for never.
    pub guest_idle_seconds: u64,
    /// After how many seconds a guest is forgotten who has no session and plays nowhere; their rounds stay. 0 for never.
    pub guest_forgotten_seconds: u64,
    /// After how many seconds without a command or a page of the staff a table in play is lost to its link, until it
    /// answers again; 0 for never.
    pub heartbeat_seconds: u64,
    /// For how many seconds a screen may show an amount that its meter no longer shows, before that is a fault; 0 for
    /// ever.
    pub display_seconds: u64,
    /// What the pages of signs prove themselves with, when they say what they show.
    pub sign_key: Option<String>,
    /// For how long a table stands still when its node dies, in milliseconds.
    pub lease_milliseconds: u64,
    /// Further rulebooks, beside the four that come with the program.
    pub rulebook_files: Vec<PathBuf>,
}

impl FloorConfig {
    /// What a new house is called. A house that is no demonstration has a name of its own, or none yet.
    pub fn house_name(&self) -> Option<&str> {
        let given = self.house.as_deref();
        if self.demonstration { given.or(Some(HOUSE_NAME)) } else { given.filter(|name| *name != HOUSE_NAME) }
    }

    /// When the gaming days of a new house begin.
    pub const fn gaming_day(&self) -> DayRule {
        DayRule { begins: self.gaming_day_begins, utc_offset: self.gaming_day_utc_offset }
    }

    /// What the money of a new house is.
    pub const fn money(&self) -> Currency {
        if self.practice {
            Currency::Practice
        } else if self.demonstration || self.play_money {
            Currency::Play
        } else {
            Currency::Real
        }
    }
}

impl Default for FloorConfig {
    fn default() -> FloorConfig {
        FloorConfig {
            node: "one".to_owned(),
            house: None,
            gaming_day_begins: DayRule::default().begins,
            gaming_day_utc_offset: DayRule::default().utc_offset,
            time_zone: "Asia/Singapore".to_owned(),
            currency: "$".to_owned(),
            currency_on_paper: "S$".to_owned(),
            demonstration: true,
            play_money: false,
            practice: false,
            manager: "Shift Manager".to_owned(),
            second_manager: "Second Shift Manager".to_owned(),
            accountant: "Accountant".to_owned(),
            regulator: "Regulator".to_owned(),
            second_factor: SecondFactor::Optional,
            pace: Pace::demonstration(),
            guests: true,
            guest_credits: 500_000,
            guest_idle_seconds: 600,
            guest_forgotten_seconds: 604_800,
            heartbeat_seconds: 60,
            display_seconds: 10,
            sign_key: None,
            lease_milliseconds: 10_000,
            rulebook_files: Vec::new(),
        }
    }
}

/// Whether a text is written before an amount: no digit, space or sign that could be read as a part of the amount.
fn is_currency(text: &str) -> bool {
    const SIGNS: [char; 7] = ['$', '€', '£', '¥', '₩', '₹', '₱'];
    (1..=4).contains(&text.chars().count())
        && text.chars().all(|sign| sign.is_alphabetic() || SIGNS.contains(&sign))
}

/// Whether a text has the form of a time zone's name: "Asia/Singapore", "Etc/GMT-8", "UTC".
fn is_time_zone(text: &str) -> bool {
    let part = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic())
            && part.chars().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-' | '+'))
    };
    text.len() <= 40 && text.split('/').all(part)
}

/// Whether the staff may or must have a second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SecondFactor {
    /// Whoever wants one has one.
    Optional,
    /// Everybody from this office up.
    RequiredFor(Office),
}

/// Signing in.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct SessionConfig {
    /// After how many minutes without a request a session ends.
    pub idle_minutes: u64,
    /// After how many hours a session ends in any case.
    pub absolute_hours: u64,
    /// For how many minutes a repeated password counts for payments and adjustments.
    pub step_up_minutes: u64,
}

impl Default for SessionConfig {
    fn default() -> SessionConfig {
        SessionConfig { idle_minutes: 30, absolute_hours: 12, step_up_minutes: 5 }
    }
}

/// What a client may use up.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// The longest body of a request, in bytes.
    pub body_bytes: usize,
    /// The longest body of recorded rounds to settle, in bytes.
    pub bulk_bytes: usize,
    /// How many requests an address may make at once, and then so many a second.
    pub requests_burst: u32,
    /// See `requests_burst`.
    pub requests_per_second: u32,
    /// How many feeds one address may have open.
    pub feeds_per_address: usize,
    /// How many feeds there may be in all.
    pub feeds: usize,
    /// How many connections there may be at once.
    pub connections: usize,
    /// How many connections one address may have open, trusted proxies aside.
    pub connections_per_address: usize,
    /// How long the head of a request may take to arrive, and then its body, in seconds.
    pub read_seconds: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_bytes: 64 * 1024,
            bulk_bytes: 64 * 1024 * 1024,
            requests_burst: 200,
            requests_per_second: 50,
            feeds_per_address: 200,
            feeds: 20_000,
            connections: 25_000,
            connections_per_address: 1_000,
            read_seconds: 10,
        }
    }
}

/// Somebody elsewhere who is sent each checkpoint of the log as it is made, and is asked at a start what they have seen.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Witness {
    /// What it is called in messages. What it was sent is noted under this name.
    pub name: String,
    /// A file elsewhere that only grows: one checkpoint a line.
    pub file: Option<PathBuf>,
    /// A folder elsewhere: one checkpoint a file.
    pub folder: Option<PathBuf>,
    /// A program with its arguments: it gets the checkpoint on its standard input, and has taken it if it ends with 0.
    pub command: Option<Vec<String>>,
    /// Beside `command`: a program that writes the newest checkpoint to its standard output.
    pub latest: Option<Vec<String>>,
    /// A web address that takes checkpoints by `POST`, such as that of `megalink witness`.
    pub url: Option<String>,
    /// Beside `url`: the certificates to trust (PEM). Where it is not given, those of the system.
    pub root_certificate: Option<PathBuf>,
    /// Beside `url`: the public key of the witness, which must sign what it takes.
    pub key: Option<String>,
    /// Whether the server starts only if the witness can be asked. A running server never waits for it.
    pub required: bool,
    /// How long it may take to answer, in seconds.
    pub timeout_seconds: u64,
}

impl Default for Witness {
    fn default() -> Witness {
        Witness {
            name: String::new(),
            file: None,
            folder: None,
            command: None,
            latest: None,
            url: None,
            root_certificate: None,
            key: None,
            required: false,
            timeout_seconds: 10,
        }
    }
}

/// What is written about it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    /// What is logged, as `RUST_LOG` says it.
    pub filter: String,
    /// How: `human`, `json`, or `auto` for human on a terminal.
    pub format: LogFormat,
}

impl Default for Log {
    fn default() -> Log {
        Log { filter: "info".to_owned(), format: LogFormat::Auto }
    }
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    Auto,
    Human,
    Json,
}

impl SessionConfig {
    /// As durations.
    pub const fn lifetimes(&self) -> crate::auth::sessions::Lifetimes {
        crate::auth::sessions::Lifetimes {
            idle: Duration::from_secs(self.idle_minutes * 60),
            absolute: Duration::from_secs(self.absolute_hours * 60 * 60),
            step_up: Duration::from_secs(self.step_up_minutes * 60),
        }
    }
}

/// Where a log is kept, as a person names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Database {
    /// A file.
    Sqlite(PathBuf),
    /// The address of a PostgreSQL server.
    Postgres(String),
}

impl FromStr for Database {
    type Err = String;

    fn from_str(text: &str) -> Result<Database, String> {
        match text.split_once("://") {
            None => Ok(Database::Sqlite(text.into())),
            Some(("sqlite", path)) => Ok(Database::Sqlite(path.into())),
            Some(("postgres" | "postgresql", _)) => Ok(Database::Postgres(text.to_owned())),
            Some((kind, _)) => Err(format!(
                "there is no database of the kind {kind}; name a file, or postgres://USER@HOST/DATABASE"
            )),
        }
    }
}

/// A database's address with its password taken out.
pub fn masked(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let (place, query) = rest.split_once('?').map_or((rest, None), |(place, query)| (place, Some(query)));
    let place = match place.rsplit_once('@') {
        Some((who, place)) => match who.split_once(':') {
            Some((user, _)) => format!("{user}:***@{place}"),
            None => format!("{who}@{place}"),
        },
        None => place.to_owned(),
    };
    let hide = |pair: &str| match pair.split_once('=') {
        Some((name, _)) if name.eq_ignore_ascii_case("password") => format!("{name}=***"),
        Some(_) | None => pair.to_owned(),
    };
    let query = query.map(|query| query.split('&').map(hide).collect::<Vec<_>>().join("&"));
    query.map_or_else(|| format!("{scheme}://{place}"), |query| format!("{scheme}://{place}?{query}"))
}
