#include "inspector/tensor_files/debug_tensor.h"

#include "runtime/core/dim_order.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>

namespace et::inspector {

std::expected<core::Bytes, std::string> debugTensorBytes(const etdump::DebugTensor& tensor,
                                                         const core::MappedFile& buffer) {
    const auto bytes = core::tensorBytes(tensor.scalarType, tensor.sizes);
    if (!bytes) {
        return std::unexpected("its size in bytes is unknown");
    }
    const core::Bytes all = buffer.bytes();
    const auto size = static_cast<std::uint64_t>(*bytes);
    if (tensor.offset < 0 || size > all.size() ||
        static_cast<std::uint64_t>(tensor.offset) > all.size() - size) {
        return std::unexpected(
            fmt::format("bytes {} to {} are outside the debug buffer of {} bytes", tensor.offset,
                        static_cast<double>(tensor.offset) + static_cast<double>(size), all.size()));
    }
    return all.subspan(static_cast<std::size_t>(tensor.offset), static_cast<std::size_t>(size));
}

std::vector<std::uint8_t> dimOrderOf(const etdump::DebugTensor& tensor) {
    std::vector<std::uint8_t> order = core::rowMajorOrder(tensor.sizes.size());
    if (tensor.strides.size() == tensor.sizes.size()) {
        std::ranges::stable_sort(order, std::greater<>(),
                                 [&](std::uint8_t dimension) { return tensor.strides[dimension]; });
    }
    return order;
}

}  // namespace et::inspector
