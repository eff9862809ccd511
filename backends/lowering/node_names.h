#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/core/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace et::backends::lowering {

/// What names of a command line stand for: a node, all of an operator ("aten.add.Tensor"), or all below a
/// module ("layers.0").
class NodeNames {
  public:
    explicit NodeNames(const std::vector<std::string>& from) : names(from), found(from.size(), false) {}

    /// Whether one of the names stands for the node.
    [[nodiscard]] bool has(const etrecord::Node& node);
    /// Likewise for what has another name of its own.
    [[nodiscard]] bool has(std::string_view name);
    [[nodiscard]] bool empty() const { return names.empty(); }
    /// Errors: NotFound (a name stood for nothing that was asked about).
    [[nodiscard]] core::Result<> wantAll() const;

  private:
    const std::vector<std::string>& names;
    std::vector<bool> found;
};

}  // namespace et::backends::lowering
