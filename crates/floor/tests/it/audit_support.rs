//! A played floor written to a real database, as it was or as somebody with the database would rather have it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use floor::audit::{self, Options, Report};
use floor::node::{Answer, Wrote};
use floor::{Command, DeskCommand, HouseCommand, Library, OwnCommand, TableCommand};
use jackpot::{AwardNumber, Cause, RejectCause};
use journal::checkpoint::{Checkpoint, Signer};
use journal::sqlite::SqliteStore;
use journal::{
    Actor, Answered, CommandId, Entry, Event, GENESIS, Hash, Head, HouseEvent, Moment, Proposal, Sealed,
    Store, Stream, Transfer, VaultKey, Version, command_text, encode,
};
use money::Pool;
use round::{Decision, Effect, RuledOutcome, Ruling};
use rulebook::{Means, PlayingArea, Position};

use crate::support::{
    Cards, Hall, TABLES, by_player, checked, commit_salts, counted, dealer, dollars, drop_salts, link,
    manager, player, shift_manager, staff, supervisor, table, wager,
};

/// How many commands go into one transaction, which a checkpoint seals.
const BATCH: usize = 24;

/// One entry to be written.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) stream: Stream,
    pub(crate) cause: Option<String>,
    pub(crate) event: Event,
    pub(crate) transfers: Vec<Transfer>,
}

/// One command to be written.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) actor: Actor,
    pub(crate) at: Moment,
    pub(crate) lines: Vec<Line>,
    pub(crate) sealed: Vec<Sealed>,
}

/// A database with the key its checkpoints are signed with.
pub(crate) struct Database {
    pub(crate) path: PathBuf,
    pub(crate) signer: Signer,
    pub(crate) checkpoints: Vec<Checkpoint>,
    /// A copy that was made in the middle of it.
    pub(crate) old_copy: PathBuf,
    _folder: tempfile::TempDir,
}

impl Database {
    /// Audits it as a stranger would: read-only, with what is known from elsewhere.
    pub(crate) fn audit(&self, options: &Options) -> Report {
        let library = Library::embedded();
        let vault_key = Some(VaultKey::derived(&self.signer));
        let options = &Options { vault_key, ..options.clone() };
        audit::verify(&mut self.reader(), &library, options, &mut |_, _| {}).expect("it can be read")
    }

    pub(crate) fn reader(&self) -> journal::sqlite::SqliteReader {
        SqliteStore::open_read_only(&self.path).expect("a copy can be read")
    }
}

/// What a floor was told and did, ready to be written.
pub(crate) fn given(hall: &Hall) -> Vec<Given> {
    let given = hall.given.iter().zip(&hall.times).map(|((actor, command, happened, sealed), at)| Given {
        actor: actor.clone(),
        at: *at,
        lines: lines(command, happened),
        sealed: sealed.clone(),
    });
    given.collect()
}

/// The entries of a command: the first in each stream keeps the command.
fn lines(command: &Command, happened: &[floor::Happened]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for one in happened {
        let first = !lines.iter().any(|line| line.stream == one.stream);
        lines.push(Line {
            stream: one.stream.clone(),
            cause: first.then(|| command_text(command)),
            event: one.event.clone(),
            transfers: one.transfers.clone(),
        });
    }
    lines
}

/// Writes a floor's history, sealed by checkpoints.
pub(crate) fn sealed(given: &[Given]) -> Database {
    write(given, true)
}

/// Writes a history that nobody sealed: an insider can compute a chain anew, and cannot sign.
pub(crate) fn unsealed(given: &[Given]) -> Database {
    write(given, false)
}

