#pragma once

#include "visualizers/debug/debug_answers.h"
#include "visualizers/toolkit/report_table_model.h"

#include <QString>

#include <utility>
#include <vector>

/// Tables of the debugger.
namespace et::visualizers {

/// Values with their type, range and role.
[[nodiscard]] ReportRows valueRows(const std::vector<DebugValue>& values);
/// Watched expressions with their value; the value is an error message if it could not be computed.
[[nodiscard]] ReportRows watchRows(const std::vector<std::pair<QString, QString>>& watches);
/// Breakpoints and watchpoints.
[[nodiscard]] ReportRows triggerRows(const std::vector<DebugTrigger>& triggers);

/// A value in one line: type and statistics, or the scalar.
[[nodiscard]] QString summaryOf(const DebugValue& value);
/// A value in several lines of HTML: statistics, differences, accesses and place.
[[nodiscard]] QString detailsOf(const DebugValue& value, const DebugAccesses& accesses);

}  // namespace et::visualizers
