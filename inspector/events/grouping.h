#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/events/group_bins.h"
#include "inspector/events/group_keys.h"
#include "inspector/events/row_selection.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <string>
#include <vector>

/// Aggregates events by their self time (EventRow), so that no time counts twice and the groups of a scope
/// sum to its total.
namespace et::inspector::events {

struct GroupSum {
    std::size_t count = 0;
    double total = 0;            ///< of all runs, in the target unit
    double typical = 0;          ///< of all runs, summed over its events; ranking key of the groups
    std::vector<double> runs{};  ///< of each run; empty: unknown, because events repeat within runs
};

/// Part of a group: an operator of a delegate call.
struct GroupPart {
    std::string name;
    GroupSum sum{};
};

/// Scope of groups, the whole of their shares: a block; or, if Phase is a key, all blocks of a phase, in
/// one trace if Trace is a key too, else in all.
struct GroupScope {
    std::string trace;     ///< empty: all
    std::string phase;     ///< empty: none, or several
    std::string block;     ///< of the first block
    std::size_t runs = 0;  ///< calls of the phase or runs of the block; at least 1
    double typical = 0;    ///< sum over all runs
};

/// Median time of a call of the phase or a run of the block: the median of the sums of each run. Their
/// typical time if the runs are unknown, or the median is 0 (below the clock resolution).
[[nodiscard]] double medianOf(const GroupSum& sum, const GroupScope& scope);

struct Group {
    std::size_t scopeAt = 0;
    Bin bin;
    GroupSum sum{};
    std::vector<GroupPart> parts{};  ///< for GroupBy::Delegate; they sum to `sum`
};

struct Groups {
    std::vector<GroupScope> scopes;  ///< in the order of their first blocks
    std::vector<Group> groups;
};

/// Groups of all events with samples. With Phase or Trace as the first key, or within blocks: by scope, then
/// by typical time, descending. Otherwise groups with the same first label are together, the largest sum
/// first. Remainders come last. Errors: InvalidArgument (groups by delegate and by op, module or block).
[[nodiscard]] core::Result<Groups> groupRows(const EventRows& rows, const RowSelection& selection,
                                             const GroupKeys& by, const ModuleRollUp& modules = {});

}  // namespace et::inspector::events