fn write(given: &[Given], seals: bool) -> Database {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("floor.db");
    // The same key every time, so that what is exported is the same every time.
    let key = folder.path().join("key");
    std::fs::write(&key, format!("{}\n", Hash([9; 32]))).expect("a key can be written");
    private(&key);
    let signer = Signer::load_or_create(&key).expect("a key");
    let vault_key = VaultKey::derived(&signer);
    let mut store = SqliteStore::open(&path).expect("a database");
    let mut heads: BTreeMap<Stream, Head> = BTreeMap::new();
    let mut checkpoints = Vec::new();
    let old_copy = folder.path().join("old.db");
    for (batch, commands) in given.chunks(BATCH).enumerate() {
        let mut transaction = store.begin().expect("a transaction");
        for (place, command) in commands.iter().enumerate() {
            let number = u64::try_from(batch * BATCH + place).expect("few commands");
            let id = command_id(number);
            let mut wrote: Vec<Wrote> = Vec::new();
            for line in &command.lines {
                let empty = Head { stream: line.stream.clone(), version: Version(0), hash: GENESIS };
                let head = heads.entry(line.stream.clone()).or_insert(empty);
                transaction.lock(&line.stream).expect("a stream can be locked");
                let (cause, event) = with_key(line, signer.public_key());
                let (body, at) = (encode(&event), command.at);
                let (actor, transfers) = (command.actor.clone(), line.transfers.clone());
                let entry = Entry::caused(cause, head, id, actor, at, body, transfers);
                *head = entry.head();
                let (stream, version) = (entry.stream.clone(), entry.version);
                match wrote.iter_mut().find(|wrote| wrote.stream == stream) {
                    Some(wrote) => wrote.last = version,
                    None => wrote.push(Wrote { stream, first: version, last: version }),
                }
                transaction.append(entry);
            }
            command.sealed.iter().for_each(|sealed| transaction.keep(vault_key.seal(sealed.clone())));
            let (request, answer) = (Hash([1; 32]), Answer::Done(wrote).to_text());
            transaction.answer(Answered { command: id, request, answer });
        }
        transaction.commit().expect("written");
        if seals {
            checkpoints.extend(store.checkpoint(&signer).expect("sealed"));
        }
        if batch == given.len() / BATCH / 2 {
            store.backup_to(&old_copy).expect("a copy");
        }
    }
    drop(store);
    Database { path, signer, checkpoints, old_copy, _folder: folder }
}

fn private(path: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(path, mode).expect("permissions can be set");
}

/// The id of a command, in the form of a UUID.
pub(crate) fn command_id(number: u64) -> CommandId {
    let mut bytes = [0; 16];
    bytes[8..].copy_from_slice(&number.to_be_bytes());
    CommandId(bytes)
}

/// The driver opens its house with a key nobody has; the database's is the one its checkpoints are signed with.
fn with_key(line: &Line, key: [u8; 32]) -> (Option<String>, Event) {
    match &line.event {
        Event::House(HouseEvent::Opened { name, money, gaming_day, .. }) => {
            let (name, money, gaming_day) = (name.clone(), *money, *gaming_day);
            let open = HouseCommand::OpenHouse { name: name.clone(), key, money, gaming_day };
            let opened = HouseEvent::Opened { name, key, money, gaming_day };
            (Some(command_text(&Command::House(open))), Event::House(opened))
        }
        other => (line.cause.clone(), other.clone()),
    }
}

/// A day on the floor: every book, cards dealt by hand and by software, and everything that goes wrong at least once.
pub(crate) fn a_day() -> Hall {
    let mut hall = Hall::open();
    for (name, ..) in TABLES {
        hall.whole_round(name, &["Ann", "Bob"], &Cards::default());
        hall.next_round(name);
        hall.ready(name, &["Ann", "Bob"]);
        hall.finish(name, &Cards::default(), |position, _| {
            if position == Position(1) { Decision::Fold } else { Decision::Wager }
        });
        hall.next_round(name);
    }
    awards(&mut hall);
    salted(&mut hall);
    irregular(&mut hall);
    corrections(&mut hall);
    desk(&mut hall);
    // Something is always being played when somebody looks.
    hall.ready("H2", &["Ann", "Bob"]);
    hall.table(&dealer(), "H2", TableCommand::Own(OwnCommand::DealAll {}));
    hall
}

