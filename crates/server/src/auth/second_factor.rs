//! The second factor of the staff: a code of an authenticator besides the password, or one of ten recovery codes. What it
//! is lies in a row of the vault that the log names; which code was last given lies in a row of its own.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use data_encoding::BASE32_NOPAD;
use floor::node::Request;
use floor::{Command, HouseCommand};
use jackpot::Person;
use journal::vault::kind::{SECOND_FACTOR, SECOND_FACTOR_USED};
use journal::{Actor, CommandId, Hash, Sealed, SecondFactorChange};
use qrcodegen::{QrCode, QrCodeEcc};
use serde::{Deserialize, Serialize};

use super::accounts::{RowChange, key, newest};
use super::sessions::{Session, random_token, seconds};
use super::totp::{self, SECRET_BYTES};
use crate::problem::Problem;
use crate::vault::Vault;

/// How many recovery codes there are.
const RECOVERY_CODES: usize = 10;

/// The signs of a recovery code: nobody takes one for another.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// A second factor as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    person: String,
    /// What codes are made from, in the form that authenticators read.
    secret: String,
    /// The digests of the recovery codes that are left. Each code has eighty random bits, so a plain digest will do.
    recovery: Vec<Hash>,
}

/// A secret that is offered and not confirmed yet.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Names the offer when it is confirmed.
    pub nonce: String,
    /// The secret, in the form that authenticators read.
    pub secret: String,
    /// The secret with its name, as authenticators read it from a picture.
    pub address: String,
    /// That picture.
    pub picture: String,
}

/// A code that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    Right,
    Wrong,
    /// It was right, and has been given before.
    Used,
}

/// The second factors of the staff.
#[derive(Debug)]
pub struct SecondFactors {
    vault: Vault,
    /// The step of the code that each person gave last, as far as this node knows.
    used: Mutex<HashMap<String, u64>>,
}

impl SecondFactors {
    pub fn new(vault: Vault) -> SecondFactors {
        SecondFactors { vault, used: Mutex::default() }
    }

    /// Whether somebody gives a code besides the password.
    pub fn is_enrolled(&self, person: &Person) -> bool {
        self.vault.board().house().second_factor(person).is_some()
    }

    /// A secret for somebody, bound to their session: it is kept only once a code of it was given.
    pub fn offer(&self, person: &Person, session: &Session) -> Offer {
        let nonce = random_token();
        let secret = self.secret(person, session, &nonce);
        let house = self.vault.board().house().name().unwrap_or("Megalink").to_owned();
        let address = address(&house, person.name(), &secret);
        Offer { nonce, picture: picture(&address), secret, address }
    }

    /// The secret of an offer. It follows from the vault's key, so that every node knows it and nobody can choose it.
    fn secret(&self, person: &Person, session: &Session, nonce: &str) -> String {
        let bound = [person.name().as_bytes(), session.digest.as_bytes(), nonce.as_bytes()];
        BASE32_NOPAD.encode(&self.vault.derived("second-factor", &bound).0[..SECRET_BYTES])
    }

