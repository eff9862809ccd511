#include "backends/lowering/permute_elements.h"

#include <cstring>

namespace et::backends::lowering {

std::vector<std::byte> permuteElements(core::Bytes elements, std::size_t elementBytes,
                                       std::span<const std::int64_t> sizes,
                                       std::span<const std::uint8_t> order) {
    const std::size_t rank = sizes.size();
    std::vector<std::size_t> strides(rank, elementBytes);
    for (std::size_t i = rank; i-- > 1;) {
        strides[i - 1] = strides[i] * static_cast<std::size_t>(sizes[i]);
    }
    std::vector<std::byte> out(elements.size());
    std::vector<std::int64_t> place(rank, 0);
    std::size_t from = 0;
    for (std::size_t at = 0; at + elementBytes <= out.size() && elementBytes != 0; at += elementBytes) {
        std::memcpy(out.data() + at, elements.data() + from, elementBytes);
        for (std::size_t i = rank; i-- > 0;) {
            const std::size_t stride = strides[order[i]];
            const std::int64_t size = sizes[order[i]];
            if (++place[i] < size) {
                from += stride;
                break;
            }
            from -= stride * static_cast<std::size_t>(size - 1);
            place[i] = 0;
        }
    }
    return out;
}

}  // namespace et::backends::lowering
