//! A PostgreSQL server of a test's own: a fresh cluster on a free port and a unix socket, gone when dropped.

use std::{
    fs,
    net::TcpListener,
    os::unix::{
        fs::{PermissionsExt, chown},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
    time::{Duration, Instant},
};

use tempfile::TempDir;
use tokio_postgres::NoTls;

use super::certificates::Certificates;

/// Enough for a busy machine.
const START_TIME: Duration = Duration::from_secs(60);
/// The superuser of every cluster.
pub(crate) const SUPERUSER: &str = "postgres";
/// Who PostgreSQL runs as where the tests run as root, which it refuses: `nobody`.
const UNPRIVILEGED: u32 = 65534;

/// How a server is set up.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    /// Lines of `pg_hba.conf` behind the one that lets the superuser in by the unix socket.
    pub(crate) hba: &'static str,
    /// Lines of `postgresql.conf`.
    pub(crate) settings: &'static str,
    /// Whether it has a certificate; [`PostgresServer::certificates`] has the authority's.
    pub(crate) tls: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hba: "local all all trust\nhost all all 127.0.0.1/32 trust",
            settings: "",
            tls: false,
        }
    }
}

/// A running server.
pub(crate) struct PostgresServer {
    /// Where it listens on 127.0.0.1, and the number of its unix socket.
    pub(crate) port: u16,
    folder: TempDir,
    certificates: Option<Certificates>,
    process: Option<Child>,
}

impl PostgresServer {
    /// Starts a server that trusts everybody. `None`, and a line that says so, where no PostgreSQL is installed.
    pub(crate) fn start() -> Option<Self> {
        Self::with(&Options::default())
    }

    /// Starts a server that is set up like this.
    #[allow(clippy::print_stderr, reason = "whoever runs the tests has to know")]
    pub(crate) fn with(options: &Options) -> Option<Self> {
        let Some(programs) = programs() else {
            eprintln!("SKIPPED: no PostgreSQL server is installed (Debian: postgresql-15)");
            return None;
        };
        let folder = tempfile::Builder::new().prefix("querent-pg").tempdir().unwrap();
        give(folder.path());
        let data = folder.path().join("data");
        copy(&template(&programs), &data);
        let certificates = options.tls.then(|| Certificates::create(folder.path()));
        let mut server = Self {
            port: 0,
            folder,
            certificates,
            process: None,
        };
        server.configure(options);
        server.start_again();
        Some(server)
    }

    fn configure(&self, options: &Options) {
        let data = self.data();
        let socket = self.socket_folder().display();
        let mut settings = format!(
            "listen_addresses = '127.0.0.1'\nunix_socket_directories = '{socket}'\nfsync = off\n\
             synchronous_commit = off\nfull_page_writes = off\nautovacuum = off\nmax_connections = 60\n\
             shared_buffers = '16MB'\nlog_min_messages = warning\n"
        );
        if let Some(certificates) = &self.certificates {
            settings.push_str(&certificates.settings());
            certificates.each_file(give);
        }
        settings.push_str(options.settings);
        settings.push('\n');
        write(&data.join("postgresql.auto.conf"), &settings);
        let hba = format!("local all {SUPERUSER} trust\n{}\n", options.hba);
        write(&data.join("pg_hba.conf"), &hba);
    }

    /// Starts it anew after [`PostgresServer::stop`], on the same port.
    pub(crate) fn start_again(&mut self) {
        assert!(self.process.is_none(), "it runs already");
        let programs = programs().unwrap();
        for attempt in 0.. {
            if self.port == 0 || attempt > 0 {
                self.port = free_port();
            }
            let log = fs::File::create(self.folder.path().join("log")).unwrap();
            let mut command = unprivileged(&programs.join("postgres"));
            command
                .arg("-D")
                .arg(self.data())
                .args(["-p", &self.port.to_string()]);
            command.stdout(log.try_clone().unwrap()).stderr(log);
            let mut process = command.spawn().unwrap();
            if self.is_ready(&mut process) {
                self.process = Some(process);
                return;
            }
            // Somebody else may have taken the port meanwhile.
            assert!(attempt < 5, "PostgreSQL does not start: {}", self.log());
        }
    }

