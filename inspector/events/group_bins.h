#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/events/group_keys.h"
#include "inspector/format/table.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector::report {

/// What calls and Method::execute spend outside the events within them.
inline constexpr std::string_view unattributed = "(unattributed)";
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

/// The bin of an event that the selection keeps, or does not.
[[nodiscard]] Bin binOf(const EventRow& row, const GroupKeys& by, const ModuleRollUp& modules, bool kept);

}  // namespace et::inspector::report
