//! A new house: the floor that shows itself, or the four people who can appoint the others; and a password for each, made here,
//! shown once and noted in a file that only its owner can read.

use std::cmp::Reverse;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::mpsc::Receiver;

use automatic::{demonstration, practice_floor};
use floor::node::{Answer, Failure, Request};
use floor::{Command, HouseCommand};
use jackpot::{Department, Person, Post};
use journal::vault::kind::SETUP;
use journal::{Actor, CommandId, CredentialChange, Hash, Sealed};
use rulebook::Office;

use super::StartupError;
use crate::app::App;
use crate::auth::accounts::RowChange;
use crate::auth::sessions::Subject;
use crate::problem::Problem;

/// The key of the row that says how far the set-up has come.
const FIRST: &str = "first";

/// What it holds when all is done. Before, it holds the name of the node that does it.
const DONE: &[u8] = b"done";

/// Names the purpose of the hashes that are the ids of the commands of the setup.
const FIRST_MANAGER: &[u8] = b"megalink.manager.1";
const FIRST_PASSWORD: &[u8] = b"megalink.password.1";

/// Everybody's password on a practice floor. It protects nothing, and the page `/practice` names it.
pub(crate) const PRACTICE_PASSWORD: &str = "only for practice";

/// The note of who may sign in, in the data directory.
pub(crate) const NOTE: &str = "sign-in.txt";

/// Somebody who may sign in.
#[derive(Clone, Debug)]
pub struct SignIn {
    pub name: String,
    pub post: Post,
    pub password: String,
}

/// Sets up a house that was opened just now, or whose setup was not started or not finished here, and says who may
/// sign in.
pub(super) async fn set_up(app: &App, opened: bool, directory: &Path) -> Result<Vec<SignIn>, StartupError> {
    if !opened && !is_unfinished(app).await? {
        return Ok(Vec::new());
    }
    keep(app, app.config.floor.node.as_bytes()).await?;
    let commands = if app.is_practice() {
        practice_floor(&app.board.floor())
    } else if app.config.floor.demonstration {
        demonstration(&app.board.floor())
    } else {
        first_people(app)
    };
    give(app, commands).await?;
    let sign_ins = give_passwords(app).await?;
    note(directory, &sign_ins)?;
    keep(app, DONE).await?;
    Ok(sign_ins)
}

/// Whether the setting-up is still to be done here.
async fn is_unfinished(app: &App) -> Result<bool, StartupError> {
    let node = app.config.floor.node.as_bytes();
    Ok(match app.vault.get(SETUP, FIRST).await.map_err(failed)? {
        // The house was opened and its node ended before it could note that it sets it up. Where that node is still about
        // to, both give the same commands under the same ids.
        None => has_no_staff(app),
        // Where people run the house the set-up is over, whatever its row says: an old copy of the row would otherwise
        // give everybody a new password.
        Some(state) => state == node && node != DONE && !app.board.house().is_running(),
    })
}

/// Appoints two managers and somebody of Accounting, without whom nobody could be appointed, and the Regulator. Whoever was
/// appointed before the setup was interrupted stays, whatever the configuration says by now. A refused name stays the
/// answer to its command id, so another name gets another id.
fn first_people(app: &App) -> Vec<(CommandId, Command)> {
    let (house, names) = (app.board.house(), &app.config.floor);
    let manager = Post::new(Department::TableGames, Office::GamingShiftManager);
    let of = |department| Post::new(department, Office::Dealer);
    let places = [
        (&[&names.manager, &names.second_manager][..], manager),
        (&[&names.accountant], of(Department::Accounting)),
        (&[&names.regulator], of(Department::Regulator)),
    ];
    let mut commands = Vec::new();
    for (names, post) in places {
        let there = house.staff().filter(|(_, other)| *other == post).count();
        let people = names.iter().map(|name| Person::new(name));
        let new = people.filter(|person| house.post(person).is_none());
        commands.extend(new.take(names.len().saturating_sub(there)).map(|person| {
            let id = Hash::of([FIRST_MANAGER, person.name().as_bytes()]).into();
            let Post { department, office } = post;
            (id, Command::House(HouseCommand::Appoint { person, office, department }))
        }));
    }
    commands
}

