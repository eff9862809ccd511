#include "app/tasks/machine/machine_cache.h"

#include "app/tasks/base/output_file.h"
#include "runtime/core/user_folder.h"

#include <system_error>

namespace et::tasks {

namespace fs = std::filesystem;
using core::Result;

Result<fs::path> machineCachePath() {
    const auto folder = core::userFolder("XDG_CACHE_HOME", ".cache");
    if (!folder) {
        return core::fail(core::ErrorCode::NotFound,
                          "no folder for caches: neither XDG_CACHE_HOME nor HOME is set");
    }
    return *folder / "et-inspect" / "machine.json";
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

}  // namespace et::tasks
