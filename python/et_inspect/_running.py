"""Workflows that run a model, each in an et-inspect process: a model that crashes raises an exception."""

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
    GradientsResult,
    OptionCostsResult,
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
    xnnpack_options: bool = False,
    **options: Unpack[ModelOptions],
) -> BenchResult | ThreadsResult | RatesResult | OptionCostsResult:
    """Measures load and execution times. Same as ``et-inspect bench``.

    Default: 10 warm-up and 50 measured executions, one thread.

    Args:
        models: programs or bundled programs.
        threads: 0: one per processor core. Several numbers measure the speedup and return a :class:`ThreadsResult`.
        iterations, warmup: numbers of executions.
        etrecord: the program's ETRecord; delegates of unavailable backends are emulated from it.
        emulate: emulate from the ETRecord next to the program.
        prompt_tokens, generate_tokens: measure prefill and decode of a language model and return a :class:`RatesResult`.
        xnnpack_options: measure each combination of ``workspace_sharing_mode`` and ``weight_cache`` and return an
            :class:`OptionCostsResult`.
        options: see :class:`~et_inspect.ModelOptions`.

    Returns:
        Times in milliseconds, sizes in bytes; a row of the data frame is a model.

    Raises:
        et_inspect.Error: unreadable file, or the model cannot be run; CancelledError: the time limit was reached.
    """
    outcome = _ran("bench", models, ModelOptions, locals())
    kind: type[Result] = BenchResult
    if prompt_tokens is not None or generate_tokens is not None:
        kind = RatesResult
    elif xnnpack_options:
        kind = OptionCostsResult
    elif isinstance(threads, Sequence) and len(threads) > 1:
        kind = ThreadsResult
    return kind(*_told(outcome))  # type: ignore[return-value]


def verify(
    *files: PathLike,
    method: str | None = None,
    case: int | None = None,
    cases: PathLike | None = None,
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
    sanitize: bool = False,
    llm: bool = False,
    tokenizer: PathLike | None = None,
    tokens: int | None = None,
    gradients: bool = False,
    elements: int | None = None,
    gradient_tolerance: float | None = None,
    seed: int | None = None,
    **options: Unpack[LimitOptions],
) -> VerifyResult | ChecksResult | GradientsResult:
    """Runs the cases of bundled programs, each file in a separate process, and checks outputs. Same as ``et-inspect verify``.

    Args:
        files: bundled programs, or folders to search for them.
        method, case: only this method or case.
        cases: bundled program with the cases; default: each file itself.
        iterations: number of runs of all cases.
        rtol, atol: tolerances, for all floating-point dtypes or as ``"float16=1e-2"``.
        steps: allowed difference in quantization steps.
        sqnr: minimum SQNR of outputs, in dB.
        cosine: minimum cosine similarity of outputs.
        top1: require the largest element of every row at the expected index.
        tolerances: a file of tolerances (JSON).
        threads: threads per file.
        jobs: files verified in parallel; 0: one per processor core.
        etrecord, emulate: see :func:`bench`.
        sanitize: check the memory accesses of kernels; a memory error fails the file.
        save_failures: a folder for failed cases.
        llm: check language models instead, with ``tokenizer`` and ``tokens``; returns a :class:`ChecksResult`.
        gradients: check gradients of training programs instead, ``elements`` of each parameter; returns a :class:`GradientsResult`.
        gradient_tolerance: allowed relative error of a gradient.
        seed: seed for random inputs.
        options: see :class:`~et_inspect.LimitOptions`.

    Returns:
        ``passed`` is True if all files passed; a failed file raises no exception. A row of the data frame is an output.
    """
    outcome = _ran("verify", files, LimitOptions, locals())
    if gradients:
        return GradientsResult(*_told(outcome))
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
    sanitize: bool = False,
    memory_report: PathLike | None = None,
    threads: int | None = None,
    **options: Unpack[ModelOptions],
) -> GapResult:
    """Compares every operator's results, including inside delegates, with the exported graph. Same as ``et-inspect gap``.

    Args:
        files: an ETRecord with a program, or with a trace and its debug buffer, recognized by content.
        etrecord, program, etdump, debug_buffer: the same files by name.
        bisect: find the first operator whose own error exceeds rounding.
        tolerance: allowed own error, as a multiple of the rounding error.
        precision: of the reference: the exported dtypes, or float64 for all floating-point values.
        metric: metric for the ``gap`` of rows: ``"mse"``, ``"l1"``, ``"snr"``, …
        input_sets: input sets to run: ``"bundled"``, ``"random:5"``, ``"extreme"``, … (``--inputs``).
        save_tensors: a folder for both tensors of every row (``.npy``).
        sanitize: check the memory accesses of kernels; ``json["memory_errors"]`` lists errors.
        memory_report: a file for them, JUnit XML if it ends in ``.xml``.
        threads: threads of the program.
        options: see :class:`~et_inspect.ModelOptions`.

    Returns:
        ``diverges`` is True if an operator diverges; a row of the data frame is an output of an operator; the picture shows
        the largest error of each operator.
    """
    return GapResult(*_told(_ran("gap", files, ModelOptions, locals())))


