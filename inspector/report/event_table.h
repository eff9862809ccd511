#pragma once

#include <optional>
#include <string>
#include <vector>

#include "inspector/event_blocks.h"
#include "inspector/report/table.h"
#include "runtime/core/result.h"

namespace et::inspector::report {

enum class GroupBy : std::uint8_t { None, Op, Module, Delegate, Block };

/// What of the blocks a table shows, and in which order. The default is the reference's table.
struct EventTableOptions {
    std::vector<std::string> columns;  ///< column ids; empty: the reference's own. "all": every one
    std::string sort;                  ///< a column id, "-id" for ascending text/descending numbers reversed; empty: file order
    std::optional<std::size_t> top;    ///< first N rows after sorting
    std::string filter;                ///< ECMAScript regex, matched anywhere in event name, op types and modules
    GroupBy groupBy = GroupBy::None;
    std::string module;                ///< keep events whose module hierarchy names this module; adds a total row
    bool operatorCalls = false;        ///< keep the OPERATOR_CALL rows that the reference leaves out
};

/// One column that events can show; the table of all of them is the documentation of --columns.
struct EventColumn {
    std::string_view id;
    std::string_view help;
    bool shownByDefault;
};
[[nodiscard]] const std::vector<EventColumn>& eventColumns();

/// Errors: NotFound (a column, sort key or module; the message lists what there is), InvalidArgument (regex).
[[nodiscard]] core::Result<Table> eventTable(const EventBlocks& blocks, const EventTableOptions& options = {});

}  // namespace et::inspector::report
