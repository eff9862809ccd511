#pragma once

#include "runtime/core/result.h"
#include "runtime/kernels/dense/convolution_shape.h"
#include "runtime/kernels/kernel_context.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// Row-major float images prepared for vectors along rows of results: padded, and split by stride.
namespace et::kernels::dense {

/// True if a convolution can be computed from phases: 1-D or 2-D, not transposed, with parameters in the
/// range of real models.
[[nodiscard]] bool hasPhases(const Convolution& shape);

/// The padded image of one channel: one plane per remainder of row and column modulo the stride, so that the
/// elements a tap reads along a row of results are contiguous.
struct Phases {
    std::int64_t rows;      ///< rows per plane
    std::int64_t pitch;     ///< elements per row
    std::int64_t planes;    ///< stride x stride
    std::int64_t elements;  ///< including those that a vector may read beyond the last result

    explicit Phases(const Convolution& shape);

    /// Offsets of row `y` and column `x` of the padded image; the element's offset is their sum.
    [[nodiscard]] std::uint32_t row(const Filter& filter, std::int64_t y) const {
        const std::int64_t plane = y % filter.stride[1] * filter.stride[2];
        return static_cast<std::uint32_t>((plane * rows + y / filter.stride[1]) * pitch);
    }
    [[nodiscard]] std::uint32_t column(const Filter& filter, std::int64_t x) const {
        return static_cast<std::uint32_t>(x % filter.stride[2] * rows * pitch + x / filter.stride[2]);
    }
};

/// Mapping of an image's rows to its phases.
struct PhaseSplit {
    static constexpr std::size_t maxSteps = 4;

    std::span<const std::uint32_t> rows;  ///< target offset of each input row, in elements
    std::size_t width = 0;                ///< width of the input
    std::size_t step = 1;                 ///< columns x, x + step, … are stored contiguously
    std::array<std::uint32_t, maxSteps>
        columns{};  ///< offset of the columns starting at x, relative to the row's offset
    std::array<std::uint32_t, maxSteps> counts{};  ///< number of those columns
};

/// Errors: Limit (temporary memory); tapOffsets() likewise.
[[nodiscard]] core::Result<PhaseSplit> makeSplit(KernelContext& context, const Convolution& shape,
                                                 const Phases& phases);
/// Returns the offset of each tap of the kernel, by row and column, for the first result.
[[nodiscard]] core::Result<std::span<const std::uint32_t>> tapOffsets(KernelContext& context,
                                                                      const Filter& filter,
                                                                      const Phases& phases);

/// Writes one channel of `input` to its phases. Elements outside the input are not written: they are 0 where
/// there is padding.
void splitPhases(const PhaseSplit& split, const float* input, float* image);

}  // namespace et::kernels::dense
