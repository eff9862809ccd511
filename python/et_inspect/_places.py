"""Finds the programs of et-inspect."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from . import errors

# Per program: environment variable with its path, and paths relative to the folders of the package and of other programs.
_PLACES = {
    "et-inspect": ("ET_INSPECT_LAUNCHER", ("et-inspect",)),
    "et-studio": (None, ("et-studio", "../studio/et-studio")),
}


def find(name: str = "et-inspect") -> str:
    """Returns the path of a program: from ET_INSPECT_LAUNCHER, the package, Python's folders, the PATH, or next to et-inspect.

    Raises:
        et_inspect.errors.NotFoundError: the program was not found.
    """
    variable, places = _PLACES[name]
    if variable and os.environ.get(variable):
        return os.environ[variable]
    for folder in _folders():
        for place in places:
            found = folder / place
            if os.access(found, os.X_OK) and found.is_file():
                return str(found)
    package = "et-studio" if name == "et-studio" else "et-inspect"
    raise errors.NotFoundError(
        f"{name} is not found: install the Debian package {package}, add the program to the PATH, or set ET_INSPECT_LAUNCHER "
        "to the path of et-inspect"
    )


def _folders() -> Iterator[Path]:
    yield Path(__file__).parent / "bin"
    yield Path(sys.executable).parent
    yield Path(sys.prefix) / "bin"
    for program in (os.environ.get("ET_INSPECT_LAUNCHER"), shutil.which("et-inspect"), shutil.which("et-studio")):
        if program:
            yield Path(program).parent
            yield Path(program).resolve().parent
