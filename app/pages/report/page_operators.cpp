#include "app/pages/report/page_operators.h"

#include "app/pages/report/page_events.h"
#include "inspector/events/event_fields.h"
#include "inspector/events/readable_name.h"
#include "inspector/format/time_scale.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::app {
namespace {

using inspector::report::Cell;
using inspector::report::EventRow;
using inspector::report::Measure;
using inspector::report::Table;

struct PlacedRow {
    EventRow event;
    std::string_view trace;
    std::size_t number = 0;  ///< as the table `events` counts
    std::size_t runs = 1;
};

double selfOf(const PlacedRow& row) {
    return row.event.typicalSelf / static_cast<double>(row.runs);
}

/// The rows of a trace that took time, numbered from `first`; returns the number of all its events.
std::size_t addRows(const inspector::EventBlocks& blocks, std::string_view trace, std::size_t first,
                    std::vector<PlacedRow>& out) {
    const PageEvents known(blocks);
    for (std::size_t i = 0; i < known.rows().size(); ++i) {
        const EventRow& row = known.rows()[i];
        if (!row.event->samples.empty() && !known.onlyWraps(i)) {
            out.push_back({.event = row,
                           .trace = trace,
                           .number = first + i,
                           .runs = std::max<std::size_t>(row.block->runs.size(), 1)});
        }
    }
    return known.rows().size();
}

std::string linesOf(const PlacedRow& row) {
    std::string out;
    for (const Cell& line : inspector::report::sourceLines(*row.event.block, *row.event.event)) {
        out += (out.empty() ? "" : ", ") + std::get<std::string>(line);
    }
    return out;
}

std::vector<Cell> cellsOf(const PlacedRow& row, bool several) {
    const inspector::Block& block = *row.event.block;
    const inspector::Event& event = *row.event.event;
    std::vector<Cell> out{inspector::report::readableOperator(block, event),
                          inspector::report::readableModule(block, event),
                          inspector::report::readableBlock(block),
                          event.instruction.value < 0 ? Cell() : Cell(std::int64_t{event.instruction.value}),
                          selfOf(row),
                          event.statistics.p50,
                          event.statistics.p90,
                          static_cast<std::int64_t>(event.samples.size()),
                          linesOf(row),
                          std::string(event.name),
                          static_cast<std::int64_t>(row.number)};
    if (several) {
        out.insert(out.begin(), std::string(row.trace));
    }
    return out;
}

}  // namespace

Table operatorTable(const inspector::Session& session) {
    if (session.blocks == nullptr) {
        return {};
    }
    std::vector<PlacedRow> rows;
    const std::string name = session.files.trace.filename().string();
    std::size_t count = addRows(*session.blocks, name, 0, rows);
    std::vector<std::string> otherNames;
    for (const inspector::OtherTrace& other : session.others) {
        otherNames.push_back(other.files.trace.filename().string());
    }
    for (std::size_t i = 0; i < session.others.size(); ++i) {
        count += addRows(*session.others[i].blocks, otherNames[i], count, rows);
    }
    std::ranges::stable_sort(rows, [](const PlacedRow& a, const PlacedRow& b) {
        return std::pair(b.runs, selfOf(b)) < std::pair(a.runs, selfOf(a));
    });

    const Measure time = inspector::report::measureOf(session.blocks->options().target);
    Table out{.columns = {{.id = "operator", .header = "operator"},
                          {.id = "module", .header = "module"},
                          {.id = "phase", .header = "phase"},
                          {.id = "instruction", .header = "instruction", .numeric = true},
                          {.id = "self", .header = "self", .numeric = true, .measure = time},
                          {.id = "p50", .header = "p50", .numeric = true, .measure = time},
                          {.id = "p90", .header = "p90", .numeric = true, .measure = time},
                          {.id = "samples", .header = "samples", .numeric = true},
                          {.id = "source", .header = "source"},
                          {.id = "name", .header = "name in the trace"},
                          {.id = "#e", .header = "#e"}}};
    const bool several = !session.others.empty();
    if (several) {
        out.columns.insert(out.columns.begin(), {.id = "trace", .header = "trace"});
    }
    for (const PlacedRow& row : rows) {
        out.rows.push_back(cellsOf(row, several));
    }
    return out;
}

}  // namespace et::app
