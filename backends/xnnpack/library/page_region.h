#pragma once

#include <cstddef>
#include <cstdint>

namespace et::backends::xnnpack {

[[nodiscard]] constexpr std::size_t roundedUp(std::size_t number, std::size_t multiple) {
    return (number + multiple - 1) / multiple * multiple;
}

/// Memory of large pages where the system has them, of which one costs a fraction of what the many small ones
/// in its place do. A page takes no memory before it is written.
struct PageRegion {
    std::byte* start = nullptr;
    std::size_t size = 0;
};

/// At least `size` bytes, which are zero or what a former owner wrote. A null `start`: there is no memory.
[[nodiscard]] PageRegion takePageRegion(std::size_t size);

/// Ends the use of a region. A few are kept for the next one who asks, so that a program that loads models
/// again and again gets pages that are there already; the system may have them back when it runs short.
void givePageRegion(PageRegion region);

}  // namespace et::backends::xnnpack
