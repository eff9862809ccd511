#include "runtime/core/own_programs.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace et::core {
namespace {

namespace fs = std::filesystem;

struct ProgramLocations {
    const char* variable;
    std::array<std::string_view, 3> beside;  ///< relative to the executable, in an installation and in a
                                             ///< build; empty: no further path
};

constexpr std::array<ProgramLocations, 4> programLocations{{
    {.variable = "ET_INSPECT_LAUNCHER", .beside = {"et-inspect", "../cli/et-inspect"}},
    {.variable = "ET_INSPECT_LAYOUT",
     .beside = {"et-layout", "../libexec/et-inspect/et-layout", "../et-layout"}},
    {.variable = "ET_INSPECT_AGENT",
     .beside = {"et-agent", "../libexec/et-inspect/et-agent", "../agent/et-agent"}},
    {.variable = "ET_INSPECT_AGENT_ARM64",
     .beside = {"et-agent-arm64", "../libexec/et-inspect/et-agent-arm64",
                "../../../arm64/app/agent/et-agent"}},
}};

const ProgramLocations& placesOf(OwnProgram program) {
    return programLocations[static_cast<std::size_t>(program)];
}

/// Path set by the launcher; empty if none.
fs::path saidByLauncher(OwnProgram program) {
    const char* const given = std::getenv(placesOf(program).variable);
    return given == nullptr ? fs::path() : fs::path(given);
}

}  // namespace

fs::path findOwnProgram(OwnProgram program) {
    if (fs::path said = saidByLauncher(program); !said.empty()) {
        return said;
    }
    std::error_code unknown;
    const fs::path folder = fs::read_symlink("/proc/self/exe", unknown).parent_path();
    for (const std::string_view place : placesOf(program).beside) {
        if (fs::path candidate = (folder / place).lexically_normal();
            ::access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, unknown)) {
            return candidate;
        }
    }
    return {};
}

fs::path sameProgram() {
    fs::path said = saidByLauncher(OwnProgram::Inspect);
    return said.empty() ? fs::path("/proc/self/exe") : said;
}

}  // namespace et::core
