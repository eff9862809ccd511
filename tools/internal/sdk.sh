# sdk.sh BUILD FOLDER ARCHITECTURE: installs the SDK of a build in a new FOLDER, with the libraries it needs. Run with `sh -eu`.
rm -rf "$2"
cmake --install "$1" --prefix "$2" --component sdk
python3 "$(dirname "$0")/sdk.py" --folder "$2" --libraries "/usr/lib/$3"
