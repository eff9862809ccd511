#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/events/group_keys.h"
#include "inspector/events/module_places.h"
#include "inspector/format/table.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector::report {

/// What calls and Method::execute spend outside the events within them.
inline constexpr std::string_view unattributed = "(unattributed)";
/// By phase, of Method::execute: the interpreter between instructions, and the recording of their events.
inline constexpr std::string_view dispatch = "(dispatch)";
/// By phase, what loading a method takes.
inline constexpr std::string_view loading = "(loading)";
/// Whether a label stands for what the parts of an event leave of it.
[[nodiscard]] bool isRemainder(std::string_view label);
/// What a filter or module leaves out.
inline constexpr std::string_view filteredOut = "(filtered out)";

/// What a generation does besides executing the model, in groups by module.
inline constexpr std::string_view outsideModel = "(outside of the model)";

/// Where an event's time goes: a group, and for GroupBy::Delegate a part of it.
struct Bin {
    std::vector<std::string> labels;  ///< one a key, but Phase and Trace, which are of the block
    std::string part{};               ///< empty: none
    Cell instruction{};
    std::pair<std::int64_t, std::int32_t> place{};  ///< chain and instruction, which keep equal names apart
};

/// How events are put into bins.
struct BinRule {
    GroupKeys by;
    ModuleRollUp names{};
    const ModulePlaces* places = nullptr;  ///< of all rows; null: no key is Module
};
/// The bin of the event at `at` of the rows, which the selection keeps or does not.
[[nodiscard]] Bin binOf(const EventRows& rows, std::size_t at, const BinRule& rule, bool kept);

}  // namespace et::inspector::report
