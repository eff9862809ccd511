#pragma once

#include "inspector/events/event_limits.h"
#include "inspector/events/event_rows.h"
#include "inspector/events/group_keys.h"
#include "inspector/format/table.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/result.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::events {

/// Content and order of a table of events. The default is the reference's table.
struct EventTableOptions {
    /// Column ids, in order; empty: the reference's; "all": every one. An id with a leading '+' is added to
    /// the reference's.
    std::vector<std::string> columns;
    /// A column id: numbers in descending order, texts A to Z; "+id" ascending, "-id" descending. Rows
    /// without a value come last. Empty: file order. The column need not be shown.
    std::string sort;
    std::optional<std::size_t> top;  ///< first N rows after sorting
    /// ECMAScript regex, matched anywhere in the event name, the phase, one op type, or a module's path, name
    /// or type.
    std::string filter;
    GroupKeys groupBy;
    ModuleRollUp modules;  ///< for module names in groups
    /// Keep events whose module hierarchy contains this module (a part of its path, else of its fully
    /// qualified name) and add a row with their total.
    std::string module;
    bool operatorCalls = false;  ///< keep the OPERATOR_CALL rows that the reference omits
    /// Values of columns such as "flops" and "efficiency"; null: they are empty.
    std::shared_ptr<const EventLimits> limits{};
};

/// A column that events can show; the table of all of them is the documentation of --columns.
struct EventColumn {
    std::string_view id;     ///< name on the command line, in JSON and CSV
    std::string_view title;  ///< header in the window, without the unit
    std::string_view help;
    bool shownByDefault;
};
[[nodiscard]] const std::vector<EventColumn>& eventColumns();

/// Errors: NotFound (a column, sort key or module; the message lists the available ones), InvalidArgument
/// (regex; groups by delegate and by something inside them).
[[nodiscard]] core::Result<format::Table> eventTable(const EventBlocks& blocks,
                                                     const EventTableOptions& options = {});
/// For several traces, joined with the same time scales.
[[nodiscard]] core::Result<format::Table> eventTable(const std::vector<NamedTrace>& traces,
                                                     const EventTableOptions& options = {});

/// Output of a command: eventTable() rendered in `format`; for Format::Json the document of
/// docs/reference/json.md. On a narrow terminal (Style::width) the default columns are replaced with the few
/// that fit. Errors: as eventTable.
[[nodiscard]] core::Result<std::string> renderEvents(const EventBlocks& blocks,
                                                     const EventTableOptions& options, format::Format format,
                                                     format::Style style = {});
/// For several traces. Errors: also InvalidArgument (Format::Json without a request for rows: its blocks
/// belong to one trace).
[[nodiscard]] core::Result<std::string> renderEvents(const std::vector<NamedTrace>& traces,
                                                     const EventTableOptions& options, format::Format format,
                                                     format::Style style = {});

}  // namespace et::inspector::events
