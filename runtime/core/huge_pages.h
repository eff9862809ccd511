#pragma once

#include <cstddef>
#include <vector>

namespace et::core {

/// Asks for huge pages behind memory that is about to be filled and was not touched yet: a hundred megabytes
/// then come in fifty page faults instead of 25,000. Does nothing for less than a few of them, or where the
/// system has none.
void preferHugePages(void* memory, std::size_t bytes);

/// As `elements.reserve(count)`, for arrays that are filled to their end. `elements` is empty.
template <class T>
void reserveHuge(std::vector<T>& elements, std::size_t count) {
    elements.reserve(count);
    preferHugePages(elements.data(), elements.capacity() * sizeof(T));
}

}  // namespace et::core
