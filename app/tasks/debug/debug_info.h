#pragma once

#include "app/tasks/debug/breakpoints.h"
#include "app/tasks/debug/debugger.h"
#include "app/tasks/debug/watchpoints.h"
#include "inspector/format/table.h"
#include "inspector/numeric_gap/metrics.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// Answers of the debugger's commands as dictionaries, whose keys docs/reference/json_debug.md lists.
namespace et::tasks {

using inspector::format::Cell;
using inspector::format::Dict;
using inspector::format::List;

/// {"stop": {...}}. Errors: those of ProgramIndex.
[[nodiscard]] core::Result<Dict> stopInfo(Debugger& debugger, const Stop& stop);
[[nodiscard]] Dict breakpointInfo(const Breakpoint& breakpoint);
[[nodiscard]] Dict watchpointInfo(const Watchpoint& watchpoint);
/// {"info": {"kind": "breakpoints", ...}}.
[[nodiscard]] Dict stopListInfo(const StopList& stops);
/// One instruction with its arguments.
[[nodiscard]] Dict instructionInfo(Debugger& debugger, const MethodIndex& method,
                                   const InstructionSite& site);

/// Parts of a value to report.
struct ValueRequest {
    bool withData = true;
    bool withHistogram = false;
    bool withReference = false;
    bool withPrevious = false;
    std::vector<expression::Range> slice{};
    std::string_view sliceText{};
    std::size_t mostElements = fewElements;  ///< maximum number of elements in "data"

    static constexpr std::size_t fewElements = 1000;
    static constexpr std::size_t allElements = std::size_t{1} << 20;
};
/// Errors: those of the slice and of movements.
[[nodiscard]] core::Result<Dict> valueInfo(Debugger& debugger, const NamedValue& value,
                                           const ValueRequest& request);
/// A number, or "nan", "inf" and "-inf", which JSON does not have as numbers.
[[nodiscard]] Cell numberCell(double number);
template <class T>
[[nodiscard]] Cell wholeCell(T number) {
    return static_cast<std::int64_t>(number);
}
/// Empty: the metric is undefined.
[[nodiscard]] Cell metricCell(const inspector::GapNumbers& gap, inspector::GapMetric metric);
[[nodiscard]] Cell handleList(const std::vector<core::DebugHandle>& handles);
/// {"info": {"kind": kind, ...}}.
[[nodiscard]] Dict makeInfo(std::string_view kind, Dict content);

}  // namespace et::tasks
