#pragma once

#include "tests/architecture/source_tree.h"

#include <string>
#include <vector>

namespace et::architecture {

/// What a file says of one backend where it may know none, a line each: "inspector/a.h:3: …". The inspector
/// and the views look at all backends alike, by lists that callers hand in; the reference interpreter is no
/// backend of delegates. Empty: nothing, or a file that may.
[[nodiscard]] std::vector<std::string> backendViolations(const SourceFile& file);

}  // namespace et::architecture
