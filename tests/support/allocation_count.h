#pragma once

#include <cstdint>

namespace et::test {

/// Counts heap allocations of all threads, in C++ or C, during its lifetime. Requires a binary with
/// allocation_count.cpp, which replaces the C library's functions. At most one at a time.
class AllocationCount {
  public:
    AllocationCount();
    ~AllocationCount();
    AllocationCount(const AllocationCount&) = delete;
    AllocationCount& operator=(const AllocationCount&) = delete;

    [[nodiscard]] std::uint64_t count() const;
    /// Number of over-aligned allocations of exactly this size, such as those of XNNPACK and of packed
    /// weights. Covers the first few thousand.
    [[nodiscard]] std::uint64_t alignedOf(std::uint64_t bytes) const;
    /// Total size of these in bytes.
    [[nodiscard]] std::uint64_t alignedBytes() const;
};

}  // namespace et::test
