#include "app/tasks/base/file_slot.h"

#include <fmt/format.h>

namespace et::tasks {

core::Result<> fillSlot(std::filesystem::path& slot, const std::filesystem::path& path,
                        std::string_view what) {
    if (!path.empty() && !slot.empty() && slot != path) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("two files for the {}: {} and {}", what, slot.string(), path.string()));
    }
    slot = path.empty() ? slot : path;
    return {};
}

}  // namespace et::tasks
