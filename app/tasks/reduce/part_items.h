#pragma once

#include "app/tasks/surgery/part_maker.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace et::app {

/// What can be left out of a part by itself: an instruction, or an operator of the delegate that it calls.
struct PartItem {
    std::size_t instruction = 0;
    std::optional<std::size_t> node;
};

/// A part as a list of such items, in the order of execution.
class PartItems {
  public:
    /// Delegates that cannot be looked into, and those of a single operator, are one item.
    PartItems(const program::Method& method, const PartChoice& part);

    [[nodiscard]] std::size_t size() const { return items.size(); }
    /// Whether there are operators of delegates among them.
    [[nodiscard]] bool hasOperators() const { return !operators.empty(); }
    /// The part that these items are, by position. A delegate of which all operators are left stays whole.
    [[nodiscard]] PartChoice choice(std::span<const std::size_t> kept) const;
    /// How many items a part has of these.
    [[nodiscard]] std::size_t count(const PartChoice& part) const;

  private:
    std::vector<PartItem> items;
    std::map<std::size_t, std::size_t> operators;  ///< by instruction: how many its delegate has
};

/// How many operators the delegates have of which a part has some.
[[nodiscard]] std::size_t operatorsInOpened(const program::Method& method, const PartChoice& part);

}  // namespace et::app
