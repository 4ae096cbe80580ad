//! Installations that were broken on purpose, each in one way: the doctor finds that, says what to do, and finds nothing else.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use journal::{Hash, Moment};
use rcgen::{CertificateParams, CertifiedKey, KeyPair, date_time_ymd, generate_simple_self_signed};
use rusqlite::Connection;
use server::config::{Config, FloorConfig, Witness};
use server::doctor::{About, Bounds, Finding, Level, examine};
use server::{Listening, serve_until, start};
use tempfile::TempDir;
use testkit::postgres::Server;
use tokio_util::sync::CancellationToken;

/// A house that was started once and stopped in order, made once: tests break copies of it.
fn original() -> &'static Path {
    static MADE: OnceLock<TempDir> = OnceLock::new();
    let folder = MADE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(run_once(config(folder.path())));
        folder
    });
    folder.path()
}

fn config(folder: &Path) -> Config {
    let mut config = Config::default();
    config.storage.directory = Some(folder.join("data"));
    config.server.listen = ([127, 0, 0, 1], 0).into();
    config.floor.demonstration = false;
    config.floor.house = Some("The House".to_owned());
    config.witness = vec![Witness {
        name: "auditor".to_owned(),
        file: Some(folder.join("witness.txt")),
        ..Witness::default()
    }];
    config
}

async fn run_once(config: Config) {
    let started = start(config.clone()).await.expect("it starts");
    let listening = Listening::bind(&config.server).await.expect("there is a free port");
    let stop = CancellationToken::new();
    stop.cancel();
    serve_until(started.app, listening, stop).await.expect("it stops in order");
}

/// A copy of the house, with a backup, and nothing wrong with it.
struct Installation {
    folder: TempDir,
    config: Config,
    bounds: Bounds,
}

impl Installation {
    fn new() -> Installation {
        let folder = tempfile::tempdir().expect("a folder");
        let (data, backups) = (folder.path().join("data"), folder.path().join("backups"));
        fs::create_dir(&data).expect("a folder");
        fs::set_permissions(&data, fs::Permissions::from_mode(0o700)).expect("a mode");
        for file in fs::read_dir(original().join("data")).expect("files") {
            let path = file.expect("a file").path();
            // The first passwords were given out.
            if path.is_file() && path.file_name().is_none_or(|name| name != "sign-in.txt") {
                fs::copy(&path, data.join(path.file_name().expect("a name"))).expect("a copy");
            }
        }
        fs::copy(original().join("witness.txt"), folder.path().join("witness.txt")).expect("a copy");
        fs::create_dir(&backups).expect("a folder");
        fs::copy(data.join("megalink.db"), backups.join("copy.db")).expect("a copy");
        let config = config(folder.path());
        // A busy machine is not what is looked for here.
        let bounds = Bounds {
            backups: Some(backups),
            sync: Duration::from_mins(1),
            free_bytes: 1,
            ..Bounds::default()
        };
        Installation { folder, config, bounds }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("data").join(name)
    }

    /// What was found, once in memory file systems nobody minds the memory.
    fn found(&self) -> Vec<Finding> {
        let mut found = examine(&self.config, &self.bounds);
        found.retain(|finding| finding.about != About::Memory);
        found
    }

    /// Exactly this is found, with words for it and for what to do.
    #[track_caller]
    fn check(&self, level: Level, about: About, what: &str, todo: &str) {
        let found = self.found();
        let [only] = found.as_slice() else { panic!("one thing is wrong: {found:#?}") };
        assert_eq!((only.level, only.about), (level, about), "{only:#?}");
        assert!(only.what.contains(what) && only.todo.contains(todo), "{only:#?}");
    }

    #[track_caller]
    fn check_wrong(&self, about: About, what: &str, todo: &str) {
        self.check(Level::Wrong, about, what, todo);
    }

    fn sql(&self, sql: &str) {
        let file = Connection::open(self.path("megalink.db")).expect("a file");
        file.execute_batch("PRAGMA writable_schema = ON").expect("a setting");
        let triggers: Vec<String> = file
            .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
            .expect("a query")
            .query_map([], |row| row.get(0))
            .expect("rows")
            .collect::<Result<_, _>>()
            .expect("rows");
        for name in triggers {
            file.execute_batch(&format!("DROP TRIGGER \"{name}\"")).expect("it is dropped");
        }
        file.execute_batch(sql).expect("it is altered");
    }
}

#[test]
fn a_sound_installation() {
    assert_eq!(Installation::new().found(), []);
}

