"""A dictionary, small."""

from experiments.dictionary import measured, page


def test_sizes_and_latencies_are_told() -> None:
    small, large = measured((500, 2_000))
    assert 0 < small.entries <= 500
    assert small.megabytes < large.megabytes
    text = page([small, large]).text()
    assert f"| {large.entries:,} |" in text
    assert "| nothing |" in text
