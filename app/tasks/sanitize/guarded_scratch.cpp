#include "app/tasks/sanitize/guarded_scratch.h"

#include "app/tasks/sanitize/result_check.h"

#include <algorithm>
#include <cstring>

namespace et::tasks {
namespace {

/// Alignment that ScratchMemory guarantees.
constexpr std::size_t scratchAlignment = 64;
constexpr std::uint64_t maxKeptScratch = std::uint64_t{16} << 20U;

}  // namespace

GuardedScratch::~GuardedScratch() {
    for (const auto& [key, region] : regions) {
        heap.remove(region);
    }
}

void GuardedScratch::enter(std::size_t of, std::size_t in, std::byte with) {
    instruction = of;
    world = in;
    poison = with;
    taken = 0;
    found.clear();
}

void GuardedScratch::enterOpen(std::size_t of) {
    enter(of, 0, {});
    poison.reset();
    staysOpen = true;
}

core::Result<std::byte*> GuardedScratch::take(std::uint64_t bytes) {
    GuardedRegion*& region = regions[{instruction, world, taken++}];
    if (region == nullptr || region->bytes != bytes) {
        if (region != nullptr) {
            kept -= region->isTouched ? region->pageBytes : 0;
            heap.remove(region);
            region = nullptr;
        }
        const auto flush = world == 0 ? GuardedRegion::Flush::End : GuardedRegion::Flush::Start;
        ET_ASSIGN(region, heap.make(bytes, flush, scratchAlignment));
    }
    kept += region->isTouched ? 0 : region->pageBytes;
    heap.setAccess(*region, GuardedRegion::Access::Write);
    if (poison) {
        std::memset(region->pages, std::to_integer<int>(*poison), region->pageBytes);
    }
    current.push_back(region);
    return region->begin;
}

void GuardedScratch::check(const GuardedRegion& region) {
    for (const std::span<std::byte> pad : {region.before(), region.after()}) {
        const ChangedBytes changed = changedBytes(pad, *poison);
        if (changed.count > 0) {
            found.push_back({.region = &region,
                             .offset = pad.data() + changed.first - region.begin,
                             .bytes = changed.count});
        }
    }
}

void GuardedScratch::release() {
    for (GuardedRegion* const region : current) {
        if (poison) {
            check(*region);
        }
        if (!staysOpen) {
            heap.setAccess(*region, GuardedRegion::Access::None);
        }
        if (kept > maxKeptScratch) {
            kept -= region->pageBytes;
            heap.discard(*region);
        }
    }
    current.clear();
}

bool GuardedScratch::has(const GuardedRegion* region) const {
    return std::ranges::any_of(regions, [region](const auto& each) { return each.second == region; });
}

bool GuardedScratch::isCurrent(const GuardedRegion* region) const {
    return std::ranges::any_of(regions, [&](const auto& each) {
        return each.second == region && std::get<0>(each.first) == instruction &&
               std::get<1>(each.first) == world && std::get<2>(each.first) < taken;
    });
}

}  // namespace et::tasks
