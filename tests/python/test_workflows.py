"""Workflow functions: JSON equal to the command line's, data frames, pictures, errors, Ctrl-C."""

import inspect
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import xml.dom.minidom

import numpy as np
import pytest
from samples import command_line, conv_net, sample

import et_inspect
from et_inspect import _arguments, _native, _program, errors

pytestmark = pytest.mark.filterwarnings("ignore:the Edge graph is compared")


def assert_picture(svg):
    """Checks that the SVG is well-formed, has light and dark themes, and neither runs nor loads anything."""
    root = xml.dom.minidom.parseString(svg).documentElement
    assert root.tagName == "svg"
    assert "prefers-color-scheme:dark" in svg
    assert not root.getElementsByTagName("script")
    assert "http" not in svg.replace("http://www.w3.org/", "")


@pytest.mark.parametrize(
    ("result", "arguments"),
    [
        (lambda: et_inspect.memory(conv_net("pte")), ("memory", "pte")),
        (lambda: et_inspect.memory(conv_net("pte"), etrecord=conv_net("etrecord"), what_if=True),
         ("memory", "pte", "--etrecord", "etrecord", "--what-if")),
        (lambda: et_inspect.delegates(conv_net("pte"), etrecord=conv_net("etrecord"), etdump=conv_net("etdp"), nodes=True),
         ("delegates", "pte", "--etrecord", "etrecord", "--etdump", "etdp", "--nodes")),
        (lambda: et_inspect.findings(conv_net("pte"), conv_net("etdp"), conv_net("etrecord")),
         ("findings", "pte", "etdp", "etrecord")),
        (lambda: et_inspect.graph(conv_net("pte"), etrecord=conv_net("etrecord"), find="relu", around="2", depth=1),
         ("graph", "pte", "--etrecord", "etrecord", "--find", "relu", "--around", "2", "--depth", "1")),
        (lambda: et_inspect.diff(conv_net("pte"), conv_net("bpte"), all=True), ("diff", "pte", "bpte", "--all")),
    ],
    ids=["memory", "memory_what_if", "delegates", "findings", "graph", "diff"],
)  # fmt: skip
def test_documents_are_those_of_the_command_line(result, arguments):
    files = ("pte", "bpte", "etrecord", "etdp")
    given = [conv_net(each) if each in files else each for each in arguments]
    document = command_line(*given, "--format", "json")
    assert result().to_json() == json.loads(document)


def test_memory():
    found = et_inspect.memory(conv_net("pte"), etrecord=conv_net("etrecord"))
    assert found.schema == 1
    assert found.methods[0].arenas[0].peak_bytes == found.peak_bytes == 16384
    frame = found.to_dataframe()
    assert len(frame) == len(found.methods[0].tensors)
    assert frame["bytes"].max() == 8192
    assert set(frame["module"]) >= {"stem.conv"}
    assert found.to_svg() == command_line("memory", conv_net("pte"), "--etrecord", conv_net("etrecord"), "--format", "svg")
    assert found.text() == command_line("memory", conv_net("pte"), "--etrecord", conv_net("etrecord"))


def test_graph_is_drawn_as_the_command_line_draws_it():
    found = et_inspect.graph(conv_net("pte"), etrecord=conv_net("etrecord"), overlay="bytes")
    options = ("--etrecord", conv_net("etrecord"), "--overlay", "bytes", "--format")
    assert found.to_svg() == command_line("graph", conv_net("pte"), *options, "svg")
    assert found.to_dot() == command_line("graph", conv_net("pte"), *options, "dot")
    assert list(found.to_dataframe()["kind"]) == [node.kind for node in found.nodes]


def test_diff_says_what_changed():
    found = et_inspect.diff(conv_net("pte"), sample("add_mul") / "add_mul.pte")
    assert not found.same
    frame = found.to_dataframe().set_index("operator")
    assert frame.loc["aten::convolution.out", ["before", "after"]].tolist() == [2, 0]
    assert_picture(found.to_svg())
    assert "aten::convolution.out" in found.to_markdown()
    assert et_inspect.diff(conv_net("pte"), conv_net("bpte")).to_svg() is None


