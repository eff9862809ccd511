#include "inspector/numeric_gap/gap_report.h"

#include "inspector/format/python_text.h"

#include <algorithm>
#include <cmath>

namespace et::inspector {

std::optional<double> metricOf(const GapReportRow& row, GapMetric metric) {
    std::optional<double> worst;
    for (const GapOutput& output : row.outputs) {
        const std::optional<double> number = output.numbers[metric];
        if (number && std::isnan(*number)) {
            return number;
        }
        if (number && worst) {
            worst = traits(metric).higherIsBetter ? std::min(*worst, *number) : std::max(*worst, *number);
        } else if (number) {
            worst = number;
        }
    }
    return worst;
}

std::string pythonLineOf(const GapOperator& row) {
    std::string found;
    for (const auto& [node, trace] : row.stackTraces) {
        for (const std::string_view line : format::pythonLines(trace)) {
            const std::string_view text = format::pythonStrip(line);
            found = text.starts_with("File \"") ? std::string(text) : found;
        }
        if (!found.empty()) {
            break;
        }
    }
    return found;
}

std::map<core::DebugHandle, std::size_t> rowsByHandle(const GapReport& report) {
    std::map<core::DebugHandle, std::size_t> rows;
    for (std::size_t i = 0; i < report.rows.size(); ++i) {
        const std::vector<core::DebugHandle>& handles = report.rows[i].referenceHandles;
        for (const core::DebugHandle handle : handles) {
            const auto [known, isNew] = rows.try_emplace(handle, i);
            if (!isNew && handles.size() <= report.rows[known->second].referenceHandles.size()) {
                known->second = i;
            }
        }
    }
    return rows;
}

std::optional<std::size_t> rowOfHandles(const GapReport& report, std::span<const core::DebugHandle> handles) {
    std::optional<std::size_t> best;
    std::size_t bestShared = 0;
    std::size_t bestOthers = 0;
    for (std::size_t i = 0; i < report.rows.size(); ++i) {
        const std::vector<core::DebugHandle>& own = report.rows[i].referenceHandles;
        // A whole delegate call lists some of its handles several times.
        const auto shared = static_cast<std::size_t>(std::ranges::count_if(
            handles, [&](core::DebugHandle handle) { return std::ranges::contains(own, handle); }));
        const auto others = static_cast<std::size_t>(std::ranges::count_if(
            own, [&](core::DebugHandle handle) { return !std::ranges::contains(handles, handle); }));
        if (shared > bestShared || (best && shared == bestShared && others < bestOthers)) {
            best = i;
            bestShared = shared;
            bestOthers = others;
        }
    }
    return best;
}

}  // namespace et::inspector
