"""tls.test and its wrong sisters: certificates right, self-made, for another name, expired.

All other hosts are served on the TLS port too, with the right certificate.
"""

from tests.web.message import Host, page

RIGHT = "tls.test"
SELF_SIGNED = "self-signed.test"
WRONG_NAME = "wrong-name.test"
EXPIRED = "expired.test"

_PURPOSES = {
    RIGHT: "over TLS: a certificate that the web's own authority signed",
    SELF_SIGNED: "over TLS: a certificate that nobody signed",
    WRONG_NAME: "over TLS: a certificate for another name",
    EXPIRED: "over TLS: a certificate that ended years ago",
}


def hosts() -> tuple[Host, ...]:
    return tuple(
        Host(name, purpose, {"/second": page(f"The second page of {name}")})
        for name, purpose in _PURPOSES.items()
    )
