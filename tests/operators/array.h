#pragma once

#include "runtime/core/element_types.h"
#include "runtime/core/tensor.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

// Tensors as mathematics sees them: numbers by index, without a layout in memory.
namespace et::test::operators {

using core::ScalarType;

/// Holds every number of every real dtype: x86's long double has 64 bits of mantissa.
using Number = long double;
static_assert(std::numeric_limits<Number>::digits >= 64);

using Sizes = std::vector<std::int64_t>;

[[nodiscard]] std::int64_t elementCount(const Sizes& sizes);

struct Array {
    ScalarType dtype = ScalarType::Float;
    Sizes sizes;
    std::vector<Number> numbers;    ///< row-major
    std::vector<Number> imaginary;  ///< of a complex dtype; otherwise empty

    [[nodiscard]] std::size_t count() const { return numbers.size(); }
    [[nodiscard]] std::int64_t dim() const { return static_cast<std::int64_t>(sizes.size()); }
};

/// Zeros.
[[nodiscard]] Array zeros(ScalarType dtype, const Sizes& sizes);

/// The number of the dtype that is next to `number`; integers wrap modulo 2^bits, bool is whether it is not
/// 0.
[[nodiscard]] Number rounded(ScalarType dtype, Number number);
/// From `number` to the next one away from 0, in a floating dtype; 0 for others.
[[nodiscard]] Number spacing(ScalarType dtype, Number number);
/// 2^-24 for float32: the largest relative error of one rounding; 0 for dtypes that do not round.
[[nodiscard]] Number roundoff(ScalarType dtype);
/// The smallest positive normal number of a floating dtype.
[[nodiscard]] Number smallestNormal(ScalarType dtype);
/// The least and the greatest number; infinity is not one.
[[nodiscard]] Number lowest(ScalarType dtype);
[[nodiscard]] Number highest(ScalarType dtype);

/// Every index of `sizes` in row-major order.
void forEachIndex(const Sizes& sizes, const std::function<void(const Sizes& index)>& visit);
/// Where an index lies in Array::numbers.
[[nodiscard]] std::size_t offsetOf(const Sizes& sizes, const Sizes& index);

/// The array of `sizes` whose element at an index is `source`'s at `from(index)`; where that gives -1, it is
/// `otherwise`.
[[nodiscard]] Array taken(const Array& source, const Sizes& sizes,
                          const std::function<std::int64_t(const Sizes& index)>& from, Number otherwise = 0);

/// The numbers of a tensor in any dim order.
[[nodiscard]] Array read(const core::Tensor& tensor);
/// Rounds the numbers into the memory of a tensor with the same sizes and dtype.
void write(const Array& array, core::Tensor& tensor);

}  // namespace et::test::operators
