#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/executor/backend.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace et::inspector::detail {

/// The backend whose operators are called so: `preferred` where it is one of them; null: none, or not known.
[[nodiscard]] const executor::Backend* backendOfOperators(std::span<const executor::Backend* const> backends,
                                                          std::span<const std::string_view> names,
                                                          std::string_view preferred);

/// A node whose debug handle a delegate's instruction lists. Where other instructions list the handle too,
/// the node may be theirs.
struct TakenNode {
    etrecord::NodeIndex node = 0;
    bool shared = false;
};

/// What ran, and what the record says instead; for people.
struct Difference {
    std::string ran;
    std::string says;
};

/// Compares the operators that one call of a delegate logged with the nodes that it took: the backend runs
/// one operator for each convolution, matrix product, sum, … as its families say (it may fuse activations and
/// add layout changes, which are not counted), on quantized data where the record quantizes
/// (`graphQuantizes`: anywhere in the method). Nothing: no contradiction.
[[nodiscard]] std::optional<Difference> compareOperators(const executor::Backend& backend,
                                                         std::span<const std::string_view> names,
                                                         std::span<const TakenNode> nodes,
                                                         const etrecord::ExportedGraph& graph,
                                                         bool graphQuantizes);

}  // namespace et::inspector::detail
