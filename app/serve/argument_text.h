#pragma once

#include "etrecord/exported_graph.h"

#include <string>

namespace et::serve {

/// An argument of a node as torch.fx prints it: "%x", "[1, 1]", "torch.float32".
[[nodiscard]] std::string argumentText(const etrecord::Argument& argument);

}  // namespace et::serve
