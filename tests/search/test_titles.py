"""What titles are suggested as."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from gossamer.search.titles import own_titles


def test_the_name_of_a_site_is_no_part_of_its_titles() -> None:
    names = ["Moon", "Sun", "Tide", "Oak - a tree", "Light"]
    titles = Counter({f"{name} - Lantern": 2 for name in names})
    titles["Moon"] = 1
    found = own_titles(titles)
    assert found == {"Moon": 3, "Sun": 2, "Tide": 2, "Oak - a tree": 2, "Light": 2}


def test_pages_of_a_list_are_one() -> None:
    titles = {
        f"{name} (page {page}) • Bench": 1 for name in ("Bikes", "Books") for page in range(5)
    }
    assert own_titles(titles) == {"Bikes": 5, "Books": 5}


def test_ends_that_few_share_stay() -> None:
    titles = {"Moon - Lantern": 9, "Sun - Lantern": 9, "A (b)": 1, "- x": 1, "x - ": 1, "": 1}
    assert own_titles(titles) == titles


@given(st.dictionaries(st.text(alphabet="ab -|()1\n", max_size=12), st.integers(1, 9)))
def test_no_title_is_lost(titles: dict[str, int]) -> None:
    found = own_titles(titles)
    assert found.total() == sum(titles.values())
    assert all(own or own in titles for own in found)
