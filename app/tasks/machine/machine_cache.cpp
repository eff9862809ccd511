#include "app/tasks/machine/machine_cache.h"

#include "app/tasks/output_file.h"

#include <cstdlib>
#include <system_error>

namespace et::app {

namespace fs = std::filesystem;
using core::Result;

Result<fs::path> machineCachePath() {
    // Definition: the XDG Base Directory Specification, which leaves out paths that are not absolute.
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && fs::path(cache).is_absolute()) {
        return fs::path(cache) / "et-inspect" / "machine.json";
    }
    const char* const home = std::getenv("HOME");
    if (home == nullptr || *home == '\0') {
        return core::fail(core::ErrorCode::NotFound,
                          "no folder for caches: neither XDG_CACHE_HOME nor HOME is set");
    }
    return fs::path(home) / ".cache" / "et-inspect" / "machine.json";
}

Result<std::optional<inspector::MachineProfile>> cachedProfile() {
    const auto path = machineCachePath();
    std::error_code ignored;
    if (!path || !fs::exists(*path, ignored)) {
        return std::nullopt;
    }
    return inspector::readProfile(*path).transform(
        [](inspector::MachineProfile profile) { return std::optional(std::move(profile)); });
}

Result<> cacheProfile(const inspector::MachineProfile& profile) {
    ET_ASSIGN(const fs::path path, machineCachePath());
    ET_TRY(makeFolder(path.parent_path()));
    return writeFile(path, producerOf(inspector::profileJson(profile)));
}

}  // namespace et::app
