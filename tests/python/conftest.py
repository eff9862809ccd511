"""Fixtures for test files: generated samples, and real files next to the checkout."""

import json
import os
import pathlib

import pytest

SHARED = pathlib.Path(os.environ.get("ET_SHARED_DATA", pathlib.Path(__file__).parents[2].parent / "shared" / "data"))


@pytest.fixture(scope="session")
def shared():
    """The folder of real files; tests that need it are skipped if it is missing."""
    if not SHARED.is_dir():
        pytest.skip("no real files next to this checkout")
    return SHARED


@pytest.fixture(scope="session")
def traces(shared):
    """Every real trace: (folder, ETRecord or None, debug buffer or None)."""
    found = []
    for entry in json.loads((shared / "manifest.json").read_text())["traces"]:
        folder = shared / "traces" / entry["trace"]
        buffer = folder / "debug_buffer.bin"
        record = shared / entry["etrecord"] if entry["etrecord"] else None
        found.append((folder, record, buffer if buffer.exists() else None))
    return found


def open_inspector(folder, record, buffer):
    """Opens an Inspector of a real trace, ignoring its warnings."""
    import warnings

    from et_inspect.devtools import Inspector

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Inspector(
            etdump_path=str(folder / "trace.etdp"),
            etrecord=str(record) if record else None,
            debug_buffer_path=str(buffer) if buffer else None,
        )
