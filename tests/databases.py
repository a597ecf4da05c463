"""A PostgreSQL of the tests' own: a cluster in a temporary folder, gone with the tests."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import sqlalchemy as sa

_NO_POSTGRESQL = "PostgreSQL is not installed: apt-get install postgresql"


def _binary(name: str) -> str | None:
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(found[-1]) if found else shutil.which(name)


@contextmanager
def running_postgresql() -> Iterator[str]:
    """The URL of a server with an empty database 'postgres'; it listens at a socket file alone."""
    initdb, pg_ctl = _binary("initdb"), _binary("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip(_NO_POSTGRESQL)
    # Its binaries refuse to run as root.
    owner = next((entry for entry in pwd.getpwall() if entry.pw_name == "postgres"), None)
    as_root = os.geteuid() == 0
    if as_root and owner is None:
        pytest.skip("PostgreSQL does not run as root, and there is no user 'postgres'")
    with TemporaryDirectory(prefix="pg-", dir="/tmp") as name:
        folder = Path(name)
        if as_root and owner is not None:
            os.chown(folder, owner.pw_uid, owner.pw_gid)

        def run(*command: str) -> None:
            subprocess.run(
                command,
                check=True,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                user="postgres" if as_root else None,
            )

        data = str(folder / "data")
        run(initdb, "-D", data, "-U", "tests", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-k {folder} -c listen_addresses= -c fsync=off"
        run(pg_ctl, "-D", data, "-l", str(folder / "log"), "-w", "-o", options, "start")
        try:
            yield f"postgresql+psycopg://tests@/postgres?host={folder}"
        finally:
            run(pg_ctl, "-D", data, "-m", "immediate", "-w", "stop")


def empty(url: str) -> None:
    """Take everything out of a database."""
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.begin() as connection:
        connection.execute(sa.text("drop schema public cascade"))
        connection.execute(sa.text("create schema public"))