fn has_no_staff(app: &App) -> bool {
    app.board.house().staff().next().is_none()
}

/// Gives commands as the system, in order. They are asked all at once, so that they share their commits.
async fn give(app: &App, commands: Vec<(CommandId, Command)>) -> Result<(), StartupError> {
    let ask = |(id, command)| app.service.submit(Request::new(id, Actor::System, command));
    let replies: Vec<Receiver<Result<Answer, Failure>>> = commands.into_iter().map(ask).collect();
    let waited =
        tokio::task::spawn_blocking(move || replies.into_iter().try_for_each(|reply| answered(&reply)));
    waited.await.map_err(|error| StartupError::House(error.to_string()))?
}

fn answered(reply: &Receiver<Result<Answer, Failure>>) -> Result<(), StartupError> {
    match reply.recv() {
        // Another node on the same log was first with it, or runs the table.
        Ok(Ok(Answer::Done(_)) | Err(Failure::NotHere { .. })) => Ok(()),
        Ok(Ok(Answer::Refused(refusal))) => Err(StartupError::House(refusal.sentence)),
        Ok(Err(failure)) => Err(StartupError::House(failure.to_string())),
        Err(_) => Err(StartupError::House("the node ended".to_owned())),
    }
}

/// Gives everybody of the staff a password of their own.
async fn give_passwords(app: &App) -> Result<Vec<SignIn>, StartupError> {
    let house = app.board.house();
    let mut staff: Vec<(String, Post)> =
        house.staff().map(|(person, post)| (person.name().to_owned(), post)).collect();
    staff.sort_by_key(|(name, post)| (post.department, Reverse(post.office), name.clone()));
    let mut sign_ins = Vec::new();
    for (name, post) in staff {
        let password = if app.is_practice() { PRACTICE_PASSWORD.to_owned() } else { password() };
        let subject = Subject::Staff(name.clone());
        let change = app.accounts.prepare(&subject, &password).await.map_err(failed)?;
        app.ask(password_set(&subject, change)).await.map_err(failed)?;
        sign_ins.push(SignIn { name, post, password });
    }
    Ok(sign_ins)
}

/// Writes down that the system made a password, and keeps it. Where the setup is done again it is another password.
fn password_set(subject: &Subject, RowChange { digest, rows }: RowChange) -> Request {
    let id = Hash::of([FIRST_PASSWORD, subject.name().as_bytes(), &digest.0]).into();
    let how = CredentialChange::SetUp;
    let command = HouseCommand::SetCredential { who: subject.holder(), how, row: Some(digest) };
    Request::new(id, Actor::System, Command::House(command)).with_rows(rows)
}

/// Writes the note, for its owner's eyes alone.
fn note(directory: &Path, sign_ins: &[SignIn]) -> Result<(), StartupError> {
    let path = directory.join(NOTE);
    let failed = |source| StartupError::File { path: path.display().to_string(), source };
    let mut text = String::from("Who may sign in. Made for this house alone, when it was set up.\n\n");
    for SignIn { name, post, password } in sign_ins {
        text.push_str(&format!("{name:<22}  {:<22}  {password}\n", post.to_string()));
    }
    // A note of an attempt that did not finish goes.
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
        Ok(()) | Err(_) => {}
    }
    let file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
    let mut file = file.map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)
}

async fn keep(app: &App, state: &[u8]) -> Result<(), StartupError> {
    let sealed = Sealed { kind: SETUP.to_owned(), key: FIRST.to_owned(), value: Some(state.to_vec()) };
    app.vault.put(vec![sealed]).await.map_err(failed)
}

fn failed(problem: Problem) -> StartupError {
    StartupError::House(problem.detail)
}

/// A password of eighty bits that can be read out: sixteen letters and digits that nobody takes for one another.
fn password() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    let letters: Vec<char> = bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect();
    letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}
