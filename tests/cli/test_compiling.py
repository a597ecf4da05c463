"""What is seen while kernels are compiled, once after an installation."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FEW = ("gossamer.graph.kernels", "gossamer.rank.cover")
PROGRAM = f"""
from gossamer.app import kernels
from gossamer.cli.compiling import prepare_kernels
kernels.MODULES = {FEW}
prepare_kernels(quiet=QUIET)
"""


def prepare(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    quiet = environment.pop("QUIET", "False")
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("QUIET", quiet)],
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder), **environment},
        capture_output=True,
        text=True,
        check=True,
    )


def test_it_is_said_once(tmp_path: Path) -> None:
    first = prepare(tmp_path)
    begin, *_, end = first.stderr.splitlines()
    assert begin == "Compiling kernels for this machine, once after an installation ..."
    assert end.startswith("Compiled ")
    assert prepare(tmp_path).stderr == ""
    assert first.stdout == "", "what commands print stays what it is"


def test_nothing_is_said_to_programs(tmp_path: Path) -> None:
    ended = prepare(tmp_path, QUIET="True")
    assert (ended.stdout, ended.stderr) == ("", "")


def test_a_job_says_it_in_its_log(tmp_path: Path) -> None:
    ended = prepare(tmp_path, QUIET="True", GOSSAMER_PROGRESS="1")
    assert "Compiling kernels" in ended.stderr


def test_a_folder_that_takes_nothing(tmp_path: Path) -> None:
    """The disk is full, for example: the message says where, and what to do."""
    tmp_path.joinpath("lock").mkdir()
    with pytest.raises(subprocess.CalledProcessError) as raised:
        prepare(tmp_path)
    assert "StorageError: Cannot keep compiled kernels in" in raised.value.stderr
    assert "NUMBA_CACHE_DIR" in raised.value.stderr
