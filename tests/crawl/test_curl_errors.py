import pycurl

from gossamer.crawl.curl_errors import outcome_of, reason_of
from gossamer.records import Outcome


def test_every_code_is_a_failure_of_the_transport() -> None:
    failures = {
        Outcome.TIMEOUT,
        Outcome.DNS_ERROR,
        Outcome.CONNECT_ERROR,
        Outcome.TLS_ERROR,
        Outcome.PROTOCOL_ERROR,
        Outcome.TOO_LARGE,
    }
    assert {outcome_of(code) for code in range(1, 110)} == failures


def test_tls_codes() -> None:
    codes = {getattr(pycurl, name) for name in dir(pycurl) if name.startswith("E_SSL_")}
    assert {outcome_of(code) for code in codes} == {Outcome.TLS_ERROR}


def test_reasons_are_for_people() -> None:
    assert reason_of(pycurl.E_HTTP2) == "the HTTP/2 connection broke"
    assert reason_of(99) == "libcurl gave up with code 99"
