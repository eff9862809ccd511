"""Entries of ETRecord files: graphs of torch or of other ETRecords, handle maps, tensors."""

from __future__ import annotations

import contextlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ... import _native, errors
from ..._values import Inputs

IDENTIFIER = "ETRECORD_V0"
EXPORTED = "exported_program"
EXPORT_GRAPH_ID = "export_graph_id"
EDGE = "edge_dialect_exported_program"
HANDLES = "debug_handle_map"
DELEGATES = "delegate_map"
OUTPUT_COUNTS = "instruction_id_to_num_outs_map"
REFERENCE_OUTPUTS = "reference_outputs"
REPRESENTATIVE_INPUTS = "representative_inputs"
# A graph is stored as JSON, with its tensors in archives of these endings.
PARTS = ("", "_state_dict", "_constants", "_example_inputs")
RESERVED = (EXPORTED, EXPORT_GRAPH_ID, EDGE, "et_dialect_graph_module", HANDLES, DELEGATES, OUTPUT_COUNTS,
            REFERENCE_OUTPUTS, REPRESENTATIVE_INPUTS)

Entries = dict[str, bytes]


@contextlib.contextmanager
def _opened(path: str | os.PathLike) -> Iterator[zipfile.ZipFile]:
    """Opens an ETRecord file.

    Raises:
        FormatError: the file is damaged.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeDecodeError) as error:
        raise errors.FormatError(f"{os.fspath(path)}: not a readable zip: {error}") from error


def names(path: str | os.PathLike) -> list[str]:
    """Returns the names of all entries of an ETRecord file."""
    with _opened(path) as archive:
        return archive.namelist()


def read(path: str | os.PathLike) -> Entries:
    """Returns all entries of an ETRecord file."""
    with _opened(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path: str | os.PathLike, entries: Mapping[str, bytes]) -> None:
    """Writes an ETRecord file. Entries are stored, as ExecuTorch stores them."""
    with zipfile.ZipFile(path, "w") as archive:
        for name in [IDENTIFIER, *(each for each in entries if each != IDENTIFIER)]:
            # A fixed time makes equal records equal files.
            archive.writestr(zipfile.ZipInfo(name), entries.get(name, b""))


def copied_graph(source: str | os.PathLike, old: str, new: str) -> Entries:
    """Returns the entries of a graph of another file under a new name."""
    with _opened(source) as archive:
        stored = set(archive.namelist())
        # In files of 2023 the entry of the Edge graph does not have the name of the method.
        name = EDGE if old not in stored and old.startswith(EDGE + "/") else old
        return {new + part: archive.read(name + part) for part in PARTS if name + part in stored}


def serialized_graph(program: Any, name: str) -> Entries:
    """Serializes an ``ExportedProgram`` of torch.

    Raises:
        ArgumentError: ``program`` is of another type.
        NotFoundError: neither ExecuTorch nor torch is installed.
    """
    if not (hasattr(program, "graph_module") and hasattr(program, "graph_signature")):
        raise errors.ArgumentError(
            f"{name}: expected a torch ExportedProgram or a graph of an ETRecord, got {type(program).__name__}"
        )
    artifact = _serializer()(program)
    parts = (artifact.exported_program, artifact.state_dict, artifact.constants, artifact.example_inputs)
    return {name + ending: bytes(part) for ending, part in zip(PARTS, parts) if part is not None}


def _serializer() -> Any:
    try:
        from executorch.exir.serde.serialize import serialize
    except ImportError:
        try:
            from torch._export.serde.serialize import serialize
        except ImportError as error:
            raise errors.NotFoundError(
                f"a torch ExportedProgram is serialized by ExecuTorch or torch, and neither is installed: {error}"
            ) from error
    return serialize


def as_json(value: Any) -> bytes:
    """Serializes a map; None becomes an empty object."""
    return json.dumps({} if value is None else value).encode()


def archive(name: str, values: Any) -> bytes:
    """Serializes tensors in lists, tuples and dictionaries as ``torch.save()`` does.

    Raises:
        ArgumentError: a value is not a tensor.
    """
    return _native.torch_archive(_archived(name, values))


def _archived(place: str, value: Any) -> Any:
    import numpy as np

    if isinstance(value, Mapping):
        return {str(key): _archived(f"{place}.{key}", each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_archived(f"{place}[{index}]", each) for index, each in enumerate(value)]
    if hasattr(value, "detach"):
        return ("tensor", Inputs([value.detach().cpu().contiguous()]))
    if isinstance(value, (np.ndarray, np.generic)):
        return ("tensor", Inputs([np.asarray(value, order="C")]))
    if hasattr(value, "__dlpack__"):
        return ("tensor", Inputs([np.asarray(np.from_dlpack(value), order="C")]))
    raise errors.ArgumentError(f"{place}: expected a tensor, got {type(value).__name__}")


def checked_module_name(name: str) -> str:
    """Returns the name of an additional graph. Raises ArgumentError for a name that the format reserves."""
    if not name or name.split("/")[0] in RESERVED:
        raise errors.ArgumentError(f"the name {name!r} is reserved; choose another")
    return name if "/" in name else name + "/forward"


def methods_of(program: Any) -> Iterable[tuple[str, Any]]:
    """Yields (method, ExportedProgram) of an exporter's manager, a dictionary or a single program."""
    if isinstance(program, Mapping):
        yield from program.items()
    elif hasattr(program, "methods") and callable(getattr(program, "exported_program", None)):
        methods = program.methods() if callable(program.methods) else program.methods
        for method in sorted(methods):
            yield method, program.exported_program(method)
    elif hasattr(program, "exported_program") and not hasattr(program, "graph_signature"):
        yield "forward", program.exported_program
    else:
        yield "forward", program
