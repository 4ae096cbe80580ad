//! Where things are kept: the data directory, the signing key, the log, further rulebooks.

use std::fmt::Display;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use floor::Library;
use journal::acknowledged::Notebook;
use journal::checkpoint::Signer;
use journal::postgres::PostgresStore;
use journal::sqlite::SqliteStore;
use journal::{Reader, Store, StoreError, VaultKey};
use rulebook::Rulebook;

use super::StartupError;
use crate::config::{Config, Database, Storage};
use crate::measured::Measured;
use crate::writing::Writing;

/// Where the log and the files beside it are.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The data directory.
    pub(crate) directory: PathBuf,
    database: Database,
    pub(crate) signing_key: PathBuf,
    vault_key: Option<String>,
    /// The folder of what was acknowledged.
    acknowledged: PathBuf,
}

impl Place {
    /// What the configuration says, with the user's data directory where it says nothing. Makes the directory.
    pub(super) fn of(storage: &Storage) -> Result<Place, StartupError> {
        let place = Place::found(storage)?;
        make_directory(&place.directory)?;
        Ok(place)
    }

    /// The same, and makes nothing.
    pub(crate) fn found(storage: &Storage) -> Result<Place, StartupError> {
        let directory = directory(storage)?;
        let database = database(storage, &directory)?;
        let signing_key = storage.signing_key.clone().unwrap_or_else(|| directory.join("signing.key"));
        let vault_key = storage.vault_key.clone();
        let acknowledged = storage.acknowledged.clone().unwrap_or_else(|| directory.clone());
        Ok(Place { directory, database, signing_key, vault_key, acknowledged })
    }

    /// Whether other nodes may write to the same log.
    pub(super) const fn is_shared(&self) -> bool {
        matches!(self.database, Database::Postgres(_))
    }

    /// The folder that the log is in, or what is kept beside it where the log is in PostgreSQL.
    pub(crate) fn data_folder(&self) -> PathBuf {
        match &self.database {
            Database::Sqlite(path) => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                folder.unwrap_or(Path::new(".")).to_owned()
            }
            Database::Postgres(_) => self.directory.clone(),
        }
    }

    /// What only its owner may open.
    pub(crate) fn secret_files(&self) -> Vec<PathBuf> {
        let mut files =
            vec![self.directory.clone(), self.signing_key.clone(), self.directory.join(super::NOTE)];
        if let Database::Sqlite(path) = &self.database {
            let beside = |ending: &str| PathBuf::from(format!("{}{ending}", path.display()));
            files.extend([path.clone(), beside("-wal"), beside("-shm")]);
        }
        let key = self.vault_key.as_deref();
        files.extend(
            key.filter(|key| !key.starts_with("env:") && !key.starts_with("command:")).map(PathBuf::from),
        );
        files
    }

    /// Whether there is a log, as far as can be said without asking a database.
    pub(crate) fn has_log(&self) -> bool {
        match &self.database {
            Database::Sqlite(path) => path.exists(),
            Database::Postgres(_) => true,
        }
    }

    /// The log, for reading, whether or not a server writes to it.
    pub(crate) fn reader(&self) -> Result<Box<dyn Reader>, StoreError> {
        match &self.database {
            Database::Sqlite(path) => SqliteStore::open_beside(path),
            Database::Postgres(url) => PostgresStore::open_read_only(url),
        }
    }

    /// What could be lost although it was acknowledged, each in a sentence.
    pub(crate) fn risks(&self) -> Result<Vec<String>, StoreError> {
        match &self.database {
            Database::Sqlite(_) => Ok(Vec::new()),
            Database::Postgres(url) => PostgresStore::risks_of(url),
        }
    }

    /// Where the log is, without a password.
    pub(crate) fn shown(&self) -> String {
        match &self.database {
            Database::Sqlite(path) => path.display().to_string(),
            Database::Postgres(url) => crate::config::masked(url),
        }
    }

    /// The keys that sign after the first one.
    pub(super) fn further_signers(&self) -> Result<Vec<Signer>, StartupError> {
        Ok(Signer::further(&self.signing_key)?)
    }

    /// The house's first key, by which it is known and from which the vault's is derived.
    pub(super) fn signer(&self) -> Result<Signer, StartupError> {
        Ok(Signer::load_or_create(&self.signing_key)?)
    }

    /// The key of what is kept beside the log.
    pub(super) fn vault_key(&self, signer: &Signer) -> Result<VaultKey, StartupError> {
        match &self.vault_key {
            Some(source) => Ok(VaultKey::from_source(source)?),
            None => Ok(VaultKey::derived(signer)),
        }
    }

    /// What a node of this house has acknowledged, kept outside the database.
    pub(super) fn notebook(&self, node: &str) -> Result<Notebook, StartupError> {
        make_directory(&self.acknowledged)?;
        Ok(Notebook::open(&self.notebook_path(node))?)
    }

    /// Where a node notes what it has acknowledged.
    pub(crate) fn notebook_path(&self, node: &str) -> PathBuf {
        let letters = node.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' });
        let digest = journal::Hash::of([node.as_bytes()]).to_string();
        let name = format!("acknowledged-{}-{}", letters.collect::<String>(), &digest[..8]);
        self.acknowledged.join(name)
    }

    /// The log.
    pub(super) fn store(&self, writing: &Writing) -> Result<Box<dyn Store>, StartupError> {
        let opened = match &self.database {
            Database::Sqlite(path) => SqliteStore::open(path).map(|store| Box::new(store) as Box<dyn Store>),
            Database::Postgres(url) => {
                PostgresStore::connect(url).map(|store| Box::new(store) as Box<dyn Store>)
            }
        };
        let store = opened.map_err(|source| StartupError::Store { place: self.shown(), source })?;
        Ok(Box::new(Measured { store, writing: writing.clone() }))
    }
}

