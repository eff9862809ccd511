#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

namespace et::executor::detail {

/// A copy of memory that shares equal pages with an earlier copy of the same memory. Pages of zeros take no
/// memory.
class SavedMemory {
  public:
    static constexpr std::size_t pageBytes = 4096;

    /// `previous` may be null, or of another size.
    [[nodiscard]] static SavedMemory copy(std::span<const std::byte> memory, const SavedMemory* previous);

    /// `memory` has the size of the copied memory. Writes only pages that differ.
    void restoreTo(std::span<std::byte> memory) const;

    [[nodiscard]] std::uint64_t size() const { return bytes; }
    /// Size of its pages that are not yet in `counted`, to which they are added.
    [[nodiscard]] std::uint64_t countBytes(std::unordered_set<const void*>& counted) const;

  private:
    using Page = std::array<std::byte, pageBytes>;
    /// Pages are shared in groups, so that a copy without changes is small.
    using Group = std::array<std::shared_ptr<const Page>, 64>;
    static constexpr std::size_t groupBytes = pageBytes * std::tuple_size_v<Group>;

    [[nodiscard]] static std::shared_ptr<const Group> copyGroup(std::span<const std::byte> memory,
                                                                const std::shared_ptr<const Group>& previous);

    std::uint64_t bytes = 0;
    std::vector<std::shared_ptr<const Group>> groups;  ///< null: only zeros
};

}  // namespace et::executor::detail
