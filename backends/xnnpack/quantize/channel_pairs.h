#pragma once

#include "backends/xnnpack/quantize/constant_changes.h"
#include "backends/xnnpack/quantize/exported_operators.h"
#include "backends/xnnpack/quantize/sites.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Cross-layer equalization: moves factors from the channels of one product into the next (Nagel et al.,
// Data-Free Quantization ComputeAs Weight Equalization and Bias Correction, 2019).
namespace et::backends::xnnpack {

/// An operator whose result's channels are read separately by products with constant weights.
struct ChannelPair {
    std::size_t maker = 0;               ///< the producing operator: a product, or a layer norm with a weight
    std::string_view weight{};           ///< weight of the producing operator
    std::vector<std::size_t> readers{};  ///< sites
    std::vector<std::string_view> values{};  ///< values from the operator's result to the readers' inputs
    std::size_t channels = 0;
    bool images = false;  ///< channels are dimension 1 of the values; otherwise the last dimension
    std::string clamp{};  ///< exported operator: the first clamp in between that is not a relu
    std::string rule{};   ///< why factors cannot be moved, if worth reporting; empty: they can
};

/// Finds all pairs in graph order. The path to the readers may contain relu, pooling, means over height and
/// width, and removal of dimensions with one element. Another clamp adds a rule, since a factor would change
/// its bound.
[[nodiscard]] std::vector<ChannelPair> findChannelPairs(const lowering::EdgeMethod& method,
                                                        const ExportedOperators& operators,
                                                        const std::vector<QuantizationSite>& sites);

/// Divisor of each channel: the root of its range divided by the maximum ratio of its weights to the readers'
/// largest weight; for readers that compute each channel separately, its range. Channels without range or
/// weights are unchanged, and so is the range of the whole tensor. `ranges`: range of each channel's numbers,
/// one or none per channel. Errors: those of EdgeMethod::tensor().
[[nodiscard]] core::Result<std::vector<float>> equalizingFactors(lowering::EdgeMethod& method,
                                                                 const std::vector<QuantizationSite>& sites,
                                                                 const ChannelPair& pair,
                                                                 std::span<const float> ranges);

/// Divides the channels of the producing operator and multiplies those of the readers' weights: outputs are
/// unchanged except for rounding. Several pairs may change one weight: `changes` contains the earlier
/// changes, and these are added. Errors: those of EdgeMethod::tensor().
[[nodiscard]] core::Result<> moveFactors(lowering::EdgeMethod& method, const ExportedOperators& operators,
                                         const std::vector<QuantizationSite>& sites, const ChannelPair& pair,
                                         std::span<const float> factors,
                                         std::vector<ConstantChange>& changes);

}  // namespace et::backends::xnnpack