    /// What to keep for an offer whose code was given, and the recovery codes, which are shown once. `None` where the code
    /// is wrong.
    pub fn confirm(
        &self,
        person: &Person,
        session: &Session,
        nonce: &str,
        code: &str,
    ) -> Option<(RowChange, Vec<String>)> {
        let secret = self.secret(person, session, nonce);
        let bytes = BASE32_NOPAD.decode(secret.as_bytes()).ok()?;
        let step = totp::matching_step(&bytes, &plain(code), seconds())?;
        let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| recovery_code()).collect();
        let recovery = codes.iter().map(|code| digest(code)).collect();
        let mut change = self.change(&Kept { person: person.name().to_owned(), secret, recovery });
        change.rows.push(used_row(person, step));
        self.note_used(person, step);
        Some((change, codes))
    }

    fn change(&self, kept: &Kept) -> RowChange {
        let value = serde_json::to_vec(kept).expect("a second factor has a JSON form");
        let row = Sealed { kind: SECOND_FACTOR.to_owned(), key: key(&kept.person), value: Some(value) };
        RowChange { digest: self.vault.digest(&row), rows: vec![row] }
    }

    /// What takes a second factor away.
    pub fn removal(person: &Person) -> Vec<Sealed> {
        let gone = |kind: &str| Sealed { kind: kind.to_owned(), key: key(person.name()), value: None };
        vec![gone(SECOND_FACTOR), gone(SECOND_FACTOR_USED)]
    }

    /// How many recovery codes somebody has left.
    pub async fn recovery_codes_left(&self, person: &Person) -> Result<usize, Problem> {
        Ok(self.kept(person).await?.map_or(0, |kept| kept.recovery.len()))
    }

    /// A second factor. One that the log does not name is none: an old copy that somebody put back.
    async fn kept(&self, person: &Person) -> Result<Option<Kept>, Problem> {
        let key = key(person.name());
        let Some(row) = self.vault.row(SECOND_FACTOR, &key).await? else { return Ok(None) };
        let known = self.vault.board().house().second_factor(person);
        let is_newest = newest(known, row.digest, SECOND_FACTOR, &key);
        Ok(serde_json::from_slice(&row.value).ok().filter(|_| is_newest))
    }

    /// Looks at a code that somebody gives. A right one is used up.
    pub async fn check(&self, actor: &Actor, person: &Person, given: &str) -> Result<Checked, Problem> {
        let Some(kept) = self.kept(person).await? else {
            let detail = "Your second factor cannot be read. Ask two managers to remove it, and enrol again.";
            return Err(Problem::forbidden("SecondFactorIsLost", detail));
        };
        let given = plain(given);
        let secret = BASE32_NOPAD.decode(kept.secret.as_bytes()).unwrap_or_default();
        if let Some(step) = totp::matching_step(&secret, &given, seconds()) {
            return self.use_code(person, step).await;
        }
        self.use_recovery_code(actor, person, kept, &given).await
    }

    /// Uses the code of a step, unless it or a later one was given before.
    async fn use_code(&self, person: &Person, step: u64) -> Result<Checked, Problem> {
        let row = self.vault.get(SECOND_FACTOR_USED, &key(person.name())).await?;
        let stored = row.and_then(|bytes| serde_json::from_slice::<u64>(&bytes).ok());
        if stored.is_some_and(|last| step <= last) || !self.note_used(person, step) {
            return Ok(Checked::Used);
        }
        self.vault.put(vec![used_row(person, step)]).await?;
        Ok(Checked::Right)
    }

    /// Notes that a code was given. `false` where it or a later one was given here before.
    fn note_used(&self, person: &Person, step: u64) -> bool {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let last = used.entry(key(person.name())).or_default();
        let is_new = *last < step;
        *last = step.max(*last);
        is_new
    }

    /// Uses up a recovery code: the row without it is another one, which the log names.
    async fn use_recovery_code(
        &self,
        actor: &Actor,
        person: &Person,
        mut kept: Kept,
        given: &str,
    ) -> Result<Checked, Problem> {
        let given = digest(given);
        let before = kept.recovery.len();
        kept.recovery.retain(|code| *code != given);
        if kept.recovery.len() == before {
            return Ok(Checked::Wrong);
        }
        // Another request with the same code, also on another node, has the same id and is another request: one is done.
        let id: CommandId =
            Hash::of([&b"megalink.recovery-use.1"[..], person.name().as_bytes(), &given.0]).into();
        let RowChange { digest, rows } = self.change(&kept);
        let how = SecondFactorChange::RecoveryCodeUsed;
        let command = HouseCommand::SetSecondFactor { person: person.clone(), how, row: Some(digest) };
        let request = Request::new(id, actor.clone(), Command::House(command)).with_rows(rows);
        let once = Request { digest: Hash::of([random_token().as_bytes()]), ..request };
        match self.vault.record(once).await {
            Ok(()) => Ok(Checked::Right),
            Err(problem) if problem.reason == "IdReused" => Ok(Checked::Used),
            Err(problem) => Err(problem),
        }
    }
}

/// A code without the spaces and dashes that people read it with.
fn plain(code: &str) -> String {
    code.chars()
        .filter(|sign| !sign.is_whitespace() && *sign != '-')
        .take(64)
        .collect::<String>()
        .to_lowercase()
}

fn digest(code: &str) -> Hash {
    Hash::of([&b"megalink.recovery-code.1"[..], plain(code).as_bytes()])
}

fn used_row(person: &Person, step: u64) -> Sealed {
    let value = serde_json::to_vec(&step).expect("a number has a JSON form");
    Sealed { kind: SECOND_FACTOR_USED.to_owned(), key: key(person.name()), value: Some(value) }
}

/// Sixteen signs of five random bits each.
fn recovery_code() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    let signs: Vec<char> = bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect();
    signs.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// The form that authenticators read: `otpauth://totp/HOUSE:NAME?secret=...`.
fn address(house: &str, name: &str, secret: &str) -> String {
    let (house, name) = (escaped(house), escaped(name));
    format!("otpauth://totp/{house}:{name}?secret={secret}&issuer={house}&algorithm=SHA1&digits=6&period=30")
}

/// A text with everything but plain letters and digits escaped.
fn escaped(text: &str) -> String {
    let sign = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(sign).collect()
}

/// A QR code as an SVG image, dark on light with the margin that readers need.
fn picture(text: &str) -> String {
    const MARGIN: i32 = 4;
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).expect("a name and a secret fit into a QR code");
    let mut path = String::new();
    for y in 0..code.size() {
        for x in 0..code.size() {
            if code.get_module(x, y) {
                path.push_str(&format!("M{} {}h1v1h-1z", x + MARGIN, y + MARGIN));
            }
        }
    }
    let size = code.size() + 2 * MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M0 0h{size}v{size}H0z\"/><path fill=\"#000\" d=\"{path}\"/></svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authenticators_can_read_the_address() {
        let address = address("The House", "Gus & Co", "ABC");
        assert_eq!(
            address,
            "otpauth://totp/The%20House:Gus%20%26%20Co?secret=ABC&issuer=The%20House&algorithm=SHA1&digits=6&period=30"
        );
        assert!(picture(&address).contains("viewBox=\"0 0 "));
    }

    #[test]
    fn recovery_codes_are_read_as_they_are_written() {
        let code = recovery_code();
        assert_eq!(code.len(), 19);
        assert_eq!(digest(&code), digest(&code.replace('-', " ").to_uppercase()));
        assert_ne!(digest(&code), digest(&recovery_code()));
    }
}
