"""The MSE comparator, at ExecuTorch's module path."""

from ._distances import MSEComparator

__all__ = ["MSEComparator"]
