"""Distances between values of the reference graph and of the runtime."""

from ._base import DebugHandle, IntermediateOutputMapping, NumericalComparatorBase
from ._distances import CosineComparator, L1Comparator, MSEComparator, SNRComparator

__all__ = [
    "CosineComparator",
    "DebugHandle",
    "IntermediateOutputMapping",
    "L1Comparator",
    "MSEComparator",
    "NumericalComparatorBase",
    "SNRComparator",
]
