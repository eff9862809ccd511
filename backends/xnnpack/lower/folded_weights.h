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

/// A batch norm that does not train; empty: ones, zeros.
struct NormNumbers {
    std::vector<float> scale, shift, mean, variance;
    double epsilon = 0;
};

/// The weights of a convolution on their way into a payload.
struct FoldedWeights {
    std::vector<std::int64_t> sizes;  ///< four: outputs and inputs of a group, height, width
    bool outputsSecond = false;       ///< of a transposed convolution: inputs, outputs, height, width
    std::vector<float> weight{};      ///< row-major
    std::vector<float> bias{};        ///< one an output; empty: none

    [[nodiscard]] std::size_t outputs() const {
        return static_cast<std::size_t>(sizes[outputsSecond ? 1 : 0]);
    }
    /// What a batch norm behind does to each output: weights and biases that give its result, computed in
    /// double precision. Errors: InvalidArgument (not one number an output).
    [[nodiscard]] core::Result<> fold(const NormNumbers& norm);

    /// Row-major with dimensions in another order.
    [[nodiscard]] std::vector<float> ordered(std::span<const std::uint8_t> order) const;
};

class PartConversion;

/// The operator that is folded into what it alone reads.
inline constexpr std::string_view foldedNorm = "aten._native_batch_norm_legit_no_training.default";

/// The result of a convolution or product, or that of the batch norm that alone reads it and is folded into
/// its weights. Errors: as PartConversion::floats() and FoldedWeights::fold().
[[nodiscard]] core::Result<std::string_view> foldNorm(PartConversion& to, const etrecord::Node& node,
                                                      FoldedWeights& folded);

/// The order in which a payload has the dimensions of a filter: outputs, height, width, inputs of a group; of
/// a convolution of each channel by itself one, height, width, outputs.
[[nodiscard]] std::array<std::uint8_t, 4> filterOrder(bool transposed, bool depthwise);

}  // namespace et::backends::xnnpack
