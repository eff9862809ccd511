#include "visualizers/memory/memory_tables.h"

#include "inspector/findings/dashboard.h"
#include "inspector/memory/measured_memory.h"
#include "visualizers/toolkit/text.h"

#include <QCoreApplication>

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace et::visualizers {

namespace {

using executor::MemoryKind;
using inspector::MemoryTimeline;
using inspector::report::Cell;
using inspector::report::Column;
using Measured = std::vector<inspector::MeasuredBytes>;

QString translated(const char* text) {
    return QCoreApplication::translate("MemoryTables", text);
}

std::string tr(const char* text) {
    return translated(text).toStdString();
}

Column column(const char* title, bool numeric = false) {
    return {.id = title, .header = tr(title), .numeric = numeric};
}

constexpr const char* notRecorded =
    QT_TRANSLATE_NOOP("MemoryTables", "not measured: run with --allocations (Run room: Memory)");

bool isOfDelegate(MemoryKind kind) {
    return kind == MemoryKind::DelegatePackedWeights || kind == MemoryKind::DelegateWorkspace;
}

/// Builds the table of memory outside the plan.
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
                tr(QT_TRANSLATE_NOOP("MemoryTables", "mapped from the file, shared by all methods")));
    for (const inspector::ConstantTensor& each : timeline.constants) {
        const std::string name =
            each.name.empty() ? fmt::format("value {}", each.value.value) : std::string(each.name);
        const char* place = each.external ? QT_TRANSLATE_NOOP("MemoryTables", ", in an external weights file")
                            : each.shared
                                ? QT_TRANSLATE_NOOP("MemoryTables", ", shares the bytes of another value")
                                : "";
        table.item(name, each.bytes, each.type + (*place == '\0' ? std::string() : tr(place)));
    }
}

void addDelegates(BesideTable& table, const MemoryTimeline& timeline) {
    table.group(tr(QT_TRANSLATE_NOOP("MemoryTables", "Delegates")), timeline.delegateBytes(),
                tr(QT_TRANSLATE_NOOP("MemoryTables", "payloads and their named data")));
    for (const inspector::DelegateBytes& each : timeline.delegates) {
        table.item(fmt::format("{} {}", each.backend, each.delegate.value),
                   each.payloadBytes + each.namedBytes,
                   counted(each.calls, translated(QT_TRANSLATE_NOOP("MemoryTables", "1 call")),
                           translated(QT_TRANSLATE_NOOP("MemoryTables", "%1 calls")))
                       .toStdString());
    }
}

/// Adds the memory that our runtime recorded, except that of delegates.
void addHeld(BesideTable& table, const Measured& measured) {
    std::uint64_t sum = 0;
    for (const inspector::MeasuredBytes& each : measured) {
        const bool isPart = !isOfDelegate(each.kind) && each.kind != MemoryKind::ProcessPeak;
        sum += isPart ? each.bytes : 0;
    }
    table.group(tr(QT_TRANSLATE_NOOP("MemoryTables", "Allocated by the runtime")), sum,
                tr(QT_TRANSLATE_NOOP("MemoryTables", "as recorded in the trace")));
    for (const inspector::MeasuredBytes& each : measured) {
        if (!isOfDelegate(each.kind) && each.kind != MemoryKind::ProcessPeak) {
            table.item(describe(each), each.bytes, {});
        }
    }
}

/// Adds the memory of each delegate and the total.
void addDelegateMemory(BesideTable& table, const MemoryTimeline& timeline, const Measured& measured,
                       MemoryKind kind, const char* title) {
    if (timeline.delegates.empty()) {
        return;
    }
    if (measured.empty()) {
        table.group(tr(title), {}, tr(notRecorded));
        return;
    }
    std::uint64_t sum = 0;
    for (const inspector::MeasuredBytes& each : measured) {
        sum += each.kind == kind ? each.bytes : 0;
    }
    table.group(
        tr(title), sum,
        tr(QT_TRANSLATE_NOOP("MemoryTables", "what each added; delegates of a backend share memory")));
    for (const inspector::DelegateBytes& each : timeline.delegates) {
        table.item(fmt::format("{} {}", each.backend, each.delegate.value),
                   bytesOf(measured, kind, each.delegate.value).value_or(0), {});
    }
}

