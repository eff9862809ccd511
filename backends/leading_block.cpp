#include "backends/leading_block.h"

#include <algorithm>

namespace et::backends {

using core::ErrorCode;
using core::fail;
using core::Result;

std::vector<std::int64_t> changedSizes(std::span<const std::int64_t> sizes, const ChangedSizes& changes) {
    std::vector<std::int64_t> out(sizes.begin(), sizes.end());
    for (std::int64_t& each : out) {
        const auto found = changes.find(each);
        each = found == changes.end() ? each : found->second;
    }
    return out;
}

Result<std::vector<std::byte>> leadingBlock(core::Bytes bytes, std::size_t elementBytes,
                                            std::span<const std::int64_t> sizes,
                                            std::span<const std::int64_t> smaller) {
    const bool fits = std::ranges::equal(
        smaller, sizes, [](std::int64_t less, std::int64_t more) { return 1 <= less && less <= more; });
    // In a damaged file, the product of the sizes may overflow.
    std::size_t room = elementBytes == 0 ? 0 : bytes.size() / elementBytes;
    std::size_t count = elementBytes;
    for (std::size_t d = 0; d < sizes.size() && fits; ++d) {
        room /= static_cast<std::size_t>(sizes[d]);
        count *= room == 0 ? 0 : static_cast<std::size_t>(smaller[d]);
    }
    if (!fits || room == 0) {
        return fail(ErrorCode::InvalidArgument, "a tensor can only be made smaller");
    }
    std::vector<std::byte> out(count);
    const std::size_t row =
        sizes.empty() ? elementBytes : static_cast<std::size_t>(smaller.back()) * elementBytes;
    std::vector<std::int64_t> index(smaller.size());
    for (std::size_t at = 0; at < out.size(); at += row) {
        std::int64_t from = 0;
        for (std::size_t d = 0; d < sizes.size(); ++d) {
            from = from * sizes[d] + index[d];
        }
        const core::Bytes source = bytes.subspan(static_cast<std::size_t>(from) * elementBytes, row);
        std::ranges::copy(source, out.begin() + static_cast<std::ptrdiff_t>(at));
        for (std::size_t d = sizes.size() < 2 ? 0 : sizes.size() - 1; d-- > 0;) {
            if (++index[d] < smaller[d]) {
                break;
            }
            index[d] = 0;
        }
    }
    return out;
}

}  // namespace et::backends
