from hypothesis import given
from hypothesis import strategies as st

from gossamer.crawl.window import SlidingWindow


def test_results_wait_for_their_turn() -> None:
    window = SlidingWindow(size=4, ordered=True, next_number=1)
    first, second, third = window.open(), window.open(), window.open()
    assert window.answer(third) == []
    assert window.answer(second) == []
    assert window.answer(first) == [first, second, third]


def test_without_order_each_result_is_committed_as_it_comes() -> None:
    window = SlidingWindow(size=4, ordered=False, next_number=1)
    window.open()
    second = window.open()
    assert window.answer(second) == [second]


def test_the_oldest_schedule_holds_the_window() -> None:
    window = SlidingWindow(size=2, ordered=True, next_number=7)
    oldest, newest = window.open(), window.open()
    assert not window.has_room
    window.answer(newest)
    assert not window.has_room
    for number in window.answer(oldest):
        window.committed(number)
    assert window.has_room
    assert window.open() == 9


def test_it_is_made_again_as_it_was() -> None:
    window = SlidingWindow(size=3, ordered=True, next_number=6, out=[3], answered=[4, 5])
    assert not window.has_room
    assert window.answer(3) == [3, 4, 5]


@given(st.integers(1, 8), st.booleans(), st.data())
def test_any_course_of_events(size: int, ordered: bool, data: st.DataObject) -> None:
    window = SlidingWindow(size, ordered, next_number=1)
    opened: list[int] = []
    committed: list[int] = []
    for _ in range(data.draw(st.integers(0, 60))):
        out = sorted(window.out)
        if window.has_room and (not out or data.draw(st.booleans())):
            opened.append(window.open())
        elif out:
            for number in window.answer(data.draw(st.sampled_from(out))):
                window.committed(number)
                committed.append(number)
        assert len(window.out) <= size
        if data.draw(st.integers(0, 9)) == 0:
            answered = [n for n in opened if n not in committed and not window.is_out(n)]
            window = SlidingWindow(size, ordered, window.next_number, window.out, answered)
    assert opened == list(range(1, len(opened) + 1))
    assert len(set(committed)) == len(committed)
    if ordered:
        assert committed == list(range(1, len(committed) + 1))
