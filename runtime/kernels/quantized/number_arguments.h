#pragma once

#include "runtime/kernels/quantized/integer_operators.h"

#include <concepts>

// Operators of accelerators exist in two variants: with scalars for the whole tensor (".per_tensor_out") and
// with tensors of one element or one per channel (".out"). Their kernels are templates over the two.
namespace et::kernels::quantized {

/// An argument that is a scalar or a tensor; a zero point tensor may be absent.
template <class T>
concept NumberArgument =
    std::same_as<T, std::int64_t> || std::same_as<T, double> || std::same_as<T, const Tensor*>;

/// Returns one value per channel. A missing tensor counts as zeros.
template <NumberArgument T>
[[nodiscard]] core::Result<PerChannel> perChannel(KernelContext& context, T numbers, std::int64_t channels) {
    if constexpr (std::same_as<T, const Tensor*>) {
        return numbers == nullptr ? PerChannel(0) : PerChannel::of(context, *numbers, channels);
    } else {
        return PerChannel(static_cast<double>(numbers));
    }
}

/// Returns the single value. Errors: InvalidArgument (none, several).
template <NumberArgument T>
[[nodiscard]] core::Result<double> theNumber(T number) {
    if constexpr (std::same_as<T, const Tensor*>) {
        return number == nullptr
                   ? core::Result<double>(invalid("expected a tensor with one element, got None"))
                   : onlyNumber(*number);
    } else {
        return static_cast<double>(number);
    }
}

}  // namespace et::kernels::quantized
