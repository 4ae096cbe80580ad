//! A process that runs a floor under load, to be killed. It tells on its standard output what was acknowledged, and
//! nothing else; whoever kills it holds the log to that.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;

use floor::Library;
use floor::node::{
    Answer, Failure, Node, Recovery, RecoveryError, Request, Service, ServiceOptions, Setup, recover,
};
use journal::checkpoint::Signer;
use journal::postgres::PostgresStore;
use journal::sqlite::SqliteStore;
use journal::{CommandId, Currency, Dealing, Hash, Reader, Store, StoreError};
use testkit::until_some;

use crate::node_load::{Dice, id, next, opening, requests, table};

/// How many tables the process runs, and how many clients play at them.
pub(crate) const TABLES: usize = 4;
const CLIENTS: u64 = 8;

/// What the process is called, and who checks after it: what the one had is the other's at once.
const NAME: &str = "victim";

/// Where a log is.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    File(PathBuf),
    Database(String),
}

impl Place {
    pub(crate) fn parse(text: &str) -> Place {
        if text.starts_with("postgresql:") {
            Place::Database(text.to_owned())
        } else {
            Place::File(text.into())
        }
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Place::File(path) => path.display().to_string(),
            Place::Database(url) => url.clone(),
        }
    }

    /// Opens the log. A file is in use for a moment longer where another process was being started while it was open
    /// here: a child has its parent's files until its own program begins.
    fn store(&self) -> Box<dyn Store> {
        until_some("the log can be opened", || {
            let opened: Result<Box<dyn Store>, StoreError> = match self {
                Place::File(path) => SqliteStore::open(path).map(|store| Box::new(store) as Box<dyn Store>),
                Place::Database(url) => {
                    PostgresStore::connect(url).map(|store| Box::new(store) as Box<dyn Store>)
                }
            };
            match opened {
                Ok(store) => Some(store),
                Err(StoreError::Schema(why)) if why.contains("in use") => None,
                Err(error) => panic!("{error}"),
            }
        })
    }

    /// Begins a node from the log.
    pub(crate) fn begin(&self, node: &str) -> Result<(Node, Recovery), RecoveryError> {
        self.begin_as(setup(node))
    }

    pub(crate) fn begin_as(&self, setup: Setup) -> Result<(Node, Recovery), RecoveryError> {
        recover(self.store(), Library::embedded(), setup)
    }
}

/// A node of a name, with short leases.
pub(crate) fn setup(node: &str) -> Setup {
    let mut setup = Setup::new(node, "The House", signer().clone());
    setup.lease_term = Duration::from_secs(2);
    setup.money = Currency::Play;
    setup
}

/// The one key of every house here, in a file that all processes find.
pub(crate) fn signer() -> &'static Signer {
    static ONCE: OnceLock<Signer> = OnceLock::new();
    ONCE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("key");
        std::fs::write(&path, "07".repeat(32)).expect("a file");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("a file of ours");
        Signer::load_or_create(&path).expect("a key")
    })
}

/// What the process tells of one acknowledged command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Acknowledged {
    pub(crate) id: CommandId,
    pub(crate) digest: Hash,
    pub(crate) answer: Answer,
}

/// Runs a floor under load until it is killed. `seed` makes its choices and its ids its own.
pub(crate) fn run(place: &Place, seed: u64) {
    let (mut node, _) = place.begin(NAME).expect("the node begins");
    if node.floor().table(&table(TABLES - 1)).is_none() {
        // Ids that are the same every time: what was done before the last kill is not done again.
        for reply in node.turn(&requests(0, opening(TABLES, Dealing::Software))) {
            reply.expect("the floor opens");
        }
    }
    let service = Arc::new(Service::spawn(node, ServiceOptions::default()).expect("a thread"));
    let clients: Vec<_> = (1..=CLIENTS)
        .map(|client| {
            let service = Arc::clone(&service);
            std::thread::spawn(move || play(&service, client, seed))
        })
        .collect();
    for client in clients {
        client.join().expect("a client plays until it is killed");
    }
}

