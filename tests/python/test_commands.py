"""Generated functions: one for each command, with the options of the command line, on real samples."""

import inspect
import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from samples import ET_INSPECT, command_line, conv_net, sample

import et_inspect
from et_inspect import _commands, errors

GENERATOR = pathlib.Path(__file__).parents[2] / "cmake" / "package" / "python" / "commands.py"
# Commands without a function: et_inspect.open() opens and saves sessions, help is for terminals, and Inspector has the events.
WITHOUT = {"events", "help", "mcp", "session"}


def llama(kind):
    return sample("llama") / {"pte": "llama.pte", "etrecord": "llama.etrecord", "tokenizer": "llama_tokenizer.bin"}[kind]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("commands")


@pytest.fixture(scope="module")
def machine(folder):
    """A measurement of a machine, as a file."""
    level = {"level": "L1", "capacity": 32768, "threads": 1, "read_gb_per_s": 100, "copy_gb_per_s": 100, "add_gb_per_s": 100}
    memory = {**level, "level": "memory", "capacity": 0, "read_gb_per_s": 10, "copy_gb_per_s": 10, "add_gb_per_s": 10}
    document = {
        "schema": 1, "cpu": "test", "cores": 1, "system": "test", "date": "2026-01-01",
        "peaks": [{"dtype": "fp32", "how": "vectors", "threads": 1, "gflops": 50, "spread": 0, "clock_ghz": 1}],
        "bandwidths": [{**each, "spread": 0, "clock_ghz": 1} for each in (level, memory)],
        "timer_resolution_ns": 20, "timer_cost_ns": 20, "noise": 0,
    }  # fmt: skip
    path = folder / "machine.json"
    path.write_text(json.dumps(document))
    return path


def test_every_command_is_a_function():
    schema = json.loads(command_line("man", "--format", "json"))
    for command in schema["commands"]:
        name = command["name"] + ("_" if command["name"] == "import" else "")
        if command["name"] in WITHOUT:
            continue
        function = getattr(et_inspect, name)
        assert callable(function), name
        assert f"``et-inspect {command['name']}``" in " ".join(function.__doc__.split())
        assert name in et_inspect.__all__


def test_the_functions_are_up_to_date(tmp_path):
    """The generated file has the options of the current command line."""
    schema, made = tmp_path / "schema.json", tmp_path / "commands.py"
    schema.write_text(command_line("man", "--format", "json"))
    subprocess.run([sys.executable, GENERATOR, schema, made], check=True)
    assert made.read_text() == pathlib.Path(_commands.__file__).read_text()


def test_signatures_and_docstrings_come_from_the_options():
    quantize = inspect.signature(et_inspect.quantize)
    assert next(iter(quantize.parameters)) == "etrecord"
    assert quantize.parameters["etrecord"].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert quantize.parameters["calibrate"].kind is inspect.Parameter.KEYWORD_ONLY
    assert quantize.parameters["dry_run"].default is False
    assert "'minmax'" in str(quantize.parameters["observer"].annotation)
    assert "\n    calibrate: " in inspect.getdoc(et_inspect.quantize)
    assert inspect.signature(et_inspect.roofline).parameters["program"].default is inspect.Parameter.empty
    with pytest.raises(TypeError, match="frob"):
        et_inspect.quantize("model.etrecord", frob=1)


@pytest.mark.skipif(sys.version_info < (3, 10), reason="inspect evaluates annotations since Python 3.10")
def test_annotations_can_be_evaluated():
    from collections.abc import Sequence
    from typing import Any, Literal

    names = {"Sequence": Sequence, "Literal": Literal, "ArrayLike": Any, "PathLike": str, "CommandResult": et_inspect.CommandResult}
    for name in _commands.__all__:
        inspect.signature(getattr(et_inspect, name), eval_str=True, locals=names)


def test_info():
    found = et_inspect.info(conv_net("pte"))
    assert found.kind == "program"
    assert found.to_dataframe()["name"].tolist() == ["forward"]
    assert found.to_json() == json.loads(command_line("info", conv_net("pte"), "--format", "json"))
    several = et_inspect.info(conv_net("pte"), conv_net("etdp"))
    assert [each.kind for each in several.files] == ["program", "trace"]


def test_tensors(folder):
    found = et_inspect.tensors(conv_net("pte"), only="weights", statistics=True, save=folder / "weights")
    frame = found.to_dataframe()
    assert len(frame) == len(found.tensors) == len(list((folder / "weights").iterdir()))
    assert frame["bytes"].max() == 4608
    assert "weight" in found._repr_html_()


def test_size():
    found = et_inspect.size(conv_net("pte"))
    assert found.total == pathlib.Path(conv_net("pte")).stat().st_size == found.to_dataframe()["bytes"].sum()
    assert found.passed


def test_sql():
    found = et_inspect.sql(conv_net("etdp"), "SELECT name, count(*) AS n FROM events GROUP BY 1")
    assert {"name", "n"} <= set(found.to_dataframe())


