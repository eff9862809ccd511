#pragma once

#include "runtime/core/result.h"

#include <filesystem>
#include <string_view>

namespace et::app {

/// `path`, unless empty, takes the place `slot` of the only file of a kind; `what`: "trace". Errors:
/// InvalidArgument (another file has it).
[[nodiscard]] core::Result<> fillSlot(std::filesystem::path& slot, const std::filesystem::path& path,
                                      std::string_view what);

}  // namespace et::app
