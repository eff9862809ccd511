"""The pytest plugin and the assertions, used as in tests of models."""

import json
import math
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

import numpy as np
import pytest
from samples import command_line, conv_net, sample

from et_inspect import errors, testing

pytestmark = pytest.mark.filterwarnings("ignore:the Edge graph is compared")


@pytest.fixture
def run(tmp_path):
    """Runs pytest on a test file; returns its exit code, its output, and the properties of each test in JUnit XML."""

    def run_tests(text, *options, ini=""):
        (tmp_path / "test_model.py").write_text(text)
        (tmp_path / "pytest.ini").write_text("[pytest]\n" + ini)
        report = tmp_path / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "et_inspect.pytest_plugin", "-p", "no:cacheprovider"]
        command += [f"--junit-xml={report}", *map(str, options)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        cases = {}
        for case in xml.etree.ElementTree.parse(report).iter("testcase"):
            cases[case.get("name")] = {each.get("name"): each.get("value") for each in case.iter("property")}
        return done.returncode, done.stdout, cases

    return run_tests


PASSES = "def test_model(et_bundle):\n    et_bundle.assert_passes()\n"


@pytest.fixture
def wrong(tmp_path):
    """A bundle whose only case expects a wrong output."""
    path = tmp_path / "wrong.bpte"
    command_line("bundle", conv_net("pte"), "--input", "ones", "--expected", "0.5", "-o", path)
    return path


def test_the_fixture_runs_a_test_for_each_bundle(run, wrong):
    code, printed, cases = run(PASSES, "--et-bundle", conv_net("bpte"), "--et-bundle", wrong)
    assert code == 1
    assert set(cases) == {"test_model[conv_net.bpte]", "test_model[wrong.bpte]"}
    assert cases["test_model[conv_net.bpte]"]["et_inspect.cases"] == "3"
    assert "1 failed, 1 passed" in printed
    assert "wrong.bpte: forward, case 0" in printed


def test_bundles_of_the_ini_file_folders_and_patterns(run, tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    for name in ("a.bpte", "b.bpte"):
        (folder / name).write_bytes(pathlib.Path(conv_net("bpte")).read_bytes())
    names = {"test_model[a.bpte]", "test_model[b.bpte]"}
    for ini in ("et_bundles = models", "et_bundles = models/*.bpte", "et_bundles =\n  models/a.bpte\n  models/b.bpte"):
        code, _, cases = run(PASSES, ini=ini)
        assert (code, set(cases)) == (0, names), ini
    assert set(run(PASSES, "--et-bundle", "models/a.bpte", ini="et_bundles = models")[2]) == {"test_model[a.bpte]"}


def test_without_a_bundle_it_is_skipped_and_a_missing_one_fails(run):
    code, printed, _ = run(PASSES, "-rs")
    assert code == 0
    assert "no bundled program is given: --et-bundle FILE" in printed
    code, printed, _ = run(PASSES, "--et-bundle", "nowhere.bpte")
    assert code == 1
    assert "nowhere.bpte" in printed


def test_properties_of_a_test(run):
    text = f"""
from et_inspect.testing import assert_close_to_export, assert_within_budget
def test_near():
    assert_close_to_export({conv_net("pte")!r}, {conv_net("etrecord")!r}, sqnr=60)
def test_small():
    assert_within_budget({conv_net("pte")!r}, p50="1 s", size="1 MB", peak_memory="1 GiB", iterations=3)
def test_nothing():
    pass
"""
    code, _, cases = run(text, "-W", "ignore")
    assert code == 0
    assert cases["test_near"] == {"et_inspect.sqnr_db": "inf"}
    assert set(cases["test_small"]) == {"et_inspect.p50_ms", "et_inspect.size_bytes", "et_inspect.peak_resident_bytes"}
    assert cases["test_small"]["et_inspect.size_bytes"] == str(os.path.getsize(conv_net("pte")))
    assert cases["test_nothing"] == {}


def test_baselines_are_saved_and_compared(run, tmp_path):
    text = f"""
from et_inspect.testing import assert_not_slower
def test_speed():
    assert_not_slower({conv_net("pte")!r}, baseline="main", threshold=10000, iterations=20, launches=2)
"""
    store = tmp_path / "baselines.db"
    code, printed, _ = run(text, "--et-store", store)
    assert code == 1  # nothing to compare with
    assert "main" in printed
    code, _, cases = run(text, "--et-store", store, "--et-save-baselines")
    assert (code, cases["test_speed"]) == (0, {})
    code, _, cases = run(text, "--et-store", store)
    assert code == 0
    assert float(cases["test_speed"]["et_inspect.forward.ratio"]) > 0
    assert cases["test_speed"]["et_inspect.forward.verdict"] in ("same", "undecided", "faster")


def test_slower_is_an_assertion(tmp_path):
    """Compares two traces, one of which is ten times slower: timing depends on measured data only."""
    slow = tmp_path / "slow.etdp"
    command_line("run", conv_net("bpte"), "--etdump", tmp_path / "fast.etdp", "--iterations", "30")
    big = sample("mobilenet_v2_small") / "mobilenet_v2_small.pte"
    command_line("run", big, "--etdump", slow, "--iterations", "30")
    with pytest.raises(AssertionError, match="slower"):
        testing.assert_not_slower(slow, tmp_path / "fast.etdp")
    found = testing.assert_not_slower(tmp_path / "fast.etdp", slow)
    assert found.methods[0].total.verdict == "faster"


def test_budgets():
    limits = {"p50": "1 s", "p90": 1000, "load": "1e3 ms", "planned_memory": "16 KiB"}
    found = testing.assert_within_budget(conv_net("pte"), **limits, iterations=3)
    assert found.models[0].time_ms.p50 < 1000
    assert testing.assert_within_budget(conv_net("pte"), size="1 MB") is None
    size = os.path.getsize(conv_net("pte"))
    assert testing.assert_within_budget(conv_net("pte"), size=size) is None
    with pytest.raises(AssertionError, match=f"size is {size:,} bytes, more than {size - 1:,} bytes"):
        testing.assert_within_budget(conv_net("pte"), size=size - 1)
    over = r"p50 is .* ms, more than 1e-06 ms; planned is 16,384 bytes, more than 1,000 bytes"
    with pytest.raises(AssertionError, match=over):
        testing.assert_within_budget(conv_net("pte"), p50="1 ns", planned_memory="1 kB", iterations=3)
    for wrong in ("5", "5 MB", "fast", "-5 ms", "ms"):
        with pytest.raises(ValueError, match="expected a number and one of ns"):
            testing.assert_within_budget(conv_net("pte"), p50=wrong)
    with pytest.raises(errors.FileError):
        testing.assert_within_budget("nowhere.pte", p50="5 ms")


def test_close_to_export_with_arrays():
    image = np.random.default_rng(0).standard_normal((1, 3, 16, 16), np.float32)
    found = testing.assert_close_to_export(conv_net("pte"), conv_net("etrecord"), [image], sqnr=100)
    assert found.worst_snr >= 100
    with pytest.raises(errors.Error, match=r"\[1, 3, 16, 16\]"):
        testing.assert_close_to_export(conv_net("pte"), conv_net("etrecord"), [image[0]])


def test_what_cannot_be_near_is_an_assertion():
    with pytest.raises(AssertionError, match=r"output 0 \(aten__softmax_default\): inf dB: less than nan dB"):
        testing.assert_close_to_export(conv_net("pte"), conv_net("etrecord"), sqnr=math.nan)


def test_planted_faults_are_found(shared):
    """Real programs with an injected fault: the assertion names the operator."""
    folder = shared / "broken" / "gap"
    faults = json.loads((folder / "manifest.json").read_text())
    for fault in faults[:3]:
        with pytest.raises(AssertionError) as raised:
            testing.assert_close_to_export(folder / fault["file"], shared / fault["etrecord"], sqnr=60)
        named = str(raised.value).split("the first operator that diverges is ")[1]
        assert any(node in named for node in fault["edge_nodes"]), fault["file"]


def test_real_programs_are_near(shared):
    programs = shared / "programs"
    for name in ("mobilenet_v2_small/xnnpack", "mobilenet_v2_small/portable", "bert_tiny/xnnpack", "channels_last/xnnpack"):
        bundle, etrecord = programs / f"{name}.bpte", programs / f"{name}.etrecord"
        assert testing.assert_close_to_export(bundle, etrecord, sqnr=60).rows
    with pytest.raises(errors.UnsupportedError, match=r"output 0 \(cond\) is not compared"):
        testing.assert_close_to_export(programs / "cond" / "plain.bpte", programs / "cond" / "plain.etrecord")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the build needs Python 3.11")
def test_an_installed_package_brings_it(tmp_path):
    """Loads the plugin from the package metadata; also naming it with -p loads it only once."""
    checkout = pathlib.Path(__file__).parents[2]
    writer = checkout / "cmake" / "package" / "python" / "metadata.py"
    folder = tmp_path / "et_inspect-1.0.dist-info"
    subprocess.run([sys.executable, writer, checkout / "pyproject.toml", "1.0", folder], check=True)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{os.environ['PYTHONPATH']}"}
    for options in ([], ["-p", "et_inspect.pytest_plugin"]):
        command = [sys.executable, "-m", "pytest", "--help", *options]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout.count("--et-save-baselines") == 1
