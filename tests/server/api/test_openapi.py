"""The description, and what happens to those who take it at its word."""

from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import response_schema_conformance

from gossamer.server import api
from gossamer.server.api.calls import PREFIX
from tests.server.conftest import Serve, Served

# Loads now what it reads descriptions with: later, a thread of the server may be compiling at the
# same time, and the parser of Python 3.11 does not stand that.
schemathesis.openapi.from_dict(
    {"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": {}}
)

_ENDLESS = ("watch_run", "watch_job")


def test_every_call_is_described(served: Served) -> None:
    description = served.browser().get(f"{PREFIX}/openapi.json").json()
    described = {
        (method.upper(), path)
        for path, operations in description["paths"].items()
        for method in operations
    }
    assert described == {(call.method, PREFIX + call.described_path) for call in api.CALLS}
    assert all(
        operation["summary"]
        for operations in description["paths"].values()
        for operation in operations.values()
    )


def test_no_request_that_it_allows_breaks_the_server(serve: Serve) -> None:
    """Nor one that it does not allow: half of what is tried is wrong on purpose."""
    served = serve(public_url="http://testserver")
    schema = schemathesis.openapi.from_asgi(f"{PREFIX}/openapi.json", served.app)
    token = served.program().headers["authorization"]
    tried = 0
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        if operation.definition.raw["operationId"] not in _ENDLESS:
            for mode in GenerationMode:
                _try(operation, mode, {"authorization": token})
            tried += 1
    assert tried == len(list(api.CALLS)) - len(_ENDLESS)


def _try(operation: Any, mode: GenerationMode, headers: dict[str, str]) -> None:
    @given(case=operation.as_strategy(mode))
    @settings(
        max_examples=10,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def try_it(case: schemathesis.Case[Any]) -> None:
        answer = case.call(headers=headers)
        assert answer.status_code < 500, (case.method, case.path, answer.text)
        if mode is GenerationMode.POSITIVE:
            case.validate_response(answer, checks=[response_schema_conformance])

    try:
        try_it()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE  # whatever one sends there is right
