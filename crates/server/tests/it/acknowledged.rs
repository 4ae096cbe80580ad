//! A database that comes back without what was acknowledged, on real files: an older copy, rows that were cut, a new
//! database under an old node, and a node that stopped between a commit and its note.

use std::fs;
use std::path::{Path, PathBuf};

use floor::node::Request as Ask;
use jackpot::Person;
use journal::{Actor, CommandId, HouseCommand, PlayerKind};
use rulebook::Office;
use server::config::Config;
use server::{App, Listening, StartupError, serve_until};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::ops_first::start_after;
use super::support::config;

/// A house with its files. What was acknowledged is kept in a folder of its own.
struct House {
    directory: TempDir,
    config: Config,
}

impl House {
    fn new() -> House {
        let directory = tempfile::tempdir().expect("a directory");
        let mut config = config(&directory);
        config.server.listen = ([127, 0, 0, 1], 0).into();
        config.storage.acknowledged = Some(directory.path().join("elsewhere"));
        House { directory, config }
    }

    fn log(&self) -> PathBuf {
        self.directory.path().join("megalink.db")
    }

    /// The file of what was acknowledged.
    fn notes(&self) -> PathBuf {
        let folder = fs::read_dir(self.directory.path().join("elsewhere")).expect("a folder");
        let files: Vec<PathBuf> = folder.map(|file| file.expect("a file").path()).collect();
        let [only] = files.as_slice() else { panic!("one node has one file: {files:?}") };
        only.clone()
    }

    async fn start(&self) -> Result<App, StartupError> {
        start_after(&self.config).await.map(|started| started.app)
    }

    /// Runs the house once: registers so many Players, then stops in order.
    async fn run(&self, players: u32) {
        let app = self.start().await.expect("it starts");
        for _ in 0..players {
            register(&app).await;
        }
        stop(app).await;
    }

    async fn refused(&self) -> String {
        self.start().await.map(drop).expect_err("it does not start").to_string()
    }

    fn remove_log(&self) {
        for suffix in ["", "-wal", "-shm"] {
            // The files beside the log are there only after a crash.
            let _ = fs::remove_file(self.directory.path().join(format!("megalink.db{suffix}")));
        }
    }

    fn restore(&self, copy: &Path) {
        self.remove_log();
        fs::copy(copy, self.log()).expect("it can be put back");
    }

    fn copy(&self, name: &str) -> PathBuf {
        let copy = self.directory.path().join(name);
        fs::copy(self.log(), &copy).expect("a copy");
        copy
    }

    /// It does not start, however often; once the operator has given a reason it does, and a Gaming Shift Manager signs.
    async fn is_signed_for(&mut self) {
        for _ in 0..3 {
            let said = self.refused().await;
            assert!(
                said.contains("this log has lost what this node had acknowledged: house: entries "),
                "{said}"
            );
            assert!(said.contains("--accept-rollback"), "{said}");
        }
        self.config.accept_rollback = Some("the disk failed".to_owned());
        let app = self.start().await.expect("it is accepted");
        self.config.accept_rollback = None;
        let house = app.board.house();
        assert_eq!(house.loss_to_sign(), Some("the disk failed"));
        assert!(house.losses().iter().any(|(_, lost)| lost.stream == "house"), "what is lost is listed");
        stop(app).await;

        let app = self.start().await.expect("what is lost is known");
        assert_eq!(app.board.house().loss_to_sign(), Some("the disk failed"), "nobody has signed yet");
        let office = Office::GamingShiftManager;
        assert!(!signs(&app, Actor::Staff(Person::new("Abe"), office)).await, "Abe holds no such office");
        assert!(!signs(&app, Actor::System).await, "the system signs nothing");
        assert!(signs(&app, Actor::Staff(Person::new("Gus"), office)).await);
        assert_eq!(app.board.house().loss_to_sign(), None);
        stop(app).await;
        self.run(1).await;
    }
}

