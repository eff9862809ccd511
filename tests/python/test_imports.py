"""Modules of the package do not import each other in a circle."""

import ast
import importlib.util
import pathlib

# A build links to the sources.
PACKAGE = pathlib.Path(importlib.util.find_spec("et_inspect").origin).resolve().parent


def modules():
    """Returns the file of every module by its name."""
    found = {}
    for file in PACKAGE.rglob("*.py"):
        parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def imports(tree):
    """Yields the imports of a module, including those in functions, except those for type annotations."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        yield from imports(node)


def imported(name, files):
    """Returns the modules of the package that a module imports."""
    package = name if files[name].name == "__init__.py" else name.rpartition(".")[0]
    named = set()
    for node in imports(ast.parse(files[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            named.update(each.name for each in node.names)
            continue
        source = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
        for each in node.names:
            whole = f"{source}.{each.name}"
            named.add(whole if whole in files else source)
    return named & files.keys()


def circles(graph):
    """Yields modules that reach themselves, each with the modules on the way."""
    for start in graph:
        seen, open_paths = set(), [[start]]
        while open_paths:
            path = open_paths.pop()
            for target in graph[path[-1]]:
                if target == start:
                    yield [*path, start]
                elif target not in seen:
                    seen.add(target)
                    open_paths.append([*path, target])


def test_modules_do_not_import_each_other_in_a_circle():
    """A module can be read, tested and imported without those that use it."""
    files = modules()
    assert len(files) > 30
    graph = {name: imported(name, files) for name in files}
    assert "et_inspect._reading" in graph["et_inspect.session"]
    assert [" -> ".join(path) for path in circles(graph)] == []


def test_a_circle_is_found():
    """The search itself works."""
    assert list(circles({"a": {"b"}, "b": {"c"}, "c": {"b"}})) == [["b", "c", "b"], ["c", "b", "c"]]
