"""The default ranking holds its floors on the shipped collection, and beats plain BM25 there."""

from evaluation.__main__ import FLOORS, HERE
from gossamer.app.evaluating import evaluate
from gossamer.config import IndexSettings


def test_default_holds_its_floors() -> None:
    comparison = evaluate(HERE, ["bm25", "default"], [("", IndexSettings())])
    means = comparison.as_json()["profiles"]
    for metric, floor in FLOORS["default"].items():
        assert means["default"][metric] >= floor
        assert means["default"][metric] > means["bm25"][metric]
