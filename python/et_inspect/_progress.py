"""Shows the progress of a process of et-inspect: in a notebook, or on a terminal with tqdm."""

from __future__ import annotations

import html
import json
import sys
from typing import IO, Any, Protocol


class Bar(Protocol):
    """A progress bar of one phase."""

    n: int

    def update(self, more: int) -> Any:
        """Adds to the number of completed steps."""

    def close(self) -> Any:
        """Removes the bar."""


class NotebookBar:
    """A progress bar in the output of a notebook cell; needs no terminal, no JavaScript and no other package."""

    def __init__(self, total: int | None, desc: str) -> None:
        from IPython.display import DisplayHandle

        self.n = 0
        self._total = total
        self._desc = desc
        self._handle = DisplayHandle()
        self._handle.display(self)

    def update(self, more: int) -> None:
        """Adds to the number of completed steps."""
        self.n += more
        self._handle.update(self)

    def close(self) -> None:
        """Removes the bar from the output."""
        from IPython.display import HTML

        self._handle.update(HTML(""))

    def _repr_html_(self) -> str:
        known = f' value="{self.n}" max="{self._total}"' if self._total else ""
        count = f"{self.n:,} of {self._total:,}" if self._total else f"{self.n:,}"
        return f"<progress{known}></progress> {html.escape(self._desc)}, {count}"

    def __repr__(self) -> str:
        return f"{self._desc}, {self.n}/{self._total or '?'}"


def show_progress(lines: IO[bytes], command: str) -> None:
    """Shows the lines of ``--progress json`` until they end; discards them where nothing can be shown."""
    bar: Bar | None = None
    phase = ""
    make = _bars()
    with lines:
        for line in lines:
            if make is None:
                continue
            try:
                now = json.loads(line)
            except ValueError:
                continue
            if bar is None or now["phase"] != phase:
                if bar is not None:
                    bar.close()
                phase = now["phase"]
                bar = None if phase == "done" else make(total=now["total"], desc=f"{command}: {phase}")
            if bar is not None:
                bar.update(now["done"] - bar.n)
    if bar is not None:
        bar.close()


def in_notebook() -> bool:
    """Returns whether the code runs in a Jupyter kernel, which displays HTML. A terminal with IPython does not."""
    # Code that runs in a kernel has imported it.
    shell = sys.modules.get("IPython")
    running = shell and shell.get_ipython()
    return running is not None and getattr(running, "kernel", None) is not None


def _bars() -> Any:
    """Returns a class of bars, or None: neither a notebook nor tqdm on a terminal."""
    if in_notebook():
        return NotebookBar
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    try:
        from tqdm import tqdm
    except ImportError:
        return None
    import functools

    return functools.partial(tqdm, leave=False)
