"""Assertions on models, for pytest and other test frameworks that handle AssertionError.

>>> from et_inspect.testing import assert_close_to_export, assert_not_slower, assert_within_budget
>>> assert_close_to_export("model.pte", "model.etrecord", [image], sqnr=40)
>>> assert_not_slower("model.pte", baseline="main")
>>> assert_within_budget("model.pte", p50="5 ms", size="4 MB")

Each returns the result that it checked. With the plugin (``et_inspect.pytest_plugin``), measurements become properties of
the test in JUnit XML.
"""

from __future__ import annotations

import contextvars
import math
import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _arguments, _program, errors
from ._arguments import PathLike, Paths
from ._results import BenchResult, CompareResult, GapResult, VerifyResult, metrics_of
from ._running import bench, compare, gap, verify

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._arguments import ModelOptions
    from .devtools.etrecord import ETRecord, Graph


class Settings(NamedTuple):
    """State set by the pytest plugin: properties of the running test, and the store of baselines."""

    properties: list[tuple[str, object]] | None = None
    store: str | None = None
    saves_baselines: bool = False


settings: contextvars.ContextVar[Settings] = contextvars.ContextVar("et_inspect.testing", default=Settings())

# Units in nanoseconds and in bytes, as accepted by `et-inspect compare --fail-if`.
_TIMES = {"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9}
_SIZES = {"B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def record(name: str, value: object) -> None:
    """Records a measurement as a property of the running test in JUnit XML."""
    properties = settings.get().properties
    if properties is not None:
        properties.append((f"et_inspect.{name}", value))


def assert_passes(bundle: PathLike, **options: Any) -> VerifyResult:
    """Asserts that the cases of a bundled program give the expected outputs.

    Args:
        bundle: a bundled program.
        options: options of :func:`et_inspect.verify`: tolerances, ``sqnr``, ``threads``, …

    Raises:
        AssertionError: an output differs, or the program cannot be run; the message names the output and its error.
    """
    __tracebackhide__ = True
    found = verify(bundle, **options)
    assert isinstance(found, VerifyResult)
    record("cases", found.summary.cases)
    if not found.passed:
        raise AssertionError(found.message)
    return found


def assert_close_to_export(
    pte: PathLike,
    etrecord: PathLike,
    inputs: Any = None,
    sqnr: float = 40,
    *,
    method: str | None = None,
    data: Paths | None = None,
    threads: int | None = None,
    **options: Unpack[ModelOptions],
) -> GapResult:
    """Asserts that every output of a program is close to the exported graph's output for the same inputs.

    Args:
        pte: a program or bundled program.
        etrecord: its ETRecord.
        inputs: arrays or tensors, one per input; default: the inputs of the first case, otherwise generated inputs.
        sqnr: minimum SQNR of each output, in dB.
        method: default: ``forward``, or the only method.
        data: external weights.
        threads: threads of the program.
        options: see :class:`~et_inspect.ModelOptions`.

    Raises:
        AssertionError: an output is below ``sqnr``; the message names the first operator that diverges by its own error.
        et_inspect.errors.UnsupportedError: an output cannot be compared, such as the result of control flow.
    """
    __tracebackhide__ = True
    asked = {**options, "method": method, "data": data, "inputs": inputs}
    asked = {name: value for name, value in asked.items() if value is not None}
    found = gap(program=pte, etrecord=etrecord, metric="snr", threads=threads, **asked)
    worst = math.inf
    far = []
    for name, decibels, told in _outputs(found, etrecord):
        worst = min(worst, decibels)
        if not decibels >= sqnr:
            far.append(f"output {name}: {told}")
    record("sqnr_db", worst)
    if far:
        culprit = gap(program=pte, etrecord=etrecord, bisect=True, threads=threads, **asked)
        raise AssertionError(f"{os.fspath(pte)}: {'; '.join(far)}: less than {sqnr:g} dB; {_divergence(culprit)}")
    return found


def assert_not_slower(
    pte: PathLike,
    baseline: PathLike = "main",
    *,
    threshold: float = 2,
    store: PathLike | None = None,
    **options: Any,
) -> CompareResult | None:
    """Asserts that a program is not significantly slower than a baseline, beyond a threshold.

    Args:
        pte: a program or bundled program.
        baseline: the name of a baseline (:func:`save_baseline`, ``pytest --et-save-baselines``), or a file.
        threshold: ignore differences up to this percentage.
        store: the store of baselines.
        options: options of :func:`et_inspect.compare`: ``fail_on``, ``launches``, ``threads``, …

    Returns:
        The comparison; None if the plugin saved the baseline instead (``--et-save-baselines``).

    Raises:
        AssertionError: the program is slower; the message states the ratio and the slower operators.
    """
    __tracebackhide__ = True
    known = settings.get()
    store = store if store is not None else known.store
    if known.saves_baselines and not os.path.exists(baseline):
        save_baseline(os.fspath(baseline), pte, store=store)
        return None
    found = compare(baseline, pte, threshold=threshold, store=store, **options)
    for method in found.methods:
        record(f"{method.method_b}.ratio", method.total.ratio)
        record(f"{method.method_b}.verdict", method.total.verdict)
    if found.regressed:
        slower = [test.name for method in found.methods for test in method.operators if test.verdict == "slower"]
        where = f"; slower: {', '.join(slower[:5])}" if slower else ""
        broken = [f"{budget.fail_if} ({budget.value:g})" for budget in found.budgets if budget.broken]
        raise AssertionError("; ".join([found._caption() + where, *broken]))
    return found


def save_baseline(name: str, file: PathLike, *, store: PathLike | None = None, replace: bool = True) -> None:
    """Measures a program (or reads a trace) and saves it as a baseline for :func:`assert_not_slower`.

    Args:
        name: name of the baseline.
        file: a program, bundled program or trace.
        store: the store of baselines.
        replace: replace a baseline of the same name.
    """
    options = _arguments.flags("baseline", store=store, replace=replace)
    _program.run("baseline", ["save", name, _arguments.path(file), *options], files=[os.fspath(file)], json_output=False)


def assert_within_budget(
    pte: PathLike,
    *,
    p50: str | float | None = None,
    p90: str | float | None = None,
    load: str | float | None = None,
    first: str | float | None = None,
    size: str | int | None = None,
    peak_memory: str | int | None = None,
    planned_memory: str | int | None = None,
    **options: Any,
) -> BenchResult | None:
    """Asserts that a program stays within time and memory budgets.

    Args:
        pte: a program or bundled program.
        p50, p90: execution time percentiles, such as ``"5 ms"``; a number is in milliseconds.
        load, first: load time, and time of the first execution.
        size: file size, such as ``"4 MB"``; a number is in bytes.
        peak_memory: peak resident memory of the process that runs the program.
        planned_memory: size of the memory plans.
        options: options of :func:`et_inspect.bench`: ``threads``, ``iterations``, …

    Returns:
        The measurement; None if only ``size`` was given.

    Raises:
        AssertionError: a budget is exceeded; the message states the values and budgets.
    """
    __tracebackhide__ = True
    times = {"p50": p50, "p90": p90, "load": load, "first": first}
    sizes = {"peak_resident": peak_memory, "planned": planned_memory}
    limits = {name: _amount(value, _TIMES, 1e6) for name, value in times.items() if value is not None}
    limits |= {name: _amount(value, _SIZES, 1) for name, value in sizes.items() if value is not None}
    over = []
    if size is not None:
        over += _over("size", os.path.getsize(pte), _amount(size, _SIZES, 1))
    found = None
    if limits:
        measured = bench(pte, **options)
        assert isinstance(measured, BenchResult)
        found = measured
        (model,) = found.models
        for name, limit in limits.items():
            value = model.time_ms[name] * 1e6 if name in times else model.memory[name]
            over += _over(name, value, limit, time=name in times)
    if over:
        raise AssertionError(f"{os.fspath(pte)}: {'; '.join(over)}")
    return found


def _over(name: str, value: float, limit: float, time: bool = False) -> list[str]:
    """Records a measurement; returns a message if it exceeds its budget."""
    record(f"{name}_ms" if time else f"{name}_bytes", value / 1e6 if time else value)
    if value <= limit:
        return []
    shown = (lambda number: f"{number / 1e6:.4g} ms") if time else (lambda number: f"{number:,.0f} bytes")
    return [f"{name.replace('_', ' ')} is {shown(value)}, more than {shown(limit)}"]


def _amount(given: str | float, units: dict[str, float], factor: float) -> float:
    """Converts an amount such as ``"5 ms"`` to the smallest unit; a plain number is multiplied by ``factor``."""
    if not isinstance(given, str):
        return given * factor
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)\s*(\S+)\s*", given)
    if found is None or found.group(2) not in units:
        raise ValueError(f"expected a number and one of {', '.join(units)}, got {given!r}")
    return float(found.group(1)) * units[found.group(2)]


def _outputs(found: GapResult, etrecord: PathLike) -> Iterator[tuple[str, float, str]]:
    """Yields name, SQNR in dB and its description for each computed output."""
    from .devtools.etrecord import parse_etrecord

    places = _places(parse_etrecord(etrecord), found.method)
    for at, alternatives in enumerate(places):
        if not alternatives:
            continue  # an input or a constant passed through
        measured = next((pair for place in alternatives if (pair := _measured(found, *place)) is not None), None)
        name = f"{at} ({alternatives[0][1]})"
        if measured is None:
            raise errors.UnsupportedError(f"output {name} is not compared with the exported graph")
        decibels = _decibels(measured)
        yield name, decibels, measured["difference"] or f"{decibels:.4g} dB"


def _places(record_: ETRecord, method: str) -> list[list[tuple[str, str, int]]]:
    """Returns, per output of a method, (graph, node, index among the node's outputs) that computes it in each graph."""
    edge = record_.edge_dialect_program
    graphs: dict[str, Graph | None] = {
        "exported": record_.exported_program,
        "edge": edge.get(method) if isinstance(edge, dict) else edge,
    }
    places: list[list[tuple[str, str, int]]] = []
    for name, graph in graphs.items():
        if graph is None:
            continue
        makers = {value: (node.name, at) for node in graph.nodes for at, value in enumerate(node.outputs)}
        values = [value for kind, value, _ in graph.outputs if kind == "user_output"]
        while len(places) < len(values):
            places.append([])
        for at, value in enumerate(values):
            if value in makers:
                places[at].append((name, *makers[value]))
    return places


def _measured(found: GapResult, graph: str, node: str, at: int) -> dict[str, Any] | None:
    """Returns the gap of a node's output; None if no row contains it."""
    for row in found.to_json()["rows"]:
        if row["graph"] == graph and node in row["aot_ops"] and row["outputs"]:
            return row["outputs"][at if at < len(row["outputs"]) else -1]
    return None


def _decibels(output: dict[str, Any]) -> float:
    """Returns the SQNR in dB; infinite for equal values, NaN if the values cannot be compared."""
    if output["difference"] is not None:
        return math.nan
    metrics = dict(zip(GapResult._METRICS, metrics_of(output)))
    if metrics["max_abs"] == 0:
        return math.inf
    return math.nan if metrics["snr"] is None else metrics["snr"]


def _divergence(found: GapResult) -> str:
    if not found.diverges:
        return "rounding explains each operator's own error"
    first = found.first_divergence
    return f"the first operator that diverges is {', '.join(first.aot_ops)} ({first.reason})"
