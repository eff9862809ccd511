#include "app/output/shapes/size_table.h"

#include "app/output/shapes/shapes_info.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace et::output {

namespace {}  // namespace

Table sizeTable(std::span<const tasks::ShapesResult> models) {
    Table table{.columns = {textColumn("model"), textColumn("dimension"), numberColumn("size"),
                            numberColumn("p50", "p50 (ms)", Measure::Milliseconds),
                            numberColumn("memory", "memory (bytes)", Measure::Bytes),
                            numberColumn("peak", "peak (bytes)", Measure::Bytes)},
                .indexed = false};
    for (const tasks::ShapesResult& model : models) {
        for (const tasks::SizeCurve& curve : model.curves) {
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

std::string growthLines(std::span<const tasks::ShapesResult> models) {
    std::string text;
    for (const tasks::ShapesResult& model : models) {
        for (const tasks::SizeCurve& curve : model.curves) {
            if (!curve.times.empty()) {
                text += fmt::format("{}: time over {} {}\n", core::printable(model.file),
                                    core::printable(curve.symbol),
                                    trendText(curve.time, curve.times.back().size));
            }
        }
    }
    return text;
}

Dict sizesInfo(std::span<const tasks::ShapesResult> models) {
    List list;
    for (const tasks::ShapesResult& model : models) {
        list.emplace_back(
            Dict{{"file", model.file}, {"method", model.space.method}, {"curves", curvesInfo(model)}});
    }
    return {{"models", std::move(list)}};
}

}  // namespace et::output
