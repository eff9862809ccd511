#pragma once

#include "runtime/core/scalar_type.h"

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>

// Elements of any dtype as values of a few compute types, so an operation is compiled once per compute type
// rather than once per combination of dtypes.
namespace et::kernels {

/// float for half, bfloat16 and float32; double; int64 for bool and integers; and the complex types. uint64
/// above 2^63 - 1 wraps around in int64.
template <class T>
concept ComputeType = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::int64_t> ||
                      std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>;

/// Reads `count` elements with a stride of `stride` elements (0: one for all) as T, converted as by
/// core::convertTo.
template <ComputeType T>
using LoadElements = void (*)(const std::byte* from, std::int64_t stride, T* to, std::size_t count);

/// Writes `count` numbers with a stride of `stride` elements, converted as by core::convertTo: floats are
/// rounded to nearest, integers wrap around, bool is true for nonzero numbers, and complex numbers lose their
/// imaginary part when stored as real.
template <ComputeType T>
using StoreElements = void (*)(const T* from, std::byte* to, std::int64_t stride, std::size_t count);

/// Null for dtypes without an element type (quantized ones), and for complex dtypes if T is real.
template <ComputeType T>
[[nodiscard]] LoadElements<T> elementLoader(core::ScalarType dtype);

/// Null for dtypes without an element type, and for complex dtypes if T is real.
template <ComputeType T>
[[nodiscard]] StoreElements<T> elementStorer(core::ScalarType dtype);
/// The same for uint64 values, passed as int64 bits.
[[nodiscard]] StoreElements<std::int64_t> unsignedStorer(core::ScalarType dtype);

}  // namespace et::kernels
