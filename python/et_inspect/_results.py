"""Results of workflows that run a model: measurements, verdicts and errors, as tables and pictures."""

from __future__ import annotations

import os
from typing import Any

from . import _native
from ._display import Rows
from ._document import Result, columns_of


class BenchResult(Result):
    """Load and execution times; ``models`` has the measurements of each model."""

    _TIMES = ("load", "first", "p50", "p90", "avg", "min", "max")
    _COLUMNS = ("file", "method", "threads", "executions", "warmup", "instructions")
    _MEMORY = ("peak_resident", "planned", "constants")

    @property
    def p50_ms(self) -> float:
        """Median execution time of the only model, in milliseconds."""
        (model,) = self._values["models"]
        return model["time_ms"]["p50"]

    def _caption(self) -> str:
        return "; ".join(f"{each['file']}: p50 {each['time_ms']['p50']:.4g} ms" for each in self._values["models"])

    def _rows(self) -> Rows:
        names = [*self._COLUMNS, *(f"{name}_ms" for name in self._TIMES), *(f"{name}_bytes" for name in self._MEMORY)]
        rows = [
            [
                *(each.get(name) for name in self._COLUMNS),
                *(each["time_ms"][name] for name in self._TIMES),
                *(each["memory"][name] for name in self._MEMORY),
            ]
            for each in self._values["models"]
        ]
        return names, rows

    def _picture(self) -> str:
        bars = []
        for each in self._values["models"]:
            times = each["time_ms"]
            bars.append((each["file"], times["p50"], f"{times['p50']:.4g} ms", times["min"], times["p90"], "plain"))
        return _native.bar_picture("median execution time, with minimum and p90", bars)


class ThreadsResult(Result):
    """Speedup by number of threads; ``curves`` has the points of each model."""

    _COLUMNS = ("threads", "p50_ms", "speedup", "efficiency")

    def _caption(self) -> str:
        return ", ".join(curve["file"] for curve in self._values["curves"])

    def _rows(self) -> Rows:
        rows = [
            [curve["file"], *(point[name] for name in self._COLUMNS)]
            for curve in self._values["curves"]
            for point in curve["points"]
        ]
        return ("file", *self._COLUMNS), rows

    def _picture(self) -> str:
        bars = [
            (f"{file}, {threads} threads", p50, f"{p50:.4g} ms, {speedup:.2f} x", None, None, "plain")
            for file, threads, p50, speedup, _ in self._rows()[1]
        ]
        return _native.bar_picture("median execution time by number of threads", bars)


class OptionCostsResult(Result):
    """Cost of XNNPACK's load options; ``xnnpack_options`` has each combination, the default first."""

    _COLUMNS = (
        "workspace_sharing_mode",
        "weight_cache",
        "load_ms",
        "load_ratio",
        "first_ms",
        "p50_ms",
        "time_ratio",
        "packed_weights",
        "workspace",
        "memory_ratio",
    )

    def _caption(self) -> str:
        return f"{len(self._values['xnnpack_options'])} combinations of XNNPACK options"

    def _rows(self) -> Rows:
        return self._COLUMNS, [[each[name] for name in self._COLUMNS] for each in self._values["xnnpack_options"]]

    def _picture(self) -> str:
        bars = [
            (
                f"{each['workspace_sharing_mode']}, cache {each['weight_cache']}",
                each["p50_ms"],
                f"{each['p50_ms']:.4g} ms, {each['time_ratio']:.2f} x",
                None,
                None,
                "plain",
            )
            for each in self._values["xnnpack_options"]
        ]
        return _native.bar_picture("median execution time by XNNPACK options", bars)


class RatesResult(Result):
    """Tokens per second of language models; ``cells`` has each measured combination."""

    _COLUMNS = ("file", "threads", "prompt_tokens", "generate_tokens")

    def _caption(self) -> str:
        return f"{len(self._values['cells'])} rates"

    def _rows(self) -> Rows:
        def rate(cell: dict[str, Any], phase: str) -> float | None:
            return cell[phase] and cell[phase]["tokens_per_second"]

        rows = [
            [*(cell[name] for name in self._COLUMNS), rate(cell, "prefill"), rate(cell, "decode")]
            for cell in self._values["cells"]
        ]
        return (*self._COLUMNS, "prefill_tokens_per_second", "decode_tokens_per_second"), rows

    def _picture(self) -> str:
        bars = []
        for file, threads, prompt, generate_, *rates in self._rows()[1]:
            for phase, rate in zip(("prefill", "decode"), rates):
                if rate is not None:
                    label = f"{phase}, {prompt} + {generate_} tokens, {threads} threads: {os.path.basename(file)}"
                    bars.append((label, rate, f"{rate:.4g} tokens/s", None, None, "plain"))
        return _native.bar_picture("tokens per second", bars)