def compare(
    a: PathLike,
    b: PathLike,
    *,
    etrecord_before: PathLike | None = None,
    etrecord_after: PathLike | None = None,
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
    time: float | None = None,
    source_time_scale: TimeUnit | None = None,
    delegate_time_scale: str | Sequence[str] | None = None,
    junit: PathLike | None = None,
    **options: Unpack[ModelOptions],
) -> CompareResult:
    """Tests whether a model became slower, and which operators did. Same as ``et-inspect compare``.

    Args:
        a, b: traces, programs or names of baselines: before, after.
        etrecord_before, etrecord_after: ETRecords of ``a`` and ``b``, for matching operators by debug handle.
        store: the store of baselines.
        threshold: ignore differences up to this percentage (default: 2).
        confidence: in percent (default: 95).
        fail_on: regression criterion: a slower total; a slower total or operator; or never.
        check_outputs: outputs out of tolerance are also a regression.
        rtol, atol: tolerances of outputs; imply ``check_outputs``.
        fail_if: conditions on B alone that are a regression: ``"p50>5ms"``, ``"size>4MB"``, ``"peak>64MB"``.
        threads, iterations, warmup, launches: for measuring programs.
        time: seconds for two programs (default: 30).
        source_time_scale: the unit of the traces' clocks.
        delegate_time_scale: the unit of times inside delegates: ``"us"``, ``"VulkanBackend=800MHz"``.
        junit: path of a JUnit report to write.
        options: see :class:`~et_inspect.ModelOptions`.

    Returns:
        ``regressed`` is True for a regression, which raises no exception. A row of the data frame is the total or an operator;
        medians and differences are in ``unit``.
    """
    return CompareResult(*_told(_ran("compare", [a, b], ModelOptions, locals())))


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
    seq_len: int | None = None,
    start_position: int | None = None,
    bos: int | None = None,
    eos: Sequence[int] = (),
    ignore_eos: bool = False,
    stops: str | Sequence[str] = (),
    chat_template: str | None = None,
    prefill_chunk: int | None = None,
    warmup: bool = False,
    temperature: float | None = None,
    top_p: float | None = None,
    top_k: int | None = None,
    seed: int | None = None,
    surprise: bool = False,
    images: PathLike | Sequence[PathLike] = (),
    audio: PathLike | Sequence[PathLike] = (),
    vision_encoder: PathLike | None = None,
    audio_encoder: PathLike | None = None,
    token_embedding: PathLike | None = None,
    etdump: PathLike | None = None,
    threads: int | None = None,
    **options: Unpack[LimitOptions],
) -> GenerateResult | list[GenerateResult]:
    """Generates text with a language model, and measures it. Same as ``et-inspect generate``.

    Args:
        model: a program or bundled program.
        tokenizer: ``tokenizer.json`` or its folder, SentencePiece, tiktoken ranks, ``tekken.json``, ``tokenizer.bin``.
        prompt: one or several texts; each continues after the previous answer.
        max_tokens: maximum number of tokens to generate.
        seq_len: maximum number of tokens, prompts included.
        start_position: position of the first prompt; the cache before it keeps its initial values.
        bos: number of BOS tokens before the first prompt.
        eos: end tokens; default: those of the program, else of the tokenizer.
        ignore_eos: continue after an end-of-sequence token.
        stops: stop before these texts.
        chat_template: template for each prompt; ``{prompt}`` is replaced by the prompt.
        prefill_chunk: maximum number of tokens per prefill call.
        warmup: run each method once before measuring.
        temperature, top_p, top_k, seed: sampling parameters; default: the most likely token.
        surprise: report the surprise of each token: -ln of its probability.
        images, audio: files for ``<image>`` and ``<audio>`` in the prompts; without these: before the first prompt.
        vision_encoder, audio_encoder, token_embedding: programs with these methods; default: ``model``.
        etdump: path of a trace to write.
        threads: threads of the program.
        options: see :class:`~et_inspect.LimitOptions`.

    Returns:
        A result for one prompt, a list for several. Times in milliseconds; a row of the data frame is a token.
    """
    given = locals()
    prompts = [prompt] if isinstance(prompt, str) else list(prompt)
    if not prompts:
        raise ValueError("prompt: expected a text or a sequence of texts")
    with _arguments.with_prompts(prompts) as texts:
        outcome = _ran("generate", [model], LimitOptions, {**given, "prompt": texts})
    # Warn once, not for every prompt.
    told = [outcome.warnings] + [[] for _ in prompts]
    results = [GenerateResult(line, said, outcome.notes) for line, said in zip(outcome.output.splitlines(), told)]
    return results[0] if isinstance(prompt, str) else results


# Parameters of the functions that are not options.
_NOT_OPTIONS = {"models", "files", "a", "b", "model", "options"}


def _ran(command: str, files: Sequence[PathLike], accepted: type, given: dict[str, Any]) -> _program.Outcome:
    """Runs a command. ``given``: all arguments of its function, whose further options have the type ``accepted``."""
    further = given["options"]
    _arguments.check(command, further, accepted)
    own = {name: value for name, value in given.items() if name not in _NOT_OPTIONS}
    named = [_arguments.path(file) for file in files]
    with _arguments.with_arrays({**own, **further}) as options:
        others = [os.fspath(value) for value in options.values() if isinstance(value, (str, os.PathLike))]
        return _program.run(command, _arguments.flags(command, **options), positional=named, files=[*named, *others])


def _told(outcome: _program.Outcome) -> tuple[str, list[str], list[str]]:
    return outcome.output, outcome.warnings, outcome.notes
