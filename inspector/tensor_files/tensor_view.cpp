#include "inspector/tensor_files/tensor_view.h"

#include <fmt/format.h>

namespace et::inspector {

core::Result<core::Tensor> viewOf(const HostTensor& tensor) {
    const auto bytes = core::tensorBytes(static_cast<std::int64_t>(tensor.dtype), tensor.sizes);
    if (!bytes || static_cast<std::uint64_t>(*bytes) != tensor.data.size()) {
        return core::fail(
            core::ErrorCode::Format,
            fmt::format("data of {} bytes does not match the tensor's size", tensor.data.size()));
    }
    // Tensor has no read-only form; it is not written here.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): see above
    auto* const data = const_cast<std::byte*>(tensor.data.data());
    return core::Tensor::make(tensor.dtype, tensor.sizes, data, tensor.dimOrder);
}

}  // namespace et::inspector
