"""Inspector.calculate_numeric_gap(): columns, reference graphs, distances and custom comparators."""

import sys
import types

import numpy as np
import pytest
from conftest import open_inspector
from samples import conv_net

from et_inspect import errors
from et_inspect.devtools import Inspector
from et_inspect.devtools.inspector.numerical_comparator import NumericalComparatorBase

pytestmark = pytest.mark.filterwarnings("ignore:the Edge graph is compared")
COLUMNS = [
    "aot_debug_handle", "aot_ops", "aot_intermediate_output", "runtime_ops", "runtime_debug_handle",
    "runtime_intermediate_output", "gap", "stacktraces",
]  # fmt: skip


class Largest(NumericalComparatorBase):
    """The largest difference; records what it receives."""

    def __init__(self):
        super().__init__()
        self.received = []

    def element_compare(self, a, b):
        self.received.append((a, b))
        return float(abs(np.asarray(a) - np.asarray(b)).max(initial=0))


def inspector(**options):
    files = {"etdump_path": conv_net("etdp"), "etrecord": conv_net("etrecord"), "debug_buffer_path": conv_net("debug")}
    return Inspector(**files, **options)


def real(shared, name="mobilenet_v2_small_portable_debug"):
    folder = shared / "traces" / name
    import json

    entries = json.loads((shared / "manifest.json").read_text())["traces"]
    record = next(each["etrecord"] for each in entries if each["trace"] == name)
    return open_inspector(folder, shared / record, folder / "debug_buffer.bin")


def test_columns():
    frame = inspector().calculate_numeric_gap()
    assert list(frame.columns) == COLUMNS
    assert len(frame) == 9
    assert all(isinstance(handle, tuple) and handle for handle in frame["aot_debug_handle"])
    assert all(isinstance(handle, int) for handles in frame["runtime_debug_handle"] for handle in handles)
    assert len(frame.set_index("runtime_debug_handle")) == 9


@pytest.mark.parametrize("name", ["mse", " snr ", "Cos", "L1\n"])
def test_names_of_distances_ignore_case_and_spaces(name):
    measured = inspector().calculate_numeric_gap(distance=name)["gap"].tolist()
    np.testing.assert_equal(measured, inspector().calculate_numeric_gap(distance=name.strip().upper())["gap"].tolist())


@pytest.mark.parametrize("name", ["", "rms", None, 3])
def test_unknown_distances(name):
    with pytest.raises(errors.ArgumentError, match="MSE, L1, SNR, COS or a comparator"):
        inspector().calculate_numeric_gap(distance=name)


def test_reference_graphs(shared):
    found = real(shared)
    exported = found.calculate_numeric_gap(reference_graph="exported_program")
    edge = found.calculate_numeric_gap(reference_graph="edge_dialect_graph_module")
    assert found.calculate_numeric_gap()["aot_ops"].tolist() == exported["aot_ops"].tolist()
    assert {"conv2d"} in [set(ops) for ops in exported["aot_ops"]]
    assert all(op.startswith(("aten_", "dim_order_ops_")) for ops in edge["aot_ops"] for op in ops)
    with pytest.raises(errors.ArgumentError, match="'edge_dialect_graph_module' or 'exported_program', got 'x'"):
        found.calculate_numeric_gap(reference_graph="x")


def test_the_reference_graph_of_an_inspector(shared):
    assert inspector().get_reference_graph().name == "forward"
    assert inspector(reference_graph_name="exported_program").get_reference_graph() is None
    with pytest.raises(errors.NotFoundError, match="does not contain its exported program"):
        inspector(reference_graph_name="exported_program").calculate_numeric_gap()
    assert Inspector(etdump_path=conv_net("etdp")).get_reference_graph() is None


def test_comparators_know_their_inspector():
    comparator = Largest()
    assert comparator._inspector is None
    found = inspector()
    assert len(found.calculate_numeric_gap(comparator)) == 9
    assert comparator._inspector is comparator.inspector is found
    assert all(isinstance(each, np.ndarray) for pair in comparator.received for each in pair)


def test_comparators_receive_tensors_if_torch_is_loaded(monkeypatch):
    class Tensor:
        def __init__(self, array):
            assert array.flags.writeable
            self.array = array

        def __array__(self, dtype=None, copy=None):
            return self.array

    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(from_numpy=Tensor))
    comparator = Largest()
    frame = inspector().calculate_numeric_gap(comparator)
    assert all(isinstance(each, Tensor) for pair in comparator.received for each in pair)
    assert isinstance(frame["aot_intermediate_output"].iloc[0], Tensor)
    # Ours compute with numpy.
    assert isinstance(inspector().calculate_numeric_gap()["aot_intermediate_output"].iloc[0], np.ndarray)


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (lambda mapping: None, "expected a dictionary, got NoneType"),
        (lambda mapping: list(mapping.items()), "expected a dictionary, got list"),
        (lambda mapping: {key: 1 for key in mapping}, r"each value to be \(debug handles, value\), got int"),
        (lambda mapping: {key: (1, 2, 3) for key in mapping}, r"each value .*, got \(int, int, int\)"),
        (lambda mapping: {key[0]: value for key, value in mapping.items()}, "each key to be"),
    ],
)
def test_results_of_preprocessing_are_checked(result, message):
    class Wrong(Largest):
        def preprocessing(self, mapping):
            return result(mapping)

    with pytest.raises(errors.ArgumentError, match=message):
        inspector().calculate_numeric_gap(Wrong())


def test_preprocessing_may_change_and_omit_values():
    class Shifted(Largest):
        def preprocessing(self, mapping):
            single = [(key, pair) for key, pair in mapping.items() if not isinstance(pair[1], tuple)]
            shifted = {key: (handles, value + 1) for key, (handles, value) in single[1:]}
            return {**shifted, single[0][0]: (single[0][1][0], None)}

    gaps = inspector().calculate_numeric_gap(Shifted())["gap"].tolist()
    assert [round(gap, 3) for (gap,) in gaps] == [1] * 6


def test_a_trace_of_outputs_only_has_no_rows(shared):
    folder = shared / "traces" / "simple_portable_outputs"
    record = real(shared, "simple_portable_debug")._etrecord.path
    frame = open_inspector(folder, record, folder / "debug_buffer.bin").calculate_numeric_gap()
    assert list(frame.columns) == COLUMNS
    assert frame["gap"].tolist() == []
