"""Adds graphs, maps and tensors to ETRecords."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import IO, Any

from ... import _native, errors
from . import _entries
from ._entries import Entries


class EditableRecord:
    """The file of an ETRecord, and changes to it.

    Changes are kept in memory; ``save()`` writes them. An ETRecord without an Edge graph can only be edited and saved.
    """

    def __init__(self, native: _native.Record | None) -> None:
        self._native = native
        self._changed: Entries | None = None  # all entries, once something was changed
        self._folder: Any = None  # keeps the temporary file of a changed record

    def add_exported_program(self, exported_program: Any) -> None:
        """Adds the program from ``torch.export``.

        Args:
            exported_program: a torch ``ExportedProgram``, the graph of another ETRecord, or a dictionary of one of these by
                method, of which ``forward`` is stored. None adds nothing.

        Raises:
            RuntimeError: the ETRecord has one.
            et_inspect.errors.NotFoundError: it is a torch object and torch is not installed.
        """
        if self._has(_entries.EXPORTED) or self._has(_entries.EXPORT_GRAPH_ID):
            raise RuntimeError("Exported program already exists in the ETRecord.")
        if isinstance(exported_program, Mapping):
            exported_program = exported_program.get("forward")
        if exported_program is None:
            return
        added = _graph(exported_program, _entries.EXPORTED)
        graph_id = _graph_id(exported_program)
        if graph_id is not None:
            added[_entries.EXPORT_GRAPH_ID] = _entries.as_json(graph_id)
        self._change(added)

    def add_edge_dialect_program(self, edge_dialect_program: Any) -> None:
        """Adds the Edge graphs.

        Args:
            edge_dialect_program: the exporter's ``EdgeProgramManager``, a torch ``ExportedProgram``, the graph of another
                ETRecord, or a dictionary of these by method.

        Raises:
            RuntimeError: the ETRecord has Edge graphs.
            et_inspect.errors.NotFoundError: it is a torch object and torch is not installed.
        """
        if self._has(_entries.EDGE):
            raise RuntimeError("Edge dialect program already exists in the ETRecord.")
        added: Entries = {}
        for method, program in _entries.methods_of(edge_dialect_program):
            added.update(_graph(program, f"{_entries.EDGE}/{method}"))
        self._change(added)

    def add_executorch_program(self, executorch_program: Any) -> None:
        """Adds the maps of debug handles and delegates and, from a bundled program, its inputs and expected outputs.

        Args:
            executorch_program: the exporter's program object, or a bundled program of one. Files have no debug handles.

        Raises:
            RuntimeError: the ETRecord has such data.
            et_inspect.errors.ArgumentError: an object without debug handles.
        """
        names = (_entries.HANDLES, _entries.DELEGATES, _entries.OUTPUT_COUNTS, _entries.REFERENCE_OUTPUTS)
        if any(self._has(name) for name in (*names, _entries.REPRESENTATIVE_INPUTS)):
            raise RuntimeError("Executorch program data already exists in the ETRecord.")
        program = getattr(executorch_program, "executorch_program", executorch_program)
        if not hasattr(program, "debug_handle_map"):
            raise errors.ArgumentError(
                "add_executorch_program(): expected the exporter's program, which has debug handles, "
                f"got {type(program).__name__}"
            )
        maps = ("debug_handle_map", "delegate_map", "instruction_id_to_num_outs_map")
        added = {
            name: _entries.as_json(getattr(program, attribute))
            for name, attribute in zip(names, maps)
            if getattr(program, attribute, None) is not None
        }
        if _is_bundle(executorch_program):
            added[_entries.REFERENCE_OUTPUTS] = _entries.archive("reference_outputs", _outputs(executorch_program))
            inputs = _inputs(executorch_program)
            if inputs is not None:
                added[_entries.REPRESENTATIVE_INPUTS] = _entries.archive("representative_inputs", inputs)
        self._change(added)

    def add_extra_export_modules(self, extra_recorded_export_modules: Mapping[str, Any]) -> None:
        """Adds graphs under names of their own; they are in ``graph_map``.

        Args:
            extra_recorded_export_modules: by name, torch ``ExportedProgram`` objects, ``EdgeProgramManager`` objects of
                the exporter, whose methods are added as ``name/method``, or graphs of other ETRecords.

        Raises:
            et_inspect.errors.ArgumentError: a name that the format reserves.
            et_inspect.errors.NotFoundError: a torch object, and torch is not installed.
        """
        added: Entries = {}
        for name, module in extra_recorded_export_modules.items():
            for method, program in _entries.methods_of(module):
                place = _entries.checked_module_name(name)
                added.update(_graph(program, f"{name}/{method}" if method != "forward" else place))
        self._change(added)

    def update_representative_inputs(self, representative_inputs: Any) -> None:
        """Replaces the inputs of ``forward`` with which calculate_numeric_gap() runs the graph.

        Args:
            representative_inputs: a list of tensors, or a bundled program, of which the first case of ``forward`` is taken.
        """
        given = _inputs(representative_inputs) if _is_bundle(representative_inputs) else representative_inputs
        if given is None:
            self._change({}, (_entries.REPRESENTATIVE_INPUTS,))
            return
        self._change({_entries.REPRESENTATIVE_INPUTS: _entries.archive("representative_inputs", list(given))})

    def update_reference_outputs(self, reference_outputs: Any) -> None:
        """Replaces the expected outputs.

        Args:
            reference_outputs: by method, a list with the outputs of each case; a list for ``forward``; or a bundled program.
        """
        given = _outputs(reference_outputs) if _is_bundle(reference_outputs) else reference_outputs
        given = given if isinstance(given, Mapping) else {"forward": list(given)}
        self._change({_entries.REFERENCE_OUTPUTS: _entries.archive("reference_outputs", given)})

    def save(self, path: str | os.PathLike | IO[bytes]) -> None:
        """Writes the ETRecord to a path or a binary file object.

        Raises:
            RuntimeError: it has no Edge graph or no debug handles.
        """
        import shutil

        if self._changed is not None:
            if not (self._has(_entries.EDGE) and self._has(_entries.HANDLES)):
                raise RuntimeError("ETRecord must contain edge dialect program and executorch program to be saved")
            _entries.write(path if hasattr(path, "write") else os.fspath(path), self._changed)
        elif hasattr(path, "write"):
            with open(self._native.path, "rb") as file:
                shutil.copyfileobj(file, path)
        else:
            shutil.copyfile(self._native.path, path)

    def _has(self, name: str) -> bool:
        return any(each == name or each.startswith(name + "/") for each in self._names())

    def _names(self) -> list[str]:
        if self._changed is not None:
            return list(self._changed)
        if self._native is None:
            return []
        return _entries.names(self._native.path)

    def _all_entries(self) -> Entries:
        if self._changed is not None:
            return dict(self._changed)
        return {_entries.IDENTIFIER: b""} if self._native is None else _entries.read(self._native.path)

    def _change(self, added: Entries, removed: tuple[str, ...] = ()) -> None:
        entries = {name: data for name, data in self._all_entries().items() if name not in removed}
        entries.update(added)
        opened, folder = None, None
        if any(name == _entries.EDGE or name.startswith(_entries.EDGE + "/") for name in entries):
            import tempfile  # imported here to keep the import of the package fast

            # The record reads its file lazily, so the folder must exist as long as the record.
            folder = tempfile.TemporaryDirectory(prefix="et-inspect-record-")
            path = os.path.join(folder.name, "changed.etrecord")
            _entries.write(path, entries)
            opened = _native.Record.open(path)
        for name in [each for each in vars(self) if each not in ("_native", "_changed", "_folder")]:
            del vars(self)[name]  # values read from the file before the change
        self._changed, self._native, self._folder = entries, opened, folder


def _graph(program: Any, name: str) -> Entries:
    """Returns the entries of a graph under a name."""
    source = getattr(program, "_entry", None)
    if source is None or getattr(program, "_place", None) is None:
        return _entries.serialized_graph(program, name)
    return _entries.copied_graph(program._place["file"], source, name)


def _graph_id(program: Any) -> int | None:
    place = getattr(program, "_place", None)
    if place is not None:
        stored = _entries.read(place["file"]).get(_entries.EXPORT_GRAPH_ID)
        return None if stored is None else int(stored)
    return id(program.graph) if hasattr(program, "graph") else None


def _is_bundle(given: Any) -> bool:
    return hasattr(given, "method_test_suites")


def _outputs(bundle: Any) -> dict[str, list[list[Any]]]:
    outputs = {}
    for suite in bundle.method_test_suites:
        if not all(case.expected_outputs for case in suite.test_cases):
            raise ValueError(f"Missing at least one set of expected outputs for method {suite.method_name}.")
        outputs[suite.method_name] = [list(case.expected_outputs) for case in suite.test_cases]
    return outputs


def _inputs(bundle: Any) -> list[Any] | None:
    for suite in bundle.method_test_suites:
        if suite.method_name == "forward":
            if not suite.test_cases:
                raise ValueError("The 'forward' method is defined, but no corresponding input test cases are provided.")
            return list(suite.test_cases[0].inputs)
    return None
