"""Bundled programs created and read in Python."""

import types

import numpy as np
import pytest
from samples import zip_equal
from test_runtime import arguments, run_cases, runtime, samples  # noqa: F401: a fixture

from et_inspect import errors
from et_inspect.devtools.bundled_program import (
    BundledProgram,
    MethodTestCase,
    MethodTestSuite,
    deserialize_from_flatbuffer_to_bundled_program,
    save_bundled_program,
    serialize_from_bundled_program_to_flatbuffer,
)


@pytest.fixture
def made(samples):  # noqa: F811
    path = samples / "add_mul.pte"
    method = runtime().load_program(path).load_method("forward")
    a, x, b = arguments(method)
    cases = [MethodTestCase([a, (x, {"b": b})], method.execute([a, x, b])), MethodTestCase([a.T, x, b])]
    return path, cases


def test_what_is_written_is_read_back_and_runs(made, tmp_path):
    path, cases = made
    bundled = BundledProgram(path, [MethodTestSuite("forward", cases)])
    save_bundled_program(bundled, tmp_path / "x.bpte")
    assert (tmp_path / "x.bpte").read_bytes() == serialize_from_bundled_program_to_flatbuffer(bundled)
    assert deserialize_from_flatbuffer_to_bundled_program(bundled.to_bytes()) == bundled.serialize_to_schema()
    read = BundledProgram.load(bundled.to_bytes())
    assert read.executorch_program == path.read_bytes()
    assert [len(suite.test_cases) for suite in read.method_test_suites] == [2]
    for case, written in zip_equal(read.method_test_suites[0].test_cases, cases):
        assert len(case.inputs) == 3
        for given, expected in zip_equal(case.inputs, written.inputs):
            np.testing.assert_array_equal(given, expected)
        assert len(case.expected_outputs) == len(written.expected_outputs)
    assert read.to_bytes() == bundled.to_bytes()
    assert run_cases(tmp_path / "x.bpte", 0, 0) == 2


def test_the_format(made):
    path, cases = made
    schema = BundledProgram(pte_file_path=path, method_test_suites=[MethodTestSuite("forward", cases)]).serialize_to_schema()
    assert schema.program == path.read_bytes()
    (suite,) = schema.method_test_suites
    tensor = suite.test_cases[1].inputs[0].val
    assert (suite.method_name, tensor.scalar_type, tensor.sizes, tensor.dim_order) == ("forward", 6, [4, 4], [0, 1])
    assert tensor.data == np.ascontiguousarray(cases[1].inputs[0]).tobytes()
    assert suite.test_cases[1].expected_outputs == []


def test_what_the_exporter_has(made):
    path, cases = made
    exported = types.SimpleNamespace(buffer=path.read_bytes())
    suites = [MethodTestSuite("forward", cases)]
    assert BundledProgram(exported, suites).to_bytes() == BundledProgram(path.read_bytes(), suites).to_bytes()


def test_cases_that_do_not_fit(made):
    path, cases = made
    a, x, b = cases[0].inputs
    wrong = [
        ("backward", [], AssertionError, 'no method "backward"'),
        ("forward", [MethodTestCase([a, x])], errors.ArgumentError, "expected 3 inputs"),
        ("forward", [cases[0], MethodTestCase([a, x, b[:2].copy()])], errors.ArgumentError, "case 1.*got float32 .2, 4."),
        ("forward", [MethodTestCase([a, x, 1.0])], errors.ArgumentError, "got Double"),
        ("forward", [MethodTestCase([a, x, b], [a.astype(np.int32)])], errors.ArgumentError, "got int32"),
    ]
    for method, suite, error, message in wrong:
        with pytest.raises(error, match=message):
            BundledProgram(path, [MethodTestSuite(method, suite)])
    for error in (errors.ArgumentError, AssertionError):
        with pytest.raises(error, match=r"inputs\[1\]\[0\]: .* got str"):
            MethodTestCase([a, ["b"]])
    with pytest.raises(errors.ArgumentError, match="got int"):
        BundledProgram(5, [])
    with pytest.raises(errors.FormatError):
        BundledProgram(b"nothing", [])
    with pytest.raises(errors.FormatError):
        BundledProgram.load(path.read_bytes())


def test_real_bundles_are_written_as_they_were_read(shared):
    for name in ("mlp_half/bfloat16_portable", "list_io", "scalar_io", "channels_last"):
        found = sorted((shared / "programs").glob(f"{name}*.bpte")) or sorted((shared / "programs" / name).glob("*.bpte"))
        for path in found:
            read = BundledProgram.load(path)
            again = BundledProgram.load(read.to_bytes())
            for one, other in zip_equal(read.method_test_suites, again.method_test_suites):
                for case, same in zip_equal(one.test_cases, other.test_cases):
                    for given, expected in zip_equal(case.inputs, same.inputs):
                        np.testing.assert_array_equal(given, expected)


def test_one_value_stands_alone(made):
    path, cases = made
    a, x, b = cases[0].inputs
    (expected,) = cases[0].expected_outputs
    case = MethodTestCase((a, x, b), expected)
    assert case.expected_outputs == [expected]
    assert MethodTestCase(a).inputs == [a]
    alone = BundledProgram(path, [MethodTestSuite("forward", [case])])
    assert alone.to_bytes() == BundledProgram(path, [MethodTestSuite("forward", cases[:1])]).to_bytes()


class Tracked:
    """A tensor that requires a gradient, like outputs of torch models, which DLPack rejects."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **_):
        raise BufferError("cannot export a tensor that requires a gradient")

    def detach(self):
        return types.SimpleNamespace(cpu=lambda: self.array)


def test_tensors_that_torch_tracks(made):
    path, cases = made
    tracked = MethodTestCase(list(map(Tracked, cases[0].inputs)), list(map(Tracked, cases[0].expected_outputs)))
    written = BundledProgram(path, [MethodTestSuite("forward", [tracked])]).to_bytes()
    assert written == BundledProgram(path, [MethodTestSuite("forward", cases[:1])]).to_bytes()


@pytest.mark.parametrize("changed", [{"inputs": ["wrong"]}, {"expected_outputs": [0, 0.0]}, {"inputs": [None] * 3}])
def test_cases_that_were_changed_to_what_does_not_fit(made, changed):
    path, cases = made
    for name, values in changed.items():
        setattr(cases[-1], name, values)
    with pytest.raises(AssertionError):
        BundledProgram(path, [MethodTestSuite("forward", cases)])


def test_suites_may_be_missing_and_are_sorted(made, shared):
    path, _ = made
    assert BundledProgram(path, []).serialize_to_schema().method_test_suites == []
    several = BundledProgram.load(shared / "programs" / "multi_method" / "portable.bpte")
    again = BundledProgram(several.executorch_program, several.method_test_suites[::-1])
    names = [suite.method_name for suite in again.method_test_suites]
    assert len(names) > 1
    assert names == sorted(names)
