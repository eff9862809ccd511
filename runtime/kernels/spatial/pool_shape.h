#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/shape_rules.h"

#include <array>
#include <cstdint>

// Window geometry of pooling (https://pytorch.org/docs/stable/generated/torch.nn.MaxPool2d.html and related
// modules).
namespace et::kernels::spatial {

/// The inputs of one window along one dimension: `first`, `first` + dilation, ….
struct PoolWindow {
    std::int64_t first;   ///< first one within the input
    std::int64_t count;   ///< number within the input
    std::int64_t places;  ///< number including the padding
};

/// One dimension. All sizes are below 2^31.
struct PoolAxis {
    std::int64_t input = 1;
    std::int64_t output = 1;
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t padding = 0;
    std::int64_t dilation = 1;
    bool adaptive = false;  ///< windows divide the input evenly among the outputs

    [[nodiscard]] PoolWindow window(std::int64_t at) const;
};

/// Strides of batch, channel, depth, height and width; 0 for dimensions that the tensor does not have.
struct PoolStrides {
    std::int64_t batch = 0;
    std::int64_t channel = 0;
    std::array<std::int64_t, 3> axes{};
};

/// Tensors of sizes [batch, channels, depth, height, width], without dimensions that the operator does not
/// have.
struct PoolShape {
    std::int64_t batch = 1;
    std::int64_t channels = 1;
    std::array<PoolAxis, 3> axes;  ///< depth, height, width
    std::size_t spatial = 2;       ///< number of spatial dimensions of the operator, counted from the end
    Sizes outSizes;

    [[nodiscard]] PoolStrides stridesOf(const Tensor& tensor) const;
    /// Elements per channel of the input.
    [[nodiscard]] std::int64_t plane() const { return axes[0].input * axes[1].input * axes[2].input; }
};

/// Parameters of a pooling operator, one value for all dimensions or one per dimension. The stride defaults
/// to the kernel size.
struct PoolParameters {
    IntList kernel;
    IntList stride;
    IntList padding;
    IntList dilation;
    bool ceilMode = false;
};

/// Errors: InvalidArgument (number of dimensions, sizes of 0, invalid parameters, no output).
[[nodiscard]] core::Result<PoolShape> poolShape(const Tensor& input, std::size_t spatial,
                                                const PoolParameters& parameters);
[[nodiscard]] core::Result<PoolShape> adaptivePoolShape(const Tensor& input, std::size_t spatial,
                                                        IntList outputSize);

}  // namespace et::kernels::spatial