def test_run(folder):
    image = np.ones((1, 3, 16, 16), np.float32)
    found = et_inspect.run(conv_net("pte"), inputs=[image], output=folder / "outputs")
    assert found.inputs[0].source != "random"
    assert len(found.to_dataframe()) == len(found.outputs) == 1
    assert list((folder / "outputs").glob("*.npy"))


def test_counters():
    found = et_inspect.counters(conv_net("pte"))
    assert len(found.to_dataframe()) == 10


def test_machine(monkeypatch, folder, machine):
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    assert et_inspect.machine(import_=machine).cpu == "test"


def test_roofline(machine):
    found = et_inspect.roofline(conv_net("etdp"), program=conv_net("pte"), machine=machine)
    assert len(found.to_dataframe()) == len(found.operators) > 5
    assert found.to_svg().startswith("<svg")


def test_shapes():
    assert et_inspect.shapes(conv_net("pte")).to_dataframe()["end"].tolist() == ["ran"]


def test_probe(folder):
    found = et_inspect.probe(conv_net("pte"), conv_net("etrecord"), output=folder / "probes", max_probes=9)
    assert 0 < found.pending == found.probes <= 9
    assert (folder / "probes" / "reexport.py").exists()


def test_baseline(folder):
    store = folder / "baselines.db"
    et_inspect.baseline("save", "first", conv_net("pte"), store=store, iterations=3)
    assert "first" in str(et_inspect.baseline("list", store=store).to_json())


def test_train(folder):
    files = sample("train")
    path = folder / "trained.ptd"
    found = et_inspect.train(files / "train.pte", inputs=[files / "train_data.npz"], steps=10, lr=0.1, checkpoint=path)
    losses = found.to_dataframe()["loss"]
    assert found.passed and len(losses) == 10 and losses.iloc[-1] < losses.iloc[0]
    assert path.exists()
    data = np.load(files / "train_data.npz")
    resumed = et_inspect.train(files / "train.pte", inputs=[data["x"], data["target"]], steps=1, resume=path)
    assert resumed.batches == 4 and resumed.to_dataframe()["loss"].iloc[0] < losses.iloc[0]
    assert et_inspect.verify(files / "train.pte", gradients=True).passed


def test_soak():
    found = et_inspect.soak(conv_net("pte"), runs=3)
    assert found.passed


def test_pipeline(folder):
    et_inspect.sample("diffusion", output=folder / "pipeline")
    ran = et_inspect.pipeline("run", folder / "pipeline" / "diffusion.toml")
    assert ran.to_dataframe()["stage"].tolist()[-1] == "decode"
    assert ran.outputs[0].sizes == [4, 48]
    checked = et_inspect.pipeline("gap", folder / "pipeline" / "diffusion.toml")
    assert checked.passed and checked.divergence is None


def test_reduce(folder):
    found = et_inspect.reduce(conv_net("pte"), fails="test ! -s {}", output=folder / "reduced")
    assert found.passed
    assert (folder / "reduced").is_dir()


def test_bundle(folder):
    path = folder / "bundle.bpte"
    image = np.ones((1, 3, 16, 16), np.float32)
    found = et_inspect.bundle(conv_net("pte"), inputs=[image], expected=[np.full((1, 10), 0.1, np.float32)], output=path)
    assert found.output == str(path)
    assert et_inspect.verify(path).summary.cases == 1


def test_lower(folder):
    found = et_inspect.lower(conv_net("etrecord"), output=folder / "lowered.pte")
    assert found.program_bytes == (folder / "lowered.pte").stat().st_size
    assert len(found.to_dataframe()) == len(found.methods[0].nodes)
    assert found.to_dataframe()["method"].unique().tolist() == ["forward"]


def test_quantize(folder):
    found = et_inspect.quantize(conv_net("etrecord"), calibrate=conv_net("bpte"), keep=["fc"], output=folder / "quantized.pte")
    assert found.to_dataframe()["site"].tolist() == [each.site for each in found.sites]
    assert (folder / "quantized.pte").exists()
    with pytest.raises(errors.ArgumentError, match="dry-run"):
        et_inspect.quantize(conv_net("etrecord"), calibrate=conv_net("bpte"))


def test_sensitivity():
    found = et_inspect.sensitivity(conv_net("etrecord"), calibrate=conv_net("bpte"))
    assert (found.to_dataframe()["only.sqnr_db"] > 20).all()


def test_optimize():
    found = et_inspect.optimize(conv_net("etrecord"), calibrate=conv_net("bpte"), budget="sqnr=30dB", no_times=True, time=5)
    assert len(found.to_dataframe()) >= 1
    assert found._repr_html_()


def test_replan(folder):
    assert et_inspect.replan(conv_net("pte"), output=folder / "replanned.pte").to_dataframe()["method"].tolist() == ["forward"]