def test_diff_lists_changes_of_every_part(tmp_path):
    lowered = {name: tmp_path / f"{name}.pte" for name in ("float", "quantized")}
    et_inspect.lower(conv_net("etrecord"), output=lowered["float"])
    et_inspect.quantize(conv_net("etrecord"), calibrate=conv_net("bpte"), scheme="w8a8-static", output=lowered["quantized"])
    found = et_inspect.diff(lowered["float"], lowered["quantized"])
    assert not found.same
    frame = found.to_dataframe()
    assert len(frame) > 5
    assert "same" not in set(frame["change"])
    assert {"instruction", "delegate 0", "size"} <= set(frame["part"])
    sizes = frame[frame["name"] == "file_bytes"].iloc[0]
    assert (sizes["before"], sizes["after"]) == (found.file_bytes.before, found.file_bytes.after)
    assert_picture(found.to_svg())
    assert "<table>" in found._repr_html_()
    same = et_inspect.diff(conv_net("pte"), conv_net("bpte"), all=True).to_dataframe()
    assert set(same["change"]) == {"same"}


def test_bench():
    found = et_inspect.bench(conv_net("pte"), conv_net("bpte"), iterations=5, warmup=1, threads=1)
    assert [model.executions for model in found.models] == [5, 5]
    assert 0 < found.models[0].time_ms.min <= found.models[0].time_ms.p50
    frame = found.to_dataframe()
    assert frame["p50_ms"].tolist() == [model.time_ms.p50 for model in found.models]
    assert et_inspect.bench(conv_net("pte"), iterations=3).p50_ms > 0


def test_bench_of_several_threads_and_of_language_models():
    curves = et_inspect.bench(conv_net("pte"), threads=[1, 2], iterations=3, warmup=1)
    assert curves.to_dataframe()["threads"].tolist() == [1, 2]
    rates = et_inspect.bench(sample("llama") / "llama.pte", prompt_tokens=[4, 8], generate_tokens=2, iterations=1, warmup=0)
    assert rates.to_dataframe()["prompt_tokens"].tolist() == [4, 8]
    assert (rates.to_dataframe()["decode_tokens_per_second"] > 0).all()
    assert_picture(curves.to_svg())
    assert_picture(rates.to_svg())


def test_arrays_are_inputs():
    shape = (1, 3, 16, 16)
    for inputs in (np.zeros(shape, np.float32), [np.zeros(shape, np.float32)], "zeros"):
        assert et_inspect.bench(conv_net("pte"), inputs=inputs, iterations=1, warmup=0).models[0].executions == 1
    with pytest.raises(errors.Error, match=r"\[1, 3, 16, 16\]"):
        et_inspect.bench(conv_net("pte"), inputs=[np.zeros((2, 2), np.float32)])


def test_verify_tells_the_verdict():
    found = et_inspect.verify(conv_net("bpte"))
    assert found.passed
    assert found.message == ""
    assert found.to_dataframe()["verdict"].tolist() == ["pass"] * 3


def test_verify_of_what_does_not_pass_is_no_exception(tmp_path):
    wrong = tmp_path / "wrong.bpte"
    command_line("bundle", conv_net("pte"), "--input", "ones", "--expected", "0.5", "-o", wrong)
    broken = tmp_path / "broken.bpte"
    broken.write_bytes(b"no program")
    found = et_inspect.verify(wrong, broken)
    assert not found.passed
    assert (found.summary.fail, found.summary.error) == (1, 1)
    assert [file.verdict for file in found.files] == ["fail", "error"]
    assert found.to_dataframe()["verdict"].tolist() == ["fail", "error"]
    assert str(wrong) in found.message
    assert_picture(found.to_svg())
    assert et_inspect.verify(wrong, sqnr=-100, atol=1).passed


def test_gap():
    found = et_inspect.gap(conv_net("pte"), conv_net("etrecord"), bisect=True)
    assert not found.diverges
    assert found.worst_snr > 100
    frame = found.to_dataframe()
    assert frame["aot_ops"].tolist()[0] == "aten_convolution_default"
    assert (frame["max_abs"].dropna() == 0).all()
    assert frame["snr"].iloc[0] == float("inf")