#[test]
fn a_house_that_is_to_open_without_a_name() {
    let mut broken = Installation::new();
    broken.config.floor.house = None;
    assert_eq!(broken.found(), [], "an open house has its name in its log");
    fs::remove_file(broken.path("megalink.db")).expect("it is there");
    let found = broken.found();
    let unnamed = found.iter().find(|finding| finding.what.contains("no name yet")).expect("it is said");
    assert_eq!((unnamed.level, unnamed.about), (Level::Wrong, About::Configuration));
    assert!(unnamed.todo.contains("--house NAME"), "{unnamed:#?}");
    broken.config.floor.demonstration = true;
    let found = broken.found();
    assert!(!found.iter().any(|finding| finding.what.contains("no name yet")), "it has its own: {found:#?}");
}

#[test]
fn a_house_for_real_money_that_others_reach_by_plain_http() {
    let mut broken = Installation::new();
    broken.config.server.listen = ([0, 0, 0, 0], 7777).into();
    // What the money is, the log says: whoever asks need not repeat how the house was opened.
    let named = broken.config.floor.clone();
    for floor in [FloorConfig::default(), named] {
        broken.config.floor = floor;
        broken.check_wrong(
            About::Certificate,
            "0.0.0.0:7777 is open to other machines by plain HTTP",
            "server.origin",
        );
    }
    broken.config.server.origin = Some("https://floor.example".to_owned());
    assert_eq!(broken.found(), [], "a proxy has TLS");
}

#[test]
fn the_folder_of_another_house() {
    let mut broken = Installation::new();
    broken.config.floor.house = Some("Pier 9".to_owned());
    broken.check_wrong(
        About::Configuration,
        "The server does not start: the log is that of \"The House\", not of \"Pier 9\".",
        "--data",
    );
}

#[test]
fn a_data_directory_that_is_not_there() {
    let mut broken = Installation::new();
    broken.config.storage.directory = Some("/no/such/folder".into());
    let found = broken.found();
    assert!(found.iter().any(|finding| finding.about == About::DataDirectory), "{found:#?}");
    assert!(found.iter().any(|finding| finding.what.contains("There is no log yet")), "{found:#?}");
}

#[test]
fn a_disk_that_is_nearly_full() {
    let mut broken = Installation::new();
    broken.bounds.free_bytes = u64::MAX;
    broken.check_wrong(About::DiskSpace, "MiB are free", "Make room");
}

#[test]
fn a_slow_disk() {
    let mut broken = Installation::new();
    broken.bounds.sync = Duration::ZERO;
    broken.check_wrong(About::DiskSpeed, "The disk takes", "write cache");
}

#[test]
fn a_data_directory_in_memory() {
    let Ok(folder) = tempfile::tempdir_in("/dev/shm") else {
        return testkit::skip("there is no memory file system at /dev/shm");
    };
    let mut broken = Installation::new();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).expect("a mode");
    broken.config.storage.directory = Some(folder.path().to_owned());
    let found = examine(&broken.config, &broken.bounds);
    let memory = found.iter().find(|finding| finding.about == About::Memory).expect("it is found");
    assert!(memory.what.contains("lost with the power"), "{memory:#?}");
}

#[test]
fn files_that_others_may_read() {
    for (name, mode) in [("megalink.db", 0o644), ("", 0o755)] {
        let broken = Installation::new();
        let path = broken.path(name);
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a mode");
        broken.check_wrong(About::Permissions, &format!("mode {mode:o}"), "chmod");
    }
}

#[test]
fn first_passwords_that_still_lie_there() {
    let broken = Installation::new();
    fs::copy(original().join("data/sign-in.txt"), broken.path("sign-in.txt")).expect("a copy");
    broken.check(Level::Advice, About::SignInNote, "first passwords", "delete the file");
}

#[test]
fn a_signing_key_that_is_gone() {
    let broken = Installation::new();
    fs::remove_file(broken.path("signing.key")).expect("it is removed");
    broken.check_wrong(About::SigningKey, "cannot be used", "from the copy that was kept");
}

#[test]
fn a_signing_key_of_another_house() {
    let broken = Installation::new();
    fs::write(broken.path("signing.key"), format!("{}\n", Hash([7; 32]))).expect("a key");
    let found = broken.found();
    assert!(
        found
            .iter()
            .any(|finding| finding.about == About::SigningKey && finding.what.contains("not the one")),
        "{found:#?}"
    );
    assert!(
        found.iter().any(|finding| finding.about == About::VaultKey),
        "it follows from the signing key: {found:#?}"
    );
}

