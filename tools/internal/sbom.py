"""Writes the software bill of materials of a release (SPDX 2.3, JSON) and the licence texts. Used by tools/release.

Versions and licences are those of the Debian packages that the carried libraries come from.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import struct
import subprocess
import urllib.parse

# Compiled into the programs, so no carried file names them.
COMPILED = ("libcli11-dev", "libflatbuffers-dev", "libhwy-dev", "libtomlplusplus-dev", "nlohmann-json3-dev", "zlib1g-dev")
# Names of Debian copyright files that differ from SPDX.
SPDX_NAMES = {
    "apache-2.0": "Apache-2.0",
    "bsd-2-clause": "BSD-2-Clause",
    "bsd-3-clause": "BSD-3-Clause",
    "bsl-1.0": "BSL-1.0",
    "cc0-1.0": "CC0-1.0",
    "epl-1.0": "EPL-1.0",
    "expat": "MIT",
    "gpl-2": "GPL-2.0-only",
    "gpl-2+": "GPL-2.0-or-later",
    "gpl-3": "GPL-3.0-only",
    "gpl-3+": "GPL-3.0-or-later",
    "isc": "ISC",
    "lgpl-2+": "LGPL-2.0-or-later",
    "lgpl-2.1": "LGPL-2.1-only",
    "lgpl-2.1+": "LGPL-2.1-or-later",
    "lgpl-3": "LGPL-3.0-only",
    "lgpl-3+": "LGPL-3.0-or-later",
    "mit": "MIT",
    "mpl-2.0": "MPL-2.0",
    "zlib": "Zlib",
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--single-file", required=True, type=pathlib.Path)
    parser.add_argument("--archive", required=True, type=pathlib.Path, help="folder that becomes the archive of et-studio")
    parser.add_argument("--version", required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    return parser.parse_args()


def names_in_single_file(path):
    """The names in the table of runtime/core/single_file.h."""
    data = path.read_bytes()
    table, count = struct.unpack("<QQ", data[-56:-40])
    return [data[table + 72 * i :][:48].rstrip(b"\0").decode() for i in range(count)]


def names_in_folder(folder):
    plugins = folder / "lib/plugins"
    names = [each.name for each in (folder / "lib").iterdir() if ".so" in each.name]
    names += [str(each.relative_to(plugins)) for each in plugins.rglob("*.so")]
    return names + [f"fonts/truetype/dejavu/{next((folder / 'share/fonts').glob('*.ttf')).name}", "X11/xkb/rules/evdev", "X11/locale/locale.dir"]


def owners(names):
    """The Debian packages that have files of these names, in the folders of this processor."""
    command = ["dpkg-query", "--search", *(f"*/{name}" for name in names)]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    folders = (f"/usr/lib/{platform.machine()}-linux-gnu/", "/usr/lib64/", "/usr/share/")
    found = {}
    for line in listed.splitlines():
        owner, _, path = line.rpartition(": ")
        for name in names:
            if path.endswith(f"/{name}") and path.startswith(folders):
                found[name] = owner.split(",")[0].split(":")[0]
    missing = sorted(set(names) - set(found))
    if missing:
        raise SystemExit(f"sbom.py: no Debian package has {', '.join(missing)}")
    return sorted(set(found.values()))


def versions(packages):
    shown = ["dpkg-query", "--show", "--showformat=${Package} ${Version} ${Architecture}\\n", *packages]
    lines = subprocess.run(shown, capture_output=True, text=True, check=True).stdout.split("\n")
    return {name: (version, machine) for name, version, machine in (line.split() for line in lines if line)}


def copyright_of(package):
    path = pathlib.Path("/usr/share/doc") / package / "copyright"
    if not path.exists():
        root = os.environ.get("ET_ENVIRONMENT_ROOT", "")
        raise SystemExit(f"sbom.py: {root}{path} is missing: delete {root or 'the package'} so that it is installed again, with licences")
    return path.read_text(errors="replace")


def declared_licence(package, text):
    """The licence, if the Debian copyright file gives all files the same one with a name of SPDX; else a reference to the text."""
    stanzas = [each for each in re.split(r"\n\s*\n", text) if re.match(r"Files:(?!\s*debian/)", each)]
    named = {re.sub(r"\s+", " ", name.strip()) for each in stanzas for name in re.findall(r"^License:(.*)$", each, re.M)}
    words = re.split(r" (or|and) ", named.pop()) if len(named) == 1 else [""]
    terms = [SPDX_NAMES.get(word.lower()) for word in words[::2]]
    if None in terms:
        return f"LicenseRef-{package.replace('+', '-')}"
    joined = terms[0]
    for operator, term in zip(words[1::2], terms[1:]):
        joined += f" {operator.upper()} {term}"
    return joined


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def described(name, version, licence, text, **more):
    return {
        "SPDXID": identifier(name),
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": licence,
        "copyrightText": text,
        **more,
    }


def library(name, version, machine, text):
    locator = f"pkg:deb/debian/{urllib.parse.quote(name)}@{urllib.parse.quote(version)}?arch={machine}"
    reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}
    return described(name, version, declared_licence(name, text), "NOASSERTION", externalRefs=[reference])


def relationship(start, kind, end):
    return {"spdxElementId": start, "relationshipType": kind, "relatedSpdxElement": end}


def document(given, carried, found, texts):
    """`carried`: the packages in each file; `found`: version and architecture by package; `texts`: copyright by package."""
    created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    files = [described(name, given.version, "Apache-2.0", "2026 the et-inspect developers") for name in carried]
    libraries = [library(name, *found[name], texts[name]) for name in sorted(found)]
    relationships = [relationship("SPDXRef-DOCUMENT", "DESCRIBES", each["SPDXID"]) for each in files]
    for name, packages in carried.items():
        relationships += [relationship(identifier(name), "CONTAINS", identifier(each)) for each in packages]
    references = [
        {"licenseId": each["licenseDeclared"], "name": each["name"], "extractedText": texts[each["name"]]}
        for each in libraries
        if each["licenseDeclared"].startswith("LicenseRef-")
    ]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"et-inspect-{given.version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/et-inspect-{given.version}-{given.commit}",
        "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: et-inspect-release"]},
        "packages": files + libraries,
        "relationships": relationships,
        "hasExtractedLicensingInfos": references,
    }


def licence_texts(found, texts):
    """All copyright files, and the licences that they refer to."""
    parts = [f"{'=' * 78}\n{name} {found[name][0]}\n{'=' * 78}\n\n{texts[name].strip()}\n" for name in sorted(found)]
    common = sorted(set(re.findall(r"/usr/share/common-licenses/([A-Za-z0-9.-]*[A-Za-z0-9])", "".join(texts.values()))))
    for name in common:
        path = pathlib.Path("/usr/share/common-licenses") / name
        if path.exists():
            parts.append(f"{'=' * 78}\n{path}\n{'=' * 78}\n\n{path.read_text()}\n")
    return "Licences of the libraries that the files of this release carry.\n\n" + "\n".join(parts)


def main():
    given = parse_arguments()
    libraries = [name for name in names_in_single_file(given.single_file) if ".so" in name and name != "no_proc.so"]
    carried = {given.single_file.name: owners(libraries), f"{given.archive.name}.tar.xz": owners(names_in_folder(given.archive))}
    carried = {name: sorted({*packages, *COMPILED}) for name, packages in carried.items()}
    found = versions(sorted(set().union(*carried.values())))
    texts = {name: copyright_of(name) for name in found}
    written = document(given, carried, found, texts)
    (given.output / "et-inspect.spdx.json").write_text(json.dumps(written, indent=1) + "\n")
    (given.output / "LICENSES.txt").write_text(licence_texts(found, texts))


main()
