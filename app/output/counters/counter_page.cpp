#include "app/output/counters/counter_page.h"

#include "inspector/join/counts_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace et::output {
namespace {

std::optional<double> of(const tasks::CountedRow& row, inspector::Counter counter) {
    return row.counted[static_cast<std::size_t>(counter)];
}

/// Instructions per cycle.
std::optional<double> instructionsPerCycle(const tasks::CountedRow& row) {
    const auto cycles = of(row, inspector::Counter::Cycles);
    const auto instructions = of(row, inspector::Counter::Instructions);
    return cycles && instructions && *cycles > 0 ? std::optional(*instructions / *cycles) : std::nullopt;
}

bool hasColumn(const tasks::CountReport& report, inspector::Counter counter) {
    return of(report.total, counter).has_value();
}

/// Rounds to two decimal places: counts are means over executions.
Cell rounded(const std::optional<double>& number) {
    constexpr double hundred = 100;
    return number ? Cell(std::round(*number * hundred) / hundred) : Cell();
}

std::vector<Cell> cellsOf(const tasks::CountReport& report, const tasks::CountedRow& row, Cell instruction) {
    std::vector<Cell> cells{row.name, std::move(instruction), row.nanoseconds / nanosecondsPerMillisecond};
    for (const inspector::CounterInfo& traits : inspector::counterInfos) {
        if (hasColumn(report, traits.counter)) {
            cells.push_back(rounded(of(row, traits.counter)));
        }
    }
    if (instructionsPerCycle(report.total)) {
        cells.push_back(rounded(instructionsPerCycle(row)));
    }
    return cells;
}

std::string stateText(const tasks::MachineState& before, const tasks::MachineState& after) {
    std::string out;
    if (before.slowestClock && after.slowestClock) {
        out +=
            fmt::format("clock: {:.0f} to {:.0f} MHz\n", std::min(*before.slowestClock, *after.slowestClock),
                        std::max(*before.fastestClock, *after.fastestClock));
    }
    if (before.temperature && after.temperature) {
        out += fmt::format("temperature: {:.0f} °C before, {:.0f} °C after\n", *before.temperature,
                           *after.temperature);
    }
    return out;
}

Dict stateInfo(const tasks::MachineState& state) {
    return {{"slowest_clock_mhz", optionalCell(state.slowestClock)},
            {"fastest_clock_mhz", optionalCell(state.fastestClock)},
            {"temperature_celsius", optionalCell(state.temperature)}};
}

Dict rowInfo(const tasks::CountedRow& row) {
    Dict out{{"name", row.name},
             {"chain", row.site.chain},
             {"instruction", std::int64_t{row.site.instruction}},
             {"calls", row.calls},
             {"ms", row.nanoseconds / nanosecondsPerMillisecond}};
    for (const inspector::CounterInfo& traits : inspector::counterInfos) {
        out.emplace_back(std::string(traits.name), optionalCell(of(row, traits.counter)));
    }
    return out;
}

}  // namespace

Table counterTable(const tasks::CountReport& report, std::size_t top) {
    Table table{.columns = {textColumn("name"), numberColumn("instruction"),
                            numberColumn("ms", "time (ms)", Measure::Milliseconds)},
                .indexed = false};
    for (const inspector::CounterInfo& traits : inspector::counterInfos) {
        if (hasColumn(report, traits.counter)) {
            std::string header(traits.name);
            std::ranges::replace(header, '_', ' ');
            table.columns.push_back(numberColumn(std::string(traits.name), std::move(header)));
        }
    }
    if (instructionsPerCycle(report.total)) {
        table.columns.push_back(numberColumn("per_cycle", "per cycle"));
    }
    const std::size_t shown = top == 0 ? report.rows.size() : std::min(top, report.rows.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const tasks::CountedRow& row = report.rows[i];
        const std::string place = row.site.chain == 0
                                      ? fmt::to_string(row.site.instruction)
                                      : fmt::format("{}:{}", row.site.chain, row.site.instruction);
        table.rows.push_back(cellsOf(report, row, place));
    }
    tasks::CountedRow total = report.total;
    total.name = fmt::format("all {} instruction{}", report.rows.size(), report.rows.size() == 1 ? "" : "s");
    table.rows.push_back(cellsOf(report, total, std::string()));
    return table;
}

std::string counterNotes(const tasks::CountReport& report) {
    constexpr double readingsOfACall = 2;
    const double counting = report.readingNanoseconds * readingsOfACall * report.total.calls;
    std::string out = fmt::format(
        "{}: means of {} execution{} with {} thread{}\ncounting: {:.2f} µs per reading, two per instruction: "
        "{:.3f} ms per execution, excluded from these times\n",
        core::printable(report.method), report.runs, report.runs == 1 ? "" : "s", report.threads,
        report.threads == 1 ? "" : "s", report.readingNanoseconds / 1e3,
        counting / nanosecondsPerMillisecond);
    constexpr double all = 0.999;
    if (report.leastRunning < all) {
        out += fmt::format(
            "counters were multiplexed: the least active one counted {:.0f} % of the time, and its total is "
            "extrapolated\n",
            100 * report.leastRunning);
    }
    return out + stateText(report.before, report.after);
}

std::string counterJson(const tasks::CountReport& report, const inspector::TraceMark* trace) {
    Dict info{
        {"file", report.file},
        {"method", report.method},
        {"executions", static_cast<std::int64_t>(report.runs)},
        {"threads", static_cast<std::int64_t>(report.threads)},
        {"instructions", listOf(report.rows, [](const tasks::CountedRow& row) { return rowInfo(row); })},
        {"reading_ns", report.readingNanoseconds},
        {"least_running", report.leastRunning},
        {"before", stateInfo(report.before)},
        {"after", stateInfo(report.after)},
        {"not_counted", listOf(report.refusals)}};
    if (trace != nullptr) {
        info.emplace_back("trace", Dict{{"events", trace->events}, {"first_start", trace->firstStart}});
    }
    return jsonDocument(inspector::countsSchema, std::move(info));
}

}  // namespace et::output
