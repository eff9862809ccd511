#pragma once

#include "inspector/events/event_columns.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace et::inspector::events {

template <class T>
[[nodiscard]] format::Cell listOrNothing(std::span<const T> items) {
    return items.empty() ? format::Cell() : format::Cell(std::vector<T>(items.begin(), items.end()));
}

/// A hardware counter during an event, as a mean per execution.
template <Counter counter>
[[nodiscard]] constexpr EventColumnRule counterColumn() {
    constexpr const CounterTraits& traits = inspector::traitsOf(counter);
    return {{traits.name, traits.title, traits.meaning, false},
            {},
            true,
            [](const ColumnContext&, const EventRow& r) {
                const auto counted = r.event->counts == nullptr
                                         ? std::nullopt
                                         : (*r.event->counts)[static_cast<std::size_t>(counter)];
                return format::optionalCell(counted);
            }};
}

}  // namespace et::inspector::events
