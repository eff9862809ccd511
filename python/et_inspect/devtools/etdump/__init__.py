"""Traces as objects of their schema, with the API of ``executorch.devtools.etdump``."""

from . import schema_flatcc, serialize

__all__ = ["schema_flatcc", "serialize"]
