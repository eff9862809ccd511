"""Operator kernels written in Python."""

import contextlib
import gc
import traceback

import numpy as np
import pytest
from test_runtime import arguments, run_cases, runtime, samples  # noqa: F401: a fixture

import et_inspect
from et_inspect import errors


@pytest.fixture(autouse=True)
def no_kernels_left():
    yield
    with contextlib.suppress(errors.NotFoundError):
        et_inspect.remove_kernel("aten::mul.out")


@pytest.fixture
def load(samples):  # noqa: F811
    return lambda: runtime().load_program(samples / "add_mul.pte").load_method("forward")


def test_a_kernel_that_returns(load):
    seen = []

    @et_inspect.kernel("aten::mul.out")
    def mul(a, b):
        seen.append((a.shape, a.dtype, a.flags.writeable))
        return a * b + 1

    method = load()
    a, x, b = arguments(method)
    np.testing.assert_allclose(method.execute([a, x, b])[0], a @ x + b * x + 1, 1e-5, 1e-5)
    assert seen == [((4, 4), np.dtype(np.float32), False)]
    with method.trace() as trace:
        method.execute([a, x, b])
    assert "native_call_mul.out" in list(trace.inspector().to_dataframe().event_name)

    @et_inspect.kernel("aten::mul.out")
    def other(a, b):
        return a * b

    np.testing.assert_allclose(method.execute([a, x, b])[0], a @ x + b * x, 1e-5, 1e-5)


def test_a_kernel_that_writes(load):
    kept = []

    @et_inspect.kernel("aten::mul.out")
    def mul(a, b, *, out):
        kept.append(a)
        np.multiply(a, b, out=out)

    method = load()
    a, x, b = arguments(method)
    np.testing.assert_allclose(method.execute([a, x, b])[0], a @ x + b * x, 1e-5, 1e-5)
    del method
    assert np.isfinite(kept[0]).all()  # the array keeps its memory alive


def test_bfloat16(shared):
    path = shared / "programs/mlp_half/bfloat16_portable.bpte"
    seen = []

    @et_inspect.kernel("aten::relu.out")
    def relu(x):
        seen.append(x.dtype)
        return np.maximum(x, 0)

    try:
        assert run_cases(path, 0.02, 0.02) >= 1
    finally:
        et_inspect.remove_kernel("aten::relu.out")
    assert set(seen) == {np.dtype(np.float32)}


def test_what_a_kernel_raises_is_the_error(load):
    @et_inspect.kernel("aten::mul.out")
    def mul(a, b):
        raise ZeroDivisionError("on purpose")

    method = load()
    with pytest.raises(ZeroDivisionError, match="on purpose") as raised:
        method.execute(arguments(method))
    assert any("forward" in note and "mul" in note for note in raised.value.__notes__)
    assert "raise ZeroDivisionError" in "".join(traceback.format_exception(raised.type, raised.value, raised.tb))


@pytest.mark.parametrize(
    ("result", "error"),
    [
        (lambda a: a.astype(np.complex64), TypeError),
        (lambda a: a[:2], et_inspect.Error),
        (lambda a: (a, a), errors.ArgumentError),
        (lambda a: None, (TypeError, ValueError, et_inspect.Error)),
    ],
)
def test_results_that_do_not_fit(load, result, error):
    @et_inspect.kernel("aten::mul.out")
    def mul(a, b):
        return result(a)

    method = load()
    with pytest.raises(error):
        method.execute(arguments(method))


def test_a_kernel_cannot_run_its_own_program(load):
    methods = []

    @et_inspect.kernel("aten::mul.out")
    def mul(a, b):
        return methods[0].execute([a, b, a])[0]

    methods.append(load())
    with pytest.raises(errors.ArgumentError, match="cannot run the program that calls it"):
        methods[0].execute(arguments(methods[0]))


def test_a_kernel_may_drop_what_listens(load):
    traces = []

    @et_inspect.kernel("aten::mul.out")
    def mul(a, b):
        traces.clear()
        gc.collect()
        return a * b

    method = load()
    inputs = arguments(method)
    expected = method.execute(inputs)[0]
    traces.append(method.trace(debug="intermediates"))
    traces[0].__enter__()
    for _ in range(2):
        np.testing.assert_array_equal(method.execute(inputs)[0], expected)
    with method.trace() as trace:
        method.execute(inputs)
    assert trace.info["runs"] == 1


def test_another_number_of_arguments(load):
    @et_inspect.kernel("aten::mul.out")
    def mul(a, b, c, d, e):
        return a

    method = load()
    with pytest.raises(et_inspect.Error, match="expected 5 arguments and 1 result, got"):
        method.execute(arguments(method))


def test_a_kernel_is_forgotten(load):
    @et_inspect.kernel("aten::mul.out")
    def mul(a, b):
        return 0 * a

    method = load()
    inputs = arguments(method)
    own = method.execute(inputs)[0]
    et_inspect.remove_kernel("aten::mul.out")
    np.testing.assert_array_equal(method.execute(inputs)[0], own)
    assert not np.array_equal(load().execute(inputs)[0], own)
    with pytest.raises(errors.NotFoundError, match="aten::mul.out"):
        et_inspect.remove_kernel("aten::mul.out")


def test_names_and_signatures():
    for name in ("relu6", "my::relu6.out.more", "", "my::"):
        with pytest.raises(errors.ArgumentError, match="expected a name"):
            et_inspect.kernel(name)
    with pytest.raises(errors.ArgumentError, match="fixed number"):
        et_inspect.kernel("my::any.out")(lambda *inputs: None)
