"""ETRecords: export-time information about a program, with the API of ``executorch.devtools.etrecord``."""

from ._etrecord import ETRecord, Graph, Node, generate_etrecord, parse_etrecord

__all__ = ["ETRecord", "Graph", "Node", "generate_etrecord", "parse_etrecord"]
