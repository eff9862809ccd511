#pragma once

#include "backends/xnnpack/own/own_node.h"
#include "backends/xnnpack/own/packed_weights.h"
#include "runtime/kernels/dense/image_convolution.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {

/// What a kernel of ours has to know of a convolution, but for the sizes of images. Of a depthwise one: all
/// its channels.
[[nodiscard]] kernels::dense::ImageConvolution imageConvolutionOf(const PayloadNode& node);

/// With the sizes of images: [samples, height, width, channels].
void takeSizes(kernels::dense::ImageConvolution& shape, const ValueSizes& from, const ValueSizes& to);

/// Whether a kernel does with little memory of its own for images of these sizes: files may ask for any
/// padding and steps.
template <class Kernel>
[[nodiscard]] bool needsLittle(const PayloadNode& node, const Shapes& shapes) {
    constexpr std::size_t most = std::size_t{1} << 24U;
    kernels::dense::ImageConvolution shape = imageConvolutionOf(node);
    takeSizes(shape, shapes[node.inputs[0]], shapes[node.outputs[0]]);
    return Kernel::scratchElements(shape) <= most;
}

/// What the library's names of convolutions have: "Convolution (NHWC, F32) IGEMM".
struct ConvolutionName {
    std::string_view type;
    std::string_view how;

    [[nodiscard]] std::string text() const;
};

[[nodiscard]] ConvolutionName convolutionName(const PayloadNode& node, std::string_view type);

/// A convolution by a kernel that makes rows of the output, which threads share.
template <class Kernel>
class OwnImageConvolution final : public OwnNode {
  public:
    /// `weights`: what the kernel's lie in, where it has none itself.
    OwnImageConvolution(const Source& source, const PayloadNode& node, ConvolutionName name, Kernel packed,
                        PackedWeights weights = {})
        : threads(source.threads),
          input(node.inputs[0]),
          output(node.outputs[0]),
          shape(imageConvolutionOf(node)),
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
    std::size_t rows = 0;  ///< of the results of all samples
    std::vector<typename Kernel::Scratch> scratch;
};

}  // namespace et::backends::xnnpack
