#pragma once

#include "inspector/program_diff/program_diff.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::program_diff::detail {

/// Counts names separately for both sides.
class TwoCounts {
  public:
    void addBefore(std::string_view name, std::uint64_t count = 1) { of(name).before += count; }
    void addAfter(std::string_view name, std::uint64_t count = 1) { of(name).after += count; }

    /// By name.
    [[nodiscard]] std::vector<CountDiff> list() const {
        std::vector<CountDiff> out;
        for (const auto& [name, count] : counts) {
            out.push_back({.name = name, .count = count});
        }
        return out;
    }

  private:
    BeforeAfter<std::uint64_t>& of(std::string_view name) {
        const auto found = counts.find(name);
        return found == counts.end() ? counts[std::string(name)] : found->second;
    }

    std::map<std::string, BeforeAfter<std::uint64_t>, std::less<>> counts;
};

}  // namespace et::inspector::program_diff::detail
