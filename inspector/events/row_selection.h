#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/events/event_table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::inspector::events {

/// Total time of the events selected by --module, computed like the reference.
struct ModuleTotal {
    std::string name;
    double average = 0;      ///< sum of the events' averages, in the target unit
    std::size_t events = 0;  ///< number of events in the sum
};

/// Rows selected by the filter and the module of the options.
struct RowSelection {
    std::vector<std::uint8_t> kept;    ///< one per row of EventRows: 1 kept, 0 dropped
    std::optional<ModuleTotal> total;  ///< empty without a module
};

/// The reference's total (find_total_for_module) counts every event except OPERATOR_CALL, so a delegate call
/// counts in addition to its operators if both contain the module. Errors: NotFound (no event has the module;
/// lists some available ones), and as TextFilter::make.
[[nodiscard]] core::Result<RowSelection> selectRows(const EventRows& rows, const EventTableOptions& options);

}  // namespace et::inspector::events
