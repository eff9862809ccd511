#pragma once

#include "runtime/core/element_types.h"
#include "runtime/core/tensor.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

// Tensors as mathematical arrays: numbers by index, without a memory layout.
namespace et::test::operators {

using core::ScalarType;

/// Represents every number of every real dtype: x86's long double has a 64-bit mantissa.
using Number = long double;
static_assert(std::numeric_limits<Number>::digits >= 64);

using Sizes = std::vector<std::int64_t>;

[[nodiscard]] std::int64_t elementCount(const Sizes& sizes);

struct Array {
    ScalarType dtype = ScalarType::Float;
    Sizes sizes;
    std::vector<Number> numbers;    ///< row-major
    std::vector<Number> imaginary;  ///< for complex dtypes; otherwise empty

    [[nodiscard]] std::size_t count() const { return numbers.size(); }
    [[nodiscard]] std::int64_t dim() const { return static_cast<std::int64_t>(sizes.size()); }
};

/// Zeros.
[[nodiscard]] Array zeros(ScalarType dtype, const Sizes& sizes);

/// `number` rounded to the nearest value of the dtype; integers wrap modulo 2^bits, bool is `number` != 0.
[[nodiscard]] Number rounded(ScalarType dtype, Number number);
/// Distance from `number` to the next value away from 0 in a floating dtype; 0 for other dtypes.
[[nodiscard]] Number spacing(ScalarType dtype, Number number);
/// Largest relative error of one rounding, 2^-24 for float32; 0 for dtypes that do not round.
[[nodiscard]] Number roundoff(ScalarType dtype);
/// The smallest positive normal number of a floating dtype.
[[nodiscard]] Number smallestNormal(ScalarType dtype);
/// Smallest and largest finite number.
[[nodiscard]] Number lowest(ScalarType dtype);
[[nodiscard]] Number highest(ScalarType dtype);

/// Calls `visit` with every index of `sizes` in row-major order.
void forEachIndex(const Sizes& sizes, const std::function<void(const Sizes& index)>& visit);
/// Position of an index in Array::numbers.
[[nodiscard]] std::size_t offsetOf(const Sizes& sizes, const Sizes& index);

/// Returns an array of `sizes` whose element at an index is `source`'s element `from(index)`, or `otherwise`
/// if that is
/// -1.
[[nodiscard]] Array taken(const Array& source, const Sizes& sizes,
                          const std::function<std::int64_t(const Sizes& index)>& from, Number otherwise = 0);

/// Reads the numbers of a tensor in any dim order.
[[nodiscard]] Array read(const core::Tensor& tensor);
/// Rounds the numbers into the memory of a tensor with the same sizes and dtype.
void write(const Array& array, core::Tensor& tensor);

}  // namespace et::test::operators
