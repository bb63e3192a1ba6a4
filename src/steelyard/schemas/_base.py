"""The base of all records."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen record that refuses unknown fields. Bytes become UTF-8 text in JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_bytes="utf8")
