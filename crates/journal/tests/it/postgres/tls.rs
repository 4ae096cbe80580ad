//! TLS to the server, as much of it as is asked for.

use std::path::Path;
use std::process::Command;

use journal::StoreError;
use journal::postgres::PostgresStore;
use testkit::postgres::Server;

fn openssl(folder: &Path, arguments: &str) {
    let output = Command::new("openssl").args(arguments.split(' ')).current_dir(folder).output();
    let output = output.expect("openssl is installed with PostgreSQL");
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
}

/// An authority, and a certificate of the server's made out to localhost by it.
fn make_certificates(folder: &Path) {
    let new = "req -x509 -newkey rsa:2048 -nodes -days 2";
    openssl(folder, &format!("{new} -subj /CN=ours -keyout ours.key -out ours.crt"));
    openssl(folder, &format!("{new} -subj /CN=theirs -keyout theirs.key -out theirs.crt"));
    let of_server =
        "-subj /CN=server -addext basicConstraints=critical,CA:FALSE -addext subjectAltName=DNS:localhost";
    let signed = "-CA ours.crt -CAkey ours.key -keyout server.key -out server.crt";
    openssl(folder, &format!("{new} {of_server} {signed}"));
}

/// Each `sslmode` gives what it says, or no connection.
#[test]
fn sslmode_is_honoured() {
    let server = Server::start_on_loopback(&[]);
    server.new_database();
    let folder = tempfile::tempdir().expect("a folder");
    make_certificates(folder.path());
    let port = server.port().expect("it listens");
    let connect = |host: &str, options: &str| {
        PostgresStore::connect(&format!(
            "postgresql://postgres@{host}:{port}/postgres?application_name=it{options}"
        ))
    };
    let is_encrypted = || {
        let sql = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
            WHERE application_name = 'it'";
        server.sql("postgres", sql) == "t"
    };
    let error = connect("localhost", "&sslmode=require").expect_err("the server has no TLS yet");
    assert!(matches!(error, StoreError::Unavailable(_)), "{error}");

    server.install(&folder.path().join("server.crt"), "server.crt");
    server.install(&folder.path().join("server.key"), "server.key");
    server.sql("postgres", "ALTER SYSTEM SET ssl = on");
    server.sql("postgres", "SELECT pg_reload_conf()");
    super::until("the server has TLS", || connect("localhost", "&sslmode=require").is_ok());

    let root =
        |name: &str| format!("&sslrootcert={}", folder.path().join(name).display()).replace('/', "%2F");
    let table = [
        ("localhost", String::new(), Some(false)),
        ("localhost", "&sslmode=disable".to_owned(), Some(false)),
        ("localhost", "&sslmode=prefer".to_owned(), Some(true)),
        ("localhost", "&sslmode=require".to_owned(), Some(true)),
        ("127.0.0.1", "&sslmode=require".to_owned(), Some(true)),
        ("localhost", format!("&sslmode=verify-full{}", root("ours.crt")), Some(true)),
        ("localhost", format!("&sslmode=require{}", root("theirs.crt")), None),
        ("localhost", format!("&sslmode=verify-full{}", root("theirs.crt")), None),
        ("127.0.0.1", format!("&sslmode=verify-full{}", root("ours.crt")), None),
        ("localhost", format!("&sslmode=verify-full{}", root("missing.crt")), None),
    ];
    for (host, options, expected) in table {
        let store = connect(host, &options);
        let encrypted = store.as_ref().ok().map(|_| is_encrypted());
        assert_eq!(encrypted, expected, "{host} {options}: {:?}", store.err().map(|error| error.to_string()));
    }
}
