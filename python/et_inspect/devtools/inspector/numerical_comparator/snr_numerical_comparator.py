"""The SNR comparator, at ExecuTorch's module path."""

from ._distances import SNRComparator

__all__ = ["SNRComparator"]
