#pragma once

#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/reduction/element_access.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <span>

// Arguments and results of layer, group and batch norm.
namespace et::kernels::reduction {

/// Results of layer and group norm.
struct NormResults {
    Tensor& out;
    Tensor& mean;
    Tensor& reciprocal;  ///< 1 / standard deviation
};

/// Returns a tensor with one value per channel as `Compute`, in the tensor or in scratch memory. Errors:
/// InvalidArgument (another shape), Unsupported, Limit.
template <class Compute>
core::Result<std::span<const Compute>> channelNumbers(KernelContext& context, const Tensor& tensor,
                                                      std::int64_t channels) {
    if (tensor.dim() != 1 || tensor.size(0) != channels) {
        return invalid(fmt::format("expected one value for each of {} channels, got {}", channels,
                                   core::describe(tensor)));
    }
    const auto count = static_cast<std::size_t>(channels);
    ET_ASSIGN(const auto reader, ElementReader<Compute>::make(tensor));
    ET_ASSIGN(const std::span<Compute> numbers, context.scratch<Compute>(count));
    return std::span<const Compute>(reader.read(0, 1, count, numbers.data()), count);
}

}  // namespace et::kernels::reduction