def test_gap_of_a_trace():
    found = et_inspect.gap(etrecord=conv_net("etrecord"), etdump=conv_net("etdp"), debug_buffer=conv_net("debug"))
    assert len(found.rows) == 9
    assert not found.diverges


def test_compare():
    found = et_inspect.compare(conv_net("pte"), conv_net("bpte"), launches=2, iterations=10, fail_if="p50>1ns")
    assert found.regressed  # the budget is exceeded
    assert found.budgets[0].broken
    frame = found.to_dataframe()
    assert frame["name"].iloc[0] == "total"
    assert len(frame) == 1 + len(found.methods[0].operators)
    assert set(frame["unit"]) == {found.unit}
    assert f"times in {found.unit}" in repr(found)


def test_generate():
    model, tokenizer = sample("llama") / "llama.pte", sample("llama") / "llama_tokenizer.bin"
    one = et_inspect.generate(model, tokenizer, "Once", max_tokens=4, surprise=True)
    assert len(one.ids) == 4
    assert one.to_dataframe()["id"].tolist() == one.ids
    assert (one.to_dataframe()["surprise"] >= 0).all()
    several = et_inspect.generate(model, tokenizer, ["Once", "then"], max_tokens=4)
    assert [result.prompt for result in several] == ["Once", "then"]
    assert several[0].ids == one.ids
    assert et_inspect.generate(model, tokenizer, "@/etc/passwd", max_tokens=1).prompt == "@/etc/passwd"
    with pytest.raises(ValueError, match="expected a text"):
        et_inspect.generate(model, tokenizer, [])


def test_every_picture():
    for found in (
        et_inspect.memory(conv_net("pte")),
        et_inspect.delegates(conv_net("pte")),
        et_inspect.findings(conv_net("pte"), conv_net("etdp")),
        et_inspect.graph(conv_net("etrecord")),
        et_inspect.bench(conv_net("pte"), iterations=2),
        et_inspect.verify(conv_net("bpte")),
        et_inspect.gap(conv_net("pte"), conv_net("etrecord")),
        et_inspect.compare(conv_net("etdp"), conv_net("etdp")),
        et_inspect.generate(sample("llama") / "llama.pte", sample("llama") / "llama_tokenizer.bin", "a", max_tokens=2),
    ):
        assert_picture(found.to_svg())


@pytest.mark.parametrize("workflow", [et_inspect.bench, et_inspect.memory, et_inspect.verify, et_inspect.delegates])
def test_a_missing_file_is_a_file_error(workflow):
    if workflow is et_inspect.verify:
        found = workflow("nowhere.bpte")
        assert found.files[0].verdict == "error"
        assert "nowhere.bpte" in found.message
        return
    with pytest.raises(errors.FileError) as raised:
        workflow("nowhere.pte")
    assert raised.value.file == "nowhere.pte"
    assert "No such file" in str(raised.value)


@pytest.mark.parametrize("workflow", [et_inspect.bench, et_inspect.memory])
def test_a_damaged_file_is_the_same_error_in_either_process(workflow, tmp_path):
    damaged = tmp_path / "damaged.pte"
    damaged.write_bytes(pathlib.Path(conv_net("pte")).read_bytes()[:3000])
    with pytest.raises(errors.FormatError) as raised:
        workflow(damaged)
    assert raised.value.file == str(damaged)
    assert str(raised.value).startswith(str(damaged))


def test_wrong_arguments():
    with pytest.raises(errors.ArgumentError, match='no method "x"'):
        et_inspect.bench(conv_net("pte"), method="x")
    with pytest.raises(TypeError, match="'frob'"):
        et_inspect.bench(conv_net("pte"), frob=1)
    with pytest.raises(errors.NotFoundError, match='no method "x"'):
        et_inspect.memory(conv_net("pte"), method="x")
    with pytest.raises(errors.ArgumentError, match="partition"):
        et_inspect.graph(conv_net("pte"), overlay="x")


