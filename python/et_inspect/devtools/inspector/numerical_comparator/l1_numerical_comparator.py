"""The L1 comparator, at ExecuTorch's module path."""

from ._distances import L1Comparator

__all__ = ["L1Comparator"]
