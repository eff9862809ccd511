"""Collects et-studio with its dynamic loader, libraries, Qt plugins, fonts and desktop files in one folder. README.md describes it."""

import argparse
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "single_file"))
import pack as single_file  # noqa: E402

# X11, Wayland without OpenGL (et-studio draws into memory), and tests; keyboard and input methods.
PLUGINS = (
    "platforms/libqxcb.so",
    "platforms/libqwayland-generic.so",
    "platforms/libqoffscreen.so",
    "platforminputcontexts/libcomposeplatforminputcontextplugin.so",
    "platforminputcontexts/libibusplatforminputcontextplugin.so",
    "wayland-shell-integration/libxdg-shell.so",
    "wayland-decoration-client/libbradient.so",
)
LAUNCHED = ("et-studio", "et-inspect", "et-layout")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--installed", required=True, type=pathlib.Path, help="prefix with the programs and their data")
    parser.add_argument("--libraries", required=True, type=pathlib.Path, help="folder of the libraries")
    parser.add_argument("--share", default="/usr/share", type=pathlib.Path, help="folder of fonts and keyboard layouts")
    parser.add_argument("--output", required=True, type=pathlib.Path)
    return parser.parse_args()


def copy_programs(given, lib):
    installed = given.installed
    for program in (installed / "bin/et-studio", installed / "bin/et-inspect", *(installed / "libexec/et-inspect").iterdir()):
        shutil.copy(program, lib / program.name)
        (lib / program.name).chmod(0o755)
        if program.name in LAUNCHED:
            (lib / program.name).write_bytes(single_file.stripped("strip", program))


def copy_libraries(given, lib):
    """Copies the Qt plugins and all libraries. Returns the name of the dynamic loader."""
    plugins = given.libraries / "qt6/plugins"
    for name in PLUGINS:
        (lib / "plugins" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(plugins / name, lib / "plugins" / name)
    folders = [given.libraries, given.libraries / "graphviz"]
    loaded = single_file.find(folders, "libpq.so.5")
    starts = [*(lib / name for name in LAUNCHED), *(lib / "plugins" / name for name in PLUGINS), loaded]
    needed = {loaded.name: loaded} | single_file.libraries("readelf", folders, starts)
    (loader,) = single_file.read_elf("readelf", lib / "et-studio", r"interpreter: .*/(.*)\]")
    for name, path in (needed | {loader: single_file.find(folders, loader)}).items():
        shutil.copy(path, lib / name)
    (lib / loader).chmod(0o755)
    (lib / "qt.conf").write_text("[Paths]\nPrefix = .\nPlugins = plugins\n")
    return loader


def copy_data(given, share):
    shutil.copytree(given.share / "fonts/truetype/dejavu", share / "fonts")
    shutil.copytree(given.share / "X11/xkb", share / "xkb")
    shutil.copytree(given.share / "X11/locale", share / "locale")
    for folder in ("applications", "icons", "mime"):
        shutil.copytree(given.installed / "share" / folder, share / "desktop" / folder)
    shutil.copytree(given.installed / "share/doc/et-inspect", share / "doc")
    shutil.copy(HERE / "fonts.conf", share)
    shutil.copy(HERE / "help.txt", share)


def main():
    given = parse_arguments()
    lib, share = given.output / "lib", given.output / "share"
    lib.mkdir(parents=True)
    share.mkdir()
    copy_programs(given, lib)
    loader = copy_libraries(given, lib)
    copy_data(given, share)
    for name in LAUNCHED:
        (given.output / name).write_text((HERE / "launch.sh").read_text().replace("LOADER", loader))
        (given.output / name).chmod(0o755)


main()
