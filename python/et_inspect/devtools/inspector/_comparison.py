"""Compares the outputs of two runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ... import _native
from ._numbers import is_tensor, to_array


def _snr(reference: Any, value: Any) -> float:
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        return 10 * np.log10(np.mean(reference**2) / np.mean((reference - value) ** 2))


def _mse(reference: Any, value: Any) -> float:
    return ((reference - value) ** 2).mean()


def _cosine(reference: Any, value: Any) -> float:
    import numpy as np

    if reference.shape != value.shape:
        raise ValueError("Input tensors must have the same shape")
    with np.errstate(divide="ignore", invalid="ignore"):
        return (reference * value).sum() / (np.sqrt((reference**2).sum()) * np.sqrt((value**2).sum()))


_METRICS: dict[str, Callable[[Any, Any], float]] = {"snr": _snr, "mse": _mse, "cosine_similarity": _cosine}


def compare_results(
    reference_output: list, run_output: list, metrics: list[str] | None = None, plot: bool = False
) -> dict[str, list[float | None]]:
    """Compares outputs pair by pair and prints the result.

    Args:
        reference_output: expected outputs: numpy arrays or torch tensors.
        run_output: actual outputs.
        metrics: any of ``snr`` (dB), ``mse`` and ``cosine_similarity``; default: all.
        plot: draw bars with matplotlib instead of printing. The picture is shown, and written to the current folder as
            ``<metric>_output_plot.png``. Without matplotlib, ``<metric>_output_plot.svg`` is written.

    Returns:
        Per metric, one number per pair, rounded to two decimals; None if either value is not a tensor.
    """
    results = {}
    for name, metric in _METRICS.items():
        if metrics is None or name in metrics:
            results[name] = [_rounded(metric, *pair) for pair in zip(reference_output, run_output)]
            (_plot if plot else _print)(name, results[name])
    return results


def _rounded(metric: Callable[[Any, Any], float], reference: Any, value: Any) -> float | None:
    if not is_tensor(reference) or not is_tensor(value):
        return None
    return round(float(metric(to_array(reference).astype("float32"), to_array(value).astype("float32"))), 2)


def _print(name: str, values: list[float | None]) -> None:
    print(name)
    print("-" * 20)
    for index, value in enumerate(values):
        print(f"{index:<5}" + ("    none" if value is None else f"{value:>8.5f}"))
    print("\n")


def _plot(name: str, values: list[float | None]) -> None:
    try:
        from matplotlib import pyplot
    except ImportError:
        heights = [0.0 if value is None or not math.isfinite(value) else value for value in values]
        bars = [(str(index), heights[index], f"{value}", None, None, "plain") for index, value in enumerate(values)]
        with open(f"{name}_output_plot.svg", "w", encoding="utf-8") as file:
            file.write(_native.bar_picture(f"Metric {name}", bars))
        return
    pyplot.clf()
    pyplot.figure(figsize=(8, 6))
    pyplot.bar(range(len(values)), [0 if value is None else value for value in values], width=0.5)
    pyplot.grid(True, axis="y")
    pyplot.xlabel("output")
    pyplot.ylabel(name)
    pyplot.title(f"Metric {name}")
    pyplot.savefig(f"{name}_output_plot.png")
    pyplot.show()