#[test]
fn a_vault_key_that_cannot_be_read_and_one_that_opens_nothing() {
    let mut broken = Installation::new();
    broken.config.storage.vault_key = Some("/no/such/key".to_owned());
    broken.check_wrong(About::VaultKey, "cannot be used", "storage.vault_key");
    let path = broken.path("other.key");
    fs::write(&path, Hash([7; 32]).to_string()).expect("a key");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("a mode");
    broken.config.storage.vault_key = Some(path.display().to_string());
    broken.check_wrong(About::VaultKey, "does not open", "began with");
}

#[test]
fn a_rulebook_that_cannot_be_read() {
    let mut broken = Installation::new();
    broken.config.floor.rulebook_files = vec!["/no/such/book.toml".into()];
    broken.check_wrong(About::Rulebooks, "/no/such/book.toml", "rulebook_files");
}

/// A certificate whose files are in a folder, which holds until a year.
fn certificate(config: &mut Config, folder: &Path, until: i32) {
    let (chain, key) = (folder.join("chain.pem"), folder.join("key.pem"));
    let mut params = CertificateParams::new(vec!["localhost".to_owned()]).expect("names");
    params.not_after = date_time_ymd(until, 1, 1);
    let pair = KeyPair::generate().expect("a key");
    fs::write(&chain, params.self_signed(&pair).expect("a certificate").pem()).expect("a file");
    fs::write(&key, pair.serialize_pem()).expect("a file");
    (config.server.certificate, config.server.certificate_key) = (Some(chain), Some(key));
}

#[test]
fn a_certificate_that_runs_out() {
    let mut broken = Installation::new();
    let folder = broken.folder.path().to_owned();
    certificate(&mut broken.config, &folder, 2020);
    broken.check_wrong(About::Certificate, "has run out", "SIGHUP");
    certificate(&mut broken.config, &folder, 4000);
    assert_eq!(broken.found(), []);
    broken.bounds.certificate_days = u64::MAX;
    broken.check_wrong(About::Certificate, "runs out in", "Renew it");
    broken.bounds.certificate_days = 21;
    let CertifiedKey { signing_key, .. } = generate_simple_self_signed(vec!["x".to_owned()]).expect("a key");
    fs::write(folder.join("key.pem"), signing_key.serialize_pem()).expect("a file");
    broken.check_wrong(About::Certificate, "cannot be used", "certificate_key");
}

#[test]
fn another_program_than_the_manifest_names() {
    let mut broken = Installation::new();
    broken.config.server.manifest = Some("/no/such/manifest".into());
    broken.check_wrong(About::Program, "manifest", "megalink identity --write");
}

#[test]
fn a_database_that_is_not_one() {
    let broken = Installation::new();
    fs::write(broken.path("megalink.db"), "this is not a database, however long it may be").expect("a file");
    broken.check_wrong(About::Database, "cannot be opened", "backup");
}

#[test]
fn a_clock_that_is_behind() {
    let mut broken = Installation::new();
    broken.bounds.now = Moment(Moment::now().0 - 3_600_000);
    broken.check_wrong(About::Clock, "seconds behind the log", "NTP");
    broken.bounds.now = Moment(0);
    let found = broken.found();
    assert!(found.iter().any(|finding| finding.what.contains("years behind")), "{found:#?}");
}

#[test]
fn a_log_whose_end_was_changed() {
    let broken = Installation::new();
    broken.sql(
        "UPDATE entry SET hash = zeroblob(32)
         WHERE (stream, version) = (SELECT id, version FROM stream WHERE name = 'house')",
    );
    let found = broken.found();
    let log = found.iter().find(|finding| finding.about == About::Log).expect("it is found");
    assert!(log.todo.contains("megalink audit verify"), "{log:#?}");
}

#[test]
fn an_older_copy_of_the_log() {
    let broken = Installation::new();
    broken.sql(
        "DELETE FROM entry WHERE (stream, version) = (SELECT id, version FROM stream WHERE name = 'house');
         UPDATE stream SET version = version - 1 WHERE name = 'house'",
    );
    let found = broken.found();
    assert!(found.iter().any(|finding| finding.about == About::Acknowledged && finding.todo.contains("--accept-rollback")), "{found:#?}");
}

#[test]
fn archives_that_cannot_be_read() {
    let mut broken = Installation::new();
    broken.config.storage.archives = Some("/no/such/archives".into());
    broken.check_wrong(About::Archives, "/no/such/archives", "archive verify");
}

