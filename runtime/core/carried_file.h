#pragma once

#include "runtime/core/mapped_file.h"

#include <memory>
#include <string_view>

namespace et::core {

/// Set by the starter of a single file to the file's path.
inline constexpr const char* singleFileVariable = "ET_INSPECT_SINGLE_FILE";

/// Contents of a file that the running single file (app/single_file) carries; null if this process does not
/// come from a single file, or that has no such file. Errors: Io; Format (damaged).
[[nodiscard]] Result<std::shared_ptr<const MappedFile>> openCarried(std::string_view name);

}  // namespace et::core
