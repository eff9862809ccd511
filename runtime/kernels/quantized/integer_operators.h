#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/dense/convolution_shape.h"
#include "runtime/kernels/quantized/affine.h"
#include "runtime/kernels/strided_copy.h"

#include <cstddef>
#include <cstdint>
#include <span>

// Operators on quantized tensors that compute with the integers, in double, which represents every sum of
// products of 8 and 16 bits exactly. All tensors here are row-major doubles in scratch memory.
namespace et::kernels::quantized {

/// Errors: Limit.
[[nodiscard]] core::Result<Tensor> emptyDoubles(KernelContext& context, std::span<const std::int64_t> sizes);

/// Returns the elements of `view` as doubles. Errors: Limit, Unsupported (complex and quantized dtypes).
[[nodiscard]] core::Result<Tensor> doublesOf(KernelContext& context, const ReadView& view);

/// The same, minus a zero point.
[[nodiscard]] core::Result<Tensor> centered(KernelContext& context, const ReadView& view, double zeroPoint);

/// Copies numbers to a view of the same sizes, converted to its dtype; they must be in its range.
[[nodiscard]] core::Result<> storeDoubles(KernelContext& context, const Tensor& numbers, const WriteView& to);

[[nodiscard]] inline std::span<double> elementsOf(Tensor& numbers) {
    return {numbers.mutableData<double>(), static_cast<std::size_t>(numbers.numel())};
}

/// Views [N, spatial…, C] as [N, C, spatial…]. The view must have at least two dimensions.
template <class Byte>
[[nodiscard]] StridedView<Byte> channelsFirst(StridedView<Byte> view) {
    for (std::size_t dim = view.dim(); dim-- > 2;) {
        view.swap(dim, dim - 1);
    }
    return view;
}

/// Returns the range of a quantized dtype. Errors: Unsupported (other than 8 to 32 bits).
[[nodiscard]] core::Result<QuantizeRange> rangeOf(ScalarType dtype);

/// Clamps `number` to the range; NaN becomes the minimum.
[[nodiscard]] double clampedTo(const QuantizeRange& range, double number);

/// Quantizes x as torch quantizes a float32: multiplies by the inverse of the scale and rounds ties to even.
[[nodiscard]] double quantizedFloat(float x, double scale, std::int64_t zeroPoint,
                                    const QuantizeRange& range);

/// One value per channel, or one for all.
class PerChannel {
  public:
    PerChannel() = default;
    explicit PerChannel(double forAll) : one(forAll) {}

    /// Errors: InvalidArgument (neither 1 nor `channels` values), Limit.
    [[nodiscard]] static core::Result<PerChannel> of(KernelContext& context, const Tensor& numbers,
                                                     std::int64_t channels);
    [[nodiscard]] static core::Result<PerChannel> of(IntList numbers, std::int64_t channels);

    [[nodiscard]] double operator[](std::int64_t channel) const {
        if (!whole.empty()) {
            return static_cast<double>(whole[static_cast<std::size_t>(channel)]);
        }
        return many.empty() ? one : many[static_cast<std::size_t>(channel)];
    }

  private:
    double one = 0;
    std::span<const double> many{};
    IntList whole{};
};

/// numbers[…, channel, …] = change(numbers[…, channel, …], channel), where `dim` is the channel dimension.
template <class Change>
void changeByChannel(Tensor& numbers, std::size_t dim, const Change& change) {
    if (numbers.numel() == 0) {
        return;
    }
    const std::int64_t inner = numbers.stride(dim);
    const std::int64_t channels = numbers.size(dim);
    double* at = numbers.mutableData<double>();
    for (std::int64_t row = 0; row < numbers.numel() / inner; ++row) {
        for (std::int64_t i = 0; i < inner; ++i, ++at) {
            *at = change(*at, row % channels);
        }
    }
}

/// Returns the sums of a convolution, [N, out, spatial…]; all its tensors are doubles. Errors: as
/// aten::convolution.
[[nodiscard]] core::Result<Tensor> convolutionSums(KernelContext& context,
                                                   const dense::ConvolutionArguments& arguments);

/// left [batch…, rows, depth] times right [batch…, depth, columns]: [batch…, rows, columns]. Errors:
/// InvalidArgument (sizes).
[[nodiscard]] core::Result<Tensor> matrixSums(KernelContext& context, const Tensor& left,
                                              const Tensor& right);

/// src [.., depth] times the transpose of weight [columns, depth], plus a bias [columns] (may be null).
/// Errors: InvalidArgument (sizes).
[[nodiscard]] core::Result<Tensor> linearSums(KernelContext& context, const Tensor& src, const Tensor& weight,
                                              const Tensor* bias);

}  // namespace et::kernels::quantized
