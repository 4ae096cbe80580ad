//! A private PostgreSQL server with its own data in a temporary folder and its own socket. Tests may kill and
//! restart it at any time. It ends with the test process, however that ends.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// How long the server may take to answer after its start, including recovery after a kill.
const START_TIMEOUT: Duration = Duration::from_mins(1);

/// Ends the server and removes its folder as soon as the pipe from the test process closes, even after a kill -9.
const WATCH: &str = r#"
    read -r _
    "$1" stop -D "$2/data" -m immediate -s
    rm -rf "$2"
"#;

/// A running server, or one that was killed and not started again yet.
#[derive(Debug)]
pub struct Server {
    binaries: PathBuf,
    folder: PathBuf,
    /// The user it runs as if the tests run as root, because PostgreSQL refuses to run as root.
    user: Option<(u32, u32)>,
    port: Option<u16>,
    postmaster: Mutex<Child>,
    watch: Child,
    /// Closes with this process; `watch` waits for that.
    leash: Option<ChildStdin>,
}

impl Server {
    /// The server that all tests of a process share, each with its own databases. Do not kill it.
    pub fn shared() -> &'static Server {
        static SHARED: OnceLock<Server> = OnceLock::new();
        SHARED.get_or_init(|| Server::start(&[]))
    }

    /// A separate server, with these lines in its configuration (`name = value`). It has a socket only.
    pub fn start(settings: &[&str]) -> Server {
        Server::create(settings, None)
    }

    /// Like [`Server::start`], but it also listens on a free port of the loopback address.
    pub fn start_on_loopback(settings: &[&str]) -> Server {
        Server::create(settings, Some(free_port()))
    }

    fn create(settings: &[&str], port: Option<u16>) -> Server {
        let binaries = binaries();
        let user = user_to_run_as();
        let folder = new_folder(user);
        let mut initdb = command(&binaries, "initdb", user);
        initdb.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-locale"]);
        run(initdb.arg("--pgdata").arg(folder.join("data")));

        let addresses = if port.is_some() { "127.0.0.1" } else { "" };
        let mut configuration = format!(
            "listen_addresses = '{addresses}'\nunix_socket_directories = '{}'\nshared_buffers = '32MB'\n",
            folder.display(),
        );
        configuration.extend(port.map(|port| format!("port = {port}\n")));
        configuration.extend(settings.iter().map(|line| format!("{line}\n")));
        let file = folder.join("data/postgresql.auto.conf");
        fs::write(&file, configuration)
            .unwrap_or_else(|error| panic!("cannot write {}: {error}", file.display()));

        Server::run(binaries, folder, user, port)
    }

    /// A standby of this server under a name, on a free port of the loopback address, with everything that this server has
    /// now. It follows this server, which must listen on the loopback address too.
    pub fn standby(&self, name: &str) -> Server {
        let source = self.port.expect("a server that is followed listens on the loopback address");
        let (binaries, user) = (binaries(), user_to_run_as());
        let (folder, port) = (new_folder(user), free_port());
        let mut copy = command(&binaries, "pg_basebackup", user);
        copy.args(["--host=127.0.0.1", "--username=postgres", "--checkpoint=fast", "--wal-method=stream"]);
        copy.arg(format!("--port={source}")).arg("--pgdata").arg(folder.join("data"));
        run(&mut copy);
        let settings = format!(
            "port = {port}\nunix_socket_directories = '{}'\n\
             primary_conninfo = 'host=127.0.0.1 port={source} user=postgres application_name={name}'\n",
            folder.display(),
        );
        let append = |file: &str, text: &str| {
            let path = folder.join("data").join(file);
            let opened = fs::OpenOptions::new().append(true).create(true).open(&path);
            let written = opened.and_then(|mut opened| io::Write::write_all(&mut opened, text.as_bytes()));
            written.unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
        };
        append("postgresql.auto.conf", &settings);
        append("standby.signal", "");
        Server::run(binaries, folder, user, Some(port))
    }

    /// Makes a standby a server of its own that takes writes.
    pub fn promote(&self) {
        assert_eq!(self.sql("postgres", "SELECT pg_promote(true, 60)"), "t", "it can be promoted");
    }

    /// Starts the server of a folder.
    fn run(binaries: PathBuf, folder: PathBuf, user: Option<(u32, u32)>, port: Option<u16>) -> Server {
        let mut watch = Command::new("sh");
        watch.args(["-c", WATCH, "sh"]).arg(binaries.join("pg_ctl")).arg(&folder);
        // In its own process group, so that an interrupt at the terminal does not end it before it has cleaned
        // up.
        watch.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let mut watch = as_user(&mut watch, user).spawn().expect("there is a shell");
        let leash = watch.stdin.take();

        let postmaster = Mutex::new(spawn(&binaries, &folder, user));
        let server = Server { binaries, folder, user, port, postmaster, watch, leash };
        server.wait_until_it_answers();
        server
    }

    /// The URL of a database, through the server's socket.
    pub fn url(&self, database: &str) -> String {
        format!(
            "postgresql:///{database}?host={}&user=postgres&port={}",
            self.folder.display(),
            self.port.unwrap_or(5432),
        )
    }

    /// The port of the loopback address it listens on, if any.
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// Copies a file into the server's data folder, readable by the server only.
    pub fn install(&self, file: &Path, name: &str) {
        let target = self.folder.join("data").join(name);
        let copied = fs::copy(file, &target).and_then(|_| {
            fs::set_permissions(&target, fs::Permissions::from_mode(0o600))?;
            self.user.map_or(Ok(()), |(uid, gid)| chown(&target, Some(uid), Some(gid)))
        });
        copied.unwrap_or_else(|error| panic!("cannot install {}: {error}", target.display()));
    }

    /// Creates an empty database with a new name, and returns its URL.
    pub fn new_database(&self) -> String {
        static COUNT: AtomicU32 = AtomicU32::new(1);
        let name = format!("test_{}", COUNT.fetch_add(1, Ordering::Relaxed));
        self.sql("postgres", &format!("CREATE DATABASE {name}"));
        self.url(&name)
    }

    /// Runs SQL as the superuser and returns its output: bare values, one line per row.
    pub fn sql(&self, database: &str, sql: &str) -> String {
        self.try_sql(&self.url(database), sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// Runs SQL in the database of a URL, or returns why it was refused.
    pub fn try_sql(&self, url: &str, sql: &str) -> Result<String, String> {
        let mut psql = Command::new(self.binaries.join("psql"));
        psql.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"]);
        let output = psql.arg("--dbname").arg(url).arg("--command").arg(sql).output();
        let output = output.map_err(|error| format!("psql: {error}"))?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
        }
    }

    /// Kills the postmaster with kill -9. Its other processes notice and stop by themselves, in the middle of
    /// their work.
    pub fn kill(&self) {
        let mut postmaster = self.postmaster();
        postmaster.kill().expect("a process of ours can be killed");
        postmaster.wait().expect("a process of ours can be waited for");
    }

    /// Starts the server after a kill, and waits until it has recovered.
    pub fn restart(&self) {
        *self.postmaster() = spawn(&self.binaries, &self.folder, self.user);
        self.wait_until_it_answers();
    }

    fn postmaster(&self) -> MutexGuard<'_, Child> {
        self.postmaster.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// While processes of a killed postmaster are still stopping, a new one refuses to start; so this retries.
    fn wait_until_it_answers(&self) {
        let deadline = Instant::now() + START_TIMEOUT;
        while self.try_sql(&self.url("postgres"), "SELECT 1").is_err() {
            assert!(
                Instant::now() < deadline,
                "PostgreSQL does not answer: {}",
                fs::read_to_string(self.folder.join("log")).unwrap_or_default(),
            );
            thread::sleep(Duration::from_millis(20));
            let mut postmaster = self.postmaster();
            if postmaster.try_wait().expect("a process of ours has a status").is_some() {
                *postmaster = spawn(&self.binaries, &self.folder, self.user);
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.leash.take());
        let ended = self.watch.wait().and_then(|_| self.postmaster().wait());
        if let Err(error) = ended {
            eprintln!("cannot stop PostgreSQL in {}: {error}", self.folder.display());
        }
    }
}

/// The folder of the server's programs: beside `pg_config`, or Debian's, the newest first.
fn binaries() -> PathBuf {
    let asked = Command::new("pg_config").arg("--bindir").output().ok();
    let asked = asked.map(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()));
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut installed: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    installed.sort_by_key(|folder| std::cmp::Reverse(version_of(folder)));
    asked
        .into_iter()
        .chain(installed)
        .find(|folder| ["initdb", "postgres", "pg_ctl", "psql"].iter().all(|name| folder.join(name).exists()))
        .expect("no PostgreSQL server is installed here; run script/setup, which installs one")
}

