"""Compares the drop-in replacement with golden output of ExecuTorch's Inspector on the same real files."""

import io
import json

import pandas as pd
import pytest
from conftest import open_inspector
from samples import zip_equal

# The reference fails on this ETRecord: its methods are not all named forward.
WITHOUT_RECORD_GOLDEN = {"multi_method_mixed"}


def golden(traces, name):
    """Yields every trace that has the golden file."""
    found = [case for case in traces if (case[0] / name).exists()]
    assert len(found) >= 16
    return found


@pytest.mark.parametrize("accessed", [False, True], ids=["as_read", "through_objects"])
@pytest.mark.parametrize("with_record", [True, False], ids=["record", "no_record"])
def test_table_and_tsv(traces, with_record, accessed):
    suffix = "" if with_record else "_noetrecord"
    for folder, record, buffer in golden(traces, f"inspector{suffix}.txt"):
        inspector = open_inspector(folder, record if with_record else None, buffer if with_record else None)
        if accessed:
            assert inspector.event_blocks
        printed, written = io.StringIO(), io.StringIO()
        inspector.print_data_tabular(file=printed)
        inspector.save_data_to_tsv(written)
        assert printed.getvalue() == (folder / f"inspector{suffix}.txt").read_text(), folder.name
        assert written.getvalue() == (folder / f"inspector{suffix}.tsv").read_text(), folder.name


def described(value):
    """Returns a logged value in the format of the golden files."""
    if hasattr(value, "dtype"):
        return {"tensor": f"torch.{value.dtype}", "shape": list(value.shape)}
    return value


def as_json(value):
    return json.loads(json.dumps(value))


def test_every_field_of_every_event(traces):
    for folder, record, buffer in golden(traces, "inspector.json"):
        if folder.name in WITHOUT_RECORD_GOLDEN:
            continue
        blocks = json.loads((folder / "inspector.json").read_text())
        ours = open_inspector(folder, record, buffer).event_blocks
        assert [(block.name, block.bundled_input_index) for block in ours] == [
            (block["name"], block["bundled_input_index"]) for block in blocks
        ]
        for block, expected_block in zip_equal(ours, blocks):
            assert len(block.events) == len(expected_block["events"])
            for event, expected in zip_equal(block.events, expected_block["events"]):
                place = f"{folder.name}: {event.name}"
                assert event.name == expected["name"], place
                assert (event.perf_data.raw if event.perf_data else None) == expected["raw"], place
                assert event.op_types == expected["op_types"], place
                assert event.delegate_debug_identifier == expected["delegate_debug_identifier"], place
                assert event.debug_handles == expected["debug_handles"], place
                assert event.stack_traces == expected["stack_traces"], place
                assert as_json(event.module_hierarchy) == expected["module_hierarchy"], place
                assert event.is_delegated_op == expected["is_delegated_op"], place
                assert event.delegate_backend_name == expected["delegate_backend_name"], place
                assert event._instruction_id == expected["instruction_id"], place
                assert event.start_time == expected["start_time"], place
                assert [described(value) for value in event.debug_data] == expected["debug_data"], place


def row_by_row(inspector, units):
    """Builds the data frame like the reference: concatenates one-row frames, one per event."""
    blocks = []
    for block in inspector.event_blocks:
        unit = f" ({block.target_time_scale.value})" if units else ""
        rows = pd.concat([event.to_dataframe(unit) for event in block.events], ignore_index=True)
        rows.insert(0, "event_block_name", [block.name] * len(rows))
        blocks.append(rows)
    return pd.concat(blocks, ignore_index=True)


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("units", [True, False])
def test_data_frames(traces, units):
    compared = 0
    for folder, record, buffer in traces:
        fast = open_inspector(folder, record, buffer).to_dataframe(include_units=units)
        inspector = open_inspector(folder, record, buffer)
        expected = row_by_row(inspector, units)
        for frame in (fast, inspector.to_dataframe(include_units=units)):
            assert list(frame.columns) == list(expected.columns)
            assert frame.dtypes.to_dict() == expected.dtypes.to_dict(), folder.name
            # Arrays in cells have no truth value and are compared separately.
            plain = [column for column in frame.columns if column != "debug_data"]
            pd.testing.assert_frame_equal(frame[plain], expected[plain])
            assert frame["debug_data"].map(len).tolist() == expected["debug_data"].map(len).tolist()
        compared += 1
    assert compared >= 19


@pytest.mark.parametrize("distance", ["MSE", "L1", "SNR"])
def test_numeric_gaps(traces, distance):
    for folder, record, buffer in golden_gaps(traces, f"gap_{distance.lower()}.json"):
        expected = json.loads((folder / f"gap_{distance.lower()}.json").read_text())
        frame = open_inspector(folder, record, buffer).calculate_numeric_gap(distance)
        assert list(frame.columns) == [
            "aot_debug_handle",
            "aot_ops",
            "aot_intermediate_output",
            "runtime_ops",
            "runtime_debug_handle",
            "runtime_intermediate_output",
            "gap",
            "stacktraces",
        ]
        ours = {tuple(row.aot_ops): row for row in frame.itertuples()}
        for row in expected:
            found = ours.get(tuple(row["aot_ops"]))
            assert found is not None, f"{folder.name}: {row['aot_ops']}"
            assert found.runtime_ops == row["runtime_ops"]
            assert found.stacktraces == row["stacktraces"]
            assert_gap_agrees(found.gap, row["gap"], distance)


def golden_gaps(traces, name):
    found = [case for case in traces if (case[0] / name).exists()]
    assert len(found) >= 4
    return found


def assert_gap_agrees(ours, theirs, distance):
    """Checks gaps to 1 %, except rounding noise, whose digits depend on the build of PyTorch."""
    for one, other in zip_equal(ours, theirs):
        if distance == "SNR" and other > 100:
            assert one > 100
        elif distance == "SNR":
            assert one == pytest.approx(other, rel=0.01, nan_ok=True)
        else:
            assert one == pytest.approx(other, rel=0.01, abs=1e-3 if distance == "L1" else 1e-8)
