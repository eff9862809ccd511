#include "backends/known_backends.h"
#include "inspector/delegates/delegate_text.h"
#include "inspector/format/quantities.h"
#include "inspector/join/module_nodes.h"
#include "inspector/memory/memory_text.h"
#include "visualizers/delegates/delegate_tables.h"

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
using inspector::format::readableBytes;

/// Builds grouped name-value rows.
class DetailRows {
  public:
    DetailRows() {
        rows.table.columns = {{.id = "fact", .header = std::string("fact")},
                              {.id = "value", .header = std::string("value")}};
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

void addPayload(DetailRows& rows, const DelegateReport& report) {
    const std::string_view device = backends::deviceOf(report.delegate->backend);
    rows.group(std::string("backend"), std::string(report.delegate->backend));
    if (!device.empty()) {
        rows.add(std::string("runs on"), std::string(device));
    }
    rows.group(std::string("payload"), bytesText(report.delegate->payload.size()));
    rows.add(std::string("format"), report.format.text);
    if (!report.format.mark.empty()) {
        rows.add(std::string("mark"), report.format.mark);
    }
    rows.add(std::string("content"), inspector::payloadBytesText(report.contents.bytes));
    rows.add(std::string("stored in"), report.delegate->segment
                                           ? fmt::format("segment {}", report.delegate->segment->value)
                                           : std::string("the program file"));
    const auto& specs = report.delegate->compileSpecs;
    rows.group(std::string("compile specs"), fmt::to_string(specs.size()));
    for (const program::CompileSpec& spec : specs) {
        const inspector::SpecText value = inspector::specText(report.delegate->backend, spec);
        rows.add(std::string(spec.key), value.decoded ? value.decoded->text : value.text);
        for (const auto& setting :
             value.decoded ? value.decoded->settings : decltype(value.decoded->settings)()) {
            rows.add(fmt::format("{}: {}", spec.key, setting.name), setting.value);
        }
    }
}

void addValues(DetailRows& rows, std::string title, const program::Method& method,
               const std::vector<program::ValueId>& ids) {
    rows.group(std::move(title), fmt::to_string(ids.size()));
    for (const program::ValueId id : ids) {
        const auto* tensor = method.value(id).as<program::TensorInfo>();
        rows.add(fmt::format("value {}", id.value),
                 tensor == nullptr ? std::string(program::valueTypeName(method.value(id)))
                                   : inspector::tensorText(*tensor));
    }
}

void addInside(DetailRows& rows, const DelegateReport& report) {
    const std::string title = std::string("nodes inside");
    if (!report.graph) {
        rows.group(title, fmt::format("{}: {}", std::string("unknown"), report.unknown));
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
        rows.group(std::string("constants inside"), fmt::format("{}, {}", constants, bytesText(bytes)));
    }
    if (!report.contents.parts.empty()) {
        rows.group(std::string("parts of the payload"), fmt::to_string(report.contents.parts.size()));
        for (const backends::ListedPart& each : report.contents.parts) {
            const std::size_t size = each.part.data.size();
            rows.add(each.part.name, each.bytes.opaque == 0 ? bytesText(size)
                                                            : fmt::format("{}, {} opaque", bytesText(size),
                                                                          bytesText(each.bytes.opaque)));
        }
    }
    if (!report.namedData.empty()) {
        rows.group(std::string("named data"), fmt::to_string(report.namedData.size()));
        for (const inspector::NamedBlob& blob : report.namedData) {
            rows.add(std::string(blob.name), bytesText(blob.data.size()));
        }
    }
}

void addCoverage(DetailRows& rows, const DelegateCallSite& call, bool recorded) {
    const std::string title = std::string("covers");
    if (!recorded) {
        rows.group(title, std::string("unknown: open the ETRecord to see Edge nodes"));
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
    for (const etrecord::Node* node : inspector::nodesWithModules(call.nodes)) {
        modules.insert(inspector::modulesOf(*node).back().fqn);
    }
    rows.group(title, fmt::format("{} Edge nodes", call.nodes.size()));
    rows.add(std::string("debug handles"), inspector::rangesText(handles));
    rows.add(std::string("modules"), fmt::to_string(modules.size()));
}

void addTimes(DetailRows& rows, const Delegation& of, const MethodDelegates& method,
              const DelegateCallSite& call) {
    const std::string title = std::string("time per run");
    if (!method.times) {
        rows.group(title,
                   std::string(!of.timeScale ? "unknown: open a trace of the program"
                                             : "unknown: the trace was recorded with another program"));
        return;
    }
    const auto text = [&](double time, double whole) {
        const std::string shown =
            inspector::format::readableTime(time, of.timeScale.value_or(inspector::TimeScale::Milliseconds));
        return whole > 0 ? fmt::format("{}, {}", shown, inspector::format::readablePercent(time / whole))
                         : shown;
    };
    rows.group(title, call.time ? text(*call.time, method.times->total) : std::string("not in the trace"));
    if (!call.parts) {
        return;
    }
    const inspector::CallParts& parts = *call.parts;
    const std::array<std::pair<const char*, double>, 4> named{
        {{"operators of Edge nodes", parts.operators},
         {"layout conversions added at export", parts.layout},
         {"unmapped operators", parts.unknown},
         {"overhead", parts.unexplained()}}};
    for (const auto& [name, time] : named) {
        rows.add(std::string(name), text(time, parts.whole));
    }
}

}  // namespace

ReportRows delegateDetails(const Delegation& of, const DelegateRef& ref) {
    const MethodDelegates& method = of.report.methods[ref.method];
    const DelegateReport& report = method.delegates[ref.delegate];
    DetailRows rows;
    addPayload(rows, report);
    if (ref.call) {
        const DelegateCallSite& call = report.calls[*ref.call];
        addTimes(rows, of, method, call);
        addCoverage(rows, call, method.recorded);
        addValues(rows, std::string("inputs"), *method.method, call.inputs);
        addValues(rows, std::string("outputs"), *method.method, call.outputs);
    }
    addInside(rows, report);
    return std::move(rows).finish();
}

}  // namespace et::visualizers
