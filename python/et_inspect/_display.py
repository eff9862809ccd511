"""Notebook display of objects: a table and a picture that follow the viewer's light or dark theme.

The output contains no scripts and loads nothing. Text from files is escaped.
"""

from __future__ import annotations

import base64
import html
import numbers
from collections.abc import Sequence
from typing import Any

from .errors import Error

Rows = tuple[Sequence[str], Sequence[Sequence[Any]]]

# Maximum number of table rows in a notebook; the number of omitted rows is printed.
MAX_ROWS = 20

# Translucent colours work with any notebook theme. The media query covers viewers without a theme.
_STYLE = """<style>
.et-inspect table{border-collapse:collapse;font-size:90%}
.et-inspect th,.et-inspect td{padding:2px 8px;text-align:left;border-bottom:1px solid rgba(128,128,128,.35);
vertical-align:top;white-space:nowrap;max-width:32em;overflow:hidden;text-overflow:ellipsis}
.et-inspect .wide{overflow-x:auto}
.et-inspect .number{text-align:right;font-variant-numeric:tabular-nums}
.et-inspect .more{opacity:.7}
.et-inspect img{max-width:100%;border-radius:4px}
@media (prefers-color-scheme:dark){.et-inspect th,.et-inspect td{border-bottom-color:rgba(160,160,160,.3)}}
</style>"""


class Shown:
    """Base class for objects with a notebook display. Subclasses override some of _caption, _rows and _picture."""

    def _caption(self) -> str:
        """Returns one line of text."""
        return ""

    def _rows(self) -> Rows | None:
        """Returns columns and rows; None: no table."""
        return None

    def _picture(self) -> str | None:
        """Returns an SVG; None: nothing to draw."""
        return None

    def _repr_svg_(self) -> str | None:
        return self._picture()

    def _repr_html_(self) -> str:
        parts = [_STYLE, '<div class="et-inspect">']
        caption = self._caption()
        if caption:
            parts.append(f"<p>{escape(caption)}</p>")
        rows = self._rows()
        if rows is not None and rows[1]:
            parts.append(table(*rows))
        parts.append(_image(self))
        parts.append("</div>")
        return "\n".join(part for part in parts if part)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """Returns all representations; IPython selects the richest one that the viewer supports."""
        bundle = {"text/plain": repr(self), "text/html": self._repr_html_()}
        if include is not None:
            bundle = {kind: data for kind, data in bundle.items() if kind in include}
        return {kind: data for kind, data in bundle.items() if kind not in (exclude or ())}


def escape(value: Any) -> str:
    """Escapes text for HTML; replaces unprintable characters and undecodable bytes."""
    text = str(value).encode("utf-8", "replace").decode()
    return html.escape("".join(letter if letter.isprintable() else "\ufffd" for letter in text))


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], limit: int = MAX_ROWS) -> str:
    """Returns the first ``limit`` rows as an HTML table, followed by the number of omitted rows."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(_cell(value) for value in row) + "</tr>" for row in rows[:limit])
    more = f'<p class="more">and {len(rows) - limit} more rows</p>' if len(rows) > limit else ""
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{more}'


def _cell(value: Any) -> str:
    if value is None:
        return "<td></td>"
    if isinstance(value, bool) or not isinstance(value, numbers.Number):
        text = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        return f'<td title="{escape(text)}">{escape(text)}</td>'
    shown = f"{value:,}" if isinstance(value, numbers.Integral) else f"{value:.5g}"
    return f'<td class="number">{escape(shown)}</td>'


def _image(shown: Shown) -> str:
    """Embeds the picture as an image, so that its styles do not affect the page and scripts in it do not run."""
    try:
        svg = shown._picture()
    except Error as error:
        return f'<p class="more">no picture: {escape(error)}</p>'
    if svg is None:
        return ""
    data = base64.b64encode(svg.encode("utf-8", "replace")).decode()
    return f'<img alt="{escape(shown._caption() or repr(shown))}" src="data:image/svg+xml;base64,{data}">'
