#pragma once

#include "runtime/kernels/dense/convolution_shape.h"

#include <array>
#include <cstdint>
#include <span>

namespace et::kernels::dense {

/// Positions at which one tap of a kernel reads the input along one dimension: `count` pairs, starting at
/// (input, output), with steps shared by all taps of the dimension. Excludes padding.
struct TapRun {
    std::int64_t input = 0;
    std::int64_t output = 0;
    std::int64_t count = 0;
};

/// All pairs of input and output positions that a convolution multiplies. A transposed convolution has the
/// same pairs with the sides swapped, so the same code handles both.
class TapRuns {
  public:
    /// `shape` must have no empty tensor. Errors: Limit.
    [[nodiscard]] static core::Result<TapRuns> make(KernelContext& context, const Convolution& shape);

    [[nodiscard]] std::span<const TapRun> along(std::size_t dim) const { return runs[dim]; }
    [[nodiscard]] std::int64_t inputStep(std::size_t dim) const { return inputSteps[dim]; }
    [[nodiscard]] std::int64_t outputStep(std::size_t dim) const { return outputSteps[dim]; }

    /// Number of pairs per input and output channel, as a double because only its magnitude matters.
    [[nodiscard]] double pairs() const;

    /// Calls `visit(tap, inputOffset, outputOffset, count)` for each row of pairs between two planes of
    /// `shape`.
    template <class Visit>
    void forRows(const Convolution& shape, Visit&& visit) const;

  private:
    std::array<std::span<TapRun>, spatialDims> runs;
    Spatial inputSteps{1, 1, 1};
    Spatial outputSteps{1, 1, 1};
};

template <class Visit>
void TapRuns::forRows(const Convolution& shape, Visit&& visit) const {
    std::int64_t tap = -1;
    for (const TapRun& depth : runs[0]) {
        for (const TapRun& height : runs[1]) {
            for (const TapRun& width : runs[2]) {
                ++tap;
                if (width.count == 0) {
                    continue;
                }
                for (std::int64_t z = 0; z < depth.count; ++z) {
                    const std::int64_t inputZ = depth.input + z * inputSteps[0];
                    const std::int64_t outputZ = depth.output + z * outputSteps[0];
                    for (std::int64_t y = 0; y < height.count; ++y) {
                        const std::int64_t inputY =
                            inputZ * shape.input[1] + height.input + y * inputSteps[1];
                        const std::int64_t outputY =
                            outputZ * shape.output[1] + height.output + y * outputSteps[1];
                        visit(tap, inputY * shape.input[2] + width.input,
                              outputY * shape.output[2] + width.output, width.count);
                    }
                }
            }
        }
    }
}

}  // namespace et::kernels::dense
