#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::events {

/// Grouping criterion of events.
enum class GroupBy : std::uint8_t { None, Op, Module, Delegate, Block, Phase, Trace };

/// Grouping keys of a table, outermost first. `Phase` requires blocks by phase (JoinOptions::byPhase).
/// Without `Phase`, groups are within blocks.
class GroupKeys {
  public:
    GroupKeys() = default;
    /// Implicit, because most tables have one key. GroupBy::None: none.
    GroupKeys(GroupBy only) { add(only); }  // NOLINT(google-explicit-constructor): see above
    GroupKeys(std::initializer_list<GroupBy> several) {
        std::ranges::for_each(several, [this](GroupBy by) { add(by); });
    }

    /// Appends a key if it is not included yet.
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

/// How module names are shortened for grouping.
struct ModuleRollUp {
    std::size_t depth = 0;  ///< components of a name to keep: "layers.0" of "layers.0.attention" is 2; 0: all
    bool mergeLayers = false;  ///< "layers.*.attention" for all layers

    [[nodiscard]] std::string operator()(std::string_view module) const;
};

}  // namespace et::inspector::events
