#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace et::core {

/// Disjoint sets of the numbers below a count, each with a leader.
class DisjointSets {
  public:
    explicit DisjointSets(std::size_t count) : parents(count) {
        std::iota(parents.begin(), parents.end(), std::uint32_t{0});
    }

    [[nodiscard]] std::size_t size() const { return parents.size(); }
    [[nodiscard]] std::uint32_t leader(std::uint32_t item) {
        while (parents[item] != item) {
            item = parents[item] = parents[parents[item]];
        }
        return item;
    }
    /// Unites two sets; the leader of `owner` becomes that of both.
    void join(std::uint32_t owner, std::uint32_t other) { parents[leader(other)] = leader(owner); }

  private:
    std::vector<std::uint32_t> parents;
};

}  // namespace et::core
