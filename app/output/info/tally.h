#pragma once

#include "app/output/cells.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace et::output {

/// Counts names, in order of first appearance.
class Tally {
  public:
    void add(std::string_view name, std::uint64_t count = 1) {
        const auto [found, fresh] = positions.try_emplace(std::string(name), counts.size());
        if (fresh) {
            counts.emplace_back(name, std::uint64_t{0});
        }
        counts[found->second].second += count;
    }

    /// {"aten::add.out": 2}
    [[nodiscard]] Dict dict() const {
        Dict dict;
        for (const auto& [name, count] : counts) {
            dict.emplace_back(name, count);
        }
        return dict;
    }

    /// Returns [{"name": "aten::add.out", "calls": 2}], with the given keys.
    [[nodiscard]] List list(const char* nameKey, const char* countKey) const {
        List list;
        for (const auto& [name, count] : counts) {
            list.emplace_back(Dict{{nameKey, name}, {countKey, count}});
        }
        return list;
    }

  private:
    std::vector<std::pair<std::string, std::uint64_t>> counts;
    std::unordered_map<std::string, std::size_t> positions;
};

}  // namespace et::output
