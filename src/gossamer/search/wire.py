"""Stages over a socket: a length, a byte that says what follows, MessagePack. Both ends are ours.

A connection carries one question at a time: each stage is asked and answered before the next. So a
connection that was given up is closed, and no late answer is ever taken for another's.
"""

import socket
import struct
from functools import cache
from typing import Any, TypeVar

import msgspec
import numpy as np
from msgspec import Struct

from gossamer import errors
from gossamer.config import IndexSettings
from gossamer.errors import GossamerError, RuntimeFault
from gossamer.index.generations import Whole
from gossamer.search.stages import STAGES, Stage

_HEAD = struct.Struct("<IB")
_ANSWERED, _FAILED = 0, 1
_OPEN = len(STAGES)
_NUMBERS = {stage.name: number for number, stage in enumerate(STAGES)}

Value = TypeVar("Value")


class Opening(Struct, frozen=True):
    """The first message on a connection: which generation of which shard."""

    folder: str
    generation: int
    whole: Whole
    moments: str


class _Failure(Struct, frozen=True):
    kind: str  # a class of `errors`; another one is a bug
    message: str


def asked(stage: Stage[Any, Any] | None, value: Any) -> bytes:
    """A call, ready to be sent; `stage` None: the opening."""
    return _framed(_OPEN if stage is None else _NUMBERS[stage.name], _encoder.encode(value))


def answered(value: Any) -> bytes:
    return _framed(_ANSWERED, _encoder.encode(value))


def failed(fault: BaseException) -> bytes:
    message = str(fault) if isinstance(fault, GossamerError) else f"{type(fault).__name__}: {fault}"
    return _framed(_FAILED, _encoder.encode(_Failure(type(fault).__name__, message)))


def _framed(kind: int, data: bytes) -> bytes:
    return _HEAD.pack(len(data), kind) + data


def next_call(connection: socket.socket) -> tuple[Stage[Any, Any] | None, Any] | None:
    """What the other end asks; None where it is gone."""
    try:
        kind, data = _received(connection)
    except ConnectionError:
        return None
    if kind == _OPEN:
        return None, decoder(Opening).decode(data)
    stage = STAGES[kind]
    return stage, decoder(stage.asked).decode(data)


def reply(connection: socket.socket, reply_type: type[Value]) -> Value:
    """What the other end answers. Its faults are raised here."""
    kind, data = _received(connection)
    if kind == _ANSWERED:
        value: Value = decoder(reply_type).decode(data)
        return value
    failure = decoder(_Failure).decode(data)
    known = getattr(errors, failure.kind, RuntimeFault)
    raise known(failure.message)


def _received(connection: socket.socket) -> tuple[int, bytes]:
    length, kind = _HEAD.unpack(_exactly(connection, _HEAD.size))
    return kind, _exactly(connection, length)


def _exactly(connection: socket.socket, size: int) -> bytes:
    found = bytearray()
    while len(found) < size:
        chunk = connection.recv(size - len(found))
        if not chunk:
            raise ConnectionError("the other end is gone")
        found += chunk
    return bytes(found)


# Arrays and settings, which MessagePack does not know


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, IndexSettings):
        return value.model_dump_json(exclude_defaults=True)
    raise NotImplementedError(f"{type(value)} does not travel")


def _rebuilt(kind: Any, value: Any) -> Any:
    if kind is IndexSettings:
        return _settings(value)
    dtype, shape, data = value
    return np.frombuffer(data, dtype).reshape(shape)


@cache
def _settings(text: str) -> IndexSettings:
    return IndexSettings.model_validate_json(text)


def decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    return _decoder(kind)


@cache
def _decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kind, dec_hook=_rebuilt)


_encoder = msgspec.msgpack.Encoder(enc_hook=_plain)
