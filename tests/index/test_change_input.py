"""Reading changes of documents."""

import pytest

from gossamer.edits import ChangeKind, Edit, as_line
from gossamer.errors import UsageError
from gossamer.index.change_input import checked, lines_of, removals_of
from gossamer.index.fields import fields_of

FIELDS = fields_of({"text": "text", "price": "number", "made": "date"}, {})
PUT, PATCH = ChangeKind.PUT, ChangeKind.PATCH


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"[1]", "JSON object"),
        (b"{", "not JSON"),
        (b'{"text":"amber"}', "neither 'id' nor 'url'"),
        (b'{"id":null,"url":" "}', "neither"),
        (b'{"id":[1]}', "not text or a number"),
        (b"\xff", "not JSON"),
        (b'{"a":' + b"[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_document_is_refused_with_its_line(line: bytes, message: str) -> None:
    found = checked(Edit(PUT, value=line), 7, FIELDS)
    assert found.edit is None
    (detail,) = found.details
    assert (detail.line, detail.kind) == (7, "refused")
    assert message in detail.message


def test_values_that_do_not_fit_are_reported_and_stored() -> None:
    line = '{"id":1,"price":"call us","made":"soon","brand":"Oak","价格":1,"text":"amber"}'.encode()
    found = checked(Edit(PUT, value=line), 1, FIELDS)
    assert found.edit is not None
    assert (found.edit.id, found.edit.value) == ("1", line)
    assert (found.misfits, found.unknown) == (2, 2)
    messages = " ".join(one.message for one in found.details)
    for expected in ("'call us'", "'soon'", "no field 'brand' yet", "'价格' cannot be a field"):
        assert expected in messages


def test_a_request_may_name_the_document() -> None:
    found = checked(Edit(PUT, "a/b", b'{"text":"amber"}'), 1, FIELDS)
    assert found.edit is not None
    assert (found.edit.id, found.edit.value) == ("a/b", b'{"text":"amber","id":"a/b"}')
    url = checked(Edit(PUT, "http://a.test/", b'{"url":"http://a.test/"}'), 1, FIELDS)
    assert url.edit is not None
    assert url.edit.value == b'{"url":"http://a.test/"}'
    other = checked(Edit(PUT, "a/b", b'{"id":"c"}'), 1, FIELDS)
    assert other.edit is None
    moved = checked(Edit(PATCH, "a/b", b'{"url":"http://b.test/"}'), 1, FIELDS)
    assert moved.edit is not None
    assert (moved.edit.id, moved.edit.value) == ("a/b", b'{"url":"http://b.test/"}')


def test_batches_are_lines_or_an_array() -> None:
    assert lines_of(b'{"id":1}\n\n{"id":2}') == [b'{"id":1}', b"", b'{"id":2}']
    assert lines_of(b'\xef\xbb\xbf [{"id": 1},\n 2]') == [b'{"id": 1}', b"2"]
    with pytest.raises(UsageError, match="array"):
        lines_of(b'[{"id":1}')


def test_removals_are_ids_or_documents() -> None:
    lines = b'a b\n\n"c\\n"\n{"id":4,"text":"x"}\nhttp://a.test/\n5'
    assert [(one.line, one.id) for one in removals_of(lines)] == [
        *((1, "a b"), (3, "c"), (4, "4"), (5, "http://a.test/"), (6, "5"))
    ]
    array = removals_of(b'["a", 2, {"url": "http://a.test/"}]')
    assert [one.id for one in array] == ["a", "2", "http://a.test/"]
    for wrong in (b"[null]", b"{", b"[[1]]", b"\xff", b'"\\ud800"'):
        assert [bool(one.fault) for one in removals_of(wrong)] == [True]
    with pytest.raises(UsageError, match="Invalid JSON array"):
        removals_of(b"[")


@pytest.mark.parametrize("name", ["", " ", "\udcff"])
def test_a_wrong_id_is_refused(name: str) -> None:
    found = checked(Edit(ChangeKind.REMOVE, name), 1, FIELDS)
    assert (found.edit, found.details[0].kind) == (None, "refused")


def test_documents_of_python_become_lines() -> None:
    assert as_line({"id": 2**80}) == b'{"id":1208925819614629174706176}'
    with pytest.raises(UsageError, match="JSON"):
        as_line({"id": object()})
