"""Devtools without golden files: delegation, memory over time, reference outputs, ETRecords."""

import gc
import io
import json
import pathlib
import shutil
import subprocess
import sys
import types

import numpy as np
import pytest
from conftest import open_inspector
from samples import conv_net, zip_equal

from et_inspect import errors
from et_inspect.devtools import (
    BundledProgram,
    DelegationInfo,
    Inspector,
    MemoryTimeline,
    generate_etrecord,
    generate_memory_trace,
    get_delegation_info,
    parse_etrecord,
)
from et_inspect.devtools.activation_memory_profiler import create_tensor_allocation_info
from et_inspect.devtools.backend_debug import DelegationBreakdown, print_delegation_info
from et_inspect.devtools.bundled_program.config import MethodTestCase, MethodTestSuite

CHECKOUT = pathlib.Path(__file__).parents[2]


def node(op, name):
    return types.SimpleNamespace(op=op, name=name)


def graph(*nodes):
    return types.SimpleNamespace(nodes=list(nodes))


@pytest.fixture
def lowered():
    """A lowered module with two delegates."""
    first = graph(node("placeholder", "a"), node("call_function", "aten_mm_default"), node("output", "output"))
    second = graph(node("call_function", "aten_mm_default_1"), node("call_function", "aten_add_tensor_12"))
    return types.SimpleNamespace(
        graph=graph(
            node("placeholder", "x"),
            node("get_attr", "lowered_module_0"),
            node("call_function", "executorch_call_delegate"),
            node("call_function", "getitem"),
            node("call_function", "aten_sub_tensor"),
            node("get_attr", "lowered_module_1"),
            node("get_attr", "weight"),
            node("call_function", "executorch_call_delegate_1"),
            node("call_function", "getitem_1"),
            node("output", "output"),
        ),
        lowered_module_0=types.SimpleNamespace(original_module=types.SimpleNamespace(graph=first)),
        lowered_module_1=types.SimpleNamespace(original_module=types.SimpleNamespace(graph=second)),
    )


def test_delegation_of_a_graph_of_torch(lowered):
    import pandas as pd

    found = get_delegation_info(lowered)
    assert isinstance(found, DelegationInfo)
    assert (found.num_delegated_subgraphs, found.num_delegated_nodes, found.num_non_delegated_nodes) == (2, 3, 3)
    assert found.delegation_by_operator["aten_mm_default"] == DelegationBreakdown("aten_mm_default", 2, 0)
    assert "Total delegated subgraphs: 2\n" in found.get_summary()
    expected = pd.DataFrame(
        {
            "op_type": ["aten_add_tensor", "aten_mm_default", "aten_sub_tensor", "getitem", "Total"],
            "occurrences_in_delegated_graphs": [1, 2, 0, 0, 3],
            "occurrences_in_non_delegated_graphs": [0, 0, 1, 2, 3],
        }
    )
    pd.testing.assert_frame_equal(found.get_operator_delegation_dataframe(), expected)


def test_delegation_of_a_program(shared, capsys):
    folder = shared / "programs" / "kvcache"
    found = get_delegation_info(folder / "xnnpack.bpte", etrecord=folder / "xnnpack.etrecord")
    assert (found.num_delegated_subgraphs, found.num_delegated_nodes, found.num_non_delegated_nodes) == (4, 18, 24)
    assert found.delegation_by_operator["aten_view_copy_default"].delegated == 8
    exported = types.SimpleNamespace(buffer=(folder / "xnnpack.bpte").read_bytes())
    assert get_delegation_info(exported, etrecord=folder / "xnnpack.etrecord") == found
    print_delegation_info(folder / "xnnpack.bpte")
    assert "Number of delegated nodes:" in capsys.readouterr().out
    assert get_delegation_info(conv_net("pte")).num_delegated_subgraphs == 0
    with pytest.raises(errors.ArgumentError, match="got int"):
        get_delegation_info(3)
    with pytest.raises(errors.NotFoundError, match="nothing"):
        get_delegation_info(folder / "xnnpack.bpte", method="nothing")


