"""PostgreSQL clusters, and Querent before them, on free ports; what was started here is stopped at the end.

PostgreSQL refuses to run as root, so as root it runs as an unprivileged user, in a folder of that user's.
"""

import contextlib
import ctypes
import os
import pathlib
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
START_DEADLINE = 120
STOP_DEADLINE = 60
PR_SET_PDEATHSIG = 1


def clean_environment(**more):
    """Without what would lead a client or server elsewhere than it is told."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "QUERENT_", "LC_", "LANG"))}
    return kept | more


def end_with_parent():
    """A crashed run leaves no server behind, on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def unprivileged():
    """How to start a program as a user whom PostgreSQL accepts."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            user = pwd.getpwnam(name)
            return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    raise RuntimeError("there is no user postgres or nobody to run PostgreSQL")


def find_postgres():
    """The folder of PostgreSQL 15's programs, or nothing. Debian keeps those of the server off PATH."""
    for folder in (os.environ.get("PG_BIN", ""), "/usr/lib/postgresql/15/bin"):
        if folder and pathlib.Path(folder, "initdb").exists():
            return pathlib.Path(folder)
    return None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def work_folder(name):
    """A new folder that belongs to the user who runs PostgreSQL, and that others may read."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"querent-{name}."))
    try:
        give(folder)
        folder.chmod(0o755)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def give(path):
    """Hands a file, or a folder with all in it, to the user who runs PostgreSQL."""
    user = unprivileged()
    if user:
        for inner in [path, *path.rglob("*")]:
            os.chown(inner, user["user"], user["group"], follow_symlinks=False)


class Cluster:
    """A fresh PostgreSQL cluster on a TCP port of loopback and a unix socket in its folder's parent."""

    def __init__(self, folder, *, programs=None, settings=None, hba=None, environment=None):
        self.folder = pathlib.Path(folder)
        self.programs = pathlib.Path(programs or find_postgres())
        self.port = free_port()
        self.log = self.folder.with_name(self.folder.name + ".log")
        self.environment = clean_environment(HOME=str(self.folder.parent), **(environment or {}))
        self.run("initdb", "-D", self.folder, "-U", "postgres", "--auth=trust", "--no-locale", "-E", "UTF8", "--no-sync")
        configured = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.folder.parent,
        } | (settings or {})
        with (self.folder / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in configured.items())
        if hba is not None:
            (self.folder / "pg_hba.conf").write_text(hba)

    def run(self, program, *arguments, check=True, **options):
        """Runs a program of PostgreSQL's as the user who owns the cluster."""
        ran = subprocess.run(
            [str(self.programs / program), *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self.environment,
            cwd=self.folder.parent,
            timeout=600,
            **unprivileged(),
            **options,
        )
        if check and ran.returncode != 0:
            raise RuntimeError(f"{program} failed:\n{ran.stdout.decode(errors='replace')}")
        return ran

    def control(self, *arguments, check=True):
        # With a log of its own, for else the server would keep the pipe open on which pg_ctl is read.
        return self.run("pg_ctl", "-D", self.folder, "-l", self.log, "-w", "-t", START_DEADLINE, *arguments, check=check)

    def start(self):
        self.control("start")
        return self

    def stop(self, mode="fast"):
        self.control("-m", mode, "stop", check=False)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop("immediate")


class Querent:
    """`querent serve` before a database, or `querent demo`, on a free port of loopback."""

    def __init__(
        self, program, arguments, folder, *, subcommand="serve", name="querent", environment=None, console="off"
    ):
        self.command = [str(program), subcommand, *arguments, "--listen", "127.0.0.1:0", "--console", console]
        self.folder = pathlib.Path(folder)
        self.log = self.folder / f"{name}.log"
        # What it keeps goes with its folder, and not into the home of whoever runs it.
        self.environment = clean_environment(TMPDIR=str(folder), XDG_STATE_HOME=str(folder), **(environment or {}))
        self.process = None
        self.port = None

    @property
    def pid(self):
        return self.process.pid

    def start(self):
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=self.environment,
                cwd=self.folder,
                preexec_fn=end_with_parent,
            )
        deadline = time.monotonic() + START_DEADLINE
        while time.monotonic() < deadline:
            listening = re.search(r"^listening on 127\.0\.0\.1:(\d+)$", self.told(), re.MULTILINE)
            if listening:
                self.port = int(listening[1])
                return self
            if self.process.poll() is not None:
                raise RuntimeError(f"querent ended:\n{self.told()}")
            time.sleep(0.05)
        self.kill()
        raise RuntimeError(f"querent does not listen:\n{self.told()}")

    def told(self):
        return self.log.read_text(errors="replace")

    def stop(self):
        """Ends it as an administrator would; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(STOP_DEADLINE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def kill(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.kill()
