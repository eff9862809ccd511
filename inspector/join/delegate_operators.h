#pragma once

#include "etrecord/exported_graph.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace et::inspector::detail {

inline constexpr std::string_view xnnpackBackend = "XnnpackBackend";

/// True for an identifier as XNNPACK's delegate logs it: "Convolution (NHWC, F32) IGEMM #1".
[[nodiscard]] bool isXnnpackOperator(std::string_view identifier);

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

/// Compares the operators that one call of XNNPACK logged with the nodes that it took: XNNPACK runs one
/// operator for each convolution, matrix product, sum, … (it fuses activations and adds layout changes, which
/// are not counted), on quantized data where the record quantizes (`graphQuantizes`: anywhere in the method).
/// Nothing: no contradiction.
[[nodiscard]] std::optional<Difference> compareXnnpack(std::span<const std::string_view> identifiers,
                                                       std::span<const TakenNode> nodes,
                                                       const etrecord::ExportedGraph& graph,
                                                       bool graphQuantizes);

}  // namespace et::inspector::detail