/// Whether the signature of somebody is taken.
async fn signs(app: &App, actor: Actor) -> bool {
    let id = CommandId(uuid::Uuid::new_v4().into_bytes());
    app.ask(Ask::new(id, actor, HouseCommand::SignRollback {}.into())).await.is_ok()
}

async fn register(app: &App) {
    let player = round::PlayerId::new(&format!("P{}", uuid::Uuid::new_v4().simple()));
    let command = HouseCommand::RegisterPlayer { player, kind: PlayerKind::Member };
    let id = CommandId(uuid::Uuid::new_v4().into_bytes());
    app.ask(Ask::new(id, Actor::System, command.into())).await.expect("it is registered");
}

async fn stop(app: App) {
    let listening = Listening::bind(&app.config.server).await.expect("there is a free port");
    let token = CancellationToken::new();
    token.cancel();
    serve_until(app, listening, token).await.expect("it stops in order");
}

#[tokio::test]
async fn an_older_copy_does_not_start_until_two_have_signed() {
    let mut house = House::new();
    house.run(1).await;
    let old = house.copy("old.db");
    house.run(3).await;
    house.restore(&old);
    house.is_signed_for().await;
}

#[tokio::test]
async fn a_new_database_under_an_old_node_does_not_start() {
    let mut house = House::new();
    house.run(2).await;
    house.remove_log();
    house.is_signed_for().await;
}

/// An insider cuts the last entry off, its head and every later checkpoint too, so that what is left is in order by itself.
#[tokio::test]
async fn a_log_whose_end_was_cut_off_does_not_start() {
    let mut house = House::new();
    house.run(2).await;
    let connection = rusqlite::Connection::open(house.log()).expect("the log");
    let triggers: Vec<String> = {
        let mut select =
            connection.prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").expect("a query");
        select.query_map([], |row| row.get(0)).expect("rows").map(|sql| sql.expect("a text")).collect()
    };
    let cut = "
        DROP TRIGGER entry_is_not_deleted; DROP TRIGGER command_is_not_deleted; DROP TRIGGER checkpoint_is_not_deleted;
        DROP TRIGGER subject_is_not_deleted;
        DELETE FROM checkpoint WHERE 1 < number;
        DELETE FROM subject WHERE version = (SELECT max(version) FROM entry WHERE entry.stream = subject.stream);
        DELETE FROM command WHERE id = (SELECT command FROM entry ORDER BY version DESC LIMIT 1);
        DELETE FROM entry WHERE version = (SELECT max(version) FROM entry);
        UPDATE stream SET version = version - 1,
            hash = (SELECT hash FROM entry WHERE entry.stream = stream.id ORDER BY version DESC LIMIT 1);";
    connection.execute_batch(cut).expect("an insider can");
    for sql in triggers.iter().filter(|sql| sql.contains("_is_not_deleted")) {
        connection.execute_batch(sql).expect("and hides it");
    }
    drop(connection);
    house.is_signed_for().await;
}

/// The node stopped after the commit and before the note: the log is ahead, and nothing is lost.
#[tokio::test]
async fn a_log_that_is_ahead_of_the_notes_starts() {
    let house = House::new();
    house.run(1).await;
    let notes = fs::read(house.notes()).expect("the notes");
    house.run(2).await;
    fs::write(house.notes(), &notes).expect("the notes of before");
    house.run(1).await;
    // A line that was being written.
    let torn = [fs::read(house.notes()).expect("the notes"), b"0123456789abcdef 99 ".to_vec()].concat();
    fs::write(house.notes(), torn).expect("a torn line");
    house.run(1).await;
}

/// Notes that somebody changed say nothing, and are not believed.
#[tokio::test]
async fn notes_that_were_changed_are_refused() {
    let house = House::new();
    house.run(1).await;
    let notes = fs::read_to_string(house.notes()).expect("the notes");
    let changed = notes.replacen(" house\n", " hovse\n", 1);
    assert_ne!(changed, notes);
    fs::write(house.notes(), changed).expect("written");
    let said = house.refused().await;
    assert!(said.contains("is damaged, so it cannot be told what was acknowledged"), "{said}");
}
