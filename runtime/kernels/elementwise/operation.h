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

// The engine of all elementwise operators: it walks through inputs and result in blocks, converts what is not
// in the compute type on the way, and leaves to an operation nothing but a loop over plain arrays.
namespace et::kernels {

inline constexpr std::size_t maxInputs = 3;
inline constexpr std::size_t maxNumbers = 3;

/// Numbers that are the same for all elements, such as a slope or bounds.
template <class T>
using Numbers = std::array<T, maxNumbers>;

/// out[i] = f(inputs[0][i], inputs[1][i], …, numbers) for `count` elements. `out` may be one of the inputs.
template <class T>
using Loop = void (*)(const T* const* inputs, T* out, std::size_t count, const Numbers<T>& numbers);

/// An operation in each compute type; null where it is not defined.
struct Loops {
    Loop<float> floats = nullptr;  ///< half, bfloat16, float32
    Loop<double> doubles = nullptr;
    Loop<std::int64_t> integers = nullptr;  ///< bool and integers
    /// For uint64, whose larger half is negative in int64, where that matters; null: `integers` does.
    Loop<std::int64_t> unsignedIntegers = nullptr;
    Loop<std::complex<float>> complexFloats = nullptr;
    Loop<std::complex<double>> complexDoubles = nullptr;
    bool takeBool = true;  ///< whether `integers` is defined for bool as well
};

/// A tensor that broadcasts to the result, or a number.
struct Input {
    // NOLINTBEGIN(google-explicit-constructor): operators take both as they come
    Input(const core::Tensor& elements) : tensor(&elements) {}
    Input(const core::Scalar& value) : number(value) {}
    // NOLINTEND(google-explicit-constructor)

    /// The input as it is, even where the inputs' common dtype cannot hold it.
    [[nodiscard]] Input unrounded() const {
        Input copy = *this;
        copy.exact = true;
        return copy;
    }

    const core::Tensor* tensor = nullptr;
    core::Scalar number;      ///< where there is no tensor
    std::int64_t offset = 0;  ///< in elements: where the tensor's part begins that is read
    bool exact = false;       ///< see unrounded()
};

struct Operation {
    const Loops& loops;
    core::ScalarType common;  ///< inputs are converted to it before anything is computed
    core::ScalarType result;  ///< what is computed, before it is converted to the result tensor's dtype
    std::array<core::Scalar, maxNumbers> numbers{};
};

/// Gives `out` the sizes that all inputs broadcast to and computes it. Errors: InvalidArgument (the inputs do
/// not broadcast, a result that `out`'s dtype must not hold), Unsupported (a dtype that the operation is not
/// defined for), what Tensor::resize says.
[[nodiscard]] core::Result<> compute(const KernelContext& context, const Operation& operation,
                                     std::span<const Input> inputs, core::Tensor& out);

/// Likewise for an `out` that has its sizes.
[[nodiscard]] core::Result<> computeInto(const KernelContext& context, const Operation& operation,
                                         std::span<const Input> inputs, core::Tensor& out);

/// `number` as dtype can hold it: cut to its bits or rounded.
[[nodiscard]] core::Scalar heldBy(core::ScalarType dtype, const core::Scalar& number);

}  // namespace et::kernels
