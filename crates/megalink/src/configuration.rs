//! The configuration of a server, in layers: defaults, the system's file, the user's file, the file named on the
//! command line, the environment, flags. A later layer overrides an earlier one. Unknown keys are refused in
//! every layer.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use etcetera::BaseStrategy;
use serde::Deserialize;
use server::config::Config;
use toml::{Table, Value};

/// The configuration file of the system.
const SYSTEM_FILE: &str = "/etc/megalink/megalink.toml";

/// The prefix of environment variables that belong to the configuration.
const PREFIX: &str = "MEGALINK_";

/// The suffix of a variable that names a file containing the value.
const FILE: &str = "_FILE";

/// Flags that override the configuration.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A configuration file, read after the system's and the user's.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The address and port to listen on.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// The log: a SQLite file, or postgres://USER@HOST/DATABASE.
    #[arg(long, value_name = "URL")]
    pub(crate) database: Option<String>,
    /// The directory of the signing key and the sign-in note, and of the log if it is not given.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// The name of this node. Every node on the same database needs its own.
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// Start a new house for real money, with its first four people and nothing else. It needs a name.
    #[arg(long)]
    no_demonstration: bool,
    /// The name of a new house, which it keeps for life.
    #[arg(long, value_name = "NAME")]
    house: Option<String>,
    /// A rulebook file to add to the built-in ones. May be repeated.
    #[arg(long, value_name = "FILE")]
    rulebook_file: Vec<PathBuf>,
}

/// The configuration, and the files it was read from.
pub(crate) struct Loaded {
    pub(crate) config: Config,
    pub(crate) files: Vec<PathBuf>,
}

/// Reads all layers.
pub(crate) fn load(options: &Options) -> anyhow::Result<Loaded> {
    let mut layers = Layers::default();
    layers.read_if_exists(Path::new(SYSTEM_FILE))?;
    if let Ok(strategy) = etcetera::choose_base_strategy() {
        layers.read_if_exists(&strategy.config_dir().join("megalink/megalink.toml"))?;
    }
    if let Some(file) = &options.config {
        layers.read(file)?;
    }
    for (name, value) in std::env::vars_os() {
        let (Some(name), Some(value)) = (name.to_str(), value.to_str()) else {
            continue;
        };
        layers.apply_variable(name, value)?;
    }
    let Layers { table, files } = layers;
    let mut config = Config::deserialize(table).context("the configuration")?;
    apply(&mut config, options);
    Ok(Loaded { config, files })
}

fn apply(config: &mut Config, options: &Options) {
    if let Some(listen) = options.listen {
        config.server.listen = listen;
    }
    if let Some(database) = &options.database {
        config.storage.database = Some(database.clone());
    }
    if let Some(data) = &options.data {
        config.storage.directory = Some(data.clone());
    }
    if let Some(node) = &options.node {
        config.floor.node.clone_from(node);
    }
    if options.no_demonstration {
        config.floor.demonstration = false;
    }
    if let Some(house) = &options.house {
        config.floor.house = Some(house.clone());
    }
    config.floor.rulebook_files.extend(options.rulebook_file.iter().cloned());
}

/// The layers read so far, merged.
#[derive(Default)]
struct Layers {
    table: Table,
    files: Vec<PathBuf>,
}

impl Layers {
    fn read_if_exists(&mut self, file: &Path) -> anyhow::Result<()> {
        if file.exists() { self.read(file) } else { Ok(()) }
    }

    fn read(&mut self, file: &Path) -> anyhow::Result<()> {
        let text = fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
        let table: Table = text.parse().with_context(|| format!("reading {}", file.display()))?;
        // Checked by itself, so that an error names its file.
        Config::deserialize(table.clone())
            .with_context(|| format!("the configuration {}", file.display()))?;
        merge(&mut self.table, table);
        self.files.push(file.to_owned());
        Ok(())
    }

    /// Applies an environment variable: `MEGALINK_SERVER__LISTEN` is `listen` of `[server]`; with the suffix
    /// `_FILE`, the value is in the file it names.
    fn apply_variable(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        let Some(key) = name.strip_prefix(PREFIX).filter(|key| key.contains("__")) else {
            return Ok(());
        };
        let (key, text) = match key.strip_suffix(FILE) {
            Some(key) => {
                let text = fs::read_to_string(value).with_context(|| format!("reading {name}={value}"))?;
                (key, text.trim_end_matches(['\r', '\n']).to_owned())
            }
            None => (key, value.to_owned()),
        };
        let path: Vec<String> = key.split("__").map(str::to_lowercase).collect();
        let table = typed(&path, &text).with_context(|| format!("the variable {name}"))?;
        merge(&mut self.table, table);
        Ok(())
    }
}

