#pragma once

#include "runtime/core/result.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/result_steps.h"

#include <cstddef>
#include <cstdint>
#include <span>

// Matrix products of float or double with a micro-kernel chosen for the CPU. The left matrix is packed; the
// right one is read in place, which for a 1x1 convolution is the input image itself.
namespace et::kernels::dense {

/// Rows that the micro-kernel processes together; packed matrices are padded to a multiple with zeros.
inline constexpr std::size_t stripRows = 8;
/// Result columns that are processed together: a multiple of the register tile of every target.
inline constexpr std::size_t tileColumns = 48;

[[nodiscard]] constexpr std::size_t packedElements(std::size_t rows, std::size_t depth) {
    return (rows + stripRows - 1) / stripRows * stripRows * depth;
}

/// Packs a left matrix into strips of stripRows rows, column by column. Strides are in elements.
template <class T>
void packLeft(const T* left, std::size_t rows, std::size_t depth, std::size_t rowStride,
              std::size_t depthStride, T* packed);

/// result[b][i][j] = bias[i] + sum over k of left[b][i][k] * right[b][k][j]. Steps lead from one b to the
/// next, strides from one row to the next, in elements; rows of `right` (unless transposed) and `result` are
/// contiguous.
template <class T>
struct MatrixProduct {
    std::size_t batch = 1;
    std::size_t rows = 0;
    std::size_t depth = 0;
    std::size_t columns = 0;
    const T* left = nullptr;  ///< packed
    std::size_t leftStep = 0;
    const T* right = nullptr;
    std::size_t rightStride = 0;
    std::size_t rightColumnStride = 1;  ///< transposed: depth, with a `rightStride` of 1
    std::size_t rightStep = 0;
    const T* bias = nullptr;  ///< null: none
    T* result = nullptr;
    std::size_t resultStride = 0;
    std::size_t resultStep = 0;
    ResultSteps steps = {};        ///< of floats
    std::size_t firstChannel = 0;  ///< channel of the first row, for the steps
};

/// Computes the product, multithreaded. Errors: Limit (temporary memory).
template <class T>
[[nodiscard]] core::Result<> multiply(KernelContext& context, const MatrixProduct<T>& product);

/// Some columns of one product, computed on one thread.
template <class T>
struct TileProduct {
    std::size_t rows = 0;
    std::size_t depth = 0;
    std::size_t columns = 0;
    const T* left = nullptr;  ///< packed
    /// Elements after `columns` up to the next multiple of 16 have no effect but must be initialized.
    const T* right = nullptr;
    std::size_t rightStride = tileColumns;
    const std::uint32_t* rightPlaces =
        nullptr;              ///< float only: offsets of rows, in elements; null: given by the stride
    const T* bias = nullptr;  ///< null: none
    T* result = nullptr;
    std::size_t resultStride = 0;
    ResultSteps steps = {};   ///< of floats
    std::size_t channel = 0;  ///< channel of the first row, for the steps
};

template <class T>
void multiplyTile(const TileProduct<T>& product);

}  // namespace et::kernels::dense
