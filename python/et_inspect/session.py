"""Sessions: linked files that can be queried in SQL, saved as one file and opened in et-studio."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from . import _native, _program
from ._arguments import PathLike, TimeUnit, path, texts
from ._display import Rows, Shown
from ._document import Fields, warn

if TYPE_CHECKING:
    import pandas as pd

    from ._reading import FindingsResult, GraphResult
    from ._results import GapResult, VerifyResult
    from .devtools import Inspector
    from .devtools.etrecord import ETRecord

# Kinds of files in a session, in display order.
_KINDS = ("program", "bundle", "record", "trace", "debug_buffer", "tensor_data")


class Artifact(Fields, Shown):
    """A program or bundled program, with the output of ``et-inspect info --format json`` as attributes.

    Attributes:
        path: path of the file.
        external_data: whether it belongs to the weights of the session; missing if it needs none.
    """

    def __init__(self, file: str, others: Sequence[str] = ()) -> None:
        import json

        super().__init__(json.loads(_native.describe(file, others)))
        self.path = file

    @cached_property
    def graph(self) -> GraphResult:
        """The instructions as a graph."""
        from ._reading import graph

        return graph(self.path)

    def _caption(self) -> str:
        return f"{self._values['kind']} {self.path}, {self._values['bytes']:,} bytes"

    def _picture(self) -> str | None:
        return self.graph.to_svg()

    def __repr__(self) -> str:
        return f"<Artifact: {self._caption()}>"


class Session(Shown):
    """Linked files of one model. As a context manager, it removes unpacked files on exit.

    Attributes:
        files: path by kind of file: ``program``, ``bundle``, ``record``, ``trace``, ``debug_buffer``, ``tensor_data``; files
            of a saved session are unpacked to a temporary folder until the session is closed.
        warnings: contradictions between files, one line each.
    """

    def __init__(
        self,
        *files: PathLike,
        method: str = "",
        source_time_scale: TimeUnit = "ns",
        delegate_time_scale: str | Sequence[str] | None = None,
    ) -> None:
        if not files:
            raise ValueError("expected a session or other files")
        self._given = [path(file) for file in files]
        self._delegate_scale = texts(delegate_time_scale)
        self._native = _native.Session.open(self._given, method, source_time_scale, self._delegate_scale)
        self._scale = source_time_scale
        self._cleanup = contextlib.ExitStack()
        self.warnings: list[str] = self._native.warnings
        for line in self.warnings:
            warn(line)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Removes the unpacked files of a saved session. The session remains usable."""
        self._cleanup.close()
        self.__dict__.pop("files", None)

    @cached_property
    def files(self) -> dict[str, str]:
        """Path by kind of file."""
        if not self._native.stored:
            return self._native.files
        folder = self._cleanup.enter_context(tempfile.TemporaryDirectory(prefix="et-inspect-"))
        return self._native.extract(folder)

    @cached_property
    def trace(self) -> Inspector | None:
        """The events of the trace; None without one."""
        if "trace" not in self.files:
            return None
        from .devtools import Inspector
        from .devtools.inspector import TimeScale

        scale = TimeScale(self._scale)
        return Inspector(
            etdump_path=self.files["trace"],
            etrecord=self.record,
            debug_buffer_path=self.files.get("debug_buffer"),
            source_time_scale=scale,
            target_time_scale=scale if scale == TimeScale.CYCLES else TimeScale.MS,
            delegate_time_scale=self._delegate_scale,
            profiles=self._native.profiles,
        )

    @cached_property
    def record(self) -> ETRecord | None:
        """The ETRecord; None without one."""
        if "record" not in self.files:
            return None
        from .devtools.etrecord import parse_etrecord

        return parse_etrecord(self.files["record"])

    @cached_property
    def program(self) -> Artifact | None:
        """The program; None without one."""
        return self._artifact("program")

    @cached_property
    def bundle(self) -> Artifact | None:
        """The bundled program; None without one."""
        return self._artifact("bundle")

    def sql(self, query: str, *, limit: int = 0) -> pd.DataFrame:
        """Runs a read-only SQL query (SQLite). ``tables()`` lists the tables.

        Args:
            query: one or several statements; the result of the last one is returned.
            limit: maximum number of rows; 0: all.

        Raises:
            et_inspect.errors.ArgumentError: invalid SQL, or a statement that writes; the message names the location.
        """
        import pandas as pd

        answers = self._native.ask(query, limit)
        if not answers:
            return pd.DataFrame()
        names, columns, _ = answers[-1]
        return pd.DataFrame(dict(zip(names, columns)), columns=names)

    def tables(self) -> pd.DataFrame:
        """Returns the tables and views that :meth:`sql` can query, with their numbers of rows."""
        import pandas as pd

        listed = self.sql("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")
        rows = [(name, self.sql(f'SELECT count(*) AS n FROM "{name}"')["n"][0]) for name in listed["name"]]
        return pd.DataFrame(rows, columns=["table", "rows"])

    def findings(self) -> FindingsResult:
        """Finds wasted time and memory."""
        from ._reading import FindingsResult

        return FindingsResult(self._native.findings())

    def save(
        self,
        file: PathLike,
        *,
        gap: GapResult | PathLike | None = None,
        verify: VerifyResult | PathLike | None = None,
        notes: Sequence[str] = (),
        force: bool = False,
    ) -> None:
        """Writes the session to one self-contained file. Same as ``et-inspect session save``.

        Args:
            file: output path; written atomically.
            gap, verify: results to include, or paths of their JSON files.
            notes: notes on the session.
            force: replace a session that has notes.
        """
        with contextlib.ExitStack() as stack:
            known = [_document_file(each, stack) for each in (gap, verify)]
            self._native.save(path(file), *known, list(notes), force)

    def studio(self) -> subprocess.Popen[bytes]:
        """Starts et-studio with the files, without waiting for it. Returns its process."""
        return subprocess.Popen(
            [_program.find("et-studio"), *(os.path.abspath(file) for file in self._given)],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _artifact(self, kind: str) -> Artifact | None:
        others = [self.files[other] for other in ("record", "tensor_data") if other in self.files]
        return Artifact(self.files[kind], others) if kind in self.files else None

    def _caption(self) -> str:
        return "session of " + ", ".join(f"{kind} {os.path.basename(name)}" for kind, name in self._named())

    def _named(self) -> list[tuple[str, str]]:
        return [(kind, self._native.files[kind]) for kind in _KINDS if kind in self._native.files]

    def _rows(self) -> Rows | None:
        if "trace" in self._native.files:
            return self.trace._rows()  # type: ignore[union-attr]
        return ("kind", "file"), self._named()

    def _picture(self) -> str | None:
        if "trace" in self._native.files:
            return self.trace._picture()  # type: ignore[union-attr]
        shown = self.program or self.bundle
        return None if shown is None else shown._picture()

    def __repr__(self) -> str:
        return f"<Session: {self._caption()}>"


def open(  # noqa: A001: et_inspect.open
    *files: PathLike,
    method: str = "",
    source_time_scale: TimeUnit = "ns",
    delegate_time_scale: str | Sequence[str] | None = None,
) -> Session:
    """Opens a session file, or links programs, ETRecords, traces, profiles and debug buffers, in any order.

    >>> with et_inspect.open("model.pte", "model.etrecord", "trace.etdp") as session:
    ...     session.sql("SELECT name, p50 FROM events ORDER BY p50 DESC LIMIT 10")

    Args:
        files: files, recognized by content.
        method: the method that was traced; default: the matching method.
        source_time_scale: the unit of the trace's clock.
        delegate_time_scale: the unit of times inside delegates: ``"us"``, ``"VulkanBackend=800MHz"``.

    Raises:
        et_inspect.Error: a file cannot be read, or two files are of the same kind.
    """
    return Session(
        *files, method=method, source_time_scale=source_time_scale, delegate_time_scale=delegate_time_scale
    )


def findings(
    *files: PathLike | Session,
    method: str = "",
    source_time_scale: TimeUnit = "ns",
    delegate_time_scale: str | Sequence[str] | None = None,
) -> FindingsResult:
    """Finds wasted time and memory. Same as ``et-inspect findings``.

    Args:
        files: a session file, or programs, ETRecords, traces and debug buffers in any order; or a :class:`Session`.
        method: the method that was traced.
        source_time_scale: the unit of the trace's clock.
        delegate_time_scale: the unit of times inside delegates: ``"us"``, ``"VulkanBackend=800MHz"``.

    Returns:
        Findings, costliest first; a row of the data frame is a finding.
    """
    from ._reading import FindingsResult

    if len(files) == 1 and isinstance(files[0], Session):
        return files[0].findings()
    given = [path(file) for file in files]
    native = _native.Session.open(given, method, source_time_scale, texts(delegate_time_scale))
    return FindingsResult(native.findings(), native.warnings)


def _document_file(given: Any, stack: contextlib.ExitStack) -> str:
    """Returns the path of a file with the result's JSON; empty if no result was given."""
    if given is None:
        return ""
    if isinstance(given, (str, os.PathLike)):
        return path(given)
    import json

    file = stack.enter_context(tempfile.NamedTemporaryFile("w", suffix=".json", prefix="et-inspect-"))
    json.dump(given.to_json(), file)
    file.flush()
    return file.name
