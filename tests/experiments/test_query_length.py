"""Search time by query length, on a few shipped passages."""

from experiments.query_length import measure, texts_and_queries


def test_table_has_a_column_for_each_length_and_tells_the_stages() -> None:
    texts, _ = texts_and_queries(None)
    queries = ["moon", "full moon", "why the moon has phases", "xqzvw"]
    page = measure(texts[:80], queries)
    text = page.text()
    assert "| 1 word | 2 words | longer | all |" in text, "no column without queries"
    rows = {
        row.split("|")[1].strip(): row.split("|")[2:-1]
        for row in text.splitlines()[4:]
        if row.startswith("|")
    }
    assert [cell.strip() for cell in rows["queries"]] == ["2", "1", "1", "4"]
    for stage in ("whole", "finding", "scoring"):
        assert float(rows[f"{stage}, mean ms"][-1].split("±")[0]) > 0
    finding, scoring, whole = (
        float(rows[f"{stage}, mean ms"][-1].split("±")[0])
        for stage in ("finding", "scoring", "whole")
    )
    assert finding + scoring < whole
    assert rows["no result"][0].strip() == "50.0%"
    assert "`xqzvw`" in text


def test_shipped_queries_are_read_once_each() -> None:
    texts, queries = texts_and_queries(None)
    assert len(texts) > 300
    assert len(queries) == len(set(queries)) > 50
