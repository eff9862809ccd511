#include "app/pages/shapes/size_table.h"

#include "app/pages/shapes/shapes_info.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace et::app {

using inspector::report::Cell;
using inspector::report::Dict;
using inspector::report::List;
using inspector::report::Measure;
using inspector::report::Table;

namespace {

constexpr double nanosecondsPerMillisecond = 1e6;

}  // namespace

Table sizeTable(std::span<const ShapesResult> models) {
    Table table{
        .columns = {{.id = "model", .header = "model"},
                    {.id = "dimension", .header = "dimension"},
                    {.id = "size", .header = "size", .numeric = true},
                    {.id = "p50", .header = "p50 (ms)", .numeric = true, .measure = Measure::Milliseconds},
                    {.id = "memory", .header = "memory (bytes)", .numeric = true, .measure = Measure::Bytes},
                    {.id = "peak", .header = "peak (bytes)", .numeric = true, .measure = Measure::Bytes}},
        .rows = {},
        .indexed = false,
        .heat = {}};
    for (const ShapesResult& model : models) {
        for (const SizeCurve& curve : model.curves) {
            for (std::size_t i = 0; i < curve.times.size(); ++i) {
                const auto memory = curve.memoryAt(curve.times[i].size);
                table.rows.push_back({model.file, curve.symbol, curve.times[i].size,
                                      curve.times[i].value / nanosecondsPerMillisecond,
                                      memory ? Cell(static_cast<std::uint64_t>(*memory)) : Cell(),
                                      curve.peaks[i]});
            }
        }
    }
    return table;
}

std::string growthLines(std::span<const ShapesResult> models) {
    std::string text;
    for (const ShapesResult& model : models) {
        for (const SizeCurve& curve : model.curves) {
            if (!curve.times.empty()) {
                text += fmt::format("{}: time over {} {}\n", core::printable(model.file),
                                    core::printable(curve.symbol),
                                    trendText(curve.time, curve.times.back().size));
            }
        }
    }
    return text;
}

Dict sizesInfo(std::span<const ShapesResult> models) {
    List list;
    for (const ShapesResult& model : models) {
        list.emplace_back(
            Dict{{"file", model.file}, {"method", model.space.method}, {"curves", curvesInfo(model)}});
    }
    return {{"models", std::move(list)}};
}

}  // namespace et::app
