#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/core/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace et::backends::lowering {

/// Matches names from a command line: a node, all nodes of an operator ("aten.add.Tensor"), or all below a
/// module ("layers.0").
class NodeNames {
  public:
    explicit NodeNames(const std::vector<std::string>& from) : names(from), found(from.size(), false) {}

    /// Whether one of the names matches the node.
    [[nodiscard]] bool has(const etrecord::Node& node);
    /// Whether one of the names matches this name.
    [[nodiscard]] bool has(std::string_view name);
    [[nodiscard]] bool empty() const { return names.empty(); }
    /// Errors: NotFound (a name that never matched).
    [[nodiscard]] core::Result<> requireAll() const;

  private:
    const std::vector<std::string>& names;
    std::vector<bool> found;
};

}  // namespace et::backends::lowering
