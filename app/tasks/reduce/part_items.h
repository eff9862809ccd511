#pragma once

#include "app/tasks/rewrite/part_maker.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace et::tasks {

/// Unit of removal from a part: an instruction, or an operator of the delegate that it calls.
struct PartItem {
    std::size_t instruction = 0;
    std::optional<std::size_t> node;
};

/// A part as a list of removable items, in execution order.
class PartItems {
  public:
    /// Opaque delegates and delegates with a single operator are one item.
    PartItems(const program::Method& method, const PartChoice& part);

    [[nodiscard]] std::size_t size() const { return items.size(); }
    /// Whether the items include operators of delegates.
    [[nodiscard]] bool hasOperators() const { return !operators.empty(); }
    /// The part made of the items at these positions. A delegate that keeps all its operators stays whole.
    [[nodiscard]] PartChoice choice(std::span<const std::size_t> kept) const;
    /// Number of these items that a part contains.
    [[nodiscard]] std::size_t count(const PartChoice& part) const;

  private:
    std::vector<PartItem> items;
    std::map<std::size_t, std::size_t> operators;  ///< instruction -> number of operators in its delegate
};

/// Total operators of the delegates from which a part has some.
[[nodiscard]] std::size_t operatorsInOpened(const program::Method& method, const PartChoice& part);

}  // namespace et::tasks
