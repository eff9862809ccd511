#pragma once

#include "inspector/format/table.h"

#include <functional>

namespace et::inspector::format {

/// Returns the items as a list.
template <class Items>
[[nodiscard]] List listOf(const Items& items) {
    return List(items.begin(), items.end());
}

/// Returns a list with `describe(item)` for each item.
template <class Items, class Describe>
[[nodiscard]] List listOf(const Items& items, Describe describe) {
    List list;
    for (const auto& item : items) {
        list.emplace_back(std::invoke(describe, item));
    }
    return list;
}

}  // namespace et::inspector::format
