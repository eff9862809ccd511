"""Notebook display: tables and pictures, light and dark, without scripts or network access; hostile names are escaped."""

import base64
import html.parser
import json
import re
import subprocess
import sys
import xml.dom.minidom

import pytest
from samples import conv_net, sample

import et_inspect
from et_inspect import _display
from et_inspect.devtools import Inspector
from et_inspect.devtools.etrecord import parse_etrecord

pytestmark = pytest.mark.filterwarnings("ignore:the Edge graph is compared")

# Attributes that load or execute something, and elements that embed other pages.
ACTIVE = {"script", "iframe", "object", "embed", "link", "form", "base", "meta"}
VOID = {"img", "br", "hr"}


class Page(html.parser.HTMLParser):
    """Checks that tags are closed in order; collects tags and pictures."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.pictures, self.texts = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            assert not name.startswith("on"), name
            if name in ("src", "href"):
                assert value.startswith("data:image/svg+xml;base64,")
                self.pictures.append(base64.b64decode(value.split(",", 1)[1]).decode())

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def shown():
    """Returns every object with a notebook display."""
    inspector = Inspector(etdump_path=conv_net("etdp"), etrecord=conv_net("etrecord"))
    session = et_inspect.open(conv_net("pte"), conv_net("etrecord"), conv_net("etdp"))
    return {
        "block": (inspector.event_blocks[1], "table"),
        "event": (inspector.event_blocks[1].events[0], "table"),
        "record": (parse_etrecord(conv_net("etrecord")), "table"),
        "command": (et_inspect.size(conv_net("pte")), "table", "img"),
        "inspector": (inspector, "table", "img"),
        "graph of a record": (inspector.get_exported_program(), "table", "img"),
        "session": (session, "table", "img"),
        "program": (session.program, "img"),
        "memory": (et_inspect.memory(conv_net("pte")), "table", "img"),
        "graph": (et_inspect.graph(conv_net("pte")), "table", "img"),
        "gap": (et_inspect.gap(conv_net("pte"), conv_net("etrecord")), "table", "img"),
        "bench": (et_inspect.bench(conv_net("pte"), iterations=2), "table", "img"),
        "diff": (et_inspect.diff(conv_net("pte"), conv_net("bpte")), "table"),
        "findings": (et_inspect.findings(conv_net("pte"), conv_net("etdp")), "table", "img"),
        "delegates": (et_inspect.delegates(conv_net("pte")), "img"),
        "verify": (et_inspect.verify(conv_net("bpte")), "table", "img"),
    }


@pytest.fixture(scope="module")
def everything():
    return shown()


def test_html_and_pictures(everything):
    for name, (each, *expected) in everything.items():
        page = Page(each._repr_html_())
        assert set(expected) <= set(page.tags), name
        assert not ACTIVE & set(page.tags), name
        svg = each._repr_svg_()
        assert page.pictures == ([] if svg is None else [svg]), name
        assert "prefers-color-scheme:dark" in each._repr_html_(), name
        for picture in page.pictures:
            document = xml.dom.minidom.parseString(picture)
            assert "prefers-color-scheme:dark" in picture, name
            assert not {"script", "image", "use", "foreignObject", "a"} & {
                element.tagName for element in document.getElementsByTagName("*")
            }, name
            assert not re.search(r"(href|url\()", picture), name


def test_mime_bundles(everything):
    for name, (each, *_) in everything.items():
        bundle = each._repr_mimebundle_()
        assert set(bundle) == {"text/plain", "text/html"}
        assert bundle["text/plain"] == repr(each), name
        assert set(each._repr_mimebundle_(include={"text/plain"})) == {"text/plain"}
        assert set(each._repr_mimebundle_(exclude={"text/html"})) == {"text/plain"}


def test_the_inspector_shows_what_takes_longest():
    inspector = Inspector(etdump_path=conv_net("etdp"), etrecord=conv_net("etrecord"))
    columns, rows = inspector._rows()
    assert [row[3] for row in rows] == sorted((row[3] for row in rows), reverse=True)
    assert "native_call_convolution.out" in inspector._repr_html_()
    assert inspector.to_svg().count('<g class="op k') >= 10
    # The same rows after the event objects were created and may have been changed.
    before = [row[:3] for row in rows]
    assert inspector.event_blocks
    after = inspector._rows()[1]
    assert sorted(map(str, before)) == sorted(str(row[:3]) for row in after)
    assert len(columns) == len(rows[0]) == len(after[0])


def test_graphs_of_records():
    record = parse_etrecord(conv_net("etrecord"))
    graph = record.edge_dialect_program
    assert graph.to_svg() == et_inspect.graph(conv_net("etrecord"), source="edge").to_svg()


def test_ipython_shows_them():
    formatters = pytest.importorskip("IPython.core.formatters")
    data, _ = formatters.DisplayFormatter().format(et_inspect.memory(conv_net("pte")))
    assert "<table>" in data["text/html"]
    assert data["text/plain"].startswith("<MemoryResult: ")


HOSTILE = '<script>alert(1)</script>&"\'</style></table>\x1b[31m\ud800'


def test_hostile_texts_are_text():
    class Hostile(_display.Shown):
        def _caption(self):
            return HOSTILE

        def _rows(self):
            return (HOSTILE,), [(HOSTILE,), ([HOSTILE],), (1,), (2.5,), (None,), (True,)]

        def _picture(self):
            return et_inspect._native.bar_picture(HOSTILE.encode(errors="replace").decode(), [])

    page = Page(Hostile()._repr_html_())
    assert "script" not in page.tags
    assert set(page.tags) == {"style", "div", "p", "table", "thead", "tbody", "tr", "th", "td", "img"}
    assert any("<script>alert(1)</script>" in text for text in page.texts)
    assert "\x1b" not in "".join(page.texts)
    assert not xml.dom.minidom.parseString(page.pictures[0]).getElementsByTagName("script")


def test_hostile_names_of_files(tmp_path):
    name = tmp_path / '<img src=x onerror="alert(1)">.pte'
    name.write_bytes(open(conv_net("pte"), "rb").read())
    for each in (et_inspect.memory(name), et_inspect.graph(name), et_inspect.bench(name, iterations=1)):
        page = Page(each._repr_html_())
        assert page.tags.count("img") == 1
        assert "<img src=x" in each.file if hasattr(each, "file") else True


def test_long_tables_say_what_they_leave_out():
    text = _display.table(("n",), [(each,) for each in range(45)])
    assert text.count("<tr>") == 1 + _display.MAX_ROWS
    assert f"and {45 - _display.MAX_ROWS} more rows" in text


def test_bars():
    draw = et_inspect._native.bar_picture
    bars = [("a", 1.0, "1", 0.5, 2.0, "good"), ("b", -3.0, "-3", None, None, "bad")]
    bars.append(("c", float("nan"), "?", None, None, "plain"))
    root = xml.dom.minidom.parseString(draw("title", bars))
    rectangles = [each for each in root.getElementsByTagName("rect") if each.getAttribute("class") in ("good", "bad")]
    widths = [float(each.getAttribute("width")) for each in rectangles]
    assert widths[1] == pytest.approx(3 * widths[0], rel=1e-3)
    assert "and 40 more" in draw("title", [bars[0]] * 100)
    with pytest.raises(et_inspect.errors.ArgumentError, match="plain, good, bad, faint"):
        draw("title", [("a", 1.0, "1", None, None, "pink")])
    for number in (float("inf"), float("-inf"), 1e308, -1e308, 5e-324):
        xml.dom.minidom.parseString(draw("title", [("a", number, "x", number, number, "plain"), bars[0]]))


def test_a_picture_that_cannot_be_made_is_said(monkeypatch):
    monkeypatch.setenv("ET_INSPECT_LAYOUT", "/nowhere/et-layout")
    text = et_inspect.graph(conv_net("pte"))._repr_html_()
    assert "no picture: " in text
    assert "<table>" in text


def test_importing_costs_no_pandas():
    script = "import sys, et_inspect; et_inspect.memory(sys.argv[1])._repr_html_(); print('pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script, conv_net("pte")], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "False"


def test_real_traces_show_themselves(shared):
    for entry in json.loads((shared / "manifest.json").read_text())["traces"][:8]:
        inspector = Inspector(etdump_path=shared / "traces" / entry["trace"] / "trace.etdp")
        page = Page(inspector._repr_html_())
        assert "table" in page.tags
        assert len(page.pictures) == 1
        xml.dom.minidom.parseString(page.pictures[0])


def test_samples_of_a_language_model():
    record = parse_etrecord(str(sample("llama") / "llama.etrecord"))
    graphs = record.edge_dialect_program
    for each in graphs.values() if isinstance(graphs, dict) else [graphs]:
        xml.dom.minidom.parseString(each.to_svg())
