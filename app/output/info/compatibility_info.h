#pragma once

#include "app/output/cells.h"
#include "inspector/fit/compatibility.h"

#include <cstddef>
#include <string>

namespace et::output {

/// A row for each release with verdict and reasons, then the kernel libraries and notes. At most `longest`
/// reasons for each release; 0: all.
[[nodiscard]] Dict compatibilityRows(const inspector::Compatibility& compatibility, std::size_t longest);
/// docs/reference/json_programs.md, info --compatibility.
[[nodiscard]] Dict compatibilityInfo(const inspector::Compatibility& compatibility);

}  // namespace et::output
