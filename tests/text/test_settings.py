import pytest

from gossamer.text.settings import AnalysisSettings


def test_settings_are_values() -> None:
    assert AnalysisSettings() == AnalysisSettings(stemming=True, gram_size=2)
    assert hash(AnalysisSettings()) == hash(AnalysisSettings())


@pytest.mark.parametrize(
    "wrong", [{"gram_size": 0}, {"gram_size": 9}, {"longest_word": 0}, {"cached_words": 0}]
)
def test_wrong_settings_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        AnalysisSettings(**wrong)  # type: ignore[arg-type]
