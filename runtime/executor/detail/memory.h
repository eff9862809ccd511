#pragma once

#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/executor/limits.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace et::executor::detail {

/// Zeroed, page-aligned memory with `readableBehind` readable bytes after it. Untouched pages use no physical
/// memory. Counts against a budget while it is allocated.
class Memory {
  public:
    Memory() = default;
    ~Memory();
    Memory(Memory&& other) noexcept;
    Memory& operator=(Memory&& other) noexcept;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// Errors: Limit.
    [[nodiscard]] static core::Result<Memory> make(std::uint64_t bytes, MemoryBudget& budget);

    [[nodiscard]] std::byte* data() const { return start; }
    [[nodiscard]] std::uint64_t bytes() const { return size; }
    /// Returns the pages to the system; later reads return zeros.
    void forget();

  private:
    std::byte* start = nullptr;
    std::uint64_t size = 0;
    MemoryBudget* counted = nullptr;
};

/// Memory of one growing tensor. Earlier blocks stay mapped, because views of the tensor may still point to
/// them; sizes double, so they total at most the size of the largest.
class GrowingBlock final : public core::GrowingMemory {
  public:
    explicit GrowingBlock(MemoryBudget& memoryBudget) : budget(memoryBudget) {}

    [[nodiscard]] core::Result<std::byte*> reserve(std::size_t bytes) override;
    void forget() override;
    [[nodiscard]] std::uint64_t bytes() const;

  private:
    MemoryBudget& budget;
    std::vector<Memory> blocks;
};

}  // namespace et::executor::detail