/// A royal flush at one table, straight flushes at another, and a royal on the stand-alone game.
fn awards(hall: &mut Hall) {
    hall.whole_round("H1", &["Ann", "Bob"], &royal());
    hall.next_round("H1");
    let flushes = Cards::default().hand(1, "9h 8h").hand(2, "3s 2d").community("7h 6h 5h 2c Kd");
    hall.whole_round("H1", &["Ann", "Bob"], &flushes);
    hall.next_round("H1");
    let stud = Cards::default().hand(1, "Ts 9s 8s 7s 6s").dealer("Ah Kd 3c 4d 8h");
    hall.whole_round("S1", &["Ann"], &stud);
    hall.next_round("S1");
    hall.whole_round("X1", &["Ann"], &royal());
    hall.next_round("X1");
    // A flush on the flop: version 6 pays its Jackpot wager S$100.00, version 9 forty for one.
    let flush = Cards::default().hand(1, "Ah 9h").community("7h 4h 2h Ks 3d");
    hall.whole_round("X1", &["Ann"], &flush);
    hall.next_round("X1");
}

/// Players add their own randomness to the shuffle of X2: both open their salts, then one withholds theirs and the
/// seed is drawn again.
fn salted(hall: &mut Hall) {
    for who in ["Ann", "Bob"] {
        hall.done(&by_player(who), &commit_salts("X2", who, 0));
    }
    hall.whole_round("X2", &["Ann", "Bob"], &Cards::default());
    hall.next_round("X2");
    hall.ready("X2", &["Ann", "Bob"]);
    hall.opens("X2", "Bob");
    hall.opens("X2", "Ann");
    hall.finish("X2", &Cards::default(), |_, _| Decision::Wager);
    hall.next_round("X2");
    hall.ready("X2", &["Ann", "Bob"]);
    hall.opens("X2", "Ann");
    hall.wait(5_000);
    hall.done(&dealer(), &drop_salts("X2"));
    hall.opens("X2", "Ann");
    hall.finish("X2", &Cards::default(), |_, _| Decision::Wager);
    hall.next_round("X2");
    hall.ready("X2", &["Ann", "Bob"]);
    hall.opens("X2", "Ann");
    hall.finish("X2", &Cards::default(), |_, _| Decision::Wager);
    hall.next_round("X2");
    // So much for salts at this table.
    hall.play(&by_player("Ann"), "X2", round::Command::LeavePosition { position: Position(1) });
    hall.ready("X2", &["Ann", "Bob"]);
    hall.wait(5_000);
    hall.done(&dealer(), &drop_salts("X2"));
    hall.finish("X2", &Cards::default(), |_, _| Decision::Wager);
    hall.next_round("X2");
}

pub(crate) fn royal() -> Cards {
    Cards::default().hand(1, "Ah Kh").community("Qh Jh Th 2c 3d")
}

/// Chips, shares, an absent Player, a withdrawal after a power failure, a void round, a ruling, a prohibition.
fn irregular(hall: &mut Hall) {
    hall.buy_in("Bob", dollars(500), Means::Chips);
    hall.seat("T2", 3, "Cat");
    hall.play(&dealer(), "T2", round::Command::OpenBets {});
    hall.bet("T2", 3, "Cat", PlayingArea::Ante, dollars(50));
    hall.play(&dealer(), "T2", wager(1, "Ann", PlayingArea::Ante, dollars(100), Means::Credits));
    hall.bet("T2", 3, "Cat", PlayingArea::Bonus, dollars(5));
    let back = |area| round::Command::TakeBackWager { position: Position(3), area, owner: player("Cat") };
    hall.play(&by_player("Cat"), "T2", back(PlayingArea::Bonus));
    hall.play(&dealer(), "T2", wager(2, "Bob", PlayingArea::Ante, dollars(25), Means::Chips));
    hall.play(&dealer(), "T2", round::Command::CloseBets {});
    hall.play(&dealer(), "T2", round::Command::ReportPowerFailure {});
    hall.play(&by_player("Ann"), "T2", round::Command::Withdraw { player: player("Ann") });
    hall.resume(&supervisor(), "T2");
    hall.table(&dealer(), "T2", TableCommand::Own(OwnCommand::DealAll {}));
    hall.play(&dealer(), "T2", round::Command::ReportAbsent { position: Position(3) });
    hall.finish("T2", &Cards::default(), |_, _| Decision::Wager);
    hall.next_round("T2");
    hall.ready("S2", &["Ann", "Bob"]);
    hall.table(&dealer(), "S2", TableCommand::Own(OwnCommand::DealAll {}));
    hall.play(&supervisor(), "S2", round::Command::ReportExposedCards { cards: 1 });
    hall.play(&supervisor(), "S2", round::Command::ReportExposedCards { cards: 1 });
    hall.next_round("S2");
    hall.play(
        &shift_manager(),
        "S2",
        round::Command::ProhibitPlayer { player: player("Dov"), reason: Some("showed the hand".to_owned()) },
    );
    hall.play(&shift_manager(), "S2", round::Command::ReadmitPlayer { player: player("Dov") });
    let limits = rulebook::Limits { ante: dollars(50)..=dollars(500), bonus: None };
    hall.table(&manager(), "S2", TableCommand::Own(OwnCommand::ChangeLimits { limits }));
}

