#pragma once

#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/executor/limits.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace et::executor::detail {

/// Zeroed memory, page aligned, with `readableBehind` bytes behind it. Pages that nothing touches cost
/// nothing. Counts against a budget while it lives.
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
    /// Gives the pages back to the system; reads give zeros from then on.
    void forget();

  private:
    std::byte* start = nullptr;
    std::uint64_t size = 0;
    MemoryBudget* counted = nullptr;
};

/// The memory of one tensor that grows. What it had before stays mapped, because views of the tensor may
/// still point there; sizes double, so that this costs no more than the largest.
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
