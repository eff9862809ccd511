"""Compares programs value by value, with the API of ``executorch.devtools.pte_tool``."""
