//! `megalink config`: showing and checking a server's configuration.

use std::fs;

use super::{megalink, stdout};

/// The example in the documents is what the program writes. It has every key, with its default.
#[test]
fn the_example_has_every_key_and_its_default() {
    let example = stdout(&["config", "example"]);
    let document = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/megalink.example.toml");
    assert_eq!(example, fs::read_to_string(document).expect("the document is there"));
    let said: toml::Table = example.parse().expect("the example is TOML");
    let config: server::config::Config = toml::from_str(&example).expect("and a configuration");
    assert_eq!(config, server::config::Config::default());
    let defaults = toml::Table::try_from(config).expect("a configuration can be written");
    assert_eq!(said, defaults, "every key with a default is in it");
    let optional = ["origin", "certificate", "certificate_key", "internal_listen", "internal_address"];
    for key in optional.into_iter().chain([
        "database",
        "directory",
        "signing_key",
        "vault_key",
        "acknowledged",
        "archives",
        "house",
        "metrics_key",
    ]) {
        assert!(example.lines().any(|line| line.starts_with(&format!("# {key} = "))), "{key} is not in it");
    }
    let whole: String = example
        .lines()
        .map(|line| {
            line.strip_prefix("# ").filter(|key| key.contains(" = ")).unwrap_or(line).to_owned() + "\n"
        })
        .collect();
    toml::from_str::<server::config::Config>(&whole).expect("what is commented out are keys too");
    let with_witnesses: String = example
        .lines()
        .map(|line| {
            line.strip_prefix('#').filter(|key| !key.starts_with(' ')).unwrap_or(line).to_owned() + "\n"
        })
        .collect();
    let config: server::config::Config = toml::from_str(&with_witnesses).expect("witnesses can be added");
    assert_eq!((config.witness.len(), config.problems()), (4, Vec::new()));
    for key in toml::Table::try_from(&config.witness[0]).expect("it can be written").keys() {
        assert!(example.contains(&format!("\n#{key} = ")), "{key} is not in it");
    }
}

#[test]
fn files_environment_and_flags_override_each_other() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (user, given) = (folder.path().join("megalink"), folder.path().join("given.toml"));
    fs::create_dir(&user).expect("it can be made");
    fs::write(
        user.join("megalink.toml"),
        "[server]\nlisten = '127.0.0.1:1'\n[floor]\nnode = 'user'\nhouse = 'User'",
    )
    .expect("it can be written");
    fs::write(&given, "[floor]\nnode = 'given'\nguest_credits = 7").expect("it can be written");
    let mut command = megalink(&["config", "show", "--json", "--listen", "127.0.0.1:2", "--config"]);
    command.arg(&given).env("XDG_CONFIG_HOME", folder.path()).env("MEGALINK_FLOOR__GUEST_CREDITS", "8");
    command.env("MEGALINK_STORAGE__DATABASE", "postgres://someone:secret@host/house?password=secret");
    let shown = command.assert().success().get_output().stdout.clone();
    let shown: serde_json::Value = serde_json::from_slice(&shown).expect("JSON");
    assert_eq!(shown["floor"]["house"], "User");
    assert_eq!(shown["floor"]["node"], "given");
    assert_eq!(shown["floor"]["guest_credits"], 8);
    assert_eq!(shown["server"]["listen"], "127.0.0.1:2");
    assert_eq!(shown["storage"]["database"], "postgres://someone:***@host/house?password=***");
}

#[test]
fn errors_name_their_place() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("wrong.toml");
    let rows = [
        ("[server]\nlissen = '1'", "unknown field `lissen`"),
        ("[servers]", "unknown field `servers`"),
        ("[server]\ncertificate = '/x'", "both or neither"),
        ("[floor]\nlease_milliseconds = 5", "at least 1000"),
        ("[floor]\nhouse = 'Resort / Casino'", "floor.house: A name has 1 to 40"),
        ("[floor]\nhouse = 'Two  Spaces'", "floor.house: A name has 1 to 40"),
        ("[floor]\nmanager = ''", "floor.manager: A name has 1 to 40"),
        ("[log]\nformat = 'xml'", "unknown variant `xml`"),
        ("[server", "wrong.toml"),
    ];
    for (text, expected) in rows {
        fs::write(&file, text).expect("it can be written");
        let output = megalink(&["config", "check", "--config"])
            .arg(&file)
            .assert()
            .code(1)
            .get_output()
            .stdout
            .clone();
        let output = String::from_utf8(output).expect("output is text");
        assert!(output.contains(expected), "{text}: {output}");
    }
    assert_eq!(stdout(&["config", "check"]), "the configuration is valid\n");
}

/// What a server would refuse when it starts, the check finds before.
#[test]
fn the_check_looks_into_the_files_too() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (file, book) = (folder.path().join("config.toml"), folder.path().join("book.toml"));
    fs::write(&book, "id = 1").expect("it can be written");
    let rows = [
        (format!("[floor]\nrulebook_files = [{book:?}]"), "floor.rulebook_files: "),
        (format!("[storage]\nsigning_key = {book:?}"), "storage.signing_key: "),
        ("[storage]\nvault_key = 'env:MEGALINK_NO_SUCH_VARIABLE'".to_owned(), "storage.vault_key: "),
        (
            "[server]\ncertificate = '/no/such'\ncertificate_key = '/no/such'".to_owned(),
            "server.certificate: ",
        ),
    ];
    for (text, place) in rows {
        fs::write(&file, text).expect("it can be written");
        let mut command = megalink(&["config", "check", "--config"]);
        let output =
            command.arg(&file).env("XDG_CONFIG_HOME", folder.path()).assert().code(1).get_output().clone();
        let output = String::from_utf8(output.stdout).expect("text");
        assert!(output.starts_with(place), "{output}");
    }
}