def test_memory_over_time(shared):
    program = shared / "programs" / "add_mul" / "portable.bpte"
    record = program.with_suffix(".etrecord")
    steps = create_tensor_allocation_info(program, etrecord=record)
    assert all(isinstance(step, MemoryTimeline) for step in steps)
    # Three inputs are set; mm, mul and add read and write; the output is read.
    assert [len(step.allocations) for step in steps] == [3, 4, 4, 3, 1]
    (output,) = steps[-1].allocations
    assert (output.op_name, output.memory_id, output.memory_offset, output.size_bytes) == ("aten::add.out", 1, 0, 64)
    assert output.file_and_line_num.endswith(".py:7")
    for step in steps:
        places = sorted((each.memory_offset, each.size_bytes) for each in step.allocations)
        assert all(one[0] + one[1] <= other[0] for one, other in zip(places, places[1:]))


@pytest.mark.parametrize("offsets", [False, True])
def test_memory_trace(tmp_path, offsets):
    file = tmp_path / "memory.json"
    exported = types.SimpleNamespace(buffer=pathlib.Path(conv_net("pte")).read_bytes())
    generate_memory_trace(exported, file, offsets)
    steps = create_tensor_allocation_info(conv_net("pte"))
    events = json.loads(file.read_text())["traceEvents"]
    assert len(events) == sum(len(step.allocations) for step in steps) > 5
    for index, step in enumerate(steps):
        found = [event for event in events if event["tid"] == index]
        assert [event["dur"] for event in found] == [each.size_bytes for each in step.allocations]
        placed = [each.memory_offset for each in step.allocations]
        beside = list(np.cumsum([0, *(each.size_bytes for each in step.allocations)])[:-1])
        assert [event["ts"] for event in found] == (placed if offsets else beside)


@pytest.mark.filterwarnings("ignore:the record belongs to another program")
def test_memory_names_come_from_the_record(shared):
    def names(program, record):
        steps = create_tensor_allocation_info(program, etrecord=record)
        return {each.name for step in steps for each in step.allocations}

    found = names(conv_net("pte"), conv_net("etrecord"))
    assert {"aten_convolution_default", "aten_softmax_default", "x"} & found
    assert not any(name.startswith("value_") for name in found)
    program = shared / "programs" / "mobilenet_v2_small" / "portable.bpte"
    found = names(program, program.with_suffix(".etrecord"))
    assert sum(not name.startswith("value_") for name in found) > 0.9 * len(found)
    # The record of another program names nothing.
    assert all(name.startswith("value_") for name in names(program, conv_net("etrecord")))


@pytest.fixture
def case_trace(shared, tmp_path):
    """A real trace whose runs belong to the third case of the bundled program."""
    schema = tmp_path / "trace.fbs"
    schema.write_text((CHECKOUT / "etdump" / "schema" / "etdump.fbs").read_text() + 'file_identifier "ED00";\n')
    source = shared / "traces" / "add_mul_portable" / "trace.etdp"
    if shutil.which("flatc") is None:
        pytest.skip("flatc is not installed")
    flatc = ["flatc", "--size-prefixed", "-o", tmp_path]
    subprocess.run([*flatc, "--strict-json", "--raw-binary", "--json", schema, "--", source], check=True)
    document = json.loads((tmp_path / "trace.json").read_text())
    for run in document["run_data"]:
        run["bundled_input_index"] = 2 if run["name"] == "Execute" else -1
    (tmp_path / "trace.json").write_text(json.dumps(document))
    subprocess.run([*flatc, "--binary", schema, tmp_path / "trace.json"], check=True)
    (made,) = {*tmp_path.glob("trace.*")} - {schema, tmp_path / "trace.json"}
    return made


def test_reference_outputs(case_trace, shared):
    record = parse_etrecord(shared / "programs" / "add_mul" / "portable.etrecord")
    outputs = record._reference_outputs
    assert list(outputs) == ["forward"]
    assert [[value.shape for value in case] for case in outputs["forward"]] == [[(4, 4)]] * 3
    assert [value.shape for value in record._representative_inputs] == [(4, 4)] * 3
    blocks = {block.name: block for block in Inspector(etdump_path=case_trace, etrecord=record).event_blocks}
    assert blocks["Execute"].bundled_input_index == 2
    assert blocks["Execute"].reference_output is outputs["forward"][2]
    assert blocks["Default"].reference_output is None
    assert not outputs["forward"][2][0].flags.writeable
    for block in Inspector(etdump_path=case_trace).event_blocks:
        assert block.reference_output is None


