#include "app/output/run/bench_table.h"

#include "app/output/run/run_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::output {
namespace {

constexpr std::int64_t threadCurveSchema = 1;
constexpr std::size_t mostListed = 10;

/// A column, with the key of its number in the info of a model.
struct BenchColumn {
    const char* key;
    const char* header;
    Measure measure;
};
constexpr std::array benchColumns{
    BenchColumn{"load", "load (ms)", Measure::Milliseconds},
    BenchColumn{"first", "first (ms)", Measure::Milliseconds},
    BenchColumn{"p50", "p50 (ms)", Measure::Milliseconds},
    BenchColumn{"p90", "p90 (ms)", Measure::Milliseconds},
    BenchColumn{"avg", "avg (ms)", Measure::Milliseconds},
    BenchColumn{"min", "min (ms)", Measure::Milliseconds},
    BenchColumn{"max", "max (ms)", Measure::Milliseconds},
    BenchColumn{"instructions_per_second", "instructions/s", Measure::None},
    BenchColumn{"peak_resident", "peak (bytes)", Measure::Bytes},
};

/// A column of the CSV, with a fixed unit: the key of its number, and its name.
struct CsvColumn {
    const char* key;
    const char* id;
};
constexpr std::array csvColumns{
    CsvColumn{"file", "file"},
    CsvColumn{"method", "method"},
    CsvColumn{"executions", "executions"},
    CsvColumn{"threads", "threads"},
    CsvColumn{"load", "load_ms"},
    CsvColumn{"first", "first_ms"},
    CsvColumn{"p50", "p50_ms"},
    CsvColumn{"p90", "p90_ms"},
    CsvColumn{"avg", "avg_ms"},
    CsvColumn{"min", "min_ms"},
    CsvColumn{"max", "max_ms"},
    CsvColumn{"instructions_per_second", "instructions_per_second"},
    CsvColumn{"peak_resident", "peak_resident_bytes"},
};

/// Returns a value of `info` or of a nested dictionary, or null.
const Cell* find(const Dict& info, std::string_view key) {
    for (const auto& [name, value] : info) {
        if (name == key) {
            return &value;
        }
        const auto* inner = std::get_if<Dict>(&value);
        if (const Cell* found = inner == nullptr ? nullptr : find(*inner, key)) {
            return found;
        }
    }
    return nullptr;
}

Cell cellOf(const Dict& info, const BenchColumn& column) {
    const Cell* found = find(info, column.key);
    const auto number = found == nullptr ? std::nullopt : cellNumber(*found);
    if (!number) {
        return {};
    }
    return column.measure == Measure::None ? Cell(static_cast<std::int64_t>(std::llround(*number)))
                                           : Cell(*number);
}

/// True if another entry has the same file with another method.
bool hasSeveralMethods(const List& models, const Dict& info) {
    return std::ranges::any_of(models, [&](const Cell& other) {
        const auto& each = std::get<Dict>(other);
        return *find(each, "file") == *find(info, "file") && *find(each, "method") != *find(info, "method");
    });
}

}  // namespace

Table threadCurveTable(std::span<const tasks::ThreadCurve> curves) {
    Table table{.columns = {textColumn("model"), numberColumn("threads"),
                            numberColumn("p50", "p50 (ms)", Measure::Milliseconds),
                            numberColumn("speedup", "speed-up"),
                            numberColumn("efficiency", "efficiency (%)", Measure::Percent)},
                .indexed = false};
    for (const tasks::ThreadCurve& curve : curves) {
        for (const tasks::ThreadCurvePoint& point : curve.points) {
            constexpr double hundredth = 100;
            table.rows.push_back({curve.file, std::uint64_t{point.threads},
                                  point.median / nanosecondsPerMillisecond,
                                  std::round(point.speedup * hundredth) / hundredth, 100 * point.efficiency});
        }
    }
    return table;
}

