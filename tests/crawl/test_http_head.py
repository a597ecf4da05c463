import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.crawl.http_head import header_line, one_line, parse_head, without_secrets


def test_nothing() -> None:
    assert parse_head([]) == (0, "", ())


def test_the_final_answer_is_taken() -> None:
    lines = [b"HTTP/1.1 100 Continue\r\n", b"\r\n", b"HTTP/1.1 301 Gone Away\r\n"]
    lines += [b"A: b:c\r\n", b"no colon\r\n", b"\r\n", b"Trailer: x\r\n", b"\r\n"]
    assert parse_head(lines) == (301, "HTTP/1.1 301 Gone Away", (("A", "b:c"),))


@pytest.mark.parametrize("line", [b"HTTP/1.1 100 x\r\n", b"HTTP/1.1\r\n", b"HTTP/1.1 x\r\n", b"x"])
def test_no_final_answer(line: bytes) -> None:
    assert parse_head([line, b"A: b\r\n", b"\r\n"]) == (0, "", ())


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_any_lines_can_be_read(lines: list[bytes]) -> None:
    status, line, headers = parse_head([b"HTTP/1.1 200 OK\r\n", *lines])
    assert 0 <= status <= 999
    assert "\n" not in line
    for name, value in headers:
        assert "\n" not in name + value


@given(st.text(), st.text())
def test_a_header_is_one_line(name: str, value: str) -> None:
    line = header_line(
        one_line(name.encode(errors="replace").decode()),
        one_line(value.encode(errors="replace").decode()),
    )
    assert not set(b"\r\n\0") & set(line)


def test_no_credentials_are_shown() -> None:
    headers = [("AUTHORIZATION", "x"), ("Cookie", "y"), ("Accept", "z")]
    assert without_secrets(headers) == (("Accept", "z"),)