def test_reference_outputs_are_those_of_the_bundled_program(shared):
    from et_inspect.devtools.bundled_program import BundledProgram

    for name in ("kvcache/portable", "multi_method/portable", "list_io/portable"):
        record = parse_etrecord(shared / "programs" / f"{name}.etrecord")
        bundle = BundledProgram.load(shared / "programs" / f"{name}.bpte")
        for suite in bundle.method_test_suites:
            outputs = record._reference_outputs[suite.method_name]
            assert len(outputs) == len(suite.test_cases)
            for values, case in zip_equal(outputs, suite.test_cases):
                for value, expected in zip_equal(values, case.expected_outputs):
                    np.testing.assert_array_equal(value, expected)


def test_reference_outputs_that_are_damaged(shared):
    record = parse_etrecord(shared / "broken" / "pickle_command.etrecord")
    with pytest.raises(errors.Error, match="reference_outputs.*refused to call"):
        assert record._reference_outputs


class ExportersRecord:
    """The subset of the exporter's ETRecord that et_inspect uses."""

    def __init__(self, path):
        self.path = path

    def save(self, path):
        pathlib.Path(path).write_bytes(self.path.read_bytes())


def test_record_of_the_exporter(shared):
    record = shared / "programs" / "add_mul" / "portable.etrecord"
    folder = shared / "traces" / "add_mul_portable"
    theirs, ours = open_inspector(folder, None, None), open_inspector(folder, record, None)
    theirs = Inspector(etdump_path=folder / "trace.etdp", etrecord=ExportersRecord(record))
    assert [event.op_types for block in theirs.event_blocks for event in block.events] == [
        event.op_types for block in ours.event_blocks for event in block.events
    ]
    kept = pathlib.Path(theirs._etrecord.path)
    assert kept.exists()
    del theirs
    gc.collect()
    assert not kept.exists()
    with pytest.raises(TypeError, match="got int"):
        Inspector(etdump_path=folder / "trace.etdp", etrecord=5)


def test_record_of_the_exporter_where_programs_run(shared):
    from et_inspect.runtime import Runtime

    folder = shared / "programs" / "add_mul"
    exported = ExportersRecord(folder / "portable.etrecord")
    program = Runtime.get().load_program(folder / "portable.pte", etrecord=exported)
    method = program.load_method("forward")
    inputs = [np.ones((4, 4), np.float32)] * 3
    with method.trace() as trace:
        method.execute(inputs)
    events = [event for block in trace.inspector().event_blocks for event in block.events]
    assert ["aten.mm.default"] in [event.op_types for event in events]
    (name,) = [node.name for node in parse_etrecord(exported.path).edge_dialect_program.nodes if "mm" in node.name]
    with method.tap(name, etrecord=exported) as taps:
        method.execute(inputs)
    np.testing.assert_array_equal(taps[name], np.full((4, 4), 4, np.float32))


def test_cells_that_are_equal_are_one_object(shared):
    """Sharing equal cells keeps data frames of a million rows small."""
    whole = open_inspector(shared / "traces" / "mobilenet_v2_small_portable", None, None).to_dataframe()
    frame = whole[whole["event_block_name"] == "Execute"]
    assert len(frame) > 300
    names = frame["event_name"]
    assert len(set(map(id, names))) == len(set(names)) < 30
    for column in ("op_types", "stack_traces", "module_hierarchy", "debug_data"):
        assert not any(frame[column])
        assert len(set(map(id, frame[column]))) == 1
    # Times are separate lists, which callers may modify.
    assert len(set(map(id, frame["raw"]))) == len(frame)


def test_the_total_of_no_module_is_a_number():
    total = Inspector(etdump_path=conv_net("etdp")).find_total_for_module("nothing")
    assert isinstance(total, float)
    assert total == 0


