#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace et::core {

/// Asks for huge pages behind memory that is about to be filled and was not touched yet: a hundred megabytes
/// then come in fifty page faults instead of 25,000. Does nothing for less than a few of them, or where the
/// system has none.
void preferHugePages(void* memory, std::size_t bytes);

/// Has the system give the pages of memory that is about to be filled, all at once: one by one, when somebody
/// first touches them, they take twice as long. Does nothing for a few of them, or where the system does not
/// know how.
void takePages(std::span<std::byte> memory);

/// As `elements.reserve(count)`, for arrays that are filled to their end. `elements` is empty.
template <class T>
void reserveHuge(std::vector<T>& elements, std::size_t count) {
    elements.reserve(count);
    preferHugePages(elements.data(), elements.capacity() * sizeof(T));
}

}  // namespace et::core
