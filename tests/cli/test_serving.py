import subprocess
import sys
from pathlib import Path

from gossamer.app.home import Home
from gossamer.app.serving import access_of, audit_of
from gossamer.server.visitors import Role
from tests.cli.commands import call

PASSWORD = "correct horse battery"


def users(home: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gossamer.cli", "users", *arguments, "--home", str(home)]
    return subprocess.run(command, input=typed, text=True, capture_output=True, check=False)


def test_accounts_on_the_command_line(tmp_path: Path) -> None:
    short = users(tmp_path, "add", "ann", typed="short\n")
    assert (short.returncode, "at least 10" in short.stderr) == (2, True)
    made = users(tmp_path, "add", "ann", "--role", "editor", typed=f"{PASSWORD}\n")
    assert made.returncode == 0, made.stderr
    access = access_of(Home(tmp_path))
    assert access.log_in("ann", PASSWORD, "x").role == Role.EDITOR
    assert "already" in users(tmp_path, "add", "ann", typed=f"{PASSWORD}\n").stderr
    assert users(tmp_path, "password", "ann", typed="another password\n").returncode == 0
    access.log_in("ann", "another password", "x")
    (row,) = call("users", "list", "--json", home=tmp_path).object["users"]
    assert (row["name"], row["role"], row["has_password"]) == ("ann", "editor", True)
    assert users(tmp_path, "remove", "ann").returncode == 0
    assert "no account 'ann'" in users(tmp_path, "remove", "ann").stderr
    actions = [entry.action for entry in audit_of(Home(tmp_path)).entries(9)]
    assert actions == ["account removed", "password set", "account made"]


def test_the_settings_of_the_site(tmp_path: Path) -> None:
    found = call("settings", "server", "--json", home=tmp_path).object["settings"]
    assert {"host", "port", "public_indexes"} <= {setting["name"] for setting in found}
    wrong = call("serve", "--port", "99999", home=tmp_path)
    assert (wrong.code, "up to 65535" in wrong.err) == (2, True)
    (tmp_path / "server.toml").write_text('wiki = "ftp://x"\n')
    wrong = call("serve", home=tmp_path)
    assert (wrong.code, "begins with http" in wrong.err) == (2, True)
