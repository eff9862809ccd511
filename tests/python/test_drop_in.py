"""Names, module paths and arguments of ExecuTorch's Python package, on real files."""

import gzip
import importlib
import importlib.util
import inspect
import io
import json
import subprocess
import sys
import types

import numpy as np
import pytest
from conftest import open_inspector
from samples import conv_net

import et_inspect
from et_inspect import errors
from et_inspect.devtools import (
    BundledProgram,
    ETRecord,
    Inspector,
    generate_memory_trace,
    intermediate_output_tap,
    parse_etrecord,
    visualization,
)
from et_inspect.devtools.bundled_program.serialize import (
    convert_from_flatbuffer,
    convert_to_flatbuffer,
    deserialize_from_flatbuffer_to_bundled_program,
    deserialize_from_json_to_bundled_program,
    serialize_from_bundled_program_to_json,
)
from et_inspect.devtools.etdump.serialize import (
    deserialize_from_etdump_flatcc,
    deserialize_from_etdump_json,
    serialize_to_etdump_flatcc,
    serialize_to_etdump_json,
)
from et_inspect.devtools.inspector import compare_results
from et_inspect.devtools.pte_tool.diff_pte import diff_pte, format_diff_result
from et_inspect.exir.backend.utils import format_delegated_graph
from et_inspect.exir.print_program import inspect_node, print_program
from et_inspect.extension.pybindings import portable_lib

