#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/core/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// Parameters of a batch norm in inference mode; empty: ones for scale and variance, zeros for shift and
/// mean.
struct NormNumbers {
    std::vector<float> scale, shift, mean, variance;
    double epsilon = 0;
};

/// Weights of a convolution before they are added to a payload.
struct FoldedWeights {
    std::vector<std::int64_t> sizes;  ///< four sizes: outputs and inputs of a group, height, width
    bool outputsSecond = false;       ///< for a transposed convolution: inputs, outputs, height, width
    std::vector<float> weight{};      ///< row-major
    std::vector<float> bias{};        ///< one per output; empty: none

    [[nodiscard]] std::size_t outputs() const {
        return static_cast<std::size_t>(sizes[outputsSecond ? 1 : 0]);
    }
    /// Folds a following batch norm into the weights and biases, in double precision. Errors: InvalidArgument
    /// (a list whose length is not the number of outputs).
    [[nodiscard]] core::Result<> fold(const NormNumbers& norm);

    /// Row-major elements with permuted dimensions.
    [[nodiscard]] std::vector<float> ordered(std::span<const std::uint8_t> order) const;
};

class PartConversion;

/// Batch norm operator that is folded into the preceding node if it is its only reader.
inline constexpr std::string_view foldedNorm = "aten._native_batch_norm_legit_no_training.default";

/// Result of a convolution or product, or of the batch norm that is its only reader and is folded into its
/// weights. Errors: those of PartConstants::floats() and FoldedWeights::fold().
[[nodiscard]] core::Result<std::string_view> foldNorm(PartConversion& to, const etrecord::Node& node,
                                                      FoldedWeights& folded);

/// Dimension order of a filter in a payload: outputs, height, width, inputs of a group; for a depthwise
/// convolution 1, height, width, outputs.
[[nodiscard]] std::array<std::uint8_t, 4> filterOrder(bool transposed, bool depthwise);

}  // namespace et::backends::xnnpack
