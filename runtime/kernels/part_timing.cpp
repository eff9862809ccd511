#include "runtime/kernels/part_timing.h"

#include <algorithm>

namespace et::kernels {
namespace {

/// What a reading of the clock adds to a time between two.
std::uint64_t clockCost() {
    static const std::uint64_t cost = [] {
        std::uint64_t least = UINT64_MAX;
        for (int i = 0; i < 64; ++i) {
            const std::uint64_t start = core::EventTracer::now();
            least = std::min(least, core::EventTracer::now() - start);
        }
        return least;
    }();
    return cost;
}

}  // namespace

PartTiming::Turn PartTiming::next(std::size_t elements) {
    constexpr std::uint64_t period = 8;
    allElements.fetch_add(elements, std::memory_order_relaxed);
    if (elements < largest.load(std::memory_order_relaxed)) {
        return Turn::None;
    }
    largest.store(elements, std::memory_order_relaxed);
    const std::uint64_t place = largestParts.fetch_add(1, std::memory_order_relaxed) % period;
    return place == 0 ? Turn::First : (place == period / 2 ? Turn::Second : Turn::None);
}

void PartTiming::note(std::size_t series, std::size_t elements, std::uint64_t nanoseconds) {
    Series& to = all[series];
    const std::size_t slot = to.count.fetch_add(1, std::memory_order_relaxed) % maxKept;
    const std::uint64_t took = nanoseconds - std::min(clockCost(), nanoseconds);
    to.nanosecondsPerElement[slot].store(static_cast<float>(took) / static_cast<float>(elements),
                                         std::memory_order_relaxed);
}

double PartTiming::median(std::size_t series) const {
    const Series& of = all[series];
    const std::size_t kept = std::min<std::uint64_t>(of.count.load(), maxKept);
    if (kept == 0) {
        return 0;
    }
    std::array<float, maxKept> each{};
    std::ranges::transform(of.nanosecondsPerElement, each.begin(),
                           [](const std::atomic<float>& one) { return one.load(); });
    const auto middle = each.begin() + static_cast<std::ptrdiff_t>((kept - 1) / 2);
    std::nth_element(each.begin(), middle, each.begin() + static_cast<std::ptrdiff_t>(kept));
    return *middle;
}

}  // namespace et::kernels
