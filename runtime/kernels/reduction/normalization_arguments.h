#pragma once

#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/reduction/element_access.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <span>

// What layer, group and batch norm take and give.
namespace et::kernels::reduction {

/// The results of layer and group norm.
struct NormResults {
    Tensor& out;
    Tensor& mean;
    Tensor& reciprocal;  ///< 1 / standard deviation
};

/// A tensor with a number for every channel, as `Compute`: in the tensor or in scratch memory. Errors:
/// InvalidArgument (another shape), Unsupported, Limit.
template <class Compute>
core::Result<std::span<const Compute>> channelNumbers(KernelContext& context, const Tensor& tensor,
                                                      std::int64_t channels) {
    if (tensor.dim() != 1 || tensor.size(0) != channels) {
        return invalid(fmt::format("expected a number for each of {} channels, got {}", channels,
                                   core::describe(tensor)));
    }
    const auto count = static_cast<std::size_t>(channels);
    ET_ASSIGN(const auto reader, ElementReader<Compute>::make(tensor));
    ET_ASSIGN(const std::span<Compute> numbers, context.scratch<Compute>(count));
    return std::span<const Compute>(reader.read(0, 1, count, numbers.data()), count);
}

}  // namespace et::kernels::reduction
