"""A pytest plugin: a fixture for bundled programs, baselines, and measurements in JUnit XML.

Loaded automatically from an installed package with metadata; otherwise use ``pytest -p et_inspect.pytest_plugin``, or
``pytest_plugins = ["et_inspect.pytest_plugin"]`` in ``conftest.py``.

>>> from et_inspect.testing import assert_not_slower
>>> def test_model(et_bundle):
...     et_bundle.assert_passes(sqnr=40)
...     assert_not_slower(et_bundle.path, baseline="main")

``pytest --et-bundle model.bpte`` runs such a test for each bundle; ``--et-save-baselines`` saves the baselines for later
runs.
"""

from __future__ import annotations

import dataclasses
import glob
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ._results import VerifyResult
    from .session import Session

_BUNDLE = "--et-bundle"
_MISSING = f"no bundled program is given: {_BUNDLE} FILE, or et_bundles in the ini file"


@dataclasses.dataclass(frozen=True)
class Bundle:
    """A bundled program under test.

    Attributes:
        path: path of the file.
    """

    path: str

    def __fspath__(self) -> str:
        return self.path

    def verify(self, **options: Any) -> VerifyResult:
        """Runs the test cases; options as for :func:`et_inspect.verify`."""
        from ._running import verify

        return verify(self.path, **options)  # type: ignore[return-value]

    def assert_passes(self, **options: Any) -> VerifyResult:
        """Fails the test unless every case gives the expected outputs."""
        __tracebackhide__ = True
        from .testing import assert_passes

        return assert_passes(self.path, **options)

    def open(self) -> Session:
        """Opens the bundle as a session."""
        from .session import Session

        return Session(self.path)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the command-line options and the ini value."""
    group = parser.getgroup("et-inspect", "ExecuTorch models")
    group.addoption(
        _BUNDLE,
        action="append",
        default=[],
        metavar="FILE",
        help="bundled program for the fixture et_bundle; a pattern or a folder for several (repeatable)",
    )
    group.addoption("--et-store", metavar="FILE", help="store of baselines (default: the store of et-inspect)")
    group.addoption(
        "--et-save-baselines",
        action="store_true",
        help="make assert_not_slower() save baselines instead of comparing with them",
    )
    parser.addini("et_bundles", "bundled programs for the fixture et_bundle, relative to the ini file", type="pathlist")


def _bundles(config: pytest.Config) -> list[str]:
    """Returns the bundles given by options, otherwise by the ini file."""
    named = config.getoption(_BUNDLE)
    if not named:
        named = [str(each) for each in config.getini("et_bundles")]
    found: list[str] = []
    for name in named:
        inside = sorted(glob.glob(os.path.join(glob.escape(name), "**", "*.bpte"), recursive=True))
        matching = sorted(glob.glob(name))
        # Missing files are kept, so that their tests fail.
        found += inside if os.path.isdir(name) else [name] if os.path.exists(name) else matching or [name]
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrizes tests that use et_bundle by bundle."""
    if "et_bundle" in metafunc.fixturenames:
        bundles = _bundles(metafunc.config)
        if bundles:
            metafunc.parametrize("et_bundle", bundles, indirect=True, ids=[os.path.basename(each) for each in bundles])


@pytest.fixture
def et_bundle(request: pytest.FixtureRequest) -> Bundle:
    """Each bundled program given by ``--et-bundle`` or ``et_bundles``; without any, the test is skipped."""
    path = getattr(request, "param", None)
    if path is None:
        pytest.skip(_MISSING)
    return Bundle(path)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Passes the running test and the options to et_inspect.testing."""
    from . import testing

    config = item.config
    now = testing.Settings(item.user_properties, config.getoption("--et-store"), config.getoption("--et-save-baselines"))
    token = testing.settings.set(now)
    try:
        yield
    finally:
        testing.settings.reset(token)
