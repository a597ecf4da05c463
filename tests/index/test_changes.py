"""Reading changes of documents."""

import pytest

from gossamer.errors import UsageError
from gossamer.index.changes import as_line, checked, ids_of, lines_of
from gossamer.index.fields import fields_of
from gossamer.storage.document_changes import ChangeKind

FIELDS = fields_of({"text": "text", "price": "number", "made": "date"}, {})
PUT, PATCH = ChangeKind.PUT, ChangeKind.PATCH


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"[1]", "JSON object"),
        (b"{", "not JSON"),
        (b'{"text":"amber"}', "neither 'id' nor 'url'"),
        (b'{"id":null,"url":" "}', "neither"),
        (b'{"id":[1]}', "no text or number"),
        (b"\xff", "not JSON"),
        (b'{"a":' + b"[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_document_is_refused_with_its_line(line: bytes, message: str) -> None:
    found = checked(line, 7, PUT, FIELDS)
    assert found.edit is None
    (detail,) = found.details
    assert (detail.line, detail.kind) == (7, "refused")
    assert message in detail.message


def test_values_that_do_not_fit_are_reported_and_stored() -> None:
    line = b'{"id":1,"price":"call us","made":"soon","brand":"Oak","no good":1,"text":"amber"}'
    found = checked(line, 1, PUT, FIELDS)
    assert found.edit is not None
    assert (found.edit.id, found.edit.value) == ("1", line)
    assert (found.misfits, found.unknown) == (2, 2)
    messages = " ".join(one.message for one in found.details)
    for expected in ("'call us'", "'soon'", "no field 'brand' yet", "'no good' cannot be a field"):
        assert expected in messages


def test_a_request_may_name_the_document() -> None:
    found = checked(b'{"text":"amber"}', 1, PUT, FIELDS, "a/b")
    assert found.edit is not None
    assert (found.edit.id, found.edit.value) == ("a/b", b'{"text":"amber","id":"a/b"}')
    url = checked(b'{"url":"http://a.test/"}', 1, PUT, FIELDS, "http://a.test/")
    assert url.edit is not None
    assert url.edit.value == b'{"url":"http://a.test/"}'
    other = checked(b'{"id":"c"}', 1, PUT, FIELDS, "a/b")
    assert other.edit is None
    moved = checked(b'{"url":"http://b.test/"}', 1, PATCH, FIELDS, "a/b")
    assert moved.edit is not None
    assert (moved.edit.id, moved.edit.value) == ("a/b", b'{"url":"http://b.test/"}')


def test_batches_are_lines_or_an_array() -> None:
    assert lines_of(b'{"id":1}\n\n{"id":2}') == [b'{"id":1}', b"", b'{"id":2}']
    assert lines_of(b'\xef\xbb\xbf [{"id": 1},\n 2]') == [b'{"id": 1}', b"2"]
    with pytest.raises(UsageError, match="array"):
        lines_of(b'[{"id":1}')


def test_removals_are_ids_or_documents() -> None:
    assert ids_of(b'a b\n\n"c\\n"\n{"id":4,"text":"x"}\nhttp://a.test/\n5') == [
        *("a b", "c", "4", "http://a.test/", "5")
    ]
    assert ids_of(b'["a", 2, {"url": "http://a.test/"}]') == ["a", "2", "http://a.test/"]
    for wrong in (b"[null]", b"[", b"{", b"[[1]]", b"\xff"):
        with pytest.raises(UsageError):
            ids_of(wrong)


def test_documents_of_python_become_lines() -> None:
    assert as_line({"id": 2**80}) == b'{"id":1208925819614629174706176}'
    with pytest.raises(UsageError, match="JSON"):
        as_line({"id": object()})