def test_extract(folder):
    found = et_inspect.extract(conv_net("pte"), instructions="0..2", output=folder / "part.pte")
    assert found.bytes == (folder / "part.pte").stat().st_size
    assert len(found.to_dataframe()) == 1


def test_extract_a_payload(folder, shared):
    file = folder / "payload.bin"
    found = et_inspect.extract(shared / "backends_new" / "ethosu_inline.pte", payload=0, output=file)
    assert file.stat().st_size == found.bytes == found.known_bytes + found.opaque_bytes + found.padding_bytes
    assert (folder / "payload.bin.parts" / "weight_data").exists()


def test_perplexity():
    found = et_inspect.perplexity(llama("pte"), "Once upon a time", tokenizer=llama("tokenizer"))
    assert len(found.to_dataframe()) == 1
    assert getattr(found, "all").perplexity > 1


def test_growth(folder):
    trace = folder / "generated.etdp"
    et_inspect.generate(llama("pte"), llama("tokenizer"), "Once", max_tokens=12, ignore_eos=True, etdump=trace)
    assert len(et_inspect.growth(trace).to_dataframe()) >= 1


def test_tokenize():
    found = et_inspect.tokenize(text="Once upon", tokenizer=llama("tokenizer"))
    assert found.count == len(found.ids) == len(found.to_dataframe())


def test_target():
    assert et_inspect.target("list").to_dataframe() is not None


def test_fit():
    found = et_inspect.fit(conv_net("pte"))
    assert found.fits and found.passed
    assert found.to_dataframe()["file"].tolist() == [conv_net("pte")]


def test_explain(folder):
    found = et_inspect.explain(
        "noise\nE/ExecuTorch: Input 0 has unexpected scalar type: expected Float but was Long.\n", conv_net("pte"),
        etrecord=conv_net("etrecord"),
    )
    assert found.known
    assert found.causes[0].confidence == "certain"
    assert "float32 [1, 3, 16, 16]" in found.causes[0].evidence
    assert "Convert the input" in found.causes[0].remedy
    assert found.codes == ["InvalidArgument (0x12)"]
    assert not et_inspect.explain(b"\x00\xff nothing\n").known
    assert list(found.to_dataframe()["confidence"])[0] == "certain"


def test_import_and_trend(folder):
    store = folder / "team.db"
    assert et_inspect.import_(conv_net("etdp"), store=store, model="conv_net").imported == 1
    found = et_inspect.trend("conv_net", store=store)
    assert found.model == "conv_net"
    assert len(found.to_dataframe()) == 1


def test_report(folder):
    assert et_inspect.report(conv_net("pte"), conv_net("etdp")).text.startswith("<!DOCTYPE html>")
    found = et_inspect.report(conv_net("pte"), conv_net("etdp"), output=folder / "report.html")
    assert found.output == str(folder / "report.html")
    assert (folder / "report.html").exists()


def test_export(folder):
    found = et_inspect.export(conv_net("etdp"))
    assert len(found.to_dataframe()) == len(found.traceEvents)
    stacks = et_inspect.export(conv_net("etdp"), etrecord=conv_net("etrecord"), to="folded")
    assert len(stacks.to_dataframe()) == len(stacks.text.splitlines())


def test_completions():
    assert "complete -o filenames" in et_inspect.completions("bash").text


def test_sample(folder):
    et_inspect.sample("add_mul", output=folder / "made")
    assert (folder / "made" / "add_mul.pte").exists()


def test_a_failed_check_is_no_exception(tmp_path):
    operators = tmp_path / "operators.txt"
    operators.write_text("aten::add.out\n")
    found = et_inspect.fit(conv_net("pte"), runtime=operators)
    assert not found.passed
    assert not found.fits


def test_errors_have_a_class_and_a_file(tmp_path):
    with pytest.raises(errors.FileError) as raised:
        et_inspect.size("nowhere.pte")
    assert raised.value.file == "nowhere.pte"
    damaged = tmp_path / "damaged.pte"
    damaged.write_bytes(pathlib.Path(conv_net("pte")).read_bytes()[:3000])
    with pytest.raises(errors.FormatError):
        et_inspect.replan(damaged, output=tmp_path / "out.pte")
    with pytest.raises(errors.ArgumentError):
        et_inspect.size(conv_net("pte"), by="x")


def test_names_that_look_like_options(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("-model.pte").write_bytes(pathlib.Path(conv_net("pte")).read_bytes())
    assert et_inspect.size("-model.pte").total > 0


def test_values_that_start_with_a_dash():
    assert et_inspect.tokenize(text="--count", tokenizer=llama("tokenizer")).count > 0


def test_no_executable(monkeypatch):
    monkeypatch.setenv("ET_INSPECT_LAUNCHER", "/nowhere/et-inspect")
    assert ET_INSPECT
    with pytest.raises(errors.FileError, match="/nowhere/et-inspect"):
        et_inspect.size("model.pte")
