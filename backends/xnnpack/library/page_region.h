#pragma once

#include <cstddef>
#include <cstdint>

namespace et::backends::xnnpack {

[[nodiscard]] constexpr std::size_t roundedUp(std::size_t number, std::size_t multiple) {
    return (number + multiple - 1) / multiple * multiple;
}

/// Memory in large pages if available; one costs a fraction of the small pages it replaces. A page uses no
/// memory until it is written.
struct PageRegion {
    std::byte* start = nullptr;
    std::size_t size = 0;
};

/// At least `size` bytes, which are zero or contain data of a former owner. A null `start`: out of memory.
[[nodiscard]] PageRegion allocatePageRegion(std::size_t size);

/// Releases a region. A few are cached, so that a program that loads models repeatedly reuses their pages;
/// the system may reclaim them under memory pressure.
void releasePageRegion(PageRegion region);

}  // namespace et::backends::xnnpack
