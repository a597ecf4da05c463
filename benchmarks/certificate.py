"""A self-made certificate for the benchmark server, by the openssl command."""

import subprocess
from pathlib import Path


def make_certificate(folder: Path, names: tuple[str, ...] = ("localhost",)) -> tuple[Path, Path]:
    """Certificate and key for the names and 127.0.0.1, valid for a week."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subject_names = ",".join([*(f"DNS:{name}" for name in names), "IP:127.0.0.1"])
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "7", "-subj", "/CN=localhost"),
            *("-addext", f"subjectAltName={subject_names}"),
            *("-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    return certificate, key