class VerifyResult(Result):
    """Verification of bundled programs; ``files`` has the verdicts."""

    _CASE = ("method", "case")
    _OUTPUT = ("verdict", "message", "type", "elements", "mismatches", "max_abs_error", "max_rel_error", "snr_db", "cosine")

    @property
    def passed(self) -> bool:
        """True if no file failed and none had an error."""
        return not self._values["summary"]["fail"] and not self._values["summary"]["error"]

    @property
    def message(self) -> str:
        """One-line message of the first file that does not pass; empty if all pass."""
        return next((f"{each['file']}: {each['message']}" for each in self._values["files"] if each["message"]), "")

    def _caption(self) -> str:
        summary = self._values["summary"]
        verdicts = ", ".join(f"{summary[name]} {name}" for name in ("pass", "fail", "error"))
        return f"{verdicts}; {summary['cases']} cases" + (f": {self.message}" if self.message else "")

    def _rows(self) -> Rows:
        rows: list[list[Any]] = []
        for file in self._values["files"]:
            for case in file["cases"]:
                place = [file["file"], *(case[name] for name in self._CASE)]
                for at, output in enumerate(case["outputs"]):
                    rows.append([*place, at, *(output[name] for name in self._OUTPUT)])
                if not case["outputs"]:
                    rows.append([*place, None, *(case.get(name) for name in self._OUTPUT)])
            if not file["cases"]:
                rows.append([file["file"], None, None, None, *(file.get(name) for name in self._OUTPUT)])
        return ("file", *self._CASE, "output", *self._OUTPUT), rows

    def _picture(self) -> str:
        bars = []
        for file, method, case, output, verdict, message, *_, snr, _cosine in self._rows()[1]:
            label = os.path.basename(file) if case is None else f"{os.path.basename(file)}: {method} {case}, output {output}"
            exact = "equal" if verdict == "pass" else message
            shown = exact if snr is None else f"{snr:.4g} dB"
            tone = "good" if verdict == "pass" else "bad"
            bars.append((label, float("nan") if snr is None else snr, shown, None, None, tone))
        return _native.bar_picture("signal-to-noise ratio of each output in dB; orange: failed", bars)


class ChecksResult(Result):
    """Checks of language models; ``files`` has the checks of each file."""

    _COLUMNS = ("check", "verdict", "message", "phase", "position", "layer", "place", "measured", "limit")

    @property
    def passed(self) -> bool:
        """True if every check of every file passed or was skipped."""
        return all(file["verdict"] == "pass" for file in self._values["files"])

    def _caption(self) -> str:
        return ", ".join(f"{file['file']}: {file['verdict']}" for file in self._values["files"])

    def _rows(self) -> Rows:
        rows = [
            [file["file"], *(check.get(name) for name in self._COLUMNS)]
            for file in self._values["files"]
            for check in file["checks"]
        ]
        return ("file", *self._COLUMNS), rows

    def _picture(self) -> str | None:
        return None


class GradientsResult(Result):
    """Checks of gradients by finite differences; ``files`` has the parameters of each file."""

    _COLUMNS = ("name", "type", "verdict", "checked", "failed", "unsure")

    @property
    def passed(self) -> bool:
        """True if the gradients of every file agree with the differences."""
        return all(file["verdict"] == "pass" for file in self._values["files"])

    def _caption(self) -> str:
        return ", ".join(f"{file['file']}: {file['verdict']}" for file in self._values["files"])

    def _rows(self) -> Rows:
        rows = [
            [file["file"], *(parameter[name] for name in self._COLUMNS)]
            for file in self._values["files"]
            for parameter in file["parameters"]
        ]
        return ("file", *self._COLUMNS), rows

    def _picture(self) -> str | None:
        return None