/// One client: two share a table, so some of what they ask for is refused, and some is asked twice.
fn play(service: &Service, client: u64, seed: u64) {
    let mut dice = Dice(seed.wrapping_mul(CLIENTS).wrapping_add(client));
    let sender = dice.roll(u64::MAX);
    let table = table(usize::try_from(client).expect("few") % TABLES);
    for number in 1.. {
        let state = service.board().table(&table).expect("it is open");
        let (actor, command) = next(&state, &mut dice);
        let request = Request::new(id(sender, number), actor, command);
        let twice = (dice.roll(4) == 0).then(|| service.submit(request.clone()));
        let reply = persist(service, &request);
        if let (Some(twice), Ok(answer)) = (twice, &reply) {
            match twice.recv().expect("every request gets its reply") {
                Ok(first) => assert_eq!(first, *answer, "asked twice, answered twice"),
                Err(Failure::Unavailable(_) | Failure::NotHere { .. } | Failure::Stopped(_)) => {}
                Err(failure) => panic!("{request:?}: {failure}"),
            }
        }
        match reply {
            Ok(answer) => tell(&request, &answer),
            Err(Failure::NotHere { .. } | Failure::Stopped(_)) => {
                println!("{TURNED_AWAY}");
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(failure) => panic!("{request:?}: {failure}"),
        }
    }
}

/// What the process tells when a table is not its own any more, or it has none.
pub(crate) const TURNED_AWAY: &str = "turned away";

/// A setting with which a killed PostgreSQL does not write its whole folder anew before it begins.
pub(crate) const QUICK_RESTART: &str = "recovery_init_sync_method = syncfs";

/// Asks until there is an answer, with the same id.
pub(crate) fn persist(service: &Service, request: &Request) -> Result<Answer, Failure> {
    until_some("there is an answer", || {
        match service.submit(request.clone()).recv().expect("every request gets its reply") {
            Err(Failure::Unavailable(_) | Failure::Busy) => None,
            reply => Some(reply),
        }
    })
}

/// One line, written at once. A line that a kill cuts in half was not told.
fn tell(request: &Request, answer: &Answer) {
    let mut line = String::new();
    writeln!(line, "{} {} {}", request.id, request.digest, answer.to_text()).expect("text can be written");
    // The reader may be gone already.
    let _ = std::io::stdout().lock().write_all(line.as_bytes());
}

/// When a process is killed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moment {
    /// So long after it was started: while it begins.
    Begins(Duration),
    /// So long after it acknowledged something: under load.
    Plays(Duration),
}

/// At once, while it begins, or under load.
pub(crate) fn moment(dice: &mut Dice) -> Moment {
    match dice.roll(4) {
        0 => Moment::Begins(Duration::from_micros(dice.roll(60_000))),
        _ => Moment::Plays(Duration::from_micros(dice.roll(30_000))),
    }
}

/// Kills a process at some moment, and says what it had told by then.
pub(crate) fn kill_at(mut process: Child, moment: Moment) -> Vec<Acknowledged> {
    let output: ChildStdout = process.stdout.take().expect("its output is a pipe");
    let (first, heard) = mpsc::sync_channel(1);
    let reader = std::thread::spawn(move || {
        let mut told = Vec::new();
        let (mut output, mut line) = (BufReader::new(output), String::new());
        // The last line may be cut in half.
        while 0 < output.read_line(&mut line).expect("a pipe can be read") && line.ends_with('\n') {
            if let Some(acknowledged) = read(&line) {
                told.push(acknowledged);
                // The first is waited for, or it is not.
                let _ = first.try_send(());
            }
            line.clear();
        }
        told
    });
    let delay = match moment {
        Moment::Begins(delay) => delay,
        Moment::Plays(delay) => {
            heard.recv_timeout(Duration::from_mins(1)).expect("a process begins within a minute");
            delay
        }
    };
    std::thread::sleep(delay);
    process.kill().expect("a process of ours can be killed");
    process.wait().expect("a process of ours can be waited for");
    reader.join().expect("the reader reads")
}

/// A line that was told; the test harness's own lines are not.
pub(crate) fn read(line: &str) -> Option<Acknowledged> {
    let mut parts = line.trim_end().splitn(3, ' ');
    let (id, digest, answer) = (parts.next()?, parts.next()?, parts.next()?);
    let answer = Answer::from_text(answer).ok()?;
    Some(Acknowledged { id: id.parse().ok()?, digest: digest.parse().ok()?, answer })
}