# Options without a static type; other keywords of the functions.
UNTYPED = {"on", "device_log", "keep_if", "keep_last", "dim", "system", "max_events"}
OTHERS = {
    "bench": {"models", "options"},
    "compare": {"a", "b", "junit", "options"},
    "gap": {"files", "options", "save_tensors"},
    "generate": {"method", "model", "options"},
    "verify": {
        "elements", "files", "gradient_tolerance", "gradients", "jobs", "llm", "options", "save_failures", "tokenizer", "tokens",
    },  # fmt: skip
}


@pytest.mark.parametrize("workflow", [getattr(et_inspect, name) for name in OTHERS])
def test_keywords_are_the_options_of_the_command_line(workflow):
    name = workflow.__name__
    declared = set(_arguments.keywords(name))
    accepted = _arguments.LimitOptions if name in ("generate", "verify") else _arguments.ModelOptions
    typed = set(inspect.signature(workflow).parameters) | set(accepted.__annotations__)
    assert typed - declared == OTHERS[name]
    assert declared - typed == UNTYPED & declared
    helps = subprocess.run([_program.find(), name, "--help"], check=True, capture_output=True, text=True).stdout
    for option in _native.options(name):
        assert option["name"] in helps


def test_an_option_without_a_static_type_is_accepted(tmp_path):
    model, tokenizer = sample("llama") / "llama.pte", sample("llama") / "llama_tokenizer.bin"
    et_inspect.generate(model, tokenizer, "Once", max_tokens=1, max_events=1000, etdump=tmp_path / "trace.etdp")
    assert (tmp_path / "trace.etdp").exists()


def test_a_model_that_needs_what_is_not_here(tmp_path):
    with pytest.raises(errors.Error) as raised:
        et_inspect.bench(conv_net("pte"), max_instructions=3)
    assert "3" in str(raised.value)


def test_no_time_left():
    with pytest.raises(errors.CancelledError) as raised:
        et_inspect.bench(conv_net("pte"), iterations=2_000_000_000, timeout=0.3)
    assert json.loads(raised.value.partial)["models"][0]["executions"] > 0


def test_a_program_that_is_not_there(monkeypatch):
    monkeypatch.setenv("ET_INSPECT_LAUNCHER", "/nowhere/et-inspect")
    with pytest.raises(errors.FileError, match="cannot start"):
        et_inspect.bench("model.pte")


def test_a_program_that_crashes(monkeypatch, tmp_path):
    crashing = tmp_path / "et-inspect"
    crashing.write_text("#!/bin/sh\nkill -SEGV $$\n")
    crashing.chmod(0o755)
    monkeypatch.setenv("ET_INSPECT_LAUNCHER", str(crashing))
    with pytest.raises(errors.RunError, match="SIGSEGV"):
        et_inspect.bench("model.pte")


def test_a_program_that_is_another_one(monkeypatch, tmp_path):
    other = tmp_path / "et-inspect"
    other.write_text("#!/bin/sh\necho hello\n")
    other.chmod(0o755)
    monkeypatch.setenv("ET_INSPECT_LAUNCHER", str(other))
    with pytest.raises(errors.RunError, match="no JSON"):
        et_inspect.bench("model.pte")


