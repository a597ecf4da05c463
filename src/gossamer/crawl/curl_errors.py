"""What libcurl's error codes say about a visit."""

import pycurl

from gossamer.records import Outcome

_CONNECT_CODES = (
    pycurl.E_COULDNT_RESOLVE_PROXY,
    pycurl.E_COULDNT_CONNECT,
    pycurl.E_INTERFACE_FAILED,
    pycurl.E_NO_CONNECTION_AVAILABLE,
    96,  # QUIC_CONNECT_ERROR
    97,  # PROXY: its handshake failed
    99,  # UNRECOVERABLE_POLL
)
_TLS_CODES = (
    pycurl.E_SSL_CONNECT_ERROR,
    pycurl.E_SSL_ENGINE_NOTFOUND,
    pycurl.E_SSL_ENGINE_SETFAILED,
    pycurl.E_SSL_ENGINE_INITFAILED,
    pycurl.E_SSL_CERTPROBLEM,
    pycurl.E_SSL_CIPHER,
    pycurl.E_PEER_FAILED_VERIFICATION,
    pycurl.E_USE_SSL_FAILED,
    pycurl.E_SSL_CACERT_BADFILE,
    pycurl.E_SSL_SHUTDOWN_FAILED,
    pycurl.E_SSL_CRL_BADFILE,
    pycurl.E_SSL_ISSUER_ERROR,
    pycurl.E_SSL_PINNEDPUBKEYNOTMATCH,
    pycurl.E_SSL_INVALIDCERTSTATUS,
    98,  # SSL_CLIENTCERT: the server wants a certificate of ours
    101,  # ECH_REQUIRED
)
_OUTCOMES: dict[int, Outcome] = {
    # A host that WHATWG lets pass and libcurl does not: no such name can be asked for.
    pycurl.E_URL_MALFORMAT: Outcome.DNS_ERROR,
    pycurl.E_COULDNT_RESOLVE_HOST: Outcome.DNS_ERROR,
    pycurl.E_OPERATION_TIMEDOUT: Outcome.TIMEOUT,
    pycurl.E_FILESIZE_EXCEEDED: Outcome.TOO_LARGE,
    **dict.fromkeys(_CONNECT_CODES, Outcome.CONNECT_ERROR),
    **dict.fromkeys(_TLS_CODES, Outcome.TLS_ERROR),
}
_REASONS = {
    pycurl.E_HTTP2: "the HTTP/2 connection broke",
    pycurl.E_SEND_ERROR: "the connection broke while the request was sent",
    pycurl.E_RECV_ERROR: "the connection broke before the answer was complete",
}


def outcome_of(code: int) -> Outcome:
    """All codes without a better name mean that what came was not (all of) an HTTP answer."""
    return _OUTCOMES.get(code, Outcome.PROTOCOL_ERROR)


def reason_of(code: int) -> str:
    """For people, where libcurl itself gives no message."""
    return _REASONS.get(code, f"libcurl gave up with code {code}")
