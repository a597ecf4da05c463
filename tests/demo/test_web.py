"""Which site answers: whatever is asked, there is an answer."""

from hypothesis import given
from hypothesis import strategies as st

from gossamer.demo.web import answer, hosts, main_content

_TARGETS = st.one_of(
    st.text(st.characters(max_codepoint=255), max_size=40),
    st.builds(
        "/{}/{}?{}={}".format,
        st.sampled_from(["wiki", "calendar", "p", "c", "board", "thread", "section", "search"]),
        st.text("Mo%0/2.-_é", max_size=12),
        st.sampled_from(["page", "sort", "id", "q", "order"]),
        st.text("019-abM%&=+;", max_size=12),
    ),
)
_HOSTS = st.one_of(
    st.sampled_from([*hosts(), "lantern.localhost:80", "localhost", "127.0.0.1:1", ""]),
    st.text(max_size=20),
)


@given(_HOSTS, _TARGETS)
def test_every_request_has_an_answer(host: str, target: str) -> None:
    found = answer(host, target)
    assert found.status in (200, 301, 404, 421)
    assert found.body
    assert bool(found.location) == (found.status == 301)
    found.location.encode("ascii")
    if found.media_type.startswith("text/"):
        found.body.decode()


@given(st.text(max_size=60))
def test_any_text_may_be_asked_for_its_content(url: str) -> None:
    assert main_content(url) is None
    main_content(f"http://lantern.example/{url}")
    assert main_content("http://[" + url) is None
