"""The named distances of calculate_numeric_gap()."""

from __future__ import annotations

from typing import Any

from .._numbers import to_doubles
from ._base import NumericalComparatorBase


def _pair(a: Any, b: Any, of: str) -> tuple:
    one, other = to_doubles(a), to_doubles(b)
    try:
        one - other
    except ValueError as error:
        raise ValueError(f"Error computing {of} difference between tensors: {error}") from error
    return one, other


def _mean(values: Any) -> float:
    return float(values.mean()) if values.size else float("nan")


class L1Comparator(NumericalComparatorBase):
    """The sum of the absolute differences; NaN counts as 0."""

    def element_compare(self, a: Any, b: Any) -> float:
        one, other = _pair(a, b, "L1")
        return float(abs(one - other).sum())


class MSEComparator(NumericalComparatorBase):
    """The mean of the squared differences; NaN counts as 0."""

    def element_compare(self, a: Any, b: Any) -> float:
        one, other = _pair(a, b, "MSE")
        return _mean((one - other) ** 2)


class SNRComparator(NumericalComparatorBase):
    """The signal-to-noise ratio in dB, with the first value as signal; infinite if both are equal."""

    def element_compare(self, a: Any, b: Any) -> float:
        import numpy as np

        one, other = _pair(a, b, "SNR")
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(10 * np.log10(np.float64(_mean(one**2)) / _mean((one - other) ** 2)))


class CosineComparator(NumericalComparatorBase):
    """The cosine similarity: 1 for values with the same direction."""

    def element_compare(self, a: Any, b: Any) -> float:
        import numpy as np

        one, other = _pair(a, b, "cosine")
        with np.errstate(divide="ignore", invalid="ignore"):
            return float((one * other).sum() / np.sqrt((one**2).sum() * (other**2).sum()))


BY_NAME = {"MSE": MSEComparator, "L1": L1Comparator, "SNR": SNRComparator, "COS": CosineComparator}
