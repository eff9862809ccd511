#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace et::inspector {

/// Who owns which bytes of a file. What is painted later lies over what is there, as a tensor lies in its
/// segment, so that every byte always has one owner.
class ByteOwners {
  public:
    /// All of the `bytes` bytes belong to `owner`.
    ByteOwners(std::uint64_t bytes, std::size_t owner) : total(bytes) { starts.emplace(0, owner); }

    /// Gives [offset, offset + bytes) to `owner`; what is behind the end of the file is left out.
    void paint(std::uint64_t offset, std::uint64_t bytes, std::size_t owner);

    /// Bytes of each owner, by its number below `owners`. Their sum is the size of the file.
    [[nodiscard]] std::vector<std::uint64_t> sums(std::size_t owners) const;

  private:
    std::map<std::uint64_t, std::size_t> starts;  ///< an owner's bytes go to the next start
    std::uint64_t total = 0;
};

}  // namespace et::inspector
