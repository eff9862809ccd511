"""Conversations with language models, with the names of the C++ class et_inspect::Conversation."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence

from . import _arguments, _child
from ._arguments import PathLike, Paths
from ._results import GenerateResult


class _Native(_child.Served):
    _LOST = "the conversation was lost"


# Numbers of listeners, which no kernel has.
_FIRST_LISTENER = 1 << 32


class Conversation:
    """A language model with its tokenizer and the conversation so far. Each prompt continues after the previous answer.

    >>> chat = Conversation("llama.pte", "tokenizer.json", max_tokens=100)
    >>> answer = chat.say("Hello", on_text=lambda text: print(text, end="", flush=True))
    >>> answer.decode.tokens_per_second

    Args:
        program, tokenizer and options: as of :func:`~et_inspect.generate`; 0 or empty: its default.
        system: first message of a Jinja template.
        memory_limit: limit for planned and growing tensors, in bytes.
        data: external weights (``.ptd``).
        plugins: shared libraries with operators or backends.
    """

    def __init__(
        self,
        program: PathLike,
        tokenizer: PathLike,
        *,
        max_tokens: int = 0,
        seq_len: int = 0,
        start_position: int = 0,
        bos: int = 0,
        eos: Sequence[int] = (),
        ignore_eos: bool = False,
        stops: str | Sequence[str] = (),
        chat_template: str = "",
        system: str = "",
        prefill_chunk: int = 0,
        warmup: bool = False,
        temperature: float = 0.0,
        top_p: float = 0.9,
        top_k: int = 0,
        seed: int = 0,
        surprise: bool = False,
        images: Paths = (),
        audio: Paths = (),
        vision_encoder: PathLike = "",
        audio_encoder: PathLike = "",
        token_embedding: PathLike = "",
        etdump: PathLike = "",
        threads: int = 1,
        memory_limit: int = 8 << 30,
        data: Paths = (),
        plugins: Paths = (),
    ) -> None:
        options = {name: value for name, value in locals().items() if name not in ("self", "program", "tokenizer")}
        options["eos"] = list(eos)
        options["stops"] = _arguments.texts(stops)
        options["temperature"], options["top_p"] = float(temperature), float(top_p)
        options["etdump"] = _plain(etdump)
        for name in ("vision_encoder", "audio_encoder", "token_embedding"):
            options[name] = _plain(options[name])
        for name in ("data", "plugins", "images", "audio"):
            options[name] = _paths(options[name])
        self._native = _child.make(_Native, "Conversation.open", _plain(program), _plain(tokenizer), options, paths=True)

    def say(self, prompt: str, on_text: Callable[[str], object] | None = None) -> GenerateResult:
        """Generates an answer; ``on_text`` receives new text as soon as it is generated.

        Raises:
            ArgumentError: the prompt has no tokens, or more than fit the context.
        """
        if on_text is None:
            return GenerateResult(_child.call("Conversation.say", self._native, prompt, None), [], [])
        functions = _child.functions()
        number = _FIRST_LISTENER + threading.get_ident()
        outer = functions.get(number)
        functions[number] = lambda given, lent: on_text(given[0])
        try:
            return GenerateResult(_child.call("Conversation.say", self._native, prompt, number), [], [])
        finally:
            if outer is None:
                del functions[number]
            else:
                functions[number] = outer

    def stop(self) -> None:
        """Ends the current answer, which is returned as far as it goes. Call it from another thread or from ``on_text``."""
        _child.call("Conversation.stop", self._native)

    def reset(self) -> None:
        """Starts another conversation with the same settings."""
        _child.call("Conversation.reset", self._native)

    def finish_trace(self) -> None:
        """Completes the trace of ``etdump``."""
        _child.call("Conversation.finish_trace", self._native)

    def encode(self, text: str) -> list[int]:
        """Returns the tokens of a text."""
        return list(_child.call("Conversation.encode", self._native, text))

    def decode(self, ids: Sequence[int]) -> str:
        """Returns the text of tokens."""
        return _child.call("Conversation.decode", self._native, list(ids))

    @property
    def context_length(self) -> int:
        """Maximum number of positions."""
        return _child.call("Conversation.context_length", self._native)

    @property
    def vocabulary_size(self) -> int:
        """Number of tokens of the program."""
        return _child.call("Conversation.vocabulary_size", self._native)

    @property
    def position(self) -> int:
        """Number of cached positions."""
        return _child.call("Conversation.position", self._native)

    @property
    def warnings(self) -> list[str]:
        """Inconsistencies that do not prevent running."""
        return list(_child.call("Conversation.warnings", self._native))


def _plain(value: PathLike) -> str:
    return os.fspath(value)


def _paths(value: Paths) -> list[str]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return [_plain(value)]
    return [_plain(each) for each in value]