void addProcess(BesideTable& table, const Measured& measured) {
    const auto peak = bytesOf(measured, MemoryKind::ProcessPeak);
    table.group(
        tr(QT_TRANSLATE_NOOP("MemoryTables", "Whole process")), peak ? Cell(*peak) : Cell(),
        peak ? tr(QT_TRANSLATE_NOOP("MemoryTables", "peak resident memory, including program and code"))
             : tr(notRecorded));
}

/// Adds the memory that allocators of another runtime provided.
void addForeign(BesideTable& table, const std::vector<inspector::AllocatorUse>& uses) {
    if (uses.empty()) {
        return;
    }
    std::uint64_t sum = 0;
    for (const inspector::AllocatorUse& each : uses) {
        sum += each.bytes / each.runs;
    }
    table.group(tr(QT_TRANSLATE_NOOP("MemoryTables", "Allocated by the runtime")), sum,
                tr(QT_TRANSLATE_NOOP("MemoryTables", "per run, as recorded in the trace")));
    for (const inspector::AllocatorUse& each : uses) {
        table.item(each.name, each.bytes / each.runs,
                   counted(each.allocations / each.runs,
                           translated(QT_TRANSLATE_NOOP("MemoryTables", "1 allocation")),
                           translated(QT_TRANSLATE_NOOP("MemoryTables", "%1 allocations")))
                       .toStdString());
    }
}

void addMeasured(BesideTable& table, const MemoryPlan& plan) {
    const auto& blocks = plan.session->blocks;
    Measured measured;
    std::vector<inspector::AllocatorUse> foreign;
    if (blocks != nullptr) {
        measured = inspector::newestMeasured(*plan.session, *plan.timeline.method);
        foreign = inspector::allocationsOf(*blocks, *plan.timeline.method, plan.onlyMethod);
    }
    addDelegateMemory(table, plan.timeline, measured, MemoryKind::DelegatePackedWeights,
                      QT_TRANSLATE_NOOP("MemoryTables", "Packed weights of delegates"));
    addDelegateMemory(table, plan.timeline, measured, MemoryKind::DelegateWorkspace,
                      QT_TRANSLATE_NOOP("MemoryTables", "Workspace of delegates"));
    addForeign(table, foreign);
    if (!measured.empty()) {
        addHeld(table, measured);
    } else if (foreign.empty()) {
        table.group(tr(QT_TRANSLATE_NOOP("MemoryTables", "Allocated by the runtime")), {},
                    blocks ? tr(notRecorded)
                           : tr(QT_TRANSLATE_NOOP("MemoryTables", "not measured: no trace is open")));
    }
    addProcess(table, measured);
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
        {tr(QT_TRANSLATE_NOOP("MemoryTables", "program's own")), Cell(), planned, Cell()});
    for (const inspector::WhatIf& each : plans) {
        rows.table.rows.push_back(
            {std::string(inspector::strategyName(each.strategy)), each.alignment, each.bytes,
             static_cast<std::int64_t>(planned) - static_cast<std::int64_t>(each.bytes)});
    }
    rows.table.rows.push_back(
        {tr(QT_TRANSLATE_NOOP("MemoryTables", "minimum of any plan")), Cell(), timeline.peakBytes(),
         static_cast<std::int64_t>(planned) - static_cast<std::int64_t>(timeline.peakBytes())});
    return rows;
}

ReportRows besideRows(const MemoryPlan& plan) {
    BesideTable table;
    addConstants(table, plan.timeline);
    addDelegates(table, plan.timeline);
    table.group(tr(QT_TRANSLATE_NOOP("MemoryTables", "Caller's inputs and outputs")),
                plan.timeline.callerBytes,
                tr(QT_TRANSLATE_NOOP("MemoryTables", "not planned: the caller provides them")));
    if (plan.timeline.unboundedTensors > 0) {
        table.group(tr(QT_TRANSLATE_NOOP("MemoryTables", "Sized at run time")), {},
                    counted(plan.timeline.unboundedTensors,
                            translated(QT_TRANSLATE_NOOP("MemoryTables", "1 tensor of dynamic size")),
                            translated(QT_TRANSLATE_NOOP("MemoryTables", "%1 tensors of dynamic size")))
                        .toStdString());
    }
    addMeasured(table, plan);
    return std::move(table).finish();
}

}  // namespace et::visualizers
