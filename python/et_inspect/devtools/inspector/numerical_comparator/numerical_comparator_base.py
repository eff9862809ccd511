"""Base class of custom comparators, at ExecuTorch's module path."""

from ._base import NumericalComparatorBase

__all__ = ["NumericalComparatorBase"]
