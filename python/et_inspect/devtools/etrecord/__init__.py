"""ETRecords: what exporting knew of a program, with the names of ``executorch.devtools.etrecord``."""

from ._etrecord import ETRecord, Graph, Node, generate_etrecord, parse_etrecord

__all__ = ["ETRecord", "Graph", "Node", "generate_etrecord", "parse_etrecord"]