def test_saving_a_record(tmp_path):
    record = parse_etrecord(conv_net("etrecord"))
    held = io.BytesIO()
    record.save(held)
    record.save(tmp_path / "copy.etrecord")
    assert held.getvalue() == (tmp_path / "copy.etrecord").read_bytes() == pathlib.Path(conv_net("etrecord")).read_bytes()


def test_generating_a_record_is_the_exporters(monkeypatch):
    monkeypatch.setitem(sys.modules, "executorch.devtools", None)
    with pytest.raises(errors.NotFoundError, match="needs ExecuTorch"):
        generate_etrecord("x", None, None)
    asked = []
    devtools = types.SimpleNamespace(generate_etrecord=lambda *given, **named: asked.append((given, named)))
    monkeypatch.setitem(sys.modules, "executorch", types.SimpleNamespace(devtools=devtools))
    monkeypatch.setitem(sys.modules, "executorch.devtools", devtools)
    generate_etrecord("x", "edge", "program", exported_program="exported")
    assert asked == [(("x", "edge", "program"), {"exported_program": "exported"})]


def test_a_bundled_program_becomes_one_of_executorch(monkeypatch):
    class Theirs(types.SimpleNamespace):
        def __init__(self, executorch_program, method_test_suites):
            super().__init__(program=executorch_program, suites=method_test_suites)

    class Case(types.SimpleNamespace):
        def __init__(self, inputs, expected_outputs):
            super().__init__(inputs=inputs, expected=expected_outputs)

    asked = []
    devtools = types.SimpleNamespace(generate_etrecord=lambda *given: asked.append(given), BundledProgram=Theirs)
    config = types.SimpleNamespace(MethodTestCase=Case, MethodTestSuite=types.SimpleNamespace)
    modules = {"executorch": types.SimpleNamespace(devtools=devtools), "executorch.devtools": devtools}
    modules["executorch.devtools.bundled_program"] = types.SimpleNamespace(config=config)
    modules["executorch.devtools.bundled_program.config"] = config
    modules["torch"] = types.SimpleNamespace(from_numpy=lambda array: ("tensor", array.shape))
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    exported = types.SimpleNamespace(buffer=pathlib.Path(conv_net("pte")).read_bytes())
    case = MethodTestCase([np.ones((1, 3, 16, 16), np.float32)], [np.ones((1, 10), np.float32)])
    bundled = BundledProgram(exported, [MethodTestSuite("forward", [case])])
    generate_etrecord("x", "edge", bundled)
    ((path, edge, theirs),) = asked
    assert (path, edge, theirs.program) == ("x", "edge", exported)
    assert theirs.suites[0].method_name == "forward"
    assert theirs.suites[0].test_cases[0].inputs == [("tensor", (1, 3, 16, 16))]
    assert theirs.suites[0].test_cases[0].expected == [("tensor", (1, 10))]
    with pytest.raises(errors.ArgumentError, match="debug handles"):
        generate_etrecord("x", "edge", BundledProgram(conv_net("pte"), [MethodTestSuite("forward", [case])]))


def test_time_scales_by_name():
    plain = Inspector(etdump_path=conv_net("etdp"))
    named = Inspector(etdump_path=conv_net("etdp"), source_time_scale="NS", target_time_scale=" us ")
    ours, theirs = (each.event_blocks[1].events[0].perf_data.p50 for each in (named, plain))
    assert ours == pytest.approx(1000 * theirs)
    assert "p50 (us)" in named.to_dataframe().columns
    with pytest.raises(errors.ArgumentError, match="ns, us, ms, s, cycles, got 'h'"):
        Inspector(etdump_path=conv_net("etdp"), target_time_scale="h")


def test_representations_are_short():
    blocks = Inspector(etdump_path=conv_net("etdp"), etrecord=conv_net("etrecord")).event_blocks
    assert max(len(repr(block)) for block in blocks) < 3000
    assert f"… {len(blocks[1].events)} in total]" in repr(blocks[1])
    assert "native_call_convolution.out" in blocks[1]._repr_html_()
    assert repr(blocks[1].events[0]).startswith("Event(name='native_call_convolution.out', p50=")
