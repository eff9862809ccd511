#pragma once

#include "runtime/core/scalar_type.h"

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>

// Elements of any dtype as numbers of a few compute types, so that an operation is compiled once a compute
// type and not once for every combination of dtypes.
namespace et::kernels {

/// float for half, bfloat16 and float32, double, int64 for bool and integers, and the complex ones.
/// uint64 above 2^63 - 1 wraps around in int64.
template <class T>
concept ComputeType = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::int64_t> ||
                      std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>;

/// Reads `count` elements that lie `stride` elements apart (0: one for all) as T, converted as
/// core::convertTo does.
template <ComputeType T>
using LoadElements = void (*)(const std::byte* from, std::int64_t stride, T* to, std::size_t count);

/// Writes `count` numbers `stride` elements apart, converted as core::convertTo does: floats are rounded to
/// the nearest, integers wrap around, bool is whether a number differs from 0, a complex number as a
/// real one loses its imaginary part.
template <ComputeType T>
using StoreElements = void (*)(const T* from, std::byte* to, std::int64_t stride, std::size_t count);

/// Null for dtypes without elements of their own (quantized ones), and for complex ones where T is real.
template <ComputeType T>
[[nodiscard]] LoadElements<T> elementLoader(core::ScalarType dtype);

/// Null for dtypes without elements of their own, and for complex ones where T is real.
template <ComputeType T>
[[nodiscard]] StoreElements<T> elementStorer(core::ScalarType dtype);
/// The same for numbers that are uint64, of which int64 has the bits.
[[nodiscard]] StoreElements<std::int64_t> unsignedStorer(core::ScalarType dtype);

}  // namespace et::kernels
