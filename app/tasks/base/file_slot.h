#pragma once

#include "runtime/core/result.h"

#include <filesystem>
#include <string_view>

namespace et::tasks {

/// Sets `slot`, which holds the only file of a kind, to `path` unless that is empty; `what`: "trace". Errors:
/// InvalidArgument (the slot already has another file).
[[nodiscard]] core::Result<> fillSlot(std::filesystem::path& slot, const std::filesystem::path& path,
                                      std::string_view what);

}  // namespace et::tasks