/// What a server would refuse of the files that a configuration names: rulebooks, keys, certificates. Makes nothing.
pub fn file_problems(config: &Config) -> Vec<String> {
    let mut problems = Vec::new();
    if let Err(error) = library(&config.floor.rulebook_files) {
        problems.push(format!("floor.rulebook_files: {error}"));
    }
    if let Some(path) = config.storage.signing_key.as_ref().filter(|path| path.exists())
        && let Err(error) = Signer::load(path)
    {
        problems.push(format!("storage.signing_key: {error}"));
    }
    if let Some(Err(error)) = config.storage.vault_key.as_deref().map(VaultKey::from_source) {
        problems.push(format!("storage.vault_key: {error}"));
    }
    if let Err(error) = crate::serve::check_certificate(&config.server) {
        problems.push(format!("server.certificate: {error}"));
    }
    problems
}

/// The file of the log that a server would use, where it is a file.
pub fn sqlite_file(storage: &Storage) -> Result<Option<PathBuf>, StartupError> {
    Ok(match database(storage, &directory(storage)?)? {
        Database::Sqlite(path) => Some(path),
        Database::Postgres(_) => None,
    })
}

fn directory(storage: &Storage) -> Result<PathBuf, StartupError> {
    storage.directory.clone().map_or_else(data_directory, Ok)
}

fn database(storage: &Storage, directory: &Path) -> Result<Database, StartupError> {
    match storage.database.as_deref() {
        None => Ok(Database::Sqlite(directory.join("megalink.db"))),
        Some(named) => named.parse().map_err(StartupError::Database),
    }
}

/// The user's directory for such things.
fn data_directory() -> Result<PathBuf, StartupError> {
    let strategy =
        etcetera::choose_base_strategy().map_err(|error| StartupError::NoDirectory(error.to_string()))?;
    Ok(strategy.data_dir().join("megalink"))
}

/// Makes a directory that is its owner's alone, where there is none.
fn make_directory(path: &Path) -> Result<(), StartupError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.map_err(|source| StartupError::File { path: path.display().to_string(), source })
}

/// The rulebooks of the program and of files beside them. A file takes the place of the book with its id.
pub(crate) fn library(files: &[PathBuf]) -> Result<Library, StartupError> {
    let mut texts: Vec<(String, String)> = Vec::new();
    for path in files {
        let name = path.display().to_string();
        let text = fs::read_to_string(path);
        let text = text.map_err(|source| StartupError::File { path: name.clone(), source })?;
        texts.push((name, text));
    }
    let wrong = |name: &str, error: &dyn Display| StartupError::Rulebook(name.to_owned(), error.to_string());
    let id = |name: &str, text: &str| Rulebook::parse(name, text).map(|book| book.id);
    let given = texts.iter().map(|(name, text)| id(name, text).map_err(|error| wrong(name, &error)));
    let given: Vec<String> = given.collect::<Result<_, _>>()?;
    let embedded =
        rulebook::embedded_texts().filter(|(name, text)| id(name, text).is_ok_and(|id| !given.contains(&id)));
    let mut all: Vec<(&str, &str)> =
        texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    for (name, text) in embedded {
        all.push((name, text));
    }
    Library::of(all.into_iter()).map_err(|error| wrong("files", &error))
}
