"""``executorch.devtools``: change the import, keep the script.

>>> from et_inspect.devtools import Inspector
"""

from . import bundled_program, inspector
from .bundled_program import BundledProgram
from .etrecord import ETRecord, generate_etrecord, parse_etrecord
from .inspector import Inspector

__all__ = [
    "BundledProgram",
    "ETRecord",
    "Inspector",
    "bundled_program",
    "generate_etrecord",
    "inspector",
    "parse_etrecord",
]
