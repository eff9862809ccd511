"""Workflows that run a model: each in a process of et-inspect of its own, so that a model that crashes costs an exception."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _arguments, _program
from ._arguments import LimitOptions, ModelOptions, PathLike, TimeUnit
from ._document import Result
from ._results import (
    BenchResult,
    ChecksResult,
    CompareResult,
    GapResult,
    GenerateResult,
    RatesResult,
    ThreadsResult,
    VerifyResult,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack


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
    # What was warned of is told once.
    told = [outcome.warnings] + [[] for _ in prompts]
    results = [GenerateResult(line, said, outcome.notes) for line, said in zip(outcome.output.splitlines(), told)]
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
