"""The API fuzzed from its own document.

A stage of its own in `make test`: the cases are made when the tests are collected, which takes
seconds, and with tests side by side every worker collects everything.
"""

from __future__ import annotations

from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings

from lampion.server.web.openapi import openapi
from tests.server.support import Server

schema = schemathesis.openapi.from_dict(openapi())


@schema.exclude(path_regex="stream").parametrize()
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_api_answers_whatever_comes_as_its_document_says(case: Any, server: Server) -> None:
    """No failure of the server, no reply that the document does not know, whatever is sent."""
    reply = case.call(base_url=server.base)
    assert reply.status_code < 500, reply.text
    case.validate_response(
        reply,
        checks=[
            schemathesis.checks.not_a_server_error,
            schemathesis.checks.response_schema_conformance,
        ],
    )
