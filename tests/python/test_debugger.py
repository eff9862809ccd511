"""The debugger, on the sample programs with faults."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest
from samples import command_line, sample

import et_inspect
from et_inspect import errors
from et_inspect.debugger import Stop


def files(name):
    folder = sample("faults")
    return folder / f"{name}.pte", folder / f"{name}.etrecord"


@pytest.fixture
def add_mul():
    folder = sample("add_mul")
    inputs = [np.full((4, 4), each, np.float32) for each in (1, 2, 3)]
    with et_inspect.debug(folder / "add_mul.pte", folder / "add_mul.etrecord", inputs=inputs) as debugger:
        yield debugger


def test_a_watchpoint_finds_the_first_nan():
    with et_inspect.debug(*files("nan_mask"), inputs="ones") as debugger:
        watchpoint = debugger.watch("nan")
        stop = debugger.run()
        assert (stop.reason, stop.watchpoint) == ("watchpoint", watchpoint.id)
        assert "softmax" in stop.operator
        assert stop.source.file.endswith("attention.py")
        assert np.isnan(debugger.array("out")[0]).all()
        assert np.isneginf(debugger.array("in0")[0]).all()
        assert debugger.stop == stop


def test_steps_forward_and_back(add_mul):
    assert add_mul.start().instruction == 0
    assert add_mul.next().instruction == 1
    assert np.array_equal(add_mul.array("out"), np.full((4, 4), 8, np.float32))
    assert add_mul.step().instruction == 2
    assert add_mul.reverse_next().instruction == 1
    assert add_mul.jump(2).instruction == 2
    assert add_mul.reverse_continue().reason == "start"
    assert add_mul.continue_().reason == "end"
    assert np.array_equal(add_mul.array("output:0"), np.full((4, 4), 14, np.float32))
    assert add_mul.where().reason == "end"


def test_breakpoints_have_conditions(add_mul):
    never = add_mul.break_("aten.mul.out", condition="max(in0) > 100")
    once = add_mul.break_("*add*", temporary=True)
    assert "add" in once.location
    assert add_mul.run().operator == "aten.add.out"
    assert [each["id"] for each in add_mul.info("breakpoints")["breakpoints"]] == [never.id]
    add_mul.delete(never.id)
    assert add_mul.info("breakpoints")["breakpoints"] == []


def test_values_have_statistics_and_references(add_mul):
    add_mul.break_("aten.add.out")
    add_mul.run()
    value = add_mul.value("in0", reference=True)
    assert (value.dtype, value.sizes) == ("float32", [4, 4])
    assert value.statistics.max == 8
    assert value.reference.max_error == 0
    assert np.array_equal(add_mul.array("in0", reference=True), add_mul.array("in0"))
    assert {each.role for each in add_mul.values()} >= {"input", "output"}
    assert add_mul.value("max(abs(in1))").value == 6
    assert "float32" in value._repr_html_()


def test_edits_make_branches(add_mul):
    add_mul.break_("aten.add.out")
    add_mul.run()
    branch = add_mul.set("in0", np.zeros((4, 4), np.float32))
    assert branch.id == 1
    add_mul.continue_()
    assert np.array_equal(add_mul.array("output:0"), np.full((4, 4), 6, np.float32))
    changed = add_mul.diff(0)
    assert not changed.equal
    assert max(each.max_error for each in changed.values) == 8


def test_several_executions_keep_state():
    model, record = files("stale_cache")
    with et_inspect.debug(model, record, inputs=[1, 0]) as debugger:
        debugger.break_("*custom_sdpa*", condition="max(abs(key)) == 0")
        stop = debugger.run()
        assert (stop.reason, stop.execution) == ("breakpoint", 0)
        debugger.delete()
        debugger.continue_()
        assert debugger.run(1, 1).execution == 1
        assert debugger.run(1, 2).execution == 2
        assert debugger.jump(0, execution=1).execution == 1


def test_errors_are_exceptions(add_mul, tmp_path):
    with pytest.raises(errors.Error, match="aten"):
        add_mul.break_("aten.none.out")
    with pytest.raises(errors.ArgumentError):
        add_mul.command("run\nquit")
    with pytest.raises(errors.ArgumentError):
        add_mul.command("")
    with pytest.raises(errors.Error):
        add_mul.where()
    with pytest.raises(TypeError, match="unexpected keyword"):
        et_inspect.debug("model.pte", color="red")
    with pytest.raises(errors.Error) as caught:
        et_inspect.debug(tmp_path / "none.pte")
    assert "none.pte" in str(caught.value)


def test_a_closed_debugger_reports_it(add_mul):
    add_mul.close()
    add_mul.close()
    with pytest.raises(errors.RunError):
        add_mul.run()


def test_stops_are_displayed(add_mul):
    stop = add_mul.start()
    assert "instruction 0" in repr(stop)
    assert "instruction 0" in stop._repr_html_()
    assert repr(add_mul).startswith("<Debugger: start")
    assert Stop(stop.to_json()) == stop


def test_ctrl_c_stops_the_command_and_keeps_the_debugger():
    """SIGINT during a long command raises KeyboardInterrupt; the next command works."""
    code = """
        import os, signal, threading, sys, et_inspect
        with et_inspect.debug(sys.argv[1], seed=1) as debugger:
            # A condition that is checked before each instruction and never holds, over many executions.
            debugger.break_("*", condition="sum(in0) == 12345.678")
            threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            try:
                while True:
                    debugger.run()
            except KeyboardInterrupt:
                print("interrupted", debugger.where().reason)
    """
    model = sample("add_mul") / "add_mul.pte"
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), model], text=True, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("interrupted")


def test_the_process_ends_with_its_debugger():
    debugger = et_inspect.debug(sample("add_mul") / "add_mul.pte")
    child = debugger._child
    del debugger
    assert child.wait(10) is not None


def test_the_help_describes_the_commands_that_have_methods(add_mul):
    text = add_mul.command("help")["info"]["text"]
    for verb in ("reverse-continue", "watch", "finish", "branch"):
        assert verb in text
    assert "debug" in command_line("--help")
