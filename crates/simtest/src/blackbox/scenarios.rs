//! Failures of a server with its log in a file.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use super::load::{Clients, Load};
use super::program::{Served, Start, audit, until};
use super::proxy;
use crate::node_load::Dice;

/// How long a client waits for an answer before it retries.
const SOON: Duration = Duration::from_secs(10);

fn folder() -> Result<tempfile::TempDir, String> {
    tempfile::tempdir().map_err(|error| error.to_string())
}

/// Stops the clients and the server, and verifies the log.
fn end(clients: Clients, served: Served, folder: &Path) -> Result<Arc<Load>, String> {
    served.plays_on()?;
    let load = clients.end(served.address())?;
    served.stop()?;
    audit(&folder.join("megalink.db").display().to_string())?;
    Ok(load)
}

/// Killed at random moments under load: every purchase that was answered is there once.
pub(super) fn killed(seed: u64, kills: u64) -> Result<String, String> {
    let (folder, mut dice) = (folder()?, Dice(seed));
    let start = Start::new(folder.path());
    let mut served = start.start()?;
    let clients = Load::open(&served, folder.path(), SOON, seed)?.begin(seed);
    let mut while_starting = 0;
    for _ in 0..kills {
        clients.load.wait_for_purchases(1)?;
        std::thread::sleep(Duration::from_micros(dice.roll(300_000)));
        served.kill();
        // Sometimes it is killed while it starts.
        while dice.roll(4) == 0 {
            while_starting += 1;
            start.start_and_kill(Duration::from_millis(dice.roll(500)))?;
        }
        served = start.start()?;
        clients.load.set_targets(&[served.address()]);
    }
    clients.load.wait_for_purchases(1)?;
    let load = end(clients, served, folder.path())?;
    Ok(format!(
        "killed {kills} times under load and {while_starting} times during its start: {} purchases answered, none \
         missing or double, {} retries",
        load.count(),
        load.repeated()
    ))
}

/// The network between clients and server delays, cuts and stops answering. Retries with the same id have one effect.
pub(super) fn cut_off(seed: u64, purchases: usize) -> Result<String, String> {
    let folder = folder()?;
    let served = Start { plays: false, ..Start::new(folder.path()) }.start()?;
    let load = Load::open(&served, folder.path(), Duration::from_secs(1), seed)?;
    let (address, fates) = proxy::start(served.address(), seed)?;
    load.set_targets(&[address]);
    let clients = load.begin(seed);
    clients.load.wait_for_purchases(purchases)?;
    let load = end(clients, served, folder.path())?;
    let [passed, late, request, answer, silent, nothing] = fates.counts();
    if [late, request, answer, silent, nothing].contains(&0) {
        return Err(format!("not every network fault happened: {:?}", fates.counts()));
    }
    Ok(format!(
        "{} purchases over a network that passed {passed}, delayed {late}, cut {request} requests and \
         {answer} answers, and left {} silent: each happened once",
        load.count(),
        silent + nothing
    ))
}

/// How many times more syncs may fail than asked for, until each kind of stop was seen.
const ATTEMPTS_FACTOR: u64 = 8;

/// The n-th sync of a file fails: the server answers nothing that is not durable, and stops by itself, while it serves
/// or while it starts.
pub(super) fn syncs_fail(seed: u64, failures: u64) -> Result<String, String> {
    if !may_trace() {
        return Ok("strace may not trace here: failing syncs NOT TESTED".to_owned());
    }
    let folder = folder()?;
    let trace = folder.path().join("trace.txt");
    let untraced = Start { plays: false, ..Start::new(folder.path()) };
    let mut served = untraced.start()?;
    let clients = Load::open(&served, folder.path(), SOON, seed)?.begin(seed);
    let (mut dice, mut serving, mut starting) = (Dice(seed), 0, 0);
    while serving + starting < failures || serving.min(starting) == 0 {
        let tried = serving + starting;
        if failures.saturating_mul(ATTEMPTS_FACTOR) <= tried {
            return Err(format!(
                "of {tried} failing syncs {starting} happened during a start; both kinds are needed"
            ));
        }
        clients.load.wait_for_purchases(1)?;
        served.kill();
        // Only a few syncs happen during a start, so every other time it is one of the first.
        let when = 1 + dice.roll(if tried % 2 == 0 { 60 } else { 4 });
        let inject = format!("inject=fsync,fdatasync:error=EIO:when={when}");
        let written = trace.display().to_string();
        // With -D the tracer is the grandchild, so that the process that exits is the server.
        let words = ["strace", "-D", "-f", "-o", &written, "-e", "trace=fsync,fdatasync", "-e", &inject];
        let traced = Start { through: words.map(str::to_owned).to_vec(), ..untraced.clone() };
        if ends_while_serving(&traced, &clients.load).map_err(|what| format!("sync {when}: {what}"))? {
            serving += 1;
        } else {
            starting += 1;
        }
        let failed = || std::fs::read_to_string(&trace).is_ok_and(|trace| trace.contains("(INJECTED)"));
        until("the tracer reports the failed sync", failed)
            .map_err(|what| format!("{what}: the server stopped for another reason than sync {when}"))?;
        served = untraced.start()?;
        clients.load.set_targets(&[served.address()]);
    }
    clients.load.wait_for_purchases(1)?;
    let load = end(clients, served, folder.path())?;
    Ok(format!(
        "a sync failed {serving} times while the server served and {starting} times while it started, and it stopped each \
         time: {} purchases answered, none missing or double",
        load.count()
    ))
}

