"""Distances between what a graph computes and what the runtime computed."""

from ._base import NumericalComparatorBase
from ._distances import CosineComparator, L1Comparator, MSEComparator, SNRComparator

__all__ = ["CosineComparator", "L1Comparator", "MSEComparator", "NumericalComparatorBase", "SNRComparator"]
