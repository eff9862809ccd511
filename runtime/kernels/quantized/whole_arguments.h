#pragma once

#include "runtime/kernels/quantized/integer_operators.h"

#include <concepts>

// Operators of accelerators come twice: with numbers for all of a tensor (".per_tensor_out") and with
// tensors, of one number or of one for each channel (".out"). Their kernels are templates over the two.
namespace et::kernels::quantized {

/// An argument that is a number, or a tensor that may be left out where it is a zero point.
template <class T>
concept NumberArgument =
    std::same_as<T, std::int64_t> || std::same_as<T, double> || std::same_as<T, const Tensor*>;

/// One number for each channel. A tensor that is not there is zeros.
template <NumberArgument T>
[[nodiscard]] core::Result<PerChannel> perChannel(KernelContext& context, T numbers, std::int64_t channels) {
    if constexpr (std::same_as<T, const Tensor*>) {
        return numbers == nullptr ? PerChannel(0) : PerChannel::of(context, *numbers, channels);
    } else {
        return PerChannel(static_cast<double>(numbers));
    }
}

/// The only number. Errors: InvalidArgument (none, several).
template <NumberArgument T>
[[nodiscard]] core::Result<double> theNumber(T number) {
    if constexpr (std::same_as<T, const Tensor*>) {
        return number == nullptr ? core::Result<double>(invalid("expected a tensor of one number, got None"))
                                 : onlyNumber(*number);
    } else {
        return static_cast<double>(number);
    }
}

}  // namespace et::kernels::quantized
