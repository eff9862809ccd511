"""Workflows that run a model: each in a process of et-inspect of its own, so that a model that crashes costs an exception."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _arguments, _native, _program
from ._arguments import LimitOptions, ModelOptions, PathLike, Paths, TimeUnit
from ._display import Rows
from ._document import Result, columns_of

if TYPE_CHECKING:
    from typing_extensions import Unpack


class BenchResult(Result):
    """How fast models load and run; ``models`` has the figures of each."""

    _TIMES = ("load", "first", "p50", "p90", "avg", "min", "max")
    _COLUMNS = ("file", "method", "threads", "executions", "warmup", "instructions")
    _MEMORY = ("peak_resident", "planned", "constants")

    @property
    def p50_ms(self) -> float:
        """The median of the executions of the only model, in milliseconds."""
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
        return _native.bar_picture("median of the executions; from the shortest one to p90", bars)


class ThreadsResult(Result):
    """How much faster more threads are; ``curves`` has the points of each model."""

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
        return _native.bar_picture("median of the executions by number of threads", bars)


class RatesResult(Result):
    """Tokens per second of language models; ``cells`` has each combination that was measured."""

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
            for phase, rate in zip(("prefill", "decode"), rates, strict=True):
                if rate is not None:
                    label = f"{phase}, {prompt} + {generate_} tokens, {threads} threads: {os.path.basename(file)}"
                    bars.append((label, rate, f"{rate:.4g} tokens/s", None, None, "plain"))
        return _native.bar_picture("tokens per second", bars)


class VerifyResult(Result):
    """What became of the cases of bundled programs; ``files`` has the verdicts."""

    _CASE = ("method", "case")
    _OUTPUT = ("verdict", "message", "type", "elements", "mismatches", "max_abs_error", "max_rel_error", "snr_db", "cosine")

    @property
    def passed(self) -> bool:
        """Every file has every output that it has to have."""
        return not self._values["summary"]["fail"] and not self._values["summary"]["error"]

    @property
    def message(self) -> str:
        """One line: what is wrong with the first file that does not pass; empty where all do."""
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
        return _native.bar_picture("signal to noise of each output in dB; orange: does not pass", bars)


class ChecksResult(Result):
    """What was checked of language models; ``files`` has the checks of each."""

    _COLUMNS = ("check", "verdict", "message", "phase", "position", "layer", "place", "measured", "limit")

    @property
    def passed(self) -> bool:
        """Every check of every file passes or was skipped."""
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


class GapResult(Result):
    """How far every operator is from the exported graph; ``rows`` are in execution order."""

    _METRICS = ("mse", "l1", "snr", "cosine", "max_abs", "max_rel", "ulp", "psnr")
    _ROW = ("own_error", "inherited_error", "diverges", "reason", "place", "instruction_id", "backend", "module")

    @property
    def diverges(self) -> bool:
        """An operator has an error of its own that rounding does not explain. Only with ``bisect``."""
        return self._values.get("first_divergence") is not None

    @property
    def worst_snr(self) -> float:
        """The smallest signal to noise ratio of all operators, in dB."""
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
                rows.append([*names, at, *metrics_of(output), *(row[name] for name in self._ROW)])
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
    """The metrics of an output of a row, infinite ones as such; None where they are not defined."""
    metrics, infinite = output["metrics"] or {}, output["infinite"] or {}
    return [float(infinite[name]) if name in infinite else metrics.get(name) for name in GapResult._METRICS]


class CompareResult(Result):
    """Whether B became slower than A, and where; ``methods`` has the tests of the total and of every operator."""

    _COLUMNS = ("name", "kind", "verdict", "median_a", "median_b", "difference", "ratio", "module")
    _TONES = {"slower": "bad", "faster": "good"}

    @property
    def regressed(self) -> bool:
        """What ``fail_on``, tolerances and ``fail_if`` call a regression."""
        return self._values["regression"]

    def _tests(self) -> list[tuple[str, dict[str, Any]]]:
        found = []
        for method in self._values["methods"]:
            found.append((method["method_b"], {"name": "total", "kind": "total", **method["total"]}))
            found += [(method["method_b"], operator) for operator in method["operators"]]
        return found

    def _caption(self) -> str:
        totals = [test for _, test in self._tests() if test["kind"] == "total"]
        verdicts = ", ".join(f"{test['verdict']} ({test['ratio']:.3f} x)" if test["ratio"] else test["verdict"] for test in totals)
        return f"{self._values['b']['name']} against {self._values['a']['name']}: {verdicts}"

    def _rows(self) -> Rows:
        rows = [[method, *(test.get(name) for name in self._COLUMNS)] for method, test in self._tests()]
        return ("method", *self._COLUMNS), rows

    def _picture(self) -> str:
        bars = []
        for _, test in self._tests():
            if test["difference"] is None:
                continue
            low, high = test["difference_interval"] or (None, None)
            shown = f"{test['difference']:+.4g} {self._values['unit']}, {test['verdict']}"
            bars.append((test["name"], test["difference"], shown, low, high, self._TONES.get(test["verdict"], "faint")))
        return _native.bar_picture(f"difference B - A in {self._values['unit']}, with its interval", bars)


class GenerateResult(Result):
    """What a language model generated for one prompt: ``text``, ``ids`` and figures."""

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
        return _native.bar_picture("where the time went, in milliseconds", bars)


def bench(
    *models: PathLike,
    threads: int | Sequence[int] | None = None,
    iterations: int | None = None,
    warmup: int | None = None,
    etrecord: PathLike | None = None,
    emulate: bool = False,
    prompt_tokens: int | Sequence[int] | None = None,
    generate_tokens: int | Sequence[int] | None = None,
    **options: Unpack[ModelOptions],
) -> BenchResult | ThreadsResult | RatesResult:
    """How fast models load and run. As ``et-inspect bench``: 10 executions to warm up, 50 measured ones, one thread.

    Args:
        models: programs or bundled programs.
        threads: 0: one a processor core. Of several numbers, how much faster each is: a :class:`ThreadsResult`.
        iterations, warmup: numbers of executions.
        etrecord: of the program; delegates of backends that are not here are emulated from it.
        emulate: do so from the ETRecord beside the program.
        prompt_tokens, generate_tokens: of a language model, measure prefill and decode: a :class:`RatesResult`.
        options: see :class:`~et_inspect.ModelOptions`.

    Returns:
        Times in milliseconds, sizes in bytes; a row of the data frame is a model.

    Raises:
        et_inspect.Error: a file that cannot be read, a model that cannot be run; CancelledError: a time limit.
    """
    _arguments.check("bench", options, ModelOptions)
    with _arguments.with_files(options) as known:
        outcome = _ran(
            "bench",
            models,
            threads=_joined(threads),
            iterations=iterations,
            warmup=warmup,
            etrecord=etrecord,
            emulate=emulate,
            prompt_tokens=_joined(prompt_tokens),
            generate_tokens=_joined(generate_tokens),
            **known,
        )
    kind: type[Result] = BenchResult
    if prompt_tokens is not None or generate_tokens is not None:
        kind = RatesResult
    elif isinstance(threads, Sequence) and len(threads) > 1:
        kind = ThreadsResult
    return kind(*_told(outcome))  # type: ignore[return-value]


def verify(
    *files: PathLike,
    method: str | None = None,
    case: int | None = None,
    iterations: int | None = None,
    rtol: float | str | Sequence[float | str] | None = None,
    atol: float | str | Sequence[float | str] | None = None,
    steps: float | None = None,
    sqnr: float | None = None,
    cosine: float | None = None,
    top1: bool = False,
    tolerances: PathLike | None = None,
    threads: int | None = None,
    jobs: int | None = None,
    etrecord: PathLike | None = None,
    emulate: bool = False,
    save_failures: PathLike | None = None,
    llm: bool = False,
    tokenizer: PathLike | None = None,
    tokens: int | None = None,
    seed: int | None = None,
    **options: Unpack[LimitOptions],
) -> VerifyResult | ChecksResult:
    """Runs the cases of bundled programs and checks their outputs, each file in a process of its own. As ``et-inspect verify``.

    Args:
        files: bundled programs, or folders to search for them.
        method, case: only these.
        iterations: run all cases so many times.
        rtol, atol: tolerances, for all floating dtypes or as ``"float16=1e-2"``.
        steps: of quantization that outputs may be off by.
        sqnr: in dB, that outputs have to keep.
        cosine: similarity that outputs have to keep.
        top1: the largest element of every row has to be in its place.
        tolerances: a file of tolerances (JSON).
        threads: of one file.
        jobs: files at a time; 0: one a processor core.
        etrecord, emulate: as of :func:`bench`.
        save_failures: a folder for the cases that do not pass.
        llm: check language models instead: a :class:`ChecksResult`; with ``tokenizer`` and ``tokens`` to try.
        seed: of random inputs.
        options: see :class:`~et_inspect.LimitOptions`.

    Returns:
        ``passed`` says whether all did; a file that does not is no exception. A row of the data frame is an output.
    """
    _arguments.check("verify", options, LimitOptions)
    outcome = _ran(
        "verify",
        files,
        method=method,
        case=case,
        iterations=iterations,
        rtol=rtol,
        atol=atol,
        steps=steps,
        sqnr=sqnr,
        cosine=cosine,
        top1=top1,
        tolerances=tolerances,
        threads=threads,
        jobs=jobs,
        etrecord=etrecord,
        emulate=emulate,
        save_failures=save_failures,
        llm=llm,
        tokenizer=tokenizer,
        tokens=tokens,
        seed=seed,
        **options,
    )
    return ChecksResult(*_told(outcome)) if llm else VerifyResult(*_told(outcome))


def gap(
    *files: PathLike,
    etrecord: PathLike | None = None,
    program: PathLike | None = None,
    etdump: PathLike | None = None,
    debug_buffer: PathLike | None = None,
    bisect: bool = False,
    tolerance: float | None = None,
    precision: Literal["exported", "double"] | None = None,
    metric: str | None = None,
    input_sets: str | Sequence[str] | None = None,
    save_tensors: PathLike | None = None,
    threads: int | None = None,
    **options: Unpack[ModelOptions],
) -> GapResult:
    """How far the results of every operator are from the exported graph, also inside delegates. As ``et-inspect gap``.

    Args:
        files: an ETRecord with a program, or with a trace and its debug buffer, told apart by content.
        etrecord, program, etdump, debug_buffer: the same by name.
        bisect: find the first operator whose own error rounding does not explain.
        tolerance: own error that is allowed, as a multiple of what rounding explains.
        precision: of the reference: the exported dtypes, or all floats in double.
        metric: of the ``gap`` of rows: ``"mse"``, ``"l1"``, ``"snr"``, …
        input_sets: what to run on: ``"bundled"``, ``"random:5"``, ``"extreme"``, … (``--inputs``).
        save_tensors: a folder for both tensors of every row (``.npy``).
        threads: of the program.
        options: see :class:`~et_inspect.ModelOptions`.

    Returns:
        ``diverges`` says whether an operator does; a row of the data frame is an output of an operator; the picture has the
        largest error of each operator.
    """
    _arguments.check("gap", options, ModelOptions)
    with _arguments.with_files(options) as known:
        outcome = _ran(
            "gap",
            files,
            etrecord=etrecord,
            program=program,
            etdump=etdump,
            debug_buffer=debug_buffer,
            bisect=bisect,
            tolerance=tolerance,
            precision=precision,
            metric=metric,
            save_tensors=save_tensors,
            threads=threads,
            **known,
            more=[] if input_sets is None else [f"--inputs={_joined(input_sets)}"],
        )
    return GapResult(*_told(outcome))


def compare(
    a: PathLike,
    b: PathLike,
    *,
    etrecord_a: PathLike | None = None,
    etrecord_b: PathLike | None = None,
    store: PathLike | None = None,
    threshold: float | None = None,
    confidence: float | None = None,
    fail_on: Literal["total", "operator", "never"] | None = None,
    check_outputs: bool = False,
    rtol: float | str | Sequence[float | str] | None = None,
    atol: float | str | Sequence[float | str] | None = None,
    fail_if: str | Sequence[str] | None = None,
    threads: int | None = None,
    iterations: int | None = None,
    warmup: int | None = None,
    launches: int | None = None,
    time_limit: float | None = None,
    source_time_scale: TimeUnit | None = None,
    junit: PathLike | None = None,
    **options: Unpack[ModelOptions],
) -> CompareResult:
    """Whether a model became slower, and where. As ``et-inspect compare``.

    Args:
        a, b: traces, programs or names of baselines: before, after.
        etrecord_a, etrecord_b: which match operators by debug handle.
        store: of baselines.
        threshold: ignore differences up to so many percent (default: 2).
        confidence: in percent (default: 95).
        fail_on: what counts as a regression: a slower total, any slower operator as well, or neither.
        check_outputs: outputs out of tolerance do, too.
        rtol, atol: tolerances of outputs, which imply that.
        fail_if: what B must not be, whatever A is: ``"p50>5ms"``, ``"size>4MB"``, ``"peak>64MB"``.
        threads, iterations, warmup, launches: of the programs.
        time_limit: seconds for two programs (default: 30).
        source_time_scale: the unit of the traces' clocks.
        junit: a file for a JUnit report.
        options: see :class:`~et_inspect.ModelOptions`.

    Returns:
        ``regressed`` says it; a regression is no exception. A row of the data frame is the total or an operator.
    """
    _arguments.check("compare", options, ModelOptions)
    with _arguments.with_files(options) as known:
        outcome = _ran(
            "compare",
            [a, b],
            etrecord_a=etrecord_a,
            etrecord_b=etrecord_b,
            store=store,
            threshold=threshold,
            confidence=confidence,
            fail_on=fail_on,
            check_outputs=check_outputs,
            rtol=rtol,
            atol=atol,
            fail_if=fail_if,
            threads=threads,
            iterations=iterations,
            warmup=warmup,
            launches=launches,
            time_limit=time_limit,
            source_time_scale=source_time_scale,
            junit=junit,
            **known,
        )
    return CompareResult(*_told(outcome))


@overload
def generate(model: PathLike, tokenizer: PathLike, prompt: str, **options: Any) -> GenerateResult: ...
@overload
def generate(model: PathLike, tokenizer: PathLike, prompt: Sequence[str], **options: Any) -> list[GenerateResult]: ...
def generate(
    model: PathLike,
    tokenizer: PathLike,
    prompt: str | Sequence[str],
    *,
    max_tokens: int | None = None,
    bos: int | None = None,
    ignore_eos: bool = False,
    stops: str | Sequence[str] = (),
    chat_template: str | None = None,
    prefill_chunk: int | None = None,
    temperature: float | None = None,
    top_p: float | None = None,
    top_k: int | None = None,
    seed: int | None = None,
    surprise: bool = False,
    etdump: PathLike | None = None,
    threads: int | None = None,
    **options: Unpack[LimitOptions],
) -> GenerateResult | list[GenerateResult]:
    """Generates text with a language model, and measures it. As ``et-inspect generate``.

    Args:
        model: a program or bundled program.
        tokenizer: ``tokenizer.json`` or its folder, a SentencePiece model, tiktoken ranks, ``tekken.json``, ``tokenizer.bin``.
        prompt: a text; of several, each goes on where the answer before ended.
        max_tokens: stop after so many.
        bos: tokens before the first prompt.
        ignore_eos: go on after an end token.
        stops: stop before these texts.
        chat_template: what a prompt becomes; ``{prompt}`` is the prompt.
        prefill_chunk: tokens of a call at most.
        temperature, top_p, top_k, seed: of sampling; the most likely token is taken by default.
        surprise: say how surprising each token was.
        etdump: a file for a trace.
        threads: of the program.
        options: see :class:`~et_inspect.LimitOptions`.

    Returns:
        Of one prompt a result, of several a list. Times in milliseconds; a row of the data frame is a token.
    """
    _arguments.check("generate", options, LimitOptions)
    prompts = [prompt] if isinstance(prompt, str) else list(prompt)
    if not prompts or any(each.startswith("@") for each in prompts):
        raise ValueError("prompt: expected texts that do not begin with @, which names a file on the command line")
    outcome = _ran(
        "generate",
        [model],
        tokenizer=tokenizer,
        prompt=prompts,
        max_tokens=max_tokens,
        bos=bos,
        ignore_eos=ignore_eos,
        stop=[stops] if isinstance(stops, str) else list(stops),
        chat_template=chat_template,
        prefill_chunk=prefill_chunk,
        temperature=temperature,
        top_p=top_p,
        top_k=top_k,
        seed=seed,
        surprise=surprise,
        etdump=etdump,
        threads=threads,
        **options,
    )
    results = [GenerateResult(line, outcome.warnings if at == 0 else (), outcome.notes) for at, line in enumerate(outcome.output.splitlines())]
    return results[0] if isinstance(prompt, str) else results


def _ran(verb: str, files: Sequence[PathLike], *, more: Sequence[str] = (), **options: Any) -> _program.Outcome:
    named = [_arguments.path(file) for file in files]
    others = [os.fspath(value) for value in options.values() if isinstance(value, (str, os.PathLike))]
    return _program.run(verb, [*_arguments.flags(**options), *more, *named], files=[*named, *others])


def _told(outcome: _program.Outcome) -> tuple[str, list[str], list[str]]:
    return outcome.output, outcome.warnings, outcome.notes


def _joined(value: Any) -> str | None:
    """Several values of one option as it takes them: separated by commas."""
    if value is None:
        return None
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
