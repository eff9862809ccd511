#pragma once

#include "backends/xnnpack/quantize/exported_operators.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {

/// Operator kind that a quantizer pattern matches.
enum class SiteKind : std::uint8_t {
    Convolution,
    TransposedConvolution,
    Linear,
    Add,
    Multiply,
    Concatenate,
    AveragePool  ///< adaptive, two-dimensional
};
/// "conv2d", "linear", …
[[nodiscard]] std::string_view siteKindName(SiteKind kind);

/// An operator that can be quantized, or whose kind can be. Values borrow the graph.
struct QuantizationSite {
    SiteKind kind{};
    std::size_t op = 0;                 ///< in ExportedOperators
    std::optional<std::size_t> relu{};  ///< index of a relu quantized together with it: only the clamped
                                        ///< result is quantized
    std::string_view weight{};          ///< empty if it has none
    std::vector<std::string_view> operands{};
    std::string_view output{};  ///< result of the relu, if there is one
    std::string rule{};         ///< why it stays in float; empty: it can be quantized

    [[nodiscard]] bool hasWeight() const { return !weight.empty(); }
    /// The dimension of the weight that scales are along.
    [[nodiscard]] std::size_t weightAxis() const { return kind == SiteKind::TransposedConvolution ? 1 : 0; }
};

/// All sites in graph order, as XNNPACKQuantizer's patterns find them
/// (executorch/backends/xnnpack/quantizer/xnnpack_quantizer_utils.py).
[[nodiscard]] std::vector<QuantizationSite> findSites(lowering::EdgeMethod& method,
                                                      const ExportedOperators& operators);

/// Pairs of sites, by index in graph order, of which the second reads the result of the first, directly or
/// after moving and clamping. Nodes between them are float only if both are.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> neighbouringSites(
    const lowering::EdgeMethod& method, const ExportedOperators& operators,
    const std::vector<QuantizationSite>& sites);

/// Whether an operator only moves or clamps numbers, so that its result has its input's scale.
[[nodiscard]] bool sharesScale(const ExportedOperator& op);

}  // namespace et::backends::xnnpack
