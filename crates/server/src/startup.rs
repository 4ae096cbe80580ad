//! A server begins: the data directory, the signing key, the log, the floor recovered from it, the feeds, the automatic
//! tables; on a new house its first managers. Only then is anything served.

mod first;
mod storage;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use automatic::{ConductedNode, Pace, house_players};
use floor::Library;
use floor::audit::{OpenedHouse, opening_of};
use floor::node::{
    Interrupted, Node, Recovery, RecoveryError, Running, Service, ServiceOptions, Setup, recover,
};
use floor::view::changes_in_words;
use journal::acknowledged::{LostStream, NotebookError};
use journal::archive::{Joined, Shelf};
use journal::checkpoint::CheckpointError;
use journal::vault::kind::{CREDENTIAL, VAULT};
use journal::{
    Currency, DayRule, Identity, Moment, NodeId, Reader, Sealed, StoreError, VaultKey, VaultKeyError, Version,
};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

pub use self::first::SignIn;
pub(crate) use self::first::{NOTE, PRACTICE_PASSWORD};
pub(crate) use self::storage::{Place, library};
pub use self::storage::{file_problems, sqlite_file};
use crate::app::{App, AppState};
use crate::archiving;
use crate::auth::accounts::Accounts;
use crate::auth::devices::Devices;
use crate::auth::limits::Limiter;
use crate::auth::refusals::{self, Refusals};
use crate::auth::second_factor::SecondFactors;
use crate::auth::sessions::Sessions;
use crate::auth::throttle::Throttle;
use crate::auth::trail;
use crate::config::{Config, FloorConfig};
use crate::departures::{self, Departures};
use crate::displays::{self, Displays};
use crate::forgetting;
use crate::heartbeat::{self, Heartbeat};
use crate::hub::Hub;
use crate::identity;
use crate::keys::HouseKeys;
use crate::noting::Noting;
use crate::ops::Counting;
use crate::peers::{self, Peers};
use crate::practice::{self, Practice};
use crate::recent::Recent;
use crate::school::School;
use crate::serve::manager;
use crate::vault::{READERS, Vault};
use crate::verification::{self, Verification};
use crate::view::Timers;
use crate::witness::{self, Couriers, Witness};
use crate::writing::Writing;

/// How often what is measured is tidied up.
const METRICS_TIDIED: Duration = Duration::from_secs(5);

/// A server that is ready to listen.
pub struct Started {
    /// What requests reach.
    pub app: App,
    /// What the log was found to hold.
    pub recovery: Recovery,
    /// Who was given a password just now. It is shown here and in the sign-in note, and nowhere else.
    pub sign_ins: Vec<SignIn>,
    /// Where the signing key and the sign-in note are.
    pub directory: PathBuf,
    /// Where the log is, without any password.
    pub database: String,
}

