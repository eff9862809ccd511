#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/events/group_keys.h"
#include "inspector/format/table.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector::events {

/// Self time of calls and of Method::execute.
inline constexpr std::string_view unattributed = "(unattributed)";
/// By phase, for Method::execute: the interpreter between instructions, and the recording of their events.
inline constexpr std::string_view dispatch = "(dispatch)";
/// By phase, the time of loading a method.
inline constexpr std::string_view loading = "(loading)";
/// Whether a label denotes self time that remains after an event's parts.
[[nodiscard]] bool isRemainder(std::string_view label);
/// Time excluded by a filter or module.
inline constexpr std::string_view filteredOut = "(filtered out)";

/// Work of a generation outside the model's execution, in groups by module.
inline constexpr std::string_view outsideModel = "(outside the model)";

/// Group of an event's time, and for GroupBy::Delegate its part.
struct Bin {
    std::vector<std::string> labels;  ///< one per key, except Phase and Trace, which belong to the block
    std::string part{};               ///< empty: none
    format::Cell instruction{};
    std::pair<std::int64_t, std::int32_t> place{};  ///< chain and instruction; distinguishes equal names
};

/// Rules for assigning events to bins.
struct BinRule {
    GroupKeys by;
    ModuleRollUp names{};
    const EventModules* places = nullptr;  ///< of all rows; null: Module is not a key
};
/// The bin of the event at row `at`; `kept`: whether the selection includes it.
[[nodiscard]] Bin binOf(const EventRows& rows, std::size_t at, const BinRule& rule, bool kept);

}  // namespace et::inspector::events
