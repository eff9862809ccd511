"""Executes the notebooks of examples/notebooks on generated samples."""

import os
import pathlib

import nbformat
import pytest
from nbconvert.preprocessors import ExecutePreprocessor
from samples import ET_INSPECT, conv_net

import et_inspect

NOTEBOOKS = pathlib.Path(__file__).parents[2] / "examples" / "notebooks"


def executed(name, monkeypatch, tmp_path):
    """Returns an executed notebook. Its files and Jupyter's output are in `tmp_path`."""
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "keep notebooks without outputs"
    return execute(notebook, monkeypatch, tmp_path)


def execute(notebook, monkeypatch, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "et-inspect").symlink_to(pathlib.Path(ET_INSPECT).resolve())
    monkeypatch.delenv("ET_INSPECT_LAUNCHER", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(et_inspect.__file__).parents[1]))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    for variable in ("HOME", "TMPDIR", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(variable, str(tmp_path))
    ExecutePreprocessor(timeout=120, kernel_name="python3").preprocess(notebook, {"metadata": {"path": str(tmp_path)}})
    return notebook


def said(notebook):
    """Returns all text output of the cells."""
    return "\n".join(
        output.get("text") or output.get("data", {}).get("text/plain", "")
        for cell in notebook.cells
        for output in cell.get("outputs", ())
    )


def warned(notebook):
    """Returns the cells' standard error."""
    return [
        output["text"]
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if output.get("name") == "stderr"
    ]


def test_progress_without_a_terminal(monkeypatch, tmp_path):
    """A notebook shows progress although its standard error is no terminal; the bar is removed at the end."""
    code = f"""
import et_inspect
from et_inspect import _progress
shown = []
class Recorded(_progress.NotebookBar):
    def _repr_html_(self):
        shown.append(super()._repr_html_())
        return shown[-1]
_progress.NotebookBar = Recorded
et_inspect.bench({conv_net("pte")!r}, iterations=20_000)
print(shown[-1])
"""
    notebook = execute(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)]), monkeypatch, tmp_path)
    assert "<progress" in said(notebook) and "bench: " in said(notebook)
    bars = [each["data"]["text/html"] for each in notebook.cells[0].outputs if each.output_type == "display_data"]
    assert bars
    assert set(bars) == {""}


def test_every_notebook_is_tested():
    tested = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert {path.stem for path in NOTEBOOKS.glob("*.ipynb")} <= tested


def test_where_does_the_time_go(monkeypatch, tmp_path):
    notebook = executed("where_does_the_time_go", monkeypatch, tmp_path)
    last = notebook.cells[-1].outputs[0].text
    assert "% of the time, at File" in last and "conv_net.py" in last
    assert "the whole model" in said(notebook)
    html = [
        output.data["text/html"]
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "text/html" in output.get("data", {})
    ]
    assert len(html) >= 4
    assert not warned(notebook)


def test_why_is_the_output_wrong(monkeypatch, tmp_path):
    notebook = executed("why_is_the_output_wrong", monkeypatch, tmp_path)
    text = said(notebook)
    assert "operator: aten_convolution_default_1" in text
    assert "wrong channels: [5]" in text
    assert 'File "conv_net.py", line' in text
    assert not warned(notebook)


def test_did_it_get_slower(monkeypatch, tmp_path):
    notebook = executed("did_it_get_slower", monkeypatch, tmp_path)
    text = said(notebook)
    assert "same outputs: True" in text
    assert "slower: True" in text
    assert "mostly because of hardtanh.out" in text
    # On a busy machine, the comparison warns about drifting runs.


@pytest.fixture(autouse=True)
def _quiet_kernel(monkeypatch):
    """Silences the notebook kernel's warning about frozen debugger modules."""
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
