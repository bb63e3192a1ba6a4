"""Let schemathesis send and read lines of JSON; it loads this module as SCHEMATHESIS_HOOKS."""

import json
from typing import Any

import schemathesis

NDJSON = "application/x-ndjson"


@schemathesis.hook
def before_load_schema(context: schemathesis.HookContext, raw_schema: dict[str, Any]) -> None:
    """Describe a batch as a list: OpenAPI 3.1 has no words for its lines."""
    operation = raw_schema["paths"]["/v1/judge/batch"]["post"]
    request = operation["requestBody"]["content"][NDJSON]
    programs = {"$ref": "#/components/schemas/JudgeRequest"}
    request["schema"] = {"type": "array", "maxItems": 5, "items": {"anyOf": [programs, {}]}}
    del request["example"]
    answer = operation["responses"]["200"]["content"][NDJSON]
    answer["schema"] = {"type": "array", "items": answer["schema"]}


@schemathesis.serializer(NDJSON)
def as_lines(context: schemathesis.SerializationContext, value: Any) -> bytes:
    """Return the lines of a generated list."""
    lines = value if isinstance(value, list) else [value]
    return b"".join(json.dumps(each).encode() + b"\n" for each in lines)


@schemathesis.deserializer(NDJSON)
def as_list(
    context: schemathesis.DeserializationContext, response: schemathesis.Response
) -> list[Any]:
    """Return the values of the lines of a response."""
    return [json.loads(line) for line in response.content.splitlines()]