/// A key with its value: a text, or whatever TOML reads it as, depending on the key.
fn typed(path: &[String], text: &str) -> anyhow::Result<Table> {
    let as_text = nested(path, Value::String(text.to_owned()));
    let Err(refused) = Config::deserialize(as_text.clone()) else {
        return Ok(as_text);
    };
    if let Ok(mut read) = format!("value = {text}").parse::<Table>()
        && let Some(value) = read.remove("value")
    {
        let read = nested(path, value);
        Config::deserialize(read.clone())?;
        return Ok(read);
    }
    bail!(refused)
}

/// A value inside its sections.
fn nested(path: &[String], value: Value) -> Table {
    let mut value = value;
    for name in path.iter().rev() {
        value = Value::Table(Table::from_iter([(name.clone(), value)]));
    }
    match value {
        Value::Table(table) => table,
        Value::String(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::Boolean(_)
        | Value::Datetime(_)
        | Value::Array(_) => Table::new(),
    }
}

/// Merges `over` into `under`, section by section.
fn merge(under: &mut Table, over: Table) {
    for (name, value) in over {
        match (under.get_mut(&name), value) {
            (Some(Value::Table(under)), Value::Table(over)) => merge(under, over),
            (_, value) => {
                under.insert(name, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config_from(variables: &[(&str, &str)]) -> anyhow::Result<Config> {
        let mut layers = Layers::default();
        for (name, value) in variables {
            layers.apply_variable(name, value)?;
        }
        Ok(Config::deserialize(layers.table)?)
    }

    #[test]
    fn variables_are_read_as_their_keys_are() {
        let config = config_from(&[
            ("MEGALINK_SERVER__LISTEN", "0.0.0.0:80"),
            ("MEGALINK_SERVER__TRUSTED_PROXIES", "[\"10.0.0.1\", \"10.0.0.2\"]"),
            ("MEGALINK_FLOOR__NODE", "7"),
            ("MEGALINK_FLOOR__DEMONSTRATION", "false"),
            ("MEGALINK_FLOOR__GAMING_DAY_BEGINS", "04:30"),
            ("MEGALINK_FLOOR__PACE__DEAL_MS", "5"),
            ("MEGALINK_LIMITS__REQUESTS_BURST", "9"),
            ("MEGALINK_WEB_DIST", "not part of the configuration"),
        ])
        .expect("all of them are keys");
        assert_eq!(config.server.listen.to_string(), "0.0.0.0:80");
        assert_eq!(config.server.trusted_proxies.len(), 2);
        assert_eq!(config.floor.node, "7");
        assert!(!config.floor.demonstration);
        assert_eq!(config.floor.gaming_day().to_string(), "from 04:30 to 04:30 in Singapore");
        assert_eq!((config.floor.pace.deal_ms, config.limits.requests_burst), (5, 9));
    }

    #[test]
    fn unknown_keys_and_wrong_values_are_refused_by_name() {
        for (name, value, expected) in [
            ("MEGALINK_SERVER__LISTENS", "1", "unknown field `listens`"),
            ("MEGALINK_SERVERS__LISTEN", "1", "unknown field `servers`"),
            ("MEGALINK_SERVER__LISTEN", "everywhere", "invalid socket address"),
            ("MEGALINK_FLOOR__DEMONSTRATION", "perhaps", "expected a boolean"),
            ("MEGALINK_FLOOR__GAMING_DAY_BEGINS", "24:00", "write hours and minutes, such as 06:00"),
            ("MEGALINK_FLOOR__GAMING_DAY_UTC_OFFSET", "+15:00", "write one from -14:00 to +14:00"),
        ] {
            let error = format!("{:#}", config_from(&[(name, value)]).expect_err("it is wrong"));
            assert!(error.contains(name) && error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_secret_can_be_in_a_file() {
        let mut file = tempfile::NamedTempFile::new().expect("a file can be made");
        std::io::Write::write_all(&mut file, b"postgres://u:p@h/d\n").expect("and written");
        let path = file.path().to_str().expect("its path is text");
        let config = config_from(&[("MEGALINK_STORAGE__DATABASE_FILE", path)]).expect("it is a key");
        assert_eq!(config.storage.database.as_deref(), Some("postgres://u:p@h/d"));
    }

    #[test]
    fn later_layers_override_earlier_ones_key_by_key() {
        let mut table: Table = "[server]\nlisten = '1.1.1.1:1'\ndrain_seconds = 3".parse().expect("TOML");
        merge(&mut table, "[server]\nlisten = '2.2.2.2:2'\n[log]\nfilter = 'warn'".parse().expect("TOML"));
        let config = Config::deserialize(table).expect("a configuration");
        assert_eq!((config.server.listen.port(), config.server.drain_seconds), (2, 3));
        assert_eq!(config.log.filter, "warn");
    }
}
