#include "app/output/report/page_operators.h"

#include "app/output/report/page_events.h"
#include "inspector/events/event_fields.h"
#include "inspector/events/readable_name.h"
#include "inspector/format/time_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace et::output {
namespace {

using inspector::events::EventRow;
using inspector::events::EventRows;
using inspector::events::NamedTrace;

constexpr std::ptrdiff_t behindSamples = 8;  ///< columns of the table before its counters

/// Rows of all traces, numbered as in the table `events`.
EventRows rowsOf(const inspector::Session& session) {
    std::vector<NamedTrace> traces{
        {.name = session.files.trace.filename().string(), .blocks = session.blocks.get()}};
    for (const inspector::OtherTrace& other : session.others) {
        traces.push_back({.name = other.files.trace.filename().string(), .blocks = other.blocks.get()});
    }
    return inspector::events::eventRows(std::move(traces));
}

std::optional<double> countOf(const EventRow& row, inspector::Counter counter) {
    const auto* const counts = row.event->counts;
    return counts == nullptr ? std::nullopt : (*counts)[static_cast<std::size_t>(counter)];
}

std::size_t runsOf(const EventRows& all, std::size_t row) {
    return all.blocks[all.rows[row].blockAt].runs;
}

double selfOf(const EventRows& all, std::size_t row) {
    return all.rows[row].typicalSelf / static_cast<double>(runsOf(all, row));
}

/// Rows with a time, sorted by number of runs, then slowest first.
std::vector<std::size_t> orderOf(const EventRows& all) {
    const std::vector<bool> wrappers = wrapperRows(all);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        if (!all.rows[i].event->samples.empty() && !wrappers[i]) {
            order.push_back(i);
        }
    }
    std::ranges::stable_sort(order, std::greater{},
                             [&](std::size_t i) { return std::pair(runsOf(all, i), selfOf(all, i)); });
    return order;
}

/// Counters recorded in any of the traces.
std::vector<inspector::Counter> countersIn(const EventRows& all) {
    std::vector<inspector::Counter> found;
    for (const inspector::CounterInfo& traits : inspector::counterInfos) {
        if (std::ranges::any_of(
                all.rows, [&](const EventRow& row) { return countOf(row, traits.counter).has_value(); })) {
            found.push_back(traits.counter);
        }
    }
    return found;
}

/// "norm.py:35 +4": the first line by its file name, and the number of further lines; the details pane lists
/// all of them.
std::string firstSource(const List& lines) {
    std::vector<std::string_view> texts;
    for (const Cell& line : lines) {
        if (const auto* const text = std::get_if<std::string>(&line)) {
            texts.push_back(*text);
        }
    }
    if (texts.empty()) {
        return {};
    }
    const std::string_view first = texts.front();
    const std::string_view file = first.substr(first.rfind('/') + 1);  // the whole path if it has no folder
    return texts.size() == 1 ? std::string(file) : fmt::format("{} +{}", file, texts.size() - 1);
}

std::vector<Cell> cellsOf(const EventRows& all, std::size_t index,
                          const std::vector<inspector::Counter>& counters) {
    const EventRow& row = all.rows[index];
    const inspector::Block& block = *row.block;
    const inspector::Event& event = *row.event;
    std::vector<Cell> out{inspector::events::readableOperator(block, event),
                          inspector::events::readableModule(block, event),
                          inspector::events::readableBlock(block),
                          event.instruction.value < 0 ? Cell() : Cell(std::int64_t{event.instruction.value}),
                          selfOf(all, index),
                          event.statistics.p50,
                          event.statistics.p90,
                          static_cast<std::int64_t>(event.samples.size()),
                          firstSource(inspector::events::sourceLines(block, event)),
                          std::string(event.name),
                          static_cast<std::int64_t>(index)};
    std::vector<Cell> counts;
    for (const inspector::Counter counter : counters) {
        const auto count = countOf(row, counter);
        counts.push_back(optionalCell(count));
    }
    out.insert(out.begin() + behindSamples, counts.begin(), counts.end());
    if (all.traces.size() > 1) {
        out.insert(out.begin(), all.traces[all.blocks[row.blockAt].traceAt].name);
    }
    return out;
}

}  // namespace

Table operatorTable(const inspector::Session& session) {
    if (session.blocks == nullptr) {
        return {};
    }
    const EventRows all = rowsOf(session);
    const Measure time = measureOf(session.blocks->options().target);
    Table out{.columns = {textColumn("operator"), textColumn("module"), textColumn("phase"),
                          numberColumn("instruction"), numberColumn("self", time), numberColumn("p50", time),
                          numberColumn("p90", time), numberColumn("samples"), textColumn("source"),
                          textColumn("name", "name in the trace"), textColumn("#e")}};
    const std::vector<inspector::Counter> counters = countersIn(all);
    std::vector<Column> columns;
    for (const inspector::Counter counter : counters) {
        std::string id(inspector::infoOf(counter).name);
        std::string header = id;
        std::ranges::replace(header, '_', ' ');
        columns.push_back(numberColumn(std::move(id), std::move(header)));
    }
    out.columns.insert(out.columns.begin() + behindSamples, columns.begin(), columns.end());
    if (all.traces.size() > 1) {
        out.columns.insert(out.columns.begin(), textColumn("trace"));
    }
    for (const std::size_t row : orderOf(all)) {
        out.rows.push_back(cellsOf(all, row, counters));
    }
    return out;
}

double longestSelf(const Table& operators) {
    const auto place = [&](std::string_view id) {
        return static_cast<std::size_t>(std::ranges::find(operators.columns, id, &Column::id) -
                                        operators.columns.begin());
    };
    const std::size_t phase = place("phase");
    const std::size_t self = place("self");
    double longest = 0;
    for (const auto& row : operators.rows) {
        if (std::get<std::string>(row[phase]) == std::get<std::string>(operators.rows.front()[phase])) {
            longest = std::max(longest, cellNumber(row[self]).value_or(0));
        }
    }
    return longest;
}

}  // namespace et::output
