#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::report {

/// What events can be grouped by.
enum class GroupBy : std::uint8_t { None, Op, Module, Delegate, Block, Phase, Trace };

/// What a table is grouped by, the outermost key first. `Phase` needs blocks by phase (JoinOptions::byPhase).
/// Without `Phase`, groups are within blocks.
class GroupKeys {
  public:
    GroupKeys() = default;
    /// Implicit, since most tables have one key. GroupBy::None: none.
    GroupKeys(GroupBy only) { add(only); }  // NOLINT(google-explicit-constructor): see above
    GroupKeys(std::initializer_list<GroupBy> several) {
        std::ranges::for_each(several, [this](GroupBy by) { add(by); });
    }

    /// Adds a key behind the others, if it is not among them.
    void add(GroupBy by) {
        if (by != GroupBy::None && !has(by)) {
            keys.push_back(by);
        }
    }
    [[nodiscard]] bool has(GroupBy by) const { return std::ranges::contains(keys, by); }
    [[nodiscard]] bool empty() const { return keys.empty(); }
    [[nodiscard]] const std::vector<GroupBy>& all() const { return keys; }

    friend bool operator==(const GroupKeys&, const GroupKeys&) = default;

  private:
    std::vector<GroupBy> keys;
};

/// How names of modules are rolled up.
struct ModuleRollUp {
    std::size_t depth = 0;     ///< parts of a name to keep: "layers.0" of "layers.0.attention" is 2; 0: all
    bool mergeLayers = false;  ///< "layers.*.attention" for all layers

    [[nodiscard]] std::string operator()(std::string_view module) const;
};

}  // namespace et::inspector::report
