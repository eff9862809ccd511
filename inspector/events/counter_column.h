#pragma once

#include "inspector/events/event_columns.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace et::inspector::report {

template <class T>
[[nodiscard]] Cell listOrNothing(std::span<const T> items) {
    return items.empty() ? Cell() : Cell(std::vector<T>(items.begin(), items.end()));
}

/// A hardware counter during an event, as a mean per execution.
template <Counter counter>
[[nodiscard]] constexpr EventColumnRule counterColumn() {
    constexpr const CounterTraits& traits = traitsOf(counter);
    return {{traits.name, traits.meaning, false}, {}, true, [](const ColumnContext&, const EventRow& r) {
                const auto counted = r.event->counts == nullptr
                                         ? std::nullopt
                                         : (*r.event->counts)[static_cast<std::size_t>(counter)];
                return counted ? Cell(*counted) : Cell();
            }};
}

}  // namespace et::inspector::report
