#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/events/group_bins.h"
#include "inspector/events/row_selection.h"

#include <cstddef>
#include <string>
#include <vector>

/// Events summed up. What is summed is each event's self time (EventRow), so that no time counts twice and
/// the groups of a block add up to its total.
namespace et::inspector::report {

struct GroupSum {
    std::size_t count = 0;
    double total = 0;            ///< of all runs, in the target unit
    double typical = 0;          ///< of all runs: of its events, added up; groups are ranked by it
    std::vector<double> runs{};  ///< of each run; empty: events repeat within runs, so that nothing tells
};

/// A part of a group: an operator of a delegate's call.
struct GroupPart {
    std::string name;
    GroupSum sum{};
};

struct Group {
    std::size_t blockAt = 0;
    std::string block;
    Bin bin;
    GroupSum sum{};
    std::vector<GroupPart> parts{};  ///< for GroupBy::Delegate; they add up to `sum`
};

/// The groups of all events with samples, by block, the largest typical time first; remainders last.
[[nodiscard]] std::vector<Group> groupRows(const EventRows& rows, const RowSelection& selection, GroupBy by);

}  // namespace et::inspector::report
