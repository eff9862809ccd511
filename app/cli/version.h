#pragma once

#include <string>
#include <string_view>

namespace et::cli {

/// Version of the project, from its CMakeLists.txt.
extern const std::string_view version;

/// "et-inspect 1.0.0", then the build, its compiler and the libraries, one per line.
[[nodiscard]] std::string versionDetails();

}  // namespace et::cli