fn free_port() -> u16 {
    let free = std::net::TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    free.expect("the loopback address has a free port").port()
}

/// 15 for `/usr/lib/postgresql/15/bin`.
fn version_of(folder: &Path) -> u32 {
    let version = folder.parent().and_then(Path::file_name).and_then(OsStr::to_str);
    version.and_then(|version| version.parse().ok()).unwrap_or(0)
}

/// `None` if this is not root; otherwise `postgres`, or `nobody`.
fn user_to_run_as() -> Option<(u32, u32)> {
    let me = fs::metadata("/proc/self").map(|metadata| metadata.uid());
    if me.is_ok_and(|uid| uid != 0) {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").expect("root can read /etc/passwd");
    let ids = |name: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut fields = line.split(':').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    Some(ids("postgres").or_else(|| ids("nobody")).expect("there is a user to run PostgreSQL as"))
}

/// A folder that nobody else uses, with a short name: a socket's path has at most 107 bytes.
fn new_folder(user: Option<(u32, u32)>) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(1);
    loop {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("megalink-pg-{}-{number}", std::process::id()));
        match fs::create_dir(&folder) {
            Ok(()) => {
                if let Some((uid, gid)) = user {
                    chown(&folder, Some(uid), Some(gid)).expect("root can change a folder's owner");
                }
                return folder;
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => panic!("cannot create {}: {error}", folder.display()),
        }
    }
}

fn spawn(binaries: &Path, folder: &Path, user: Option<(u32, u32)>) -> Child {
    let log = fs::OpenOptions::new().create(true).append(true).open(folder.join("log"));
    let log = log.expect("the log is in a folder of ours");
    let mut postgres = command(binaries, "postgres", user);
    postgres.arg("-D").arg(folder.join("data")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    postgres.process_group(0).spawn().expect("the server's program can be started")
}

fn command(binaries: &Path, name: &str, user: Option<(u32, u32)>) -> Command {
    let mut command = Command::new(binaries.join(name));
    as_user(&mut command, user);
    command
}

fn as_user(command: &mut Command, user: Option<(u32, u32)>) -> &mut Command {
    if let Some((uid, gid)) = user {
        command.uid(uid).gid(gid).current_dir("/");
    }
    command
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