# Parameters of ExecuTorch's functions, by module path below the package.
SIGNATURES = {
    "devtools.inspector": {
        "Inspector": "etdump_path etdump_data etrecord source_time_scale target_time_scale debug_buffer_path "
        "delegate_metadata_parser delegate_time_scale_converter enable_module_hierarchy reference_graph_name",
        "Inspector.to_dataframe": "include_units include_delegate_debug_data",
        "Inspector.print_data_tabular": "file include_units include_delegate_debug_data",
        "Inspector.save_data_to_tsv": "file include_units include_delegate_debug_data",
        "Inspector.find_total_for_module": "module_name",
        "Inspector.get_op_list": "event_block show_delegated_ops",
        "Inspector.get_exported_program": "graph",
        "Inspector.calculate_numeric_gap": "distance disable_debug_handle_valdiation reference_graph",
        "Event": "name perf_data op_types delegate_debug_identifier debug_handles num_outputs stack_traces "
        "module_hierarchy is_delegated_op delegate_backend_name",
        "compare_results": "reference_output run_output metrics plot",
    },
    "devtools.inspector.inspector_cli": {"main": ""},
    "devtools.inspector.numerical_comparator.numerical_comparator_base": {"NumericalComparatorBase": "inspector"},
    "devtools.inspector.numerical_comparator.l1_numerical_comparator": {"L1Comparator": "inspector"},
    "devtools.inspector.numerical_comparator.mse_numerical_comparator": {"MSEComparator": "inspector"},
    "devtools.inspector.numerical_comparator.snr_numerical_comparator": {"SNRComparator": "inspector"},
    "devtools.etrecord": {
        "ETRecord": "exported_program export_graph_id edge_dialect_program graph_map",
        "ETRecord.add_exported_program": "exported_program",
        "ETRecord.add_edge_dialect_program": "edge_dialect_program",
        "ETRecord.add_executorch_program": "executorch_program",
        "ETRecord.add_extra_export_modules": "extra_recorded_export_modules",
        "ETRecord.update_representative_inputs": "representative_inputs",
        "ETRecord.update_reference_outputs": "reference_outputs",
        "ETRecord.save": "path",
        "ETRecord.copy": "",
        "parse_etrecord": "etrecord_path",
    },
    "devtools.etdump.serialize": {
        "serialize_to_etdump_flatcc": "etdump",
        "deserialize_from_etdump_flatcc": "data size_prefixed",
    },
    "devtools.etdump.schema_flatcc": {
        "ProfileEvent": "name chain_index instruction_id delegate_debug_id_int delegate_debug_id_str "
        "delegate_debug_metadata start_time end_time",
        "DebugEvent": "name chain_index instruction_id delegate_debug_id_int delegate_debug_id_str debug_entry",
        "RunData": "name bundled_input_index allocators events",
        "ETDumpFlatCC": "version run_data",
    },
    "devtools.bundled_program.core": {"BundledProgram": "executorch_program method_test_suites pte_file_path"},
    "devtools.bundled_program.config": {
        "MethodTestCase": "inputs expected_outputs",
        "MethodTestSuite": "method_name test_cases",
    },
    "devtools.bundled_program.serialize": {
        "serialize_from_bundled_program_to_json": "bundled_program",
        "deserialize_from_json_to_bundled_program": "program_json",
        "convert_to_flatbuffer": "program_json",
        "convert_from_flatbuffer": "program_flatbuffer",
        "serialize_from_bundled_program_to_flatbuffer": "bundled_program",
        "deserialize_from_flatbuffer_to_bundled_program": "flatbuffer",
    },
    "devtools.backend_debug": {"get_delegation_info": "graph_module", "print_delegation_info": "graph_module"},
    "devtools.pte_tool.diff_pte": {
        "diff_pte": "data_a data_b path_a path_b max_samples",
        "format_diff_result": "result verbose",
    },
    "devtools.visualization": {
        "visualize": "visualizable reuse_server no_open_in_browser",
        "visualize_graph": "graph_module exported_program reuse_server no_open_in_browser",
        "visualize_with_clusters": "exported_program json_file_name no_open_in_browser reuse_server get_node_partition_name "
        "get_node_qdq_cluster_name",
    },
    "util.activation_memory_profiler": {
        "generate_memory_trace": "executorch_program_manager chrome_trace_filename enable_memory_offsets method_name "
        "ommit_metadata",
    },
    "exir.backend.utils": {"format_delegated_graph": "graph_module", "get_delegates": "graph"},
    "exir.print_program": {
        "print_program": "program show_meminfo mark_dynamic_shape_tensor out",
        "inspect_node": "graph node",
        "add_cursor_to_graph": "graph finding_node",
    },
    "runtime": {
        "Runtime.load_program": "data verification enable_etdump debug_buffer_size data_path",
        "Program.load_method": "name",
        "Program.metadata": "method_name",
        "Program.write_etdump_result_to_file": "etdump_path debug_buffer_path",
        "Method.execute": "inputs",
        "BackendRegistry.is_available": "backend_name",
    },
    "devtools.intermediate_output_tap": {
        "TapSpec": "node_name op_target output_index reducer_name fields stack_trace module_path module_class",
        "compare_aot_runtime_dataframe": "specs aot_flat rt_flat",
    },
    "devtools.inspector._inspector_utils": {
        "calculate_snr": "ref_values values",
        "calculate_time_scale_factor": "source_time_scale target_time_scale",
        "display_or_print_df": "df file",
    },
    "devtools.bundled_program.schema.bundled_program_schema": {"BundledProgram": "version method_test_suites program"},
    "extension.pybindings.portable_lib": {
        "_load_for_executorch_from_data_loader": "loader data_path enable_etdump debug_buffer_size",
        "_load_for_executorch": "program_path data_path enable_etdump debug_buffer_size program_verification",
        "_load_for_executorch_from_buffer": "buffer data_map_buffer enable_etdump debug_buffer_size "
        "program_verification",
        "_load_for_executorch_from_bundled_program": "module data_map_buffer enable_etdump debug_buffer_size",
        "_load_bundled_program_from_buffer": "buffer non_const_pool_size",
        "_load_program": "path enable_etdump debug_buffer_size program_verification data_path",
        "_load_program_from_buffer": "buffer enable_etdump debug_buffer_size program_verification data_path",
        "ExecuTorchModule.run_method": "method_name inputs clone_outputs",
        "ExecuTorchModule.forward": "inputs clone_outputs",
        "ExecuTorchModule.plan_execute": "method_name clone_outputs",
        "ExecuTorchModule.load_bundled_input": "bundle method_name testset_idx",
        "ExecuTorchModule.verify_result_with_bundled_expected_output": "bundle method_name testset_idx rtol atol",
        "ExecuTorchModule.write_etdump_result_to_file": "path debug_buffer_path",
        "ExecuTorchModule.method_meta": "method_name",
        "ExecuTorchProgram.get_method_name": "method_index",
        "ExecuTorchProgram.load_method": "method_name",
        "ExecuTorchMethod.set_inputs": "inputs",
        "ExecuTorchMethod.get_outputs": "clone_outputs",
        "ExecuTorchMethod.call": "inputs clone_outputs",
        "ExecuTorchMethod.get_attribute": "name",
    },
}


