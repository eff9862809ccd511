"""A pytest plugin: bundled programs as a fixture, baselines, and figures of models in JUnit's XML.

Packages that are installed with their metadata load it by themselves; else ``pytest -p et_inspect.pytest_plugin``, or in
``conftest.py``: ``pytest_plugins = ["et_inspect.pytest_plugin"]``.

>>> from et_inspect.testing import assert_not_slower
>>> def test_model(et_bundle):
...     et_bundle.assert_passes(sqnr=40)
...     assert_not_slower(et_bundle.path, baseline="main")

``pytest --et-bundle model.bpte`` runs such a test for each bundle; ``--et-save-baselines`` saves what later runs compare with.
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
        path: the file.
    """

    path: str

    def __fspath__(self) -> str:
        return self.path

    def verify(self, **options: Any) -> VerifyResult:
        """Runs its cases; options of :func:`et_inspect.verify`."""
        from ._running import verify

        return verify(self.path, **options)  # type: ignore[return-value]

    def assert_passes(self, **options: Any) -> VerifyResult:
        """Fails the test unless every case gives the outputs that it should."""
        __tracebackhide__ = True
        from .testing import assert_passes

        return assert_passes(self.path, **options)

    def open(self) -> Session:
        """The bundle as a session."""
        from .session import Session

        return Session(self.path)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("et-inspect", "models of ExecuTorch")
    group.addoption(
        _BUNDLE,
        action="append",
        default=[],
        metavar="FILE",
        help="bundled program for the fixture et_bundle; a pattern or a folder for several (repeatable)",
    )
    group.addoption("--et-store", metavar="FILE", help="store of baselines (default: that of et-inspect)")
    group.addoption(
        "--et-save-baselines",
        action="store_true",
        help="let assert_not_slower() save the baselines that it is asked about instead of comparing",
    )
    parser.addini("et_bundles", "bundled programs for the fixture et_bundle, seen from the ini file", type="linelist")


def _bundles(config: pytest.Config) -> list[str]:
    """The bundles that options or else the ini file name."""
    named = config.getoption(_BUNDLE)
    if not named:
        folder = config.inipath.parent if config.inipath else config.rootpath
        named = [str(folder / each) for each in config.getini("et_bundles")]
    found: list[str] = []
    for name in named:
        inside = sorted(glob.glob(os.path.join(glob.escape(name), "**", "*.bpte"), recursive=True))
        matching = sorted(glob.glob(name))
        # What does not exist is kept: its test says so.
        found += inside if os.path.isdir(name) else [name] if os.path.exists(name) else matching or [name]
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "et_bundle" in metafunc.fixturenames:
        bundles = _bundles(metafunc.config)
        if bundles:
            metafunc.parametrize("et_bundle", bundles, indirect=True, ids=[os.path.basename(each) for each in bundles])


@pytest.fixture
def et_bundle(request: pytest.FixtureRequest) -> Bundle:
    """Each bundled program that ``--et-bundle`` or ``et_bundles`` name; without one, the test is skipped."""
    path = getattr(request, "param", None)
    if path is None:
        pytest.skip(_MISSING)
    return Bundle(path)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """The assertions of et_inspect.testing know the test that runs, and the options."""
    from . import testing

    config = item.config
    now = testing.Settings(item.user_properties, config.getoption("--et-store"), config.getoption("--et-save-baselines"))
    token = testing.settings.set(now)
    try:
        return (yield)
    finally:
        testing.settings.reset(token)
