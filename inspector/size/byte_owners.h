#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace et::inspector {

/// Map from the bytes of a file to their owners. Later paints override earlier ones (a tensor inside its
/// segment), so every byte always has exactly one owner.
class ByteOwners {
  public:
    /// Assigns all `bytes` bytes to `owner`.
    ByteOwners(std::uint64_t bytes, std::size_t owner) : total(bytes) { starts.emplace(0, owner); }

    /// Assigns [offset, offset + bytes) to `owner`, clipped at the end of the file.
    void paint(std::uint64_t offset, std::uint64_t bytes, std::size_t owner);

    /// Bytes of each owner with a number below `owners`. They add up to the file size.
    [[nodiscard]] std::vector<std::uint64_t> sums(std::size_t owners) const;

  private:
    std::map<std::uint64_t, std::size_t> starts;  ///< start -> owner of the bytes up to the next start
    std::uint64_t total = 0;
};

}  // namespace et::inspector
