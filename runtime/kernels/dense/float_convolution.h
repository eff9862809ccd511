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

/// How a float convolution is computed. XNNPACK has most; the first three are ours, for row-major images that
/// are not small. Times by those of XNNPACK without the transposes that row-major images need
/// (benchmarks/kernels_benchmark.cpp, `method/`, AVX-512): pointwise, 24 to 144 channels of 56x56: ours 0.95,
/// XNNPACK with transposes 1.5; 960 to 160 of 7x7: 1.4 and 1.1. Depthwise, 144 channels of 56x56: 1.2
/// and 1.3; 960 of 7x7: 2.5 and 1.4.
enum class ConvolutionMethod : std::uint8_t {
    Depthwise,     ///< row-major, depthwise.h
    Rows,          ///< row-major, convolution_rows.h
    Product,       ///< row-major, convolution_product.h
    ChannelsLast,  ///< XNNPACK, with transposes where a side is not channels-last
    Direct,        ///< row-major, convolution_direct.h
};

/// Whether a product would not be mostly with padding, or with the gaps of a transposed convolution.
[[nodiscard]] bool hasFewGaps(const Convolution& shape);

/// Whether convolution_product.h is worth it: most of what it multiplies is input and no padding, and enough
/// output channels share what it collects.
[[nodiscard]] bool isDense(const Convolution& shape);

/// The method for tensors in these dim orders.
[[nodiscard]] ConvolutionMethod chooseMethod(const Convolution& shape, const Tensor& input,
                                             const Tensor& out);

/// A convolution in float (also of half and bfloat16) with its packed weights.
class FloatConvolution : public KernelState {
  public:
    /// `keep`: for more than the instruction that runs. Errors: Limit, Unsupported.
    [[nodiscard]] static core::Result<std::unique_ptr<FloatConvolution>> make(KernelContext& context,
                                                                              const Filter& filter,
                                                                              ConvolutionMethod method,
                                                                              const Tensor& weight,
                                                                              const Tensor* bias, bool keep);

    /// Whether this was made of these arguments.
    [[nodiscard]] bool isMadeOf(const Filter& other, ConvolutionMethod wanted, const Tensor& weight,
                                const Tensor* bias) const;

    /// What XNNPACK has packed counts as the weight has it: it does not tell.
    [[nodiscard]] std::uint64_t bytes() const override {
        return kept.size() * sizeof(float) + (library ? libraryBytes : 0);
    }

    /// `out` has its sizes already; no tensor is empty. `steps` are done to the results, which are row-major
    /// then. Errors: Limit, Unsupported.
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
    std::span<const float> packed;  ///< as the method wants it
    std::optional<XnnConvolution> library;
    std::uint64_t libraryBytes = 0;
};

}  // namespace et::kernels::dense
