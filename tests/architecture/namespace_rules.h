#pragma once

#include "tests/architecture/source_tree.h"

#include <string>
#include <vector>

namespace et::architecture {

/// Namespaces that a file opens although they belong to another folder, one message each. A namespace belongs
/// to a folder if it begins with the folder's name (`app/tasks`: et::tasks; `runtime/core`: et::core;
/// `inspector/graph`: et::inspector), and a `detail` namespace also names the folder before it. Blocks that
/// only declare types of other folders are allowed.
[[nodiscard]] std::vector<std::string> namespaceViolations(const SourceFile& file);

}  // namespace et::architecture
