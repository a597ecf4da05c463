"""Pictures as files: both kinds, hostile names, and the old picture until there is a new one."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from gossamer.errors import GossamerError, UsageError
from gossamer.graph.canvas import Canvas, ending_of, fitting, printable


def _canvas() -> Canvas:
    canvas = Canvas(100, 60)
    canvas.line([(10, 10), (90, 10)], "#ff0000", 4)
    canvas.box(10, 20, 20, 20, "#00ff00")
    canvas.dot(70, 30, 8, "#0000ff")
    canvas.words(50, 55, "words", anchor="middle")
    canvas.words(8, 40, "up", size=8, anchor="middle", upwards=True)
    return canvas


def test_a_png_shows_what_was_drawn(tmp_path: Path) -> None:
    _canvas().write(tmp_path / "picture.png")
    with Image.open(tmp_path / "picture.png") as image:
        assert (image.format, image.size) == ("PNG", (200, 120))
        assert image.getpixel((100, 20)) == (255, 0, 0)
        assert image.getpixel((40, 60)) == (0, 255, 0)
        assert image.getpixel((140, 60)) == (0, 0, 255)
        assert image.getpixel((199, 119)) == (255, 255, 255)
        grey = np.asarray(image.convert("L"))
    assert grey[92:118, 70:130].min() < 100
    assert grey[60:100, 2:18].min() < 100


def test_an_svg_has_the_same_shapes(tmp_path: Path) -> None:
    _canvas().write(tmp_path / "picture.SVG")
    root = ElementTree.parse(tmp_path / "picture.SVG").getroot()
    names = [child.tag.rpartition("}")[2] for child in root]
    assert names == ["rect", "polyline", "rect", "circle", "text", "text"]
    assert [child.text for child in root][-2:] == ["words", "up"]


@given(st.text())
@example("<script>&amp;</text>")
def test_whatever_the_words_an_svg_can_be_read(text: str) -> None:
    canvas = Canvas(100, 60)
    canvas.words(10, 10, text)
    root = ElementTree.fromstring(canvas._svg())
    assert (root[-1].text or "") == printable(text)


def test_whatever_the_words_a_png_can_be_made(tmp_path: Path) -> None:
    canvas = Canvas(200, 60)
    canvas.words(10, 30, '<script>\x00\n\ud800\u202egro.elpmaxe 例え.jp é & "')
    canvas.write(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 0


@given(st.text(st.characters(exclude_characters="."), max_size=200), st.floats(20, 500))
def test_long_names_keep_their_ends(text: str, width: float) -> None:
    short = fitting(text, width, 12)
    if short != text:
        head, _, tail = short.partition("...")
        assert len(short) < len(text)
        assert text.startswith(head)
        assert text.endswith(tail)


@pytest.mark.parametrize("name", ["picture", "picture.jpg", "picture.png.gz", ".png"])
def test_other_endings_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.png or an \.svg"):
        ending_of(tmp_path / name)
    with pytest.raises(UsageError):
        _canvas().write(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_picture_that_cannot_be_written_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(GossamerError, match="Cannot write"):
        _canvas().write(tmp_path / "no-such-folder" / "picture.png")
    (tmp_path / "picture.svg").mkdir()
    with pytest.raises(GossamerError, match="Cannot write"):
        _canvas().write(tmp_path / "picture.svg")
    assert [path.name for path in tmp_path.iterdir()] == ["picture.svg"]


def test_a_new_picture_takes_the_place_of_the_old_one_at_once(tmp_path: Path) -> None:
    (tmp_path / "picture.svg").write_text("old")
    (tmp_path / "reader.svg").hardlink_to(tmp_path / "picture.svg")
    _canvas().write(tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").read_text().startswith("<svg")
    # Written over in place, it would have been half a picture for a while.
    assert (tmp_path / "reader.svg").read_text() == "old"