def resident():
    """Returns the resident memory of this process in bytes."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_is_given_back():
    def use():
        et_inspect.memory(conv_net("pte"), etrecord=conv_net("etrecord")).to_svg()
        et_inspect.delegates(conv_net("pte"), etrecord=conv_net("etrecord"), etdump=conv_net("etdp"))
        et_inspect.graph(conv_net("etrecord")).text()
        et_inspect.diff(conv_net("pte"), conv_net("bpte"))
        with et_inspect.open(conv_net("pte"), conv_net("etdp")) as session:
            session.sql("SELECT * FROM events")
            session.findings()
        with pytest.raises(errors.Error):
            et_inspect.memory(conv_net("etdp"))

    for _ in range(20):
        use()
    before = resident()
    for _ in range(100):
        use()
    assert resident() - before < 8 << 20


def children():
    """Returns the running child processes of this process, except that of `et-inspect serve`."""
    listed = pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [int(each) for each in listed if b"\0serve\0" not in pathlib.Path(f"/proc/{each}/cmdline").read_bytes()]


def test_ctrl_c_ends_the_child():
    timer = threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        et_inspect.bench(conv_net("pte"), iterations=2_000_000_000)
    assert time.monotonic() - began < 8
    assert children() == []


@pytest.mark.parametrize(
    "call",
    [
        lambda: et_inspect.compare(conv_net("pte"), conv_net("bpte"), time=600, launches=40),
        lambda: et_inspect.soak(conv_net("pte"), time="10m"),
        lambda: et_inspect.run(conv_net("pte"), iterations=2_000_000_000),
    ],
    ids=["compare", "soak", "run"],
)
def test_ctrl_c_ends_every_command(call):
    conv_net("pte")
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        call()
    assert time.monotonic() - began < 8
    assert children() == []


def test_ctrl_c_reads_what_the_child_still_writes(monkeypatch, tmp_path):
    """A child that prints more than a pipe holds after the signal exits without being killed."""
    done = tmp_path / "done"
    talkative = tmp_path / "et-inspect"
    talkative.write_text(
        f"#!{sys.executable}\nimport signal, sys, time\n"
        "def end(*_):\n"
        "    sys.stdout.write('x' * 1_000_000)\n    sys.stdout.flush()\n"
        "    sys.stderr.write('y' * 1_000_000)\n    sys.stderr.flush()\n"
        f"    open({str(done)!r}, 'w').close()\n    sys.exit(130)\n"
        "signal.signal(signal.SIGINT, end)\ntime.sleep(60)\n"
    )
    talkative.chmod(0o755)
    monkeypatch.setenv("ET_INSPECT_LAUNCHER", str(talkative))
    threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        et_inspect.bench("model.pte")
    assert time.monotonic() - began < 8
    assert done.exists()
    assert children() == []


def test_ctrl_c_ends_what_the_child_left(monkeypatch, tmp_path):
    """A process of the child that survives it, with the pipes open, does not delay the end."""
    leaving = tmp_path / "et-inspect"
    leaving.write_text("#!/bin/sh\n(trap '' INT; exec sleep 60) &\ntrap 'exit 130' INT\nwhile :; do sleep 0.1; done\n")
    leaving.chmod(0o755)
    monkeypatch.setenv("ET_INSPECT_LAUNCHER", str(leaving))
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        et_inspect.bench("model.pte")
    assert time.monotonic() - began < 8


def test_ctrl_c_ends_a_child_that_does_not_want_to(monkeypatch, tmp_path):
    stubborn = tmp_path / "et-inspect"
    stubborn.write_text("#!/bin/sh\ntrap '' INT\nwhile :; do sleep 0.1; done\n")
    stubborn.chmod(0o755)
    monkeypatch.setenv("ET_INSPECT_LAUNCHER", str(stubborn))
    monkeypatch.setattr(_program, "_PATIENCE_SECONDS", 0.3)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        et_inspect.bench("model.pte")
    assert children() == []


def test_ctrl_c_ends_a_layout(monkeypatch, tmp_path):
    slow = tmp_path / "et-layout"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setenv("ET_INSPECT_LAYOUT", str(slow))
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        et_inspect.graph(conv_net("pte")).to_svg()
    assert time.monotonic() - began < 5
    assert children() == []


def test_names_that_are_no_utf8(tmp_path):
    name = os.fsdecode(os.fsencode(tmp_path) + b"/net-\xff.pte")
    pathlib.Path(name).write_bytes(pathlib.Path(conv_net("pte")).read_bytes())
    assert et_inspect.memory(name).peak_bytes == 16384
    assert et_inspect.bench(name, iterations=1).models[0].executions == 1
    assert_picture(et_inspect.graph(name).to_svg())
    assert et_inspect.diff(name, conv_net("pte")).same
    with et_inspect.open(name) as session:
        assert session.program.path == name
        assert "html" in str(list(session._repr_mimebundle_()))
    with pytest.raises(errors.FileError):
        et_inspect.bench(name + "x")


def test_a_star_import_leaves_open_alone():
    names = {}
    exec("from et_inspect import *", names)
    assert "open" not in names
    assert names["bench"] is et_inspect.bench
    assert "open" in dir(et_inspect)


def test_warnings_are_of_the_caller():
    with pytest.warns(UserWarning, match="the Edge graph is compared") as caught:
        found = et_inspect.gap(conv_net("pte"), conv_net("etrecord"))
    assert caught[0].filename == __file__
    assert found.warnings == [str(caught[0].message)]


def test_many_threads_at_once():
    results = []

    def read():
        results.append(et_inspect.memory(conv_net("pte")).peak_bytes)

    def run():
        results.append(et_inspect.bench(conv_net("pte"), iterations=1).models[0].memory.planned)

    threads = [threading.Thread(target=work) for work in [read] * 8 + [run] * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [16384] * 10


def test_progress_on_a_terminal():
    """tqdm shows progress only if standard error is a terminal."""
    pytest.importorskip("tqdm")
    script = f"import et_inspect; et_inspect.bench({conv_net('pte')!r}, iterations=40_000)"
    main, other = os.openpty()
    done = subprocess.run([sys.executable, "-c", script], stderr=other, check=True, stdout=subprocess.PIPE)
    os.close(other)
    shown = os.read(main, 100_000).decode()
    os.close(main)
    assert "bench: run" in shown
    assert done.stdout == b""
    quiet = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert quiet.stderr == b""


def test_flags():
    assert _arguments.flags("bench", threads=2, emulate=True, all=False, data=["a", "b"], backends_off="X", method=None) == [
        "--threads=2",
        "--emulate",
        "--data=a",
        "--data=b",
        "--backend-off=X",
    ]
    assert _arguments.path("-model.pte") == "./-model.pte"


def test_fields():
    found = et_inspect.memory(conv_net("pte"))
    assert "methods" in dir(found)
    assert "file" in found
    assert found["file"] == found.file == conv_net("pte")
    with pytest.raises(AttributeError, match="it has schema, file"):
        _ = found.nothing
    copy = found.to_json()
    copy["methods"].clear()
    assert found.methods


def test_real_programs(shared):
    """Every result has JSON, a data frame and a picture for real ExecuTorch files, including delegates."""
    folder = shared / "programs" / "mobilenet_v2_small"
    for program in sorted(folder.glob("*.bpte"))[:4]:
        assert et_inspect.verify(program).passed, program
        plan = et_inspect.memory(program)
        assert plan.planned_bytes >= plan.peak_bytes > 0
        assert_picture(plan.to_svg())
        parts = et_inspect.delegates(program)
        assert len(parts.to_dataframe()) == sum(len(method.delegates) for method in parts.methods)
        assert_picture(et_inspect.graph(program).to_svg())


def test_documents_of_real_files_are_those_of_the_command_line(shared):
    program = shared / "programs" / "mobilenet_v2_small" / "xnnpack_q8.bpte"
    etrecord = program.with_suffix(".etrecord")
    for result, *arguments in (
        (et_inspect.memory(program, etrecord=etrecord), "memory", program, "--etrecord", etrecord),
        (et_inspect.delegates(program, etrecord=etrecord, nodes=True), "delegates", program, "--etrecord", etrecord, "--nodes"),
        (et_inspect.graph(program, etrecord=etrecord), "graph", program, "--etrecord", etrecord),
        (et_inspect.findings(program, etrecord), "findings", program, etrecord),
        (et_inspect.diff(program, program.with_name("xnnpack.bpte")), "diff", program, program.with_name("xnnpack.bpte")),
    ):
        assert result.to_json() == json.loads(command_line(*arguments, "--format", "json")), arguments[0]


@pytest.mark.filterwarnings("ignore")
def test_damaged_files_are_errors_of_ours(shared):
    """Any file gives a result or an exception of the package."""
    seen = 0
    for file in sorted((shared / "broken").iterdir()):
        if not file.is_file() or file.suffix == ".json":
            continue
        for read in (et_inspect.memory, et_inspect.delegates, et_inspect.graph, et_inspect.findings):
            try:
                read(file).to_dataframe()
            except errors.Error as error:
                assert error.message, file.name
            seen += 1
    assert seen > 200
