#include "runtime/core/user_folder.h"

#include <cstdlib>

namespace et::core {

namespace fs = std::filesystem;

std::optional<fs::path> userFolder(const char* variable, const fs::path& belowHome) {
    const char* const given = std::getenv(variable);
    if (given != nullptr && fs::path(given).is_absolute()) {
        return fs::path(given);
    }
    const char* const home = std::getenv("HOME");
    return home == nullptr || *home == '\0' ? std::nullopt : std::optional(fs::path(home) / belowHome);
}

}  // namespace et::core
