#include "visualizers/memory/memory_tables.h"

#include "inspector/memory/measured_memory.h"
#include "visualizers/text.h"

#include <QCoreApplication>

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace et::visualizers {

namespace {

using inspector::MemoryTimeline;
using inspector::report::Cell;
using inspector::report::Column;

QString translated(const char* text) {
    return QCoreApplication::translate("MemoryTables", text);
}

std::string tr(const char* text) {
    return translated(text).toStdString();
}

Column column(const char* title, bool numeric = false) {
    return {.id = title, .header = tr(title), .numeric = numeric};
}

/// Bytes beside the plan, row by row.
class BesideTable {
  public:
    BesideTable() {
        rows.table.columns = {column(QT_TRANSLATE_NOOP("MemoryTables", "what")),
                              column(QT_TRANSLATE_NOOP("MemoryTables", "bytes"), true),
                              column(QT_TRANSLATE_NOOP("MemoryTables", "detail"))};
        rows.styles = {NumberStyle::Plain, NumberStyle::Bytes, NumberStyle::Plain};
    }

    void group(std::string name, Cell bytes, std::string detail) {
        above = rows.table.rows.size();
        rows.parents.emplace_back();
        rows.table.rows.push_back({std::move(name), std::move(bytes), std::move(detail)});
    }
    void item(std::string name, std::uint64_t bytes, std::string detail) {
        rows.parents.emplace_back(above);
        rows.table.rows.push_back({std::move(name), bytes, std::move(detail)});
    }

    [[nodiscard]] ReportRows finish() && { return std::move(rows); }

  private:
    ReportRows rows;
    std::size_t above = 0;
};

void addConstants(BesideTable& table, const MemoryTimeline& timeline) {
    table.group(tr(QT_TRANSLATE_NOOP("MemoryTables", "Constants")), timeline.constantBytes(),
                tr(QT_TRANSLATE_NOOP("MemoryTables", "mapped from the file, shared by methods")));
    for (const inspector::ConstantTensor& each : timeline.constants) {
        const std::string name =
            each.name.empty() ? fmt::format("value {}", each.value.value) : std::string(each.name);
        const char* place = each.external ? QT_TRANSLATE_NOOP("MemoryTables", ", in a tensor data file")
                            : each.shared ? QT_TRANSLATE_NOOP("MemoryTables", ", the bytes of another value")
                                          : "";
        table.item(name, each.bytes, each.type + (*place == '\0' ? std::string() : tr(place)));
    }
}

void addDelegates(BesideTable& table, const MemoryTimeline& timeline) {
    table.group(tr(QT_TRANSLATE_NOOP("MemoryTables", "Delegate payloads")), timeline.payloadBytes(),
                tr(QT_TRANSLATE_NOOP("MemoryTables", "in the program")));
    for (const inspector::DelegateBytes& each : timeline.delegates) {
        table.item(fmt::format("{} {}", each.backend, each.delegate.value), each.payloadBytes,
                   counted(each.calls, translated(QT_TRANSLATE_NOOP("MemoryTables", "1 call")),
                           translated(QT_TRANSLATE_NOOP("MemoryTables", "%1 calls")))
                       .toStdString());
    }
}

/// What only a run can tell, and no trace holds.
void addUnmeasured(BesideTable& table, const MemoryTimeline& timeline) {
    if (!timeline.delegates.empty()) {
        table.group(tr(QT_TRANSLATE_NOOP("MemoryTables", "Packed weights and workspace of delegates")), {},
                    tr(QT_TRANSLATE_NOOP("MemoryTables", "not measured: et-inspect run prints them")));
    }
    table.group(tr(QT_TRANSLATE_NOOP("MemoryTables", "The whole process")), {},
                tr(QT_TRANSLATE_NOOP("MemoryTables",
                                     "not measured: traces do not hold it, et-inspect bench prints it")));
}

void addMeasured(BesideTable& table, const MemoryPlan& plan) {
    const auto& blocks = plan.session->blocks;
    const auto uses = blocks ? inspector::allocationsOf(*blocks, *plan.timeline.method, plan.onlyMethod)
                             : std::vector<inspector::AllocatorUse>();
    const std::string title = tr(QT_TRANSLATE_NOOP("MemoryTables", "Given out while running"));
    if (uses.empty()) {
        table.group(
            title, {},
            tr(blocks ? QT_TRANSLATE_NOOP("MemoryTables", "not measured: the trace recorded no allocations")
                      : QT_TRANSLATE_NOOP("MemoryTables", "not measured: no trace is open")));
        return;
    }
    std::uint64_t sum = 0;
    for (const inspector::AllocatorUse& each : uses) {
        sum += each.bytes / each.runs;
    }
    table.group(title, sum, tr(QT_TRANSLATE_NOOP("MemoryTables", "of one run, as the trace recorded it")));
    for (const inspector::AllocatorUse& each : uses) {
        table.item(each.name, each.bytes / each.runs,
                   counted(each.allocations / each.runs,
                           translated(QT_TRANSLATE_NOOP("MemoryTables", "1 allocation")),
                           translated(QT_TRANSLATE_NOOP("MemoryTables", "%1 allocations")))
                       .toStdString());
    }
}

}  // namespace

ReportRows planRows(const MemoryTimeline& timeline, const std::vector<inspector::WhatIf>& plans) {
    ReportRows rows;
    rows.table.columns = {column(QT_TRANSLATE_NOOP("MemoryTables", "plan")),
                          column(QT_TRANSLATE_NOOP("MemoryTables", "alignment"), true),
                          column(QT_TRANSLATE_NOOP("MemoryTables", "bytes"), true),
                          column(QT_TRANSLATE_NOOP("MemoryTables", "saved"), true)};
    rows.styles = {NumberStyle::Plain, NumberStyle::Plain, NumberStyle::Bytes, NumberStyle::Bytes};
    const std::uint64_t planned = timeline.plannedBytes();
    rows.table.rows.push_back(
        {tr(QT_TRANSLATE_NOOP("MemoryTables", "of the program")), Cell(), planned, Cell()});
    for (const inspector::WhatIf& each : plans) {
        rows.table.rows.push_back(
            {std::string(inspector::strategyName(each.strategy)), each.alignment, each.bytes,
             static_cast<std::int64_t>(planned) - static_cast<std::int64_t>(each.bytes)});
    }
    rows.table.rows.push_back(
        {tr(QT_TRANSLATE_NOOP("MemoryTables", "least that any plan needs")), Cell(), timeline.peakBytes(),
         static_cast<std::int64_t>(planned) - static_cast<std::int64_t>(timeline.peakBytes())});
    return rows;
}

ReportRows besideRows(const MemoryPlan& plan) {
    BesideTable table;
    addConstants(table, plan.timeline);
    addDelegates(table, plan.timeline);
    table.group(tr(QT_TRANSLATE_NOOP("MemoryTables", "Inputs and outputs of the caller")),
                plan.timeline.callerBytes,
                tr(QT_TRANSLATE_NOOP("MemoryTables", "without a place in the plan")));
    if (plan.timeline.unboundedTensors > 0) {
        table.group(
            tr(QT_TRANSLATE_NOOP("MemoryTables", "Sized at run time")), {},
            counted(
                plan.timeline.unboundedTensors,
                translated(QT_TRANSLATE_NOOP("MemoryTables", "1 tensor, whose size only a run can tell")),
                translated(QT_TRANSLATE_NOOP("MemoryTables", "%1 tensors, whose sizes only a run can tell")))
                .toStdString());
    }
    addMeasured(table, plan);
    addUnmeasured(table, plan.timeline);
    return std::move(table).finish();
}

}  // namespace et::visualizers
