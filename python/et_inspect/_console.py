"""The command ``et-inspect`` of a wheel."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn


def main() -> NoReturn:
    """Replaces this process with the program in the wheel."""
    program = str(Path(__file__).parent / "bin" / "et-inspect")
    os.execv(program, [program, *sys.argv[1:]])
