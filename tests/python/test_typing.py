"""Type annotations and docstrings are complete and up to date."""

import ast
import importlib
import inspect
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import et_inspect
from et_inspect import _native

SOURCE = pathlib.Path(_native.__file__)


def declared(tree):
    """Yields the public functions and classes of a module with qualified names."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not re.match("_[a-z]", node.name):
            yield node.name, node
        if isinstance(node, ast.ClassDef):
            for name, inner in declared(node):
                yield f"{node.name}.{name}", inner


def test_the_functions_of_et_inspect_are_typed():
    """Everything has docstrings and types."""
    found = dict(declared(ast.parse(SOURCE.read_text())))
    assert len(found) > 100
    for name, node in found.items():
        if not name.endswith("__"):
            assert ast.get_docstring(node), f"{name} has no docstring"
        if isinstance(node, ast.FunctionDef):
            for argument in node.args.args[1:]:
                assert argument.annotation, f"{name}({argument.arg})"
            returned = ast.unparse(node.returns)
            assert returned not in ("object", "list", "dict", "tuple"), f"{name} returns some {returned}"


def modules():
    """Yields every public module of the package."""
    found = [et_inspect]
    for module in pkgutil.walk_packages(et_inspect.__path__, "et_inspect."):
        if not any(part.startswith("_") for part in module.name.split(".")):
            # Only pytest imports the plugin.
            found.append(importlib.import_module(module.name))
    return found


def public(owner):
    """Yields (name, object) for the public objects defined in a module."""
    names = getattr(owner, "__all__", [name for name in vars(owner) if not name.startswith("_")])
    for name in names:
        if name.startswith("pytest_"):  # a hook, documented by pytest
            continue
        value = getattr(owner, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            if value.__module__.startswith("et_inspect"):
                yield name, value


def members(kind):
    """Yields the methods and properties that the class itself defines."""
    for name, value in vars(kind).items():
        if name.startswith("_"):
            continue
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        if isinstance(value, property):
            value = value.fget
        elif hasattr(value, "func"):  # cached_property
            value = value.func
        if inspect.isfunction(value):
            yield name, value


def functions():
    for module in modules():
        for name, value in public(module):
            if inspect.isfunction(value):
                yield pytest.param(value, id=f"{module.__name__}.{name}")
            else:
                for member, function in members(value):
                    yield pytest.param(function, id=f"{module.__name__}.{name}.{member}")
                if "__init__" in vars(value) and inspect.isfunction(value.__init__):
                    yield pytest.param(value.__init__, id=f"{module.__name__}.{name}.__init__")


def inherited_docstring(function):
    """Returns the docstring of the overridden method."""
    return any(
        inspect.getdoc(getattr(kind, function.__name__, None))
        for module in modules()
        for _, kind in public(module)
        if inspect.isclass(kind)
    )


@pytest.mark.parametrize("module", [pytest.param(module, id=module.__name__) for module in modules()])
def test_modules_and_classes_have_docstrings(module):
    assert inspect.getdoc(module)
    for name, value in public(module):
        assert value.__doc__ and value.__doc__.strip(), f"{module.__name__}.{name}"


@pytest.mark.parametrize("function", functions())
def test_functions_have_docstrings_and_types(function):
    assert function.__name__ == "__init__" or function.__doc__ or inherited_docstring(function)
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty, "no type of the result"
    for name, parameter in signature.parameters.items():
        assert name in ("self", "cls") or parameter.annotation is not inspect.Parameter.empty, name


def test_it_is_typed():
    assert (pathlib.Path(et_inspect.__file__).with_name("py.typed")).exists()


def test_help_reads_well():
    text = subprocess.run(
        [sys.executable, "-c", "import et_inspect; help(et_inspect)"], check=True, capture_output=True, text=True
    ).stdout
    assert "Developer tools for ExecuTorch" in text
    assert "from et_inspect.devtools import Inspector" in text
