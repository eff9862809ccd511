#pragma once

#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/kernels/boxing.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace et::kernels::dense {

/// Holds sums and products of numbers that a program may choose freely from 64 bits.
__extension__ using Wide = __int128;

/// Depth, height and width; 1-D and 2-D convolutions have 1 (stride 1, no padding) in front.
inline constexpr std::size_t spatialDims = 3;
using Spatial = std::array<std::int64_t, spatialDims>;

/// The arguments of aten::convolution as they come.
struct ConvolutionArguments {
    const Tensor& input;   ///< [N, C, spatial…] or [C, spatial…]
    const Tensor& weight;  ///< [out, in / groups, kernel…]; transposed: [in, out / groups, kernel…]
    const Tensor* bias;    ///< [out]
    IntList stride;        ///< like the other lists, one number for all dimensions or one for each
    IntList padding;
    IntList dilation;
    bool transposed;
    IntList outputPadding;  ///< counts when transposed
    std::int64_t groups;
};

/// The product of the sizes; the largest number where that does not fit (of a tensor that is empty in another
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

/// All of a convolution that does not depend on the size of its input. Channels are those of all groups.
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
    /// A kernel of one element that is put on every element of the input.
    [[nodiscard]] bool isPointwise() const;
};

/// A convolution whose sizes fit together. Where none of its tensors is empty, products of sizes of one
/// tensor fit int64.
struct Convolution {
    Filter filter;
    std::int64_t batch = 1;
    std::size_t channelDim = 1;  ///< of input and result tensors: 0 where there is no batch
    Spatial input{1, 1, 1};
    Spatial output{1, 1, 1};
    core::Sizes outputSizes;  ///< of the result tensor, without a batch where the input has none

    [[nodiscard]] std::int64_t inputPlane() const { return volume(input); }
    [[nodiscard]] std::int64_t outputPlane() const { return volume(output); }
};

/// Checks shapes and parameters as PyTorch does. Errors: InvalidArgument.
[[nodiscard]] core::Result<Convolution> convolutionShape(const ConvolutionArguments& arguments);

/// Whether all tensors are of one dtype. Errors: InvalidArgument.
[[nodiscard]] core::Result<> expectOneType(std::initializer_list<const Tensor*> tensors);

}  // namespace et::kernels::dense