std::string notScalingText(std::span<const tasks::ThreadCurve> curves) {
    std::string text;
    for (const tasks::ThreadCurve& curve : curves) {
        if (curve.notScaling.empty()) {
            continue;
        }
        text += fmt::format("\n{}: these do not scale from {} to {} threads\n", core::printable(curve.file),
                            curve.points.front().threads, curve.points.back().threads);
        for (std::size_t i = 0; i < std::min(mostListed, curve.notScaling.size()); ++i) {
            const tasks::OperatorCurve& each = curve.notScaling[i];
            text += fmt::format("  {}: {:.1f} µs, then {:.1f} µs ({:.2f} times as fast)\n",
                                core::printable(each.name), each.medians.front() / 1e3,
                                each.medians.back() / 1e3, each.speedup);
        }
        if (curve.notScaling.size() > mostListed) {
            text += fmt::format("  and {} more\n", curve.notScaling.size() - mostListed);
        }
    }
    return text;
}

std::string threadCurveJson(std::span<const tasks::ThreadCurve> curves) {
    List list;
    for (const tasks::ThreadCurve& curve : curves) {
        List points;
        for (const tasks::ThreadCurvePoint& point : curve.points) {
            points.emplace_back(Dict{{"threads", std::uint64_t{point.threads}},
                                     {"p50_ms", point.median / nanosecondsPerMillisecond},
                                     {"speedup", point.speedup},
                                     {"efficiency", point.efficiency}});
        }
        List operators;
        for (const tasks::OperatorCurve& each : curve.notScaling) {
            std::vector<double> milliseconds;
            std::ranges::transform(each.medians, std::back_inserter(milliseconds),
                                   [](double time) { return time / nanosecondsPerMillisecond; });
            operators.emplace_back(Dict{{"name", each.name},
                                        {"backend", each.backend},
                                        {"p50_ms", std::move(milliseconds)},
                                        {"speedup", each.speedup},
                                        {"share", each.share},
                                        {"lost_ms", each.lost / nanosecondsPerMillisecond}});
        }
        list.emplace_back(
            Dict{{"file", curve.file}, {"points", std::move(points)}, {"not_scaling", std::move(operators)}});
    }
    return jsonDocument(threadCurveSchema, {{"curves", std::move(list)}});
}

Dict benchInfo(const std::string& file, const tasks::Model& model, const tasks::Timings& timings,
               tasks::Repetitions repetitions) {
    Dict info{{"file", file},
              {"method", std::string(model.method->description().name)},
              {"executions", static_cast<std::uint64_t>(timings.measured.size())},
              {"warmup", static_cast<std::uint64_t>(repetitions.warmup)},
              {"threads", static_cast<std::uint64_t>(model.threads.threads())},
              {"time_ms", timeInfo(timings)},
              {"instructions", timings.instructions},
              {"instructions_per_second", instructionRate(timings)},
              {"memory", memoryInfo(*model.method)}};
    if (!model.emulation.backends.empty()) {
        info.emplace_back("emulated", emulatedInfo(model.emulation));
    }
    if (const auto& interpreted = model.emulation.interpreted; !interpreted.empty()) {
        info.emplace_back("interpreted", List(interpreted.begin(), interpreted.end()));
    }
    return info;
}

Table benchTable(const List& models) {
    Table table{.columns = {textColumn("model")}, .indexed = false};
    for (const BenchColumn& column : benchColumns) {
        table.columns.push_back(numberColumn(column.key, column.header, column.measure));
    }
    for (const Cell& model : models) {
        const auto& info = std::get<Dict>(model);
        const bool emulated = find(info, "emulated") != nullptr;
        std::string label = std::get<std::string>(*find(info, "file"));
        if (hasSeveralMethods(models, info)) {
            label += ", " + std::get<std::string>(*find(info, "method"));
        }
        std::vector<Cell> row{emulated ? label + " (emulated)" : label};
        for (const BenchColumn& column : benchColumns) {
            row.push_back(cellOf(info, column));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table benchCsvTable(const List& models) {
    Table table{.columns = {}, .indexed = false};
    for (const CsvColumn& column : csvColumns) {
        table.columns.push_back(textColumn(column.id));
    }
    for (const Cell& model : models) {
        std::vector<Cell> row;
        for (const CsvColumn& column : csvColumns) {
            const Cell* const value = find(std::get<Dict>(model), column.key);
            row.push_back(value == nullptr ? Cell() : *value);
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::uint64_t benchExecutions(const List& models) {
    std::uint64_t executions = 0;
    for (const Cell& model : models) {
        executions += std::get<std::uint64_t>(*find(std::get<Dict>(model), "executions"));
    }
    return executions;
}

}  // namespace et::output