#[test]
fn archives_of_another_house() {
    let mut broken = Installation::new();
    let folder = broken.folder.path().join("archives");
    let other = Path::new(env!("CARGO_MANIFEST_DIR")).join("../floor/tests/databases/0.3.0/archives");
    fs::create_dir(&folder).expect("a folder");
    for file in fs::read_dir(other).expect("files") {
        let path = file.expect("a file").path();
        fs::copy(&path, folder.join(path.file_name().expect("a name"))).expect("a copy");
    }
    broken.config.storage.archives = Some(folder);
    broken.check_wrong(About::Archives, "do not belong to the log", "archive verify");
}

#[test]
fn archives_that_are_missing() {
    let mut broken = Installation::new();
    let folder = broken.folder.path().join("archives");
    fs::create_dir(&folder).expect("a folder");
    broken.config.storage.archives = Some(folder);
    // As if the first entry had been archived.
    broken
        .sql("DELETE FROM entry WHERE version = 1 AND stream = (SELECT id FROM stream WHERE name = 'house')");
    let found = broken.found();
    let is_it = |finding: &&Finding| finding.about == About::Archives;
    let missing = found.iter().find(is_it).expect("it is found");
    assert!(missing.what.contains("up to entry 1 of the house"), "{found:#?}");
}

#[test]
fn archiving_that_does_not_keep_up() {
    let mut broken = Installation::new();
    let folder = broken.folder.path().join("archives");
    fs::create_dir(&folder).expect("a folder");
    broken.config.storage.archives = Some(folder);
    assert_eq!(broken.found(), []);
    broken.bounds.now = Moment::now().plus_days(40);
    broken.check_wrong(About::Archives, "does not keep up", "archive write");
}

#[test]
fn backups_that_are_old_or_missing() {
    let mut broken = Installation::new();
    let backup = broken.folder.path().join("backups/copy.db");
    let old = SystemTime::now() - Duration::from_hours(50);
    fs::File::options().write(true).open(&backup).expect("a file").set_modified(old).expect("a time");
    broken.check_wrong(About::Backups, "hours old", "megalink backup");
    fs::remove_file(backup).expect("it is removed");
    broken.check_wrong(About::Backups, "There is no backup", "megalink backup");
    broken.bounds.backups = None;
    broken.check(Level::Advice, About::Backups, "not looked at", "--backups");
}

#[test]
fn witnesses_that_are_missing_silent_or_ahead() {
    let mut broken = Installation::new();
    let text = fs::read_to_string(broken.folder.path().join("witness.txt")).expect("a file");
    broken.config.witness[0].file = None;
    broken.config.witness[0].url = Some("http://127.0.0.1:9/".to_owned());
    broken.check_wrong(About::Witnesses, "cannot be asked", "can be reached");
    broken.config.witness.clear();
    broken.check(Level::Advice, About::Witnesses, "No witness", "docs/running.md");
    // The log forgets its newest seal, which the witness has seen.
    let broken = Installation::new();
    assert!(!text.is_empty());
    broken.sql("DELETE FROM checkpoint WHERE number = (SELECT max(number) FROM checkpoint)");
    let found = broken.found();
    assert!(
        found
            .iter()
            .any(|finding| finding.about == About::Witnesses && finding.what.contains("but the log ends at")),
        "{found:#?}"
    );
}

/// PostgreSQL: without a synchronous standby a disk that fails takes along what was acknowledged; with `fsync` off any power
/// failure does, and the log is not opened.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_of_postgresql() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&[]);
    let mut config = config(folder.path());
    config.witness.clear();
    config.storage.database = Some(server.new_database());
    run_once(config.clone()).await;
    let (found, unsafe_found) = tokio::task::spawn_blocking(move || {
        let bounds = Bounds { sync: Duration::from_mins(1), free_bytes: 1, ..Bounds::default() };
        let found = examine(&config, &bounds);
        server.sql("postgres", "ALTER SYSTEM SET fsync = off");
        server.sql("postgres", "SELECT pg_reload_conf()");
        testkit::until("the setting is taken over", || server.sql("postgres", "SHOW fsync").contains("off"));
        (found, examine(&config, &bounds))
    })
    .await
    .expect("it looks");
    let standby = found.iter().find(|finding| finding.about == About::DatabaseSettings).expect("it is found");
    assert_eq!(standby.level, Level::Advice);
    assert!(standby.what.contains("synchronous_standby_names"), "{standby:#?}");
    assert!(
        !found.iter().any(|finding| finding.level == Level::Wrong && finding.about != About::Memory),
        "{found:#?}"
    );
    let fsync = unsafe_found.iter().find(|finding| finding.about == About::Database).expect("it is found");
    assert!(fsync.what.contains("the server runs with fsync off"), "{fsync:#?}");
}
