// Fuzzes input of `shapes` other than ETRecords: size expressions, ranges of the command line, and the report
// of another process.
#include "app/tasks/model/inputs.h"
#include "app/tasks/shapes/shape_report.h"
#include "app/tasks/shapes/shapes_run.h"
#include "etrecord/size_expression.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/fuzz/support/json_mutator.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using et::fuzz::require;
    const std::string text(reinterpret_cast<const char*>(data), size);
    et::etrecord::SymbolValues values{{"s0", 17}, {"s1", 1}};
    for (const std::string& symbol : et::etrecord::findSymbols(text)) {
        require(text.contains(symbol));
        values.try_emplace(symbol, 5);
    }
    if (const auto value = et::etrecord::evaluateSize(text, values); !value) {
        // All symbols have values.
        require(value.error().code != et::core::ErrorCode::NotFound);
        std::ignore = value.error().toString();
    }
    if (const auto sizes = et::tasks::sizesOf(text)) {
        require(et::tasks::sizesOf(et::tasks::sizesWord(*sizes)) == sizes);
    }
    if (const auto range = et::tasks::parseSizeRange(text)) {
        require(range->first <= range->last && range->step >= 0 && !range->symbol.empty());
    }
    if (const auto report = et::tasks::readShapeReport(text)) {
        const std::string written = et::tasks::shapeReportJson(*report);
        const auto again = et::tasks::readShapeReport(written);
        require(again && et::tasks::shapeReportJson(*again) == written);
    }
    return 0;
}
