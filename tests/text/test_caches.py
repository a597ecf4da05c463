from gossamer.text.caches import Generations


def test_what_is_asked_for_stays_and_the_rest_goes() -> None:
    made: list[str] = []

    def make(key: str) -> str:
        made.append(key)
        return key.upper()

    cache = Generations(10).cache(make)
    for number in range(100):
        assert cache["often"] == "OFTEN"
        assert cache[f"seldom{number}"] == f"SELDOM{number}"
    assert made.count("often") == 1
    assert cache["seldom3"] == "SELDOM3"
    assert made.count("seldom3") == 2


def test_the_room_is_shared() -> None:
    generations = Generations(100)
    caches = [generations.cache(str.upper) for _ in range(7)]
    for number in range(5_000):
        for cache in caches:
            cache[str(number)]
            assert sum(len(cache) + len(cache._older) for cache in caches) <= 202


def test_long_keys_are_not_kept() -> None:
    cache = Generations(10).cache(str.upper)
    assert cache["x" * 1000] == "X" * 1000
    assert not cache


def test_what_is_made_simple_first_is_made_once() -> None:
    made: list[str] = []

    def make(key: str) -> int:
        made.append(key)
        return len(key)

    cache = Generations(10).cache(make, str.strip)
    assert [cache["a"], cache[" a"], cache["a  "], cache[" a"]] == [1, 1, 1, 1]
    assert made == ["a"]
