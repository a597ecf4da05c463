"""What comes with the sample web besides pages: files, and the package that holds it all."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.demo.docx import write_docx
from gossamer.demo.pdf import write_pdf
from gossamer.demo.reading import read_products
from gossamer.demo.web import hosts, main_content, sites
from tests.demo.walk import ask, html_pages

ROOT = Path(__file__).parents[2]
MOST_CONTENT_BYTES = 2_500_000
MOST_WHEEL_BYTES = 3_000_000
OLDEST_SETUPTOOLS = 77  # as pyproject.toml has it


def _bytes_of_everything() -> str:
    digest = sha256()
    for host, site in sites().items():
        for path in site.paths():
            digest.update(site.answer(path, {}).body)
        digest.update(host.encode())
    return digest.hexdigest()


def test_same_bytes_in_every_process() -> None:
    code = "from tests.demo.test_files import _bytes_of_everything as all; print(all())"
    for seed in ("1", "2"):
        ended = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8"},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert ended.stdout.strip() == _bytes_of_everything()


def test_sizes() -> None:
    content = Path(str(files("gossamer.demo"))) / "content"
    assert sum(file.stat().st_size for file in content.rglob("*")) < MOST_CONTENT_BYTES
    for url, found in html_pages().items():
        assert len(found.body) < 100_000, url
    for host in hosts():
        assert 1_000 < len(ask(f"http://{host}/style.css").body) < 20_000


@pytest.mark.skipif(
    int(version("setuptools").partition(".")[0]) < OLDEST_SETUPTOOLS,
    reason="setuptools is older than what the lock file pins",
)
def test_wheel_holds_the_sample_web(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, project / name)
    leave = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "src", project / "src", ignore=leave)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", tmp_path, project], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.stat().st_size < MOST_WHEEL_BYTES
    inside = set(zipfile.ZipFile(wheel).namelist())
    here = ROOT / "src" / "gossamer" / "demo"
    for part in ("content", "styles"):
        for file in (here / part).rglob("*.*"):
            assert f"gossamer/demo/{file.relative_to(here).as_posix()}" in inside


# PDF


def _assert_pdf(raw: bytes) -> None:
    """That every object lies where the table says, and every stream is as long as it says."""
    assert raw.startswith(b"%PDF-1.4\n")
    table = int(re.findall(rb"startxref\n(\d+)\n%%EOF\n$", raw)[0])
    offsets = re.findall(rb"(\d{10}) 00000 n \n", raw[table:])
    assert offsets
    for number, offset in enumerate(offsets, start=1):
        assert raw[int(offset) :].startswith(b"%d 0 obj\n" % number)
    for found in re.finditer(rb"/Length (\d+) >>\nstream\n", raw):
        assert raw[found.end() + int(found[1]) :].startswith(b"\nendstream")


def test_catalogue() -> None:
    found = ask("http://wrenandoak.example/catalogue.pdf")
    assert found.media_type == "application/pdf"
    _assert_pdf(found.body)
    assert found.body.count(b"/Type /Page ") > 5
    for product in read_products():
        assert product.name in (found.main or "")
    assert b"(Lamps) Tj" in found.body
    assert b"\\(moss green\\)" in found.body


@given(st.text(max_size=300), st.text(max_size=20))
def test_any_text_becomes_a_pdf(text: str, title: str) -> None:
    _assert_pdf(write_pdf(title, text))


# DOCX


def _paragraphs(raw: bytes) -> list[str]:
    package = zipfile.ZipFile(BytesIO(raw))
    assert package.testzip() is None
    parts = {name: ElementTree.fromstring(package.read(name)) for name in package.namelist()}
    words = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
    body = parts["word/document.xml"]
    return ["".join(node.itertext()) for node in body.iter(f"{words}p")]


def test_rules() -> None:
    found = ask("http://longbench.example/rules.docx")
    assert "wordprocessingml" in found.media_type
    paragraphs = _paragraphs(found.body)
    assert paragraphs[0] == "House rules"
    assert "Asking" in paragraphs
    assert "\n".join(paragraphs) == main_content("http://longbench.example/rules.docx")


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=100))
def test_any_line_becomes_a_paragraph(line: str) -> None:
    text = line if line.splitlines() == [line] else "x"
    assert _paragraphs(write_docx(text, text)) == [text.removeprefix("# ")]
