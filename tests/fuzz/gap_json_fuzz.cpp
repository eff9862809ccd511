// Fuzzes the report of a numeric gap, which the window reads from another process.
#include "inspector/numeric_gap/gap_report.h"
#include "tests/fuzz/support/json_mutator.h"

#include <cstdint>
#include <string_view>
#include <tuple>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto report = et::inspector::readGapJson(text);
    if (!report) {
        std::ignore = report.error().toString();
        return 0;
    }
    for (const et::inspector::GapReportRow& row : report->rows) {
        std::ignore = et::inspector::metricOf(row, et::inspector::GapMetric::Psnr);
        std::ignore = et::inspector::pythonLineOf(row);
    }
    for (const auto& [handle, row] : et::inspector::rowsByHandle(*report)) {
        std::ignore = et::inspector::rowOfHandles(*report, std::span(&handle, 1));
        std::ignore = report->rows.at(row);
    }
    return 0;
}
