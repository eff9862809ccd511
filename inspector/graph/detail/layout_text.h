#pragma once

#include "inspector/graph/graph_layout.h"
#include "runtime/core/result.h"

#include <string>
#include <string_view>

namespace et::inspector::graph::detail {

/// A request in the DOT language: nodes n0, n1, …, clusters cluster_0, …
[[nodiscard]] std::string requestText(const LayoutRequest& request);

/// Parses the output of et-layout. Errors: Format (another version).
[[nodiscard]] core::Result<GraphLayout> readAnswer(std::string_view answer, const LayoutRequest& request);

}  // namespace et::inspector::graph::detail