/// Why a server does not begin.
#[derive(Debug, thiserror::Error)]
pub enum StartupError {
    /// There is no place for its files.
    #[error("there is no data directory: {0}; name one with --data")]
    NoDirectory(String),
    /// A file cannot be made or read.
    #[error("{path}: {source}")]
    File {
        path: String,
        /// Why not.
        source: std::io::Error,
    },
    /// A rulebook that cannot be used.
    #[error("the rulebook {0}: {1}")]
    Rulebook(String, String),
    /// The signing key.
    #[error(transparent)]
    Key(#[from] CheckpointError),
    /// The vault's key.
    #[error(transparent)]
    VaultKey(#[from] VaultKeyError),
    /// The vault's key is another than before.
    #[error(
        "the vault key is not the one this database was begun with, so credentials and the seeds of rounds in play \
         cannot be read; give the first one (storage.vault_key, or the signing key it was derived from)"
    )]
    OtherVaultKey,
    /// What was acknowledged cannot be read.
    #[error(transparent)]
    Notebook(#[from] NotebookError),
    /// The log is another house's.
    #[error("{0}; name another folder with --data, or another database")]
    OtherHouse(String),
    /// What the configuration names is no database.
    #[error("storage.database: {0}")]
    Database(String),
    /// The log cannot be opened.
    #[error("opening the log at {place}: {source}")]
    Store {
        /// Where.
        place: String,
        /// Why not.
        source: StoreError,
    },
    /// The program's own file cannot be read.
    #[error("reading the program's own file, whose digest the log names: {0}")]
    OwnFile(std::io::Error),
    /// What runs is not what the signed manifest names.
    #[error(
        "this is not what the manifest {path} names: {what}. Start the program and the rulebooks that were signed, or have \
         the new ones examined and signed (megalink identity --write)"
    )]
    Manifest { path: String, what: String },
    /// A witness that is required cannot be asked, or was changed.
    #[error("the witness {name}: {what}")]
    Witness { name: String, what: String },
    /// The floor cannot be recovered from its log.
    #[error(transparent)]
    Recovery(#[from] RecoveryError),
    /// A thread cannot be started.
    #[error("starting a thread: {0}")]
    Thread(#[from] std::io::Error),
    /// The house could not be set up.
    #[error("setting up the house: {0}")]
    House(String),
}

/// What the blocking part of the beginning hands over.
struct Begun {
    identity: Identity,
    service: Arc<Service>,
    readers: Vec<Box<dyn Reader>>,
    vault_key: VaultKey,
    hub: Hub,
    recent: Arc<Recent>,
    conducted: Arc<ConductedNode>,
    recovery: Recovery,
    couriers: Couriers,
    /// A reader of its own for what is verified while the floor plays, where there is something.
    older: Option<(Box<dyn Reader>, Version)>,
    writing: Writing,
    risks: Vec<String>,
}

/// Begins a server. It does not listen yet.
pub async fn start(config: Config) -> Result<Started, StartupError> {
    let metrics = recorder();
    let _starting = manager::Starting::new()?;
    let begins = tokio::task::spawn_blocking(move || {
        let library = storage::library(&config.floor.rulebook_files)?;
        let place = Place::of(&config.storage)?;
        let begun = begin(&config, &place, library)?;
        Ok::<_, StartupError>((config, place, begun))
    });
    let (config, place, begun) =
        begins.await.map_err(|error| StartupError::House(format!("the recovery broke off: {error}")))??;
    let Begun {
        identity,
        service,
        readers,
        vault_key,
        hub,
        recent,
        conducted,
        recovery,
        couriers,
        older,
        writing,
        risks,
    } = begun;
    let vault = Vault::new(Arc::clone(&service), readers, vault_key, writing.clone());
    let peers = if place.is_shared() {
        Peers::shared(NodeId::new(&config.floor.node), config.server.reached_at(), vault.clone())
    } else {
        Peers::none()
    };
    let app = App::new(AppState {
        accounts: Accounts::new(vault.clone()),
        sessions: Sessions::new(vault.clone(), config.sessions.lifetimes()),
        devices: Devices::new(vault.clone()),
        second_factors: SecondFactors::new(vault.clone()),
        throttle: Throttle::default(),
        refusals: Refusals::default(),
        limiter: Limiter::new(&config.limits),
        departures: Departures::default(),
        heartbeat: Heartbeat::default(),
        displays: Displays::default(),
        practice: Practice::of(service.board()),
        school: Arc::new(School::new(vault.clone())),
        board: Arc::clone(service.board()),
        identity,
        keys: HouseKeys::new(place.signer()?, place.signing_key.clone()),
        service,
        conducted: Arc::clone(&conducted),
        hub,
        recent,
        vault,
        peers,
        couriers,
        verification: Verification::default(),
        work: crate::api::Work::default(),
        metrics,
        writing,
        risks,
        reload: Notify::new(),
        stopping: CancellationToken::new(),
        ready: AtomicBool::new(false),
        config,
    });
    let sign_ins = first::set_up(&app, recovery.opened, &place.directory).await?;
    conducted.serve(&app.service);
    keep_house(&app);
    verification::begin(&app, older)?;
    Ok(Started { app, recovery, sign_ins, database: place.shown(), directory: place.directory })
}

/// Recovers the floor and gives it its threads.
fn begin(config: &Config, place: &Place, library: Library) -> Result<Begun, StartupError> {
    let signer = place.signer()?;
    let identity = identity::running(&library).map_err(StartupError::OwnFile)?;
    identity::check_manifest(&config.server, &identity, signer.public_key()).map_err(|what| {
        let path = config.server.manifest.as_ref().map(|path| path.display().to_string());
        StartupError::Manifest { path: path.unwrap_or_default(), what }
    })?;
    let vault_key = place.vault_key(&signer)?;
    let writing = Writing::default();
    let notebook = place.notebook(&config.floor.node)?;
    let mut store = place.store(&writing)?;
    if let Some(other) = opening_of(&mut *store).and_then(|opened| other_house(&config.floor, &opened)) {
        return Err(StartupError::OtherHouse(other));
    }
    let unreadable = |source| StartupError::Store { place: place.shown(), source };
    let risks = store.risks().map_err(unreadable)?;
    for risk in &risks {
        tracing::warn!("{risk}");
    }
    let witnesses = witnesses(config)?;
    let accepts_rollback = config.accept_rollback.is_some();
    let seen = witness::ask_all(&witnesses, &mut *store, &vault_key, signer.public_key(), accepts_rollback)?;
    let mut setup = Setup::new(&config.floor.node, config.floor.house_name(), signer);
    setup.further_signers = place.further_signers()?;
    setup.clock = Box::new(config.clock.clone());
    setup.key_file = Some(place.signing_key.clone());
    setup.money = config.floor.money();
    setup.gaming_day = config.floor.gaming_day();
    setup.lease_term = Duration::from_millis(config.floor.lease_milliseconds);
    setup.vault_key = vault_key.clone();
    setup.witnessed = seen;
    setup.acknowledged = notebook.newest();
    setup.audience.push(Arc::new(Noting(notebook.clone())));
    setup.accept_rollback.clone_from(&config.accept_rollback);
    setup.running = Some(Running { identity: identity.clone(), settings: identity::settings(config) });
    let (mut node, recovery) = recover(store, library, setup)?;
    let heads = node.board().heads();
    if recovery.rollback.is_some() {
        notebook.begin_anew(heads, Moment::now())?;
    } else {
        notebook.note(heads, Moment::now())?;
    }
    report(&recovery);
    if let Some(warning) = other_gaming_day(config.floor.gaming_day(), node.floor().house().day_rule()) {
        tracing::warn!("{warning}");
    }
    trail::service_started(&config.floor.node, &identity, &recovery.changes);
    let archives = config.storage.archives.as_deref().map(shelf).transpose().map_err(unreadable)?;
    let archives = archives.as_ref();
    let readers =
        (0..READERS).map(|_| with_archives(node.reader()?, archives)).collect::<Result<_, StoreError>>();
    let mut readers: Vec<Box<dyn Reader>> = readers.map_err(unreadable)?;
    if let Some(reader) = readers.first_mut()
        && let Some(missing) = reader.missing_up_to().map_err(unreadable)?
    {
        tracing::error!(
            up_to = missing.0,
            "archives of the beginning of the log are missing; put the files back into storage.archives"
        );
    }
    check_vault_key(&mut node, &mut readers, &vault_key)?;
    let older = match recovery.closed_by {
        None => None,
        Some(closed_by) => {
            let older = node.reader().and_then(|live| with_archives(live, archives));
            Some((older.map_err(unreadable)?, closed_by))
        }
    };
    let couriers = Couriers::new(witnesses, &vault_key, &mut || node.reader()).map_err(unreadable)?;
    node.tell_also(couriers.bell());
    let conducted = Arc::new(ConductedNode::start(
        config.floor.pace,
        if config.floor.practice { Vec::new() } else { house_players() },
    )?);
    let recent = Arc::new(Recent::default());
    let hub = listen_in(&mut node, config.floor.pace, &recent, &conducted)?;
    let options =
        ServiceOptions { on_takeover: Box::new(|rounds| taken_over(&rounds)), ..ServiceOptions::default() };
    let service = Arc::new(Service::spawn(node, options)?);
    couriers.set_out(&service)?;
    Ok(Begun {
        identity,
        service,
        readers,
        vault_key,
        hub,
        recent,
        conducted,
        recovery,
        couriers,
        older,
        writing,
        risks,
    })
}

/// Why the house of a log is not the one that the configuration asks for: it has another name, or play money where it should be
/// real. Whoever names no house takes the one that is there.
pub(crate) fn other_house(configured: &FloorConfig, opened: &OpenedHouse) -> Option<String> {
    // The node itself keeps practice floors and houses apart.
    if [configured.money(), opened.money].contains(&Currency::Practice) {
        return None;
    }
    let wants_real = configured.money() == Currency::Real && opened.money == Currency::Play;
    let other = configured.house.as_ref().filter(|name| **name != opened.name);
    (wants_real || other.is_some()).then(|| {
        let wanted = other.map_or_else(|| "a house for real money".to_owned(), |name| format!("{name:?}"));
        let money = if opened.money == Currency::Play { ", with play money" } else { "" };
        format!("the log is that of {:?}{money}, not of {wanted}", opened.name)
    })
}

/// What to say where the configuration has other gaming days than the house was opened with.
fn other_gaming_day(configured: DayRule, own: DayRule) -> Option<String> {
    (configured != own).then(|| {
        format!(
            "by the configuration a gaming day is {configured}, but this house was opened with gaming days {own}, and these \
             count; set floor.gaming_day_begins to {:?} and floor.gaming_day_utc_offset to {:?}",
            own.begins.to_string(),
            own.utc_offset.to_string()
        )
    })
}

/// The archives of a folder, which all readers share. A folder that is not there is made.
fn shelf(folder: &Path) -> Result<Arc<Shelf>, StoreError> {
    std::fs::create_dir_all(folder)
        .map_err(|error| StoreError::Full(format!("{}: {error}", folder.display())))?;
    Ok(Arc::new(Shelf::open(folder)?))
}

/// A reader of the log, with the archives of what was taken out of it.
fn with_archives(
    live: Box<dyn Reader>,
    archives: Option<&Arc<Shelf>>,
) -> Result<Box<dyn Reader>, StoreError> {
    let Some(archives) = archives else { return Ok(live) };
    Ok(Box::new(Joined::on(live, Arc::clone(archives))?))
}

/// The key of the row that only the first vault key opens.
pub(crate) const FIRST_KEY: &str = "first-key";

/// Refuses another key than the one the vault began with: with it every row would look altered.
fn check_vault_key(
    node: &mut Node,
    readers: &mut [Box<dyn Reader>],
    vault_key: &VaultKey,
) -> Result<(), StartupError> {
    let failed = |error: &dyn std::fmt::Display| StartupError::House(error.to_string());
    let reader = readers.first_mut().expect("there are readers");
    let kept = reader.sealed(VAULT, FIRST_KEY).map_err(|error| failed(&error))?;
    if kept.as_ref().is_some_and(|stored| vault_key.open(VAULT, FIRST_KEY, stored).is_some()) {
        return Ok(());
    }
    if kept.is_some() {
        // One damaged row stops nobody: the key is the first one if it opens anybody's password.
        let credentials = reader.sealed_all(CREDENTIAL).map_err(|error| failed(&error))?;
        if !credentials.iter().any(|(key, stored)| vault_key.open(CREDENTIAL, key, stored).is_some()) {
            return Err(StartupError::OtherVaultKey);
        }
        Vault::report_put_back(VAULT, FIRST_KEY);
    }
    let row = Sealed { kind: VAULT.to_owned(), key: FIRST_KEY.to_owned(), value: Some(Vec::new()) };
    node.keep(&[row]).map_err(|failure| failed(&failure))
}

/// The witnesses that the configuration names.
fn witnesses(config: &Config) -> Result<Vec<Witness>, StartupError> {
    let of = |settings: &crate::config::Witness| {
        Witness::of(settings).map_err(|what| StartupError::Witness { name: settings.name.clone(), what })
    };
    config.witness.iter().map(of).collect()
}

/// Sends what is committed to the newest entries, the feeds, the automatic tables and the counters.
fn listen_in(
    node: &mut Node,
    pace: Pace,
    recent: &Arc<Recent>,
    conducted: &Arc<ConductedNode>,
) -> std::io::Result<Hub> {
    let hub = Hub::start(node.floor().clone(), node.board().heads().into_iter(), Timers::new(pace))?;
    node.tell_also(Arc::clone(recent) as Arc<_>);
    node.tell_also(Arc::new(hub.clone()));
    node.tell_also(Arc::clone(conducted) as Arc<_>);
    node.tell_also(Arc::new(Counting(Arc::clone(node.board()))));
    Ok(hub)
}

fn report(recovery: &Recovery) {
    let Recovery {
        entries,
        closed_by,
        checkpoints,
        tables,
        links,
        opened,
        interrupted,
        rollback,
        lost,
        changes,
    } = recovery;
    let closed_by = closed_by.map(|version| version.0);
    let interruptions = interrupted.len();
    tracing::info!(entries, closed_by, checkpoints, tables, links, opened, interruptions, "recovered");
    if let Some(rollback) = rollback {
        let (to, seen) = (rollback.to, rollback.seen);
        tracing::warn!(
            to,
            seen,
            "an older log was accepted; the log says so, and no wagers are taken until a Gaming Shift Manager has signed"
        );
        for lost in lost {
            tracing::warn!(lost = LostStream::sentence(lost), "this was acknowledged and is lost");
        }
    }
    if !changes.is_empty() {
        tracing::warn!(changed = changes_in_words(changes), "this start is different from the last one");
    }
    for Interrupted { table, round, established } in interrupted {
        tracing::warn!(%table, round, established, "a round in play was interrupted (5.16)");
    }
}

fn taken_over(rounds: &[Interrupted]) {
    for Interrupted { table, round, established } in rounds {
        metrics::counter!("megalink_rounds_taken_over_total").increment(1);
        tracing::warn!(%table, round, established, "a table was taken over with a round in play (5.16)");
    }
}

/// What goes on beside requests until the server stops.
fn keep_house(app: &App) {
    tokio::spawn(crate::auth::watch(app.clone()));
    let metrics = app.metrics.clone();
    every(app, METRICS_TIDIED, move |_, _| {
        metrics.run_upkeep();
        std::future::ready(())
    });
    every(app, refusals::LOOKED, |app, _| refusals::write_counts(app));
    every(app, departures::IDLE_EVERY, |app, _| departures::remove_idle(app));
    every(app, forgetting::LOOKED, |app, _| forgetting::forget_guests(app));
    every(app, archiving::LOOKED, |app, _| archiving::archive_due(app));
    every(app, heartbeat::CHECK_EVERY, |app, _| heartbeat::check_tables(app));
    every(app, displays::NOTED_EVERY, |app, _| {
        app.displays.note(&app.board);
        std::future::ready(())
    });
    if app.practice.is_some() {
        every(app, practice::LOOKED, |app, _| practice::step_all(app));
    }
    if app.peers.are_possible() {
        every(app, peers::BEAT, |app, beat| async move {
            if let Err(problem) = app.peers.beat(beat).await {
                tracing::warn!(reason = problem.reason, "it could not be noted that this node lives");
            }
        });
    }
}

/// Does something now and then, counting the times, until the server stops.
fn every<F>(app: &App, period: Duration, mut work: impl FnMut(App, u64) -> F + Send + 'static)
where
    F: Future<Output = ()> + Send,
{
    let app = app.clone();
    tokio::spawn(async move {
        let mut ticks = tokio::time::interval(period);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        for count in 0.. {
            tokio::select! {
                () = app.stopping.cancelled() => return,
                _ = ticks.tick() => work(app.clone(), count).await,
            }
        }
    });
}

/// Where everything that is measured goes. There is one a process.
fn recorder() -> PrometheusHandle {
    /// From half a millisecond to ten seconds.
    const SECONDS: [f64; 14] =
        [0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1.0, 2.5, 10.0];
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    let install = || {
        let builder = PrometheusBuilder::new().set_buckets(&SECONDS).expect("there are buckets");
        // Where a program has a recorder of its own, this one measures nothing and is still asked.
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("another recorder is installed; nothing is measured here");
        }
        describe();
        handle
    };
    RECORDER.get_or_init(install).clone()
}

/// What each figure is, for whoever reads them.
fn describe() {
    use metrics::{describe_counter as counter, describe_gauge as gauge, describe_histogram as histogram};
    counter!("megalink_rounds_total", "Rounds that ended at tables run here, by how.");
    counter!("megalink_rounds_taken_over_total", "Rounds in play that were taken over from another node.");
    counter!(
        "megalink_commands_total",
        "Commands answered here for the first time, refused ones among them."
    );
    counter!("megalink_entries_total", "Entries of the log written here.");
    counter!("megalink_refusals_total", "Commands the API refused, by reason and clause.");
    counter!(
        "megalink_vault_rows_refused_total",
        "Rows beside the log that were altered or inserted, by kind."
    );
    counter!("megalink_commits_failed_total", "Transactions that were not written.");
    counter!(
        "megalink_notes_failed_total",
        "Commits that could not be noted outside the database: their loss would go unnoticed."
    );
    counter!("megalink_http_requests_total", "Requests, by route, method and status.");
    counter!("megalink_sent_on_total", "Requests answered by another node.");
    counter!("megalink_lines_total", "Lines that other nodes have opened to this one.");
    counter!("megalink_lines_refused_total", "Lines refused because the asker is no node of this house.");
    counter!("megalink_panics_total", "Handlers that broke a promise. There should be none.");
    histogram!("megalink_http_request_seconds", "How long requests took.");
    histogram!("megalink_commit_seconds", "How long it took to make a transaction durable.");
    histogram!(
        "megalink_batch_seconds",
        "How long a batch took, from its first look at the log to its commit."
    );
    histogram!("megalink_checkpoint_seconds", "How long it took to seal the log.");
    histogram!("megalink_feed_delay_seconds", "From a commit to the moment its followers were sent it.");
    counter!(
        "megalink_connections_refused_total",
        "Connections closed at once because their address had too many."
    );
    counter!("megalink_witness_failures_total", "Times a witness did not take a checkpoint, by witness.");
    gauge!("megalink_witness_behind", "Checkpoints that a witness has yet to get, by witness.");
    gauge!("megalink_witness_well", "1 while a witness takes what it is sent, by witness.");
    gauge!("megalink_viewers", "Live feeds that are followed here.");
    gauge!("megalink_sessions", "Sessions this node knows.");
    gauge!("megalink_tables", "Tables of the floor.");
    gauge!("megalink_tables_run_here", "Tables this node runs, where several share a log.");
    gauge!("megalink_meter_dollars", "What the meter of each link displays, in whole dollars.");
    gauge!("megalink_ready", "1 while it serves.");
    gauge!("megalink_connections", "Open connections.");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_gaming_days_than_the_house_has_are_named() {
        let own = DayRule {
            begins: "04:30".parse().expect("a time of day"),
            utc_offset: "+09:00".parse().expect("an offset"),
        };
        assert_eq!(other_gaming_day(own, own), None);
        let warning = other_gaming_day(DayRule::default(), own).expect("they differ");
        for part in [
            "a gaming day is from 06:00 to 06:00 in Singapore",
            "opened with gaming days from 04:30 to 04:30, UTC+09:00",
            "floor.gaming_day_begins to \"04:30\" and floor.gaming_day_utc_offset to \"+09:00\"",
        ] {
            assert!(warning.contains(part), "{warning}");
        }
    }
}
