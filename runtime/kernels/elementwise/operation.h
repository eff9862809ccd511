#pragma once

#include "runtime/core/result.h"
#include "runtime/core/scalar.h"
#include "runtime/core/tensor.h"
#include "runtime/kernels/kernel_context.h"

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>

// Engine of all elementwise operators: iterates over inputs and result in blocks and converts to the compute
// type, so that an operation consists only of a loop over plain arrays.
namespace et::kernels {

inline constexpr std::size_t maxInputs = 3;
inline constexpr std::size_t maxNumbers = 3;

/// Values shared by all elements, such as a slope or bounds.
template <class T>
using Numbers = std::array<T, maxNumbers>;

/// out[i] = f(inputs[0][i], inputs[1][i], …, numbers) for `count` elements. `out` may alias an input.
template <class T>
using Loop = void (*)(const T* const* inputs, T* out, std::size_t count, const Numbers<T>& numbers);

/// An operation in each compute type; null if not defined.
struct Loops {
    Loop<float> floats = nullptr;  ///< half, bfloat16, float32
    Loop<double> doubles = nullptr;
    Loop<std::int64_t> integers = nullptr;  ///< bool and integers
    /// For uint64 where order or sign matters, because its upper half is negative in int64; null: uses
    /// `integers`.
    Loop<std::int64_t> unsignedIntegers = nullptr;
    Loop<std::complex<float>> complexFloats = nullptr;
    Loop<std::complex<double>> complexDoubles = nullptr;
    bool takeBool = true;  ///< `integers` is also defined for bool
};

/// A tensor that broadcasts to the result, or a scalar.
struct Input {
    // NOLINTBEGIN(google-explicit-constructor): operators take both as they come
    Input(const core::Tensor& elements) : tensor(&elements) {}
    Input(const core::Scalar& value) : number(value) {}
    // NOLINTEND(google-explicit-constructor)

    /// The input without rounding to the common dtype of the inputs.
    [[nodiscard]] Input unrounded() const {
        Input copy = *this;
        copy.exact = true;
        return copy;
    }

    const core::Tensor* tensor = nullptr;
    core::Scalar number;      ///< used if there is no tensor
    std::int64_t offset = 0;  ///< start of the elements to read, in elements
    bool exact = false;       ///< see unrounded()
};

struct Operation {
    const Loops& loops;
    core::ScalarType common;  ///< inputs are converted to it before the computation
    core::ScalarType result;  ///< dtype of the computation's result, before conversion to the result tensor's
                              ///< dtype
    std::array<core::Scalar, maxNumbers> numbers{};
};

/// Resizes `out` to the broadcast sizes of the inputs and computes it. Errors: InvalidArgument (the inputs do
/// not broadcast; a result that `out`'s dtype cannot hold), Unsupported (a dtype that the operation is not
/// defined for), errors of Tensor::resize.
[[nodiscard]] core::Result<> compute(const KernelContext& context, const Operation& operation,
                                     std::span<const Input> inputs, core::Tensor& out);

/// The same for an `out` that already has its sizes.
[[nodiscard]] core::Result<> computeInto(const KernelContext& context, const Operation& operation,
                                         std::span<const Input> inputs, core::Tensor& out);

/// Converts `number` to the range of dtype: truncated to its bits or rounded.
[[nodiscard]] core::Scalar heldBy(core::ScalarType dtype, const core::Scalar& number);

}  // namespace et::kernels
