#include "etrecord/detail/strided_elements.h"

#include <cstring>

namespace et::etrecord::detail {
namespace {

/// Elements between the first and the last of a strided tensor; empty if strides are invalid or too large.
std::optional<std::uint64_t> reach(const TorchTensor& tensor) {
    if (tensor.strides.size() != tensor.sizes.size()) {
        return std::nullopt;
    }
    std::int64_t last = 0;
    for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
        std::int64_t step = 0;
        if (tensor.strides[i] < 0 || __builtin_mul_overflow(tensor.sizes[i] - 1, tensor.strides[i], &step) ||
            __builtin_add_overflow(last, step, &last)) {
            return std::nullopt;
        }
    }
    return static_cast<std::uint64_t>(last);
}

}  // namespace

bool isRowMajor(const TorchTensor& tensor) {
    if (tensor.bytes == 0) {
        return true;
    }
    std::int64_t step = 1;
    for (std::size_t i = tensor.sizes.size(); i-- > 0;) {
        if (i >= tensor.strides.size() || (tensor.sizes[i] != 1 && tensor.strides[i] != step)) {
            return false;
        }
        step *= tensor.sizes[i];
    }
    return true;
}

std::optional<std::vector<std::byte>> gather(const TorchTensor& tensor, core::Bytes storage,
                                             std::size_t width) {
    std::vector<std::byte> dense(static_cast<std::size_t>(tensor.bytes));
    if (dense.empty()) {
        return dense;
    }
    const auto last = reach(tensor);
    const std::uint64_t elements = storage.size() / width;
    const auto first = static_cast<std::uint64_t>(tensor.storageOffset);
    if (!last || first >= elements || *last >= elements - first) {
        return std::nullopt;
    }
    std::vector<std::int64_t> index(tensor.sizes.size(), 0);
    std::size_t at = static_cast<std::size_t>(first);
    for (std::size_t out = 0; out < dense.size(); out += width) {
        std::memcpy(dense.data() + out, storage.data() + at * width, width);
        for (std::size_t i = index.size(); i-- > 0;) {
            const auto stride = static_cast<std::size_t>(tensor.strides[i]);
            at += stride;
            if (++index[i] < tensor.sizes[i]) {
                break;
            }
            at -= stride * static_cast<std::size_t>(tensor.sizes[i]);
            index[i] = 0;
        }
    }
    return dense;
}

}  // namespace et::etrecord::detail
