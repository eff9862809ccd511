#pragma once

#include <cstdint>

namespace et::etdump::detail {

/// Bounds the work that a hostile file can ask for. Parts of a flatbuffer may overlap, so that a small file
/// can name the same long string or vector a million times; in a file of an honest writer nothing overlaps,
/// and all that is hashed or copied together is no longer than the file. Sticky: once exceeded, always
/// exceeded.
class ContentBudget {
  public:
    /// Some slack for writers that share equal parts on purpose.
    explicit ContentBudget(std::uint64_t fileBytes) : left(4 * fileBytes) {}

    /// Takes `bytes` out of the budget; false where they are not there any more.
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
