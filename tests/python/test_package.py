"""The installed package, from a .deb and from a wheel, without access to a compiler or the build folder."""

import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys

import pytest
from samples import ET_INSPECT, sample

CHECKOUT = pathlib.Path(__file__).parents[2]
BUILT = pathlib.Path(os.environ.get("ET_BUILD_FOLDER", CHECKOUT / "build" / "release"))

# Reads a trace with an installed package.
USE = """
import sys
sys.path.insert(0, sys.argv[1])
import et_inspect
from et_inspect.devtools import Inspector
assert et_inspect.__file__.startswith(sys.argv[1]), et_inspect.__file__
print(et_inspect.__version__)
Inspector(etdump_path=sys.argv[2]).print_data_tabular()
"""

WORKFLOWS = """
import sys
sys.path.insert(0, sys.argv[1])
import et_inspect
from et_inspect import _program
print(et_inspect.verify(sys.argv[2]).passed)
print(et_inspect.graph(sys.argv[2]).to_svg().startswith("<svg"))
print(_program.find())
"""


def run(*command, **options):
    done = subprocess.run([str(each) for each in command], text=True, capture_output=True, **options)
    assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def deb(tmp_path_factory):
    """The Debian package of the component `python`."""
    folder = tmp_path_factory.mktemp("deb")
    run(
        "cpack", "-G", "DEB", "-D", "CPACK_COMPONENTS_ALL=python", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none",
        "-B", folder, "--config", BUILT / "CPackConfig.cmake",
    )  # fmt: skip
    (found,) = folder.glob("python3-et-inspect_*.deb")
    return found


@pytest.fixture(scope="session")
def from_deb(deb, tmp_path_factory):
    folder = tmp_path_factory.mktemp("root")
    run("dpkg-deb", "-x", deb, folder)
    return folder / "usr" / "lib" / "python3" / "dist-packages"


@pytest.fixture(scope="session")
def from_wheel(tmp_path_factory):
    """The package installed by pip; uses the programs that are already built, to save time."""
    folder = tmp_path_factory.mktemp("wheel")
    run(
        sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--no-index",
        "--target", folder / "installed",
        "-C", f"cmake.source-dir={CHECKOUT}/tests/tools/wheel",
        "-C", f"build-dir={folder}/build",
        "-C", f"cmake.define.ET_BUILT={BUILT}",
        CHECKOUT,
    )  # fmt: skip
    return folder / "installed"


@pytest.fixture(params=["deb", "wheel"])
def installed(request):
    """A folder that contains the package."""
    return request.getfixturevalue(f"from_{request.param}")


def test_works_without_compiler_and_build(installed):
    environment = {} if (installed / "et_inspect" / "bin").exists() else {"ET_INSPECT_LAUNCHER": ET_INSPECT}
    said = run(sys.executable, "-I", "-c", USE, installed, sample("add_mul") / "add_mul.etdp", env=environment, cwd="/")
    assert "native_call_add.out" in said


def test_holds_no_path_of_the_build(installed):
    for file in installed.rglob("*"):
        if file.is_file() and file.name not in ("direct_url.json", "RECORD"):
            assert str(CHECKOUT).encode() not in file.read_bytes(), file


def test_is_complete(installed):
    sources = CHECKOUT / "python" / "et_inspect"
    expected = {
        str(file.relative_to(sources))
        for file in sources.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    package = installed / "et_inspect"
    found = {
        str(file.relative_to(package))
        for file in package.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    # A .deb depends on the package of the programs; a wheel contains them.
    programs = {name for name in found if name.startswith("bin/")}
    assert programs in (set(), {"bin/et-inspect", "bin/et-layout"})
    assert found - programs == {*expected, "_commands.py", "_version.py"}


def test_a_wheel_starts_its_own_programs(from_wheel):
    """Runs a model and draws a graph without our programs on the PATH."""
    files = sample("add_mul")
    said = run(sys.executable, "-I", "-c", WORKFLOWS, from_wheel, files / "add_mul.bpte", env={"PATH": "/usr/bin"}, cwd="/")
    assert said.split() == ["True", "True", str(from_wheel / "et_inspect" / "bin" / "et-inspect")]


def test_a_package_without_programs_says_what_to_install(from_deb):
    for call in ("bench(sys.argv[2])", "open(sys.argv[2])"):
        code = f"import sys; sys.path.insert(0, sys.argv[1]); import et_inspect; et_inspect.{call}"
        done = subprocess.run(
            [sys.executable, "-I", "-c", code, str(from_deb), str(sample("add_mul") / "add_mul.bpte")],
            env={"PATH": "/usr/bin"}, text=True, capture_output=True,
        )  # fmt: skip
        assert "et-inspect is not found: install the Debian package et-inspect" in done.stderr


def test_names_itself(installed):
    (found,) = importlib.metadata.distributions(path=[str(installed)])
    (project_version,) = re.findall(r"^  VERSION (\S+)$", (CHECKOUT / "CMakeLists.txt").read_text(), re.MULTILINE)
    assert found.metadata["Name"] == "et-inspect"
    assert found.version == project_version
    required = [each for each in found.requires if "extra ==" not in each]
    assert required == ["numpy"]


def test_entry_points_exist(installed):
    (found,) = importlib.metadata.distributions(path=[str(installed)])
    assert [point.group for point in found.entry_points] == ["pytest11"]
    for point in found.entry_points:
        path = installed.joinpath(*point.module.split("."))
        assert path.with_suffix(".py").exists() or (path / "__init__.py").exists(), point


@pytest.mark.parametrize("asked", [[], ["-p", "et_inspect.pytest_plugin"]], ids=["installed", "named"])
def test_pytest_finds_the_plugin(installed, asked, tmp_path):
    """Loads the plugin by its entry point alone; also naming it with -p does not conflict."""
    (tmp_path / "test_nothing.py").write_text("def test_nothing(): pass\n")
    environment = {"PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *asked]
    assert "--et-bundle" in run(*command, "--help", env=environment, cwd=tmp_path)
    assert "1 passed" in run(*command, "-q", tmp_path, env=environment, cwd=tmp_path)


def packages_needed(depends):
    """Returns the transitive dependencies of these Depends that are installed here."""
    found, open_ones = set(), [depends]
    while open_ones:
        for name in re.findall(r"([a-z0-9][a-z0-9.+-]+)(?::any)?(?: \([^)]*\))?(?=\s*[,|]|\s*$)", open_ones.pop()):
            if name not in found:
                shown = subprocess.run(
                    ["dpkg-query", "--show", "--showformat=${Depends}, ${Pre-Depends}\n", name],
                    text=True, capture_output=True,
                )  # fmt: skip
                if shown.returncode == 0:
                    found.add(name)
                    open_ones += shown.stdout.splitlines()
    return found


def test_depends_on_what_it_uses(deb):
    """The .deb's dependencies provide numpy and et-inspect."""
    depends = run("dpkg-deb", "--field", deb, "Depends")
    assert depends.startswith("et-inspect (= ")
    brought = packages_needed(depends)
    assert "python3-numpy" in brought
    assert "python3-pandas" not in brought


def test_scripts_compile_and_clean(deb, tmp_path):
    """Runs Debian's py3compile and py3clean on the package."""
    run("dpkg-deb", "--control", deb, tmp_path)
    assert "py3compile -p python3-et-inspect" in (tmp_path / "postinst").read_text()
    assert "py3clean -p python3-et-inspect" in (tmp_path / "prerm").read_text()
    for script in ("postinst", "prerm"):
        run("sh", "-n", tmp_path / script)
