#include "app/cli/version.h"

#include <flatbuffers/base.h>
#include <fmt/format.h>
#include <hwy/base.h>
#include <nettle/version.h>
#include <seccomp.h>
#include <sqlite3.h>
#include <utf8proc.h>
#include <zip.h>
#include <zlib.h>

#include <CLI/Version.hpp>
#include <array>
#include <nlohmann/detail/abi_macros.hpp>
#include <string>
#include <toml++/impl/version.hpp>
#include <utility>
#include <vector>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace et::cli {

const std::string_view version = ET_INSPECT_VERSION;

namespace {

using Row = std::pair<std::string_view, std::string>;

std::string dotted(unsigned major, unsigned minor, unsigned patch) {
    return fmt::format("{}.{}.{}", major, minor, patch);
}

std::string pcre2Version() {
    std::array<char, 64> text{};  // "10.46 2025-08-27"
    ::pcre2_config(PCRE2_CONFIG_VERSION, text.data());
    return text.data();
}

std::string seccompVersion() {
    const scmp_version* const linked = ::seccomp_version();
    return dotted(linked->major, linked->minor, linked->micro);
}

/// Loaded libraries report their version; the others have the version of their headers. Those of libraries
/// without either are from the Debian packages of the build.
std::vector<Row> libraries() {
    return {{"CLI11", CLI11_VERSION},
            {"flatbuffers",
             dotted(FLATBUFFERS_VERSION_MAJOR, FLATBUFFERS_VERSION_MINOR, FLATBUFFERS_VERSION_REVISION)},
            {"fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
            {"Graphviz", ET_VERSION_OF_GRAPHVIZ},
            {"Highway", dotted(HWY_MAJOR, HWY_MINOR, HWY_PATCH)},
            {"libpq", ET_VERSION_OF_PQ},
            {"libseccomp", seccompVersion()},
            {"libzip", ::zip_libzip_version()},
            {"Nettle", fmt::format("{}.{}", ::nettle_version_major(), ::nettle_version_minor())},
            {"nlohmann-json",
             dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
            {"PCRE2", pcre2Version()},
            {"pthreadpool", ET_VERSION_OF_PTHREADPOOL},
            {"SentencePiece", ET_VERSION_OF_SENTENCEPIECE},
            {"simdjson", ET_VERSION_OF_SIMDJSON},
            {"SQLite", ::sqlite3_libversion()},
            {"toml++", dotted(TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH)},
            {"utf8proc", ::utf8proc_version()},
            {"XNNPACK", ET_VERSION_OF_XNNPACK},
            {"zlib", ::zlibVersion()}};
}

}  // namespace

std::string versionDetails() {
    const std::string_view commit = ET_COMMIT;
    std::string text = fmt::format("et-inspect {}\n\nBuild\n  {:<14} {}\n  {:<14} {} {}\n  {:<14} {} {}\n",
                                   version, "commit", commit.empty() ? "unknown" : commit, "build",
                                   ET_BUILD_TYPE, ET_PROCESSOR, "compiler", ET_COMPILER, __VERSION__);
    text += "\nLibraries\n";
    for (const auto& [name, number] : libraries()) {
        text += fmt::format("  {:<14} {}\n", name, number);
    }
    return text;
}

}  // namespace et::cli
