#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace et::core {

/// Requests huge pages for memory that is about to be filled and has not been touched: a hundred megabytes
/// then cause fifty page faults instead of 25,000. No-op for less than a few huge pages, or if the system has
/// none.
void preferHugePages(void* memory, std::size_t bytes);

/// Turns huge pages off in this process: memory that is used sparsely, such as KV caches for a short prompt,
/// then takes only the pages used, not 2 MiB for each. No-op if the system does not support it.
void avoidHugePages();

/// Populates all pages of memory that is about to be filled at once, which takes half the time of individual
/// page faults. No-op for a few pages, or if the system does not support it.
void takePages(std::span<std::byte> memory);

/// Like `elements.reserve(count)`, for arrays that will be filled completely. `elements` must be empty.
template <class T>
void reserveHuge(std::vector<T>& elements, std::size_t count) {
    elements.reserve(count);
    preferHugePages(elements.data(), elements.capacity() * sizeof(T));
}

}  // namespace et::core
