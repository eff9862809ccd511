#pragma once

#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/kernels/boxing.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace et::kernels::dense {

/// Holds sums and products of arbitrary 64-bit numbers from a program.
__extension__ using Wide = __int128;

/// Depth, height and width; 1-D and 2-D convolutions have leading 1s (stride 1, no padding).
inline constexpr std::size_t spatialDims = 3;
using Spatial = std::array<std::int64_t, spatialDims>;

/// The arguments of aten::convolution, unchanged.
struct ConvolutionArguments {
    const Tensor& input;   ///< [N, C, spatial…] or [C, spatial…]
    const Tensor& weight;  ///< [out, in / groups, kernel…]; transposed: [in, out / groups, kernel…]
    const Tensor* bias;    ///< [out]
    IntList stride;        ///< like the other lists: one number for all dimensions, or one per dimension
    IntList padding;
    IntList dilation;
    bool transposed;
    IntList outputPadding;  ///< used only if transposed
    std::int64_t groups;
};

/// The product of the sizes, saturated on overflow (possible for a tensor that is empty in another
/// dimension).
[[nodiscard]] inline std::int64_t volume(const Spatial& sizes) {
    std::int64_t product = 1;
    for (const std::int64_t size : sizes) {
        if (__builtin_mul_overflow(product, size, &product)) {
            return std::numeric_limits<std::int64_t>::max();
        }
    }
    return product;
}

/// Parameters of a convolution that do not depend on the input size. Channel counts include all groups.
struct Filter {
    std::int64_t groups = 1;
    std::int64_t inputChannels = 0;
    std::int64_t outputChannels = 0;
    Spatial kernel{1, 1, 1};
    Spatial stride{1, 1, 1};
    Spatial padding{0, 0, 0};
    Spatial dilation{1, 1, 1};
    Spatial outputPadding{0, 0, 0};
    bool transposed = false;

    bool operator==(const Filter&) const = default;

    [[nodiscard]] std::int64_t groupInputs() const { return inputChannels / groups; }
    [[nodiscard]] std::int64_t groupOutputs() const { return outputChannels / groups; }
    [[nodiscard]] std::int64_t taps() const { return volume(kernel); }
    /// True if the kernel has one element and is applied to every element of the input.
    [[nodiscard]] bool isPointwise() const;
};

/// A convolution with consistent sizes. If none of its tensors is empty, products of sizes of one tensor fit
/// int64.
struct Convolution {
    Filter filter;
    std::int64_t batch = 1;
    std::size_t channelDim = 1;  ///< of input and result tensors; 0 if there is no batch dimension
    Spatial input{1, 1, 1};
    Spatial output{1, 1, 1};
    core::Sizes outputSizes;  ///< sizes of the result tensor, without a batch if the input has none

    [[nodiscard]] std::int64_t inputPlane() const { return volume(input); }
    [[nodiscard]] std::int64_t outputPlane() const { return volume(output); }
};

/// Checks shapes and parameters as PyTorch does. Errors: InvalidArgument.
[[nodiscard]] core::Result<Convolution> convolutionShape(const ConvolutionArguments& arguments);

/// Checks that all tensors have one dtype. Errors: InvalidArgument.
[[nodiscard]] core::Result<> expectOneType(std::initializer_list<const Tensor*> tensors);

}  // namespace et::kernels::dense
