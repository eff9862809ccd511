#pragma once

#include "etdump/trace.h"
#include "inspector/join/run_shape.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace et::inspector::join::detail {

/// The runs of one block: same name, bundled input and rows.
struct RunGroup {
    etdump::NameId name = etdump::noName;
    std::int32_t bundledInputIndex = -1;
    std::vector<std::uint32_t> runs;    ///< indices into Trace::runs()
    std::vector<std::uint32_t> shapes;  ///< for each run: index into RunGroups::shapes
    std::string_view phase{};           ///< phase of all its runs; empty: not split by phase, or none
};

struct RunGroups {
    std::vector<RunShape> shapes;
    std::vector<RunGroup> groups;  ///< in order of first appearance
};

/// Sorts the runs of a trace into groups; runs without an event list are dropped.
[[nodiscard]] RunGroups groupRuns(const etdump::Trace& trace);

}  // namespace et::inspector::join::detail
