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
    /// How many of exactly this size were aligned at more than usual, as those of XNNPACK and of packed
    /// weights are. Of the first few thousand.
    [[nodiscard]] std::uint64_t alignedOf(std::uint64_t bytes) const;
    /// The sum of all sizes of these, in bytes.
    [[nodiscard]] std::uint64_t alignedBytes() const;
};

}  // namespace et::test
