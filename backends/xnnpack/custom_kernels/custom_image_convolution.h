#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"
#include "backends/xnnpack/custom_kernels/packed_weights.h"
#include "runtime/kernels/dense/image_convolution.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {

/// Whether a convolution (or transposed convolution) has only fp32 values, constant weights and bias, a
/// non-constant input, and no further work that the library would do.
[[nodiscard]] bool hasFloatFilter(const Payload& payload, const PayloadNode& node);

/// Elements of an fp32 constant; null for noValue.
[[nodiscard]] const float* constantFloats(const CustomNode::Source& source, ValueIndex value);

/// Parameters of a convolution for a custom kernel, except the image sizes. For a depthwise one: all
/// channels.
[[nodiscard]] kernels::dense::ImageConvolution makeImageConvolution(const PayloadNode& node);

/// Sets the image sizes: [samples, height, width, channels].
void takeSizes(kernels::dense::ImageConvolution& shape, const ValueSizes& from, const ValueSizes& to);

/// Whether a kernel needs little temporary memory for images of these sizes: files may specify any padding
/// and stride.
template <class Kernel>
[[nodiscard]] bool needsLittle(const PayloadNode& node, const Shapes& shapes) {
    constexpr std::size_t most = std::size_t{1} << 24U;
    kernels::dense::ImageConvolution shape = makeImageConvolution(node);
    takeSizes(shape, shapes[node.inputs[0]], shapes[node.outputs[0]]);
    return Kernel::scratchElements(shape) <= most;
}

/// Variable parts of the library's names of convolutions: "Convolution (NHWC, F32) IGEMM".
struct ConvolutionName {
    std::string_view type;
    std::string_view how;

    [[nodiscard]] std::string text() const;
};

[[nodiscard]] ConvolutionName convolutionName(const PayloadNode& node, std::string_view type);

/// A convolution by a kernel that computes rows of the output, divided among threads.
template <class Kernel>
class CustomImageConvolution final : public CustomNode {
  public:
    /// `weights`: owns the kernel's weights if the kernel does not.
    CustomImageConvolution(const Source& source, const PayloadNode& node, ConvolutionName name, Kernel packed,
                           PackedWeights weights = {})
        : threads(source.threads),
          input(node.inputs[0]),
          output(node.outputs[0]),
          shape(makeImageConvolution(node)),
          called(name),
          packedWeights(std::move(weights)),
          kernel(std::move(packed)) {}

    [[nodiscard]] std::string name() const override { return called.text(); }
    [[nodiscard]] std::uint64_t packedBytes() const override {
        return kernel.packedBytes() + packedWeights.bytes();
    }

    void reshape(const Shapes& shapes) override {
        takeSizes(shape, shapes[input], shapes[output]);
        rows = shapes[output][0] * shape.height.output;
        kernel.reshape(shape);
        scratch.resize(threads.threads() * Kernel::scratchElements(shape));
    }

    void run(std::span<void* const> places) override {
        const auto* const from = static_cast<const typename Kernel::Element*>(places[input]);
        auto* const to = static_cast<typename Kernel::Element*>(places[output]);
        const std::size_t workers = std::max<std::size_t>(std::min(threads.threads(), rows), 1);
        threads.parallelFor(workers, 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t worker = begin; worker < end; ++worker) {
                kernel.computeRows(from, to, worker * rows / workers, (worker + 1) * rows / workers,
                                   scratch.data() + worker * Kernel::scratchElements(shape));
            }
        });
    }

  private:
    const kernels::ThreadPool& threads;
    ValueIndex input;
    ValueIndex output;
    kernels::dense::ImageConvolution shape;
    ConvolutionName called;
    PackedWeights packedWeights;
    Kernel kernel;
    std::size_t rows = 0;  ///< output rows of all samples
    std::vector<typename Kernel::Scratch> scratch;
};

}  // namespace et::backends::xnnpack