/// Rounds found wrong after they were settled: alone where no meter is concerned, by two people where one is.
fn corrections(hall: &mut Hall) {
    hall.ready("X2", &["Ann", "Bob"]);
    hall.finish("X2", &Cards::default(), |_, _| Decision::Wager);
    let effect =
        Effect::Wager { position: Position(1), area: PlayingArea::Ante, outcome: RuledOutcome::StandOff };
    let ruling = Ruling { words: "the Ante was pushed by mistake".to_owned(), effects: vec![effect] };
    hall.play(&shift_manager(), "X2", round::Command::MakeRuling { ruling });
    hall.next_round("X2");
    hall.whole_round("H1", &["Ann", "Bob"], &royal());
    let undo = round::Command::ReportHandCount { position: Position(2), reconstructed: false };
    let round = hall.number("H1");
    two_sign(hall, Proposal::UndoRound { table: table("H1"), round, command: undo });
    hall.next_round("H1");
    hall.whole_round("H2", &["Ann", "Bob"], &Cards::default());
    let undo = round::Command::CountCards { counted: 51 };
    let round = hall.number("H2");
    two_sign(hall, Proposal::UndoRound { table: table("H2"), round, command: undo });
    hall.next_round("H2");
}

/// Awards verified, approved, paid, rejected; a meter adjusted.
fn desk(hall: &mut Hall) {
    let checklist = checked();
    let award = AwardNumber(1);
    hall.desk(&supervisor(), "mega", DeskCommand::Verify { award, checklist });
    hall.desk(&manager(), "mega", DeskCommand::Approve { award });
    let reference = "passport K1234567".to_owned();
    hall.desk(&supervisor(), "mega", DeskCommand::RecordDueDiligence { award, reference });
    hall.desk(&dealer(), "mega", DeskCommand::Pay { award, means: None });
    let (link, award, cause) = (link("mega"), AwardNumber(2), RejectCause::HandNotQualified);
    two_sign(hall, Proposal::RejectAward { link: link.clone(), award, cause });
    let (cause, amount, words) =
        (Cause::MalfunctionTooLow, Pool::from_ten_thousandths(12_345), "the meter was stuck".to_owned());
    two_sign(hall, Proposal::AdjustMeter { link, cause, amount, words, about: Some(counted()) });
}

/// Proposes something and has a second person sign it.
pub(crate) fn two_sign(hall: &mut Hall, proposal: Proposal) {
    let number = hall.floor.house().proposals().map(|(number, _)| number).max().unwrap_or_default();
    assert_eq!(number, 0, "nothing else is open");
    let is_of_two_departments = !floor::permissions::signatures(&proposal).with.is_empty();
    let happened = hall.done(&staff("Max"), &Command::House(HouseCommand::Propose { proposal }));
    let Some(Event::House(HouseEvent::Proposed { number, .. })) = happened.first().map(|one| &one.event)
    else {
        panic!("{happened:?}")
    };
    let second = if is_of_two_departments { "Abe" } else { "Gia" };
    hall.done(&staff(second), &Command::House(HouseCommand::Confirm { number: *number }));
}
