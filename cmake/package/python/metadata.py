"""metadata.py PYPROJECT VERSION FOLDER: writes the METADATA and entry_points.txt of a .dist-info folder."""

import pathlib
import sys
import tomllib


def metadata(project: dict, version: str) -> str:
    """The fields of `project`, as the core metadata specification 2.1 spells them."""
    extras = project.get("optional-dependencies", {})
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {name}" for name in project["dependencies"]),
    ]
    for extra, names in extras.items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {name}; extra == "{extra}"' for name in names]
    return "\n".join(lines) + "\n"


def entry_points(project: dict) -> str:
    """A section a group, a line an entry point."""
    groups = project.get("entry-points", {})
    return "\n".join(
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in entries.items())
        for group, entries in groups.items()
    )


def main() -> None:
    pyproject, version, folder = sys.argv[1:]
    project = tomllib.loads(pathlib.Path(pyproject).read_text(encoding="utf-8"))["project"]
    out = pathlib.Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    (out / "METADATA").write_text(metadata(project, version), encoding="utf-8")
    (out / "entry_points.txt").write_text(entry_points(project), encoding="utf-8")


if __name__ == "__main__":
    main()