@pytest.mark.parametrize(
    ("module", "name", "parameters"),
    [
        pytest.param(module, name, parameters, id=f"{module}.{name}")
        for module, functions in SIGNATURES.items()
        for name, parameters in functions.items()
    ],
)
def test_parameters_are_those_of_executorch(module, name, parameters):
    found = importlib.import_module(f"et_inspect.{module}")
    for part in name.split("."):
        found = getattr(found, part)
    names = [each for each in inspect.signature(found).parameters if each != "self"]
    expected = parameters.split()
    assert names[: len(expected)] == expected


@pytest.fixture
def folder(shared):
    """The files of a program with a delegate."""
    return shared / "programs" / "kvcache"


@pytest.fixture
def debug_trace(traces):
    """A trace with a debug buffer and an ETRecord."""
    return next(each for each in traces if each[1] is not None and each[2] is not None)


def test_inspector_takes_the_buffer_under_both_names(debug_trace):
    trace, record, buffer = debug_trace
    known = {"etdump_path": trace / "trace.etdp", "etrecord": record}
    one = Inspector(**known, buffer_path=buffer)
    other = Inspector(**known, debug_buffer_path=buffer)
    assert [len(block.run_output) for block in one.event_blocks] == [len(block.run_output) for block in other.event_blocks]
    with pytest.raises(ValueError, match="at most one"):
        Inspector(**known, buffer_path=buffer, debug_buffer_path=buffer)


def test_tables_are_saved_to_paths_and_files(debug_trace, tmp_path):
    inspector = open_inspector(*debug_trace)
    path = tmp_path / "table.tsv"
    inspector.save_data_to_tsv(path)
    inspector.save_data_to_tsv(str(tmp_path / "other.tsv"), include_units=False)
    file = io.StringIO()
    inspector.save_data_to_tsv(file)
    assert path.read_text() == file.getvalue() != ""
    assert "(ms)" not in (tmp_path / "other.tsv").read_text()


def test_events_have_their_number_of_outputs_and_operators(debug_trace):
    inspector = open_inspector(*debug_trace)
    events = [event for block in inspector.event_blocks for event in block.events]
    assert {event.num_outputs for event in events} >= {1}
    found = inspector.get_op_list("Execute")
    assert found and all(name in event.op_types for name, each in found.items() for event in each)


def test_plots_are_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    value = np.ones(4, np.float32)
    found = compare_results(reference_output=[value], run_output=[value * 1.1], metrics=["mse"], plot=True)
    assert found == {"mse": [0.01]}
    assert [file.stem for file in tmp_path.iterdir()] == ["mse_output_plot"]