/// Starts a server with a failing sync, and waits until it has stopped. Returns whether it had started.
fn ends_while_serving(traced: &Start, load: &Load) -> Result<bool, String> {
    let Ok(mut failing) = traced.start() else {
        return Ok(false);
    };
    load.set_targets(&[failing.address()]);
    until("a server whose sync failed stops by itself", || failing.ended().is_some())
        .map_err(|what| format!("{what}: {}", failing.stderr()))?;
    if failing.ended().is_some_and(|status| status.success()) {
        return Err("the sync failed, but the server exited with success".to_owned());
    }
    Ok(true)
}

/// Whether processes can be traced here.
fn may_trace() -> bool {
    let mut strace = Command::new("strace");
    strace.args(["-f", "-o", "/dev/null", "-e", "inject=fsync:error=EIO", "true"]);
    let allowed =
        strace.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success());
    assert!(allowed || std::env::var_os("CI").is_none(), "strace must be able to trace here");
    allowed
}

/// Mounts a private 48 MB disk at the folder in $0, and runs the other arguments.
const ON_SMALL_DISK: &str = r#"mount -t tmpfs -o size=48m small "$0" && exec "$@""#;

/// The disk is full: purchases wait, nothing is lost, and service resumes when there is space.
pub(super) fn full(seed: u64, fills: u64) -> Result<String, String> {
    let folder = folder()?;
    let Some(unshare) = unshare() else {
        return Ok("no disk can be mounted here: a full disk NOT TESTED".to_owned());
    };
    let disk = folder.path().display().to_string();
    let through =
        unshare.iter().copied().chain(["sh", "-c", ON_SMALL_DISK, &disk]).map(str::to_owned).collect();
    let served = Start { plays: false, through, ..Start::new(folder.path()) }.start()?;
    // The folder as the server sees it.
    let inside = format!("/proc/{}/root{disk}", served.id());
    let inside = Path::new(&inside);
    let clients = Load::open(&served, inside, SOON, seed)?.begin(seed);
    for _ in 0..fills {
        clients.load.wait_for_purchases(1)?;
        let ballast = fill_up(inside)?;
        let before = clients.load.repeated();
        until("purchases wait for space", || before + 20 < clients.load.repeated())?;
        std::fs::remove_file(ballast).map_err(|error| error.to_string())?;
        clients.load.wait_for_purchases(5)?;
    }
    let load = clients.end(served.address())?;
    let copy = folder.path().join("copy.db");
    for end in ["", "-wal"] {
        std::fs::copy(inside.join(format!("megalink.db{end}")), format!("{}{end}", copy.display()))
            .map_err(|error| error.to_string())?;
    }
    audit(&copy.display().to_string())?;
    served.stop()?;
    Ok(format!(
        "the disk was full {fills} times: {} purchases answered, none missing or double, {} had to wait",
        load.count(),
        load.repeated()
    ))
}

/// The command that can mount a private disk, if there is one.
fn unshare() -> Option<&'static [&'static str]> {
    let ways: [&'static [&'static str]; 2] =
        [&["unshare", "--mount"], &["unshare", "--mount", "--user", "--map-root-user"]];
    let works = |way: &&[&str]| {
        let probe = Command::new(way[0]).args(&way[1..]).arg("true").stderr(Stdio::null()).status();
        probe.is_ok_and(|status| status.success())
    };
    let found = ways.into_iter().find(works);
    assert!(found.is_some() || std::env::var_os("CI").is_none(), "unshare is needed here");
    found
}

/// Fills the free space. Returns the file that it used.
fn fill_up(folder: &Path) -> Result<std::path::PathBuf, String> {
    let path = folder.join("ballast");
    let mut file = std::fs::File::create(&path).map_err(|error| error.to_string())?;
    while file.write_all(&[0; 16_384]).is_ok() {}
    while file.write_all(&[0; 1]).is_ok() {}
    Ok(path)
}
