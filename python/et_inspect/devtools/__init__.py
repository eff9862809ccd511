"""``executorch.devtools``: change the import, keep the script.

>>> from et_inspect.devtools import Inspector
"""

from . import inspector
from .etrecord import ETRecord, parse_etrecord
from .inspector import Inspector

__all__ = ["ETRecord", "Inspector", "inspector", "parse_etrecord"]
