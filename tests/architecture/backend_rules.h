#pragma once

#include "tests/architecture/source_tree.h"

#include <string>
#include <vector>

namespace et::architecture {

/// Mentions of a specific backend in a file that must not depend on one, one line each: "inspector/a.h:3: …".
/// The inspector and the views treat all backends alike, through lists passed by callers; the reference
/// interpreter is not a delegate backend. Empty if there are none, or if the file may mention backends.
[[nodiscard]] std::vector<std::string> backendViolations(const SourceFile& file);

}  // namespace et::architecture