/// The path of this very program, which runs itself as the process to be killed.
pub(crate) fn this_program() -> PathBuf {
    std::env::current_exe().expect("a program knows where it is")
}

/// Everything that must hold after a kill: what was acknowledged stands as it was told, no command is half there, the
/// money adds up, and every round goes on or offers withdrawal. The last is shown by playing on. Returns how many
/// entries there are, and how many rounds were interrupted.
pub(crate) fn check(place: &Place, acknowledged: &[Acknowledged], dice: &mut Dice) -> (u64, usize) {
    let (mut node, recovery) = place.begin(NAME).expect("nothing is wrong with the log");
    let mut reader = node.reader().expect("the log can be read");
    answers_stand(&mut *reader, acknowledged).unwrap_or_else(|what| panic!("{what}"));
    check_whole(&mut *reader);
    for interrupted in &recovery.interrupted {
        let state = node.floor().table(&interrupted.table).expect("a table");
        assert_eq!(
            state.round().is_interrupted(),
            !interrupted.established,
            "5.16.1 or 5.16.2: {interrupted:?}"
        );
    }
    play_on(&mut node, dice).unwrap_or_else(|what| panic!("{what}"));
    (recovery.entries, recovery.interrupted.len())
}

/// Every answer that was given is there as it was given.
pub(crate) fn answers_stand(reader: &mut dyn Reader, given: &[Acknowledged]) -> Result<(), String> {
    for told in given {
        let kept = reader.answered(told.id).map_err(|error| error.to_string())?;
        let kept = kept.ok_or_else(|| format!("the answer to {} was given and is missing", told.id))?;
        if (kept.request, &kept.answer) != (told.digest, &told.answer.to_text()) {
            return Err(format!("the answer to {} is another than was given", told.id));
        }
    }
    Ok(())
}

/// A command is taken at each table.
pub(crate) fn play_on(node: &mut Node, dice: &mut Dice) -> Result<(), String> {
    for number in 0..TABLES {
        let Some(state) = node.floor().table(&table(number)) else { continue };
        let (actor, command) = next(state, dice);
        let request = Request::new(id(dice.roll(u64::MAX), 1), actor, command);
        match node.turn(std::slice::from_ref(&request)).pop() {
            Some(Ok(Answer::Done(_))) => {}
            other => return Err(format!("{request:?} after a restart: {other:?}")),
        }
    }
    Ok(())
}

/// No command is half there: each has its answer, and the entries it answers with are exactly those in the log.
fn check_whole(reader: &mut dyn Reader) {
    let mut wrote = std::collections::BTreeMap::new();
    for head in reader.heads().expect("the log can be read") {
        let entries = reader.entries(&head.stream, journal::Version(0), usize::MAX);
        for entry in entries.expect("the log can be read") {
            let range = wrote
                .entry((entry.command, entry.stream.to_string()))
                .or_insert((entry.version, entry.version));
            assert!(entry.version.0 <= range.1.0 + 1, "the entries of a command stand together");
            range.1 = entry.version;
        }
    }
    let mut answers: std::collections::BTreeMap<CommandId, Answer> = std::collections::BTreeMap::new();
    for (command, _) in wrote.keys() {
        if !answers.contains_key(command) {
            let kept = reader.answered(*command).expect("the log can be read").expect("it has its answer");
            answers.insert(*command, Answer::from_text(&kept.answer).expect("an answer"));
        }
    }
    let mut told = std::collections::BTreeMap::new();
    for (command, answer) in answers {
        let Answer::Done(ranges) = answer else { panic!("{command} was refused and wrote {wrote:?}") };
        told.extend(
            ranges.into_iter().map(|range| ((command, range.stream.to_string()), (range.first, range.last))),
        );
    }
    assert_eq!(wrote, told, "every command is there whole");
}

/// A log that is not there yet.
pub(crate) fn fresh(folder: &Path, number: u64) -> Place {
    Place::File(folder.join(format!("floor-{number}.db")))
}