def test_the_inspectors_command_line(debug_trace, tmp_path):
    trace, record, buffer = debug_trace
    command = [sys.executable, "-m", "et_inspect.devtools.inspector.inspector_cli"]
    command += ["--etdump_path", trace / "trace.etdp", "--etrecord_path", record, "--debug_buffer_path", buffer]
    command += ["--tsv_path", tmp_path / "t.tsv", "--target_time_scale", "us", "--method_name", "forward"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert "event_name" in done.stdout
    assert "(us)" in (tmp_path / "t.tsv").read_text()


def bundle_of(path):
    """The bundled program of a file, of a program object with the exporter's maps."""
    bundle = BundledProgram.load(path)
    record = parse_etrecord(path.with_suffix(".etrecord"))
    bundle.executorch_program = types.SimpleNamespace(
        debug_handle_map=record._debug_handle_map,
        delegate_map=record._delegate_map,
        instruction_id_to_num_outs_map=record._instruction_id_to_num_outs_map,
    )
    return bundle


def test_a_record_is_made_of_parts(folder, tmp_path):
    old = parse_etrecord(folder / "xnnpack.etrecord")
    made = ETRecord()
    made.add_exported_program(old.exported_program)
    made.add_edge_dialect_program({"forward": old.edge_dialect_program})
    with pytest.raises(RuntimeError, match="to be saved"):
        made.save(tmp_path / "incomplete.etrecord")
    made.add_executorch_program(bundle_of(folder / "xnnpack.bpte"))
    made.add_extra_export_modules({"before": old.exported_program})
    made.save(tmp_path / "made.etrecord")

    found = parse_etrecord(tmp_path / "made.etrecord")
    assert found.edge_dialect_program.nodes == old.edge_dialect_program.nodes
    assert found.exported_program.nodes == found.graph_map["before/forward"].nodes == old.exported_program.nodes
    assert found.export_graph_id == old.export_graph_id
    assert found._debug_handle_map == old._debug_handle_map
    assert found._delegate_map == old._delegate_map
    assert found._instruction_id_to_num_outs_map == old._instruction_id_to_num_outs_map
    for one, other in zip(found._representative_inputs, old._representative_inputs):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(found._reference_outputs["forward"][0][0], old._reference_outputs["forward"][0][0])


def test_parts_of_a_record_are_not_replaced(folder):
    record = parse_etrecord(folder / "xnnpack.etrecord")
    for add, given in (
        (record.add_exported_program, record.exported_program),
        (record.add_edge_dialect_program, record.edge_dialect_program),
        (record.add_executorch_program, bundle_of(folder / "xnnpack.bpte")),
    ):
        with pytest.raises(RuntimeError, match="already exists"):
            add(given)
    empty = record.copy()
    assert empty._debug_handle_map == {} and len(empty.edge_dialect_program) == len(record.edge_dialect_program)
    with pytest.raises(errors.ArgumentError, match="debug handles"):
        empty.add_executorch_program(str(folder / "xnnpack.bpte"))
    with pytest.raises(errors.ArgumentError, match="reserved"):
        empty.add_extra_export_modules({"debug_handle_map": record.exported_program})
    with pytest.raises(errors.ArgumentError, match="got int"):
        ETRecord(exported_program=3)


def test_inputs_and_outputs_of_a_record_are_replaced(folder, tmp_path):
    record = parse_etrecord(folder / "xnnpack.etrecord")
    inputs = [np.zeros(np.shape(each), np.asarray(each).dtype) for each in record._representative_inputs]
    outputs = [[np.full((2, 3), 7, np.float32)]]
    record.update_representative_inputs(inputs)
    record.update_reference_outputs(outputs)
    record.save(tmp_path / "changed.etrecord")
    found = parse_etrecord(tmp_path / "changed.etrecord")
    assert all(not np.any(each) for each in found._representative_inputs)
    np.testing.assert_array_equal(found._reference_outputs["forward"][0][0], outputs[0][0])
    with pytest.raises(errors.ArgumentError, match=r"reference_outputs.forward\[0\]: expected a tensor, got str"):
        record.update_reference_outputs(["text"])


def test_objects_of_torch_are_serialized(folder, tmp_path, monkeypatch):
    """With ExecuTorch's serializer replaced by one that returns the entries of a file."""
    from et_inspect.devtools.etrecord import _entries

    entries = _entries.read(folder / "xnnpack.etrecord")

    def serialize(program):
        names = ("exported_program", "state_dict", "constants", "example_inputs")
        parts = (entries[program.entry + ending] for ending in _entries.PARTS)
        return types.SimpleNamespace(**dict(zip(names, parts)))

    for name in ("executorch", "executorch.exir", "executorch.exir.serde"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    module = types.ModuleType("executorch.exir.serde.serialize")
    module.serialize = serialize
    monkeypatch.setitem(sys.modules, module.__name__, module)

    def program(entry):
        return types.SimpleNamespace(entry=entry, graph_module=None, graph_signature=None, graph=object())

    edge = program("edge_dialect_exported_program/forward")
    manager = types.SimpleNamespace(methods={"forward", "other"}, exported_program=lambda method: edge)
    exported = program("exported_program")
    record = ETRecord()
    record.add_exported_program({"forward": exported})
    record.add_edge_dialect_program(manager)
    record.add_executorch_program(bundle_of(folder / "xnnpack.bpte"))
    record.add_extra_export_modules({"copy": manager})
    record.save(tmp_path / "made.etrecord")
    found = parse_etrecord(tmp_path / "made.etrecord")
    assert sorted(found.methods) == ["forward", "other"]
    assert sorted(found.graph_map) == ["copy/forward", "copy/other"]
    assert found.export_graph_id == id(exported.graph)
    assert found.exported_program.nodes == parse_etrecord(folder / "xnnpack.etrecord").exported_program.nodes


def test_without_torch_its_objects_are_refused(monkeypatch):
    for name in ("executorch", "torch"):
        monkeypatch.setitem(sys.modules, name, None)
    program = types.SimpleNamespace(graph_module=None, graph_signature=None)
    with pytest.raises(errors.NotFoundError, match="neither is installed"):
        ETRecord().add_exported_program(program)


def test_exported_programs_print_as_graphs(folder):
    record = parse_etrecord(folder / "xnnpack.etrecord")
    text = str(record.edge_dialect_program)
    assert text.startswith("graph():\n    %") and "call_function[target=" in text and "    return (" in text
    assert record.edge_dialect_program.graph_module.print_readable(print_output=False) == text
    assert record.edge_dialect_program.graph.nodes == record.edge_dialect_program.nodes


def test_a_node_is_shown_in_its_graph(folder):
    graph = parse_etrecord(folder / "xnnpack.etrecord").edge_dialect_program
    node = graph.nodes[2]
    text = inspect_node(graph, node)
    assert f"\n--> %{node.name} : " in text and "Traceback (most recent call last):" in text
    assert text == inspect_node(graph, node.name)
    assert text.count("-->") == 1
    with pytest.raises(errors.NotFoundError):
        inspect_node(graph, "nothing")


class FxNode(types.SimpleNamespace):
    def format_node(self):
        return f"%{self.name} : = {self.op}"


def test_a_node_of_torch_is_shown():
    first = FxNode(op="placeholder", name="x", meta={})
    second = FxNode(op="call_function", name="add", meta={"stack_trace": '  File "a.py", line 1, in forward\n    x + 1'})
    graph = types.SimpleNamespace(nodes=[first, second])
    text = inspect_node(graph, second)
    assert "    %x : = placeholder\n--> %add : = call_function" in text and 'File "a.py"' in text


def test_delegates_are_shown_in_their_graph(folder):
    text = format_delegated_graph(folder / "xnnpack.bpte")
    assert text.count("backend_id: XnnpackBackend") == 4 and "XNNFullyConnected" in text
    inner = FxNode(op="call_function", name="mm", meta={})
    lowered = types.SimpleNamespace(
        backend_id="B", original_module=types.SimpleNamespace(graph=types.SimpleNamespace(nodes=[inner]))
    )
    holder = FxNode(op="get_attr", name="lowered_module_0", meta={})
    module = types.SimpleNamespace(graph=types.SimpleNamespace(nodes=[holder]), lowered_module_0=lowered)
    assert "    backend_id: B\n    lowered graph():\n      %mm : = call_function\n" in format_delegated_graph(module)


def test_programs_are_printed(folder):
    file = io.StringIO()
    print_program(folder / "xnnpack.bpte", out=file)
    text = file.getvalue()
    assert text.startswith("The program contains the following ")
    assert "XnnpackBackend " in text and "aten::index_put.out " in text


def test_memory_traces_without_metadata(tmp_path):
    generate_memory_trace(conv_net("pte"), tmp_path / "memory.json", ommit_metadata=True)
    events = json.loads((tmp_path / "memory.json").read_text())["traceEvents"]
    assert events and all(each["args"] == {} for each in events)


def test_traces_are_read_and_written(traces):
    for trace, _, _ in traces[:12]:
        data = (trace / "trace.etdp").read_bytes()
        found = deserialize_from_etdump_flatcc(data)
        assert deserialize_from_etdump_flatcc(serialize_to_etdump_flatcc(found)) == found
        assert deserialize_from_etdump_json(serialize_to_etdump_json(found)) == found
    with pytest.raises(errors.FormatError):
        deserialize_from_etdump_flatcc(b"nothing")
    with pytest.raises(errors.FormatError):
        deserialize_from_etdump_json("{}")


def test_bundled_programs_as_json(folder):
    data = (folder / "xnnpack.bpte").read_bytes()
    found = deserialize_from_flatbuffer_to_bundled_program(data)
    text = serialize_from_bundled_program_to_json(found)
    assert deserialize_from_json_to_bundled_program(text) == found
    assert deserialize_from_flatbuffer_to_bundled_program(convert_to_flatbuffer(text)) == found
    assert json.loads(convert_from_flatbuffer(data)) == json.loads(text)
    with pytest.raises(errors.FormatError):
        deserialize_from_json_to_bundled_program("[]")


def test_programs_are_compared(folder, shared, tmp_path):
    one = (folder / "xnnpack.bpte").read_bytes()
    other = (folder / "portable.bpte").read_bytes()
    assert diff_pte(one, one).bitwise_equal
    result = diff_pte(one, other, "x", "p")
    assert result.plan_diffs[0].delegates_only_in_a == ["XnnpackBackend"] * 4
    assert "Delegates only in A: XnnpackBackend" in format_diff_result(result)
    assert diff_pte(b"nothing", one).error
    data = bytearray(conv_net_bytes())
    at = data.index(np.float32(constant_of(data)).tobytes())
    data[at + 3] ^= 0x80
    tensor = diff_pte(conv_net_bytes(), bytes(data)).plan_diffs[0].tensor_diffs[0]
    assert tensor.num_differing == 1 and len(tensor.element_diffs) == 1


def conv_net_bytes():
    with open(conv_net("pte"), "rb") as file:
        return file.read()


def constant_of(data):
    """The first element other than 0 of the first constant of a program."""
    from et_inspect import _native

    (method,) = _native.program_contents(bytes(data))["methods"]
    constant = next(each["data"] for each in method["values"] if each.get("data") and each["dtype"] == 6)
    return next(each for each in np.frombuffer(constant, np.float32) if each != 0)


def expected_of(path):
    bundle = BundledProgram.load(path)
    return next(suite for suite in bundle.method_test_suites if suite.method_name == "forward").test_cases[0]


def test_modules_run(folder, tmp_path):
    case = expected_of(folder / "portable.bpte")
    data = (folder / "portable.bpte").read_bytes()
    module = portable_lib._load_for_executorch(str(folder / "portable.bpte"), enable_etdump=True, debug_buffer_size=1 << 20)
    outputs = module.forward(case.inputs)
    np.testing.assert_allclose(outputs[0], case.expected_outputs[0], rtol=1e-4, atol=1e-5)
    assert module.has_etdump() and "forward" in module.method_names()
    assert module.method_meta("forward").num_inputs() == len(case.inputs)
    module.write_etdump_result_to_file(str(tmp_path / "t.etdp"), str(tmp_path / "b.bin"))
    assert Inspector(etdump_path=tmp_path / "t.etdp", buffer_path=tmp_path / "b.bin").event_blocks

    bundle = portable_lib._load_bundled_program_from_buffer(data)
    module = portable_lib._load_for_executorch_from_bundled_program(bundle)
    module.load_bundled_input(bundle, "forward", 0)
    np.testing.assert_allclose(module.plan_execute("forward")[0], case.expected_outputs[0], rtol=1e-4, atol=1e-5)
    module = portable_lib._load_for_executorch_from_buffer(data)
    module.verify_result_with_bundled_expected_output(bundle, "forward", 0, rtol=1e-3, atol=1e-4)
    with pytest.raises(errors.NotFoundError):
        module.load_bundled_input(bundle, "forward", 99)


def test_methods_run_one_by_one(folder):
    case = expected_of(folder / "portable.bpte")
    program = portable_lib._load_program(folder / "portable.bpte")
    names = [program.get_method_name(index) for index in range(program.num_methods())]
    assert "forward" in names and not program.has_etdump()
    method = program.load_method("forward")
    method.set_inputs(case.inputs)
    with pytest.raises(RuntimeError):
        method.get_outputs()
    method.execute()
    np.testing.assert_allclose(method.get_outputs()[0], case.expected_outputs[0], rtol=1e-4, atol=1e-5)
    assert method.method_meta().name() == "forward"
    again = portable_lib._load_program_from_buffer((folder / "portable.bpte").read_bytes())
    np.testing.assert_allclose(
        again.load_method("forward")(case.inputs)[0], case.expected_outputs[0], rtol=1e-4, atol=1e-5
    )


def test_programs_are_read_by_loaders(folder, tmp_path):
    path = folder / "portable.bpte"
    case = portable_lib._load_bundled_program_from_buffer(path.read_bytes()).case("forward", 0)
    packed = tmp_path / "model.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    expected = portable_lib._load_for_executorch(str(path)).forward(case.inputs)
    with gzip.open(packed) as file:
        for source in (path, path.read_bytes(), file):
            module = portable_lib._load_for_executorch_from_data_loader(portable_lib.PyDataLoader(source))
            np.testing.assert_array_equal(module.forward(case.inputs)[0], expected[0])
    with pytest.raises(TypeError, match="expected a path"):
        portable_lib.PyDataLoader(5).load()


def test_tapped_outputs_are_compared():
    stats = intermediate_output_tap.TapSpec("a", "aten.mm.default", 1, "STATS", ("min", "max"), module_path="l.0")
    whole = intermediate_output_tap.TapSpec("b", "aten.relu.default", 0, "FULL_TENSOR", ())
    reference = [np.array([3.0, 4.0]), np.array([1.0, 2.0])]
    frame = intermediate_output_tap.compare_aot_runtime_dataframe(
        [stats, whole], reference, [np.array([3.0, 4.5]), np.array([1.0, np.nan])]
    )
    assert frame.loc[0, ["aot_min", "rt_min", "aot_max"]].tolist() == [1, 1, 2]
    assert np.isnan(frame.loc[0, "rt_max"])
    assert frame.loc[1, "sqnr_db"] == pytest.approx(20 * np.log10(np.hypot(3, 4.5) / 0.5))
    if importlib.util.find_spec("executorch") is None:
        with pytest.raises(errors.NotFoundError, match="needs ExecuTorch"):
            intermediate_output_tap.strip_taps_(None)


def test_weights_outside_the_program(shared):
    folder = shared / "pairs" / "portable_same_sizes"
    case = expected_of(folder / "a.bpte")
    weights = (folder / "a.ptd").read_bytes()
    for module in (
        portable_lib._load_for_executorch(str(folder / "a.pte"), data_path=str(folder / "a.ptd")),
        portable_lib._load_for_executorch_from_buffer((folder / "a.pte").read_bytes(), data_map_buffer=weights),
    ):
        np.testing.assert_allclose(module.forward(case.inputs)[0], case.expected_outputs[0], rtol=1e-4, atol=1e-5)
    program = portable_lib._load_program(str(folder / "a.pte"), data_path=str(folder / "a.ptd"))
    assert program.load_method("forward").call(case.inputs)[0].shape == np.shape(case.expected_outputs[0])


def test_registries_and_threads():
    assert portable_lib._is_available("XnnpackBackend")
    assert {"XnnpackBackend", "MLXBackend", "NativeBackend"} <= set(portable_lib._get_registered_backend_names())
    assert "aten::add.out" in portable_lib._get_operator_names()
    before = portable_lib._threadpool_get_thread_count()
    portable_lib._unsafe_reset_threadpool(2)
    assert portable_lib._threadpool_get_thread_count() == 2
    portable_lib._unsafe_reset_threadpool(before)




def model_explorer_nodes(path):
    document = json.loads(open(path, encoding="utf-8").read())
    nodes = {node["id"]: node for node in document["graphs"][0]["nodes"]}
    for node in nodes.values():
        assert all(edge["sourceNodeId"] in nodes for edge in node.get("incomingEdges", ()))
    return nodes


def test_graphs_are_written_for_model_explorer(tmp_path):
    path = str(tmp_path / "model.json")
    assert visualization.visualize(conv_net("etrecord"), json_file_name=path) == path
    nodes = model_explorer_nodes(path)
    sources = [edge["sourceNodeId"] for edge in nodes["aten_convolution_default"]["incomingEdges"]]
    assert sources == ["x", "p_stem_conv_weight"]
    assert nodes["aten_relu_default"]["namespace"] == "stem/act" and nodes["x"]["namespace"] == "inputs"
    data = json.loads((tmp_path / "model.partition.json").read_text())
    (results,) = [each["results"] for each in data.values()]
    assert results["aten_relu_default"]["value"] == "not delegated"
    assert len(model_explorer_nodes(et_inspect.visualize(conv_net("pte")))) > 5


def test_clusters_are_layers_of_model_explorer(tmp_path, shared):
    path = tmp_path / "model.json"
    record = shared / "programs" / "mobilenet_v2_small" / "xnnpack_q8.etrecord"
    assert et_inspect.visualize_with_clusters(record, path) == str(path)
    layers = [node["namespace"] for node in model_explorer_nodes(path).values()]
    assert layers.count("partition 0 (XnnpackBackend, instruction 0)/cluster (0)") == 4
    graph = parse_etrecord(conv_net("etrecord")).edge_dialect_program
    visualization.visualize_with_clusters(
        graph, path, get_node_partition_name=lambda node: node.op.split(".")[0], get_node_qdq_cluster_name=lambda node: "a/b"
    )
    assert model_explorer_nodes(path)["aten_relu_default"]["namespace"] == "partition 0 (aten)/cluster (a:b)"


def test_graphs_of_torch_are_written_for_model_explorer(tmp_path):
    x = types.SimpleNamespace(name="x", op="placeholder", target="x", all_input_nodes=[], meta={})
    stack = {"a": ("layers.0", "Linear")}
    relu = types.SimpleNamespace(
        name="relu", op="call_function", target="aten.relu.default", all_input_nodes=[x], meta={"nn_module_stack": stack}
    )
    tagged = types.SimpleNamespace(
        name="add", op="call_function", target="aten.add.Tensor", all_input_nodes=[x, relu],
        meta={"delegation_tag": "tag0", "cluster": "c/1"},
    )
    module = types.SimpleNamespace(graph=types.SimpleNamespace(nodes=[x, relu, tagged]))
    nodes = model_explorer_nodes(visualization.visualize_graph(module, None))
    assert [each["namespace"] for each in nodes.values()] == ["inputs", "layers/0", ""]
    assert [edge["sourceNodeId"] for edge in nodes["add"]["incomingEdges"]] == ["x", "relu"]
    clusters = model_explorer_nodes(visualization.visualize_with_clusters(module, tmp_path / "model.json"))
    assert clusters["add"]["namespace"] == "partition 0 (tag0)/cluster (c:1)"


def test_attributes_of_methods_are_read(shared):
    program = portable_lib._load_program(shared / "programs" / "multi_state" / "shared.pte")
    method = program.load_method("set_state")
    state = np.asarray([1.0, 2.0, 3.0], np.float32)
    method.call([state])
    np.testing.assert_array_equal(method.get_attribute("m.state"), program.load_method("get_state").call()[0])
    with pytest.raises(errors.NotFoundError, match='no attribute "other"'):
        method.get_attribute("other")