class GapResult(Result):
    """Error of every operator against the exported graph; ``rows`` are in execution order."""

    _METRICS = ("mse", "l1", "snr", "cosine", "max_abs", "max_rel", "ulp", "psnr")
    _ROW = ("own_error", "inherited_error", "diverges", "reason", "place", "instruction_id", "backend", "module")
    _ROW += ("sensitivity",)

    @property
    def diverges(self) -> bool:
        """True if an operator's own error exceeds rounding. Only with ``bisect``."""
        return self._values.get("first_divergence") is not None

    @property
    def worst_snr(self) -> float:
        """The smallest signal-to-noise ratio of all operators, in dB."""
        return min((row[5] for row in self._rows()[1] if row[5] is not None), default=float("inf"))

    def _caption(self) -> str:
        first = self._values.get("first_divergence")
        where = f"; first divergence: {', '.join(first['aot_ops'])}" if first else ""
        return f"method {self._values['method']} on {self._values['inputs']}: {len(self._values['rows'])} operators{where}"

    def _rows(self) -> Rows:
        rows = []
        for row in self._values["rows"]:
            names = [", ".join(row["aot_ops"]), ", ".join(row["runtime_ops"])]
            for at, output in enumerate(row["outputs"]):
                rows.append([*names, at, *metrics_of(output), *(row.get(name) for name in self._ROW)])
        return ("aot_ops", "runtime_ops", "output", *self._METRICS, *self._ROW), rows

    def _picture(self) -> str | None:
        dots = []
        for row in self._values["rows"]:
            errors = [output["metrics"]["max_abs"] for output in row["outputs"] if output["metrics"]]
            known = [error for error in errors if error is not None]
            name = ", ".join(row["runtime_ops"] or row["aot_ops"])
            dots.append((name, max(known, default=None), bool(row["diverges"])))
        return _native.gap_picture(dots)


def metrics_of(output: dict[str, Any]) -> list[float | None]:
    """Returns the metrics of one output, including infinite values; None for undefined metrics."""
    metrics, infinite = output["metrics"] or {}, output["infinite"] or {}
    return [float(infinite[name]) if name in infinite else metrics.get(name) for name in GapResult._METRICS]


class CompareResult(Result):
    """Timing comparison of A and B; ``methods`` has the statistical tests of the total and of every operator."""

    _COLUMNS = ("name", "kind", "verdict", "median_a", "median_b", "difference", "ratio", "module")
    _TONES = {"slower": "bad", "faster": "good"}

    @property
    def regressed(self) -> bool:
        """True if B is a regression according to ``fail_on``, tolerances and ``fail_if``."""
        return self._values["regression"]

    def _tests(self) -> list[tuple[str, dict[str, Any]]]:
        found = []
        for method in self._values["methods"]:
            found.append((method["method_b"], {"name": "total", "kind": "total", **method["total"]}))
            found += [(method["method_b"], operator) for operator in method["operators"]]
        return found

    def _caption(self) -> str:
        totals = [test for _, test in self._tests() if test["kind"] == "total"]
        ratios = [f" ({test['ratio']:.3f} x)" if test["ratio"] else "" for test in totals]
        verdicts = ", ".join(test["verdict"] + ratio for test, ratio in zip(totals, ratios))
        return f"{self._values['b']['name']} against {self._values['a']['name']}: {verdicts}; times in {self._values['unit']}"

    def _rows(self) -> Rows:
        unit = self._values["unit"]
        rows = [[method, *(test.get(name) for name in self._COLUMNS), unit] for method, test in self._tests()]
        return ("method", *self._COLUMNS, "unit"), rows

    def _picture(self) -> str:
        bars = []
        for _, test in self._tests():
            if test["difference"] is None:
                continue
            low, high = test["difference_interval"] or (None, None)
            shown = f"{test['difference']:+.4g} {self._values['unit']}, {test['verdict']}"
            bars.append((test["name"], test["difference"], shown, low, high, self._TONES.get(test["verdict"], "faint")))
        return _native.bar_picture(f"difference B - A in {self._values['unit']}, with confidence interval", bars)


class GenerateResult(Result):
    """Text generated for one prompt: ``text``, ``ids`` and measurements."""

    _COLUMNS = ("id", "position", "ms", "execute_ms", "sample_ms", "surprise")

    def _caption(self) -> str:
        rate = self._values["decode"]["tokens_per_second"]
        speed = "" if rate is None else f", {rate:.4g} tokens/s"
        return f"{len(self._values['ids'])} tokens{speed}: {self._values['text'].strip()!r}"

    def _rows(self) -> Rows:
        tokens = self._values["tokens"]
        names = [name for name in self._COLUMNS if name != "surprise" or any(name in token for token in tokens)]
        return columns_of(tokens, names)

    def _picture(self) -> str:
        times = self._values["time_ms"]
        parts = ("load", "tokenize", "prefill", "first_token", "decode", "sample", "total")
        bars = [(name.replace("_", " "), times[name], f"{times[name]:.4g} ms", None, None, "plain") for name in parts]
        return _native.bar_picture("time by phase, in milliseconds", bars)
