#pragma once

#include <cstdint>

namespace et::test {

/// Counts what any thread takes from the heap, in C++ or C, while it lives. Only in a binary that has
/// allocation_count.cpp, which takes the place of the C library's functions. One at a time.
class AllocationCount {
  public:
    AllocationCount();
    ~AllocationCount();
    AllocationCount(const AllocationCount&) = delete;
    AllocationCount& operator=(const AllocationCount&) = delete;

    [[nodiscard]] std::uint64_t count() const;
};

}  // namespace et::test
