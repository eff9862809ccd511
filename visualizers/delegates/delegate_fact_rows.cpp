#include "backends/known_backends.h"
#include "inspector/delegates/delegate_text.h"
#include "inspector/format/quantities.h"
#include "inspector/memory/memory_text.h"
#include "visualizers/delegates/delegate_tables.h"

#include <QCoreApplication>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <variant>

namespace et::visualizers {

namespace {

using inspector::DelegateCallSite;
using inspector::DelegateReport;
using inspector::MethodDelegates;
using inspector::report::readableBytes;

std::string factText(const char* text) {
    return QCoreApplication::translate("DelegateFacts", text).toStdString();
}

/// Names and what is known of them, in groups.
class FactRows {
  public:
    FactRows() {
        rows.table.columns = {{.id = "fact", .header = factText(QT_TRANSLATE_NOOP("DelegateFacts", "fact"))},
                              {.id = "value", .header = factText(QT_TRANSLATE_NOOP("DelegateFacts", "value"))}};
    }

    void group(std::string name, std::string value = {}) {
        above.reset();
        add(std::move(name), std::move(value));
        above = rows.table.rows.size() - 1;
    }
    void add(std::string name, std::string value) {
        rows.parents.push_back(above);
        rows.table.rows.push_back({std::move(name), std::move(value)});
    }

    [[nodiscard]] ReportRows finish() && { return std::move(rows); }

