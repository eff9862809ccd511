#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/executor/backend.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace et::inspector::join::detail {

/// The backend that uses these operator names: `preferred` if it is among the matches; null: none, or
/// unknown.
[[nodiscard]] const executor::Backend* backendOfOperators(std::span<const executor::Backend* const> backends,
                                                          std::span<const std::string_view> names,
                                                          std::string_view preferred);

/// A node whose debug handle is listed by a delegate's instruction. If other instructions list the handle
/// too, the node may be theirs.
struct TakenNode {
    etrecord::NodeIndex node = 0;
    bool shared = false;
};

/// The operators that ran, and those that the record contains instead; for display.
struct Difference {
    std::string ran;
    std::string says;
};

/// Compares the operators logged by one delegate call with the nodes lowered to it: the backend runs one
/// operator for each convolution, matrix product, sum, … according to its families (fused activations and
/// added layout changes are not counted), on quantized data if the record quantizes (`graphQuantizes`:
/// anywhere in the method). Empty: no contradiction.
[[nodiscard]] std::optional<Difference> compareOperators(const executor::Backend& backend,
                                                         std::span<const std::string_view> names,
                                                         std::span<const TakenNode> nodes,
                                                         const etrecord::ExportedGraph& graph,
                                                         bool graphQuantizes);

}  // namespace et::inspector::join::detail
