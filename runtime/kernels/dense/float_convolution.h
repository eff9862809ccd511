#pragma once

#include "runtime/kernels/dense/convolution_shape.h"
#include "runtime/kernels/dense/xnn_convolution.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/result_steps.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace et::kernels::dense {

/// How a float convolution is computed. XNNPACK handles most; the first three are custom kernels for
/// row-major images that are not small. Times relative to XNNPACK without the transposes that row-major
/// images need (benchmarks/kernels_benchmark.cpp, `method/`, AVX-512): pointwise, 24 to 144 channels of
/// 56x56: custom 0.95, XNNPACK with transposes 1.5; 960 to 160 of 7x7: 1.4 and 1.1. Depthwise, 144 channels
/// of 56x56: 1.2 and 1.3; 960 of 7x7: 2.5 and 1.4.
enum class ConvolutionMethod : std::uint8_t {
    Depthwise,     ///< row-major, depthwise.h
    Rows,          ///< row-major, convolution_rows.h
    Product,       ///< row-major, convolution_product.h
    ChannelsLast,  ///< XNNPACK, with transposes for sides that are not channels-last
    Direct,        ///< row-major, convolution_direct.h
};

/// True if most elements of the product are input, not padding or gaps of a transposed convolution.
[[nodiscard]] bool hasFewGaps(const Convolution& shape);

/// True if convolution_product.h pays off: most of its input is data rather than padding, and
/// enough output channels share the collected elements.
[[nodiscard]] bool isDense(const Convolution& shape);

/// Chooses the method for tensors in these dim orders.
[[nodiscard]] ConvolutionMethod chooseMethod(const Convolution& shape, const Tensor& input,
                                             const Tensor& out);

/// A convolution in float (also of half and bfloat16) and its packed weights.
class FloatConvolution : public KernelState {
  public:
    /// `keep`: the object outlives the running instruction. Errors: Limit, Unsupported.
    [[nodiscard]] static core::Result<std::unique_ptr<FloatConvolution>> make(KernelContext& context,
                                                                              const Filter& filter,
                                                                              ConvolutionMethod method,
                                                                              const Tensor& weight,
                                                                              const Tensor* bias, bool keep);

    /// True if this was made from these arguments.
    [[nodiscard]] bool isMadeOf(const Filter& other, ConvolutionMethod wanted, const Tensor& weight,
                                const Tensor* bias) const;

    /// Weights packed by XNNPACK are counted with their unpacked size, because XNNPACK does not report it.
    [[nodiscard]] std::uint64_t bytes() const override {
        return kept.size() * sizeof(float) + (library ? libraryBytes : 0);
    }

    /// `out` must already have its sizes; no tensor may be empty. `steps` are applied to the results, which
    /// must be row-major then. Errors: Limit, Unsupported.
    [[nodiscard]] core::Result<> run(KernelContext& context, const Convolution& shape, const Tensor& input,
                                     const Tensor* bias, Tensor& out, ResultSteps steps);

  private:
    core::Result<> runRowMajor(KernelContext& context, const Convolution& shape, const float* input,
                               const float* bias, float* output, ResultSteps steps);
    core::Result<> runChannelsLast(KernelContext& context, const Convolution& shape, const Tensor& input,
                                   Tensor& out, ResultSteps steps);
    Filter filter;
    ConvolutionMethod method = ConvolutionMethod::Direct;
    const std::byte* weightData = nullptr;
    const std::byte* biasData = nullptr;
    std::vector<float> kept;
    std::span<const float> packed;  ///< in the layout of the method
    std::optional<XnnConvolution> library;
    std::uint64_t libraryBytes = 0;
};

}  // namespace et::kernels::dense
