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

/// What a pattern of the quantizer is anchored on.
enum class SiteKind : std::uint8_t {
    Convolution,
    TransposedConvolution,
    Linear,
    Add,
    Multiply,
    Concatenate,
    AveragePool  ///< adaptive, in two dimensions
};
/// "conv2d", "linear", …
[[nodiscard]] std::string_view siteKindName(SiteKind kind);

/// An operator that can be quantized, or that is of a kind that can be. Values borrow the graph.
struct QuantizationSite {
    SiteKind kind{};
    std::size_t op = 0;                 ///< in ExportedOperators
    std::optional<std::size_t> relu{};  ///< an operator that is quantized with it: only the clamped result is
    std::string_view weight{};          ///< empty: it has none
    std::vector<std::string_view> operands{};
    std::string_view output{};  ///< of the relu, where there is one
    std::string rule{};         ///< why it stays in float; empty: it can be quantized

    [[nodiscard]] bool hasWeight() const { return !weight.empty(); }
    /// The dimension of the weight that has a scale an element.
    [[nodiscard]] std::size_t weightAxis() const { return kind == SiteKind::TransposedConvolution ? 1 : 0; }
};

/// All sites in graph order, as XNNPACKQuantizer's patterns find them
/// (executorch/backends/xnnpack/quantizer/xnnpack_quantizer_utils.py).
[[nodiscard]] std::vector<QuantizationSite> findSites(lowering::EdgeMethod& method,
                                                      const ExportedOperators& operators);

/// Pairs of sites, by their positions in graph order, of which the second reads what the first makes, as it
/// is or moved and clamped. What is between them is float only where both are.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> neighbouringSites(
    const lowering::EdgeMethod& method, const ExportedOperators& operators,
    const std::vector<QuantizationSite>& sites);

/// Whether an operator only moves or clamps numbers, so that its result has the scale of what it reads.
[[nodiscard]] bool sharesScale(const ExportedOperator& op);

}  // namespace et::backends::xnnpack
