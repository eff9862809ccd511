#pragma once

#include <string_view>

namespace et::tasks {

/// Name of the script in the folder of a probe set.
inline constexpr const char* reexportName = "reexport.py";

/// A Python script that lowers the ETRecords of a probe set with a user's partitioner and replaces their
/// bundled programs.
[[nodiscard]] std::string_view reexportScript();

}  // namespace et::tasks
