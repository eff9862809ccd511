#pragma once

#include "runtime/core/result.h"
#include "runtime/kernels/dense/convolution_shape.h"
#include "runtime/kernels/kernel_context.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// Row-major images of floats that lie ready for vectors along rows of results: padded, and split by stride.
namespace et::kernels::dense {

/// Whether a convolution can be computed so: 1-D or 2-D, not transposed, with parameters of the size that
/// real models have.
[[nodiscard]] bool hasPhases(const Convolution& shape);

/// The padded image of one channel: a plane for each remainder of row and column by the stride, so that the
/// elements that a tap meets on its way along a row of results lie one behind the other.
struct Phases {
    std::int64_t rows;      ///< of a plane
    std::int64_t pitch;     ///< of a row
    std::int64_t planes;    ///< stride x stride
    std::int64_t elements;  ///< with those that a vector may reach beyond the last result

    explicit Phases(const Convolution& shape);

    /// Where row `y` and column `x` of the padded image lie: the sum of the two.
    [[nodiscard]] std::uint32_t row(const Filter& filter, std::int64_t y) const {
        const std::int64_t plane = y % filter.stride[1] * filter.stride[2];
        return static_cast<std::uint32_t>((plane * rows + y / filter.stride[1]) * pitch);
    }
    [[nodiscard]] std::uint32_t column(const Filter& filter, std::int64_t x) const {
        return static_cast<std::uint32_t>(x % filter.stride[2] * rows * pitch + x / filter.stride[2]);
    }
};

/// How the rows of an image go into its phases.
struct PhaseSplit {
    static constexpr std::size_t maxSteps = 4;

    std::span<const std::uint32_t> rows;  ///< where each row of the input goes, in elements
    std::size_t width = 0;                ///< of the input
    std::size_t step = 1;                 ///< columns x, x + step, … stay together
    std::array<std::uint32_t, maxSteps>
        columns{};  ///< where those from column x on go, beside the row's place
    std::array<std::uint32_t, maxSteps> counts{};  ///< how many they are
};

/// Errors: Limit (temporary memory), like that of the other.
[[nodiscard]] core::Result<PhaseSplit> makeSplit(KernelContext& context, const Convolution& shape,
                                                 const Phases& phases);
/// Where the taps of a kernel lie, by row and column, for the first result.
[[nodiscard]] core::Result<std::span<const std::uint32_t>> tapOffsets(KernelContext& context,
                                                                      const Filter& filter,
                                                                      const Phases& phases);

/// Writes one channel of `input` to its phases. What no row of the input reaches stays as it is: 0, where
/// there is padding.
void splitPhases(const PhaseSplit& split, const float* input, float* image);

}  // namespace et::kernels::dense
