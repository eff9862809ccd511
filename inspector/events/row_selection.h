#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/events/event_table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::inspector::report {

/// How much the events that are kept of --module take together, as the reference totals them.
struct ModuleTotal {
    std::string name;
    double average = 0;      ///< sum of the events' averages, in the target unit
    std::size_t events = 0;  ///< that this sum has
};

/// Which rows the filter and the module of the options leave.
struct RowSelection {
    std::vector<std::uint8_t> kept;    ///< one a row of EventRows: 1 stays, 0 does not
    std::optional<ModuleTotal> total;  ///< nothing without a module
};

/// The reference's total (find_total_for_module) counts every event but OPERATOR_CALL, so that a delegate
/// call counts beside its operators where both name the module. Errors: NotFound (no event names the module;
/// lists some that there are), and as TextFilter::make.
[[nodiscard]] core::Result<RowSelection> selectRows(const EventRows& rows, const EventTableOptions& options);

}  // namespace et::inspector::report
