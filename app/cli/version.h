#pragma once

#include <string_view>

namespace et::cli {

/// Version of the project, from its CMakeLists.txt.
inline constexpr std::string_view version = ET_INSPECT_VERSION;

}  // namespace et::cli
