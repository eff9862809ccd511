#include "runtime/builder/detail/data_pool.h"

#include "runtime/core/mapped_ranges.h"

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
    // The comparison read them, and they are written much later.
    core::releaseMappedPages(bytes);
    core::releaseMappedPages(all[found->second - 1]);
    return found->second;
}

}  // namespace et::builder::detail
