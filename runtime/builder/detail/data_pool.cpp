#include "runtime/builder/detail/data_pool.h"

#include "runtime/builder/detail/flat_file.h"

#include <algorithm>

namespace et::builder::detail {
namespace {

/// Sufficient for all element types and vector instructions.
constexpr std::uint64_t tensorAlignment = 16;

}  // namespace

std::uint32_t DataPool::add(core::Bytes bytes) {
    const auto next = static_cast<std::uint32_t>(all.size() + 1);
    const auto [found, isNew] = indices.try_emplace(core::textOf(bytes), next);
    if (isNew) {
        all.push_back(bytes);
        starts.push_back(alignedUp(size, tensorAlignment));
        size = starts.back() + bytes.size();
    }
    return found->second;
}

std::vector<std::byte> DataPool::joined() const {
    std::vector<std::byte> result(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::ranges::copy(all[i], result.begin() + static_cast<std::ptrdiff_t>(starts[i + 1]));
    }
    return result;
}

}  // namespace et::builder::detail
