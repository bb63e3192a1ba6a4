"""A substitute for Terraform's provider of Google Cloud: it knows fields, and makes nothing.

Terraform asks it for the schema, and checks configurations against that; `terraform test` mocks
all else. Source of google.json: the typed bindings `cdktf-cdktf-provider-google` 16.12.1, which
were generated from the schema of the provider's version 6.50.
"""

import json
from pathlib import Path
from typing import Any

from tf import iface, runner, schema, types
from tf.gen import tfplugin_pb2

TYPES = {
    "string": types.String(),
    "number": types.Number(),
    "bool": types.Bool(),
    "strings": types.List(types.String()),
    "map": types.Map(types.String()),
}
TABLE = json.loads(Path(__file__).with_name("google.json").read_text())


class ListBlock(schema.NestedBlock):
    """A nested block that may be repeated, at most `max_items` times."""

    def to_pb(self) -> Any:
        made = super().to_pb()
        made.nesting = tfplugin_pb2.Schema.NestedBlock.NestingMode.LIST
        return made

    def encode(self, value: Any) -> Any:
        return value

    def decode(self, value: Any) -> Any:
        return value

    def semantically_equal(self, a_decoded: Any, b_decoded: Any) -> bool:
        return bool(a_decoded == b_decoded)


def attributes(fields: dict[str, Any]) -> list[schema.Attribute]:
    return [
        schema.Attribute(
            name,
            TYPES[kind],
            required=need == "required",
            optional=need == "optional",
            computed=need != "required",
        )
        for name, (kind, need) in fields.get("attributes", {}).items()
    ]


def blocks(fields: dict[str, Any]) -> list[ListBlock]:
    return [
        ListBlock(
            name,
            schema.NestMode.Set,
            schema.Block(attributes(inner), blocks(inner)),
            min_items=1 if inner.get("required") else 0,
            max_items=inner.get("max", 0),
        )
        for name, inner in fields.get("blocks", {}).items()
    ]


def described(base: type, name: str, fields: dict[str, Any]) -> type:
    made = schema.Schema(attributes(fields), block_types=blocks(fields))
    methods: dict[str, Any] = {
        "__init__": lambda self, *_: None,
        "get_name": classmethod(lambda _: name.removeprefix("google_")),
        "get_schema": classmethod(lambda _: made),
        "validate": lambda self, *_: None,
    }
    for each in getattr(base, "__abstractmethods__", ()):
        methods.setdefault(each, lambda self, *_: None)
    return type(name, (base,), methods)


class Google(iface.Provider):
    def get_model_prefix(self) -> str:
        return "google_"

    def full_name(self) -> str:
        return "hashicorp/google"

    def get_provider_schema(self, diags: Any) -> schema.Schema:
        return schema.Schema(attributes(TABLE["provider"]))

    def validate_config(self, diags: Any, config: Any) -> None:
        return None

    def configure_provider(self, diags: Any, config: Any) -> None:
        return None

    def get_resources(self) -> list[Any]:
        return [described(iface.Resource, *each) for each in TABLE["resources"].items()]

    def get_data_sources(self) -> list[Any]:
        return [described(iface.DataSource, *each) for each in TABLE["data"].items()]

    def new_resource(self, klass: Any) -> Any:
        return klass()

    def new_data_source(self, klass: Any) -> Any:
        return klass()


if __name__ == "__main__":
    runner.run_provider(Google())