  private:
    ReportRows rows;
    std::optional<std::size_t> above;
};

std::string bytesText(std::uint64_t bytes) {
    return bytes < 1024 ? readableBytes(bytes) : fmt::format("{} ({} bytes)", readableBytes(bytes), bytes);
}

void addPayload(FactRows& rows, const DelegateReport& report) {
    const std::string_view device = backends::deviceOf(report.delegate->backend);
    rows.group(factText(QT_TRANSLATE_NOOP("DelegateFacts", "backend")), std::string(report.delegate->backend));
    if (!device.empty()) {
        rows.add(factText(QT_TRANSLATE_NOOP("DelegateFacts", "runs on")), std::string(device));
    }
    rows.group(factText(QT_TRANSLATE_NOOP("DelegateFacts", "payload")), bytesText(report.delegate->payload.size()));
    rows.add(factText(QT_TRANSLATE_NOOP("DelegateFacts", "format")), report.format.text);
    if (!report.format.mark.empty()) {
        rows.add(factText(QT_TRANSLATE_NOOP("DelegateFacts", "mark")), report.format.mark);
    }
    rows.add(factText(QT_TRANSLATE_NOOP("DelegateFacts", "stored in")),
             report.delegate->segment ? fmt::format("segment {}", report.delegate->segment->value)
                                      : factText(QT_TRANSLATE_NOOP("DelegateFacts", "the program file")));
    const auto& specs = report.delegate->compileSpecs;
    rows.group(factText(QT_TRANSLATE_NOOP("DelegateFacts", "compile specs")), fmt::to_string(specs.size()));
    for (const program::CompileSpec& spec : specs) {
        rows.add(std::string(spec.key), inspector::specText(spec).text);
    }
}

void addValues(FactRows& rows, std::string title, const program::Method& method,
               const std::vector<program::ValueId>& ids) {
    rows.group(std::move(title), fmt::to_string(ids.size()));
    for (const program::ValueId id : ids) {
        const auto* tensor = std::get_if<program::TensorInfo>(&method.value(id));
        rows.add(fmt::format("value {}", id.value),
                 tensor == nullptr ? std::string(program::valueTypeName(method.value(id)))
                                   : inspector::tensorText(*tensor));
    }
}

void addInside(FactRows& rows, const DelegateReport& report) {
    const std::string title = factText(QT_TRANSLATE_NOOP("DelegateFacts", "nodes inside"));
    if (!report.graph) {
        rows.group(title,
                   fmt::format("{}: {}", factText(QT_TRANSLATE_NOOP("DelegateFacts", "unknown")), report.unknown));
    } else {
        rows.group(title, fmt::to_string(report.graph->nodes().size()));
        for (const auto& [kind, count] : report.graph->kinds()) {
            rows.add(std::string(kind), fmt::to_string(count));
        }
        std::uint64_t bytes = 0;
        std::size_t constants = 0;
        for (const core::GraphValue& value : report.graph->values()) {
            const bool constant = value.role == core::GraphValue::Role::Constant;
            constants += constant ? 1 : 0;
            bytes += constant ? value.bytes : 0;
        }
        rows.group(factText(QT_TRANSLATE_NOOP("DelegateFacts", "constants inside")),
                   fmt::format("{}, {}", constants, bytesText(bytes)));
    }
    if (!report.namedData.empty()) {
        rows.group(factText(QT_TRANSLATE_NOOP("DelegateFacts", "named data")),
                   fmt::to_string(report.namedData.size()));
        for (const inspector::NamedBlob& blob : report.namedData) {
            rows.add(std::string(blob.name), bytesText(blob.bytes));
        }
    }
}

void addCoverage(FactRows& rows, const DelegateCallSite& call, bool recorded) {
    const std::string title = factText(QT_TRANSLATE_NOOP("DelegateFacts", "covers"));
    if (!recorded) {
        rows.group(title,
                   factText(QT_TRANSLATE_NOOP("DelegateFacts", "unknown: open the ETRecord to see Edge nodes")));
        return;
    }
    std::vector<std::int64_t> handles;
    for (const core::DebugHandle handle : call.handles) {
        handles.push_back(handle.value);
    }
    std::ranges::sort(handles);
    const auto repeated = std::ranges::unique(handles);
    handles.erase(repeated.begin(), repeated.end());
    std::set<std::string_view> modules;
    for (const etrecord::Node* node : call.nodes) {
        if (!node->moduleStack.empty()) {
            modules.insert(node->moduleStack.back().fqn);
        }
    }
    rows.group(title, fmt::format("{} Edge nodes", call.nodes.size()));
    rows.add(factText(QT_TRANSLATE_NOOP("DelegateFacts", "debug handles")), inspector::rangesText(handles));
    rows.add(factText(QT_TRANSLATE_NOOP("DelegateFacts", "modules")), fmt::to_string(modules.size()));
}

void addTimes(FactRows& rows, const Delegation& of, const MethodDelegates& method,
              const DelegateCallSite& call) {
    const std::string title = factText(QT_TRANSLATE_NOOP("DelegateFacts", "time per run"));
    if (!method.times) {
        rows.group(title,
                   factText(of.timeUnit.empty()
                          ? QT_TRANSLATE_NOOP("DelegateFacts", "unknown: open a trace of the program")
                          : QT_TRANSLATE_NOOP("DelegateFacts", "unknown: the trace is of another program")));
        return;
    }
    const auto text = [&](double time, double whole) {
        return whole > 0 ? fmt::format("{:.6g} {}, {}", time, of.timeUnit,
                                       inspector::report::readablePercent(time / whole))
                         : fmt::format("{:.6g} {}", time, of.timeUnit);
    };
    rows.group(title, call.time ? text(*call.time, method.times->total)
                                : factText(QT_TRANSLATE_NOOP("DelegateFacts", "not in the trace")));
    if (!call.parts) {
        return;
    }
    const inspector::CallParts& parts = *call.parts;
    const std::array<std::pair<const char*, double>, 4> named{
        {{QT_TRANSLATE_NOOP("DelegateFacts", "operators of Edge nodes"), parts.operators},
         {QT_TRANSLATE_NOOP("DelegateFacts", "layout conversions added at export"), parts.layout},
         {QT_TRANSLATE_NOOP("DelegateFacts", "unmapped operators"), parts.unknown},
         {QT_TRANSLATE_NOOP("DelegateFacts", "overhead"), parts.unexplained()}}};
    for (const auto& [name, time] : named) {
        rows.add(factText(name), text(time, parts.whole));
    }
}

}  // namespace

ReportRows delegateFacts(const Delegation& of, const DelegateRef& ref) {
    const MethodDelegates& method = of.report.methods[ref.method];
    const DelegateReport& report = method.delegates[ref.delegate];
    FactRows rows;
    addPayload(rows, report);
    if (ref.call) {
        const DelegateCallSite& call = report.calls[*ref.call];
        addTimes(rows, of, method, call);
        addCoverage(rows, call, method.recorded);
        addValues(rows, factText(QT_TRANSLATE_NOOP("DelegateFacts", "inputs")), *method.method, call.inputs);
        addValues(rows, factText(QT_TRANSLATE_NOOP("DelegateFacts", "outputs")), *method.method, call.outputs);
    }
    addInside(rows, report);
    return std::move(rows).finish();
}

}  // namespace et::visualizers
