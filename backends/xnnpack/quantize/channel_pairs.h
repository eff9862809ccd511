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

// Cross-layer equalization: factors that move from the channels of one product into the next
// (Nagel et al., Data-Free Quantization Through Weight Equalization and Bias Correction, 2019).
namespace et::backends::xnnpack {

/// An operator whose result has channels that go, each by itself, into products of constant weights.
struct ChannelPair {
    std::size_t maker = 0;                   ///< operator: a product, or a layer norm with a weight
    std::string_view weight{};               ///< of the maker
    std::vector<std::size_t> readers{};      ///< sites
    std::vector<std::string_view> values{};  ///< from the maker's result to what the readers read
    std::size_t channels = 0;
    bool images = false;  ///< channels are the dimension 1 of the values; else the last one
    std::string clamp{};  ///< exported operator: the first clamp between them that is no relu
    std::string rule{};   ///< why factors cannot move, where it is worth telling; empty: they can
};

/// All of them in graph order. Between maker and readers may be relu, pooling, means over height and width,
/// and what drops dimensions of one element. A clamp that is none of these makes a rule: another factor,
/// another bound.
[[nodiscard]] std::vector<ChannelPair> findChannelPairs(const lowering::EdgeMethod& method,
                                                        const ExportedOperators& operators,
                                                        const std::vector<QuantizationSite>& sites);

/// What each channel is divided by: the root of its range over the share that its weights have of the
/// readers' widest; of readers that compute each channel by itself the range alone. Channels without either
/// stay, and so does the range of them all. `ranges`: of each channel's numbers, one or none a channel.
/// Errors: as EdgeMethod::tensor().
[[nodiscard]] core::Result<std::vector<float>> equalizingFactors(lowering::EdgeMethod& method,
                                                                 const std::vector<QuantizationSite>& sites,
                                                                 const ChannelPair& pair,
                                                                 std::span<const float> ranges);

/// Divides the channels of the maker, multiplies those of the readers' weights: outputs stay the same but for
/// rounding. Several pairs may change one weight: `changes` has what those before did, and gets this. Errors:
/// as EdgeMethod::tensor().
[[nodiscard]] core::Result<> moveFactors(lowering::EdgeMethod& method, const ExportedOperators& operators,
                                         const std::vector<QuantizationSite>& sites, const ChannelPair& pair,
                                         std::span<const float> factors,
                                         std::vector<ConstantChange>& changes);

}  // namespace et::backends::xnnpack
