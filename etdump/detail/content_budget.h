#pragma once

#include <cstdint>

namespace et::etdump::detail {

/// Bounds the work that a malicious file can cause. Tables of a flatbuffer may overlap, so a small file can
/// reference the same long string or vector a million times; in a valid file nothing overlaps, and the total
/// that is hashed or copied does not exceed the file size. Sticky: once exceeded, always exceeded.
class ContentBudget {
  public:
    /// Allows some slack for writers that share equal data.
    explicit ContentBudget(std::uint64_t fileBytes) : left(4 * fileBytes) {}

    /// Subtracts `bytes` from the budget; returns false if the budget is exceeded.
    [[nodiscard]] bool take(std::uint64_t bytes) {
        const bool enough = bytes <= left;
        left = enough ? left - bytes : 0;
        overdrawn = overdrawn || !enough;
        return enough;
    }
    [[nodiscard]] bool exceeded() const { return overdrawn; }

  private:
    std::uint64_t left;
    bool overdrawn = false;
};

}  // namespace et::etdump::detail