    fn is_ready(&self, process: &mut Child) -> bool {
        let deadline = Instant::now() + START_TIME;
        let state = self.data().join("postmaster.pid");
        while Instant::now() < deadline {
            let told = fs::read_to_string(&state).unwrap_or_default();
            let mut lines = told.lines();
            // A file that was copied or left over names another process.
            let own = lines.next().is_some_and(|line| line == process.id().to_string());
            if own && lines.any(|line| line.trim() == "ready") {
                return true;
            }
            if process.try_wait().unwrap().is_some() {
                return false;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        drop(process.kill());
        false
    }

    /// Stops it at once, as a crash would; its port and data stay.
    pub(crate) fn stop(&mut self) {
        let Some(mut process) = self.process.take() else {
            return;
        };
        // Immediate shutdown: the server ends its children too.
        let pid = process.id().to_string();
        let sent = Command::new("kill").args(["-QUIT", &pid]).status();
        if !sent.is_ok_and(|status| status.success()) {
            drop(process.kill());
        }
        drop(process.wait());
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The folder of the unix socket.
    pub(crate) fn socket_folder(&self) -> &Path {
        self.folder.path()
    }

    /// The certificates of a server with TLS.
    pub(crate) fn certificates(&self) -> &Certificates {
        self.certificates.as_ref().unwrap()
    }

    /// What it has logged so far.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Its address by TCP.
    pub(crate) fn address(&self, user: &str, database: &str) -> String {
        format!("postgres://{user}@127.0.0.1:{}/{database}", self.port)
    }

    /// Its address by the unix socket.
    pub(crate) fn socket_address(&self, user: &str, database: &str) -> String {
        let folder = self.socket_folder().display().to_string().replace('/', "%2F");
        format!("postgres://{user}@{folder}:{}/{database}", self.port)
    }

    /// Runs statements as the superuser, each by itself as psql does.
    pub(crate) async fn run(&self, database: &str, sql: &str) {
        let client = self.client(SUPERUSER, database).await;
        if let Err(error) = client.batch_execute(sql).await {
            panic!("{error:?} in {sql}");
        }
    }

    /// A connection of the driver, by the unix socket.
    pub(crate) async fn client(&self, user: &str, database: &str) -> tokio_postgres::Client {
        let mut config = tokio_postgres::Config::new();
        config.host_path(self.socket_folder()).port(self.port);
        config.user(user).dbname(database);
        let (client, connection) = config.connect(NoTls).await.unwrap();
        tokio::spawn(connection);
        client
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The folder with `postgres` and `initdb`, if there is one.
pub(crate) fn programs() -> Option<PathBuf> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(find_programs).clone()
}

fn find_programs() -> Option<PathBuf> {
    let mut candidates: Vec<(u32, PathBuf)> = Vec::new();
    for version in fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
    {
        let number = version.file_name().to_string_lossy().parse().unwrap_or(0);
        candidates.push((number, version.path().join("bin")));
    }
    candidates.sort();
    let output = |program: &str, argument: &str| {
        let output = Command::new(program).arg(argument).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        Some(PathBuf::from(text.trim())).filter(|path| path.is_absolute())
    };
    let configured = output("pg_config", "--bindir");
    let on_path = output("which", "initdb").and_then(|file| Some(file.parent()?.to_path_buf()));
    let newest_first = candidates.into_iter().rev().map(|(_, folder)| folder);
    newest_first
        .chain(configured)
        .chain(on_path)
        .find(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
}

/// A cluster to copy from, made once for all test processes.
fn template(programs: &Path) -> PathBuf {
    let version = Command::new(programs.join("postgres"))
        .arg("--version")
        .output()
        .unwrap();
    let version = String::from_utf8_lossy(&version.stdout).replace(|c: char| !c.is_alphanumeric(), "-");
    let parent = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/test-postgres");
    let template = parent.join(version.trim_matches('-'));
    if template.exists() {
        return template;
    }
    fs::create_dir_all(&parent).unwrap();
    let folder = tempfile::Builder::new().prefix("querent-pg").tempdir().unwrap();
    give(folder.path());
    let data = folder.path().join("data");
    let made = unprivileged(&programs.join("initdb"))
        .arg("-D")
        .arg(&data)
        .args(["-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"])
        .args(["--wal-segsize=1", "--no-sync", "--no-instructions"])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let own = tempfile::Builder::new()
        .prefix("new")
        .tempdir_in(&parent)
        .unwrap();
    copy(&data, &own.path().join("data"));
    // Whoever comes second finds the other's in place, which is as good.
    if let Err(error) = fs::rename(own.path().join("data"), &template) {
        assert!(template.exists(), "{error}");
    }
    template
}

/// A program that runs as a user without privileges.
fn unprivileged(program: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .stdin(Stdio::null())
        .current_dir("/")
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC");
    if is_root() {
        command.uid(UNPRIVILEGED).gid(UNPRIVILEGED);
    }
    command
}

fn is_root() -> bool {
    // The owner of what this process creates.
    static ROOT: OnceLock<bool> = OnceLock::new();
    *ROOT.get_or_init(|| {
        use std::os::unix::fs::MetadataExt;
        tempfile::tempfile().unwrap().metadata().unwrap().uid() == 0
    })
}

/// Gives a file or folder to the user that PostgreSQL runs as.
fn give(path: &Path) {
    if is_root() {
        chown(path, Some(UNPRIVILEGED), Some(UNPRIVILEGED)).unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    fs::set_permissions(to, fs::Permissions::from_mode(0o700)).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).unwrap();
            give(&target);
        }
    }
    give(to);
}

fn write(file: &Path, text: &str) {
    fs::write(file, text).unwrap();
    give(file);
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
