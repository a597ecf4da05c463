"""Certificates for the TLS port, made by the openssl command: a right one and wrong ones."""

import ssl
import subprocess
from collections.abc import Mapping
from pathlib import Path

_CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
_CA_CONFIG = """
[ca]
default_ca = authority
[authority]
dir = {folder}
database = {folder}/index.txt
serial = {folder}/serial
new_certs_dir = {folder}
certificate = {folder}/authority.pem
private_key = {folder}/authority.key
default_md = sha256
policy = anything
copy_extensions = copy
[anything]
commonName = supplied
[req]
distinguished_name = subject
[subject]
[authority_extensions]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign
"""


def _openssl(*arguments: str | Path) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


class CertificateMaker:
    """An authority in a folder, and the certificates that it signs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._config = folder / "openssl.cnf"
        self._config.write_text(_CA_CONFIG.format(folder=folder))
        (folder / "index.txt").write_text("")
        (folder / "serial").write_text("01\n")
        self.authority = folder / "authority.pem"
        _openssl(
            *("req", "-x509", *_CURVE, "-days", "7", "-subj", "/CN=Local web authority"),
            *("-config", self._config, "-extensions", "authority_extensions"),
            *("-keyout", folder / "authority.key", "-out", self.authority),
        )

    def signed(
        self, label: str, names: tuple[str, ...], *, expired: bool = False
    ) -> ssl.SSLContext:
        key, request = self._folder / f"{label}.key", self._folder / f"{label}.csr"
        certificate = self._folder / f"{label}.pem"
        subject_names = ",".join(f"DNS:{name}" for name in names)
        _openssl(
            *("req", "-new", *_CURVE, "-subj", f"/CN={label}", "-config", self._config),
            *("-addext", f"subjectAltName={subject_names}", "-keyout", key, "-out", request),
        )
        dates = ("-startdate", "20200101000000Z", "-enddate", "20200201000000Z")
        _openssl(
            *("ca", "-batch", "-notext", "-config", self._config),
            *(dates if expired else ("-days", "7")),
            *("-in", request, "-out", certificate),
        )
        return _context(certificate, key)

    def self_signed(self, name: str) -> ssl.SSLContext:
        key, certificate = self._folder / f"{name}.key", self._folder / f"{name}.pem"
        _openssl(
            *("req", "-x509", *_CURVE, "-days", "7", "-subj", f"/CN={name}"),
            *("-addext", f"subjectAltName=DNS:{name}", "-keyout", key, "-out", certificate),
        )
        return _context(certificate, key)


def _context(certificate: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def by_name(usual: ssl.SSLContext, others: Mapping[str, ssl.SSLContext]) -> ssl.SSLContext:
    """A context that shows another certificate to those who ask for certain names."""

    def choose(connection: ssl.SSLObject, name: str | None, _: ssl.SSLContext) -> None:
        if name is not None and name in others:
            connection.context = others[name]

    usual.sni_callback = choose
    return usual
