#include "visualizers/memory/memory_tables.h"

#include "inspector/findings/dashboard.h"
#include "inspector/memory/measured_memory.h"
#include "visualizers/toolkit/text.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace et::visualizers {

namespace {

using executor::MemoryKind;
using inspector::MemoryTimeline;
using inspector::format::Cell;
using inspector::format::Column;
using inspector::format::optionalCell;
using Measured = std::vector<inspector::MeasuredBytes>;

Column column(const char* title, bool numeric = false) {
    return {.id = title, .header = std::string(title), .numeric = numeric};
}

constexpr const char* notRecorded = "not measured: run with --allocations (Run panel: Memory)";

bool isOfDelegate(MemoryKind kind) {
    return kind == MemoryKind::DelegatePackedWeights || kind == MemoryKind::DelegateWorkspace;
}

/// Builds the table of memory outside the plan.
class BesideTable {
  public:
    BesideTable() {
        rows.table.columns = {column("what"), column("bytes", true), column("detail")};
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

void addConstants(BesideTable& table, const MemoryPlan& plan) {
    const MemoryTimeline& timeline = plan.timeline;
    table.group(std::string("Constants"), timeline.constantBytes(),
                std::string("mapped from the file, shared by all methods"));
    for (const inspector::ConstantTensor& each : timeline.constants) {
        const auto known = plan.constantNames.find(each.value);
        const std::string name = !each.name.empty() ? std::string(each.name)
                                 : known != plan.constantNames.end()
                                     ? known->second
                                     : fmt::format("value {}", each.value.value);
        const char* place = each.external ? ", in an external weights file"
                            : each.shared ? ", shares the bytes of another value"
                                          : "";
        table.item(name, each.bytes, each.type + (*place == '\0' ? std::string() : std::string(place)));
    }
}

void addDelegates(BesideTable& table, const MemoryTimeline& timeline) {
    table.group(std::string("Delegates"), timeline.delegateBytes(),
                std::string("payloads and their named data"));
    for (const inspector::DelegateBytes& each : timeline.delegates) {
        table.item(fmt::format("{} {}", each.backend, each.delegate.value),
                   each.payloadBytes + each.namedBytes,
                   counted(each.calls, QStringLiteral("1 call"), QStringLiteral("%1 calls")).toStdString());
    }
}

/// Adds the memory that our runtime recorded, except that of delegates.
void addHeld(BesideTable& table, const Measured& measured) {
    std::uint64_t sum = 0;
    for (const inspector::MeasuredBytes& each : measured) {
        const bool isPart = !isOfDelegate(each.kind) && each.kind != MemoryKind::ProcessPeak;
        sum += isPart ? each.bytes : 0;
    }
    table.group(std::string("Allocated by the runtime"), sum, std::string("as recorded in the trace"));
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
        table.group(std::string(title), {}, std::string(notRecorded));
        return;
    }
    std::uint64_t sum = 0;
    for (const inspector::MeasuredBytes& each : measured) {
        sum += each.kind == kind ? each.bytes : 0;
    }
    table.group(std::string(title), sum,
                std::string("memory added by each; delegates of a backend share memory"));
    for (const inspector::DelegateBytes& each : timeline.delegates) {
        table.item(fmt::format("{} {}", each.backend, each.delegate.value),
                   bytesOf(measured, kind, each.delegate.value).value_or(0), {});
    }
}

void addProcess(BesideTable& table, const Measured& measured) {
    const auto peak = bytesOf(measured, MemoryKind::ProcessPeak);
    table.group(
        std::string("Whole process"), optionalCell(peak),
        peak ? std::string("peak resident memory, including program and code") : std::string(notRecorded));
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
    table.group(std::string("Allocated by the runtime"), sum,
                std::string("per run, as recorded in the trace"));
    for (const inspector::AllocatorUse& each : uses) {
        table.item(each.name, each.bytes / each.runs,
                   counted(each.allocations / each.runs, QStringLiteral("1 allocation"),
                           QStringLiteral("%1 allocations"))
                       .toStdString());
    }
}

void addMeasured(BesideTable& table, const MemoryPlan& plan) {
    const auto& blocks = plan.session->blocks;
    Measured measured;
    std::vector<inspector::AllocatorUse> foreign;
    if (blocks != nullptr) {
        measured = inspector::newestMeasured(*plan.session, *plan.timeline.method);
        foreign = inspector::collectAllocations(*blocks, *plan.timeline.method, plan.onlyMethod);
    }
    addDelegateMemory(table, plan.timeline, measured, MemoryKind::DelegatePackedWeights,
                      "Packed weights of delegates");
    addDelegateMemory(table, plan.timeline, measured, MemoryKind::DelegateWorkspace,
                      "Workspace of delegates");
    addForeign(table, foreign);
    if (!measured.empty()) {
        addHeld(table, measured);
    } else if (foreign.empty()) {
        table.group(std::string("Allocated by the runtime"), {},
                    blocks ? std::string(notRecorded) : std::string("not measured: no trace is open"));
    }
    addProcess(table, measured);
}

}  // namespace

ReportRows planRows(const MemoryTimeline& timeline, const std::vector<inspector::AlternativePlan>& plans) {
    ReportRows rows;
    rows.table.columns = {column("plan"), column("alignment", true), column("bytes", true),
                          column("saved", true)};
    rows.styles = {NumberStyle::Plain, NumberStyle::Plain, NumberStyle::Bytes, NumberStyle::Bytes};
    const std::uint64_t planned = timeline.plannedBytes();
    rows.table.rows.push_back({std::string("the program's plan"), Cell(), planned, Cell()});
    for (const inspector::AlternativePlan& each : plans) {
        rows.table.rows.push_back(
            {std::string(inspector::strategyName(each.strategy)), each.alignment, each.bytes,
             static_cast<std::int64_t>(planned) - static_cast<std::int64_t>(each.bytes)});
    }
    rows.table.rows.push_back(
        {std::string("minimum of any plan"), Cell(), timeline.peakBytes(),
         static_cast<std::int64_t>(planned) - static_cast<std::int64_t>(timeline.peakBytes())});
    return rows;
}

ReportRows besideRows(const MemoryPlan& plan) {
    BesideTable table;
    addConstants(table, plan);
    addDelegates(table, plan.timeline);
    table.group(std::string("Caller's inputs and outputs"), plan.timeline.callerBytes,
                std::string("not planned: the caller provides them"));
    if (plan.timeline.unboundedTensors > 0) {
        table.group(std::string("Sized at run time"), {},
                    counted(plan.timeline.unboundedTensors, QStringLiteral("1 tensor of dynamic size"),
                            QStringLiteral("%1 tensors of dynamic size"))
                        .toStdString());
    }
    addMeasured(table, plan);
    return std::move(table).finish();
}

}  // namespace et::visualizers
